"""The findings of results/plan.yaml on constructed answers, whose values are known, and the files in results/."""

import csv
import json
import lzma
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

import winoglot as wg
from winoglot.examples import Example, ExampleSet
from winoglot.experiment.file import read_experiment
from winoglot.finetune.seeds import Configuration, TunedSeed
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.runs.store import save_run

ROOT = Path(__file__).parents[1]
with pytest.MonkeyPatch.context() as patch:
    patch.syspath_prepend(ROOT / "benchmarks")
    import result_findings as findings
    import results
    from result_rows import COLUMNS, PRIMARY, corrected

SCHEMAS = 6
ALL_AGREE = 2 / 2**SCHEMAS  # the exact p-value if the totals of all schemas have the same sign


def first(example):
    """Right on the first item of each schema, wrong on the second."""
    return example.id.partition("~")[0].endswith(".0")


@pytest.fixture(scope="session")
def bundled():
    """The same few schemas in nine languages, with all their variants."""
    whole = {language: wg.load(name) for language, name in findings.BUNDLED.items()}
    complete = [
        schema.id
        for schema in whole["en"].schemas
        if all(
            len([each for each in collection.variants(kind) if each.schema_id == schema.id]) == 2
            for language, collection in whole.items()
            for kind in (("tense", "synonym") if language in findings.FOUR else ())
        )
    ][:SCHEMAS]
    return {
        language: replace(collection, schemas=tuple(schema for schema in collection.schemas if schema.id in complete))
        for language, collection in whole.items()
    }


def answered(collection, model, is_right, *, kinds=(), readings="grammatical", scoring="partial"):
    """A run in which the items are right for which `is_right` says so; None is left undecided."""
    run = wg.evaluate(collection, "first", kinds=kinds, progress=False)
    predictions = []
    for outcome in run:
        example, right = outcome.example, is_right(outcome.example)
        answer = example.answer or 0
        choice = None if right is None else answer if right else 1 - answer
        scores = () if choice is None else (float(choice == 0), float(choice == 1))
        predictions.append(Prediction(example.id, example.hash, choice, scores))
    settings = replace(run.settings, model=model, address="gguf:x", scoring=scoring, readings=readings)
    return replace(run, predictions=tuple(predictions), settings=settings, is_baseline=False)


@pytest.fixture
def folder(tmp_path):
    """Writes runs into the folder of an experiment."""

    def write(runs, name="reference", below="runs"):
        for number, run in enumerate(runs):
            save_run(run, tmp_path / name / below / str(number))
        return findings.Folder(tmp_path / name, ROOT / "replicate" / f"{name}.yaml")

    return write


def primary(rows):
    """The only primary row."""
    (row,) = [row for row in rows if row.role == PRIMARY]
    assert row.estimate.low <= row.estimate.value <= row.estimate.high
    return row


def test_the_findings_are_those_of_the_plan():
    plan = yaml.safe_load((ROOT / "results" / "plan.yaml").read_text(encoding="utf-8"))["findings"]
    assert {one["id"]: one["experiment"] for one in plan} == {
        name: experiment for name, (experiment, _) in findings.FINDINGS.items()
    }


def test_the_models_that_are_compared_are_declared(monkeypatch):
    for name in ("DATA", "MODELS"):
        monkeypatch.setenv(f"WINOGLOT_{name}", str(ROOT))
    files = [read_experiment(ROOT / "replicate" / f"{name}.yaml") for name in ("finetune", "finetune-controls")]
    tuned = {model.tuning.configuration for file in files for model in file.models if model.tuning}
    assert tuned == findings.LABELS.keys() - {findings.UNTUNED}
    assert {findings.WITH, findings.WITHOUT, findings.SHUFFLED, findings.NO_CONTRAST, findings.ALL_WITHOUT} < tuned
    for experiment in results.EXPERIMENTS:
        models = yaml.safe_load((ROOT / "replicate" / f"{experiment}.yaml").read_text(encoding="utf-8"))["models"]
        names = {model["name"] for model in models if "name" in model}
        assert names & {findings.MODEL, findings.UNTUNED, findings.FINE_TUNED}


def test_capable_is_the_mean_outcome_of_nine_languages_whose_translations_move_together(bundled, folder):
    *_, last = bundled["en"].schemas
    runs = [
        answered(one, findings.MODEL, lambda example: None if example.cluster == last.id else True)
        for one in bundled.values()
    ]
    rows = list(findings.capable(folder(runs)))
    row = primary(rows)
    assert (row.estimate.value, row.estimate.n) == (pytest.approx((5 + 0.5) / 6), 9 * 2 * SCHEMAS)
    assert row.p == pytest.approx(2 / 2**5)  # the sixth carries no information
    assert {row.label for row in rows[1:]} == {one.language for one in bundled.values()}


