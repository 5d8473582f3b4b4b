import csv
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winoglot.errors import InputError
from winoglot.logic.audit.balance import balance
from winoglot.logic.audit.duplicates import duplicates, extra, shared
from winoglot.logic.audit.labels import reproved
from winoglot.logic.audit.language import language_of
from winoglot.logic.audit.leakage import leakage
from winoglot.logic.audit.meaning import meanings
from winoglot.logic.audit.names import file_names
from winoglot.logic.audit.pair_file import LabelledPair, PairFile, read_pairs
from winoglot.logic.audit.report import audit
from winoglot.logic.dataset import build
from winoglot.logic.recipe import DataRecipe
from winoglot.logic.writing import write


def write_csv(path, rows, head=("sentence1", "sentence2", "label")):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    return path


def made_of(tmp_path, rows, name="a.csv"):
    return read_pairs(write_csv(tmp_path / name, rows))


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), min_size=1).filter(str.strip)


@given(rows=st.lists(st.tuples(TEXT, TEXT, st.sampled_from("01")), min_size=1, max_size=5))
def test_pairs_are_read_as_they_were_written(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    table = read_pairs(write_csv(folder / "a.csv", rows, ("premise", "hypothesis", "label")))
    lines = [json.dumps({"premise": a, "hypothesis": b, "label": int(c)}) for a, b, c in rows]
    (folder / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for file in (table, read_pairs(folder / "a.jsonl")):
        assert [(pair.premise, pair.hypothesis, pair.label) for pair in file.pairs] == rows


def test_our_own_files_are_read_alike_in_all_three_forms(tmp_path):
    write(build(DataRecipe("coordination", "fr", train=6, test=4)), tmp_path)
    read = [read_pairs(tmp_path / f"coordination_test.{kind}") for kind in ("jsonl", "csv", "parquet")]
    plain = [[replace(pair, line=0) for pair in file.pairs] for file in read]
    assert plain[0] == plain[1] == plain[2]
    assert plain[0][0].names["p0"] in f"{plain[0][0].premise} {plain[0][0].hypothesis}"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "premise,label\na,1\n", "premise, hypothesis, label or sentence1, sentence2, label; found: premise"),
        ("a.csv", "premise,hypothesis,label\na,b,2\na,b,0\n", "line 2: the column label has unknown values"),
        ("a.csv", "premise,hypothesis,label\na,b,neutral\na,b,1\n", "neutral, 1"),
        ("a.csv", "premise,hypothesis,label\na,b,\n", "nothing"),
        ("a.csv", "premise,hypothesis,label\na,b,c,1\n", "line 2: the row has 4 cells, but the header has 3"),
        ("a.csv", 'premise,hypothesis,label\n"a,b,1\n', "line 2: not CSV"),
        ("a.csv", "premise,hypothesis,label\n,b,1\n", "line 2: premise: expected text"),
        ("a.csv", "premise,hypothesis,label\n", "contains no pairs"),
        ("a.csv", "", "contains no pairs"),
        ("a.jsonl", '{"premise": "a", "hypothesis": "b", "label": 1}\n[]\n', "line 2: not a JSON object"),
        ("a.jsonl", "{\n", "line 1: not JSON"),
        ("a.jsonl", '{"premise": "a", "hypothesis": "b", "label": null}\n', "unknown label None"),
        ("a.jsonl", '{"premise": "a", "hypothesis": "b", "label": true}\n', "unknown label True"),
        ("a.jsonl", '{"premise": 3, "hypothesis": "b", "label": 1}\n', "premise: expected text, found 3"),
        ("a.parquet", "none", "not a Parquet file"),
        ("a.txt", "a", "the suffix .csv, .jsonl, .parquet"),
    ],
)
def test_files_that_hold_no_pairs_are_refused_with_the_place(tmp_path, name, text, message):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_pairs(tmp_path / name)
    assert message in str(error.value)
    assert name in str(error.value)


def test_lines_are_those_where_rows_begin(tmp_path):
    (tmp_path / "a.csv").write_text('premise,hypothesis,label\n"a\nb",c,1\nd,e,0\n', encoding="utf-8")
    assert [pair.line for pair in read_pairs(tmp_path / "a.csv").pairs] == [2, 4]


def test_labels_that_never_occur_count_against_the_balance(tmp_path):
    file = made_of(tmp_path, [("a", "b", 1), ("c", "d", 1)])
    assert (balance(file).labels, balance(file).balanced) == ({"0": 0, "1": 2}, False)
    file = made_of(tmp_path, [("a", "b", "neutral"), ("c", "d", "entailment"), ("e", "f", "Contradiction")])
    assert balance(file).balanced


def test_duplicates_differ_only_in_case_and_blanks(tmp_path):
    rows = [("Ana has  been here.", "Yes", 1), ("ana has been here.", "yes", 0), ("Ana", "Yes", 1)]
    (found,) = duplicates(made_of(tmp_path, rows))
    assert (found.lines, found.labels, extra((found,))) == ((2, 3), ("1", "0"), 1)
    again = shared(made_of(tmp_path, [("Rui", "No", 0), ("ANA", "yes", 1)], "b.csv"), made_of(tmp_path, rows))
    assert [one.lines for one in again] == [(3, 4)]


