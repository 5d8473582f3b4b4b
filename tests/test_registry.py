import json
import os
import re
import subprocess
import sys
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from forking import MAIN, forking_host
from six_schemas import six_file
from winoglot import registry
from winoglot.errors import InputError

EXAMPLE = Path(__file__).parent / "example_package"


def test_built_ins_are_listed_by_file_name_without_importing_them():
    code = """
import sys
from winoglot import registry
assert {"jsonl", "yaml"} <= set(registry.names("formats"))
assert {"en", "fr", "pt", "zh"} <= set(registry.names("languages"))
assert all(isinstance(registry.names(kind), list) for kind in registry.KINDS)
assert not {"winoglot.formats.yaml", "winoglot.languages.pt", "yaml"} & set(sys.modules), sorted(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_table_names_every_plug_in_and_nothing_else_and_each_is_described_in_one_line():
    for kind, known in registry.KINDS.items():
        for name in known.modules:
            registry.load(kind, name)
            text = registry.summary(kind, name)
            assert text.endswith("."), (kind, name)
            assert not text.startswith("<"), (kind, name)
        folder = Path(import_module(known.package).__file__).parent
        offers = re.compile(rf"^(?:def |class )?(?:{'|'.join(known.offers)}|PLUGINS)\b *[(:=]", re.MULTILINE)
        files = {path.stem for path in folder.glob("*.py") if offers.search(path.read_text("utf-8"))}
        folders = {path.parent.name for path in folder.glob("*/__init__.py") if offers.search(path.read_text("utf-8"))}
        assert files | folders - {"__init__"} <= set(known.modules.values()) | {"__init__", "base"}, kind
    with pytest.raises(InputError, match="no format 'yml'") as caught:
        registry.load("formats", "yml")
    assert "Did you mean 'yaml'?" in caught.value.remedy


@pytest.fixture(scope="module")
def with_example(tmp_path_factory):
    """Install the example package for real, into a folder of its own, and run Python with it."""
    site = tmp_path_factory.mktemp("site")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    options = ["--disable-pip-version-check", "--target", str(site)]
    subprocess.run([*install, *options, str(EXAMPLE)], check=True)
    path = os.pathsep.join([str(site), str(Path(registry.__file__).parents[1])])
    six = str(six_file("en"))
    first = (["list", "metrics"], ["check", six], ["evaluate", six, "--model", "first", "--kinds", "switched"])
    with forking_host(first, {"PYTHONPATH": path, "WINOGLOT_PROGRESS": "off"}) as host:

        def run(code, *arguments):
            out, err = site / "out", site / "err"
            returncode = host(code, arguments, site, out, err)
            return subprocess.CompletedProcess(arguments, returncode, out.read_text("utf-8"), err.read_text("utf-8"))

        yield run


@pytest.fixture
def winoglot(with_example):
    return partial(with_example, MAIN)


def test_an_installed_package_adds_plug_ins_of_every_kind(winoglot):
    for kind, name in [("formats", "bars"), ("checks", "short-text"), ("models", "alphabet"), ("languages", "eo")]:
        assert name in winoglot("list", kind).stdout.split()


def test_an_outside_model_is_evaluated_like_a_built_in(winoglot):
    done = winoglot("evaluate", str(six_file("en")), "--model", "alphabet", "--json")
    (row,) = json.loads(done.stdout)
    assert (row["model"], row["accuracy"]["value"], row["accuracy"]["n"]) == ("alphabet", 0.5, 12)


def test_an_outside_format_reads_and_writes_like_a_built_in(winoglot, tmp_path):
    source, target, back = tmp_path / "tiny.bars", tmp_path / "tiny.jsonl", tmp_path / "back.bars"
    source.write_text("bars eo\nLa hundo vidis la katon, kaj {ĝi} kuris. | la hundo | la katon | 1\n", "utf-8")
    assert winoglot("import", str(source), "-o", str(target)).returncode == 0
    assert '"mentions": [[0, 8]]' in target.read_text("utf-8")
    assert winoglot("export", str(target), "--to", "bars", "-o", str(back)).returncode == 0
    assert back.read_text("utf-8") == source.read_text("utf-8")
    source.write_text("bars eo\nLa hundo kaj {ĝi}. | la hundo | 0\n", "utf-8")
    assert "short-text line-2.0" in winoglot("check", str(source), "--select", "short-text").stdout  # an outside rule
    source.write_text("bars eo\nLa hundo kaj {ĝi}. | la hundo | kiu\n", "utf-8")
    result = winoglot("stats", str(source))
    assert (result.returncode, "line 2: this is not a schema" in result.stderr) == (2, True)


def test_an_outside_perturbation_is_derived_evaluated_and_read(winoglot):
    assert "quoted" in winoglot("list", "perturbations").stdout.split()
    done = winoglot("evaluate", str(six_file("en")), "--model", "first", "--kinds", "quoted", "--json")
    (row,) = json.loads(done.stdout)
    assert "quoted" in row["signature"]
    readings = winoglot("readings", str(six_file("en")), "--kinds", "quoted").stdout
    assert "“Anna" in readings


def test_an_outside_measure_is_taken_like_our_own(winoglot, tmp_path):
    assert "opinion" in winoglot("list", "measures").stdout.split()
    asked = ("analyse", str(six_file("en")), "--model", "first", "--kinds", "quoted", "--measures", "opinion")
    done = winoglot(*asked, "-o", str(tmp_path / "out"), "--json")
    found = {
        one["kind"]: [(row["quantity"], row["value"]) for row in one["estimates"]] for one in json.loads(done.stdout)
    }
    assert found == {"original": [("changed", 0.0)], "quoted": [("changed", 0.0)]}


def test_an_outside_metric_is_in_runs_tables_json_and_the_list(with_example, winoglot, tmp_path):
    source = ["evaluate", str(six_file("pt")), "--model", "frequent", "--model", "first"]
    (frequent, first) = json.loads(winoglot(*source, "--json").stdout)
    assert first["coverage"]["value"] == 1.0
    assert frequent["coverage"]["value"] == pytest.approx(1 - frequent["abstained"] / 12)
    assert first["broken"] is None
    table = winoglot(*source).stdout
    assert "coverage" in table.splitlines()[0].split()
    assert f"{100 * frequent['coverage']['value']:.1f} [" in table
    assert "broken" not in table
    code = "import sys, winoglot as wg; print(wg.evaluate(wg.load(sys.argv[1]), 'first').estimate('coverage'))"
    assert with_example(code, str(six_file("pt"))).stdout.startswith("1.000 [")
    listed = winoglot("list", "metrics").stdout
    assert re.search(r"^coverage +% +100 +Share of labelled items that are answered\.$", listed, re.MULTILINE)
    assert re.search(r"^broken .*not available: winoglot_example.absent", listed, re.MULTILINE)


def test_an_outside_metric_that_needs_variants_is_in_the_table_of_kinds_json_and_the_list(winoglot):
    source = ["evaluate", str(six_file("pt")), "--model", "frequent", "--kinds", "no-candidates,switched"]
    (row,) = json.loads(winoglot(*source, "--json").stdout)
    assert "silenced" not in row
    found = row["kinds"]["no-candidates"]["silenced"]
    assert found["n"] == 12 - row["abstained"]
    assert row["kinds"]["switched"]["silenced"]["n"] > 0
    table = winoglot(*source).stdout
    assert "silenced" not in table.splitlines()[0]
    (head,) = [line for line in table.splitlines() if line.startswith("kind ")]
    assert "silenced" in head
    assert re.search(rf"^no-candidates .* {100 * found['value']:.1f} \[", table, re.MULTILINE)
    listed = winoglot("list", "metrics", "--json").stdout
    (needs,) = [one["needs"] for one in json.loads(listed) if one["name"] == "silenced"]
    assert needs == ["variants"]


def test_an_outside_logic_task_generates_pairs_whose_labels_are_proved(winoglot, tmp_path):
    sizes = ["--train", "12", "--validation", "0", "--test", "6", "--labels", "nli"]
    done = winoglot("logic", "generate", "--task", "denial", "--language", "en", *sizes, "-o", str(tmp_path))
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (tmp_path / "en" / "denial" / "test.jsonl").read_text("utf-8").splitlines()]
    assert sorted(row["label"] for row in rows) == ["contradiction"] * 2 + ["entailment"] * 2 + ["neutral"] * 2


def test_the_page_on_plug_ins_shows_the_example_package():
    page = (EXAMPLE.parents[1] / "docs" / "extend.md").read_text("utf-8")
    shown = dict(re.findall(r'^```python title="(\w+\.py)"\n(.*?)^```$', page, re.MULTILINE | re.DOTALL))
    modules = {path.name: path.read_text("utf-8") for path in (EXAMPLE / "winoglot_example").glob("*.py")}
    assert shown == {name: modules[name] for name in modules.keys() - {"__init__.py", "bad_rule.py"}}


SESSION = re.compile(r"^```text\n\$ winoglot (.*)\n((?s:.*?))^```$", re.MULTILINE)
FILE = re.compile(r'^```(?:yaml|text) title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def test_the_commands_on_the_page_on_plug_ins_print_what_it_shows(with_example, tmp_path):
    page = (EXAMPLE.parents[1] / "docs" / "extend.md").read_text("utf-8")
    for title, content in FILE.findall(page):
        (tmp_path / title).write_text(content, "utf-8")
    code = """
