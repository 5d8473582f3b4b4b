import json
import re
from dataclasses import replace
from itertools import cycle, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
import winoglot as wg
from cases import for_each, listed
from items import schema
from winoglot.errors import InputError
from winoglot.formats.yaml import parse
from winoglot.languages.base import NotDerivedError
from winoglot.languages.names import locales, name_gender, names
from winoglot.perturb.renamed import renamed
from winoglot.perturb.renamed.finding import Name, names_in, places_of
from winoglot.perturb.renamed.write_names import edits_for
from winoglot.schemas.spans import Span, edited

FAULTS = re.compile(
    r"\b(?:do|da|no|na|ao) (?:de|o|a) [A-ZÀ-Ý]|\b([oa]) \1\b|\b(?:de|em|por) [oa] [A-ZÀ-Ý]"
    r"|\b(?:d|qu|l|j|n)['’](?![AEIOUYHÀ-Ü])|  ",
    re.IGNORECASE,
)
LOCALES = {"fr": "fr-FR", "pt-BR": "pt-PT", "en": "en-US", "zh": "zh-CN"}


def read(entry):
    return parse(entry, "mine")


def collection(text, candidates, language="pt-BR", **more):
    lines = [f"collection: mine\nlanguage: {language}\nschemas:\n  - id: one\n    text: {json.dumps(text)}"]
    lines += [f"    candidates: [{', '.join(candidates)}]\n    answers: [0, 1]"]
    return read("\n".join([*lines, *(f"    {key}: {value}" for key, value in more.items())]))


def put(text, old, new, gender, language):
    """The text with one name in another's place."""
    start = text.index(old)
    place = Name(old, Span(start, start + len(old)))
    return edited(text, edits_for(text, place, new, gender, language))


@listed
def test_the_words_beside_a_name_are_made_anew(language, gender, text, old, new, expected):
    assert put(text, old, new, gender, language) == expected


def test_a_joint_that_grammar_does_not_know_refuses_the_name():
    with pytest.raises(NotDerivedError):
        put("Il aime sa Julie.", "Julie", "Anne", "feminine", "fr")
    with pytest.raises(NotDerivedError):
        put("Le vélo de l'Alain.", "Alain", "Paul", "masculine", "fr")
    with pytest.raises(NotDerivedError):  # an apostrophe that may close a quotation is not made a possessive
        put("'It was James' she said.", "James", "Peter", "masculine", "en")


@listed
def test_names_are_whole_words_and_the_first_of_several(text, language, found):
    assert names_in(text, language) == found


def test_every_text_of_a_schema_gets_the_same_names():
    before = collection(
        "Rita pediu ajuda a Clara, amiga do Rui, porque {ela} estava [cansada|livre].",
        ["Rita", "Clara"],
        question="Rita ou Clara?",
        hypotheses="[Rita estava cansada., Clara estava livre.]",
        readings="[['Rita pediu ajuda a Clara, amiga do Rui, porque {a Rita} estava cansada.', null], [null, null]]",
        explanation="Rita pede, Clara dá.",
        terms="{candidates: [Rita, Clara], segment: [cansada, livre]}",
        variants="{switched: {text: 'Clara pediu ajuda a Rita, amiga do Rui, porque {ela} estava [cansada|livre].'}}",
    )
    renaming = renamed(before, "pt-BR", seed=3)
    new = renaming.replaced["one"]
    schema = renaming.collection.schemas[0]
    first = schema.items[0]
    rita, clara, rui = new["Rita"], new["Clara"], new["Rui"]
    assert first.text == f"{rita} pediu ajuda a {clara}, amiga do {rui}, porque ela estava cansada."
    assert [candidate.text for candidate in first.candidates] == [rita, clara]
    assert [[m.of(first.text) for m in c.mentions] for c in first.candidates] == [[rita], [clara]]
    assert first.pronoun.of(first.text) == "ela"
    assert [place.of(first.text) for place in first.segment] == ["cansada"]
    assert first.question == f"{rita} ou {clara}?"
    assert first.hypotheses == (f"{rita} estava cansada.", f"{clara} estava livre.")
    assert first.readings[0].inserted.of(first.readings[0].text) == f"a {rita}"
    assert first.terms.candidates == (rita, clara)
    assert schema.explanation == f"{rita} pede, {clara} dá."
    assert schema.variants[0].text.startswith(f"{clara} pediu ajuda a {rita}, amiga do {rui},")
    assert schema.note == f"Names: {rita} for Rita, {clara} for Clara, {rui} for Rui."
    assert renaming.collection.name == "mine-pt-br"
    assert "pt-BR list, seed 3" in renaming.collection.provenance[-1]


