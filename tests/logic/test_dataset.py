import csv
import json
from collections import Counter
from dataclasses import replace

import pytest
from pyarrow import parquet

from winoglot import registry
from winoglot.errors import InputError
from winoglot.logic import drawing
from winoglot.logic.card import command
from winoglot.logic.dataset import build
from winoglot.logic.drawing import choose_names
from winoglot.logic.formulas import parse
from winoglot.logic.pair import Pair
from winoglot.logic.prove import relation
from winoglot.logic.recipe import PUBLISHED, DataRecipe, task_names
from winoglot.logic.statistics import statistics
from winoglot.logic.vocabulary import LANGUAGES, vocabulary
from winoglot.logic.writing import as_csv, write

TASKS = registry.names("logic-tasks")
SMALL = DataRecipe("negation", "en", train=40, test=20, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_task_is_balanced_proved_and_without_duplicates_in_every_language(task, language):
    made = build(DataRecipe(task, language, train=30, test=20, seed=1))
    texts = [(row.premise, row.hypothesis) for rows in made.splits.values() for row in rows]
    assert len(set(texts)) == len(texts) == 50
    for split, rows in made.splits.items():
        assert Counter(row.label for row in rows) == {"0": len(rows) // 2, "1": len(rows) // 2}
        assert all((row.label == "1") == row.proof.startswith("contradiction") for row in rows)
        assert [row.id for row in rows] == [f"{task}-{split}-{number}" for number in range(len(rows))]


@pytest.mark.parametrize("task", TASKS)
def test_three_labels_are_words_and_equally_many(task):
    rows = build(DataRecipe(task, "en", train=30, test=0, seed=1, labels="nli")).splits["train"]
    assert Counter(row.label for row in rows) == {"contradiction": 10, "entailment": 10, "neutral": 10}
    assert all(row.proof.partition(" ")[0] == row.label for row in rows)


def test_where_pairs_cannot_be_shared_out_evenly_labels_differ_by_one():
    rows = build(replace(SMALL, train=31, test=0)).splits["train"]
    assert sorted(Counter(row.label for row in rows).values()) == [15, 16]


@pytest.mark.parametrize("overlap", ["none", "full"])
def test_pairs_that_name_nobody_are_not_in_both_splits(overlap):
    made = build(DataRecipe("quantification", "en", train=600, test=600, seed=1, proof=False, overlap=overlap))
    train, test = (
        {(row.formula_premise, row.formula_hypothesis) for row in rows if not row.names}
        for rows in made.splits.values()
    )
    assert min(len(train), len(test)) > 20
    assert not train & test


@pytest.mark.parametrize("task", ["counting", "description"])
def test_the_same_seed_gives_the_same_formulas_in_every_language(task):
    made = [build(DataRecipe(task, language, train=30, test=10, seed=7, proof=False)) for language in LANGUAGES]
    formulas = [
        [(row.id, row.label, row.formula_premise, row.formula_hypothesis) for row in one.splits["train"]]
        for one in made
    ]
    assert all(found == formulas[0] for found in formulas)
    premises = [[row.premise for row in one.splits["train"]] for one in made]
    assert premises[0] != premises[1]


def test_the_same_recipe_gives_the_same_rows_and_another_seed_others():
    assert build(SMALL) == build(SMALL)
    assert build(SMALL).splits != build(replace(SMALL, seed=4)).splits


def test_proof_changes_nothing_but_the_proofs():
    proved, unproved = build(SMALL), build(replace(SMALL, proof=False))
    for split, rows in proved.splits.items():
        assert [replace(row, proof="not proved") for row in rows] == list(unproved.splits[split])


def test_more_pairs_to_train_on_leave_test_as_it_is():
    assert build(SMALL).splits["test"] == build(replace(SMALL, train=60)).splits["test"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_splits_share_no_name_unless_asked_for(language):
    recipe = DataRecipe("negation", language, train=200, test=200, proof=False)
    counts = statistics(build(recipe))
    assert (counts.shared_people, counts.shared_places) == (0, 0)
    counts = statistics(build(replace(recipe, overlap="full")))
    assert counts.shared_people > 20


@pytest.mark.parametrize("half", ["train", "test", None])
def test_every_language_has_as_many_names(half):
    sizes = {(len(vocabulary(tag, half).people), len(vocabulary(tag, half).places)) for tag in LANGUAGES}
    assert len(sizes) == 1


def test_the_formulas_beside_a_pair_prove_its_label():
    for row in build(SMALL).splits["train"]:
        proved = relation(parse(row.formula_premise), parse(row.formula_hypothesis))
        assert (proved == "contradiction") == (row.label == "1")
        assert all(name in f"{row.premise} {row.hypothesis}" for name in row.names.values())


@pytest.mark.parametrize("task", PUBLISHED)
def test_published_families_are_made_with_corrected_labels(task):
    made = build(DataRecipe(task, "en", train=60, test=30, seed=2, paper=True))
    assert bool(made.corrected) == (task == "comparison" or (task == "mixed" and bool(made.corrected)))
    if task == "comparison":
        assert made.corrected.keys() == {"paper-list-above"}


def test_a_label_that_is_not_proved_is_an_error_of_the_task(monkeypatch):
    def generate(rng, settings):
        for pair in registry.load("logic-tasks", "negation").__dict__["generate_before"](rng, settings):
            yield replace(pair, intended="neutral" if pair.intended == "contradiction" else "contradiction")

    module = registry.load("logic-tasks", "negation")
    monkeypatch.setattr(module, "generate_before", module.generate, raising=False)
    monkeypatch.setattr(module, "generate", generate)
    with pytest.raises(drawing.UnintendedLabel, match="was intended"):
        build(SMALL)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task": "negatoin"}, "Did you mean 'negation'"),
        ({"language": "xx"}, "cannot generate logic sentences in 'xx'"),
        ({"labels": "snli"}, "unknown value 'snli' for --labels. Did you mean 'nli'"),
        ({"overlap": "some"}, "unknown value 'some' for --overlap"),
        ({"train": 1}, "--train 1 is too few for 2 labels"),
        ({"test": -2}, "--test -2 is too few"),
        ({"train": 0, "test": 0}, "nothing to generate"),
        ({"task": "temporal", "paper": True}, "not in the published corpus"),
        ({"labels": "nli", "paper": True}, "Leave out --paper, or use --labels cd"),
    ],
)
def test_what_cannot_be_made_is_refused_by_name(options, message):
    with pytest.raises(InputError) as error:
        replace(SMALL, **options)
    assert message in str(error.value)


def test_more_members_than_names_are_refused():
    from random import Random

    formulas = ("(V(p0,c0) ∧ V(p1,c0) ∧ V(p2,c0))", "V(p0,c0)")
    with pytest.raises(InputError, match="a pair names 3 people, but the vocabulary of a split has only 2"):
        choose_names(formulas, Random(0), {"person": 2, "place": 5})


@pytest.mark.slow
def test_more_pairs_than_there_are_is_refused(monkeypatch):
    def generate(rng, settings):
        visit = parse("V(p0,c0)")
        while True:
            yield Pair(visit, parse("¬V(p0,c0)"), "contradiction", "negation", "only")
            yield Pair(visit, visit, "entailment", "negation", "only")

    monkeypatch.setattr(registry.load("logic-tasks", "negation"), "generate", generate)
    most = len(vocabulary("en", "train").people) * len(vocabulary("en", "train").places)
    with pytest.raises(InputError, match=r"the task negation has too few different pairs: \d+ are missing in train"):
        build(replace(SMALL, train=2 * most + 2, proof=False))


def test_all_stands_for_every_task_or_for_every_published_one():
    assert task_names("all") == TASKS
    assert len(TASKS) == 11
    assert set(task_names("all", paper=True)) == set(PUBLISHED) < set(TASKS)


def test_three_kinds_of_files_hold_the_same(tmp_path):
    made = build(replace(SMALL, language="pt"))
    write(made, tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "negation_train.jsonl").read_text("utf-8").splitlines()]
    assert [line["label"] for line in lines] == [int(row.label) for row in made.splits["train"]]
    with (tmp_path / "negation_train.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    columns = parquet.read_table(tmp_path / "negation_train.parquet").to_pylist()
    for line, cells, column in zip(lines, table, columns, strict=True):
        assert cells == {**line, "label": str(line["label"]), "names": cells["names"]}
        assert json.loads(cells["names"]) == line["names"] == json.loads(column["names"])
        assert column == {**line, "names": column["names"]}
    assert {path.name for path in tmp_path.iterdir()} == {
        *(f"negation_{split}.{kind}" for split in ("train", "test") for kind in ("jsonl", "csv", "parquet")),
        "negation_statistics.json",
        "negation_card.md",
    }


def test_nothing_is_written_where_one_file_is_there_already(tmp_path):
    (tmp_path / "negation_test.csv").write_text("mine")
    with pytest.raises(InputError, match="exists already"):
        write(build(SMALL), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["negation_test.csv"]
    write(build(SMALL), tmp_path, force=True)
    assert (tmp_path / "negation_test.csv").read_text().startswith("id,premise,")


def test_the_card_says_what_was_done_and_how_to_do_it_again(tmp_path):
    write(build(replace(SMALL, proof=False)), tmp_path)
    card = (tmp_path / "negation_card.md").read_text(encoding="utf-8")
    assert "**not proved**" in card
    assert command(replace(SMALL, proof=False)) in card
    assert "--seed 3 --no-proof -o DIR" in card
    write(build(DataRecipe("comparison", "en", train=60, test=20, paper=True)), tmp_path)
    card = (tmp_path / "comparison_card.md").read_text(encoding="utf-8")
    assert "**proved**" in card
    assert "corrected here: " in card
    assert "of `paper-list-above`" in card


def test_statistics_count_words_not_letters():
    made = build(replace(SMALL, train=2, test=2))
    row = replace(made.splits["train"][0], premise="Ana has visited Rome.", hypothesis="Ana has not visited Rome.")
    small = replace(made, splits={"train": (row,), "test": (replace(row, hypothesis="Rui has been to Rome."),)})
    counts = statistics(small)
    assert (counts.splits["train"].mean_length, counts.splits["train"].longest) == (9.0, 9)
    assert (counts.vocabulary, counts.shared_words) == (8, 4)
    assert counts.splits["train"].vocabulary == 5


def test_csv_of_no_rows_is_its_head():
    assert as_csv([]).splitlines() == [
        "id,premise,hypothesis,label,formula_premise,formula_hypothesis,proof,template,names"
    ]
