"""The bundled collection is varied: no frame, role, gender or place of the segment carries it."""

import re
from collections import Counter

import pytest

import winoglot as wg
from winoglot.languages.agreement import features_of, features_of_pronoun
from winoglot.languages.names import names
from winoglot.languages.text import sentences

BUNDLED = wg.load_all("winoglot")
LANGUAGES = sorted(BUNDLED)
REASONING = set(
    "physical spatial temporal causal social emotional possession quantity role communication".split()  # noqa: SIM905
)
# What links the pronoun's clause to what stands before it, one frame a meaning, in the same order in every language:
# because, so, but, although, when, while, until, before, after, if.
CONNECTIVES = {
    "en": [
        "because|since(?! then)|as(?! soon| long)",
        "so|therefore|which is why",
        "but|yet|however",
        "although|though|even if",
        "when|whenever|once|as soon as",
        "while",
        "until|till",
        "before",
        "after",
        "if|unless",
    ],
    "pt": [
        "porque|pois|já que|uma vez que|visto que",
        "por isso|(?<!desde )(?<!até )então|portanto|de modo que|de forma que",
        "mas|porém|no entanto",
        "embora|apesar|mesmo que|ainda que",
        "quando|assim que|sempre que|logo que|cada vez que",
        "enquanto",
        "até",
        "antes",
        "depois|após",
        "(?<=^)se|caso",
    ],
    "fr": [
        "parce qu[e']|car|puisqu[e']|vu qu[e']",
        "donc|alors(?! qu)|si bien qu[e']|de sorte qu[e']|c'est pourquoi",
        "mais|pourtant|cependant",
        "bien qu[e'](?<!si bien qu.)|quoiqu[e']|même si|alors qu[e']",
        "quand|lorsqu[e']|dès qu[e']|chaque fois qu[e']|une fois",
        "pendant qu[e']|tandis qu[e']",
        "jusqu[e']",
        "avant",
        "après",
        "si(?! bien qu)|s'ils?",
    ],
    "zh": [
        "因为|由于|既然|毕竟",
        "所以|于是|因此|结果",
        "但|可是|不过|却|然而",
        "虽然|尽管|即使|哪怕",
        "的时候|(?<!小)时，|每当|每次",
        "一边|同时",
        "直到",
        "之前|以前",
        "之后|以后|后，|后来",
        "如果|要是|的话|只要",
    ],
}
LOCALES = {"en": "en-US", "fr": "fr-FR", "pt": "pt-BR", "zh": "zh-CN"}
# Names that people of the place bear and that the locale's list, which was made for picking, does not hold.
UNLISTED = {
    "en": set(),
    "fr": {"Léna"},
    "pt": {"Emílio", "Lena", "Érica"},
    "zh": set("丽娜 安琪 宝珍 小玫 小雯 彩霞 德明 志刚 方伟 春生 朵朵 碧云 福生 阿敏".split()),  # noqa: SIM905
}
PLURAL_IN_ENGLISH = {"they", "them", "their", "theirs"}


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
    edges = ("", "") if language == "zh" else (r"(?<!\w)", r"(?:(?<=')|(?!\w))")
    for schema in BUNDLED[language].schemas:
        item = first(schema)
        before = item.text[: item.pronoun.start]
        clause = sentences(before, language)[-1].lower() if before.strip() else ""
        counts.update(frame for frame in CONNECTIVES[language] if re.search(f"{edges[0]}(?:{frame}){edges[1]}", clause))
    assert sum(counts.values()) >= 0.4 * len(BUNDLED[language].schemas), counts  # the lists know the collection
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


def is_thing(schema):
    """Chinese writes things with a pronoun of their own, in the plural too; the situation is the same everywhere."""
    (chinese,) = (one for one in BUNDLED["zh"].schemas if one.parallel_id == schema.parallel_id)
    return "它" in first(chinese).pronoun.of(first(chinese).text)


def kind(schema):
    """Woman, man, thing or plural, by the pronoun, or by the candidates where it does not tell (*sua*, *lui*)."""
    item = first(schema)
    if item.pronoun.of(item.text).lower() in PLURAL_IN_ENGLISH and item.language == "en":
        return "plural"
    shown = [features_of_pronoun(item, item.language)]
    shown += [features_of(candidate, item, item.language) for candidate in item.candidates]
    if next((one.number.value for one in shown if one.number.value), None) == "plural":
        return "plural"
    if is_thing(schema):
        return "thing"
    genders = [one.gender.value for one in shown if one.gender.value in {"feminine", "masculine"}]
    return {"feminine": "woman", "masculine": "man"}[genders[0]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_women_men_things_and_plurals_are_balanced(language):
    counts = Counter(map(kind, BUNDLED[language].schemas))
    total = len(BUNDLED[language].schemas)
    assert set(counts) == {"woman", "man", "thing", "plural"}
    assert all(0.15 * total <= count <= 0.35 * total for count in counts.values()), counts
    assert 2 / 3 <= counts["woman"] / counts["man"] <= 3 / 2, counts


@pytest.mark.parametrize("language", LANGUAGES)
def test_things_are_plural_now_and_then_and_plurals_are_people_and_things(language):
    plurals = [schema for schema in BUNDLED[language].schemas if kind(schema) == "plural"]
    assert 0.25 <= sum(map(is_thing, plurals)) / len(plurals) <= 0.75


def listed(language):
    """The names of the language's locale; in Chinese also with a family name, and as one calls people: 小峰, 芳芳."""
    found = names(LOCALES[language])
    given = {*found.given_masculine, *found.given_feminine}
    return {
        *(*found.masculine, *found.feminine, *found.common, *found.known_masculine, *found.known_feminine),
        *(before + name for name in given for before in ("小", "阿", name, *found.surnames)),
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_those_of_the_place_and_none_is_worn_out(language):
    used = Counter(
        candidate.text
        for schema in BUNDLED[language].schemas
        if "names" in first(schema).tags
        for candidate in first(schema).candidates
    )
    assert used.keys() - listed(language) <= UNLISTED[language]
    assert max(used.values()) <= 3, used.most_common(5)
