import stat

import pytest

from cases import listed
from winoglot import Candidate, InputError, Item, Span
from winoglot.languages import apertium as module
from winoglot.languages.agreement import features_of
from winoglot.languages.apertium import SETTING, noun_traits, parse
from winoglot.languages.features import Traits

# What a dictionary answers, as a program that knows two words.
STAND_IN = """#!/bin/sh
read word
case "$word" in
  gaveta) printf '^gaveta/gaveta<n><f><sg>$' ;;
  velha) printf '^velha/velho<adj><f><sg>$' ;;
  *) printf '^%s/*%s$' "$word" "$word" ;;
esac
"""


@pytest.fixture
def apertium(tmp_path, monkeypatch):
    program = tmp_path / "bin" / "lt-proc"
    program.parent.mkdir()
    program.write_text(STAND_IN)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    dictionary = tmp_path / "share" / "apertium-por-cat" / "por-cat.automorf.bin"
    dictionary.parent.mkdir(parents=True)
    dictionary.touch()
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    monkeypatch.setattr(module, "_FOLDER", tmp_path / "share")
    monkeypatch.setenv(SETTING, "apertium")
    module._analysed.cache_clear()
    yield
    module._analysed.cache_clear()


def gaveta(text="Vi gaveta nova e a trouxe."):
    item = Item("a.0", "a", text=text, pronoun=Span(17, 18), candidates=(Candidate("velha gaveta"),))
    return features_of(item.candidates[0], item, "pt")


def test_nothing_is_asked_unless_the_user_wants_it(monkeypatch):
    monkeypatch.delenv(SETTING, raising=False)
    assert noun_traits("gaveta", "pt") == Traits()
    assert gaveta().gender.value is None


def test_the_first_noun_of_a_bare_phrase_shows_its_gender(apertium):
    assert str(gaveta().gender) == "feminine: Apertium dictionary 'gaveta'"
    assert noun_traits("xyzzy", "pt") == Traits()
    assert noun_traits("gaveta", "zh") == Traits()


@listed
def test_analyses_must_agree(analysis, gender, number):
    found = parse("a", analysis)
    assert (found.gender.value, found.number.value) == (gender, number)


def test_a_missing_program_and_an_unknown_lexicon_are_input_errors(tmp_path, monkeypatch):
    module._analysed.cache_clear()
    monkeypatch.setattr(module, "_FOLDER", tmp_path)
    monkeypatch.setenv(SETTING, "apertium")
    with pytest.raises(InputError, match="apertium-por-cat"):
        noun_traits("gaveta", "pt")
    monkeypatch.setenv(SETTING, "hunspel")
    with pytest.raises(InputError, match="hunspel"):
        noun_traits("gaveta", "pt")
