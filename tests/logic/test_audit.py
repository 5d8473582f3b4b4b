import csv
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from winoglot.errors import InputError
from winoglot.logic.audit.files import read_file
from winoglot.logic.audit.labels import meanings, reproved
from winoglot.logic.audit.leakage import duplicates, file_names, leakage, lost_twins
from winoglot.logic.audit.report import audit, balance, files_in
from winoglot.logic.cues import shallow
from winoglot.logic.names import names
from winoglot.logic.pair import Pair, write_pairs


def write_csv(path, rows, head=("sentence1", "sentence2", "label")):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    return path


def made_of(tmp_path, rows, name="a.csv"):
    return read_file(write_csv(tmp_path / name, rows))


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), min_size=1).filter(str.strip)


@given(rows=st.lists(st.tuples(TEXT, TEXT, st.sampled_from("01")), min_size=1, max_size=5))
def test_pairs_are_read_as_they_were_written(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    table = read_file(write_csv(folder / "a.csv", rows, ("premise", "hypothesis", "label")), "en")
    lines = [json.dumps({"premise": a, "hypothesis": b, "label": int(c)}) for a, b, c in rows]
    (folder / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for file in (table, read_file(folder / "a.jsonl", "en")):
        assert [(pair.premise, pair.hypothesis, pair.label) for pair in file.pairs] == rows


@listed
def test_files_that_hold_no_pairs_are_refused_with_the_place(tmp_path, name, text, message):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_file(tmp_path / name)
    assert message in str(error.value)
    assert name in str(error.value)


@listed
def test_the_language_is_recognised(tmp_path, language, text):
    assert made_of(tmp_path, [(text, text, 1)]).pairs[0].language == language


def test_every_task_depth_and_family_is_balanced_on_its_own(tmp_path):
    (whole,) = balance(made_of(tmp_path, [("a", "b", 1), ("c", "d", 1)]))
    assert (whole.labels, whole.balanced) == ({"0": 0, "1": 2}, False)
    rows = [("a", "b", "neutral"), ("c", "d", "entailment"), ("e", "f", "Contradiction")]
    assert balance(made_of(tmp_path, rows))[0].balanced
    head = ("premise", "hypothesis", "label", "task", "depth", "family")
    rows = [(f"a{n}", "b", n % 2, "visits", 1, f"f{n % 2}") for n in range(60)]
    rows += [(f"c{n}", "d", n % 2, "heights", 2, "f2") for n in range(60)]
    found = balance(read_file(write_csv(tmp_path / "a.csv", rows, head)))
    groups = ["", "depth 1", "depth 2", "family f0", "family f1", "family f2", "task heights", "task visits"]
    assert {one.group: one.balanced for one in found} == {name: name not in groups[3:5] for name in groups}


def test_three_labels_become_two(tmp_path):
    rows = [(f"a{n}", "b", label) for n, label in enumerate(["contradiction", "entailment", "neutral"] * 2)]
    file = read_file(write_csv(tmp_path / "a.csv", rows), "en", as_cd=True)
    assert [pair.label for pair in file.pairs] == ["1", "0", "0"] * 2
    assert balance(file)[0].labels == {"0": 4, "1": 2}
    assert balance(file)[0].balanced
    found = audit([tmp_path / "a.csv"], language="en", as_cd=True).files[0]
    assert found.three == {"contradiction": 2, "entailment": 2, "neutral": 2}
    assert found.faults == []


def test_train_and_test_with_labels_of_two_sets_are_refused(tmp_path):
    train = write_csv(tmp_path / "a_train.csv", [("a", "b", "neutral")])
    test = write_csv(tmp_path / "a_test.csv", [("c", "d", 1)])
    with pytest.raises(InputError, match="its labels are not those of the training file") as error:
        audit([train, test], language="en")
    assert "--as cd" in str(error.value)
    assert audit([train, test], language="en", as_cd=True).leakage[0].shared == {}


def test_duplicates_differ_only_in_case_and_blanks(tmp_path):
    rows = [("Ana has  been here.", "Yes", 1), ("ana has been here.", "yes", 0), ("Ana", "Yes", 1)]
    (found,) = duplicates(made_of(tmp_path, rows))
    assert (found.lines, found.labels) == ((2, 3), ("1", "0"))
    (tmp_path / "a.csv").write_text('premise,hypothesis,label\n"a\nb",c,1\nd,e,0\n', encoding="utf-8")
    assert read_file(tmp_path / "a.csv").lines == (2, 4)  # where rows begin


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
    found = leakage(train, test, *(file_names(file, [None]) for file in (train, test)))
    assert (found.people, found.places) == (None, None)
    assert "marta" in found.tokens
    assert "otto" not in found.tokens


def own(number, premise, hypothesis, label, formulas=("", ""), twin="", language="en", **names):
    """A row of a data file."""
    return Pair(f"id{number}", "heights", language, premise, hypothesis, label, 2, "chain", twin, *formulas, "", names)


def test_chinese_names_are_compared_by_substring(tmp_path):
    files = []
    for name in ("小芳", "小芳芳"):
        pairs = [own(0, "甲去过乙。", "甲没去过乙。", "1", language="zh", p0=name, c0="安卡拉")]
        write_pairs(tmp_path / f"{name}.jsonl", pairs)
        files.append(read_file(tmp_path / f"{name}.jsonl"))
    found = leakage(*files, *(file_names(one, [None]) for one in files))
    assert (found.people, found.places) == ((), ("安卡拉",))
    assert found.inside == (("小芳", "小芳芳"),)


PEOPLE = {"p0": "Ana Lee", "p1": "Ben Roy", "p2": "Cy Dow"}
CHAIN = "Ana Lee is taller than Ben Roy. Cy Dow is shorter than Ben Roy."
BROKEN = "Ana Lee is taller than Ben Roy. Cy Dow is taller than Ben Roy."
HYPOTHESIS = "Cy Dow is taller than Ana Lee."
CHAINED = ("(taller(p0,p1) ∧ taller(p1,p2))", "taller(p2,p0)")


def test_our_own_sentences_are_parsed_and_compared_with_the_formulas_beside_them(tmp_path):
    pairs = [
        own(0, CHAIN, HYPOTHESIS, "contradiction", CHAINED, **PEOPLE),
        own(1, BROKEN, HYPOTHESIS, "contradiction", CHAINED, **PEOPLE),
        own(2, CHAIN, HYPOTHESIS, "contradiction", ("(taller(p1,p2) ∧ taller(p0,p1))", CHAINED[1]), **PEOPLE),
        own(3, CHAIN, HYPOTHESIS, "contradiction", CHAINED, **PEOPLE | {"p0": "Eve May"}),
    ]
    write_pairs(tmp_path / "a.jsonl", pairs)
    file = read_file(tmp_path / "a.jsonl")
    found = reproved(file, meanings(file), ["default"])
    assert (found.from_sentences, found.from_formulas) == (3, 1)  # in the last, Ana Lee is not among the names
    assert found.differing == (2,)
    assert found.misjudged == ()
    assert [(one.line, one.proved) for one in found.readings["default"]] == [(2, "neutral")]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "{} is taller than {}."), ("pt", "{} é mais alta do que {}."), ("fr", "{} est plus grande que {}.")],
)
def test_names_that_the_file_does_not_state_are_recognised(tmp_path, language, sentence):
    pool = names(language, "test")
    (ana, eva), (lima, rome) = pool.feminine[:2], pool.surnames[:2]
    people = f"{ana} {lima}", f"{eva} {rome}"
    rows = [(sentence.format(*people), sentence.format(*reversed(people)), 1)]
    file = read_file(write_csv(tmp_path / "a.csv", rows), language)
    (meaning,) = meanings(file)
    assert [str(one) for one in meaning.formulas] == ["taller(p0,p1)", "taller(p1,p0)"]
    assert set(meaning.names) == set(people)
    assert reproved(file, [meaning]).readings["default"] == ()


