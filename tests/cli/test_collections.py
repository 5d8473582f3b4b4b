"""`import` and `export` with other people's files: what they say, and what they refuse."""

import json
import re

import pytest

import winoglot as wg
from six_schemas import LANGUAGES, six_file

SENTENCES = [
    ("A-1", "Nora phoned Petra because _ had news.", "2"),
    ("A-2", "Nora phoned Petra because _ had asked.", "1"),
    ("B-1", "Here is no blank.", "1"),
]
BLOCKS = "Nora phoned Petra because the man was late.\nthe man\nNora,Petra\nNora\n\n"


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.jsonl"
    keys = ("qID", "sentence", "answer", "option1", "option2")
    lines = [json.dumps(dict(zip(keys, (*row, "Petra", "Nora"), strict=True))) + "\n" for row in SENTENCES]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_what_is_left_out_is_said_with_its_line(printed, rows, tmp_path):
    out = printed("import", rows, "-o", tmp_path / "out.yaml")
    assert "1 schema, 2 items, 0 variants" in out
    assert "Left out: 1\n  line 3: row B-1: its sentence: expected exactly one '_', found none" in out
    report = json.loads(printed("import", rows, "-o", tmp_path / "out.jsonl", "--json"))
    assert (report["schemas"], report["items"], report["variants"], report["repaired"]) == (1, 2, 0, [])
    assert [set(remark) for remark in report["skipped"]] == [{"line", "what", "why"}]


def test_repairs_are_said_and_refused_by_strict(printed, refused, tmp_path):
    source, target = tmp_path / "faulty.txt", tmp_path / "out.yaml"
    source.write_text(BLOCKS, encoding="utf-8")
    refused("import", source, "-o", target, "--strict", says="faulty.txt, line 1: 1 repair would be needed")
    assert not target.exists()
    report = json.loads(printed("import", source, "-o", target, "--json"))
    assert "not a pronoun that can refer to a candidate" in report["repaired"][0]["why"]
    (item,) = wg.load(target).items
    assert item.pronoun.of(item.text) == "the man"


def test_whose_data_it_is_travels_along(printed, refused, rows, tmp_path):
    target = tmp_path / "out.yaml"
    whose = ("--licence", "CC-BY-4.0", "--citation", "Nora (2026).", "--language", "en-GB")
    printed("import", rows, "-o", target, *whose)
    collection = wg.load(target)
    assert (collection.licence, collection.citation, collection.language) == ("CC-BY-4.0", "Nora (2026).", "en-GB")
    assert "rows.jsonl" in collection.provenance[0]
    assert collection.items[0].source.id == "A-1"
    refused("import", rows, "-o", tmp_path / "x.yaml", "--labels", rows, says="expected a list, found '{")


@pytest.mark.parametrize("command", [["export", "--to", "xwinograd"], ["import"], ["rename"], ["switch"]])
def test_every_command_that_writes_a_collection_says_what_the_format_cannot_hold(run_winoglot, tmp_path, command):
    code, _, err = run_winoglot(*command, six_file("pt"), "-o", tmp_path / "out.tsv")
    assert code == 0
    assert re.search(r"^not in xwinograd: variants: .*call-microphone.0~switched", err, re.MULTILINE)


def test_many_ids_that_a_format_cannot_hold_are_counted(run_winoglot, tmp_path):
    code, _, err = run_winoglot("export", "winoglot-en", "--to", "wnli", "-o", tmp_path / "out.tsv")
    assert code == 0
    assert f"not in wnli: variants: {len(wg.load('winoglot-en').variants()):,} (" in err
    assert max(map(len, err.splitlines())) < 200


def test_names_of_collections_do_not_grow(printed, tmp_path):
    for number in range(3):
        target = tmp_path / "six-fr.tsv"
        printed("export", six_file("fr") if not number else tmp_path / "six-fr.yaml", "-o", target, "--force")
        printed("import", target, "-o", tmp_path / "six-fr.yaml", "--force")
        assert wg.load(tmp_path / "six-fr.yaml").name == "six-fr"
    source = six_file("pt")
    for number in range(3):
        target = tmp_path / f"renamed-{number}.yaml"
        printed("rename", source, "-o", target, "--seed", number, "--names", "pt-PT" if number == 2 else "pt-BR")
        assert wg.load(target).name == ("six-pt-pt" if number == 2 else "six-pt-br")
        source = target


def test_folders_are_written_only_with_a_name_and_never_over_others(printed, refused, tmp_path):
    export = ("export", six_file("pt"), "--to", "lm-eval")
    refused(*export, says="-o")
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "mine.txt").write_text("mine")
    refused(*export, "-o", tmp_path / "task", "--force", says="mine.txt")
    printed(*export, "-o", tmp_path / "new")


def test_several_collections_go_only_where_they_fit(printed, refused, tmp_path):
    printed("export", *map(six_file, LANGUAGES), "--to", "html", "-o", tmp_path / "all.html")
    two = (six_file("en"), six_file("pt"), "--to", "jsonl", "-o", tmp_path / "two.jsonl")
    refused("export", *two, says="can hold only one collection")


@pytest.mark.parametrize("command", [["stats"], ["show"], ["readings"], ["check"], ["export", "--to", "yaml"]])
def test_a_file_in_several_languages_is_read_by_every_command_that_is_told_which(printed, refused, tmp_path, command):
    path = tmp_path / "two.tsv"
    tables = [printed("export", six_file(language), "--to", "xwinograd") for language in ("en", "fr")]
    path.write_text("".join(tables), encoding="utf-8")
    refused(*command, path, says="Choose one with --language")
    printed(*command, path, "--language", "fr")


def test_export_goes_by_the_suffix_of_its_output(printed, refused, tmp_path):
    target = tmp_path / "pt.jsonl"
    assert printed("export", six_file("pt"), "-o", target) == f"{target} written (jsonl)\n"
    assert target.read_text(encoding="utf-8") == printed("export", six_file("pt"), "--to", "jsonl")
    refused("export", six_file("pt"), says="no format to write is named. Add --to jsonl")
