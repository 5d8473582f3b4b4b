from cases import listed
from winoglot.corpus.terms import head, terms_of
from winoglot.languages.base import function_words
from winoglot.schemas.notation import parse_schema


@listed
def test_the_head_of_a_candidate(language, phrase, expected):
    assert head(phrase, language) == [expected]


def item(language="en", number=0, **entry):
    return parse_schema({"id": "a", "answers": [0, 1], **entry}, function_words(language)).items[number]


def test_candidates_with_the_same_head_are_told_apart_by_their_other_words():
    cats = item(
        text="The black cat watched the grey cat because {it} was [hungry|ill].",
        candidates=["the black cat", "the grey cat"],
    )
    assert terms_of(cats, "en").candidates == (("black",), ("grey",))


def test_names_have_no_association_unless_asked_for():
    rang = item(text="Nora rang Petra because {she} [was lost|knew the way].", candidates=["Nora", "Petra"])
    assert terms_of(rang, "en").why_not == "a candidate is a name"
    assert terms_of(rang, "en", names=True).candidates == (("Nora",), ("Petra",))
    told = item(
        text="Nora rang Petra because {she} [was lost|knew the way].",
        candidates=["Nora", "Petra"],
        terms={"candidates": ["to ring", "to answer"], "segment": ["lost", "way"]},
    )
    assert terms_of(told, "en").candidates == (("ring",), ("answer",))


def test_a_capital_where_a_sentence_begins_is_no_name():
    lamp = item(text="Amber is softer than glass, so {it} [chips|cuts].", candidates=["Amber", "glass"])
    assert terms_of(lamp, "en").why_not == "a candidate is a name"
    again = item(
        text="Amber is softer than glass, and amber burns, so {it} [chips|cuts].",
        candidates=["Amber", "glass"],
        mentions=[["Amber", "amber"], ["glass"]],
    )
    assert terms_of(again, "en").candidates == (("Amber",), ("glass",))


def test_segments_of_small_words_and_none_say_nothing():
    bridge = {"text": "The mule left the cow [because|before] {it} was tired.", "candidates": ["the mule", "the cow"]}
    assert terms_of(item(**bridge), "en").why_not == "the segment has no content word"
    alone = item(text="The mule left the cow since {it} was tired.", candidates=["the mule", "the cow"], answers=[0])
    assert terms_of(alone, "en").why_not == "no segment is marked"
    assert terms_of(alone, "en", against="text").reference == ("left", "tired")
    long = item(text="The mule left the cow when {it} [was tired, tired|woke].", candidates=["the mule", "the cow"])
    assert terms_of(long, "en").reference == ("tired",)  # each word once
