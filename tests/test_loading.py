"""Which format a file is read and written in."""

import subprocess
import sys

import pytest

import winoglot as wg
from six_schemas import six, six_file
from winoglot.errors import InputError
from winoglot.formats.base import InputFile, recognise
from winoglot.loading import format_of, lines_of, path_of, save

_FORMATS_IMPORTED = """
import sys
import winoglot as wg
from winoglot import registry
wg.load(sys.argv[1])
print(*[name for name in registry.names("formats") if "winoglot.formats." + name.replace("-", "_") in sys.modules])
"""


@pytest.mark.parametrize(("file", "name"), [("a.yaml", "yaml"), ("a.yml", "yaml"), ("a.jsonl", "jsonl")])
def test_reading_a_file_of_our_own_imports_one_format(tmp_path, file, name):
    save(six("pt"), tmp_path / file)
    done = subprocess.run(
        [sys.executable, "-c", _FORMATS_IMPORTED, tmp_path / file], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [name]


def test_content_that_the_suffix_belies_is_recognised_among_all_formats(tmp_path):
    path = tmp_path / "a.yaml"
    save(six("pt"), tmp_path / "a.jsonl")
    (tmp_path / "a.jsonl").rename(path)
    assert recognise(InputFile(path)) == "jsonl"
    assert wg.load(path) == six("pt")
    path.write_text("nothing: here", encoding="utf-8")
    assert recognise(InputFile(path)) == "yaml"  # by the suffix, since nothing recognises it


def test_content_and_suffix_that_nothing_recognises_are_refused(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("nothing", encoding="utf-8")
    with pytest.raises(wg.InputError, match=r"not in a format that Winoglot recognises\. Name the format"):
        wg.load(path)


def test_a_file_is_written_in_the_format_of_its_suffix(tmp_path):
    formats = {".yaml": "yaml", ".yml": "yaml", ".jsonl": "jsonl", ".html": "html", ".tsv": "xwinograd"}
    assert {suffix: format_of(tmp_path / f"a{suffix}") for suffix in formats} == formats
    with pytest.raises(wg.InputError, match=r"'\.doc' does not say which format to write\. End the file name in"):
        format_of(tmp_path / "a.doc")
    with pytest.raises(InputError, match=f"Make the folder first: mkdir -p {tmp_path / 'out'}"):
        save(six("pt"), tmp_path / "out" / "a.jsonl")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_schema_item_and_variant_of_a_yaml_file_has_the_line_that_spells_it(language):
    source = f"winoglot-{language}"
    written = path_of(source).read_text(encoding="utf-8").splitlines()
    label, lines = lines_of(source)
    assert label == source
    collection = wg.load(source)
    for schema in collection.schemas:
        assert f"id: {schema.id}" in written[lines[schema.id] - 1]
        for item in (*schema.items, *schema.variants):
            assert item.text[:2] in written[lines[item.id] - 1], item.id
            assert lines[schema.id] < lines[item.id]


def test_items_written_one_by_one_have_lines_of_their_own(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(
        "collection: own\nlanguage: en\nschemas:\n  - id: a\n    candidates: [Anna, Vera]\n    items:\n"
        "      - text: Anna fed Vera because {she} was kind.\n        answer: 0\n"
        "      - text: Anna fed Vera because {she} was hungry.\n        answer: 1\n",
        encoding="utf-8",
    )
    assert lines_of(path) == (str(path), {"a": 4, "a.0": 7, "a.1": 9})


@pytest.mark.parametrize("given", ["tese", "tese.yml", "tesse.yaml", "TESE.yaml"])
def test_a_file_that_was_almost_named_is_suggested(tmp_path, given):
    (tmp_path / "tese.yaml").touch()
    with pytest.raises(InputError, match=f"Did you mean '{tmp_path / 'tese.yaml'}'"):
        wg.load(tmp_path / given)


def test_all_errors_of_a_file_are_told_at_once_in_its_order(tmp_path):
    text = six_file("en").read_text(encoding="utf-8").replace("answers: [0, 1]", "answers: [0, 7]", 1)
    head, *schemas = text.split("  - id: ")
    schemas[-1] = schemas[-1].replace("text:", "txt:", 1)
    file = tmp_path / "bad.yaml"
    file.write_text("  - id: ".join([head, *schemas]), encoding="utf-8")
    with pytest.raises(InputError) as error:
        wg.load(file)
    first, second = str(error.value).splitlines()
    assert "the answer 7 is not a candidate's index" in first
    assert "unknown key 'txt'. Did you mean 'text'?" in second
    assert first.startswith(f"{file}, line ")
    assert second.startswith(f"{file}, line ")
    assert len(error.value.others) == 1


def test_all_independent_errors_of_a_schema_are_told_at_once(tmp_path):
    file = tmp_path / "bad.yaml"
    head = "winoglot: 1\ncollection: bad\nversion: 1.0\nlanguage: en\nschemas:\n"
    file.write_text(
        head
        + """  - {id: a, txt: "{She} left.", candidates: 7, answers: [x]}
  - {id: b, text: "Ana met Bea and {she} [left|stayed].", candidates: [Anna, Beth], answers: [0, 1]}
"""
    )
    with pytest.raises(InputError) as error:
        wg.load(file)
    lines = str(error.value).splitlines()
    told = [
        "unknown key 'txt'",
        "candidates: expected a list",
        "answers[0]: expected a whole number",
        "'Anna'",
        "'Beth'",
    ]
    assert len(lines) == len(told)  # 'text' is not missing too, and each candidate is told once for both alternatives
    assert all(expected in line for expected, line in zip(told, lines, strict=True))
    assert ["schema 'a'" in line for line in lines] == [True, True, True, False, False]


def test_a_repeated_id_is_told_with_the_other_errors_in_the_order_of_the_file(tmp_path):
    file = tmp_path / "bad.yaml"
    schema = "  - {id: a, text: '{She} left before Ana met Bea.', candidates: [Ana, Bea], answers: [0]}\n"
    schemas = schema + schema.replace("[0]", "[2]") + "  - {txt: x}\n"
    file.write_text(f"collection: bad\nlanguage: en\nlicens: CC0\nschemas:\n{schemas}")
    with pytest.raises(InputError) as error:
        wg.load(file)
    told = ["line 3", "the same id. Rename one of the two; the other is schema number 1", "the answer 2", "'txt'"]
    assert all(words in line for words, line in zip(told, str(error.value).splitlines(), strict=True))


def test_errors_of_all_lines_of_json_lines_are_told_at_once(tmp_path):
    file = tmp_path / "bad.jsonl"
    head = '{"winoglot": 1, "collection": "bad", "version": "1.0", "language": "en", "schemas": 4}\n'
    file.write_text(head + '{"id": 5, "items": []}\n{"id": "a", "item": []}\n{cut\n[]\n')
    with pytest.raises(InputError) as error:
        wg.load(file)
    assert {single.line for single in error.value.all} == {2, 3, 4, 5}


def test_a_bundled_name_is_suggested_where_no_file_is_similar(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tese.yaml").touch()
    with pytest.raises(InputError, match="Did you mean 'winoglot-pt'"):
        wg.load("winogot-pt")
    with pytest.raises(
        InputError, match=r"winoglot is there in de, en, es, fr, it, ja, pt, ru, zh: .* --to nl -o winoglot-nl.yaml"
    ) as error:
        wg.load("winoglot-nl")
    assert "Did you mean" not in str(error.value)
