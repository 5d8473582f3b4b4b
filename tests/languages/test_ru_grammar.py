"""Whether Russian phrases decline, pronouns show their case, and candidates follow."""

import sys
from pathlib import Path

import pytest

import winoglot as wg
from cases import cases_file, for_each, listed
from items import item, schema
from winoglot import InputError, Span
from winoglot.languages.base import function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.readings import grammatical_readings
from winoglot.languages.ru import euphonic, morphology
from winoglot.languages.ru.candidates import noun_phrase_of
from winoglot.languages.ru.morphology import CASES
from winoglot.languages.ru.noun_phrase import phrase_readings
from winoglot.perturb.renamed import renamed
from winoglot.schemas.mentions import find_mentions
from winoglot.schemas.model import Collection

DECLINED = cases_file(Path(__file__))["DECLINED"]


@for_each("phrase", DECLINED)
def test_a_whole_phrase_declines(phrase):
    reading = next(one for one in phrase_readings(phrase, frozenset({"feminine"})) if one.case == "nominative")
    assert [reading.written(case) for case in CASES[1:]] == DECLINED[phrase].split(", ")


NAMES = cases_file(Path(__file__))["NAMES"]  # gender, genitive, instrumental


@pytest.mark.parametrize("name", NAMES)
def test_names_decline_by_gender_whether_a_dictionary_has_them_or_not(name):
    gender, *expected = NAMES[name]
    text = f"Все знали, что {name} и гость уехали: {{{'он' if gender == 'masculine' else 'она'}}} молчит."
    found = noun_phrase_of(item(text, [name, "гость"], "ru").candidates[0], item(text, [name, "гость"], "ru"))
    assert [found.written(case) for case in ("genitive", "instrumental")] == expected


@for_each("phrase", DECLINED)
@for_each("case", CASES)
def test_a_declined_phrase_is_read_back(phrase, case):
    """Whatever case a source cites, the nominative is among its readings."""
    genders = frozenset({"feminine"})
    cited = next(one for one in phrase_readings(phrase, genders) if one.case == "nominative").written(case)
    assert phrase in {one.written("nominative") for one in phrase_readings(cited, genders) if one.case == case}


# A place for every case, without and with a preposition.
PLACES = {
    "nominative": ("когда {} не было смешно, {0} молчит", ""),
    "genitive": ("все боятся {0}", "все ушли от {0}"),
    "dative": ("все помогают {0}", "все подошли к {0}"),
    "accusative": ("все видели {0}", "все спросили про {0}"),
    "instrumental": ("все гордятся {0}", "все пошли за {0}"),
    "prepositional": ("", "все говорили о {0}"),
}
PAIRS = {  # by gender and number: two candidates and their six cases
    "masculine": ("повар", "повар повара повару повара поваром поваре"),
    "neuter": ("блюдо", "блюдо блюда блюду блюдо блюдом блюде"),
    "feminine": ("повариха", "повариха поварихи поварихе повариху поварихой поварихе"),
    "plural": ("повара", "повара поваров поварам поваров поварами поварах"),
}
FORMS = [
    (form, line.one_of("case"), line.one_of("gender") or "plural", line.has("after-preposition"))
    for form, lines in lexicon("ru", "pronouns").entries.items()
    for line in lines
    if line.one_of("case")
]


@for_each(("form", "case", "kind", "is_governed"), FORMS)
def test_every_form_of_the_pronoun_gives_the_candidate_its_case(form, case, kind, is_governed):
    place = PLACES[case][is_governed].replace("{} не было смешно, ", "")
    candidate, forms = PAIRS[kind]
    other = {"masculine": "гость", "neuter": "окно", "feminine": "гостья", "plural": "гости"}[kind]
    made = item(f"Здесь {candidate} и {other}, " + place.replace("{0}", f"{{{form}}}") + ".", [candidate, other], "ru")
    first, _ = grammatical_readings(made, "ru")
    assert first.derived, first.reason
    assert first.inserted == forms.split()[CASES.index(case)]


@listed
def test_a_preposition_is_written_as_the_next_word_wants_it(left, right, expected):
    assert euphonic(left, right) == expected


@listed
def test_a_refusal_says_why(text, candidates, reason):
    assert reason in grammatical_readings(item(text, candidates, "ru"), "ru")[0].reason


def test_mentions_are_found_in_every_case():
    text = "Оля ждала Таню. Таня знала Олю, а с Олей она молчала."
    words, pronoun = function_words("ru"), Span(text.index("она"), text.index("она") + 3)
    assert [span.of(text) for span in find_mentions(text, "Оля", words, pronoun)] == ["Оля", "Олю", "Олей"]
    assert [span.of(text) for span in find_mentions(text, "Таня", words, pronoun)] == ["Таню", "Таня"]


def test_yo_is_written_as_in_the_text():
    with_yo, without = (
        item(f"Жена спорила с {family}, {end}", ["жена", "семья"], "ru").text
        for family, end in (("семьёй", "и гордилась {ею}."), ("семьей, а еще", "гордилась {ею}."))
    )
    for text, expected in ((with_yo, "семьёй."), (without, "семьей.")):
        marked = text.replace("ею", "{ею}")
        assert grammatical_readings(item(marked, ["жена", "семья"], "ru"), "ru")[1].text.endswith(expected)


def test_every_mention_changes_its_case_and_preposition():
    mentions = [["Степан", "Степаном"], ["Олегом"]]
    made = item("Степан шёл за Олегом, мы со Степаном, и {он} пел.", ["Степан", "Олег"], "ru", mentions=mentions)
    assert wg.switch(made).text == "Олег шёл за Степаном, мы с Олегом, и он пел."


def test_new_names_take_the_case_of_the_old_ones():
    made = schema(
        "Олег ждал Бориса у Олега дома, и с Борисом {он} [пел|спал].",
        ["Олег", "Борис"],
        "ru",
        mentions=[["Олег", "Олега"], ["Бориса", "Борисом"]],
    )
    collection = Collection(name="tests", language="ru", schemas=(made,))
    renaming = renamed(collection, "ru-RU", seed=5)
    first, second = renaming.replaced["s"]["Олег"], renaming.replaced["s"]["Борис"]
    one, other = (
        next(r for r in phrase_readings(name, frozenset({"masculine"})) if r.case == "nominative")
        for name in (first, second)
    )
    text = renaming.collection.schemas[0].items[0].text
    assert text.startswith(f"{first} ждал {other.written('accusative')} у {one.written('genitive')} дома")
    assert other.written("instrumental") in text


def test_names_of_another_script_are_refused():
    made = schema("Олег ждал Бориса, и {он} [пел|спал].", ["Олег", "Борис"], "ru")
    with pytest.raises(InputError, match="another script"):
        renamed(Collection(name="tests", language="ru", schemas=(made,)), "en-US", seed=5)


@pytest.mark.parametrize("package", ["pymorphy3", "pytrovich"])
def test_without_its_packages_russian_names_the_extra(monkeypatch, package):
    made = item("Олег ждал Бориса, и {он} пел.", ["Олег", "Борис"], "ru")
    monkeypatch.setitem(sys.modules, package, None)
    for cached in (morphology._analyser, morphology._name_maker, morphology.analyses):
        cached.cache_clear()
    try:
        with pytest.raises(InputError, match=package) as refused:
            morphology.analyses("слово")
        assert "winoglot[russian]" in refused.value.remedy
    finally:
        for cached in (morphology._analyser, morphology._name_maker, morphology.analyses):
            cached.cache_clear()
    monkeypatch.undo()
    assert grammatical_readings(made, "ru")[0].derived