def test_the_depth_is_the_number_of_facts_that_decide(tmp_path):
    pairs = [
        own(0, CHAIN, HYPOTHESIS, "contradiction", **PEOPLE),
        own(1, CHAIN, "Ben Roy is taller than Ana Lee.", "contradiction", **PEOPLE),
        own(2, BROKEN, HYPOTHESIS, "neutral", **PEOPLE),
    ]
    write_pairs(tmp_path / "a.jsonl", pairs)
    found = audit([tmp_path / "a.jsonl"], with_cues=False)
    assert found.files[0].labels.misjudged == (2,)
    assert any("1 pair whose depth is not the number of facts that decide" in fault for fault in found.faults)


def test_twins_belong_together(tmp_path):
    pairs = [
        own(0, CHAIN, HYPOTHESIS, "contradiction", twin="id1", **PEOPLE),
        own(1, BROKEN, HYPOTHESIS, "neutral", twin="id0", **PEOPLE),
        own(2, CHAIN, HYPOTHESIS, "contradiction", twin="id3", **PEOPLE),
        own(3, BROKEN, "Ana Lee is taller than Cy Dow.", "neutral", twin="id2", **PEOPLE),
        own(4, BROKEN, HYPOTHESIS, "neutral", twin="id9", **PEOPLE),
    ]
    write_pairs(tmp_path / "all.jsonl", pairs)
    assert lost_twins(read_file(tmp_path / "all.jsonl")) == (3, 4, 5)


