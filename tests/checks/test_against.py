import json

import pytest

OWN = """\
collection: own
language: en
schemas:
  - id: coat
    text: "Anna lent Vera a coat because {she} was [warm|cold]."
    candidates: [Anna, Vera]
    answers: [0, 1]
"""
TEXT = OWN.replace("collection: own", "collection: published").replace("a coat", "a woollen coat")
FAULTY = TEXT.replace("answers: [0, 1]", "answers: [0, 9]")


@pytest.fixture
def place(tmp_path):
    """A collection to check, and a folder to put published ones into."""
    (tmp_path / "own.yaml").write_text(OWN, encoding="utf-8")
    folder = tmp_path / "published"
    (folder / "old").mkdir(parents=True)
    return tmp_path / "own.yaml", folder


def test_what_looks_like_a_collection_and_cannot_be_read_is_named(printed, place):
    own, folder = place
    (folder / "good.yaml").write_text(TEXT, encoding="utf-8")
    (folder / "faulty.yaml").write_text(FAULTY, encoding="utf-8")
    (folder / "old" / "latin.txt").write_bytes(TEXT.replace("Vera", "Zoë").encode("latin-1"))
    (folder / "README.md").write_text("Published collections.", encoding="utf-8")
    (folder / "LICENSE").write_text("", encoding="utf-8")
    (folder / "counts.bin").write_bytes(b"\0\1")
    said = " ".join(printed("check", own, "--against", folder, "--select", "near-duplicates").split())
    assert f"Nearest in published ({folder / 'good.yaml'})" in said
    assert f"{folder / 'faulty.yaml'}, line 7, column 18, schema 'coat', answers[1]: the answer 9 is not" in said
    assert "0xEB is not UTF-8" in said
    assert not any(name in said for name in ("README", "LICENSE", "counts.bin"))
    faulty, latin = json.loads(printed("check", own, "--against", folder, "--json"))["unread"]
    why = "the answer 9 is not a candidate's index"
    assert faulty == {"file": str(folder / "faulty.yaml"), "line": 7, "why": why}
    assert latin["file"] == str(folder / "old" / "latin.txt")


def test_where_nothing_can_be_read_the_error_says_what_and_why(refused, place):
    own, folder = place
    refused("check", own, "--against", folder / "old", says="old")
    refused("check", own, "--against", folder / "none", says="none")
    (folder / "faulty.yaml").write_text(FAULTY, encoding="utf-8")
    reason = [f"{folder / 'faulty.yaml'}, line 7", "the answer 9 is not a candidate's index"]
    refused("check", own, "--against", folder, says=reason)


def test_collections_of_one_name_are_listed_each_with_its_file(printed, place):
    own, folder = place
    (folder / "new.yaml").write_text(TEXT, encoding="utf-8")
    (folder / "old" / "same.yaml").write_text(TEXT.replace("woollen", "thick"), encoding="utf-8")
    against = ("check", own, "--against", folder, "--nearest", 1)
    near = json.loads(printed(*against, "--json"))["nearest"]
    files = [str(folder / "new.yaml"), str(folder / "old" / "same.yaml")]
    assert [(row["collection"], row["file"]) for row in near] == [("published", file) for file in files]
    assert printed(*against).count("Nearest in published (") == 2
    assert "Nearest in winoglot-en\n" in printed("check", own, "--against", "winoglot-en")
