import json
import os
import signal
import subprocess
import sys

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command

import winoglot as wg
from cases import listed
from six_schemas import six, six_file
from winoglot import registry
from winoglot.cli.console import resumable
from winoglot.cli.main import build_app
from winoglot.training.recipes import RECIPES


@pytest.fixture
def run(run_winoglot):
    return run_winoglot


def test_list_names_the_bundled_collections(run):
    code, out, _ = run("list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:]] == [
        "winoglot-en",
        "winoglot-fr",
        "winoglot-pt",
        "winoglot-zh",
    ]
    rows = json.loads(run("list", "--json")[1])
    assert {row["language"] for row in rows} == {"en", "fr", "pt-BR", "zh"}


def test_list_names_plug_ins(run):
    assert {"jsonl", "yaml"} <= set(run("list", "formats")[1].split())
    assert "wnli             GLUE's WNLI: a table of inference pairs." in run("list", "formats")[1]
    assert {"en", "fr", "pt", "zh"} <= set(json.loads(run("list", "languages", "--json")[1]))
    code, _, err = run("list", "format")
    assert code == 2
    assert "Did you mean 'formats'?" in err


@pytest.mark.parametrize("what", [*registry.KINDS, "scorings", "readings", "recipes"])
def test_everything_listed_is_described_in_one_line_of_its_own(run, what):
    header, *rows = run("list", what)[1].splitlines()
    at = header.index("description" if what == "metrics" else "what it is")
    assert rows
    for row in rows:
        assert row[:at].endswith("  ") or what == "metrics"
        assert len(row[at:].split()) > 1, row


def test_what_is_listed_besides_plug_ins_is_what_there_is(run):
    kinds = {variant.kind for name in ("en", "zh") for variant in wg.load(f"winoglot-{name}").variants()}
    assert kinds <= set(json.loads(run("list", "perturbations", "--json")[1]))
    assert set(json.loads(run("list", "recipes", "--json")[1])) == set(RECIPES)
    scorings = {"partial", "choice", "answer"}
    for family in ("causal", "masked", "choice", "next-sentence", "context2vec", "lm"):
        module = registry.load("models", family)
        solvers = [one for one in vars(module).values() if isinstance(one, type) and hasattr(one, "family")]
        scorings |= {scoring for solver in solvers for scoring in getattr(solver, "scorings", ())}
    assert scorings <= set(json.loads(run("list", "scorings", "--json")[1]))


def test_show_marks_pronoun_and_segment_and_ticks_the_answer(run):
    code, out, _ = run("show", "winoglot-pt", "--id", "train-wave")
    assert code == 0
    assert "Da [plataforma], Rosa acenou para Lena até o trem levá-{la} embora." in out
    assert "  0 Rosa   ✓ 1 Lena" in out
    assert "call-microphone" not in out
    assert not any(line.endswith(" ") for line in out.splitlines())


def test_show_puts_languages_side_by_side_by_parallel_id(run):
    out = run("show", "winoglot", "--id", "train-wave")[1]
    head, languages, ids, *_ = out.splitlines()
    assert head == "train-wave"
    assert languages.split() == ["en", "fr", "pt-BR", "zh"]
    assert ids.split() == ["train-wave.0"] * 4


def test_show_stacks_languages_where_there_is_no_room(tmp_path):
    code = "from winoglot.cli.main import main; main()"
    command = [sys.executable, "-c", code, "show", six_file("en"), six_file("fr"), "--id", "train-wave"]
    environment = {"COLUMNS": "60", "FORCE_COLOR": "1", "TERM": "xterm-256color", "PYTHONUTF8": "1"}
    out = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True).stdout
    assert "\x1b[" in out
    assert "Depuis" not in next(line for line in out.splitlines() if "From the" in line)


def test_show_has_variants_and_everything_else_on_request(run):
    short = run("show", "winoglot-en", "--id", "piano-sale")[1]
    assert "piano-sale.0~relative" not in short
    assert "⇒" not in short
    full = run("show", "winoglot-en", "--id", "piano-sale", "--variants", "--full")[1]
    assert "piano-sale.0~relative" in full
    assert "⇒ 1 " in full
    assert "Roles: subject, " in full


