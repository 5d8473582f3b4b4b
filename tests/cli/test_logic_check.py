import json

import pytest

from winoglot.logic.solvers.data import PairChoice, load_pairs

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


def test_three_labels_are_turned_into_two_on_request(tmp_path, printed, refused):
    pairs = [
        ("Bo is taller than Ana", "contradiction"),
        ("Ana is taller than Bo", "entailment"),
        ("Bo is taller than Cy", "neutral"),
    ]
    file = tmp_path / "a.csv"
    lines = [f"Ana is taller than Bo,{hypothesis},{label}\n" for hypothesis, label in pairs]
    file.write_text("premise,hypothesis,label\n" + "".join(lines), encoding="utf-8")
    out = printed("logic", "check", file, "--as", "cd")
    assert "3 pairs: 2 labelled 0, 1 labelled 1" in out
    assert "from three labels: 1 contradiction, 1 entailment, 1 neutral" in out
    refused("logic", "check", file, "--as", "nli", says="Use --as cd")


def test_what_is_wrong_with_columns_and_labels_is_said(tmp_path, refused):
    refused("logic", "check", tmp_path / "none.csv", says="cannot be read")
    (tmp_path / "a.csv").write_text("text,label\na,1\n", encoding="utf-8")
    refused("logic", "check", tmp_path / "a.csv", says="found: text, label")


def test_words_are_counted_as_in_the_published_table(tmp_path, run_winoglot):
    rows = {"train": ["Ana visited Rome,Ana visited Oslo,0"], "test": ["Eva visited Rome,Eva didn't visit Rome,1"]}
    for split, lines in rows.items():
        (tmp_path / f"{split}.csv").write_text("\n".join(["sentence1,sentence2,label", *lines]), encoding="utf-8")
    _, out, _ = run_winoglot("logic", "check", tmp_path)
    assert "4 words; 33.0 characters per pair, 33 at most" in out
    assert "words in both: 2 of 7" in out


def test_pairs_with_a_gold_label_are_read_and_those_without_left_out(tmp_path, run_winoglot):
    labels = ("entailment", "neutral", "contradiction", "-")
    rows = [
        {"gold_label": label, "sentence1": f"A dog runs {label}.", "sentence2": "A cat sits.", "pairID": "7"}
        for label in labels
    ]
    file = tmp_path / "snli_dev.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    _, out, _ = run_winoglot("logic", "check", file, "--language", "en")
    assert "3 pairs: 1 labelled contradiction, 1 labelled entailment, 1 labelled neutral" in out
    assert "left out: 1 pair without a gold label (-)" in out
    assert [pair.label for pair in load_pairs(file, "train", PairChoice())] == list(labels[:3])