import os, sys
from winoglot.cli.main import main
os.chdir(sys.argv.pop(1))
os.environ["COLUMNS"] = "100"
main()
"""
    sessions = SESSION.findall(page)
    assert len(sessions) == 6
    for command, shown in sessions:
        done = with_example(code, str(tmp_path), *command.split())
        assert done.stdout + done.stderr == shown, command


@pytest.mark.parametrize(("name", "message"), [("broken", "cannot be imported"), ("empty", "has no estimate")])
def test_a_plug_in_that_does_not_work_is_named(with_example, name, message):
    result = with_example(f"from winoglot import registry; registry.load('metrics', {name!r})")
    assert "InputError: winoglot_example" in result.stderr
    assert message in result.stderr


def test_an_entry_point_that_is_not_in_its_modules_table_brings_the_names(outside):
    outside("metrics", "coverige", "PLUGINS = {'coverage': 1}\n")
    with pytest.raises(InputError, match="as 'coverige', has no such name in its PLUGINS") as caught:
        registry.load("metrics", "coverige")
    assert "Did you mean 'coverage'?" in caught.value.remedy


def test_a_built_in_that_cannot_be_imported_says_why(monkeypatch):
    monkeypatch.setitem(sys.modules, "winoglot.formats.wnli", None)
    with pytest.raises(
        InputError, match=r"winoglot\.formats\.wnli, registered under formats as 'wnli', cannot"
    ) as caught:
        registry.load("formats", "wnli")
    assert isinstance(caught.value.__cause__, ImportError)
    assert registry.summary("formats", "wnli").startswith("not available: winoglot.formats.wnli")


def test_an_outside_plug_in_with_a_built_ins_name_is_listed_as_ignored(outside, run_winoglot):
    module = outside("formats", "yaml", "def read(file):\n    return None\n")
    assert registry.load("formats", "yaml").__name__ == "winoglot.formats.yaml"
    said = f"Ignored: {module}, registered under formats as 'yaml': a built-in has that name.\n"
    code, _, err = run_winoglot("list", "formats")
    assert (code, err) == (0, said)


WRONG_FORMAT = "SUFFIXES = ('.odd',)\ndef read(file):\n    return {}\ndef write(collection):\n    return {}\n"
WRONG_TASK = "FAMILIES = {{'a': (1,)}}\ndef draw(rng, family, depth):\n    {}\n"
WRONG_LANGUAGE = """
from winoglot.schemas.mentions import FunctionWords
WORDS = FunctionWords(pronouns=frozenset({{"she"}}))
def substitute(place):
    return {}
