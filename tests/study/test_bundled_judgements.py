"""What blind readers said of the bundled collection as it is now."""

from collections import Counter
from pathlib import Path

import pytest

import winoglot as wg
from winoglot.study.judgements import read_judgements

FOLDER = Path(__file__).parents[2] / "docs" / "judgements"
FIRST_PASS = {"en": (1, 7), "fr": (3, 4), "pt": (0, 9), "zh": (1, 12)}  # called ambiguous, called unnatural


@pytest.mark.parametrize("language", ["en", "fr", "pt", "zh"])
def test_every_item_is_answered_by_two_readers_rightly_and_hardly_flagged(language):
    collection = wg.load(f"winoglot-{language}")
    found = read_judgements([FOLDER / f"winoglot-{language}.jsonl"], [collection])
    assert not found.stale
    readers = Counter(one.item.id for one in found.judged)
    assert all(readers[item.id] >= 2 for item in collection.items)
    assert sum(bool(one.right) for one in found.judged) >= 0.95 * len(found.judged)
    assert sum(one.judgement.flag is not None for one in found.judged) <= 0.03 * len(found.judged)


@pytest.mark.parametrize("language", FIRST_PASS)
def test_the_first_pass_over_the_drafts_is_kept_as_it_was(language):
    drafts = wg.load(str(FOLDER / "first-pass" / f"winoglot-{language}.yaml"))
    found = read_judgements([FOLDER / "first-pass" / f"winoglot-{language}.jsonl"], [drafts])
    assert not found.stale
    assert len(found.judged) == 2 * len(drafts.items) == 496
    assert all(one.right for one in found.judged)
    flags = Counter(one.judgement.flag for one in found.judged)
    assert (flags["ambiguous"], flags["unnatural"]) == FIRST_PASS[language]
