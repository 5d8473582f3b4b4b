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


def test_what_looks_like_a_collection_and_cannot_be_read_is_named(run_winoglot, place):
    own, folder = place
    (folder / "good.yaml").write_text(TEXT, encoding="utf-8")
    (folder / "faulty.yaml").write_text(FAULTY, encoding="utf-8")
    (folder / "old" / "latin.txt").write_bytes(TEXT.replace("Vera", "Zoë").encode("latin-1"))
    (folder / "README.md").write_text("Published collections.", encoding="utf-8")
    (folder / "LICENSE").write_text("", encoding="utf-8")
    (folder / "counts.bin").write_bytes(b"\0\1")
    code, out, _ = run_winoglot("check", own, "--against", folder, "--select", "near-duplicates")
    assert code == 0
    said = " ".join(out.split())
    assert f"Nearest in published ({folder / 'good.yaml'})" in said
    assert f"{folder / 'faulty.yaml'}, line 7, column 18, schema 'coat', answers[1]: the answer 9 is not" in said
    assert "0xEB is not UTF-8" in said
    assert not any(name in said for name in ("README", "LICENSE", "counts.bin"))
    _, out, _ = run_winoglot("check", own, "--against", folder, "--json")
    faulty, latin = json.loads(out)["unread"]
    assert faulty == {
        "file": str(folder / "faulty.yaml"),
        "line": 7,
        "why": "the answer 9 is not a candidate's index",
    }
    assert latin["file"] == str(folder / "old" / "latin.txt")


def test_where_nothing_can_be_read_the_error_says_what_and_why(run_winoglot, place):
    own, folder = place
    (folder / "faulty.yaml").write_text(FAULTY, encoding="utf-8")
    code, out, err = run_winoglot("check", own, "--against", folder)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{folder / 'faulty.yaml'}, line 7" in err
    assert "the answer 9 is not a candidate's index" in err


def test_collections_of_one_name_are_listed_each_with_its_file(run_winoglot, place):
    own, folder = place
    (folder / "new.yaml").write_text(TEXT, encoding="utf-8")
    (folder / "old" / "same.yaml").write_text(TEXT.replace("woollen", "thick"), encoding="utf-8")
    _, out, _ = run_winoglot("check", own, "--against", folder, "--nearest", 1, "--json")
    near = json.loads(out)["nearest"]
    assert [(row["collection"], row["file"]) for row in near] == [
        ("published", str(folder / "new.yaml")),
        ("published", str(folder / "old" / "same.yaml")),
    ]
    _, out, _ = run_winoglot("check", own, "--against", folder, "--nearest", 1)
    assert out.count("Nearest in published (") == 2
    _, out, _ = run_winoglot("check", own, "--against", "winoglot-en")
    assert "Nearest in winoglot-en\n" in out