@pytest.mark.parametrize("language", ["en", "pt", "fr", "zh"])
def test_the_language_is_recognised(tmp_path, language):
    write(build(DataRecipe("mixed", language, train=30, test=0, proof=False)), tmp_path)
    assert language_of(read_pairs(tmp_path / "mixed_train.csv")) == language


LEAKING = [
    ("Ana has visited Rome, Rui has visited New Delhi", "Ana didn't visit Rome", 1),
    ("Eva has visited Oslo, Ivo has visited Quito", "Ivo didn't visit Oslo", 0),
]
TESTED = [
    ("Rui has visited Lima, Ugo has visited OSLO", "Rui didn't visit Lima", 1),
    ("Lia has visited New Orleans, Ugo has visited Lima", "Ugo didn't visit Lima", 1),
    ("Eva has visited Oslo, Ivo has visited Quito", "Ivo didn't visit Oslo", 0),
]


def test_names_of_both_splits_are_found_by_reading_the_sentences(tmp_path):
    write_csv(tmp_path / "visits_train.csv", LEAKING)
    write_csv(tmp_path / "visits_test.csv", TESTED)
    (found,) = audit([tmp_path / "visits_train.csv", tmp_path / "visits_test.csv"]).leakage
    assert found.train.endswith("visits_train.csv")
    assert found.people == ("Eva", "Ivo", "Rui")
    assert found.places == ("OSLO", "Oslo", "Quito")
    assert found.tokens == ("eva", "ivo", "new", "oslo", "quito", "rui")
    assert [one.lines for one in found.pairs] == [(4, 3)]


def test_without_grammar_capitalised_words_are_compared(tmp_path):
    train = made_of(tmp_path, [("The doctor greets Marta", "Marta sleeps", 0)], "a.csv")
    test = made_of(tmp_path, [("The nurse greets Marta", "Otto sleeps", 0)], "b.csv")
    names = [file_names(file, "en") for file in (train, test)]
    found = leakage(train, test, *names)
    assert (found.people, found.places) == (None, None)
    assert "marta" in found.tokens
    assert "otto" not in found.tokens


def test_chinese_names_are_compared_by_substring(tmp_path):
    def file(name):
        pair = LabelledPair(1, "甲去过乙。", "甲没去过乙。", "1", None, {"p0": name, "c0": "安卡拉"})
        return PairFile(tmp_path / f"{name}.csv", (pair,), "cd")

    files = [file("小芳"), file("小芳芳")]
    found = leakage(*files, *(file_names(one, "zh") for one in files))
    assert (found.people, found.places) == ((), ("安卡拉",))
    assert found.inside == (("小芳", "小芳芳"),)


def test_our_own_splits_share_nothing(tmp_path):
    for language in ("en", "zh"):
        folder = tmp_path / language
        write(build(DataRecipe("negation", language, train=60, test=40)), folder)
        found = audit([folder / "negation_train.jsonl", folder / "negation_test.jsonl"], with_cues=False)
        assert not found.leakage[0].found
        assert found.faults == []
        assert all(one.labels.unread == () for one in found.files)


def test_labels_that_hold_under_the_default_reading_are_no_fault_where_another_changes_them(tmp_path):
    write(build(DataRecipe("disjunction", "en", train=40, test=0)), tmp_path)
    found = audit([tmp_path / "disjunction_train.csv"], with_cues=False)
    assert found.files[0].labels.readings["or=exclusive"]
    assert found.faults == []


AS_TALL_AS = ("Ana is taller than Eva and Ida , Ana is as tall as Mia", "Eva is taller than Mia", 1)


def test_labels_are_proved_again_under_each_reading(tmp_path):
    rows = [
        AS_TALL_AS,
        ("Ana is taller than Eva , Eva is taller than Mia", "Mia is taller than Ana", 1),
        ("Ana is taller than Eva , Eva is taller than Mia", "Ana is taller than Mia", 1),
    ]
    file = made_of(tmp_path, rows)
    found = reproved(file, meanings(file, "en"))
    assert [one.line for one in found.readings["default"]] == [2, 4]
    assert [one.proved for one in found.readings["default"]] == ["neutral", "entailment"]
    assert [one.line for one in found.readings["as-tall-as=equal"]] == [4]
    assert found.from_sentences == 3


def test_people_are_known_by_those_they_are_listed_with(tmp_path):
    rows = [
        ("Ana has visited only two people", "Ana has visited Eva, Ida and Mia", 1),
        ("Eva has visited only two places", "Eva has visited Ana, Ida and Lia", 0),
        ("Rui has visited only two places", "Rui has visited Rome, Oslo and Lima", 1),
        ("Rui has visited only two people", "Rui has visited Mia, Lia and Ida", 1),
    ]
    file = made_of(tmp_path, rows)
    assert reproved(file, meanings(file, "en")).readings["default"] == ()


def test_a_label_that_hangs_on_what_a_name_names_is_not_called_wrong(tmp_path):
    file = made_of(tmp_path, [("Everyone has visited every person", "Ana didn't visit Victoria", 1)])
    found = reproved(file, meanings(file, "en"))
    assert (found.unsure, found.readings["default"]) == ((2,), ())


