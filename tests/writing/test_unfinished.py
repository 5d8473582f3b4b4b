import pytest

import winoglot as wg
from cases import for_each, listed
from six_schemas import LANGUAGES, six
from winoglot.errors import InputError
from winoglot.writing.skeleton import skeleton
from winoglot.writing.unfinished import read_unfinished

HEAD = "collection: work\nlanguage: en\nschemas:\n"
WHOLE = """\
  - id: bus-seat
    text: "Liam gave his seat to Peter because {he} was [tired|getting off]."
    candidates: [Liam, Peter]
    answers: [1, 0]
"""
EMPTY = '  - id: jar-lid\n    text: ""\n    candidates: ["", ""]\n    answers: [0, 1]\n'
FAULTY = WHOLE.replace("bus-seat", "bus-stop").replace("{he}", "he")


def read(folder, text):
    path = folder / "work.yaml"
    path.write_text(text, encoding="utf-8")
    return read_unfinished(path)


def test_what_is_whole_is_read_beside_what_is_not(tmp_path):
    file = read(tmp_path, HEAD + EMPTY + FAULTY + WHOLE)
    empty, faulty, whole = file.schemas
    assert empty.empty == ("text", "candidates")
    assert not empty.begun
    assert not empty.error
    assert "has no pronoun" in faulty.error
    assert "line 9" in faulty.error
    assert whole.schema.id == "bus-seat"
    assert [schema.id for schema in file.collection.schemas] == ["bus-seat"]


def test_a_finished_file_is_the_collection_that_load_gives(tmp_path):
    for collection in map(six, LANGUAGES):
        path = tmp_path / f"{collection.name}.yaml"
        wg.save(collection, path)
        file = read_unfinished(path)
        assert file.collection == collection
        assert not any(work.empty or work.error for work in file.schemas)
    wg.save(collection, tmp_path / "other.jsonl")
    assert read_unfinished(tmp_path / "other.jsonl").collection == collection
    file = read(tmp_path, skeleton(collection, "es"))  # nothing is whole in an untouched skeleton
    assert file.collection is None
    assert not any(work.begun or work.error for work in file.schemas)


def test_one_blank_in_a_list_is_still_a_blank_and_null_is_an_answer(tmp_path):
    half = '    question: ["Who was tired?", ""]\n    explanation: ""\n'
    (work,) = read(tmp_path, HEAD + WHOLE + half).schemas
    assert work.empty == ("question", "explanation")
    assert work.schema is not None
    (work,) = read(tmp_path, HEAD + WHOLE + '    question: ["Who was tired?", null]\n').schemas
    assert work.empty == ()
    assert [item.question for item in work.schema.items] == ["Who was tired?", None]


def test_a_schema_that_clashes_with_another_gets_the_error(tmp_path):
    file = read(tmp_path, HEAD + WHOLE + WHOLE)
    assert [bool(work.schema) for work in file.schemas] == [True, False]
    assert "another schema has the same id" in file.schemas[1].error


@listed
def test_a_file_that_is_no_collection_is_an_input_error(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, text)


@for_each("given", ["[one]", "{one: two}"])
def test_a_parallel_id_that_is_no_text_is_an_error_under_the_schemas_own_id(tmp_path, given):
    (work,) = read(tmp_path, HEAD + WHOLE + f"    parallel_id: {given}\n").schemas
    assert work.parallel_id == "bus-seat"
    assert "parallel_id: expected text" in work.error


def test_a_file_in_another_language_than_asked_for_is_refused(tmp_path):
    read(tmp_path, HEAD + WHOLE)
    assert read_unfinished(tmp_path / "work.yaml", "en-GB").collection.language == "en"
    with pytest.raises(InputError, match="the collection is in en, not in fr"):
        read_unfinished(tmp_path / "work.yaml", "fr")
