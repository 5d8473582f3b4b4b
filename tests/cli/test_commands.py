import json
import os
import re
import signal
import subprocess
import sys

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command

import winoglot as wg
from cases import listed
from forking import MAIN
from six_schemas import six, six_file
from winoglot import registry
from winoglot.cli.console import resumable
from winoglot.cli.main import build_app
from winoglot.training.recipes import RECIPES


def test_list_names_the_bundled_collections_and_plug_ins(printed):
    languages = ["de", "en", "es", "fr", "it", "ja", "pt", "ru", "zh"]
    rows = [line.split() for line in printed("list").splitlines()[1:]]
    assert [(row[0], row[-1]) for row in rows] == [(f"winoglot-{language}", "models") for language in languages]
    assert "pt-BR" in {row["language"] for row in json.loads(printed("list", "--json"))}
    assert "wnli             GLUE's WNLI: a table of inference pairs." in printed("list", "formats")
    assert {"en", "fr", "pt", "zh"} <= set(json.loads(printed("list", "languages", "--json")))
    assert re.search(r"^voice by rule( +✓){2}$", printed("list", "languages"), re.M)
    assert printed("list", "kinds") == printed("list", "perturbations")


@pytest.mark.parametrize(
    "what", [*(kind for kind in registry.KINDS if kind != "languages"), "scorings", "readings", "recipes"]
)
def test_everything_listed_is_described_in_one_line_of_its_own(printed, what):
    header, *rows = printed("list", what).splitlines()
    at = header.index("description" if what == "metrics" else "what it is")
    assert rows
    for row in rows:
        assert row[:at].endswith("  ") or what == "metrics"
        assert len(row[at:].split()) > 1, row


def test_what_is_listed_besides_plug_ins_is_what_there_is(printed):
    kinds = {variant.kind for name in ("en", "zh") for variant in wg.load(f"winoglot-{name}").variants()}
    assert kinds <= set(json.loads(printed("list", "perturbations", "--json")))
    assert set(json.loads(printed("list", "recipes", "--json"))) == set(RECIPES)
    scorings = {"partial", "choice", "answer"}
    for family in ("causal", "masked", "choice", "next-sentence", "context2vec", "lm"):
        module = registry.load("models", family)
        solvers = [one for one in vars(module).values() if isinstance(one, type) and hasattr(one, "family")]
        scorings |= {scoring for solver in solvers for scoring in getattr(solver, "scorings", ())}
    assert scorings <= set(json.loads(printed("list", "scorings", "--json")))


def test_show_marks_pronoun_and_segment_and_ticks_the_answer_and_puts_languages_side_by_side(printed):
    out = printed("show", "winoglot-pt", "--id", "train-wave")
    assert "Da [plataforma], Rosa acenava para Lena enquanto o trem {a} levava embora." in out
    assert "  A Rosa   ✓ B Lena" in out
    assert "call-microphone" not in out
    assert not any(line.endswith(" ") for line in out.splitlines())
    head, languages, ids, *_ = printed(
        "show", *(f"winoglot-{language}" for language in ("en", "fr", "pt", "zh")), "--id", "train-wave"
    ).splitlines()
    assert (head, languages.split()) == ("train-wave", ["en", "fr", "pt-BR", "zh"])
    assert ids.split() == ["train-wave.0"] * 4


def test_show_stacks_languages_where_there_is_no_room():
    command = [sys.executable, "-c", MAIN, "show", six_file("en"), six_file("fr"), "--id", "train-wave"]
    environment = {"COLUMNS": "60", "FORCE_COLOR": "1", "TERM": "xterm-256color", "PYTHONUTF8": "1"}
    out = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True).stdout
    assert "\x1b[" in out
    assert "Depuis" not in next(line for line in out.splitlines() if "From the" in line)


def test_show_has_variants_and_everything_else_on_request(printed):
    short = printed("show", "winoglot-en", "--id", "piano-sale")
    full = printed("show", "winoglot-en", "--id", "piano-sale", "--variants", "--full")
    for words in ("piano-sale.0~relative", "⇒ B ", "Roles: subject, "):
        assert (words in short, words in full) == (False, True)