def test_a_finding_whose_runs_are_missing_says_which(bundled, folder):
    with pytest.raises(wg.InputError, match=r"no run of Qwen.* on winoglot-pt"):
        list(findings.capable(folder([answered(bundled["en"], findings.MODEL, lambda _: True)])))


def test_languages_compares_agreement_across_languages_with_that_of_synonyms(bundled, folder):
    runs = [
        answered(one, findings.MODEL, (lambda _: True) if language == "en" else first, kinds=("synonym",))
        for language, one in bundled.items()
    ]
    row = primary(findings.languages(folder(runs)))
    assert (row.estimate.value, row.estimate.n) == (-0.5, 2 * SCHEMAS)
    assert row.p == ALL_AGREE


def test_grammar_is_the_difference_of_readings(bundled, folder):
    runs = [
        answered(one, findings.MODEL, is_right, readings=style, scoring=scoring)
        for one in bundled.values()
        for style, is_right in (("grammatical", lambda _: True), ("naive", first))
        for scoring in ("partial", "full")
    ]
    row = primary(findings.grammar(folder(runs, "grammar")))
    assert (row.estimate.value, row.p, row.about["scoring"]) == (0.5, ALL_AGREE, "partial")


def test_wordings_is_a_mean_over_kinds(bundled, folder):
    kinds = ("tense", "synonym")
    runs = [
        answered(
            replace(bundled[language], name=name),
            findings.MODEL,
            lambda example: example.kind != "tense",
            kinds=kinds if language in findings.FOUR else (),
        )
        for language, name in (*findings.BUNDLED.items(), ("en", "perturbed-wsc"))
    ]
    rows = list(findings.wordings(folder(runs)))
    row = primary(rows)
    assert (row.estimate.value, row.p) == (-0.5, ALL_AGREE)
    assert [each.estimate.value for each in rows if each.label.endswith(", four languages")] == [-1, 0]
    beside = [each for each in rows if each.about["model"] == "RoBERTa" and each.about["kind"] == "synonym"]
    assert {each.metric: round(each.estimate.value, 4) for each in beside} == {"accuracy": 0.5754, "stability": 0.6877}


def test_transfer_is_tuned_minus_untuned_over_seeds(bundled, folder):
    def learnt(seed):
        return lambda example: first(example) or (seed == 0 and example.cluster == bundled["en"].schemas[0].id)

    models = {"untuned": lambda _: False} | {f"tuned s{seed}": learnt(seed) for seed in range(5)}
    runs = [answered(one, model, is_right) for one in bundled.values() for model, is_right in models.items()]
    at = folder(runs, "finetune")
    (at.path / "models").mkdir()
    for seed, held_out in enumerate((0.7, 0.7, 0.5, 0.7, 0.7)):
        record = {"asked": {}, "ended": {"accuracy": held_out}, "answered": {"runs": []}}
        (at.path / "models" / f"tuned_s{seed}.json").write_text(json.dumps(record))
    rows = list(findings.transfer(at))
    row = primary(rows)
    assert row.estimate.value == pytest.approx(0.5 + 1 / (5 * 2 * SCHEMAS))
    assert (row.p, row.estimate.n, row.estimate.method) == (ALL_AGREE, 8 * 2 * SCHEMAS, "over 5 seeds and 6 schemas")
    (failed,) = [each for each in rows if each.metric == "failed-trainings"]
    assert (failed.estimate.value, failed.estimate.n) == (1, 5)


def test_form_is_the_difference_of_two_configurations_and_switched_that_of_their_consistency(bundled, folder):
    def tuned(model, is_right):
        return [
            answered(one, f"{model} s{seed}", is_right(seed), kinds=("switched",))
            for seed in range(3)
            for one in bundled.values()
        ]

    # Right on the original and wrong on the switched item is the same candidate twice.
    runs = tuned(findings.WITH, lambda seed: lambda example: True if seed == 0 else first(example))
    runs += tuned(findings.SHUFFLED, lambda _: first)
    runs += tuned(findings.WITHOUT, lambda _: lambda example: example.kind == "original")
    at = folder(runs, "finetune-controls")
    form = primary(findings.form(at))
    assert form.estimate.value == pytest.approx(0.5 / 3)
    assert (form.p, form.estimate.method) == (ALL_AGREE, "over 3 seeds and 6 schemas")
    rows = list(findings.switched(at))
    row = primary(rows)
    assert (row.estimate.value, row.p) == (1, pytest.approx(2 / 2 ** len({*_switchable(bundled)})))
    assert {each.estimate.value for each in rows if each.label == "without switched items, 2,558"} == {0}
    runs = [answered(one, f"tuned s{n}", first, kinds=("switched",)) for n in range(5) for one in bundled.values()]
    both = findings.Folder(at.path, at.file, folder(runs, "finetune"))
    assert {each.label for each in findings.switched(both)} == {
        "with switched items, all",
        *(one.label for one in rows),
    }


