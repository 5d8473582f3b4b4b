"""Wikitext to prose: what stays, what goes, what happens to markup that is broken."""

import re
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cases import for_each
from winoglot.corpus import dump
from winoglot.corpus.wikitext import prose
from winoglot.corpus.wikitext.templates import Templates, words_of
from winoglot.files import packaged_lines
from work import assert_linear, bounded

MARKS = ("{{", "}}", "[[", "]]", "{|", "|}", "<ref", "''", "\0")


def says(wikitext, expected, **options):
    assert prose(wikitext, **options) == expected


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("It {{big box|a={{b|{{c}}}}|d=[[e]]}}rains.", "It rains."),
        ("{{Info\n| name = Rita\n| born = {{date|1960}}\n}}\n'''Rita''' sings.", "Rita sings."),
        ("A tool ({{lang-de|Werkzeug}}; {{IPA|x}}) helps.", "A tool (Werkzeug) helps."),
        ("A tool ({{IPA|x}}; {{audio|y}}) helps.", "A tool helps."),
        ("A tool（{{IPA|x}}）helps.", "A toolhelps."),
        ("Call main() with {{code|x}}.", "Call main() with x."),
        ("He ran {{convert|5|to|10|km|mi|abbr=on}} home.", "He ran 5 to 10 km home."),
        ("A tall {{convert|6|ft|2|in|m}} man, {{convert|20|C|F}}.", "A tall 6 ft 2 in man, 20 °C."),
        ("{{nowrap|[[Rain|Heavy rain]] {{lang|fr|pluie}}}} fell.", "Heavy rain pluie fell."),
        ("{{Nowrap|1=a = b}} holds.", "a = b holds."),
        ("By {{as of|2009|lc=y}} it {{unknown}}, rained.", "By as of 2009 it, rained."),
        ("In {{formatnum:12345}} days.", "In 12345 days."),
        ("Said {{nihongo|Mount Fuji|富士山|Fujisan}}.", "Said Mount Fuji (富士山, Fujisan)."),
        ("{{quote|It rains.<ref>A</ref>|Rita}} So she said.", "It rains.\nSo she said."),
        ("A {{{1|default}}} value {{{{{x}}}}}.", "A value."),
        ("{{!}} and {{=}} are signs.", "| and = are signs."),
    ],
)
def test_templates_leave_their_words_or_nothing(wikitext, expected):
    says(wikitext, expected, language="en")


