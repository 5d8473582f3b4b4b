"""Data sets: balance, twins, names, depths, languages, files."""

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

import winoglot as wg
from cases import listed
from winoglot.errors import InputError
from winoglot.logic import dataset
from winoglot.logic.dataset import DataRecipe, UnintendedLabel, build, task_names
from winoglot.logic.folder import statistics, write
from winoglot.logic.formulas import facts, parse
from winoglot.logic.names import SPLITS, NamePool, names
from winoglot.logic.pair import COLUMNS, read_pairs, write_pairs
from winoglot.logic.wording.parse import parse_back, sentences
from winoglot.logic.wording.table import LANGUAGES

pytest.importorskip("z3")


@pytest.fixture(scope="module")
def made():
    return build(DataRecipe("disjunction", train=96, validation=24, test=48, seed=3))


def relations(pairs):
    return Counter(pair.proof.partition(" from ")[0] for pair in pairs)


def test_half_are_contradictions_and_the_rest_entailed_and_neutral_alike(made):
    for split, size in (("train", 96), ("validation", 24), ("test", 48)):
        pairs = made.splits[split]
        assert relations(pairs) == {"contradiction": size // 2, "entailment": size // 4, "neutral": size // 4}
        assert Counter(pair.label for pair in pairs) == {"1": size // 2, "0": size // 2}
    cells = Counter((pair.family, pair.depth, pair.proof.split()[0]) for pair in made.splits["train"])
    families = {(family, depth) for family, depth, _ in cells}
    assert len(families) == 6
    for family, depth in families:
        counts = [cells[family, depth, relation] for relation in ("contradiction", "entailment", "neutral")]
        assert counts == [8, 4, 4]
    pairs = build(DataRecipe("comparison", train=36, validation=0, test=0, labels="nli")).splits["train"]
    assert set(Counter(pair.label for pair in pairs).values()) == {12}


def test_depths_and_formulas_beside_a_pair_are_what_its_proof_and_sentences_say(made):
    for pair in made.splits["train"]:
        relation, _, used = pair.proof.partition(" from ")
        assert relation == "neutral" or len(used.split(", ")) == pair.depth
        assert str(parse_back(pair.premise, "en", pair.names)) == pair.formula_premise
        assert len(facts(parse(pair.formula_premise))) == pair.premise.count(".")


def test_a_neutral_pair_has_a_decided_twin_with_the_same_hypothesis(made):
    for pairs in made.splits.values():
        known = {pair.id: pair for pair in pairs}
        neutral = [pair for pair in pairs if pair.proof == "neutral"]
        twins = [known[pair.twin] for pair in neutral]
        assert all(twin.twin == pair.id for pair, twin in zip(neutral, twins, strict=True))
        for pair, twin in zip(neutral, twins, strict=True):
            assert (pair.hypothesis, pair.depth, pair.family) == (twin.hypothesis, twin.depth, twin.family)
            assert Counter(pair.premise.split(". ")) != Counter(twin.premise.split(". "))
        decided = Counter(twin.proof.split()[0] for twin in twins)
        assert decided["contradiction"] == decided["entailment"]


def test_no_hypothesis_is_a_sentence_of_its_premise_and_a_task_has_at_least_twenty_skeletons():
    for task in task_names("all"):
        made = build(DataRecipe(task, train=400, validation=0, test=0, proof=False))
        assert statistics(made)["splits"]["train"]["skeletons"] >= 20, task
        for pair in made.splits["train"]:
            assert pair.hypothesis.removesuffix(".") not in sentences(pair.premise, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_splits_share_no_word_of_a_name(language):
    words = []
    for split in SPLITS:
        pool = names(language, split)
        assert pool.sizes["people"] >= 400
        assert pool.sizes["places"] >= 300
        people = {*pool.feminine, *pool.masculine, *pool.surnames}
        words.append(people | {word for place in pool.places for word in place.split()})
        assert len(people) == len(pool.feminine) + len(pool.masculine) + len(pool.surnames)
    assert len(set.union(*words)) == sum(map(len, words))


def test_english_names_in_a_split_differ_by_more_than_a_letter():
    def near(a, b):  # the same letters, or one changed, added or left out
        same = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
        return sorted(a) == sorted(b) or any(a[same + i :] == b[same + j :] for i, j in ((1, 1), (1, 0), (0, 1)))

    assert near("Carla", "Clara")
    assert near("Francis", "Frances")
    for split in SPLITS:
        pool = names("en", split)
        for known in ((*pool.feminine, *pool.masculine), pool.surnames, pool.places):
            assert not [(a, b) for a, b in combinations(known, 2) if near(a, b)]


def test_overlap_full_uses_the_names_of_all_splits(made):
    shared = build(DataRecipe("negation", train=40, validation=0, test=40, overlap="full", proof=False))
    known = {split: {name for pair in pairs for name in pair.names.values()} for split, pairs in shared.splits.items()}
    everything = names("en")
    assert any(name.split()[0] in names("en", "test").feminine for name in known["train"])
    assert everything.sizes["places"] == sum(names("en", split).sizes["places"] for split in SPLITS)
    train, test = ({name for pair in made.splits[split] for name in pair.names.values()} for split in ("train", "test"))
    assert not train & test


def test_every_language_has_the_same_formulas_in_the_same_order():
    found = {
        language: [
            (pair.id, pair.formula_premise, pair.formula_hypothesis, pair.label, pair.twin)
            for pair in build(DataRecipe("mixed", language, train=48, validation=0, test=0)).splits["train"]
        ]
        for language in LANGUAGES
    }
    assert all(rows == found["en"] for rows in found.values())


def test_generalisation_splits_have_other_depths():
    splits = build(DataRecipe("negation", train=16, validation=8, test=8, depths=(1, 2), test_depths=(3, 4))).splits
    depths = {split: {pair.depth for pair in pairs} for split, pairs in splits.items()}
    assert depths == {"train": {1, 2}, "validation": {1, 2}, "test": {3, 4}}


def test_without_proof_the_pairs_are_the_same():
    recipe = {"train": 16, "validation": 0, "test": 0, "seed": 5}
    proved, quick = (build(DataRecipe("coordination", proof=proof, **recipe)) for proof in (True, False))
    assert [pair.premise for pair in proved.splits["train"]] == [pair.premise for pair in quick.splits["train"]]
    assert {pair.proof for pair in quick.splits["train"]} == {"not proved"}


def test_a_label_that_is_not_proved_stops_the_build(monkeypatch):
    task = dataset._task("negation")
    monkeypatch.setattr(task, "draw", lambda rng, family, depth, draw=task.draw: draw(rng, family, depth + 1))
    with pytest.raises(UnintendedLabel, match=r"at depth 2 was intended, .* is proved"):
        build(DataRecipe("negation", train=8, validation=0, test=0, depths=(2,)))


@listed
def test_bad_options_are_named_before_any_work(options, message):
    with pytest.raises(InputError) as error:
        DataRecipe(**options)
    assert message in str(error.value)


def test_too_few_names_for_a_pair_are_an_error(monkeypatch):
    few = NamePool(("Ada",), ("Ben",), ("Coe", "Dee"), ("Rome",), "{first} {last}")
    monkeypatch.setattr(dataset, "names", lambda language, split: few)
    with pytest.raises(InputError, match=r"names \d+ people, but the names of a split suffice for only 2"):
        build(DataRecipe("negation", train=8, validation=0, test=0))


def test_files_read_back_as_the_pairs_in_every_format(made, tmp_path):
    write(made, tmp_path, baselines=False)
    for suffix in ("jsonl", "csv", "parquet"):
        assert read_pairs(tmp_path / "en" / "disjunction" / f"test.{suffix}") == made.splits["test"]
    first = json.loads((tmp_path / "en/disjunction/train.jsonl").read_text("utf-8").splitlines()[0])
    assert tuple(first) == COLUMNS
    assert first["label"] in (0, 1)


def test_a_sentence_that_looks_like_a_formula_is_none_in_csv_and_is_read_back(made, tmp_path):
    pair = replace(made.splits["test"][0], premise="=1+1", hypothesis="a;@SUM(A1)")
    write_pairs(tmp_path / "pairs.csv", [pair])
    assert "'=1+1" in (text := (tmp_path / "pairs.csv").read_text("utf-8"))
    assert "a;'@SUM" in text
    assert read_pairs(tmp_path / "pairs.csv") == (pair,)


def test_a_folder_collects_tasks_and_its_card_names_their_files(made, tmp_path):
    yaml = pytest.importorskip("yaml")
    write(made, tmp_path, baselines=False)
    write(build(DataRecipe("negation", "pt", train=4, validation=4, test=0)), tmp_path, baselines=False)
    head = yaml.safe_load((tmp_path / "README.md").read_text("utf-8").split("---")[1])
    configs = {config["config_name"]: config["data_files"] for config in head["configs"]}
    assert [file["split"] for file in configs["negation-pt"]] == ["train", "validation"]
    assert all((tmp_path / file["path"]).is_file() for files in configs.values() for file in files)
    assert set(json.loads((tmp_path / "build.json").read_text("utf-8"))["builds"]) == set(configs)


def test_the_datasets_library_loads_every_configuration(made, tmp_path):
    datasets = pytest.importorskip("datasets", reason="absent: datasets")
    write(made, tmp_path / "data", baselines=False)
    for task, language in (("negation", "en"), ("negation", "zh"), ("temporal", "zh")):
        recipe = DataRecipe(task, language, train=12, validation=4, test=8, labels="nli", proof=False)
        write(build(recipe), tmp_path / "data", baselines=False)
    folder = str(tmp_path / "data")
    assert datasets.get_dataset_config_names(folder) == ["disjunction-en", "negation-en", "negation-zh", "temporal-zh"]
    for name in ("disjunction-en", "negation-zh"):
        loaded = datasets.load_dataset(folder, name, cache_dir=str(tmp_path / "cache"))
        assert tuple(loaded) == SPLITS
        task, language = name.split("-")
        for split in SPLITS:
            written = read_pairs(tmp_path / "data" / language / task / f"{split}.jsonl")
            assert tuple(loaded[split].column_names) == COLUMNS
            rows = [row | {"names": json.loads(row["names"])} for row in loaded[split]]
            assert rows == [pair.row() for pair in written]


def test_nothing_is_overwritten_and_a_foreign_folder_is_left_alone(made, tmp_path):
    write(made, tmp_path / "data", baselines=False)
    before = (tmp_path / "data/en/disjunction/train.jsonl").read_bytes()
    with pytest.raises(InputError, match="exists already"):
        wg.logic.build("disjunction", train=4, validation=0, test=0, save=tmp_path / "data")
    assert (tmp_path / "data/en/disjunction/train.jsonl").read_bytes() == before
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "README.md").write_text("mine")
    with pytest.raises(InputError, match="does not belong to a data set"):
        wg.logic.build("disjunction", train=4, validation=0, test=0, save=tmp_path / "other")
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["README.md"]
