import json
import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from winoglot import Candidate, Collection, Item, Schema, Span, load
from winoglot.schemas import bundled
from winoglot.schemas.statistics import STATISTICS_FILE, Lengths, statistics, stored_statistics
from winoglot.schemas.text import word_count


def item(number, answer, *, starts=(0, 9), text="The lamp the vase it.", tags=()):
    lamp, vase = (tuple(Span(start, start + 3) for start in [s] if s is not None) for s in starts)
    candidates = (Candidate("the lamp", lamp), Candidate("the vase", vase))
    return Item(f"a.{number}", "a", text=text, pronoun=Span(18, 20), candidates=candidates, answer=answer, tags=tags)


def test_counts_are_counts():
    items = (item(0, 0, tags=("switchable",)), item(1, 0, starts=(9, 0)), item(2, 1, starts=(0, None)), item(3, None))
    single = Schema(
        "b", (replace(items[0], id="b.0", schema_id="b", parallel_id="b.0", text="The lamp and a vase, it fell down."),)
    )
    counts = statistics(Collection("c", "en", (Schema("a", items), single)))
    assert (counts.schemas, counts.items, counts.variants) == (2, 5, {})
    assert counts.items_per_schema == {1: 1, 4: 1}
    assert counts.answers == {"0": 3, "1": 1, "unlabelled": 1}
    assert counts.answers_by_mention == {"first": 2, "second": 1, "not mentioned": 1}
    assert counts.subsets["switchable"] == 2
    assert counts.subsets["not associative"] == 5
    assert counts.characters == Lengths(21, 21, 34)
    assert counts.words == Lengths(5, 5, 8)


@pytest.mark.parametrize(
    ("text", "words"),
    [("Ann left.", 2), ("安娜走了。", 3), ("安娜去了 IKEA。", 4), ("7 people", 2), ("他，她。", 2), ("", 0)],
)
def test_in_a_script_without_spaces_three_characters_count_as_two_words(text, words):
    assert word_count(text) == words


def test_the_stored_statistics_of_bundled_collections_are_those_of_their_files():
    script = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "freeze_statistics.py"))
    counted = json.loads(json.dumps(script["frozen_statistics"]()))
    stored = json.loads(STATISTICS_FILE.read_text(encoding="utf-8"))
    assert stored == counted, "run: python scripts/freeze_statistics.py"
    for name in bundled.bundled():
        assert stored_statistics(name) == statistics(load(name))


def test_statistics_stored_for_another_content_of_a_file_are_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(bundled, "FOLDER", tmp_path)
    (tmp_path / "winoglot-en.yaml").write_text("schemas: []", encoding="utf-8")
    assert stored_statistics("winoglot-en") is None
    assert stored_statistics("winoglot-pt") is None
