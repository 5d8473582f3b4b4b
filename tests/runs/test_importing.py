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
from cases import listed
from six_schemas import six, six_file
from winoglot import InputError
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


@listed
def test_bad_files_are_input_errors_that_say_where(write, text, message):
    """`ID` stands for the id of an item."""
    check_refused(write(text.replace("ID", FIRST.id)), message.replace("ID", FIRST.id))


def test_files_in_another_encoding_are_refused(write):
    check_refused(write(b"\xff\xfea\x00"), "UTF-16")
    check_refused(write(b"item_id,choice\n\xe9,1\n"), "not UTF-8")


def check_refused(path, message):
    with pytest.raises(InputError, match=message) as caught:
        import_predictions(path, ENGLISH)
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
    collection = replace(ENGLISH, schemas=(*ENGLISH.schemas[:1], wg.Schema("twin", (twin,))))
    found = import_predictions(write(log([asked(FIRST, (-1.0, -2.0)), asked(FIRST, (-2.0, -1.0))])), collection)
    assert [(one.item_id, one.choice) for one in found.run.predictions] == [(FIRST.id, 0), ("twin.0", 1)]
    assert found.repeated == []


def test_of_several_filters_the_first_counts_and_a_sample_of_another_collection_is_unknown(write):
    other = asked(six("pt").items[0], (-1.0, -2.0))
    one, again = asked(FIRST, (-1.0, -2.0)), asked(FIRST, (-2.0, -1.0)) | {"filter": "another"}
    found = import_predictions(write(log([other, one, again])), ENGLISH)
    assert [made.choice for made in found.run.predictions] == [0]
    assert found.repeated == []
    assert [(one.line, one.why) for one in found.unknown] == [(1, "no item has this text")]


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


def test_the_command_writes_a_run_and_says_what_did_not_fit(write, tmp_path, printed, refused, run_winoglot):
    path = write(f"item_id,choice\nnobody.0,1\n{FIRST.id},{FIRST.answer}\n{FIRST.id},1\n")
    asked = ("runs", "import", path, "--collection", six_file("en"), "-o")
    out = printed(*asked, tmp_path / "runs" / "a")
    assert out.startswith("made on six-en: 1 prediction, accuracy 100.0%")
    assert "line 2: nobody.0: the collection has no such item" in out
    assert "Items without an answer: 11" in out
    made = json.loads(printed(*asked, tmp_path / "b", "--json"))
    assert (made["model"], made["collection"], made["predictions"]) == ("made", "six-en", 1)
    assert (made["accuracy"]["value"], len(made["unknown"]), len(made["missing"])) == (1.0, 1, 11)
    [row] = json.loads(printed("runs", "list", tmp_path / "runs", "--json"))
    assert (row["run"], row["answered"], row["items"], row["accuracy"]) == ("a", 1, 12, 1.0)
    refused(*asked, tmp_path / "runs" / "a")
    (tmp_path / "runs" / "b").mkdir()
    (tmp_path / "runs" / "b" / "run.json").write_text("{", encoding="utf-8")
    code, out, err = run_winoglot("runs", "list", tmp_path / "runs")  # a broken run does not hide the others
    assert (code, "six-en" in out, err[:3]) == (1, True, "b: ")


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
