"""The tables of a language: entries, features, and errors that name the line."""

from __future__ import annotations

import sys

import pytest

from winoglot.errors import InputError
from winoglot.languages.lexicon import known_features, lexicon, read_table
from winoglot.schemas.model import Features


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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("er", "line 2: no forms and features in 'er'"),
        ("er, = singular", "line 2: no forms and features"),
        ("er = singullar", "line 2: unknown feature 'singullar'"),
    ],
)
def test_a_wrong_line_is_named(folder, line, said):
    (folder / "pronouns.txt").write_text(f"es = singular\n{line}\n")
    with pytest.raises(InputError, match=said):
        read_table("klingon_words", "pronouns")


def test_a_missing_table_is_empty():
    assert lexicon("tlh", "verbs").words() == frozenset()
    assert "gender" in known_features()["masculine"]