def test_inferences_and_readings_of_items_without_a_text_are_renamed():
    readings = (wg.WrittenReading("Rita riu."), wg.WrittenReading("Ana riu."))
    given = {"candidates": (wg.Candidate("Rita"), wg.Candidate("Ana")), "readings": readings}
    item = wg.Item("a.0", "a", **given, inferences=(wg.Inference("Rita riu.", "Ana chorou."),))
    renaming = renamed(wg.Collection("mine", "pt", (wg.Schema("a", (item,)),)), "pt-PT", seed=1)
    new, made = renaming.replaced["a"], renaming.collection.items[0]
    assert made.readings[1].text == f"{new['Ana']} riu."
    assert made.inferences[0] == wg.Inference(f"{new['Rita']} riu.", f"{new['Ana']} chorou.")


def test_a_candidate_cited_in_small_letters_is_renamed_in_small_letters():
    one = schema("Sid met Mark when {he} rang.", ["sid", "mark"], "en", mentions=[["Sid"], ["Mark"]])
    renaming = renamed(wg.Collection("mine", "en", (one,)), "en-US", seed=1)
    made = renaming.collection.items[0]
    assert set(renaming.replaced["s"]) == {"Sid", "Mark"}
    assert [c.text for c in made.candidates] == [c.mentions[0].of(made.text).lower() for c in made.candidates]


@for_each("seed", range(20))
def test_gender_stays_and_initials_differ(seed):
    before = collection("Rita e Rui viram Sofia, e {ela} [riu|chorou].", ["Rita", "Sofia"])
    new = renamed(before, "pt-BR", seed).replaced["one"]
    assert [name_gender(new[old], "pt").value for old in ("Rita", "Rui", "Sofia")] == [
        "feminine",
        "masculine",
        "feminine",
    ]
    assert len({name[0] for name in new.values()}) == 3


@listed
def test_what_shows_the_gender_of_a_name(language, text, candidates, name, gender):
    replaced = renamed(collection(text, candidates, language), "en-US", seed=1).replaced
    new = replaced.get("one", {}).get(name)
    assert (name_gender(new, "en").value if new else None) == gender


def test_a_name_of_unknown_gender_stays_and_is_reported():
    before = collection("Sam viu Rita e {isso} [doeu|valeu].", ["Sam", "Rita"])
    renaming = renamed(before, "pt-BR", seed=1)
    assert list(renaming.replaced["one"]) == ["Rita"]
    assert [(kept.schema_id, kept.name) for kept in renaming.kept] == [("one", "Sam")]
    assert "gender unknown" in renaming.kept[0].reason


def test_famous_names_and_those_to_keep_stay():
    before = collection("Isaac Newton viu Rui Prado e {ele} [riu|chorou].", ["Isaac Newton", "Rui Prado"])
    new = renamed(before, "pt-BR", seed=1)
    assert list(new.replaced["one"]) == ["Rui"]
    assert new.collection.items[0].text == f"Isaac Newton viu {new.replaced['one']['Rui']} Prado e ele riu."
    kept = renamed(before, "pt-BR", seed=1, keep=["Rui Prado"])
    assert kept.collection.items == before.items
    assert {one.name for one in kept.kept} == {"Isaac Newton", "Rui"}


