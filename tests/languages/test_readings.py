from dataclasses import replace

import pytest

import winoglot as wg
from cases import listed
from strategies import some_collections
from winoglot import Candidate, Inference, InputError, Item, Span, WrittenReading

ITEM = Item(
    id="lamp.0",
    schema_id="lamp",
    text="The lamp hit the vase and it broke.",
    pronoun=Span(26, 28),
    candidates=(Candidate("the lamp"), Candidate("the vase"), Candidate("both")),
    answer=1,
)


def texts(item):
    return [reading.text for reading in wg.readings(item, readings="naive")]


def test_naive_readings_replace_the_pronoun_and_nothing_else():
    first, second, third = wg.readings(ITEM, style="naive")
    assert (second.before, second.inserted, second.after) == ("The lamp hit the vase and ", "the vase", " broke.")
    assert [reading.candidate for reading in (first, second, third)] == [0, 1, 2]
    assert (second.item_id, second.style, second.rule, second.derived) == ("lamp.0", "naive", "replace", True)


@listed
def test_a_zero_pronoun_is_filled_without_gluing_words_together(text, place, candidate, reading):
    item = replace(ITEM, text=text, pronoun=Span(place, place), candidates=(Candidate(candidate),), answer=0)
    assert texts(item) == [reading]


@listed
def test_an_adverb_of_place_takes_candidates_with_their_prepositions(language, text, candidate, reading):
    start, end = text.index("{"), text.index("}") - 1
    plain = text.replace("{", "").replace("}", "")
    item = Item("a.0", "a", text=plain, pronoun=Span(start, end), candidates=(Candidate(candidate),), answer=0)
    made = wg.readings(item, language=language)[0]
    assert (made.text if made.derived else None) == reading
    assert made.derived or made.reason == "'there' stands for a place, and the candidate 'the attic' has no preposition"


def test_given_readings_stand_for_items_without_text():
    marked = WrittenReading("Rita left because Rita was late.", Span(18, 22))
    item = Item("a.0", "a", readings=(marked, WrittenReading("Rita left because Clara was late.")), answer=0)
    first, second = wg.readings(item)
    assert (first.before, first.inserted, first.after) == ("Rita left because ", "Rita", " was late.")
    assert (second.before, second.inserted, second.after) == ("", "Rita left because Clara was late.", "")
    assert first.rule == second.rule == "given"
    assert wg.readings(Item("a.0", "a", inferences=(Inference("p", "h"),))) == []


def test_readings_are_grammatical_unless_asked_for_otherwise():
    pt = wg.load("winoglot-pt")
    schema = pt["piano-sale"]
    made = wg.readings(schema)
    assert made == wg.readings(schema, "grammatical") != wg.readings(schema, "naive")
    assert [reading.item_id for reading in made] == [item.id for item in schema for _ in item.candidates]
    assert [reading.item_id for reading in wg.readings(pt)[::2]] == [item.id for item in pt.items]
    assert wg.readings(ITEM, readings="naive") == wg.readings(ITEM, style="naive") == wg.readings(ITEM, "naive")
    with pytest.raises(InputError, match="unknown style of reading 'poetic'"):
        wg.readings(ITEM, style="poetic")
    with pytest.raises(InputError, match=r"language of the item lamp.0 is unknown.*language='pt'.*readings='naive'"):
        wg.readings(ITEM)


def test_many_readings_print_only_the_first():
    made = wg.readings(wg.load("winoglot-pt"))
    assert repr(made).count("<Reading") == 10
    assert repr(made).endswith("… 640 in all]")
    assert repr(made[:2]).count("<Reading") == 2


def test_outside_the_insertion_a_naive_reading_is_the_text():
    for collection in some_collections():
        for item in collection.items:
            for reading in wg.readings(item, "naive"):
                if item.text is not None and item.pronoun_form != "zero":
                    assert reading.before + item.pronoun.of(item.text) + reading.after == item.text
                    assert reading.inserted == item.candidates[reading.candidate].text


@listed
def test_what_grammar_writes_looks_like_what_stood_there(text, expected):
    at = text.lower().index("il p")
    name = text[text.upper().index("PAUL") :][:4]
    item = Item("a.0", "a", text=text, pronoun=Span(at, at + 2), candidates=(Candidate(name),), language="fr")
    assert wg.readings(item, readings="grammatical")[0].text == expected
