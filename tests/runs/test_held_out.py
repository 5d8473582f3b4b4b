from dataclasses import replace

import pytest

import winoglot as wg
from cases import listed
from runs.test_overlap import one, unnamed
from six_schemas import six
from winoglot import InputError
from winoglot.perturb.base import with_kinds
from winoglot.runs.held_out import split, without_overlap
from winoglot.runs.overlap import Fingerprints, overlap
from winoglot.schemas.model import Collection


def count(part):
    return sum(len(one.items) for one in part)


def ids(part):
    return {(one.name, schema.id) for one in part for schema in one.schemas}


@pytest.mark.parametrize(
    ("seed", "held_out", "size", "drawn"),
    [(0, 0.01, None, 156), (1, 0.3, 16, 16), (2, 0.05, 30, 28), (3, 0.1, 999, 144), (4, 0.0, None, 160)],
)
def test_parts_share_no_schema_and_nothing_that_overlaps(seed, held_out, size, drawn):
    whole = [wg.load("winoglot-en")[:40], wg.load("winoglot-fr")[:40]]
    whole = [replace(one, schemas=tuple(replace(s, variants=()) for s in one.schemas)) for one in whole]
    made = split(whole, held_out, size, seed=seed)
    assert held_out * 160 <= count(made.held_out) < held_out * 160 + 4
    assert count(made.train) == drawn
    names = [{name for _, name in ids(part)} for part in (made.train, made.held_out)]
    assert names[0].isdisjoint(names[1])
    for part in made.held_out:
        assert not overlap(Fingerprints.of(made.train), part)


def test_a_seed_draws_the_same_parts_and_larger_ones_have_the_smaller():
    whole = [wg.load("winoglot-en")]
    small, again, large, other = (
        split(whole, 0.1, size, seed=seed) for size, seed in ((60, 1), (60, 1), (160, 1), (60, 2))
    )
    assert small == again
    assert small.held_out == large.held_out != other.held_out
    assert ids(small.train) < ids(large.train)
    assert (count(small.train), count(large.train)) == (60, 160)


def test_near_copies_of_a_file_stay_together():
    lines = [
        "the ferry left the island before the storm reached the harbour",
        "a baker sold every loaf by noon on friday",
        "our neighbours painted their fence in the colours of the flag",
        "two clowns slept on the bench behind the tent",
    ]
    texts = [f"Rosa told Lena that {line}, and {{she}} laughed." for line in lines]
    edited = [text.replace("laughed", "laughed about it") for text in texts]
    whole = unnamed([item for text in (*texts, *edited) for item in one(text).items])
    for seed in range(6):
        made = split([whole], 0.25, seed=seed)
        held = {int(schema.id) % 4 for part in made.held_out for schema in part.schemas}
        assert (count(made.held_out), count(made.train), len(held)) == (2, 6, 1)


def test_translations_without_ids_cannot_be_split():
    english, portuguese = replace(unnamed(six("en").items), name="wsc273"), unnamed(six("pt").items, "portuguese_wsc")
    with pytest.raises(InputError, match="in 1 group of schemas that belong together, the largest with 24"):
        split([english, portuguese], 0.1)
    assert count(split([english, replace(portuguese, name="mine")], 0.1).held_out) >= 3


@listed
def test_impossible_sizes_are_input_errors(held_out, size, message):
    with pytest.raises(InputError, match=message):
        split([six("en")], held_out, size)


def test_training_data_can_be_freed_of_what_is_evaluated():
    english = wg.load("winoglot-en")
    kept = without_overlap(english, [six("fr"), english[5:8]])
    assert not overlap(Fingerprints.of([kept]), english[5:8])
    assert not overlap(Fingerprints.of([kept]), six("fr"))
    gone = {schema.id for schema in english} - {schema.id for schema in kept}
    assert {schema.id for schema in english[5:8]} <= gone
    assert len(gone) < 12
    assert without_overlap(english[:5], [english[20:]]) == english[:5]


@pytest.mark.slow
def test_variants_count_on_both_sides(public_data):
    asked, learnt = (
        wg.load(public_data / "collections" / "winogrande" / f"{name}.jsonl") for name in ("dev", "train_l")
    )
    learnt = learnt[1565:3091:5]  # the first and the last have variants that are near copies of variants in dev
    asked = with_kinds(asked, ["switched"])
    plain, switched = without_overlap(learnt, [asked]), without_overlap(learnt, [asked], ["switched"])
    assert overlap(Fingerprints.of([with_kinds(plain, ["switched"])]), asked).rules == {"near copy": 2}
    assert not overlap(Fingerprints.of([with_kinds(switched, ["switched"])]), asked)
    assert [one for one in plain.schemas if one not in switched.schemas] == [learnt.schemas[0], learnt.schemas[-1]]
    assert not switched.kinds


def test_what_cannot_be_freed_is_an_input_error():
    english = six("en")
    with pytest.raises(InputError, match="every schema of six-en overlaps"):
        without_overlap(english, [six("fr")])
    wsc, translation = replace(unnamed(english.items), name="wsc"), unnamed(six("pt").items, "portuguese_wsc")
    with pytest.raises(InputError, match="go back to the same published collection"):
        without_overlap(wsc, [translation])
    assert isinstance(without_overlap(english, []), Collection)