def _switchable(bundled):
    for collection in bundled.values():
        run = wg.evaluate(collection, "first", kinds=["switched"], progress=False)
        yield from (outcome.example.cluster for outcome in run.outcomes("switched"))


def test_as_many_seeds_are_compared_as_both_sides_have():
    def tally(*values):
        rows = (findings.TallyRow(f"{number}", f"{number}", value) for number, value in enumerate(values))
        return findings.Tally(tuple(rows))

    after, before = [tally(1, 1, 0), tally(1, 0, 0), tally(1, 1, 1)], [tally(0, 0, 0), tally(1, 0, 0)]
    row = findings.change_row("", "success", after, before)
    assert (row.estimate.value, row.estimate.method) == (pytest.approx(1 / 3), "over 2 seeds and 3 schemas")
    assert findings.change_row("", "success", after, before[:1]).estimate.value == pytest.approx(2 / 3)


def test_memory_takes_the_p_value_of_the_analysis(tmp_path):
    row = {"value": 0.4, "low": 0.1, "high": 0.7, "n": 593, "method": "BCa", "texts": "difference", "p": 0.02}
    about = dict.fromkeys(("language", "scoring", "readings"), "") | {"measure": "contamination", "kind": "renamed"}

    def write(**more):
        estimates = [{"quantity": "min-k-difference", **row, **more}, {"quantity": "margin-difference", **row}]
        group = {**about, "model": "untuned", "collection": "wsc273", "estimates": estimates}
        file = tmp_path / "analyses" / "untuned" / "analysis.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"results": [group]}))

    write()
    at = findings.Folder(tmp_path, ROOT / "replicate" / "contamination.yaml")
    found = primary(findings.memory(at))
    assert (found.estimate.value, found.p, found.unit) == (0.4, 0.02, "nats")
    write(p=None)
    with pytest.raises(wg.InputError, match="no p-value"):
        list(findings.memory(at))


def test_association_is_the_difference_of_associative_items(bundled, folder):
    schemas = bundled["en"].schemas
    tags = {schema.id: ("associative",) if number < 3 else () for number, schema in enumerate(schemas)}
    tagged = replace(
        bundled["en"],
        name="wsc273",
        schemas=tuple(
            replace(schema, items=tuple(replace(item, tags=tags[item.schema_id]) for item in schema.items))
            for schema in schemas
        ),
    )
    run = answered(tagged, findings.MODEL, lambda example: first(example) or bool(tags[example.cluster]))
    row = primary(findings.association(folder([run])))
    assert (row.estimate.value, row.estimate.n) == (0.5, 2 * SCHEMAS)
    assert row.p == pytest.approx(2 / 20, abs=0.015)  # three of six schemas, in 20 ways


def test_preference_is_the_share_of_first_mentions_with_the_segment_masked(bundled, folder):
    runs = []
    for collection in bundled.values():
        run = wg.evaluate(collection, "first", kinds=["segment-masked"], progress=False)
        runs.append(replace(run, settings=replace(run.settings, model=findings.MODEL)))
    row = primary(findings.preference(folder(runs, "preference", "analyses/model/runs")))
    assert (row.estimate.value, row.p) == (1, pytest.approx(2 / 2 ** len({*_masked(runs)})))


def _masked(runs):
    return (outcome.example.cluster for run in runs for outcome in run.outcomes("segment-masked"))


def test_depth_counts_tasks_that_have_both_labels_at_those_depths():
    labels = ("entailment", "contradiction")

    def run(task, answers, right):
        about = {"language": "en", "task": task}
        examples = tuple(
            Example(f"{task}{number}", f"{number // 2}", labels, answer, features={**about, "depth": depth})
            for number, (depth, answer) in enumerate(answers)
        )
        choices = (one.answer if is_right else 1 - one.answer for one, is_right in zip(examples, right, strict=True))
        predictions = tuple(Prediction(one.id, "", choice) for one, choice in zip(examples, choices, strict=True))
        return Run(
            ExampleSet(f"{task}-en", examples, "en"),
            Settings(model="m", scoring="labels", readings="pairs", fingerprint=""),
            predictions,
        )

    both = run("both", [(3, 0), (3, 1), (4, 0), (4, 1), (1, 0)], [True, True, True, False, False])
    alone = run("alone", [(1, 0), (1, 1), (3, 1), (4, 1)], [False] * 4)
    model = Configuration(
        "fine-tuned", "fine-tuned", (), tuple(TunedSeed(f"s{seed}", seed, (both, alone)) for seed in (0, 1))
    )
    row = findings.mean_row("", "accuracy", findings.pair_tallies(model, language="en", depths=(3, 4)), level=0.5)
    assert (row.estimate.value, row.estimate.n, row.p) == (0.75, 4, 1.0)