def test_show_names_forms_of_mention_and_items_without_text(printed, tmp_path):
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
    out = printed("show", path)
    assert "A chave caiu na gaveta e [{ela} sumiu]." in out
    assert "B a gaveta (na gaveta)" in out
    assert "Ela saiu. ⇒ Clara saiu. (True)" in out


def test_show_prints_whole_schemas_as_json(printed):
    out = printed("show", "winoglot-en", "winoglot-zh", "--id", "piano-sale", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["id"] for row in rows] == ["piano-sale", "piano-sale"]
    assert rows[0]["items"][1]["answer"] == 0


def test_stats_count_everything(printed):
    out = printed("stats", six_file("pt"))
    assert "6, with 6 of 2 items" in out
    assert "first: 6, second: 6" in out
    counts = json.loads(printed("stats", six_file("pt"), "--json"))
    assert (counts["items"], counts["variants"]) == (12, {"relative": 2, "switched": 2})
    assert counts["hashes"]["originals"] == six("pt").hash
    assert len(json.loads(printed("stats", "winoglot", "--json"))) == 9


def test_export_and_import_keep_everything(printed, tmp_path):
    exported, again = tmp_path / "pt.jsonl", tmp_path / "again.yaml"
    exported.write_text(printed("export", six_file("pt"), "--to", "jsonl"), encoding="utf-8")
    report = json.loads(printed("import", exported, "-o", again, "--json"))
    assert report == {"schemas": 6, "items": 12, "variants": 4, "repaired": [], "skipped": []}
    assert wg.load(exported) == wg.load(again) == six("pt")


def test_an_output_is_never_overwritten_without_force(printed, refused, tmp_path):
    target = tmp_path / "out.jsonl"
    target.write_text("mine")
    export = ("export", six_file("pt"), "--to", "jsonl", "-o", target)
    for command in (export, ("import", tmp_path / "absent.yaml", "-o", target)):
        refused(*command, says="--force")
        assert target.read_text() == "mine"
    printed(*export, "--force")
    assert wg.load(target).name == "six-pt"


def test_a_failed_import_leaves_nothing_behind(refused, tmp_path):
    source = tmp_path / "bad.yaml"
    schema = "{id: a, text: no pronoun, candidates: [a], answers: [0]}"
    source.write_text(f"collection: a\nlanguage: en\nschemas: [{schema}]\n")
    place = "bad.yaml, line 3, column 25, schema 'a', text: the text has no pronoun"
    refused("import", source, "-o", tmp_path / "out.jsonl", says=place)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.yaml"]


def test_import_takes_format_and_language(printed, refused, tmp_path):
    source, target = tmp_path / "collection.txt", tmp_path / "out.yaml"
    source.write_text(six_file("fr").read_text("utf-8"), "utf-8")
    printed("import", source, "-o", target, "--format", "yaml", "--language", "fr-CA", "--name", "other")
    assert wg.load(target).name == "other"
    refused("import", source, "-o", tmp_path / "x.yaml", "--language", "pt", says="is in fr, not in pt")
    refused("import", source, "-o", tmp_path / "x.yaml", "--format", "jsonl")
    refused("import", source, "-o", tmp_path / "x.doc", says="suffix '.doc'")
    assert not list(tmp_path.glob("x.*"))


def test_readings_are_printed_and_given_as_json(printed):
    text = "From the platform, Rosa waved to Lena until the train carried {Lena} away."
    assert text in printed("readings", six_file("en"))
    lines = printed("readings", six_file("en"), "--readings", "naive", "--json").splitlines()
    first = json.loads(lines[0])
    assert len(lines) == 24
    assert first["before"] + first["inserted"] + first["after"] == first["text"]
    assert {"item_id", "candidate", "before", "inserted", "after", "text", "rule", "derived"} <= set(first)
    every_kind = printed("readings", six_file("en"), "--kinds", "all", "--id", "train-wave")
    assert "train-wave.0~switched" in every_kind
    assert "train-wave.0~segment-masked" in every_kind


