"""The README's commands exist and do what it says; its transcripts and Python sessions run in `test_documents.py`."""

import re

import pytest

from transcripts import BLOCK, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_make_commands_are_targets():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"^make (\w+)", README, re.MULTILINE))
    assert named == {"demo", "test"}
    assert named < targets


@pytest.mark.parametrize("title", ["Your first evaluation", "Read the report", "Compare two models honestly"])
def test_who_begins_finds_a_page_of_that_name_with_real_output(title):
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    (name,) = re.findall(rf"^ +- {title}: (\S+)$", nav, re.MULTILINE)
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert page.startswith(f"# {title}\n")
    assert any("$ winoglot " in block for block in BLOCK.findall(page))


def test_what_it_names_as_commands_are_commands(run_winoglot):
    _, out, _ = run_winoglot("--help")
    table = README.partition("## What it does")[2].partition("## Install")[0]
    for command in re.findall(r"`([a-z]+)(?: --[^`]*)?`", table):
        assert command in out, command
