import pytest

from study.asked import TEXT, answered, small, write
from winoglot.statistics.intervals import bootstrap_ratio
from winoglot.study.agreement import agreement
from winoglot.study.judgements import question_id, read_judgements


def agreed(folder, *readers, text=TEXT):
    collection = small(folder, text)
    paths = [
        write(folder / f"{number}.jsonl", answered(collection, f"r{number}", seed=number, **reader))
        for number, reader in enumerate(readers)
    ]
    return agreement(read_judgements(paths, [collection]))


def test_shares_are_of_judgements_and_intervals_over_schemas(tmp_path):
    found = agreed(tmp_path, {"wrong": ["jar-lid.0", "bus-seat.1"]}, {"wrong": ["jar-lid.0"]})
    (row,) = found.collections
    assert (row.items, row.judgements, row.readers) == (6, 12, 2)
    right = [1] * 4 + [1, 1, 0, 1] + [0, 0, 1, 1]
    assert row.right == bootstrap_ratio(right, [1] * 12, ["a"] * 4 + ["b"] * 4 + ["c"] * 4)
    assert row.right.value == pytest.approx(9 / 12)
    assert row.sound_items.value == pytest.approx(4 / 6)
    assert [one.item.id for one in found.to_repair] == ["bus-seat.1", "jar-lid.0"]
    assert [one.right for one in found.to_repair] == [1, 0]
    assert [one.right.value for one in found.readers] == pytest.approx([4 / 6, 5 / 6])


def test_a_flag_asks_for_repair_even_where_the_answer_is_right(tmp_path):
    found = agreed(tmp_path, {"rope-knot.0": {"flag": "ambiguous", "comment": "either"}}, {})
    (row,) = found.collections
    assert row.right.value == 1
    assert row.flags["ambiguous"].value == pytest.approx(1 / 12)
    assert row.flags["unnatural"].value == 0
    assert [one.item.id for one in found.to_repair] == ["rope-knot.0"]


def test_variants_are_counted_by_kind(tmp_path):
    variant = '{text: "The jar clearly would not go under the tap because {it} was too [tall|low]."}'
    collection = small(tmp_path, f"{TEXT}    variants:\n      adverb: {variant}\n")
    lines = answered(collection, "r1")
    for variant in collection.variants():
        identifier = question_id(collection, variant, (0, 1))
        lines.append({"id": identifier, "reader": "r1", "choice": 0, "flag": "trivial", "confidence": 0.9})
    found = agreement(read_judgements([write(tmp_path / "j.jsonl", lines)], [collection]))
    assert [(row.kind, row.items, row.right.value) for row in found.collections] == [
        ("original", 6, 1),
        ("adverb", 2, 0.5),
    ]
    assert found.collections[1].flags["trivial"].value == 1


def test_who_cannot_say_is_not_right(tmp_path):
    found = agreed(tmp_path, {"rope-knot.0": {"choice": None}})
    assert found.collections[0].undecided.value == pytest.approx(1 / 6)
    assert found.collections[0].right.value == pytest.approx(5 / 6)
    assert found.collections[0].alpha.method == "no item was answered by two readers"


def test_items_without_an_answer_are_judged_by_flags_alone_and_unread_ones_are_named(tmp_path):
    text = TEXT.replace("answers: [0, 1]", "answers: [0, null]")
    lines = answered(small(tmp_path), "r")
    collection = small(tmp_path, text)
    found = agreement(read_judgements([write(tmp_path / "j.jsonl", lines)], [collection]))
    assert found.collections[0].right.n == 5
    assert not found.to_repair
    found = agreement(read_judgements([write(tmp_path / "j.jsonl", lines[:4])], [collection]))
    assert (found.collections[0].items, len(found.collections[0].unread)) == (4, 2)