@pytest.mark.parametrize("width", [80, 100, 140])
def test_no_word_of_any_help_is_broken(width, monkeypatch, capsys):
    def words(path, columns):
        monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", columns)
        app([*path, "--help"], prog_name="winoglot", standalone_mode=False)
        return set(re.sub("[│╭╮╰╯─]", " ", capsys.readouterr().out).split())

    app = get_command(build_app())
    for path in _commands(app, ()):
        assert not words(path, width) - words(path, 400), path


def _commands(command, path):
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, (*path, name))


@listed
def test_what_cannot_be_is_refused_with_a_reason_and_leaves_nothing(words, says, refused, tmp_path, monkeypatch):
    """`PT` stands for the file of six Portuguese schemas, `EN` for that of the English ones."""
    monkeypatch.chdir(tmp_path)
    files = {"PT": six_file("pt"), "EN": six_file("en")}
    refused(*(files.get(word, word) for word in words.split()), says=says)
    assert not list(tmp_path.iterdir())


def commands(group=None, path=()):
    """The words of every command, those of groups included."""
    group = group or get_command(build_app())
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from commands(command, (*path, name))
        if not command.hidden:
            yield (*path, name)


@pytest.mark.parametrize("command", list(commands()), ids=" ".join)
def test_every_command_has_help_with_an_example(printed, command):
    text = " ".join(printed(*command, "--help").replace("│", " ").split())
    assert f"Example: winoglot {' '.join(command)}" in text
    assert command[0] in printed("--help").split()


def test_paragraphs_of_the_help_are_wrapped_by_the_terminal():
    app = get_command(build_app())
    for path in commands(app):
        command = app
        for name in path:
            command = command.commands[name]
        assert not re.search(r"[^\n]\n[^\n]", command.help), path


def test_a_language_chooses_the_collection_of_a_family(printed):
    for language in ("pt", "pt-BR"):
        assert json.loads(printed("stats", "winoglot", "--language", language, "--json"))["collection"] == "winoglot-pt"
    assert "Rosa acenava para Lena" in printed("show", "winoglot", "--language", "pt", "--id", "train-wave")


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
    code = f"import atexit, sys; atexit.register(lambda: print('', *sys.modules)); {MAIN}"
    command = [sys.executable, "-X", "utf8", "-c", code, *arguments]
    out = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    assert not heavy & set(out.rstrip().rsplit("\n", 1)[1].split())


def test_a_closed_pipe_is_no_traceback():
    command = [sys.executable, "-X", "utf8", "-c", MAIN, "export", "winoglot-zh", "--to", "jsonl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def shell(arguments, environment=None, **options):
    command = [sys.executable, "-c", MAIN, *arguments]
    done = subprocess.run(command, env=os.environ | (environment or {}), stderr=subprocess.PIPE, check=False, **options)
    return done.returncode, done.stderr.decode()


def test_output_that_a_terminal_cannot_show_or_a_disk_cannot_hold(tmp_path):
    for encoding in ("ascii", "latin-1"):
        told = shell(["show", six_file("zh")], {"PYTHONIOENCODING": encoding}, stdout=subprocess.DEVNULL)
        assert told == (0, "")
    with open("/dev/full", "w") as full:  # noqa: PTH123
        code, err = shell(["list", "formats"], stdout=full)
    assert (code, "standard output cannot be written" in err, "Traceback" in err) == (1, True, False)


def test_what_a_file_says_is_shown_and_not_obeyed(printed, refused, tmp_path):
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
    assert "see [/x] [bold]LICENCE" in printed("stats", path)
    assert r"Ann saw \[red\] Bob and {\[blue\]} left." in printed("show", path)
    assert "[red]" in printed("readings", path)
    path.write_text('collection: a\nlanguage: en\n"\\e]0;x\\a": 1\nschemas: []\n', encoding="utf-8")
    assert "\x1b" not in refused("show", path)


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
