import csv
import io
import json
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from six_schemas import six, six_file
from winoglot import InputError
from winoglot.runs.evaluate import evaluate
from winoglot.runs.importing import import_predictions
from winoglot.runs.store import load_run, save_run

ENGLISH = six("en")
FIRST, SECOND = ENGLISH.items[:2]


@pytest.fixture
def write(tmp_path):
    def written(text, name="made.csv"):
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return written


def table(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, list(dict.fromkeys(key for row in rows for key in row)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def log(samples):
    return "".join(json.dumps(sample, ensure_ascii=False) + "\n" for sample in samples)


def asked(item, values, turned=False, prefix="", style="naive", **doc):
    """What lm_eval 0.4 logs for a task like WinoGrande: one continuation of several contexts."""
    readings = wg.readings(item, style)
    pairs = [(prefix + one.before + one.inserted, " " + one.after.strip()) for one in readings]
    pairs, values = (pairs[::-1], values[::-1]) if turned else (pairs, values)
    return sample(pairs, values, doc or {"sentence": "…"})


def sample(pairs, values, doc):
    responses = [[str(value), "False"] for value in values]
    return {
        "doc_id": 0,
        "doc": doc,
        "target": pairs[0][1],
        "arguments": {f"gen_args_{n}": {"arg_0": a, "arg_1": b} for n, (a, b) in enumerate(pairs)},
        "resps": [[response] for response in responses],
        "filtered_resps": responses,
        "filter": "none",
        "metrics": ["acc"],
        "acc": 1.0,
    }


# tables


def test_choices_of_a_table_become_a_run_with_the_same_statistics(write):
    rows = [{"item_id": item.id, "choice": item.answer} for item in ENGLISH.items]
    rows[0]["choice"], rows[1]["choice"] = 1 - FIRST.answer, ""
    found = import_predictions(write(table(rows)), ENGLISH, "mine")
    assert (found.unknown, found.repeated, found.missing) == ([], [], [])
    assert found.run.settings.model == "mine"
    assert [one.choice for one in found.run.predictions[:2]] == [1 - FIRST.answer, None]
    assert found.run.predictions[1].note == "abstained"
    assert found.run.accuracy().value == pytest.approx(10 / 12)
    assert found.run.pair_accuracy().value == pytest.approx(5 / 6)


def test_scores_decide_where_no_choice_is_given(write):
    text = f"item_id,score_0,score_1\n{FIRST.id},-3.5,-2\n{SECOND.id},-2,-2\n{ENGLISH.items[2].id},,-1\n"
    text += f"{ENGLISH.items[3].id},nan,-1\n"
    made = import_predictions(write(text), ENGLISH).run.predictions
    assert [one.choice for one in made] == [1, None, None, None]
    assert [one.note for one in made] == ["", "tie", "no score", "not a number"]
    assert made[0].scores == (-3.5, -2.0)


def test_a_choice_counts_more_than_scores_and_both_are_kept(write):
    text = f"item_id;choice;score_0;score_1\n{FIRST.id};0;-9;-1\n"
    [made] = import_predictions(write(text), ENGLISH).run.predictions
    assert (made.choice, made.scores) == (0, (-9.0, -1.0))


@pytest.mark.parametrize("cell", ["0", "0.0", "THE NEW TOWER", "new tower"])
def test_a_choice_is_an_index_or_the_candidates_text(write, cell):
    item = ENGLISH.schema("tower-shade").items[0]
    [made] = import_predictions(write(f"item_id\tchoice\n{item.id}\t{cell}\n"), ENGLISH).run.predictions
    assert made.choice == 0


def test_unknown_repeated_and_missing_items_are_reported(write):
    text = f"item_id,choice\nnobody.0,1\n{FIRST.id},0\n{FIRST.id},1\n{FIRST.id},0\n"
    found = import_predictions(write(text), ENGLISH)
    assert [(one.line, one.what) for one in found.unknown] == [(2, "nobody.0")]
    assert [(one.line, one.why) for one in found.repeated] == [
        (4, f"another answer to {FIRST.id}, not the same"),
        (5, f"another answer to {FIRST.id}, the same"),
    ]
    assert found.missing == [item.id for item in ENGLISH.items if item.id != FIRST.id]
    assert [one.choice for one in found.run.predictions] == [0]


def test_an_item_that_has_changed_since_is_unknown(write):
    text = f"item_id,item_hash,choice\n{FIRST.id},0123,1\n{SECOND.id},{SECOND.hash},1\n"
    found = import_predictions(write(text), ENGLISH)
    assert [one.what for one in found.unknown] == [FIRST.id]
    assert FIRST.hash in found.unknown[0].why
    assert [one.item_id for one in found.run.predictions] == [SECOND.id]


def test_stored_and_derived_variants_can_be_answered(write):
    text = f"item_id,choice\n{FIRST.id},0\n{FIRST.id}~switched,1\n{FIRST.id}~no-candidates,0\n"
    found = import_predictions(write(text), ENGLISH)
    assert found.run.settings.kinds == ("no-candidates", "switched")
    assert found.unknown == []
    assert [outcome.choice for outcome in found.run.outcomes("switched")] == [1]
    assert SECOND.id in found.missing
    assert f"{SECOND.id}~switched" in found.missing


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("id,choice\nx,1\n", "line 1: there is no column 'item_id'"),
        ("item_id,answer\nx,1\n", "neither 'choice' nor 'score_0'"),
        (f"item_id,score_0\n{FIRST.id},1\n", "neither 'choice' nor 'score_1'"),
        ("item_id,choice,choice\nx,1,1\n", "two columns are called 'choice'"),
        (f"item_id,choice\n{FIRST.id},2\n", f"line 2: '2' is not a candidate of {FIRST.id}"),
        (f"item_id,choice\n{FIRST.id},-1\n", "'-1' is not a candidate"),
        (f"item_id,choice\n{FIRST.id},Nobody\n", r"Candidates: 0 \(Anna\), 1 \(Julia\)"),
        (f"item_id,score_0,score_1\n{FIRST.id},a,1\n", "score_0 is 'a', not a number"),
        (f"item_id,score_0,score_1,score_2\n{FIRST.id},1,2,3\n", "has no candidate 2"),
        (f"item_id,choice\n{FIRST.id}\n", "line 2: the line has 1 cell, the header 2"),
        (f'item_id,choice\n"{FIRST.id},1\n', "not a table"),
        ("item_id,choice\nnobody.0,1\n", "1 answer, none to an item of six-en.*call-microphone.0"),
        ("item_id,choice\n", "0 answers, none to an item"),
        (b"\xff\xfea\x00", "UTF-16"),
        (b"item_id,choice\n\xe9,1\n", "not UTF-8"),
        ('{"a": 1}\n', "not a sample of lm-evaluation-harness"),
        ('{"a": \n', "not JSON"),
        ("[1]", "not a sample of lm-evaluation-harness"),
        ('{"arguments": {}, "doc": {}}\n', "has no log likelihoods"),
        ('{"arguments": [["a", {"until": []}]], "filtered_resps": ["an answer"]}\n', "has no log likelihoods"),
        ('{"arguments": [["a", "b"]], "filtered_resps": ["an answer"]}\n', "an answer is text, not a log likelihood"),
    ],
)
def test_bad_files_are_input_errors_that_say_where(write, text, message):
    with pytest.raises(InputError, match=message) as caught:
        import_predictions(write(text), ENGLISH)
    assert "made.csv" in str(caught.value)
    assert caught.value.remedy


