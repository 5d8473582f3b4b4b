"""What is learnt from and held out; tests/runs/test_held_out.py has how collections are split."""

from dataclasses import replace

import pytest

import winoglot as wg
from cases import listed
from winoglot.errors import InputError
from winoglot.finetune.data import gather
from winoglot.finetune.recipes import find_finetune_recipe


def ids(questions):
    return [one.question.item.id for one in questions]


@pytest.fixture(scope="module")
def two():
    return [wg.load("winoglot-pt")[:40], wg.load("winoglot-fr")[:40]]


def test_a_schema_its_variants_and_its_translations_are_never_divided(two):
    data = gather(two, kinds=["switched"], seed=3)
    learnt, held = ({one.question.item.schema_id for one in part} for part in (data.training, data.held_out))
    assert not learnt & held
    assert {one.question.language for one in data.held_out} == {"pt-BR", "fr"}
    assert any("~switched" in name for name in ids(data.held_out))
    assert len(data.parts.train) == len(data.parts.held_out) == 2


def test_another_seed_draws_and_holds_out_others(twenty):
    one, other, again = (gather([twenty], size=20, seed=seed) for seed in (0, 1, 0))
    assert set(ids(one.training)) != set(ids(other.training))
    assert (one.hash == again.hash, one.hash == other.hash) == (True, False)


def test_shuffled_labels_are_drawn_for_what_is_learnt_and_not_for_what_is_held_out(twenty):
    plain, shuffled = (gather([twenty], control=control) for control in (None, "shuffled-labels"))
    assert plain.held_out == shuffled.held_out
    changed = sum(a.answer != b.answer for a, b in zip(plain.training, shuffled.training, strict=True))
    assert 0.2 < changed / len(plain.training) < 0.8


def test_schemas_without_answers_are_left_out_and_counted(twenty):
    first, *others = twenty.schemas
    bare = replace(first, items=tuple(replace(item, answer=None) for item in first.items), variants=())
    data = gather([replace(twenty, schemas=(bare, *others))])
    assert data.unlabelled == 2
    with pytest.raises(InputError, match="they cannot be split"):
        gather([replace(twenty, schemas=twenty.schemas[:1])])
    assert first.id not in {one.question.item.schema_id for one in (*data.training, *data.held_out)}


@listed
def test_settings_that_make_no_sense_are_refused(family, more, message):
    with pytest.raises(InputError, match=message):
        find_finetune_recipe(family, **more)
