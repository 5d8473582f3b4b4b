"""Pronouns that are not spoken: where the candidate goes, and what survives of the space around the mark."""

from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from cases import listed
from items import item, schema
from winoglot.cli.show import marked_text
from winoglot.languages.base import function_words
from winoglot.schemas.marks import mark_item
from winoglot.schemas.serialise import serialise_schema

PAIR = ("o padeiro", "o carteiro")


def made(text, candidates, language):
    return wg.readings(item(text, candidates, language), "grammatical")


@listed
def test_a_mark_where_no_subject_can_stand_is_refused_with_the_reason(text, language, reason):
    for reading in made(text, PAIR, language):
        assert not reading.derived
        assert reason in reading.reason


def test_readings_of_zero_pronouns_are_no_fallbacks_and_say_so():
    readings = made("O padeiro viu o carteiro porque {} acenou.", PAIR, "pt")
    assert [(reading.derived, reading.rule) for reading in readings] == [(True, "zero"), (True, "zero")]


def test_other_candidates_than_people_take_the_same_particle():
    one, other = made("箱が棚に入らない。{}大きすぎるからだ。", ["箱", "棚"], "ja")
    assert (one.inserted, other.inserted, one.rule) == ("箱が", "棚が", "zero subject")


@given(st.sampled_from(["não ", "já ", "também não ", "nunca o ", "lhe ", ""]), st.booleans())
def test_a_mark_behind_negation_and_clitics_counts_as_one_before_them(words, behind):
    mark = f"{words}{{}} viu" if behind else f"{{}} {words}viu"
    for reading, subject in zip(made(f"O padeiro riu do carteiro porque {mark} tudo.", PAIR, "pt"), PAIR, strict=True):
        assert reading.text == f"O padeiro riu do carteiro porque {subject} {words}viu tudo."


@listed
def test_the_space_beside_the_mark_survives_writing_showing_and_html(text):
    made = schema(text, ["先生", "生徒"] if "生" in text else ["o padeiro", "o carteiro"], "pt")
    assert serialise_schema(made, function_words("pt"))["text"] == text
    mark = "{} " if "{} " in text else "{}"
    assert all(
        mark in marked_text(one).plain and mark.strip() + "  " not in marked_text(one).plain for one in made.items
    )
    assert ('class="pronoun spaced"' in mark_item(made.items[0])) == (mark == "{} ")
