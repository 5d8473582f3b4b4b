"""What is drawn and held out."""

from dataclasses import replace

import pytest

import winoglot as wg
from winoglot.errors import InputError
from winoglot.finetune.data import gather
from winoglot.finetune.recipes import find_finetune_recipe


def ids(questions):
    return [one.question.item.id for one in questions]


def groups(questions):
    return {one.group for one in questions}


@pytest.fixture(scope="module")
def two():
    return [wg.load("winoglot-pt"), wg.load("winoglot-fr")]


def test_a_schema_its_variants_and_its_translations_are_never_divided(two):
    data = gather(two, kinds=["switched"], seed=3)
    assert not groups(data.training) & groups(data.held_out)
    languages = {}
    for one in data.held_out:
        languages.setdefault(one.group, set()).add(one.question.language)
    assert any(len(found) == 2 for found in languages.values())
    assert any("~switched" in name for name in ids(data.held_out))


def test_smaller_draws_are_part_of_larger_ones(twenty):
    draws = [gather([twenty], size=size, held_out=0, seed=5) for size in (6, 14, 40)]
    assert [len(draw.training) for draw in draws] == [6, 14, 40]
    assert set(ids(draws[0].training)) < set(ids(draws[1].training)) < set(ids(draws[2].training))


def test_another_seed_draws_and_holds_out_others(twenty):
    one, other, again = (gather([twenty], size=20, seed=seed) for seed in (0, 1, 0))
    assert set(ids(one.training)) != set(ids(other.training))
    assert (one.hash == again.hash, one.hash == other.hash) == (True, False)


def test_shuffled_labels_are_drawn_for_what_is_learnt_and_not_for_what_is_held_out(twenty):
    plain, shuffled = (gather([twenty], control=control) for control in (None, "shuffled-labels"))
    assert plain.held_out == shuffled.held_out
    changed = sum(a.answer != b.answer for a, b in zip(plain.training, shuffled.training, strict=True))
    assert 0.2 < changed / len(plain.training) < 0.8


@pytest.mark.parametrize(
    ("more", "message"),
    [({"size": 41}, "a size of 41 was asked for, and there are 40"), ({"size": 0}, "the size is 0")],
)
def test_sizes_that_cannot_be_drawn_are_refused(more, message, twenty):
    with pytest.raises(InputError, match=message):
        gather([twenty], **more)


def test_one_schema_cannot_be_split(twenty):
    with pytest.raises(InputError, match="there is only one schema"):
        gather([replace(twenty, schemas=twenty.schemas[:1])])


@pytest.mark.parametrize(
    ("family", "more", "message"),
    [
        ("causal", {"changes": ["rat=1"]}, "recipes have no setting 'rat'"),
        ("causal", {"changes": ["rate=0"]}, "rate is 0"),
        ("causal", {"changes": ["rate=inf"]}, "rate is inf"),
        ("causal", {"changes": ["rate=nan"]}, "rate is nan"),
        ("causal", {"changes": ["held_out=1"]}, "held_out is 1"),
        ("causal", {"changes": ["rank=4"]}, "rank is a setting of LoRA"),
        ("causal", {"changes": ["contrast=0", "language=0"]}, "there is nothing to learn"),
        ("causal", {"control": "shuffled"}, "there is no control 'shuffled'"),
        ("choice", {"control": "no-contrast"}, "a choice head learns by contrast alone"),
    ],
)
def test_settings_that_make_no_sense_are_refused(family, more, message):
    with pytest.raises(InputError, match=message):
        find_finetune_recipe(family, **more)
