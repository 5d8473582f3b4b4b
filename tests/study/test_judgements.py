import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from cases import listed
from six_schemas import LANGUAGES, six
from study.asked import TEXT, answered, small, write
from winoglot.errors import InputError
from winoglot.study.judgements import dump_judgements, question_id, read_judgements, shown_hash


def test_a_reader_who_knows_everything_is_right_in_every_language_whatever_the_order_shown(tmp_path):
    """Parallel items of several languages are told apart."""
    collections = list(map(six, LANGUAGES))
    for seed in range(8):
        paths = [write(tmp_path / f"{c.name}.jsonl", answered(c, "r", seed=seed)) for c in collections]
        found = read_judgements(paths, collections)
        assert len(found.judged) == sum(len(collection.items) for collection in collections)
        assert all(one.right for one in found.judged)
        assert {one.collection for one in found.judged} == {c.name for c in collections}


def test_records_with_item_hash_and_order_say_the_same(tmp_path):
    collection = small(tmp_path)
    lines = answered(collection, "r", wrong=["jar-lid.0"], **{"bus-seat.1": {"flag": "unnatural", "seconds": 3}})
    blind = read_judgements([write(tmp_path / "a.jsonl", lines)], [collection])
    (tmp_path / "b.jsonl").write_text(dump_judgements(one.judgement for one in blind.judged), encoding="utf-8")
    assert read_judgements([tmp_path / "b.jsonl"], [collection]).judged == blind.judged
    assert "right" not in (tmp_path / "b.jsonl").read_text()
    published = dump_judgements(one.published("first", ["ours"]) for one in blind.judged)
    packed = tmp_path / "c.jsonl.gz"
    packed.write_bytes(gzip.compress(published.encode("utf-8")))
    line = json.loads(published.splitlines()[0])
    shown = line["shown"]
    assert line["pass"] == "first"
    assert ("{" in shown["text"], shown["provenance"]) == (True, ["ours"])
    assert shown["answers"][shown["right"]] == blind.judged[0].item.candidates[blind.judged[0].item.answer].text
    assert [one.right for one in read_judgements([packed], [collection]).judged] == [one.right for one in blind.judged]
    item = collection.items[0]  # ids tell neither schema nor alternative nor answer
    assert item.schema_id not in question_id(collection, item, (0, 1))
    assert shown_hash(item, (0, 1)) == shown_hash(replace(item, answer=0), (0, 1)) != shown_hash(item, (1, 0))


def test_a_corrected_label_keeps_judgements_and_a_corrected_question_makes_them_stale(tmp_path):
    path = write(tmp_path / "j.jsonl", answered(small(tmp_path), "r"))
    relabelled = small(tmp_path, TEXT.replace("answers: [0, 1]", "answers: [1, 0]"))
    found = read_judgements([path], [relabelled])
    assert not found.stale
    assert {one.item.schema_id for one in found.judged if not one.right} == {"jar-lid"}
    asked_anew = small(tmp_path, TEXT.replace("What was too", "Which of the two was too"))
    found = read_judgements([path], [asked_anew])
    assert [one.what for one in found.stale].count("jar-lid.0") == 1
    assert len(found.stale) == 2
    assert all(one.why == "the text, question or candidates have changed since" for one in found.stale)
    found = read_judgements([path], [small(tmp_path, TEXT[: TEXT.index("  - id: jar-lid")])])
    assert len(found.judged) == 4
    assert [one.why for one in found.stale] == ["there is no such item: it was removed, or the id is mistyped"] * 2


@listed
def test_a_faulty_line_is_named(tmp_path, change, message):
    collection = small(tmp_path)
    lines = answered(collection, "r")
    lines[2] |= change
    with pytest.raises(InputError, match=message) as caught:
        read_judgements([write(tmp_path / "j.jsonl", lines)], [collection])
    assert caught.value.line == 3
    assert str(caught.value).startswith(f"{tmp_path / 'j.jsonl'}, line 3: ")


def test_files_that_cannot_be_read(tmp_path):
    collection = small(tmp_path)
    lines, others = answered(collection, "r"), answered(six("fr"), "r")
    contents = {
        "{": ("not JSON", 2),
        "[1]": ("expected an object", 2),
        '{"reader": "r"}': ("'choice' is missing", 2),
        "": ("the file has no judgements", None),
        "\n".join(map(json.dumps, others)): ("no judgement is about an item of small", None),
        "\n".join(map(json.dumps, [*lines, lines[0]])): (r"has already answered .*line 2", 8),
    }
    path = tmp_path / "j.jsonl"
    for text, (message, line) in contents.items():
        path.write_text(f"\n{text}\n", encoding="utf-8")
        with pytest.raises(InputError, match=message) as caught:
            read_judgements([path], [collection])
        assert caught.value.line == line


def test_null_and_none_mean_what_they_say_and_a_reader_may_be_a_number(tmp_path):
    collection = small(tmp_path)
    lines = answered(collection, 7, **{"jar-lid.0": {"choice": None, "flag": "none"}})
    judged = read_judgements([write(tmp_path / "j.jsonl", lines)], [collection]).judged
    one = next(one for one in judged if one.item.id == "jar-lid.0")
    assert (one.judgement.candidate, one.judgement.flag, one.right) == (None, None, False)
    assert json.loads(dump_judgements([one.judgement]))["choice"] is None
    assert {one.judgement.reader for one in judged} == {"7"}


def test_a_file_named_twice_is_not_counted_twice(tmp_path, monkeypatch):
    collection = small(tmp_path)
    write(tmp_path / "few.jsonl", answered(collection, "r"))
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    for again in ("few.jsonl", "./few.jsonl", "folder/../few.jsonl"):
        with pytest.raises(InputError, match="the file is given twice"):
            read_judgements([Path("few.jsonl"), Path(again)], [collection])
