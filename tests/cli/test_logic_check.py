import json

import pytest

PAIR = '"Ana is taller than Eva and Ida , Ana is as tall as Mia",Eva is taller than Mia,1\n'


@pytest.fixture
def heights(tmp_path):
    (tmp_path / "a.csv").write_text("sentence1,sentence2,label\n" + 2 * PAIR, encoding="utf-8")
    return tmp_path / "a.csv"


def test_faults_of_a_file(heights, run_winoglot):
    code, out, _ = run_winoglot("logic", "check", heights)
    assert code == 1
    assert "duplicates: lines 2, 3" in out
    assert "labels contradicted by the proof under the default reading: 2" in out
    assert "labels contradicted by the proof under the as-tall-as=equal reading: 0" in out
    assert "or=exclusive" not in out
    assert "3 faults" in out


def test_a_file_without_faults(tmp_path, run_winoglot):
    rows = [
        f"P{n} is taller than Q{n},Q{n} is taller than P{n},1\nR{n} is taller than S{n},T is taller than U{n},0\n"
        for n in range(2)
    ]
    (tmp_path / "a.csv").write_text("premise,hypothesis,label\n" + "".join(rows), encoding="utf-8")
    code, out, err = run_winoglot("logic", "check", tmp_path / "a.csv", "--no-cues", "--json")
    found = json.loads(out)
    assert (code, err, found["faults"]) == (0, "", [])
    assert found["files"][0]["languages"] == ["en"]
    assert found["files"][0]["labels"]["from_sentences"] == 4


def test_the_table_of_cues_has_a_column_per_depth(tmp_path, run_winoglot):
    for split, letter in (("train", "A"), ("test", "B")):
        rows = [
            {"premise": f"{letter}{n} knows {letter}x.", "hypothesis": f"{letter}{n} {'runs' if n % 2 else 'sits'}.",
             "label": n % 2, "task": "moves", "depth": depth, "id": f"{split}{depth}{n}", "language": "en"}
            for depth in (1, 2) for n in range(60)
        ]  # fmt: skip
        (tmp_path / f"{split}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    code, out, _ = run_winoglot("logic", "check", tmp_path)
    assert code == 1
    assert "moves, en, depth 1" in out
    assert "moves, en, depth 2" in out
    assert "cues not tested: this is a training file" in out
    assert "moves, en, depth 2: cues: hypothesis-only 100.0%, " in out.replace("\n  ", " ")


def test_three_labels_are_turned_into_two_on_request(tmp_path, run_winoglot):
    pairs = [
        ("Bo is taller than Ana", "contradiction"),
        ("Ana is taller than Bo", "entailment"),
        ("Bo is taller than Cy", "neutral"),
    ]
    lines = [f"Ana is taller than Bo,{hypothesis},{label}\n" for hypothesis, label in pairs]
    (tmp_path / "a.csv").write_text("premise,hypothesis,label\n" + "".join(lines), encoding="utf-8")
    code, out, _ = run_winoglot("logic", "check", tmp_path / "a.csv", "--as", "cd")
    assert code == 0
    assert "3 pairs: 2 labelled 0, 1 labelled 1" in out
    assert "from three labels: 1 contradiction, 1 entailment, 1 neutral" in out
    code, _, err = run_winoglot("logic", "check", tmp_path / "a.csv", "--as", "nli")
    assert (code, "Use --as cd" in err) == (2, True)


def test_what_is_wrong_with_columns_and_labels_is_said(tmp_path, run_winoglot):
    (tmp_path / "a.csv").write_text("text,label\na,1\n", encoding="utf-8")
    code, _, err = run_winoglot("logic", "check", tmp_path / "a.csv")
    assert (code, "found: text, label" in err) == (2, True)
    (tmp_path / "a.csv").write_text("premise,hypothesis,label\na,b,yes\n", encoding="utf-8")
    code, _, err = run_winoglot("logic", "check", tmp_path / "a.csv")
    assert (code, "unknown values: yes" in err) == (2, True)
    code, _, err = run_winoglot("logic", "check", tmp_path / "none.csv")
    assert (code, "cannot be read" in err) == (2, True)
