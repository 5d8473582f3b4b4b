"""README and docs show what really happens."""

import doctest
import pkgutil
import re

import pytest

from transcripts import PAGES, PYTHON, ROOT, renewed, terminal

by_name = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)


@pytest.fixture(scope="module")
def show():
    with terminal() as show:
        yield show


@pytest.mark.slow
@by_name
def test_transcripts_are_what_the_commands_print_now(path, show):
    page = path.read_text(encoding="utf-8")
    assert renewed(page, show) == page, "run: python tests/transcripts.py"


@by_name
def test_python_sessions_run(path):
    sessions = "\n".join(PYTHON.findall(path.read_text(encoding="utf-8")))
    test = doctest.DocTestParser().get_doctest(sessions, {}, path.name, str(path), 0)
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0


@by_name
def test_links_to_files_lead_somewhere(path):
    made = {ROOT / name for name in re.findall(r" -o (docs/\S+)", (ROOT / "Makefile").read_text(encoding="utf-8"))}
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        place = path.parent / target
        assert place.exists() or place in made, target  # `make docs` writes some pages before the others


@by_name
def test_what_a_page_names_in_the_package_exists(path):
    for name in set(re.findall(r"\bwinoglot(?:\.[A-Za-z_]\w*)+", path.read_text(encoding="utf-8"))):
        pkgutil.resolve_name(name)


def test_the_design_page_names_modules_that_exist():
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+/)` \| (.*) \|$", page, re.MULTILINE)
    assert len(rows) > 10
    for package, modules in rows:
        for name in re.findall(r"`(\w+(?:\.py|/))`", modules):
            assert (ROOT / "src" / "winoglot" / package / name).exists(), f"{package}{name}"


def test_the_readme_names_commands_and_targets_that_exist(printed):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"^make (\w+)", readme, re.MULTILINE)) == {"demo", "test"} < targets
    assert "$ winoglot show" in readme
    assert PYTHON.search(readme)
    table = readme.partition("## What it does")[2].partition("## Install")[0]
    for command in re.findall(r"`([a-z]+)(?: --[^`]*)?`", table):
        assert command in printed("--help"), command