def test_sentences_that_cannot_be_read_are_proved_by_the_formulas_beside_them(tmp_path):
    row = {"premise": "Zut.", "hypothesis": "Bof.", "formula_premise": "V(p0,c0)", "formula_hypothesis": "¬V(p0,c0)"}
    (tmp_path / "a.jsonl").write_text(json.dumps(row | {"label": 0}), encoding="utf-8")
    file = read_pairs(tmp_path / "a.jsonl")
    found = reproved(file, meanings(file, "fr"))
    assert (found.from_sentences, found.from_formulas, len(found.readings["default"])) == (0, 1, 1)


def test_a_premise_that_cannot_be_true_bears_out_no_label(tmp_path):
    file = made_of(tmp_path, [("Ana is taller than Eva , Eva is taller than Ana", "Ana is taller than Eva", 1)])
    (found,) = reproved(file, meanings(file, "en")).readings["default"]
    assert found.proved is None


def test_what_nobody_understands_is_listed(tmp_path):
    file = made_of(tmp_path, [("It rains.", "It pours.", 0)])
    assert reproved(file, meanings(file, "en")).unread == (2,)


def test_a_reading_without_a_name_is_refused(tmp_path):
    with pytest.raises(InputError, match="unknown reading 'as-tall-as'"):
        audit([write_csv(tmp_path / "a.csv", [AS_TALL_AS])], readings=["as-tall-as"])


def test_files_of_two_formats_belong_together(tmp_path):
    write(build(DataRecipe("negation", "en", train=20, test=10, proof=False)), tmp_path)
    latest = (tmp_path / "negation_test.csv").rename(tmp_path / "latest_test.csv")
    train = (tmp_path / "negation_train.jsonl").rename(tmp_path / "latest_train.jsonl")
    (found,) = audit([latest, train], with_cues=False).leakage
    assert (found.test, found.train) == (str(latest), str(train))


def test_a_file_cannot_be_tested_and_trained_on(tmp_path):
    file = write_csv(tmp_path / "a_test.csv", LEAKING)
    with pytest.raises(InputError, match="given both as a training file and as a test file"):
        audit([file], train=[file])


def test_a_formula_with_a_free_variable_is_not_understood(tmp_path):
    row = {"premise": "xx yy.", "hypothesis": "zz.", "label": 0}
    formulas = {"formula_premise": "V(x,y)", "formula_hypothesis": "V(p0,c0)"}
    path = tmp_path / "free.jsonl"
    path.write_text(json.dumps(row | formulas) + "\n", encoding="utf-8")
    (found,) = audit([path], language="en", with_cues=False).files
    assert (found.labels.from_sentences, found.labels.from_formulas) == (0, 0)


def test_files_to_train_on_can_be_named(tmp_path):
    first = write_csv(tmp_path / "one.csv", LEAKING)
    second = write_csv(tmp_path / "two.csv", TESTED)
    found = audit([second], train=[first])
    assert found.files[0].no_cues == "this is a training file"
    assert "at least 20 pairs each" in found.files[1].no_cues
    assert len(found.leakage) == 1


def test_faults_are_said_in_a_line_each(tmp_path):
    rows = [AS_TALL_AS, AS_TALL_AS, ("Ana is taller than Eva", "Eva is taller than Ana", 1)]
    found = audit([write_csv(tmp_path / "a.csv", rows)])
    faults = [fault.removeprefix(f"{tmp_path}/a.csv: ") for fault in found.faults]
    assert faults[:2] == ["the labels are not balanced: 0: 0, 1: 3", "1 duplicate pair"]
    assert (
        faults[2]
        == "2 labels contradicted by the proof under the default reading; under other readings: as-tall-as=equal: 0"
    )
    assert json.loads(json.dumps(found.described()))["files"][0]["faults"] == found.files[0].faults


PUBLISHED = {
    "English/simple_negation_test": ("overlap", 0.99),
    "English/boolean_coordination_test": ("overlap", 0.99),
    "English/counting_test": ("length", 0.66),
    "English/quantifier_test": ("premise-only", 0.58),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLISHED)
def test_cues_of_the_published_files_are_found(public_data, name):
    baseline, least = PUBLISHED[name]
    (found,) = audit([public_data / "logic" / f"{name}.csv"], readings=["default"]).files
    cue = next(cue for cue in found.cues if cue.baseline == baseline)
    assert cue.verdict == "cue"
    assert cue.accuracy.value >= least


@pytest.mark.slow
@pytest.mark.parametrize(("name", "wrong"), [("English/comparative_test", 93), ("Portuguese/comparative_pt_test", 71)])
def test_wrong_labels_of_the_published_comparisons_are_found(public_data, name, wrong):
    (found,) = audit([public_data / "logic" / f"{name}.csv"], with_cues=False).files
    assert len(found.labels.readings["default"]) == wrong
    assert len(found.labels.readings["as-tall-as=equal"]) == 0
    assert all(one.label == "1" for one in found.labels.readings["default"])
    assert found.labels.unread == ()
