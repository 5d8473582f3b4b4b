"""Wikitext to prose: what stays, what goes, what happens to markup that is broken."""

import re
from collections import Counter

from hypothesis import example, given
from hypothesis import strategies as st

from cases import for_each, listed
from winoglot.corpus import dump
from winoglot.corpus.wikitext import prose
from winoglot.corpus.wikitext.templates import Templates, words_of
from winoglot.files import packaged_lines
from work import assert_linear, bounded

MARKS = ("{{", "}}", "[[", "]]", "{|", "|}", "<ref", "''", "\0")


def says(wikitext, expected, **options):
    assert prose(wikitext, **options) == expected


@listed
def test_templates_leave_their_words_or_nothing(wikitext, expected):
    says(wikitext, expected, language="en")


@listed
def test_a_template_means_what_it_means_in_its_own_wiki(language, wikitext, expected):
    says(wikitext, expected, language=language)


@listed
def test_links_leave_their_labels(wikitext, expected):
    says(wikitext, expected)


@listed
def test_elements_and_entities(wikitext, expected):
    says(wikitext, expected)


@listed
def test_lines(wikitext, expected):
    says(wikitext, expected)
    says("Text\n== ''A'' [[b]] ==\nmore", "Text\nA b\nmore", headings=True)
    says("雨が\n降る。", "雨が降る。", language="ja")


@listed
def test_broken_markup_costs_no_more_than_its_line(wikitext, expected):
    says(wikitext, expected)


@for_each(
    "made",
    [
        lambda n: "{{" * (2 * n),
        lambda n: "[[" * (2 * n),
        lambda n: "{{a|" * n + "}}" * n,
        lambda n: "{{nowrap|x " * n + "}}" * n,
        lambda n: "[[a|b " * n + "]]" * n,
        lambda n: "[[File:" * n + "]]" * n,
        lambda n: "<ref>" * (2 * n),
        lambda n: "<ref" * (2 * n),
        lambda n: "<math>" * n + "</math>",
        lambda n: "<table>" * n + "</table>" * (n // 2),
        lambda n: "<nowiki>" * (2 * n),
        lambda n: "<!--" * (2 * n),
        lambda n: "\n{|" * n,
        lambda n: "\n{|" * (n // 2) + "\n|}" * (n // 2),
        lambda n: "{{x\n" * n,
        lambda n: "(" + "{{a}}; " * n,
        lambda n: "a, {{a}}" * (n // 2) + "({{b}}" * (n // 2),
        lambda n: "'" * (2 * n + 1),
        lambda n: "''a'''b" * (n // 2),
        lambda n: "= " * n,
        lambda n: " " * (2 * n),
        lambda n: ", " * n + "{{a}}",
        lambda n: "&" * (2 * n),
        lambda n: "[http://a " * n,
        lambda n: "-{" * n,
        lambda n: "__a" * n,
        lambda n: "{" * (3 * n + 1) + "}" * (3 * n),
        lambda n: "<" * (3 * n),
    ],
)
def test_no_text_takes_quadratic_time(made):
    assert_linear(prose, made)
    with bounded():
        found = prose(made(50_000))
    assert "{{" not in found
    assert "[[" not in found


SIGNS = re.findall(
    r"\S+",
    """
    {{ }} [[ ]] {| |} | ' '' ''' <ref> </ref> <ref/> <!-- --> < > <nowiki> </nowiki> <math> </math> <table> </table>
    [http://a ] [ { } = * &amp; &#91; File: lang nowrap convert a 5 ( ) ; -{ }- __A__ \0
    """,
)
mixtures = st.lists(st.sampled_from([*SIGNS, " ", "\n"]), max_size=60).map("".join)


@given(mixtures, st.booleans(), st.sampled_from(["", "en", "fr", "zh"]))
@example("{{{{{{", False, "")
def test_any_mixture_of_marks_becomes_text(wikitext, headings, language):
    found = prose(wikitext, headings=headings, language=language)
    assert "\0" not in found
    assert all(line == line.strip() and line for line in found.split("\n")) or not found
    assert "''" not in found


@given(st.text(max_size=200))
def test_any_text_becomes_text(wikitext):
    prose(wikitext)


words = st.sampled_from(["rain", "falls", "on", "Lisbon", "agora", "雨", "1960", "and", "(so)", "it's"])
plain = st.lists(words, min_size=1, max_size=4).map(" ".join)


def nested(inner):
    """One balanced construct around another."""
    return st.one_of(
        st.tuples(inner, inner).map(" ".join),
        inner.map("{{{{box|a={}}}}}".format),
        inner.map("{{{{nowrap|{}}}}}".format),
        inner.map("{{{{lang|fr|{}}}}}".format),
        inner.map("[[Target|{}]]".format),
        inner.map("[[File:A.jpg|thumb|{}]]".format),
        inner.map("''{}''".format),
        inner.map("'''{}'''".format),
        inner.map("<ref>{}</ref>".format),
        inner.map("<small>{}</small>".format),
        inner.map("<!-- {} -->".format),
        inner.map("[https://a.example/b {}]".format),
        inner.map("\n{{| class=x\n| {}\n|}}\n".format),
        inner.map("\n* {}\n".format),
        inner.map("\n== {} ==\n".format),
    )


@given(st.recursive(plain, nested, max_leaves=8))
def test_balanced_markup_leaves_none(wikitext):
    # References and comments do not nest: the first end of one is its end, as in MediaWiki.
    if wikitext.count("<ref>") > 1 or wikitext.count("<!--") > 1:
        wikitext = wikitext.replace("<ref>", "<small>").replace("</ref>", "</small>")
        wikitext = wikitext.replace("<!--", "").replace("-->", "")
    found = prose(wikitext)
    assert not [mark for mark in MARKS if mark in found], found


@given(plain.filter(lambda text: "'" not in text))
def test_plain_text_stays_as_it_is(text):
    says(text, text)


def test_real_articles_keep_no_markup(public_data):
    """All articles of a real dump; the one on ASCII shows marks of its own as text."""
    sample = next((public_data / "text").glob("enwiki-latest-*.bz2"))
    articles = [page for page in dump.pages(str(sample)) if page.namespace == 0 and not page.redirect]
    texts = [prose(page.wikitext, language="en") for page in articles]
    assert len(texts) == 106
    assert sum(map(len, texts)) > 2_500_000
    assert {mark: sum(text.count(mark) for text in texts) for mark in MARKS} == dict.fromkeys(MARKS, 0)


def lines(name):
    return packaged_lines("winoglot.corpus.wikitext", f"markup/{name}.txt")


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


@for_each("language", ["", "en", "fr", "pt", "es", "de", "zh", "ja", "ru"])
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


@for_each("name", ["elements", "namespaces", "units"])
def test_other_tables_have_a_name_and_a_value_a_line_and_no_name_stands_in_two_kinds(name):
    named = Counter()
    for line in lines(name):
        left, sign, right = line.partition(" = ")
        assert all((left, sign, right)), line
        named.update(right.split(", " if name == "namespaces" else " ") if name != "units" else [])
    assert lines(name)
    assert [word for word, count in named.items() if count > 1] == []
