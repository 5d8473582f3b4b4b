"""The README's commands exist and do what it says; its transcripts and Python sessions run in `test_documents.py`."""

import re

import pytest

from transcripts import BLOCK, ROOT
from winoglot.report import demo

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


@pytest.mark.slow
def test_the_demo_leaves_a_report(tmp_path, monkeypatch, run_winoglot):
    """As `make demo` does, with one schema a language and as if the default model's weights were not installed."""
    monkeypatch.setattr(demo, "find_spec", lambda name: None)
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    code, out, _ = run_winoglot("demo", "-o", str(tmp_path / "demo"), "--limit", "1")
    assert code == 0
    assert "abstained (" not in out  # 32 runs of them: the report has them
    assert 'pip install "winoglot[gemma]"' in out
    page = (tmp_path / "demo" / "report.html").read_text(encoding="utf-8")
    assert "<h1" in page
    assert len(list((tmp_path / "demo").glob("*/run.json"))) == 4 * 4 * 2
    again, _, _ = run_winoglot("demo", "-o", str(tmp_path / "demo"), "--limit", "1")
    assert again == 0


def test_the_demo_leaves_a_strangers_report_alone(tmp_path, run_winoglot):
    (tmp_path / "report.html").write_text("mine", encoding="utf-8")
    code, _, err = run_winoglot("demo", "-o", str(tmp_path), "--limit", "1")
    assert (code, (tmp_path / "report.html").read_text(encoding="utf-8")) == (2, "mine")
    assert "not a Winoglot report" in err
