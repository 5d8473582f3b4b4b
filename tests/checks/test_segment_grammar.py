from dataclasses import replace

from cases import for_each, listed
from checks.good import collection_of, findings_of, good_schemas, one, put
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
assert len(SPOKEN) >= 40


found = findings_of(check)


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


@listed
def test_a_word_that_would_have_to_change_is_found(language, before, right, wrong):
    space = "" if before.endswith("'") else " "
    (finding,) = found(one(f"Ana, {before}{space}[{right}|{wrong}], {{she}}.", ["Ana"], (0, 0), language))
    assert finding.item == "one.1"
    assert repr(before.split()[-1]) in finding.message
    both = found(one(f"Ana, {before}{space}[{right}|{right}], {{she}}.", ["Ana"], (0, 0), language))
    assert both == []


@listed
def test_what_is_not_sure_at_an_edge_is_passed_over(language, text):
    assert found(one(text, ["Ana"], (0, 0), language, mentions=[[]])) == []


def test_the_word_may_stand_at_the_end_of_a_segment():
    (finding,) = found(one("Ana voit [un|le] arbre, et {elle} rit.", ["Ana"], (0, 0), "fr"))
    assert "'le' comes before a vowel in 'arbre'" in finding.message


@listed
def test_what_agrees_with_the_pronoun_and_changes_is_found(language, rest, feature):
    pronoun = {"pt": "ela", "fr": "elle", "en": "they"}[language]
    (finding,) = found(one(f"Ana viu Lia, {{{pronoun}}} {rest}.", ["Ana", "Lia"], language=language))
    assert (finding.item, f"differs in {feature}" in finding.message) == ("one.1", True)


@listed
def test_alternatives_that_agree_or_need_not_are_fine(language, text):
    assert found(one(text, ["Ana"], (0, 0), language)) == []