def test_a_collection_says_which_names_stay():
    before = collection("Rui Prado viu Caio e {ele} [riu|chorou]. Rui saiu.", ["Rui Prado", "Caio"])
    for name in ("Rui", "Prado", "Dona Rui Prado"):
        renaming = renamed(replace(before, keep_names=[name]), "pt-BR", seed=1)
        assert list(renaming.replaced["one"]) == ["Caio"]
        assert renaming.collection.keep_names == (name,)
    both = renamed(replace(before, keep_names=["Rui"]), "pt-BR", seed=1, keep=["Caio"])
    assert both.replaced == {}
    assert {one.reason for one in both.kept} == {"in the list of names to keep"}


@listed
def test_people_who_are_named_together_are_people(language, candidates, pronoun, renamed_names):
    before = collection(f"{candidates[0]}: {candidates[1]}, {{{pronoun}}} [ab|cd].", candidates, language)
    renaming = renamed(before, "zh-CN" if language == "zh" else "en-US", seed=1)
    assert set(renaming.replaced.get("one", {})) == set(renamed_names or ())


@listed
def test_those_to_keep_and_the_famous_stay_by_any_part_of_their_names(language, text, candidates, keep, replaced):
    before = collection(text, candidates, language)
    assert list(renamed(before, LOCALES[language], seed=1, keep=keep).replaced["one"]) == replaced


def test_nothing_that_is_no_name_is_replaced():
    text = "Rosa é a cor da flor. Anatomia e Anabolismo: {ela} [murcha|cresce] em Santa Rita."
    before = collection(text, ["a cor", "a flor"])
    renaming = renamed(before, "pt-BR", seed=1)
    assert renaming.replaced == {}
    assert renaming.collection.schemas == before.schemas


def test_names_that_a_tag_calls_names_are_known_by_their_pronoun():
    before = collection("小雯见到了小玫，因为{她}[来|走]了。", ["小雯", "小玫"], "zh", tags="[names]")
    new = renamed(before, "zh-CN", seed=1).replaced["one"]
    assert set(new) == {"小雯", "小玫"}
    assert set(new.values()) <= set(names("zh-CN").feminine)


def test_japanese_particles_and_honorifics_stay():
    before = collection("健太郎さんは直樹君に{彼}が[来た|行った]と言った。", ["健太郎", "直樹"], "ja")
    renaming = renamed(before, "ja-JP", seed=1)
    one, other = renaming.replaced["one"].values()
    assert renaming.collection.items[0].text == f"{one}さんは{other}君に彼が来たと言った。"


@pytest.mark.parametrize(
    ("language", "locale", "message"),
    [
        *((language, locale, "in another script than") for language, locale in (("pt-BR", "zh-CN"), ("zh", "en-US"))),
        *((language, locale, "in another script than") for language, locale in (("ja", "zh-CN"), ("zh", "ja-JP"))),
        ("pt-BR", "pt-XX", "no name list"),
    ],
)
def test_names_of_another_script_and_of_an_unknown_locale_are_refused(language, locale, message):
    text = "Rita e Ana viram {ela} [ler|rir]." if language == "pt-BR" else "王芳和李静见到了{她}[来|走]。"
    before = collection(text, ["Rita", "Ana"] if language == "pt-BR" else ["王芳", "李静"], language)
    with pytest.raises(InputError, match=message):
        renamed(before, locale, seed=1)


def test_the_seed_decides_and_other_schemas_do_not():
    whole = wg.load("winoglot-en")[:20]
    one = replace(whole, schemas=whole.schemas[1:2])
    key = one.schemas[0].id
    assert renamed(one, "en-US", 5).replaced[key] == renamed(whole, "en-US", 5).replaced[key]
    assert len({tuple(renamed(one, "en-US", seed).replaced[key].values()) for seed in range(10)}) > 5


