"""The bundled collection is varied: no frame, role, gender or place of the segment carries it."""

import re
from collections import Counter

import pytest

import winoglot as wg
from winoglot.languages.sentences import sentences

BUNDLED = wg.load_all("winoglot")
LANGUAGES = sorted(BUNDLED)
REASONING = set(
    "physical spatial temporal causal social emotional possession quantity role communication".split()  # noqa: SIM905
)
# What links the pronoun's clause to what stands before it, one frame a line: the same meaning counts as one.
CONNECTIVES = {
    "en": ["because|since", "so|therefore", "but|yet", "although|though", "when", "while", "until", "before", "after"],
    "pt": [
        "porque|pois|já que",
        "por isso|então",
        "mas",
        "embora|apesar",
        "quando",
        "enquanto",
        "até",
        "antes",
        "depois",
    ],
    "fr": ["parce|car|puisque", "donc|alors", "mais", "bien que|quoique", "quand|lorsque", "pendant", "jusqu", "avant"],
    "zh": [
        "因为|由于",
        "所以|于是|因此",
        "但|可是|不过",
        "虽然|尽管",
        "的时候|当",
        "一边",
        "直到",
        "之前|以前",
        "之后|以后",
    ],
}
KINDS = {  # what the pronoun says of its referent
    "en": {"woman": "she|her|hers", "man": "he|him|his", "thing": "it|its", "plural": "they|them|their|theirs"},
    "zh": {"woman": "[她]的?", "man": "[他]的?", "thing": "[它]的?", "plural": "[他她它]们的?"},
}


def share(language, holds):
    schemas = BUNDLED[language].schemas
    return sum(map(holds, schemas)) / len(schemas)


def first(schema):
    return schema.items[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_a_hundred_schemas_with_every_form(language):
    schemas = BUNDLED[language].schemas
    assert len(schemas) >= 100
    for schema in schemas:
        tags = set(first(schema).tags)
        assert tags & REASONING, schema.id
        assert len(tags & {"names", "nouns"}) == 1, schema.id
        assert len(tags & {"subject", "object", "possessive", "prepositional"}) == 1, schema.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_candidates_pronouns_and_lengths_vary(language):
    assert share(language, lambda schema: "nouns" in first(schema).tags) >= 0.35
    assert share(language, lambda schema: "subject" not in first(schema).tags) >= 0.25
    assert share(language, lambda schema: len(sentences(first(schema).text, language)) > 1) >= 0.10
    assert share(language, lambda schema: "switchable" in first(schema).tags) >= 0.45
    assert all(share(language, lambda schema, tag=tag: tag in first(schema).tags) >= 0.04 for tag in REASONING)


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_triples_and_empty_alternatives(language):
    schemas = BUNDLED[language].schemas
    assert sum(len(schema.items) == 3 for schema in schemas) >= 5
    empty = [s for s in schemas if any(not place.of(i.text) for i in s.items for place in i.segment)]
    assert len(empty) >= 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_frame_carries_more_than_fifteen_percent(language):
    counts = Counter()
    for schema in BUNDLED[language].schemas:
        item = first(schema)
        before = item.text[: item.pronoun.start].lower()
        clause = sentences(before, language)[-1] if before.strip() else ""
        edge = "" if language == "zh" else r"\b"
        found = [frame for frame in CONNECTIVES[language] if re.search(f"{edge}(?:{frame}){edge}", clause)]
        counts.update(found)
    assert max(counts.values()) <= 0.15 * len(BUNDLED[language].schemas), counts


@pytest.mark.parametrize("language", LANGUAGES)
def test_either_answer_comes_first_equally_often(language):
    assert 0.45 <= share(language, lambda schema: first(schema).answer == 0) <= 0.55


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_segment_stands_in_every_part_of_the_text(language):
    def place(schema):
        return first(schema).segment[0]

    assert share(language, lambda s: place(s).start < 0.2 * len(first(s).text)) >= 0.05
    assert share(language, lambda s: place(s).end <= first(s).pronoun.start) >= 0.20
    assert share(language, lambda s: place(s).start > first(s).pronoun.start) >= 0.35
    assert share(language, lambda s: place(s).end < 0.8 * len(first(s).text)) >= 0.30


@pytest.mark.parametrize("language", sorted(KINDS))
def test_women_men_things_and_plurals_are_balanced(language):
    counts = Counter()
    for schema in BUNDLED[language].schemas:
        said = first(schema).pronoun.of(first(schema).text).lower()
        counts.update(kind for kind, form in KINDS[language].items() if re.fullmatch(form, said))
    total = len(BUNDLED[language].schemas)
    assert sum(counts.values()) >= 0.9 * total
    assert all(0.12 * total <= counts[kind] <= 0.40 * total for kind in KINDS[language]), counts
    assert 2 / 3 <= counts["woman"] / counts["man"] <= 3 / 2, counts
