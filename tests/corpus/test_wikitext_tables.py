"""The tables of markup: every line says something, and says it once."""

import re
from collections import Counter

import pytest

from winoglot.corpus.wikitext.templates import Templates, words_of
from winoglot.languages.base import read_words


def lines(name):
    return read_words("winoglot.corpus.wikitext", f"markup/{name}.txt")


def test_every_template_is_listed_once_a_language():
    named = Counter()
    for line in lines("templates"):
        names, sign, pattern = line.partition(" = ")
        assert sign, line
        assert pattern, line
        language = re.match(r"([a-z]{2,3}): ", names)
        names = names[language.end() :] if language else names
        named.update((language and language.group(1), name) for name in names.split(", "))
        assert names == names.lower(), line
        assert pattern.count("<") == pattern.count(">"), line
        assert pattern.count("{") == pattern.count("}"), line
    assert [name for name, count in named.items() if count > 1] == []


@pytest.mark.parametrize("language", ["", "en", "fr", "pt", "es", "de", "zh", "ja", "ru"])
def test_every_template_takes_any_number_of_arguments(language):
    templates = Templates(language)
    for line in lines("templates"):
        for name in re.sub(r"^[a-z]{2,3}: ", "", line.partition(" = ")[0]).split(", "):
            called = name.replace("*", "x")
            pattern = templates[called]
            for count in range(5):
                if pattern is not None:
                    shown = words_of(pattern, "|".join([called, *"abcd"[:count]]))
                    assert "{" not in shown
                    assert "<" not in shown


@pytest.mark.parametrize("name", ["elements", "namespaces", "units"])
def test_other_tables_have_a_name_and_a_value_a_line(name):
    assert lines(name)
    for line in lines(name):
        left, sign, right = line.partition(" = ")
        assert left, line
        assert sign, line
        assert right, line


@pytest.mark.parametrize("name", ["namespaces", "elements"])
def test_no_name_stands_in_two_kinds(name):
    split = ", " if name == "namespaces" else " "
    named = Counter(word for line in lines(name) for word in line.partition(" = ")[2].split(split))
    assert [word for word, count in named.items() if count > 1] == []