def test_show_names_forms_of_mention_and_items_without_text(run, tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(
        """
collection: own
language: pt
schemas:
  - id: drawer
    text: "A chave caiu na gaveta e [{ela} sumiu|ninguém mais {a} abriu]."
    candidates: [a chave, a gaveta]
    answers: [0, 1]
  - id: given
    items:
      - {readings: [Rita saiu., Clara saiu.], answer: 1}
      - {inferences: [{premise: Ela saiu., hypothesis: Clara saiu., entailed: true}]}
""",
        encoding="utf-8",
    )
    out = run("show", path)[1]
    assert "A chave caiu na gaveta e [{ela} sumiu]." in out
    assert "1 a gaveta (na gaveta)" in out
    assert "Clara saiu." in out
    assert "Ela saiu. ⇒ Clara saiu. (True)" in out


def test_show_prints_whole_schemas_as_json(run):
    out = run("show", "winoglot-en", "winoglot-zh", "--id", "piano-sale", "--json")[1]
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["id"] for row in rows] == ["piano-sale", "piano-sale"]
    assert rows[0]["items"][1]["answer"] == 0


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_show_refuses_an_unknown_id(run, options):
    code, out, err = run("show", "winoglot-en", "--id", "piano-sail", *options)
    assert (code, out) == (2, "")
    assert "Did you mean 'piano-sale'?" in err


def test_stats_count_everything(run):
    out = run("stats", six_file("pt"))[1]
    assert "6, with 6 of 2 items" in out
    assert "first: 6, second: 6" in out
    counts = json.loads(run("stats", six_file("pt"), "--json")[1])
    pt = six("pt")
    assert counts["items"] == len(pt.items) == 12
    assert counts["variants"] == {"relative": 2, "switched": 2}
    assert counts["hashes"]["originals"] == pt.hash
    assert len(json.loads(run("stats", "winoglot", "--json")[1])) == 4


def test_export_and_import_keep_everything(run, tmp_path):
    pt = six("pt")
    for name in ("jsonl", "yaml"):
        target = tmp_path / f"pt.{name}"
        assert run("export", six_file("pt"), "--to", name, "-o", target)[0] == 0
        assert wg.load(target) == pt
        other = {"jsonl": "yaml", "yaml": "jsonl"}[name]
        code, out, _ = run("import", target, "-o", tmp_path / f"again.{other}", "--json")
        assert (code, json.loads(out)) == (0, {"schemas": 6, "items": 12, "variants": 4, "repaired": [], "skipped": []})
        assert wg.load(tmp_path / f"again.{other}") == pt
    out = run("export", six_file("pt"), "--to", "jsonl")[1]
    assert out == (tmp_path / "pt.jsonl").read_text(encoding="utf-8")


def test_an_output_is_never_overwritten_without_force(run, tmp_path):
    target = tmp_path / "out.jsonl"
    target.write_text("mine")
    for command in (["export", six_file("pt"), "--to", "jsonl"], ["import", tmp_path / "absent.yaml"]):
        code, _, err = run(*command, "-o", target)
        assert code == 2
        assert "--force" in err
        assert target.read_text() == "mine"
    assert run("export", six_file("pt"), "--to", "jsonl", "-o", target, "--force")[0] == 0
    assert wg.load(target).name == "six-pt"


def test_a_failed_import_leaves_nothing_behind(run, tmp_path):
    source = tmp_path / "bad.yaml"
    source.write_text(
        "collection: a\nlanguage: en\nschemas: [{id: a, text: no pronoun, candidates: [a], answers: [0]}]\n"
    )
    code, out, err = run("import", source, "-o", tmp_path / "out.jsonl")
    assert (code, out) == (2, "")
    assert "bad.yaml, line 3, column 25, schema 'a', text: the text has no pronoun" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.yaml"]


def test_import_takes_format_and_language(run, tmp_path):
    source = tmp_path / "collection.txt"
    source.write_text(six_file("fr").read_text("utf-8"), "utf-8")
    target = tmp_path / "out.yaml"
    assert run("import", source, "-o", target, "--format", "yaml", "--language", "fr-CA")[0] == 0
    code, _, err = run("import", source, "-o", tmp_path / "x.yaml", "--language", "pt")
    assert code == 2
    assert "is in fr, not in pt" in err
    code, _, err = run("import", source, "-o", tmp_path / "x.yaml", "--format", "jsonl")
    assert code == 2
    code, _, err = run("import", source, "-o", tmp_path / "x.doc")
    assert code == 2
    assert "suffix '.doc'" in err


def test_readings_are_printed_and_given_as_json(run):
    out = run("readings", six_file("en"))[1]
    assert "From the platform, Rosa waved to Lena until the train carried {Lena} away." in out
    rows = [json.loads(line) for line in run("readings", six_file("en"), "--style", "naive", "--json")[1].splitlines()]
    assert len(rows) == 24
    assert rows[0]["before"] + rows[0]["inserted"] + rows[0]["after"] == rows[0]["text"]
    assert {"item_id", "candidate", "before", "inserted", "after", "text", "rule", "derived"} <= set(rows[0])
    code, _, err = run("readings", six_file("en"), "--style", "baroque")
    assert code == 2
    assert "naive" in err


