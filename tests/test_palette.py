"""Pronoun, segment and candidates look alike everywhere, are legible, and differ in more than colour."""

import re
from importlib.resources import files

import pytest
from rich.style import Style

import winoglot as wg
from contrast import contrast
from winoglot.cli.show import marked_text
from winoglot.palette import CANDIDATES, colours, inline_style, palette, terminal_style

PARTS = ("pronoun", "segment", *CANDIDATES)
STYLES = {
    "report": ("winoglot.report", "templates", "style.css"),
    "collection": ("winoglot.formats", "html_page", "style.css"),
    "study": ("winoglot.study.web", "static", "study.css"),
    "dashboard": ("winoglot.study.web", "static", "dashboard.css"),
}


def style_of(page):
    package, *path = STYLES[page]
    return files(package).joinpath(*path).read_text("utf-8")


def page_colours(page, scheme):
    """The colours that a page defines itself, on its light or dark ground."""
    blocks = re.findall(r":root \{(.*?)\}", style_of(page), re.DOTALL)
    return dict(re.findall(r"--([\w-]+): (#\w{3,6})\b", blocks[scheme]))


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_marks_are_legible_on_their_ground_inside_one_another_and_on_every_page(scheme):
    table = colours()[scheme]
    grounds = [table["segment-pale"], table["pronoun-pale"]]
    for page, names in (("report", ("page", "panel")), ("collection", ("paper", "card")), ("study", ("page", "panel"))):
        grounds += [page_colours(page, scheme)[name] for name in names]
    for part in PARTS:
        assert contrast(table[part], table[f"{part}-pale"]) >= 4.5, part
        for ground in grounds if part in CANDIDATES else grounds[2:] if part == "segment" else []:
            assert contrast(table[part], ground) >= 4.5, (part, ground)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_coloured_words_of_a_collections_page_are_legible(scheme):
    own = page_colours("collection", scheme)
    for name in ("ink", "soft", "link", "right"):
        for ground in ("paper", "card"):
            assert contrast(own[name], own[ground]) >= 4.5, (name, ground)


@pytest.mark.parametrize("page", STYLES)
def test_no_page_has_a_palette_of_its_own(page):
    own = style_of(page)
    assert not re.search(r"--(pronoun|segment|candidate)[\w-]*:", own)
    assert not {*re.findall(r"#[0-9a-f]{6}", own)} & (
        {*colours()[0].values()} - {colours()[0]["pronoun"]}
    )  # whose ink is that of pages


def test_form_differs_as_well_as_colour():
    rules = dict(re.findall(r"^\W*(pronoun|segment|class\^=candidate-)\]? \{(.*?)\}", palette(), re.MULTILINE))
    assert "background" in rules["pronoun"]
    assert "0 0 0 1px" in rules["segment"]
    assert "underline" in rules["class^=candidate-"]
    styles = {part: Style.parse(terminal_style(part)) for part in PARTS}
    assert styles["pronoun"].bold
    assert all(styles[part].underline for part in CANDIDATES)
    assert not styles["segment"].underline


def test_a_terminal_and_a_notebook_take_their_colours_from_the_table(monkeypatch):
    item = wg.load("winoglot-en")["piano-sale"].items[0]
    for background, scheme in (("15;0", 0 + 1), ("0;15", 0), ("", 1)):
        monkeypatch.setenv("COLORFGBG", background)
        table = colours()[scheme]
        shown = {Style.parse(str(span.style)) for span in marked_text(item).spans if "#" in str(span.style)}
        pairs = {(style.color.name, style.bgcolor.name) for style in shown}
        assert pairs == {(table[part], table[f"{part}-pale"]) for part in ("pronoun", "segment", *CANDIDATES[:2])}
    html = item._repr_html_()
    assert all(inline_style(part) in html for part in ("pronoun", "segment", *CANDIDATES[:2]))
    assert html.count('<sup style="display: inline-block; font-size: 75%; line-height: 1">A</sup>') == 2
