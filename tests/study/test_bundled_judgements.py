"""What blind readers said of the bundled collection as it is now."""

from collections import Counter
from pathlib import Path

import pytest

import winoglot as wg
from winoglot.study.judgements import read_judgements

FOLDER = Path(__file__).parents[2] / "docs" / "judgements"


@pytest.mark.parametrize("language", ["en", "fr", "pt", "zh"])
def test_every_item_is_answered_by_two_readers_rightly_and_hardly_flagged(language):
    collection = wg.load(f"winoglot-{language}")
    found = read_judgements([FOLDER / f"winoglot-{language}.jsonl"], [collection])
    assert not found.stale
    readers = Counter(one.item.id for one in found.judged)
    assert all(readers[item.id] >= 2 for item in collection.items)
    assert sum(bool(one.right) for one in found.judged) >= 0.95 * len(found.judged)
    assert sum(one.judgement.flag is not None for one in found.judged) <= 0.03 * len(found.judged)
