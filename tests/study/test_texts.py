"""Catalogues of the study's pages: complete, with exactly the messages that the pages use."""

import re
import runpy
from pathlib import Path

import pytest

from winoglot.study.settings import PAGE_LANGUAGES
from winoglot.study.web.texts import language_name, texts

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "study_texts.py"))
TRANSLATED = ("en",)


@pytest.fixture(scope="module")
def found():
    return {message.id: message for message in SCRIPT["messages"]() if message.id}


def forms(string):
    return [string] if isinstance(string, str) else list(string)


def placeholders(text):
    return sorted(re.findall(r"%\(\w+\)s", text))


@pytest.mark.parametrize("language", PAGE_LANGUAGES)
def test_a_catalogue_has_the_messages_that_pages_use(found, language):
    """If this fails, run scripts/study_texts.py and translate what is new."""
    stored = {message.id for message in SCRIPT["catalogue"](language) if message.id}
    assert stored == set(found)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated(language):
    messages = [message for message in SCRIPT["catalogue"](language) if message.id]
    assert [message.id for message in messages if not all(forms(message.string)) or message.fuzzy] == []


@pytest.mark.parametrize("language", PAGE_LANGUAGES)
def test_translations_fill_in_what_the_message_does(language):
    for message in SCRIPT["catalogue"](language):
        for string in forms(message.string):
            if message.id and string:
                assert placeholders(string) == placeholders(forms(message.id)[-1]), message.id


def test_messages_of_code_and_of_templates_are_found(found):
    assert "Choose an answer." in found
    assert "What does the pronoun refer to?" in found
    assert ("It takes about %(num)s minute.", "It takes about %(num)s minutes.") in found


def test_plural_forms_follow_the_number():
    minutes = [
        texts("en").ngettext("It takes about %(num)s minute.", "It takes about %(num)s minutes.", n) for n in (1, 2)
    ]
    assert minutes == ["It takes about %(num)s minute.", "It takes about %(num)s minutes."]


def test_a_language_without_a_name_is_called_by_its_code():
    assert language_name("xx", "en") == "xx"
