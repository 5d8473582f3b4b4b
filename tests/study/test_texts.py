"""Catalogues of the study's pages: complete, with exactly the messages that the pages use."""

import re
import runpy
from pathlib import Path

import pytest

from cases import for_each, listed
from winoglot.study.web.texts import PAGE_LANGUAGES, language_name, texts

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "study_texts.py"))


@pytest.fixture(scope="module")
def found():
    found = {message.id: message for message in SCRIPT["messages"]() if message.id}
    assert {"Choose an answer.", "What does the pronoun refer to?"} < found.keys()  # of code, and of templates
    return found


def forms(string):
    return [string] if isinstance(string, str) else list(string)


def placeholders(text):
    return sorted(re.findall(r"%\(\w+\)s", text))


@for_each("language", PAGE_LANGUAGES)
def test_a_catalogue_translates_all_messages_that_pages_use_in_all_their_forms(found, language):
    """If this fails, run scripts/study_texts.py and translate what is new."""
    catalogue = SCRIPT["catalogue"](language)
    assert {message.id for message in catalogue if message.id} == set(found)
    for message in filter(lambda one: one.id, catalogue):
        expected = 1 if isinstance(message.id, str) else catalogue.num_plurals
        assert len(list(filter(None, forms(message.string)))) == expected, message.id
        assert not message.fuzzy, message.id
        for string in forms(message.string):  # fills in what the message does
            assert placeholders(string) == placeholders(forms(message.id)[-1]), message.id
            assert "%" not in re.sub(r"%%|%\(\w+\)s", "", string), message.id


def strings(language):
    return [string for one in SCRIPT["catalogue"](language) if one.id for string in forms(one.string)]


@listed
def test_quotation_marks_and_spaces_are_those_of_the_language(language, wrong):
    """No line begins with a percent sign or a dash, nor in French with a colon: a no-break space stands before it."""
    assert [string for string in strings(language) if re.search(wrong, string)] == []


@for_each("language", ["ja", "zh"])
def test_chinese_and_japanese_have_wide_punctuation_and_no_spaces(language):
    """Browsers put the gap between them and Latin characters; lists of candidates are split at a comma."""
    wide = "[\u3001-\u30ff\u3400-\u9fff\uff00-\uffef]"
    for string in strings(language):
        if not re.fullmatch(rf"({wide}+, )+{wide}+", string):
            assert not re.search(r"[,:;!?()'\"]", re.sub(r"%\(\w+\)s", "", string)), string
            assert not re.search(rf"{wide} [^✓✗/]|[^✓✗/] {wide}", string), string


@listed
def test_plural_forms_follow_the_number(language, one, many):
    message = "It takes about %(num)s minute.", "It takes about %(num)s minutes."
    assert [texts(language).ngettext(*message, num) % {"num": num} for num in (1, 2)] == [one, many]


def test_a_language_without_a_name_is_called_by_its_code():
    assert language_name("xx", "en") == "xx"