# The files


def row_of(finding, role, p):
    return dict.fromkeys(COLUMNS, "") | {"finding": finding, "role": role, "p": p}


def test_primary_rows_are_corrected_together_and_others_by_finding():
    given = [("a", PRIMARY, 0.01), ("b", PRIMARY, 0.02), ("a", "exploratory", 0.01), ("a", "exploratory", None)]
    assert [row["p_holm"] for row in corrected([row_of(*one) for one in given])] == [0.02, 0.02, 0.01, None]


def run_script(*arguments):
    """The exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["results.py", *map(str, arguments)])
        try:
            results.main()
        except SystemExit as ended:
            return ended.code
    return 0


def test_findings_of_missing_experiments_stay_and_files_changed_by_hand_are_noticed(bundled, folder, tmp_path, capsys):
    runs = [answered(one, findings.MODEL, lambda _: True, kinds=("synonym",)) for one in bundled.values()]
    output = tmp_path / "kept"
    output.mkdir()
    earlier = row_of("memory", PRIMARY, 0.5) | {"value": 0.1, "low": 0.0, "high": 0.2, "n": 7}
    data = results.as_csv([earlier], COLUMNS, exact=True).encode()
    results.write(output, {results.FILE: data})
    folder(runs)
    (tmp_path / "reference" / "results.csv").write_text("collection\n")
    signature = "winoglot-en@3.0|tuned s0=causal:{}models/tuned_s0 sha:4f|v0.1.0"
    lock = {
        "experiment": {"folder": "../a"},
        "runs": {"en": {"signature": signature.format("/home/me/"), "choices": "01"}},
    }
    (tmp_path / "reference" / "experiment.lock.json").write_text(json.dumps(lock))
    assert run_script(tmp_path, "-o", output, "--keep") == 0
    said = capsys.readouterr()
    assert "memory: left as it was, with 1 row: there is no folder contamination" in said.err
    assert "3 primary tests" in said.out
    rows = list(csv.DictReader((output / results.FILE).read_text(encoding="utf-8").splitlines()))
    assert [(row["finding"], row["value"], row["n"]) for row in rows if row["finding"] == "memory"] == [
        ("memory", "0.1", "7")
    ]
    kept = json.loads(lzma.decompress((output / "reference.lock.json.xz").read_bytes()))
    assert kept["runs"]["en"] == {"signature": signature.format(""), "choices": "01"}
    assert kept["experiment"]["folder"] == "../replicate"
    before = (output / results.FILE).read_bytes()
    assert run_script(tmp_path, "-o", output) == 0
    assert (output / results.FILE).read_bytes() == before
    (output / results.FILE).write_bytes(before.replace(b"0.1", b"0.9"))
    assert run_script(tmp_path, "-o", output) == 2
    assert "changed by hand" in capsys.readouterr().err


def test_an_interrupted_experiment_has_exploratory_rows_and_is_not_kept(bundled, folder, tmp_path, capsys):
    models = {"untuned": lambda _: False, "with switched 640 s0": first, "with switched 640 s1": first}
    runs = [answered(one, model, is_right) for one in bundled.values() for model, is_right in models.items()]
    folder(runs, "finetune-controls")
    output = tmp_path / "kept"
    assert run_script(tmp_path, "-o", output, "--keep") == 0
    said = capsys.readouterr()
    assert "no primary one: " in said.err
    assert "there is no run of with switched 2558 on winoglot-en" in said.err
    assert "finetune-controls: not kept" in said.err
    assert "0 primary tests" in said.out
    rows = list(csv.DictReader((output / results.FILE).read_text(encoding="utf-8").splitlines()))
    assert {row["role"] for row in rows} == {"exploratory"}
    (change,) = [row for row in rows if (row["collection"], row["metric"]) == ("winoglot", "success-difference")]
    assert (change["label"], float(change["value"])) == ("with switched items, 640, minus untuned", 0.5)
    assert {path.name for path in output.iterdir()} == {results.FILE, results.SUMS}


def test_results_are_as_they_were_computed():
    stated = results.checksums(ROOT / "results")
    computed = [results.FILE, *(f"{name}{end}" for name in results.EXPERIMENTS for end in (".csv", ".lock.json.xz"))]
    present = {name for name in computed if (ROOT / "results" / name).is_file()}
    assert stated.keys() >= present
