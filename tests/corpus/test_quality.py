"""Articles that their wiki has marked, by language."""

import pytest

from winoglot.corpus.wiki import is_marked, known_languages, marking_templates, templates_seen
from winoglot.errors import InputError


@pytest.mark.parametrize(
    ("language", "wikitext"),
    [
        ("pt", "Chove.\n{{Artigo destacado}}"),
        ("pt-BR", "{{artigo_bom}} Chove."),
        ("en", "{{Good article}}\nIt rains."),
        ("en", "{{ featured article }}"),
        ("fr", "{{Article de qualité|oldid=1|date=2 mai}}"),
        ("de", "{{Lesenswert|1. Mai 2020|123}}"),
        ("es", "{{Artículo bueno\n}}"),
        ("zh", "{{优良条目}}下雨。"),
    ],
)
def test_a_marked_article_is_seen(language, wikitext):
    assert is_marked(wikitext, language)


@pytest.mark.parametrize(
    ("language", "wikitext"),
    [
        ("pt", "Chove."),
        ("pt", "{{Artigo bonito}}"),
        ("pt", "{{Ex-artigo bom}}"),
        ("pt", "artigo bom"),
        ("pt", "<!-- {{Artigo bom}} --> Chove."),
        ("fr", "{{Good article}}"),
    ],
)
def test_others_are_not(language, wikitext):
    assert not is_marked(wikitext, language)


def test_marks_are_told_apart():
    assert is_marked("{{Exzellent}}", "de", wanted=("featured",))
    assert not is_marked("{{Exzellent}}", "de", wanted=("good",))


def test_every_listed_language_has_both_marks():
    assert known_languages() == ["de", "en", "es", "fr", "pt", "zh"]
    for language in known_languages():
        assert marking_templates(language, ("good",))
        assert marking_templates(language, ("featured",))


def test_other_templates_can_be_named():
    assert is_marked("{{Bon_Article (test)|a}}", "ca", extra=("bon article (test)",))
    assert is_marked("{{Artigo bom}}", "pt", extra=("outro",))


def test_a_language_without_a_list_says_what_to_do():
    with pytest.raises(InputError, match=r"the language 'ca'.*--template.*de, en, es, fr, pt, zh"):
        is_marked("{{Bon article}}", "ca")


def test_an_unknown_mark_is_named():
    with pytest.raises(InputError, match=r"unknown quality mark 'fine'.*featured, good"):
        is_marked("", "pt", wanted=("fine",))


def test_templates_on_a_page_are_told_for_a_filter_that_finds_nothing():
    wikitext = "{{Artigo_excelente}} {{info\n|a={{b|c}}}} <!-- {{d}} --> {{#if:x|y}} {{{e}}}"
    assert {"Artigo excelente", "info", "b"} <= templates_seen(wikitext)
    assert "d" not in templates_seen(wikitext)
