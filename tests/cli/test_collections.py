"""`import` and `export` with other people's files: what they say, and what they refuse."""

import json

import pytest

import winoglot as wg
from six_schemas import LANGUAGES, six_file

ROWS = [
    {
        "qID": "A-1",
        "sentence": "Nora phoned Petra because _ had news.",
        "option1": "Petra",
        "option2": "Nora",
        "answer": "2",
    },
    {
        "qID": "A-2",
        "sentence": "Nora phoned Petra because _ had asked.",
        "option1": "Petra",
        "option2": "Nora",
        "answer": "1",
    },
    {"qID": "B-1", "sentence": "Here is no blank.", "option1": "Petra", "option2": "Nora", "answer": "1"},
]
BLOCKS = "Nora phoned Petra because the man was late.\nthe man\nNora,Petra\nNora\n\n"


@pytest.fixture
def run(run_winoglot):
    return run_winoglot


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


@pytest.fixture
def faulty(tmp_path):
    path = tmp_path / "faulty.txt"
    path.write_text(BLOCKS, encoding="utf-8")
    return path


def test_what_is_left_out_is_said_with_its_line(run, rows, tmp_path):
    code, out, _ = run("import", rows, "-o", tmp_path / "out.yaml")
    assert code == 0
    assert "1 schema, 2 items, 0 variants" in out
    assert "Left out: 1\n  line 3: row B-1: its sentence: expected exactly one '_', found none" in out
    report = json.loads(run("import", rows, "-o", tmp_path / "out.jsonl", "--json")[1])
    assert (report["schemas"], report["items"], report["variants"], report["repaired"]) == (1, 2, 0, [])
    assert [set(remark) for remark in report["skipped"]] == [{"line", "what", "why"}]


def test_repairs_are_said_and_refused_by_strict(run, faulty, tmp_path):
    target = tmp_path / "out.yaml"
    code, _, err = run("import", faulty, "-o", target, "--strict")
    assert code == 2
    assert "faulty.txt, line 1: 1 repair would be needed" in err
    assert not target.exists()
    report = json.loads(run("import", faulty, "-o", target, "--json")[1])
    assert "not a pronoun that can refer to a candidate" in report["repaired"][0]["why"]
    assert wg.load(target).items[0].pronoun.of(wg.load(target).items[0].text) == "the man"


def test_whose_data_it_is_travels_along(run, rows, tmp_path):
    target = tmp_path / "out.yaml"
    run("import", rows, "-o", target, "--licence", "CC-BY-4.0", "--citation", "Nora (2026).", "--language", "en-GB")
    collection = wg.load(target)
    assert (collection.licence, collection.citation, collection.language) == ("CC-BY-4.0", "Nora (2026).", "en-GB")
    assert "rows.jsonl" in collection.provenance[0]
    assert collection.items[0].source.id == "A-1"
    run("export", target, "--to", "html", "-o", tmp_path / "out.html")
    assert "Nora (2026)." in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_labels_are_refused_where_a_format_takes_none(run, rows, tmp_path):
    code, _, err = run("import", rows, "-o", tmp_path / "out.yaml", "--labels", rows)
    assert code == 2
    assert "'winogrande' takes no labels" in err


def test_export_says_what_a_format_cannot_hold(run, tmp_path):
    code, _, err = run("export", six_file("pt"), "--to", "wnli", "-o", tmp_path / "out.tsv")
    assert code == 0
    assert "not in wnli: variants: call-microphone.0~switched" in err


def test_folders_are_written_only_with_a_name_and_never_over_others(run, tmp_path):
    code, _, err = run("export", six_file("pt"), "--to", "lm-eval")
    assert code == 2
    assert "-o" in err
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "mine.txt").write_text("mine")
    code, _, err = run("export", six_file("pt"), "--to", "lm-eval", "-o", tmp_path / "task", "--force")
    assert code == 2
    assert "mine.txt" in err
    assert run("export", six_file("pt"), "--to", "lm-eval", "-o", tmp_path / "new")[0] == 0


def test_several_collections_go_only_where_they_fit(run, tmp_path):
    assert run("export", *map(six_file, LANGUAGES), "--to", "html", "-o", tmp_path / "all.html")[0] == 0
    code, _, err = run("export", six_file("en"), six_file("pt"), "--to", "jsonl", "-o", tmp_path / "two.jsonl")
    assert code == 2
    assert "can hold only one collection" in err


@pytest.mark.parametrize("command", [["stats"], ["show"], ["readings"], ["check"], ["export", "--to", "yaml"]])
def test_a_file_in_several_languages_is_read_by_every_command_that_is_told_which(run, tmp_path, command):
    rows = [
        data
        for language in ("en", "fr")
        for data in run("export", six_file(language), "--to", "xwinograd")[1].splitlines()
    ]
    path = tmp_path / "two.tsv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    code, _, err = run(*command, path)
    assert code == 2
    assert "Choose one with --language" in err
    assert run(*command, path, "--language", "fr")[0] == 0


def test_an_import_into_a_narrower_format_says_what_is_lost(run, tmp_path):
    run("export", six_file("pt"), "--to", "yaml", "-o", tmp_path / "pt.yaml")
    code, _, err = run("import", tmp_path / "pt.yaml", "-o", tmp_path / "pt.tsv")
    assert code == 0
    assert "not in xwinograd: variants" in err


def test_export_goes_by_the_suffix_of_its_output(run, tmp_path):
    assert run("export", six_file("pt"), "-o", tmp_path / "pt.jsonl")[:2] == (
        0,
        f"{tmp_path / 'pt.jsonl'} written (jsonl)\n",
    )
    run("export", six_file("pt"), "--to", "jsonl", "-o", tmp_path / "same.jsonl")
    assert (tmp_path / "pt.jsonl").read_bytes() == (tmp_path / "same.jsonl").read_bytes()
    code, _, err = run("export", six_file("pt"))
    assert (code, "no format to write is named. Add --to jsonl" in err) == (2, True)