def test_no_item_is_lost_and_no_answer_changes():
    for before, (seed, locale) in zip(strategies.some_collections(), cycle(product(range(3), locales())), strict=False):
        try:
            renaming = renamed(before, locale, seed)
        except InputError:
            continue  # another script
        after = renaming.collection
        assert [(i.id, i.parallel_id, i.answer) for i in after.items] == [
            (i.id, i.parallel_id, i.answer) for i in before.items
        ]
        assert [v.id for v in after.variants()] == [v.id for v in before.variants()]
        if not renaming.replaced:
            assert after.schemas == before.schemas


SENTENCES = {
    "fr": [
        "{0} croit que {1} attend {2}, et {{elle}} [dort|lit].",
        "Le chien de {0} et celui de {1} : {{elle}} [dort|lit] chez {2}.",
    ],
    "pt-BR": ["A {0} falou da {1} com {2} e {{ela}} [riu|chorou].", "{0} deu à {1} o livro de {2}; {{ela}} [riu|leu]."],
    "en": ["{0} took {1}'s bag from {2} when {{she}} [ran|sat].", "A {0} met {1}; {2} saw {{her}} [run|sit]."],
    "zh": ["{0}对{1}说{2}来了，因为{{她}}[笑|哭]了。", "{0}把{1}的书给了{2}，{{她}}[笑|哭]了。"],
}


@st.composite
def schemas_with_names(draw):
    language = draw(st.sampled_from(sorted(SENTENCES)))
    people = draw(st.lists(st.sampled_from(names(LOCALES[language]).feminine), min_size=3, max_size=3, unique=True))
    return language, draw(st.sampled_from(SENTENCES[language])), people, draw(st.integers(0, 99))


@given(schemas_with_names())
def test_a_renamed_text_differs_in_its_names_and_their_joints_only(made):
    language, sentence, people, seed = made
    text = sentence.format(*people)
    entry = f'collection: mine\nlanguage: {language}\nschemas:\n  - id: a\n    text: "{text}"\n'
    entry += f"    candidates: [{people[0]}, {people[1]}]\n    answers: [0, 1]\n"
    try:
        before = read(entry)
    except InputError:
        return  # one name within another: the mention is not told
    renaming = renamed(before, LOCALES[language], seed)
    new = renaming.replaced.get("a", {})
    assert len({*new.values()}) == len({name[0] for name in new.values()}) == len(new)
    assert not {*new.values()} & {*people}
    for old_item, item in zip(before.items, renaming.collection.items, strict=True):
        assert not [name for name in new if places_of(item.text, {name}, language)]
        assert item.pronoun.of(item.text) == old_item.pronoun.of(old_item.text)
        for old, candidate in zip(old_item.candidates, item.candidates, strict=True):
            assert candidate.text == new.get(old.text, old.text)
            assert {m.of(item.text) for m in candidate.mentions} == {candidate.text} or not old.mentions
        assert len(FAULTS.findall(item.text)) <= len(FAULTS.findall(old_item.text))


@pytest.mark.parametrize(("locale", "seed"), [("pt-BR", 7), ("pt-PT", 1), ("fr-FR", 7), ("en-US", 23), ("es-ES", 1)])
def test_the_public_portuguese_collection_loses_nothing(public_data, locale, seed):
    before = wg.load(public_data / "collections" / "portuguese_wsc.html")
    renaming = renamed(before, locale, seed)
    after = renaming.collection
    assert sum(map(len, renaming.replaced.values())) > 120
    assert [(i.id, i.answer) for i in after.items] == [(i.id, i.answer) for i in before.items]
    for old, item in zip(before.items, after.items, strict=True):
        names_before = {new: one for one, new in renaming.replaced.get(item.schema_id, {}).items()}

        def back(text, names_before=names_before):
            return "".join(names_before.get(word, word) for word in re.split(r"([^\W\d_]+)", text))

        assert back(item.text) == old.text  # so every article and contraction stays: Portuguese joins no name to a word
        assert item.pronoun.of(item.text) == old.pronoun.of(old.text)
        assert [back(place.of(item.text)) for place in item.segment] == [place.of(old.text) for place in old.segment]
        for one, other in zip(old.candidates, item.candidates, strict=True):
            assert back(other.text) == one.text
            assert [back(m.of(item.text)) for m in other.mentions] == [m.of(old.text) for m in one.mentions]


