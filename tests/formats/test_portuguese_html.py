"""The Portuguese collection's HTML: written by hand, so no two items have their blanks in the same places."""

import pytest
from hypothesis import given

import mutations
import winoglot as wg
from mutations import mutated, often, only_input_errors
from winoglot.formats import jsonl, portuguese_html
from winoglot.formats.base import InputFile

TAIL = "<br><b> Fonte Original: </b> Alguém <br><b> Tradução: </b> Outra pessoa"
ITEMS = [
    """<li>
      A corda não passa pela argola porque
      <b> ela </b> é muito grossa.
      <p></p><em> Trecho: </em><b>ela </b>é muito grossa<p></p>
      <ol type="A"><li>a corda </li>
      <li> A argola. </li></ol>
      <p><b> Resposta Correta: </b> A. TAIL</p>
    </li>""",
    """<li> <font color=red>Obs: mudei <i>aro</i>,<br> e pronto.</font> <br>
      A corda não passa pela argola porque<b> ela</b> é muito estreita .
      <p></p><em> Trecho: </em><b>ela </b>é muito estreita<p></p>
      <ol type="B"><li>a corda </li><li> A argola </li></ol>
      <p><b>Resposta Correta:</b>B <br>TAIL</p>
    </li>""",
    """<li>The rope does not go through the ring because <b> it </b> is too thick.
      <p></p><em> Trecho: </em><b>it</b> is too thick<p></p>
      <ol type="A"><li>the rope</li><li>the ring</li></ol>
      <p><b> Resposta Correta: </b> A <br>TAIL</p>
    </li>""",
    """<li>Rui &amp; Nina leram o <i>livro</i> da avó<b> deles </b>, que sorriu.
      <p></p><em> Trecho: </em>avó <b>deles</b><p></p>
      <ol type="A"><li>Rui and Nina</li><li>os amigos</li></ol>
      <p><b> Resposta Correta: </b> ? <br>TAIL</p>
    </li>""",
]
PAGE = "<html>\n<body><ol>\n" + "\n".join(ITEMS).replace("TAIL", TAIL) + "\n</ol></body></html>\n"


def read(tmp_path, content, language=None):
    path = tmp_path / "page.html"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    file = InputFile(path, language)
    return portuguese_html.read(file), file.report


def test_every_field_is_read(tmp_path):
    collection, _ = read(tmp_path, PAGE)
    assert collection.language == "pt-BR"
    first, second, third = collection.items
    assert first.text == "A corda não passa pela argola porque ela é muito grossa."
    assert second.text == "A corda não passa pela argola porque ela é muito estreita."
    assert third.text == "Rui & Nina leram o livro da avó deles, que sorriu."
    assert [item.pronoun.of(item.text) for item in collection.items] == ["ela", "ela", "deles"]
    assert [c.text for c in first.candidates] == ["a corda", "A argola"]
    assert [m.of(second.text) for m in second.candidates[1].mentions] == ["pela argola"]
    assert [item.answer for item in collection.items] == [0, 1, None]
    assert [item.parallel_id for item in collection.items] == ["wsc.0", "wsc.1", "wsc.3"]
    assert first.source.id == "0"
    assert first.tags == ()
    assert len(collection.schemas) == 2


def test_what_is_odd_is_reported_with_its_line(tmp_path):
    _, report = read(tmp_path, PAGE)
    assert [(remark.line, remark.what) for remark in report.repaired] == [(11, "item 1"), (22, "item 3")]
    assert "type 'B'" in report.repaired[0].why
    assert "'?' names no option" in report.repaired[1].why


def test_an_item_in_another_language_is_left_out_by_name(tmp_path):
    _, report = read(tmp_path, PAGE)
    (remark,) = report.skipped
    assert remark.line == 17
    assert remark.what == "item 2: The rope does not go through the ring because it is too thick."
    assert remark.why == "its text is en, not pt-BR"


def test_the_caller_may_want_the_other_language_or_another_region(tmp_path):
    english, report = read(tmp_path, PAGE, "en")
    assert [item.parallel_id for item in english.items] == ["wsc.2"]
    assert len(report.skipped) == 3
    assert read(tmp_path, PAGE, "pt-PT")[0].language == "pt-PT"


def test_an_english_and_in_an_option_is_put_right_where_the_text_shows_it(tmp_path):
    collection, report = read(tmp_path, PAGE.replace("Rui &amp; Nina", "Rui e Nina"))
    assert collection.items[2].candidates[0].text == "Rui e Nina"
    assert "taken as 'Rui e Nina'" in report.repaired[1].why


