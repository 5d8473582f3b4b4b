"""What blind readers said of the bundled collection: of the texts of each pass, and of the collection as it is now."""

from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean

import pytest

import winoglot as wg
from winoglot.study.judgements import read_judgements

FOLDER = Path(__file__).parents[2] / "docs" / "judgements"
LANGUAGES = ("en", "fr", "pt", "zh")
# Wrong answers, and texts called ambiguous, unnatural, trivial, of 692 judgements: the data card quotes them.
FIRST_PASS = {"en": (1, 9, 2, 0), "fr": (0, 9, 2, 0), "pt": (1, 8, 2, 0), "zh": (2, 8, 0, 1)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_readers_answered_every_item_and_one_every_variant(language):
    collection = wg.load(f"winoglot-{language}")
    found = read_judgements([FOLDER / f"winoglot-{language}.jsonl"], [collection])
    assert not found.stale
    said = defaultdict(list)
    for one in found.judged:
        said[one.item.id].append(one.judgement.confidence)
    for item in collection.items:
        assert len(said[item.id]) >= 2
        assert item.confidence == pytest.approx(mean(said[item.id]), abs=0.001)
    assert all(said[variant.id] for variant in collection.variants() if variant.kind != "switched")
    assert all(one.right for one in found.judged)
    flagged = Counter(one.judgement.flag for one in found.judged if one.item.kind == "original")
    assert flagged.total() - flagged[None] <= 0.01 * flagged.total()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*.yaml")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_pass_is_kept_with_the_texts_that_were_read(path):
    texts = wg.load(path)
    found = read_judgements([path.with_suffix(".jsonl")], [texts])
    assert not found.stale
    wrong = sum(not one.right for one in found.judged)
    assert wrong <= 0.01 * len(found.judged)
    if path.parent.name.endswith("-pass"):  # nobody saw two originals of a schema
        seen = Counter(
            (one.judgement.reader, one.item.schema_id) for one in found.judged if one.item.kind == "original"
        )
        assert set(seen.values()) <= {1}
    if path.parent.name == "first-pass":
        flags = Counter(one.judgement.flag for one in found.judged)
        assert len(found.judged) == 2 * len(texts.items) == 692
        language = path.stem.removeprefix("winoglot-")
        assert (wrong, flags["ambiguous"], flags["unnatural"], flags["trivial"]) == FIRST_PASS[language]