def test_a_file_that_is_not_there_and_a_format_nobody_knows_are_input_errors(write, tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        import_predictions(tmp_path / "none.csv", ENGLISH)
    with pytest.raises(InputError, match="Known: csv, lm-eval"):
        import_predictions(write("item_id,choice\n"), ENGLISH, format="cvs")


@given(st.text(st.sampled_from('{}[],;"\n\tab01item_id,choice~.'), max_size=60))
def test_no_text_brings_anything_but_a_run_or_an_input_error(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_text(f"item_id,choice\n{text}" if len(text) % 2 else text, encoding="utf-8")
    with suppress(InputError):
        import_predictions(path, ENGLISH)


# sample logs


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("style", ["naive", "grammatical"])
@pytest.mark.parametrize("prefix", ["", "Anna left as Julia came.\n\n"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_samples_are_matched_by_what_was_asked_whatever_order_style_and_examples(
    write, turned, style, prefix, language
):
    collection = six(language)
    samples = [asked(item, (-3.0, -2.0 - n), turned, prefix, style) for n, item in enumerate(collection.items)]
    found = import_predictions(write(log(samples), "samples_x.jsonl"), collection)
    assert (found.unknown, found.repeated, found.missing) == ([], [], [])
    assert [one.scores for one in found.run.predictions] == [(-3.0, -2.0 - n) for n in range(12)]
    assert [one.choice for one in found.run.predictions[:3]] == [1, None, 0]


def test_samples_whose_choices_are_the_candidates_are_matched_by_the_documents_text(write):
    samples = []
    for item in ENGLISH.items:
        blank = item.text[: item.pronoun.start] + "_" + item.text[item.pronoun.end :]
        pairs = [(f"{blank}\nWho?", f" {one.text.removeprefix('the ')}") for one in item.candidates]
        samples.append(sample(pairs[::-1], (-1.0, -2.0), {"number": 7, "sentence": blank}))
    found = import_predictions(write(log(samples)), ENGLISH)
    assert {one.choice for one in found.run.predictions} == {1}
    assert found.missing == []


def test_samples_of_an_exported_task_are_matched_by_id_and_hash(write):
    item = ENGLISH.variants("switched")[0]
    known = asked(item, (-1.0, -2.0), id=item.id, hash=item.hash)
    changed = asked(FIRST, (-1.0, -2.0), id=FIRST.id, hash="0123")
    found = import_predictions(write(log([known, changed])), ENGLISH)
    assert [one.item_id for one in found.run.predictions] == [item.id]
    assert found.run.settings.kinds == ("switched",)
    assert "has changed since" in found.unknown[0].why


def test_items_that_read_alike_are_matched_in_turn(write):
    twin = replace(FIRST, id="twin.0", schema_id="twin", parallel_id="twin.0")
    schemas = (*ENGLISH.schemas[:1], wg.Schema("twin", (twin,)))
    collection = replace(ENGLISH, schemas=schemas)
    found = import_predictions(write(log([asked(FIRST, (-1.0, -2.0)), asked(FIRST, (-2.0, -1.0))])), collection)
    assert [(one.item_id, one.choice) for one in found.run.predictions] == [(FIRST.id, 0), ("twin.0", 1)]
    assert found.repeated == []


def test_a_sample_of_another_collection_is_unknown(write):
    other = six("pt").items[0]
    found = import_predictions(write(log([asked(other, (-1.0, -2.0)), asked(FIRST, (-1.0, -2.0))])), ENGLISH)
    assert [(one.line, one.why) for one in found.unknown] == [(1, "no item has this text")]


def test_of_several_filters_the_first_counts(write):
    one, other = asked(FIRST, (-1.0, -2.0)), asked(FIRST, (-2.0, -1.0)) | {"filter": "another"}
    found = import_predictions(write(log([one, other])), ENGLISH)
    assert [made.choice for made in found.run.predictions] == [0]
    assert found.repeated == []


def test_older_logs_with_lists_and_numbers_are_read(write):
    made = asked(FIRST, (-1.0, -2.0))
    made["arguments"] = [[one["arg_0"], one["arg_1"]] for one in made["arguments"].values()]
    made["resps"] = [[[-1.0, False]], [[-2.0, True]]]
    del made["filtered_resps"], made["filter"]
    found = import_predictions(write(json.dumps([made])), ENGLISH)
    assert found.run.predictions[0].scores == (-1.0, -2.0)


def test_the_model_is_named_by_the_results_beside_the_log(write):
    write(json.dumps({"model_name": "somebody/some-model"}), "results_2030-01-01.json")
    path = write(log([asked(FIRST, (-1.0, -2.0))]), "samples_task_2030-01-01.jsonl")
    assert import_predictions(path, ENGLISH).run.settings.model == "somebody/some-model"
    assert import_predictions(path, ENGLISH, "mine").run.settings.model == "mine"


# runs


def test_an_imported_run_is_stored_and_read_back_with_the_same_signature(write, tmp_path):
    rows = [{"item_id": item.id, "choice": 0, "score_0": -1.5, "score_1": -2} for item in ENGLISH.items]
    run = import_predictions(write(table(rows)), ENGLISH, "mine").run
    save_run(run, tmp_path / "run")
    again = load_run(tmp_path / "run")
    assert again.predictions == run.predictions
    assert again.signature == run.signature
    assert "|mine sha:" in run.signature
    assert "from:csv" in run.signature


def test_a_runs_own_choices_imported_give_its_own_figures(write, monkeypatch, tmp_path):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    made = evaluate(ENGLISH, "longer", kinds=["switched"])
    rows = [{"item_id": one.item_id, "choice": one.choice} for one in made.predictions]
    run = import_predictions(write(table(rows)), ENGLISH).run
    assert run.accuracy() == made.accuracy()
    assert run.consistency() == made.consistency()


def test_the_command_writes_a_run_and_says_what_did_not_fit(write, tmp_path, run_winoglot):
    path = write(f"item_id,choice\nnobody.0,1\n{FIRST.id},{FIRST.answer}\n{FIRST.id},1\n")
    code, out, _ = run_winoglot("runs", "import", path, "--collection", six_file("en"), "-o", tmp_path / "runs" / "a")
    assert code == 0
    assert out.startswith("made on six-en: 1 prediction, accuracy 100.0%")
    assert "line 2: nobody.0: the collection has no such item" in out
    assert "Items without an answer: 11" in out
    code, out, _ = run_winoglot("runs", "list", tmp_path / "runs", "--json")
    assert code == 0
    [row] = json.loads(out)
    assert (row["run"], row["answered"], row["items"], row["accuracy"]) == ("a", 1, 12, 1.0)
    code, _, err = run_winoglot("runs", "import", path, "--collection", six_file("en"), "-o", tmp_path / "runs" / "a")
    assert code == 2
    assert "Traceback" not in err


def test_a_broken_run_does_not_hide_the_others(write, tmp_path, run_winoglot):
    path = write(f"item_id,choice\n{FIRST.id},1\n")
    run_winoglot("runs", "import", path, "--collection", six_file("en"), "-o", tmp_path / "runs" / "a")
    (tmp_path / "runs" / "b").mkdir()
    (tmp_path / "runs" / "b" / "run.json").write_text("{", encoding="utf-8")
    code, out, err = run_winoglot("runs", "list", tmp_path / "runs")
    assert code == 1
    assert "six-en" in out
    assert err.startswith("b: ")


def test_json_of_the_command_has_what_another_program_needs(write, tmp_path, run_winoglot):
    path = write(f"item_id,choice\n{FIRST.id},{FIRST.answer}\n")
    _, out, _ = run_winoglot("runs", "import", path, "--collection", six_file("en"), "-o", tmp_path / "a", "--json")
    made = json.loads(out)
    assert (made["predictions"], made["accuracy"]["value"], len(made["missing"])) == (1, 1.0, 11)


def test_a_run_is_replaced_only_when_the_new_one_is_whole(tmp_path, run_winoglot):
    for name, choice in (("old", 0), ("new", 1)):
        lines = [f"{item.id},{choice}" for item in six("en").items]
        (tmp_path / f"{name}.csv").write_text("\n".join(["item_id,choice", *lines]) + "\n")
    asked = ["--collection", str(six_file("en")), "--model", "mine", "-o", str(tmp_path / "run")]
    new = ["runs", "import", str(tmp_path / "new.csv"), *asked, "--force"]
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000)); "
    main = "from winoglot.cli.main import main; main()"
    assert run_winoglot("runs", "import", tmp_path / "old.csv", *asked)[0] == 0
    failed = subprocess.run([sys.executable, "-c", full + main, *new], check=False, capture_output=True, text=True)
    assert (failed.returncode, "Traceback" in failed.stderr) == (2, False)
    assert {made.choice for made in load_run(tmp_path / "run").predictions} == {0}
    assert run_winoglot(*new)[0] == 0
    assert {made.choice for made in load_run(tmp_path / "run").predictions} == {1}
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"run.json", "collection.jsonl", "predictions.jsonl"}
