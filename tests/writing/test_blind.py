import itertools
import json
from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from six_schemas import six
from study.asked import TEXT, answered, small, write
from transcripts import FILE, ROOT
from winoglot.errors import InputError
from winoglot.study.judgements import question_id
from winoglot.writing.blind import blind_check

PT = six("pt")


@cache
def items_of(collection):
    items = (*collection.items, *collection.variants())
    return {question_id(collection, item, order): item for item in items for order in ((0, 1), (1, 0))}


def asked_of(collection, **options):
    """The items of a check, in the order in which they are asked."""
    return [items_of(collection)[question.id] for question in blind_check(collection, **options).questions]


def made(counts):
    """A collection whose schemas have this many items each."""
    schemas = []
    for number, count in enumerate(counts):
        names = (wg.Candidate("Ann", mentions=(wg.Span(0, 3),)), wg.Candidate("Eve"))
        same = {"pronoun": wg.Span(16, 19), "candidates": names, "answer": 0}
        ids = [f"s{number}.{k}" for k in range(count)]
        items = (wg.Item(name, f"s{number}", text=f"Ann saw Eve and she left {name}.", **same) for name in ids)
        schemas.append(wg.Schema(f"s{number}", tuple(items)))
    return wg.Collection("made", "en", tuple(schemas))


@given(st.integers(0, 2**32), st.lists(st.integers(1, 3), min_size=2, max_size=9))
def test_items_of_a_schema_never_stand_side_by_side(seed, counts):
    collection = made(counts)
    asked = asked_of(collection, seed=seed)
    assert sorted(item.id for item in asked) == sorted(item.id for item in collection.items)
    if len(counts) > 1 and max(counts) - 1 <= sum(counts) - max(counts):
        assert all(a.schema_id != b.schema_id for a, b in itertools.pairwise(asked))


@given(st.integers(0, 2**32))
def test_parts_hold_all_items_once_and_none_two_of_a_schema(seed):
    asked = [asked_of(PT, seed=seed, part=(number, 3)) for number in (1, 2, 3)]
    assert sorted(item.id for part in asked for item in part) == sorted(item.id for item in PT.items)
    for part in asked:
        assert max(Counter(item.schema_id for item in part).values()) == 1


@given(st.integers(0, 2**32))
def test_variants_go_to_the_reader_of_their_alternative(seed):
    kinds = ["relative", "switched"]
    asked = []
    for number in (1, 2):
        items = asked_of(PT, kinds=kinds, seed=seed, part=(number, 2))
        alternatives = {(item.schema_id, item.variant_of) for item in items}
        assert len(alternatives) == len({schema for schema, _ in alternatives})
        asked += items
    assert sorted(item.id for item in asked) == sorted(item.id for item in PT.variants() if item.kind in kinds)


def test_the_right_answer_comes_first_about_half_of_the_time():
    assert blind_check(PT, seed=5) == blind_check(six("pt"), seed=5) != blind_check(PT, seed=6)
    first = 0
    for seed in range(50):
        for question in blind_check(PT, seed=seed).questions:
            item = items_of(PT)[question.id]
            first += question.answers[0] == item.candidates[item.answer].text
    assert 0.42 < first / (50 * len(PT.items)) < 0.58


def test_a_reader_sees_text_question_and_answers_and_nothing_else():
    files = blind_check(PT, seed=1).files()
    assert set(files) == {"README.txt", "questions.jsonl", "questions.md"}
    rows = [json.loads(line) for line in files["questions.jsonl"].splitlines()]
    assert all(set(row) == {"id", "text", "question", "answers"} for row in rows)
    everything = "".join(files.values())
    for schema in PT.schemas:
        assert schema.id not in everything
        assert schema.explanation not in everything
    assert "[" not in "".join(row["text"] for row in rows)
    assert all("{" in row["text"] for row in rows)


def test_what_cannot_be_asked_is_named():
    with pytest.raises(InputError, match="no stored variants of the kind 'tense'"):
        blind_check(PT, kinds=["tense"])
    for part in ((0, 3), (4, 3)):
        with pytest.raises(InputError, match="there is no part"):
            blind_check(PT, part=part)
    with pytest.raises(InputError, match="is empty"):
        blind_check(made([1]), part=(2, 2))
    reading = wg.WrittenReading("Ann left.", None)  # an item without a text
    bare = wg.Schema("bare", (wg.Item("bare.0", "bare", readings=(reading, wg.WrittenReading("Eve left.")), answer=0),))
    check = blind_check(wg.Collection("mixed", "en", (*made([2, 2]).schemas, bare)))
    assert (check.left_out, len(check.questions)) == (("bare.0",), 4)


def test_the_documentation_shows_what_a_reader_sees(tmp_path):
    page = (ROOT / "docs" / "blind.md").read_text(encoding="utf-8")
    files = dict(FILE.findall(page))
    (tmp_path / "three.yaml").write_text(files["three.yaml"], encoding="utf-8")
    first = blind_check(wg.load(tmp_path / "three.yaml"), seed=1).files()["questions.jsonl"].splitlines()[0]
    assert f"```json\n{first}\n```" in page


HALF = """
  - id: empty
    text: ""
    candidates: ["", ""]
  - id: faulty
    text: "Nora saw Edith [sing|dance]."
    candidates: [Nora, Edith]
    answers: [0, 1]
"""


def test_what_is_finished_of_a_translation_can_be_asked_and_judged_already(run_winoglot, tmp_path):
    collection = small(tmp_path)
    half = tmp_path / "half.yaml"
    half.write_text(TEXT + HALF, encoding="utf-8")
    code, out, _ = run_winoglot("review", "export", half, "--blind", "-o", tmp_path / "r")
    assert code == 0
    assert "6 questions" in out
    assert f"unfinished or faulty (see winoglot review {half}): empty, faulty" in out
    code, out, _ = run_winoglot("review", "import", half, write(tmp_path / "j.jsonl", answered(collection, "r")))
    assert (code, "To repair: 0 of 6 items" in out) == (0, True)


def test_where_nothing_is_finished_there_is_nothing_to_ask(run_winoglot, tmp_path):
    for head, message in ((HALF.partition("  - id: faulty")[0], "no schema is finished yet"), (HALF, "no pronoun")):
        (tmp_path / "new.yaml").write_text(f"collection: new\nlanguage: en\nschemas:{head}", encoding="utf-8")
        code, _, err = run_winoglot("review", "export", tmp_path / "new.yaml", "--blind", "-o", tmp_path / "r")
        assert code == 2
        assert message in err
        assert not (tmp_path / "r").exists()