@listed
def test_bad_usage_and_bad_input_end_with_2_and_a_reason(arguments, run):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.strip()
    assert "Traceback" not in err


def commands(group=None, path=()):
    """The words of every command, those of groups included."""
    group = group or get_command(build_app())
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from commands(command, (*path, name))
        elif not command.hidden:
            yield (*path, name)


@pytest.mark.parametrize("command", list(commands()), ids=" ".join)
def test_every_command_has_help_with_an_example(run, command):
    code, out, _ = run(*command, "--help")
    text = " ".join(out.replace("│", " ").split())
    assert (code, f"Example: winoglot {' '.join(command)}" in text) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--help"], {"torch", "numpy", "scipy", "pydantic", "transformers", "yaml"}),
        (["stats", six_file("pt")], {"torch", "numpy", "scipy", "transformers", "pandas"}),
        (["stats", "winoglot-pt"], {"winoglot.loading", "winoglot.schemas.model", "winoglot.cli.evaluate", "yaml"}),
        (["list"], {"winoglot.loading", "winoglot.schemas.model", "winoglot.cli.evaluate", "yaml"}),
    ],
)
def test_help_list_and_stats_import_nothing_heavy(arguments, heavy):
    at_exit = "import atexit, sys; atexit.register(lambda: print('', *sys.modules))"
    code = f"{at_exit}; from winoglot.cli.main import main; main()"
    command = [sys.executable, "-X", "utf8", "-c", code, *arguments]
    out = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    assert not heavy & set(out.rstrip().rsplit("\n", 1)[1].split())


def test_the_help_names_every_command(run):
    assert {command[0] for command in commands()} <= set(run("--help")[1].split())


def test_a_closed_pipe_is_no_traceback():
    code = "from winoglot.cli.main import main; main()"
    command = [sys.executable, "-X", "utf8", "-c", code, "export", "winoglot-zh", "--to", "jsonl"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert b"Traceback" not in process.stderr.read()
    process.wait()
    process.stderr.close()


def shell(arguments, environment=None, **options):
    command = [sys.executable, "-c", "from winoglot.cli.main import main; main()", *arguments]
    done = subprocess.run(command, env=os.environ | (environment or {}), stderr=subprocess.PIPE, check=False, **options)
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_that_lacks_letters_gets_their_codes(encoding):
    code, err = shell(["show", six_file("zh")], {"PYTHONIOENCODING": encoding}, stdout=subprocess.DEVNULL)
    assert (code, err) == (0, "")


def test_output_that_cannot_be_written_is_one_line():
    with open("/dev/full", "w") as full:  # noqa: PTH123
        code, err = shell(["list", "formats"], stdout=full)
    assert code == 1
    assert "standard output cannot be written" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("path", ["a" * 300 + ".yaml", "yaml:" + "a" * 300, "/proc/1/mem/x"])
def test_paths_that_cannot_be_are_input_errors(run, path):
    code, _, err = run("show", path)
    assert code == 2
    assert err.startswith("Error: ")


def test_what_a_file_says_is_shown_and_not_obeyed(run, tmp_path):
    path = tmp_path / "markup.yaml"
    path.write_text(
        """
collection: markup
language: en
licence: "see [/x] [bold]LICENCE"
schemas:
  - {id: a, text: 'Ann saw \\[red\\] Bob and {\\[blue\\]} left.', candidates: [Ann, Bob], answers: [0]}
""".replace("\\\\", "\\"),
        encoding="utf-8",
    )
    assert "see [/x] [bold]LICENCE" in run("stats", path)[1]
    assert r"Ann saw \[red\] Bob and {\[blue\]} left." in run("show", path)[1]
    assert "[red]" in run("readings", path)[1]


def test_an_error_never_sends_escapes_to_the_terminal(run, tmp_path):
    path = tmp_path / "escapes.yaml"
    path.write_text('collection: a\nlanguage: en\n"\\e]0;x\\a": 1\nschemas: []\n', encoding="utf-8")
    code, _, err = run("show", path)
    assert code == 2
    assert "\x1b" not in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_whoever_interrupts_is_told_how_to_go_on(number, capsys):
    before = signal.getsignal(signal.SIGTERM)
    ignored = signal.signal(signal.SIGINT, signal.default_int_handler)  # perhaps, by what the tests were started by
    try:
        with pytest.raises(typer.Exit) as caught, resumable():
            signal.raise_signal(number)
    finally:
        signal.signal(signal.SIGINT, ignored)
    assert caught.value.exit_code == 130
    assert "Repeat the command" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGTERM) == before