def test_twins_in_train_and_test_are_a_fault(tmp_path):
    names = {"p0": "Dee Fox", "p1": "Eli Gay", "p2": "Flo Hay"}
    other = {PEOPLE[key]: name for key, name in names.items()}

    def renamed(text):
        for old, new in other.items():
            text = text.replace(old, new)
        return text

    train = [own(0, CHAIN, HYPOTHESIS, "contradiction", twin="id1", **PEOPLE)]
    test = [own(1, renamed(BROKEN), renamed(HYPOTHESIS), "neutral", twin="id0", **names)]
    for name, pairs in (("train", train), ("test", test)):
        write_pairs(tmp_path / f"{name}.jsonl", pairs)
    found = audit(files_in([tmp_path]), with_cues=False)
    assert found.leakage[0].shared == {"twins": 1}
    assert any("shared with" in fault and "twins: 1" in fault for fault in found.faults)
    write_pairs(tmp_path / "validation.jsonl", [replace(test[0], id="id7", twin="")])
    shared = audit(files_in([tmp_path]), with_cues=False).leakage
    assert [(one.test.rpartition("/")[2], one.shared) for one in shared] == [
        ("test.jsonl", {"twins": 1}),
        ("validation.jsonl", {}),
    ]


AS_TALL_AS = ("Ana is taller than Eva and Ida , Ana is as tall as Mia", "Eva is taller than Mia", 1)


def test_labels_are_proved_again_under_each_reading(tmp_path):
    rows = [
        AS_TALL_AS,
        ("Ana is taller than Eva , Eva is taller than Mia", "Mia is taller than Ana", 1),
        ("Ana is taller than Eva , Eva is taller than Mia", "Ana is taller than Mia", 1),
    ]
    file = made_of(tmp_path, rows)
    found = reproved(file, meanings(file))
    assert [one.line for one in found.readings["default"]] == [2, 4]
    assert [one.proved for one in found.readings["default"]] == ["neutral", "entailment"]
    assert [one.line for one in found.readings["as-tall-as=equal"]] == [4]
    assert found.from_sentences == 3


def test_a_label_that_hangs_on_what_a_name_names_is_not_called_wrong(tmp_path):
    rows = [
        ("Everyone has visited every person", "Ana didn't visit Victoria", 1),
        ("Ana has visited only one person", "Ana has visited Victoria and Florence", 1),
    ]
    file = made_of(tmp_path, rows)
    found = reproved(file, meanings(file))
    assert (found.unsure, found.readings["default"]) == ((2, 3), ())
    file = made_of(tmp_path, [("Ana is taller than Eva , Eva is taller than Ana", "Ana is taller than Eva", 1)])
    (found,) = reproved(file, meanings(file)).readings["default"]
    assert found.proved is None  # a premise that cannot be true bears out no label