@pytest.mark.parametrize(
    ("language", "wikitext", "expected"),
    [
        ("fr", "Au {{s-|XIX}}, {{langue|de|das Haus}} et {{unité|5|km}}.", "Au XIXe siècle, das Haus et 5 km."),
        ("fr", "Il dit {{citation|bonjour}}.", "Il dit « bonjour »."),
        ("en", "He says {{citation|title=Hello}}so.", "He says so."),
        ("pt-BR", "No {{séc|XIX}} e {{lang|en|rain}}.", "No século XIX e rain."),
        ("es", "En el {{siglo|XIX||s}} llovió {{unidad|5|mm}}.", "En el siglo XIX llovió 5 mm."),
        ("de", "Er sagte {{Zitat|Es regnet.}}", "Er sagte „Es regnet.“"),
        ("zh", "-{zh-hans:计算机;zh-hant:電腦}-和{{link-en|雨伞|Umbrella}}-{文}-。", "计算机和雨伞文。"),
        ("ja", "{{仮リンク|傘|en|Umbrella}}がある。", "傘がある。"),
    ],
)
def test_a_template_means_what_it_means_in_its_own_wiki(language, wikitext, expected):
    says(wikitext, expected, language=language)


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("[[Rain]]s fall on [[Lisbon|the capital]].", "Rains fall on the capital."),
        ("[[Star Trek: Picard]] and [[wikt:rain|rain]].", "Star Trek: Picard and rain."),
        ("It [[File:A.jpg|thumb|A [[map]] of {{x}} [[Rain|it]] [http://a b]]]rains.", "It rains."),
        ("[[Ficheiro:A.png|200px|Um [[mapa]]]]\nChove.", "Chove."),
        ("Chove.[[Categoria:Chuva|*]][[fr:Pluie]][[文件:A.jpg]][[Категория:Б]]", "Chove."),
        ("See [[:Category:Rain]] and [[:fr:Pluie|Pluie]].", "See Category:Rain and Pluie."),
        ("A [https://a.example/x?y=1 good ''page''] and [//b.example].", "A good page and."),
        ("[http://a.example {{lang|fr|une page}}] here [sic].", "une page here [sic]."),
        ("A [[b|''c'' & <small>d</small>]].", "A c & d."),
        ("[[a|b|c]] it is.", "b|c it is."),
    ],
)
def test_links_leave_their_labels(wikitext, expected):
    says(wikitext, expected)


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("It rains.<ref>[[A]] {{b</ref> It<ref name=c/> pours.<ref name='d/e'>f <i>g</i></ref>", "It rains. It pours."),
        ("It rains <ref>A</ref>. Often <!-- not {{ always -->.", "It rains. Often."),
        ("CO<sub>2</sub>, 10<sup>6</sup>, 1<sup>er</sup> and km<sup>2</sup>.", "CO2, 10^6, 1er and km2."),
        ("Let <math>x</math> be <math>\\frac{{a}}{b}}</math>.", "Let x be."),
        ("Let us add <math>\\sum a_i.</math> It rains.", "Let us add. It rains."),
        ("One<gallery>\nFile:A.jpg|[[b]] }}\n</gallery>two<source lang=c>if (a<b) {{</source>.", "Onetwo."),
        ("First<br>second<BR />third<hr>fourth", "First\nsecond\nthird\nfourth"),
        ("a < b and <foo> and x<y>z", "a < b and <foo> and x<y>z"),
        ("<nowiki>[[not]] ''a'' {{link}} [x] &amp; y</nowiki><nowiki />", "not a link [x] & y"),
        ("<table><tr><td>{{a}}</table>After<table/>wards", "Afterwards"),
        ("<div class=x><span style='{{y}}'>Text</span></div>", "Text"),
        (
            "&lt;b&gt; caf&eacute; &#8212; &#x41;&nbsp;B AT&T &bogus; __NOTOC__ __SEM_TDC__ ____",
            "<b> café — A B AT&T &bogus; __SEM_TDC__ ____",
        ),
    ],
)
def test_elements_and_entities(wikitext, expected):
    says(wikitext, expected)


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("Before\n{| class=x\n! a !! b\n|-\n| c || {|\n| d\n|}\n|}\nafter", "Before\nafter"),
        ("{|\n| {{a|b\n|}}\n| c\n|}\nText", "Text"),
        (":{|\n| a\n|}\nText", "Text"),
        ("wrapped\nlines\n\nnext", "wrapped lines\nnext"),
        ("* one\n** two\n# three\n; term : meaning\n::indented", "one\ntwo\nthree\nterm : meaning\nindented"),
        ("== A ==\nText\n=== B === \nmore\n----\nend", "Text\nmore\nend"),
        ("'''''both''''' ''it'' '''bold''' l'''Iliade'' d''''x''' it's", "both it bold l'Iliade d'x it's"),
        ("* {{dropped}}\n* –\n\nText", "Text"),
        ("* {{dropped}}, volume 3\n: {{dropped}}; see it", "volume 3\nsee it"),
        ("!Kung speak", "!Kung speak"),
    ],
)
def test_lines(wikitext, expected):
    says(wikitext, expected)


def test_headings_stay_where_wanted():
    says("Text\n== ''A'' [[b]] ==\nmore", "Text\nA b\nmore", headings=True)


def test_lines_of_an_unspaced_language_join_without_a_blank():
    says("雨が\n降る。", "雨が降る。", language="ja")


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("{{Infobox\n| a = b\n| c = [[d]]\n\nIt rains.", "It rains."),
        ("It {{unclosed|x\nrains.", "It rains."),
        ("It }} rains ]] here |} now.", "It rains here |} now."),
        ("[[File:A.jpg|thumb|left open\nIt rains.", "It rains."),
        ("A [[link|left open.\n\nIt [[rain]]s ]] here.", "A left open.\nIt rains here."),
        ("{|\n! a || b\n| c\nIt rains.", "It rains."),
        ("It <ref>rains.", "It rains."),
        ("{{a|[[b}} It rains]].", "It rains."),
        ("[[a|{{b]] It}} rains.", "rains."),
        ("It rains.<!-- left open [[a]]", "It rains."),
        ("It <nowiki>[[rain]]s.", "It rains."),
        ("", ""),
    ],
)
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
