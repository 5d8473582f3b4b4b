from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import winoglot as wg
from items import item
from metrics.made_runs import Made, run_of
from winoglot.examples import Answers
from winoglot.metrics.accuracy import accuracy
from winoglot.metrics.robustness import consistency
from winoglot.metrics.subsets import subsets

TAGS = st.lists(st.sampled_from(["associative", "switchable", "physical", "subject"]), unique=True).map(tuple)
ITEMS = st.builds(
    Made,
    choice=st.sampled_from([0, 1, None]),
    tags=TAGS,
    fallback=st.booleans(),
    window=st.sampled_from(["", "empty", "punctuation", "segment before"]),
)


@settings(max_examples=50)
@given(st.lists(st.lists(ITEMS, min_size=1, max_size=2), min_size=1, max_size=6))
def test_every_subset_has_the_accuracy_of_its_items(schemas):
    items = [made for some in schemas for made in some]
    belongs = {
        "associative": lambda made: "associative" in made.tags,
        "not associative": lambda made: "associative" not in made.tags,
        "not switchable": lambda made: "switchable" not in made.tags,
        "physical": lambda made: "physical" in made.tags,
        "undefined window": lambda made: made.window == "empty",
        "punctuation window": lambda made: made.window == "punctuation",
        "segment before the window": lambda made: made.window == "segment before",
        "fallback readings": lambda made: made.fallback,
        "subject pronoun": lambda made: True,  # "she" is one, tagged or not
    }
    found = subsets(run_of(schemas))
    for name, holds in belongs.items():
        inside = [made for made in items if holds(made)]
        divided = name.removeprefix("not ")
        if not inside or (divided != name and not any(divided in made.tags for made in items)):
            assert name not in found
        else:
            part = accuracy.of(found[name])
            assert (part.n, part.value) == (
                len(inside),
                pytest.approx(sum(m.choice == 0 for m in inside) / len(inside)),
            )
    assert "subject" not in found


def test_the_order_is_the_same_for_all_collections_and_tags_come_last():
    run = run_of([[Made(tags=("zeal", "switchable"), fallback=True), Made(tags=("age",), window="empty")]])
    known = ["switchable", "not switchable", "subject pronoun", "short text", "undefined window", "fallback readings"]
    assert list(subsets(run)) == [*known, "age", "zeal"]


def test_texts_are_short_or_long_near_other_languages_or_not_and_their_readers_sure_or_not():
    plain = item("Ann saw Eve and {she} left.", ["Ann", "Eve"], "en", answers=[0])
    schemas = []
    for number, (longer, confidence) in enumerate([(7, 0.95), (8, 0.94), (0, None)]):
        text, name = plain.text.replace(".", " at once" * longer + "."), f"s{number}"
        changes = {"id": f"{name}.0", "schema_id": name, "parallel_id": "", "text": text, "confidence": confidence}
        adaptation = ("close", "details", None)[number]
        schemas.append(wg.Schema(name, (replace(plain, **changes),), adaptation=adaptation))
    collection = wg.Collection("lengths", "en", tuple(schemas))
    found = subsets(Answers(collection, {item.id: 0 for item in collection.items}))
    members = {name: [one.example.cluster for one in part.outcomes()] for name, part in found.items()}
    assert members["short text"] == ["s0", "s2"]
    assert (members["close adaptation"], members["details adaptation"]) == (["s0"], ["s1"])
    assert (members["long text"], members["sure readers"], members["less sure readers"]) == (["s1"], ["s0"], ["s1"])


def test_other_metrics_take_a_subset_like_a_run():
    variants = (("switched", 1),)
    run = run_of([[Made(tags=("physical",), variants=variants)], [Made(variants=(("switched", 0),))]])
    part = subsets(run, "switched")["physical"]
    assert consistency.of(part).n == 1
    assert consistency.of(part).value == 1.0