@pytest.mark.parametrize("formula", ["taller(x,p0)", "taller(p0", "likes(p0,p1)", "taller(p0,c0)"])
def test_sentences_that_cannot_be_read_are_proved_by_formulas_and_what_nobody_understands_is_listed(tmp_path, formula):
    rows = [
        own(0, "It rains.", "It pours.", "0", (formula, "taller(p0,p1)"), **PEOPLE),
        own(1, "It rains.", "It pours.", "0", CHAINED, **PEOPLE),
    ]
    write_pairs(tmp_path / "a.jsonl", rows)
    file = read_file(tmp_path / "a.jsonl")
    found = reproved(file, meanings(file))
    assert (found.unread, found.from_sentences, found.from_formulas) == ((1,), 0, 1)
    assert len(found.readings["default"]) == 1


def test_files_of_two_formats_belong_together(tmp_path):
    train = tmp_path / "latest_train.jsonl"
    train.write_text(json.dumps({"premise": "a", "hypothesis": "b", "label": 1}) + "\n", encoding="utf-8")
    test = write_csv(tmp_path / "latest_test.csv", [("c", "d", 0)])
    (found,) = audit([test, train], with_cues=False, language="en").leakage
    assert (found.test, found.train) == (str(test), str(train))


def test_files_to_train_on_can_be_named(tmp_path):
    first = write_csv(tmp_path / "one.csv", LEAKING)
    second = write_csv(tmp_path / "two.csv", TESTED)
    found = audit([second], train=[first])
    assert found.files[0].no_cues == "this is a training file"
    assert "at least 20 pairs each" in found.files[1].cues[0].reason
    assert len(found.leakage) == 1


def test_what_cannot_be_audited_is_refused(tmp_path):
    file = write_csv(tmp_path / "a_test.csv", LEAKING)
    (tmp_path / "empty").mkdir()
    for call, message in (
        (lambda: audit([file], train=[file]), "given both as a training file and as a test file"),
        (lambda: audit([file], readings=["as-tall-as"]), "unknown reading 'as-tall-as'"),
        (lambda: files_in([tmp_path / "empty"]), "contains no files of pairs"),
    ):
        with pytest.raises(InputError, match=message):
            call()


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


def test_cues_are_faults_of_their_group(tmp_path):
    rows = [
        (f"Ana is taller than Eva , Eva is {'not ' * (n % 2)}so old", f"Mia knows {n} words", n % 2) for n in range(80)
    ]
    found = audit([write_csv(tmp_path / "a.csv", rows)], language="en")
    assert any(fault.startswith(f"{tmp_path}/a.csv: en: cues: premise-only 100.0%") for fault in found.faults)


PUBLISHED = {
    "English/simple_negation_test": ("overlap", 0.99),
    "English/boolean_coordination_test": ("overlap", 0.99),
    "English/counting_test": ("length", 0.66),
    "English/quantifier_test": ("premise-only", 0.58),
    "English/comparative_test": ("boosting", 0.95),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLISHED)
def test_cues_of_the_published_files_are_found(public_data, name):
    baseline, least = PUBLISHED[name]
    (found,) = shallow(read_file(public_data / "logic" / f"{name}.csv").pairs, names=[baseline])
    (cue,) = found.cues
    assert cue.verdict == "cue"
    assert cue.accuracy.value >= least


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLISHED)
def test_labels_of_the_published_files_are_proved(public_data, name):
    """Every tenth: proving all takes long. Those that are not borne out are denied without being decided."""
    file = read_file(public_data / "logic" / f"{name}.csv")
    file = replace(file, pairs=file.pairs[::10], lines=file.lines[::10])
    found = reproved(file, meanings(file), ["default"])
    assert (found.from_sentences, found.unread) == (100, ())
    assert {(one.label, one.proved) for one in found.readings["default"]} <= {("1", "neutral")}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "wrong"), [("English/comparative_test", 93), ("Portuguese/comparative_pt_test", 71)])
def test_wrong_labels_of_the_published_comparisons_are_found(public_data, name, wrong):
    (found,) = audit([public_data / "logic" / f"{name}.csv"], with_cues=False).files
    assert len(found.labels.readings["default"]) == wrong
    assert len(found.labels.readings["as-tall-as=equal"]) == 0
    assert all(one.label == "1" for one in found.labels.readings["default"])
    assert found.labels.unread == ()