"""


@pytest.mark.parametrize(
    ("kind", "source", "command", "message"),
    [
        (
            "formats",
            WRONG_FORMAT.format("[]", 3),
            "show NAME:FILE",
            "returned a list, expected a Collection",
        ),
        (
            "formats",
            WRONG_FORMAT.format(3, 3),
            "export FILE --to NAME",
            "returned 3, expected text, bytes, or a dictionary",
        ),
        ("formats", WRONG_FORMAT.format("file.x", 3), "show NAME:FILE", "failed: AttributeError: 'InputFile' object"),
        ("formats", WRONG_FORMAT.format(3, "1 / 0"), "export FILE --to NAME", "failed: ZeroDivisionError"),
        ("formats", "def sniff(head): 1 / 0\ndef read(file): ...", "show ODD", "sniff of the format NAME ("),
        ("languages", WRONG_LANGUAGE.format("1 / 0"), "readings FILE", "the language odd, given a.0 ("),
        ("languages", WRONG_LANGUAGE.format("'she'"), "readings FILE", "returned 'she', expected a Substitution"),
        ("logic-tasks", WRONG_TASK.format("return 'x'"), "LOGIC", "returned 'x', expected a Situation"),
        ("logic-tasks", WRONG_TASK.format("return 1 / 0"), "LOGIC", "failed: ZeroDivisionError"),
        ("logic-tasks", WRONG_TASK.format("pass"), "LOGIC", "returned nothing, expected a Situation"),
        ("logic-tasks", "def draw(rng, family, depth): ...", "LOGIC", "the task NAME has no FAMILIES"),
    ],
)
def test_an_outside_plug_in_that_misbehaves_is_named_without_a_traceback(
    outside, run_winoglot, tmp_path, kind, source, command, message
):
    name = "odd" if "1 / 0" in source else "evn"  # a language is loaded once
    outside(kind, name, source)
    file, odd = tmp_path / "a.yaml", tmp_path / "a.what"
    language = name if kind == "languages" else "en"
    text = '{id: a, text: "Anna saw Vera and {she} ran.", candidates: [Anna, Vera], answers: [0]}'
    file.write_text(f"collection: a\nlanguage: {language}\nschemas:\n  - {text}\n")
    odd.write_text("what")
    logic = f"logic generate --task {name} --language en --train 4 --test 4 --no-proof -o {tmp_path / 'out'}"
    words = {"LOGIC": logic, "FILE": str(file), "ODD": str(odd), "NAME": name}
    given = re.sub("[A-Z]{3,5}", lambda word: words[word.group()], command)
    code, _, err = run_winoglot(*given.split())
    assert (code, err.count("\n")) == (2, 1)
    assert message.replace("NAME", repr(name)) in err