def test_a_bold_clitic_keeps_its_hyphen(tmp_path):
    page = PAGE.replace("porque\n      <b> ela </b> é muito grossa", "e vi-<b>a</b> cair")
    assert read(tmp_path, page)[0].items[0].text == "A corda não passa pela argola e vi-a cair."


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("<b> ela </b> é muito grossa", "ela é muito grossa", "no single pronoun stands in <b>"),
        ("<b> ela </b> é muito grossa", "<b>ela</b> e <b>elas</b>", "no single pronoun stands in <b>"),
        ("<li> A argola. </li>", "", "it has 1 options"),
        ("<li> A argola. </li>", "<li>a corda</li>", "given twice"),
    ],
)
def test_a_broken_item_is_left_out_and_the_others_stay(tmp_path, old, new, why):
    collection, report = read(tmp_path, PAGE.replace(old, new))
    assert [item.parallel_id for item in collection.items] == ["wsc.1", "wsc.3"]
    assert report.skipped[0].line == 3 or report.skipped[-1].line == 3
    assert any(why in remark.why for remark in report.skipped)


def test_of_several_bold_words_the_one_pronoun_counts(tmp_path):
    collection, _ = read(tmp_path, PAGE.replace("A corda não passa", "A <b>corda</b> não passa"))
    assert collection.items[0].pronoun.of(collection.items[0].text) == "ela"


def test_lists_that_are_not_closed_do_no_harm(tmp_path):
    assert read(tmp_path, PAGE.replace("</ol>\n      <p>", "\n      <p>"))[0].items == read(tmp_path, PAGE)[0].items
    assert read(tmp_path, PAGE.replace("</li>\n<li>", "\n<li>"))[0].items == read(tmp_path, PAGE)[0].items


def test_scripts_are_no_text(tmp_path):
    page = PAGE.replace("A corda não", "<script>alert('x')</script><style>b{}</style>A corda não")
    assert read(tmp_path, page)[0].items[0].text.startswith("A corda")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<html><body><p>Nada.</p></body></html>", "no list of items"),
        ("<ol><li>Nada.</li></ol>", "no row of the file can be used"),
        ("just words", "no list of items"),
        ("<ol><li><![what[", ""),
    ],
)
def test_pages_of_another_shape_are_refused(tmp_path, content, message):
    with pytest.raises(wg.InputError) as caught:
        read(tmp_path, content)
    assert message in caught.value.message
    assert caught.value.remedy


@pytest.mark.parametrize("letter", ["ß", "ﬁ", "Z", "1", "AB"])
def test_an_answer_that_is_no_letter_of_an_option_is_reported(tmp_path, letter):
    collection, report = read(tmp_path, PAGE.replace("</b> A. ", f"</b> {letter}. "))
    assert collection.items[0].answer is None
    assert any(f"its answer {letter!r} names no option" in remark.why for remark in report.repaired)


@often
@given(data=mutated(PAGE.encode(), [*mutations.XML, b"<li>", b"</li>", b"<ol>", b"</ol>", b"<b>", b"</b>"]))
def test_mutated_pages_give_a_collection_or_an_input_error(tmp_path, data):
    only_input_errors(lambda: read(tmp_path, data)[0])


def test_what_is_read_survives_json_lines(tmp_path):
    collection, _ = read(tmp_path, PAGE)
    path = tmp_path / "out.jsonl"
    path.write_text(jsonl.write(collection), encoding="utf-8")
    assert jsonl.read(InputFile(path)) == collection


def test_only_such_pages_are_taken_for_one(tmp_path):
    assert portuguese_html.sniff(PAGE)
    assert not portuguese_html.sniff("<html><ol><li>Trecho</li></ol></html>")
    assert not portuguese_html.sniff("<collection><schema><text><txt1>")


@pytest.mark.parametrize("name", ["portuguese_wsc.html", "portuguese_wsc_portuguese_names.html"])
def test_the_published_pages(public_data, name):
    file = InputFile(public_data / "collections" / name)
    collection = portuguese_html.read(file)
    assert len(collection.items) == 277
    assert len(file.report.skipped) == 8
    assert all(remark.what.startswith("item ") and "is en" in remark.why for remark in file.report.skipped)
    assert sum(item.answer == 0 for item in collection.items) == 139
    assert all(item.pronoun_form == "word" and len(item.candidates) == 2 for item in collection.items)
    for item in collection.items:
        before, after = item.text[: item.pronoun.start], item.text[item.pronoun.end :]
        assert before == "" or before[-1] in ' "'
        assert after[0] in ' ."'
        assert "  " not in item.text
        assert " ." not in item.text


def test_no_other_published_file_is_taken_for_one(public_data):
    for path in (public_data / "collections").rglob("*.*"):
        assert portuguese_html.sniff(path.read_text(encoding="utf-8")[:4096]) == (path.suffix == ".html")
