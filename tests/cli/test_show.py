import json

import pytest

import winoglot as wg
from six_schemas import six_file
from winoglot import Candidate, Inference, Item

COLLECTION = """
collection: lake
language: fr
schemas:
  - id: branch
    text: "Omar guide Luc, et la branche {lui} griffe [le front|la joue]."
    candidates: [Omar, Luc]
    answers: [0, 1]
    tags: [switchable]
    readings:
      - - "Omar guide Luc, et la branche griffe le front {d'Omar}."
        - "Omar guide Luc, et la branche griffe le front {de Luc}."
      - [null, null]
  - id: boat
    text: "Omar a vendu la barque à Luc, et {il} [rame|compte]."
    candidates: [Omar, Luc]
    answers: [1, 0]
"""


@pytest.fixture
def lake(tmp_path):
    path = tmp_path / "lake.yaml"
    path.write_text(COLLECTION, encoding="utf-8")
    return path


def test_readings_of_variants_are_printed_instead_of_those_of_the_originals(printed, lake):
    command = ("readings", lake, "--readings", "grammatical", "--kinds", "switched, switched")
    out = printed(*command)
    assert out.splitlines()[:4] == [
        "branch.0~switched",
        "    Luc guide Omar, et la branche griffe le front {d'Omar}.",
        "  ✓ Luc guide Omar, et la branche griffe le front {de Luc}.",
        "branch.1~switched",
    ]
    assert "not derived: the pronoun is the owner of 'joue'" in out
    assert "boat" not in out  # it is not tagged switchable
    rows = [json.loads(line) for line in printed(*command, "--json").splitlines()]
    assert [row["item_id"] for row in rows] == ["branch.0~switched"] * 2 + ["branch.1~switched"] * 2
    assert rows[0]["window"]["text"] == "."


def test_a_collection_without_readings_is_an_input_error(refused, tmp_path):
    path = tmp_path / "pairs.jsonl"
    pair = Inference("Ann saw Sue because she was tall.", "Ann was tall.", entailed=False)
    item = Item("a.0", "a", candidates=(Candidate("Ann"), Candidate("Sue")), inferences=(pair,))
    wg.save(wg.Collection("pairs", "en", (wg.Schema("a", (item,)),)), path)
    refused("readings", path, "--json", says="have neither a pronoun nor readings of their own")


def test_some_schemas_alone_can_be_read(printed, refused, lake):
    out = printed("readings", lake, "--id", "boat")
    assert [line for line in out.splitlines() if not line.startswith(" ")] == ["boat.0", "boat.1"]
    refused("readings", lake, "--id", "boat", "--kinds", "switched", says="boat has no variant of kind switched")
    refused("readings", lake, "--id", "boot", says="Did you mean 'boat'?")
    refused("readings", lake, "--kinds", "swiched", says="switched")


def test_readings_take_the_former_name_of_their_option_too(printed):
    command = ("readings", six_file("fr"))
    assert printed(*command, "--style", "naive") == printed(*command, "--readings", "naive") != printed(*command)
    assert "--style" not in printed("readings", "--help")