def test_a_schema_whose_spans_end_within_a_name_stays_as_it_is():
    one = schema("Rita riu, e {ela} saiu.", ["Rita"], "pt")
    cut = replace(one.items[0], segment=(Span(0, 2), Span(2, 3)))
    before = wg.Collection("mine", "pt", (replace(one, items=(cut,)),))
    renaming = renamed(before, "pt-BR", seed=1)
    assert (renaming.collection.schemas, renaming.replaced) == (before.schemas, {})
    assert "position unclear" in renaming.kept[0].reason


@listed
def test_a_name_alone_behind_a_title_is_a_surname_and_stays(language, text, candidates, titled):
    mentions = {"mentions": "[[M. Thomas], [Rita]]"} if "M. Thomas" in candidates else {}
    renaming = renamed(collection(text, candidates, language, **mentions), "en-US", seed=1)
    assert set(renaming.replaced["one"]) == {"Rita"}
    assert [(kept.name, kept.reason) for kept in renaming.kept] == [(titled, "a surname, after a title")]


@listed
def test_behind_other_titles_and_before_surnames_are_given_names(language, text, candidates, names_there):
    replaced = renamed(collection(text, candidates, language), "en-US", seed=1).replaced
    assert set(replaced.get("one", {})) == set(names_there)


@pytest.mark.parametrize("language", ["en", "pt", "es", "fr"])
def test_a_french_double_name_is_french_in_every_language(language):
    before = collection("Jean-Luc, Marie-Claire, Jean-Paul, ab, cd: {x} [y|z].", ["ab", "cd"], language)
    new = renamed(before, "en-US", seed=1).replaced["one"]
    genders = {old: name_gender(name, "en").value for old, name in new.items()}
    assert genders == {"Jean-Luc": "masculine", "Marie-Claire": "feminine", "Jean-Paul": "masculine"}


@pytest.mark.parametrize(("pronoun", "gender"), [("he", "masculine"), ("she", "feminine")])
def test_a_pronoun_tells_the_gender_of_a_name_that_lists_disagree_on(pronoun, gender):
    before = collection(f"Jean met Noor when {{{pronoun}}} [fell|ran].", ["Jean", "Noor"], "en")
    items = [replace(item, answer=1) for item in before.items]
    before = replace(before, schemas=(replace(before.schemas[0], items=tuple(items)),))
    assert name_gender(renamed(before, "en-US", seed=1).replaced["one"]["Jean"], "en").value == gender


@listed
def test_chinese_names_are_replaced_as_a_whole_or_kept_and_told(candidates, pronoun, replaced, kept):
    before = collection(f"{candidates[0]}见到了{candidates[1]}，因为{{{pronoun}}}[来|走]了。", candidates, "zh")
    renaming = renamed(before, "zh-CN", seed=1)
    new = renaming.replaced.get("one", {})
    assert set(new) == set(replaced)
    assert {one.name for one in renaming.kept} == set(kept)
    shown = [new.get(name, name) for name in candidates]
    assert renaming.collection.items[0].text == f"{shown[0]}见到了{shown[1]}，因为{pronoun}来了。"


@listed
def test_a_name_of_several_words_is_one_name(language, one, other, genders):
    before = collection(f"{one}, {other}: {{x}} [ab|cd].", [one, other], language)
    renaming = renamed(before, "en-US", seed=1)
    new = list(renaming.replaced["one"].values())
    assert [name_gender(name, "en").value for name in new] == genders
    surname = " Ruiz" if "Ruiz" in one else ""
    assert renaming.collection.items[0].text == f"{new[0]}{surname}, {new[1]}: x ab."


