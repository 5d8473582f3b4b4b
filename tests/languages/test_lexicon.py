"""The tables of a language: entries, features, and errors that name the line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from winoglot.errors import InputError
from winoglot.languages.lexicon import known_features, lexicon, read_contractions, read_table
from winoglot.schemas.model import Features
from winoglot.schemas.text import folded


@pytest.fixture
def folder(tmp_path, monkeypatch):
    package = tmp_path / "klingon_words"
    package.mkdir()
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield package
    sys.modules.pop("klingon_words", None)
    read_table.cache_clear()


def test_a_form_has_the_features_of_its_line(folder):
    (folder / "pronouns.txt").write_text("Er = masculine singular  # he\nihm, ihn = masculine object\n")
    table = read_table("klingon_words", "pronouns")
    assert table.words("masculine") == {"er", "ihm", "ihn"}
    assert table.words("masculine", "object") == {"ihm", "ihn"}
    assert table.features()["er"] == Features(gender="masculine", number="singular")
    assert list(table.features("object")) == ["ihm", "ihn"]


def test_what_the_lines_of_a_form_disagree_on_is_open(folder):
    (folder / "pronouns.txt").write_text("sie = feminine singular nominative\nsie = plural nominative\n")
    table = read_table("klingon_words", "pronouns")
    assert table.features()["sie"] == Features()
    assert [entry.one_of("number") for entry in table.entries["sie"]] == ["singular", "plural"]
    assert table.words("feminine", "plural") == frozenset()  # no line has both


def test_values_belong_to_a_feature(folder):
    (folder / "pronouns.txt").write_text("er = object:ihn,ihm possessive\ner = object:in_ihm\n")
    table = read_table("klingon_words", "pronouns")
    assert table.values("object") == {"er": ("ihn", "ihm", "in ihm")}
    assert table.values("possessive") == {}


@listed
def test_a_wrong_line_is_named(folder, line, said):
    (folder / "pronouns.txt").write_text(f"es = singular\n{line}\n")
    with pytest.raises(InputError, match=said):
        read_table("klingon_words", "pronouns")


def test_a_missing_table_is_empty():
    assert lexicon("tlh", "verbs").words() == frozenset()
    assert "gender" in known_features()["masculine"]


def test_forms_that_show_nothing_are_left_out_unless_they_are_said_to(folder):
    (folder / "determiners.txt").write_text("a = determiner singular\na lot of = unspecified\nthe = definite\n")
    table = read_table("klingon_words", "determiners")
    assert table.features() == {"a": Features(number="singular"), "a lot of": Features()}
    assert table.features("definite") == {"the": Features()}


def test_endings_are_read_without_their_hyphen(folder):
    (folder / "adjectives.txt").write_text("-o = inflection masculine\n- = inflection feminine\nalto = inflection\n")
    table = read_table("klingon_words", "adjectives")
    assert table.endings("inflection") == {"o": Features(gender="masculine"), "": Features(gender="feminine")}


WORDS = st.text(st.characters(categories=["Ll"], max_codepoint=0x24F), min_size=1, max_size=8).filter(
    lambda word: folded(word) == word
)


@given(st.dictionaries(WORDS, st.sets(st.sampled_from(sorted(known_features())), max_size=4), min_size=1, max_size=12))
def test_what_is_written_is_read(given_features):
    with TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        package = Path(place, "romulan_words")
        package.mkdir()
        (package / "__init__.py").write_text("")
        lines = [f"{form} = {' '.join(sorted(features))}" for form, features in given_features.items()]
        (package / "nouns.txt").write_text("\n".join(lines), encoding="utf-8")
        patch.syspath_prepend(place)
        table = read_table.__wrapped__("romulan_words", "nouns")
        sys.modules.pop("romulan_words", None)
    assert {form: entries[0].features for form, entries in table.entries.items()} == given_features
    for feature in known_features():
        assert table.words(feature) == {form for form, features in given_features.items() if feature in features}


def test_contractions_may_be_optional_and_wrong_ones_are_named(folder):
    (folder / "contractions.txt").write_text("na = em a\nnum = em um optional\n")
    assert read_contractions("klingon_words") == {"na": (("em", "a"), False), "num": (("em", "um"), True)}
    (folder / "contractions.txt").write_text("na = em a\nnos = em\n")
    with pytest.raises(InputError, match="line 2: expected a form, a preposition and a determiner"):
        read_contractions("klingon_words")


def test_reading_an_item_imports_its_own_language_only():
    code = """
import sys
import winoglot as wg
from winoglot.languages.readings import readings
item = wg.load("winoglot-en").items[0]
readings(item, "grammatical", language="en")
tags = {name.split(".")[2] for name in sys.modules if name.startswith("winoglot.languages.")}
assert tags & {"de", "en", "es", "fr", "it", "ja", "pt", "ru", "zh"} == {"en"}, tags
"""
    subprocess.run([sys.executable, "-c", code], check=True)
