import pytest

import winoglot as wg
from study.asked import TEXT, answered, small, write
from winoglot.statistics.intervals import bootstrap_ratio
from winoglot.study.agreement import agreement
from winoglot.study.judgements import question_id, read_judgements
from winoglot.writing.blind import blind_check


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


def test_seeded_faults_are_mixed_in_and_tell_how_attentive_a_reader_is(tmp_path):
    collection = small(tmp_path)
    faulty = TEXT.replace("collection: small", "collection: faults").replace("  - id: ", "  - id: faulty-")
    (tmp_path / "faults.yaml").write_text(faulty, encoding="utf-8")
    faults = wg.load(tmp_path / "faults.yaml")
    whole = blind_check(collection, seed=1, faults=faults).questions
    halves = [blind_check(collection, seed=1, part=(number, 2), faults=faults).questions for number in (1, 2)]
    assert [len(whole), *map(len, halves)] == [12, 6, 6]
    read = answered(faults, "r", wrong=["faulty-jar-lid.0"], **{"faulty-bus-seat.1": {"flag": "unnatural"}})
    path = write(tmp_path / "j.jsonl", answered(collection, "r") + read)
    found = agreement(read_judgements([path], [collection, faults]), faults)
    assert [row.collection for row in found.collections] == ["small"]
    assert not found.to_repair
    (reader,) = found.readers
    assert (reader.right.value, reader.right.n) == (1, 6)
    assert (reader.noticed.value, reader.noticed.n) == (pytest.approx(2 / 6), 6)


def test_faults_may_not_be_mistaken_for_items_of_the_collection(tmp_path, run_winoglot):
    small(tmp_path)
    file = tmp_path / "small.yaml"
    code, _, err = run_winoglot("review", "export", file, "--blind", "--faults", file, "-o", tmp_path / "r")
    assert code == 2
    assert "the schema 'rope-knot' is also the collection's" in err
    assert not (tmp_path / "r").exists()