def test_a_name_of_several_words_and_its_short_form_stay():
    before = collection("María José vio a Inés y {ella} [ríe|lee]. María salió.", ["María José", "Inés"], "es")
    renaming = renamed(before, "es-ES", seed=1)
    assert list(renaming.replaced["one"]) == ["Inés"]
    assert {kept.reason for kept in renaming.kept} == {
        "María may be the same person",
        "María José may be the same person",
    }


@listed
def test_famous_people_of_several_words_stay_as_a_whole(language, text, candidates, kept):
    renaming = renamed(collection(text, candidates, language), "en-US", seed=1)
    assert set(renaming.replaced["one"]) == {"Rita"}
    assert {(one.name, one.reason) for one in renaming.kept} == {(name, "a famous person") for name in kept}


def test_a_name_is_replaced_everywhere_even_where_the_author_does_not_mention_it():
    text = "Edith said that Edith rang Tom because {she} was [late|lost]."
    before = collection(text, ["Edith", "Tom"], "en", mentions="[['Edith#1'], [Tom]]")
    assert "Edith" not in renamed(before, "en-US", seed=1).collection.items[0].text


def test_a_name_that_may_be_a_place_elsewhere_stays():
    text = "Georgia flew Rita to Georgia because {she} was [late|lost]."
    before = collection(text, ["Georgia", "Rita"], "en", mentions="[['Georgia#1'], [Rita]]")
    renaming = renamed(before, "en-US", seed=1)
    assert list(renaming.replaced["one"]) == ["Rita"]
    assert [kept.reason for kept in renaming.kept] == ["may be a place"]


@listed
def test_names_that_may_be_one_persons_stay(language, text, candidates, one_person):
    renaming = renamed(collection(text, candidates, language), LOCALES.get(language, "en-US"), seed=1)
    assert not set(one_person) & set(renaming.replaced.get("one", {}))
    assert any(kept.reason.endswith("may be the same person") for kept in renaming.kept)


def test_a_candidate_whom_the_text_does_not_name_stays():
    before = collection(
        "Fernada viu Rita e {ela} [riu|leu].", ["Fernanda", "Rita"], "pt", mentions="[[Fernada], [Rita]]"
    )
    assert list(renamed(before, "pt-BR", seed=1).replaced["one"]) == ["Rita"]


@listed
def test_what_is_beside_a_new_name_fits_it(language, locale, text, candidates, faults):
    for seed in range(20):
        renaming = renamed(collection(text, candidates, language), locale, seed)
        assert set(renaming.replaced["one"]) == set(candidates)
        assert not re.search(faults, renaming.collection.items[0].text)


def test_a_japanese_surname_stays():
    before = collection("山田太郎さんは佐藤健に{彼}が[勝った|負けた]と言った。", ["山田太郎", "佐藤健"], "ja")
    made = renamed(before, "ja-JP", seed=1).collection.items[0].text
    assert re.fullmatch("山田..?さんは佐藤..?に彼が勝ったと言った。", made)
    assert "太郎" not in made


@listed
def test_names_of_two_people_stay_two(text, candidates):
    new = renamed(collection(text, candidates, "en"), "en-US", seed=1).replaced["one"]
    assert len(set(new.values())) == len(new) >= 2


@listed
def test_a_place_is_no_person(language, text, candidates, place):
    renaming = renamed(collection(text, candidates, language), "en-US", seed=1)
    assert set(renaming.replaced["one"]) == {"Rita", "Edith"}
    assert place in renaming.collection.items[0].text


@listed
def test_a_person_who_has_the_name_of_a_place_is_one(text):
    assert set(renamed(collection(text, ["Edith", "Victoria"], "en"), "en-US", seed=1).replaced["one"]) == {
        "Edith",
        "Victoria",
    }
