from dataclasses import replace

import pytest

from cases import for_each
from checks.good import collection_of, good_collections, good_schemas, one, put
from winoglot.checks.base import CheckContext
from winoglot.checks.segment_grammar import check

# A pronoun of another gender, number or animacy.
OTHER = {
    "en": {"it": "he", "she": "he", "he": "she", "her": "his"},
    "pt": {"ela": "ele", "ele": "ela", "eles": "elas", "dela": "deles", "la": "lo", "nela": "nele"},
    "fr": {"elle": "il", "il": "elle", "ils": "elles", "son": "leur", "l'": "les"},
    "zh": {"它": "他", "她": "他", "他": "她", "他们": "她", "她的": "她们的"},
}


def pronoun(schema):
    return schema.items[0].pronoun.of(schema.items[0].text)


SPOKEN = [(language, schema) for language, schema in good_schemas() if pronoun(schema) in OTHER[language]]


def found(collection):
    return list(check(collection, CheckContext()))


@pytest.mark.parametrize("collection", good_collections(), ids=lambda collection: collection.language)
def test_good_segments_change_nothing_around_them(collection):
    assert found(collection) == []


def test_nearly_all_good_schemas_can_be_spoilt():
    assert len(SPOKEN) >= 40


@for_each(("language", "schema"), SPOKEN)
def test_another_pronoun_is_found(language, schema):
    first, second = schema.items
    made = put(second, second.pronoun, OTHER[language][second.pronoun.of(second.text)])

    def mark(item):
        return replace(item, segment=tuple(sorted({*item.segment, item.pronoun})))

    findings = found(collection_of(language, [replace(schema, items=(mark(first), mark(made)))]))
    assert findings
    assert all(finding.item == f"{schema.id}.1" for finding in findings)
    assert "the pronoun differs" in findings[0].message


@for_each(
    ("language", "before", "right", "wrong"),
    [
        ("en", "a", "table", "oven"),
        ("en", "a", "small box", "old box"),
        ("en", "a", "bench", "empty crate"),
        ("en", "an", "apple", "pear"),
        ("en", "an", "open gate", "closed gate"),
        ("en", "an", "icy road", "wet road"),
        ("fr", "le", "pont", "arbre"),
        ("fr", "le", "mur", "étang"),
        ("fr", "la", "tour", "école"),
        ("fr", "la", "porte", "échelle"),
        ("fr", "la", "rue", "avenue"),
        ("fr", "du", "pont", "arbre"),
        ("fr", "au", "marché", "atelier"),
        ("fr", "près de", "Paris", "Amiens"),
        ("fr", "sa", "chaise", "armoire"),
        ("fr", "ma", "table", "assiette"),
        ("fr", "l'", "arbre", "pont"),
        ("fr", "l'", "ombre", "tour"),
        ("fr", "près d'", "Amiens", "Paris"),
        ("fr", "cet", "arbre", "mur"),
        ("fr", "un vieil", "ami", "mur"),
        ("fr", "un nouvel", "arbre", "pont"),
    ],
)
def test_a_word_that_would_have_to_change_is_found(language, before, right, wrong):
    space = "" if before.endswith("'") else " "
    (finding,) = found(one(f"Ana, {before}{space}[{right}|{wrong}], {{she}}.", ["Ana"], (0, 0), language))
    assert finding.item == "one.1"
    assert repr(before.split()[-1]) in finding.message
    both = found(one(f"Ana, {before}{space}[{right}|{right}], {{she}}.", ["Ana"], (0, 0), language))
    assert both == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Ana, a [house|union], {she}."),
        ("en", "Ana, an [hour|MP], {she}."),
        ("en", "Ana, {she} got an A [on|in] it."),
        ("fr", "Ana, le [héros|onze], {elle}."),
        ("fr", "Ana, l'[homme|hiver], {elle}."),
        ("fr", "Dis-le [encore|ici], Ana, et {elle} rit."),
        ("fr", "Ana l[a|es], {elle}."),
        ("pt", "Ana, o [avião|trem], {ela}."),
        ("zh", "小雯[来|去]了，{她}。"),
    ],
)
def test_what_is_not_sure_at_an_edge_is_passed_over(language, text):
    assert found(one(text, ["Ana"], (0, 0), language, mentions=[[]])) == []


def test_the_word_may_stand_at_the_end_of_a_segment():
    (finding,) = found(one("Ana voit [un|le] arbre, et {elle} rit.", ["Ana"], (0, 0), "fr"))
    assert "'le' comes before a vowel in 'arbre'" in finding.message


@for_each(
    ("language", "rest", "feature"),
    [
        ("pt", "estava [cansado|cansada]", "gender"),
        ("pt", "era muito [alto|alta]", "gender"),
        ("pt", "estava tão [nervoso|ferida]", "gender"),
        ("pt", "não era [baixo|baixos]", "number"),
        ("pt", "ficou [calado|ocupada]", "gender"),
        ("pt", "[estava cansada|estava ferido]", "gender"),
        ("pt", "[estava|estavam] ali", "number"),
        ("pt", "[tinha|tinham] pressa", "number"),
        ("pt", "[é|são] assim", "number"),
        ("fr", "était [fatigué|fatiguée]", "gender"),
        ("fr", "n'était pas très [petit|petite]", "gender"),
        ("fr", "était trop [lourd|lourde]", "gender"),
        ("fr", "était [jeune|jeunes]", "number"),
        ("fr", "a été [blessé|soignée]", "gender"),
        ("fr", "[était|étaient] là", "number"),
        ("fr", "[avait|avaient] faim", "number"),
        ("fr", "[a|ont] ri", "number"),
        ("en", "[was|were] late", "number"),
        ("en", "[is|are] late", "number"),
        ("en", "[has|have] left", "number"),
        ("en", "[doesn't|don't] care", "number"),
    ],
)
def test_what_agrees_with_the_pronoun_and_changes_is_found(language, rest, feature):
    pronoun = {"pt": "ela", "fr": "elle", "en": "they"}[language]
    (finding,) = found(one(f"Ana viu Lia, {{{pronoun}}} {rest}.", ["Ana", "Lia"], language=language))
    assert (finding.item, f"differs in {feature}" in finding.message) == ("one.1", True)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("pt", "Ana pegou [o livro|a chave] e {ela} sumiu."),
        ("pt", "Ana viu que {ela} tinha mais [comida|cuidado]."),
        ("pt", "Ana viu que {ela} era [grande|pequena]."),
        ("pt", "Ana viu que [a porta|o portão] {dela} estava [fechada|fechado]."),
        ("fr", "Ana dit qu'{elle} était [fatiguée|libre]."),
        ("fr", "Ana dit qu'{elle} avait [la clé|le plan]."),
        ("en", "Ana said that {she} was [late|lost]."),
    ],
)
def test_alternatives_that_agree_or_need_not_are_fine(language, text):
    assert found(one(text, ["Ana"], (0, 0), language)) == []
