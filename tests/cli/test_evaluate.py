import json
import re
from dataclasses import asdict

import pytest

import winoglot as wg
from cases import listed
from six_schemas import six, six_file
from tiny_models import llama, word_pieces
from winoglot.runs.store import find_runs, load_run
from winoglot.statistics.formatting import percent_interval


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))


def test_json_has_what_other_programs_rely_on(tmp_path, run_winoglot):
    code, out, _ = run_winoglot(
        *("evaluate", six_file("pt"), six_file("en"), "--model", "first", "--model", "chance", "--kinds", "switched"),
        *("--readings", "naive,grammatical", "-o", str(tmp_path / "runs"), "--json"),
    )
    rows = json.loads(out)
    assert code == 0
    assert len(rows) == 8 == len(find_runs(tmp_path / "runs"))
    for row in rows:
        for name in ("accuracy", "pair_accuracy", "consistency"):
            assert set(row[name]) == {"value", "low", "high", "n", "method"}
        assert {"collection", "language", "model", "scoring", "readings", "signature", "seconds"} < set(row)
        assert {"items_per_second", "abstained", "fallback", "undefined_window", "punctuation_window"} < set(row)
    assert {(row["collection"], row["language"]) for row in rows} == {("six-pt", "pt-BR"), ("six-en", "en")}
    assert {load_run(folder).signature for folder in find_runs(tmp_path / "runs")} == {row["signature"] for row in rows}


def test_consistency_is_null_where_nothing_is_switched(run_winoglot):
    code, out, _ = run_winoglot("evaluate", six_file("pt"), "--model", "first", "--limit", "2", "--json")
    (row,) = json.loads(out)
    assert (code, row["consistency"], row["accuracy"]["n"]) == (0, None, 4)


def test_the_table_says_its_method(run_winoglot):
    code, out, _ = run_winoglot("evaluate", six_file("pt"), "--model", "first")
    assert code == 0
    assert "50.0 [27, 73]" in out
    assert "An abstention counts as wrong" in out


def test_abstentions_are_counted_by_their_notes(run_winoglot):
    models = ("--model", "first", "--model", "frequent")
    code, out, err = run_winoglot("evaluate", six_file("pt"), *models, "--json")
    first, frequent = json.loads(out)
    assert (code, err, first["notes"]) == (0, "", {})
    assert sum(frequent["notes"].values()) == frequent["abstained"] > 0
    assert "unknown" in frequent["notes"]
    _, out, _ = run_winoglot("evaluate", six_file("pt"), *models)
    assert f"\nfrequent, six-pt: abstained (unknown {frequent['notes']['unknown']});" in out
    assert "\nfirst, six-pt" not in out


def test_scores_that_are_no_numbers_are_warned_of(tmp_path, run_winoglot):
    import torch
    import transformers

    folder = llama(tmp_path / "model", [item.text for item in six("pt").items])
    model = transformers.AutoModelForCausalLM.from_pretrained(folder)
    with torch.no_grad():
        model.get_input_embeddings().weight.fill_(float("nan"))
    model.save_pretrained(folder)
    asked = ("evaluate", six_file("pt"), "--model", f"causal:{folder}")
    code, out, err = run_winoglot(*asked)
    assert code == 0
    first = six("pt").items[0].id
    assert "Warning: " in err
    assert f"the scores of 12 of 12 items are not numbers: {first}, " in err
    assert " and 7 more" in err
    assert "not a number 12" in " ".join(out.split())
    assert "quality undefined, n = 0; success 50.0" in " ".join(out.split())
    code, out, err = run_winoglot(*asked, "--json")
    assert (code, json.loads(out)[0]["notes"]) == (0, {"not a number": 12})
    assert (json.loads(out)[0]["quality"], json.loads(out)[0]["success"]["value"]) == (None, 0.5)
    assert "Warning: " in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((six_file("pt"), "--model", "caual:x"), "causal"),
        ((six_file("pt"), "--model", "first", "--scoring", "partial"), "choice"),
        ((six_file("pt"), "--model", "first", "--kinds", "swiched"), "switched"),
        ((six_file("pt"), "--model", "first", "--limit", "0"), "limit"),
        ((six_file("pt"), "--model", "first", "--option", "shots"), "name=value"),
        ((six_file("pt"), "--model", "gguf:nowhere.gguf"), "no file"),
        ((six_file("pt"), "--model", "first", "--readings", ","), "--readings"),
        ((six_file("pt"), "--model", "first", "--scoring", ","), "--scoring"),
        ((six_file("pt"), "--model", "first", "-o", "x" * 300), "Give another path"),
        ((six_file("pt"), "--model", "first", "--interval", "wilsn"), "wilson"),
        ((six_file("pt"), "--model", "first", "--precision", "foo"), "float32"),
        ((six_file("pt"), "--model", "first", "--device", "tpu"), "cpu"),
        ((six_file("pt"), "--model", "first", "--batch-tokens", "-3"), "--batch-tokens"),
        ((six_file("pt"), "--model", "causal:nowhere", "--batch-tokens", "-3"), "--batch-tokens"),
        (("winoglot-px", "--model", "first"), "winoglot-pt"),
    ],
)
def test_bad_requests_end_with_code_2_and_a_remedy(run_winoglot, arguments, message):
    code, _, err = run_winoglot("evaluate", *arguments)
    assert code == 2
    assert message in err


def test_a_file_that_only_calls_itself_gguf_is_refused(tmp_path, run_winoglot):
    for name, content in (("a.gguf", b"nothing"), ("b.gguf", b"GGUF" + b"\0" * 200)):
        (tmp_path / name).write_bytes(content)
        code, _, err = run_winoglot("evaluate", six_file("pt"), "--model", f"gguf:{tmp_path / name}")
        assert code == 2
        assert "Traceback" not in err


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (("--model", "gguf:nowhere.gguf"), "gguf: there is no file 'nowhere.gguf'"),
        (("--model", "causal:./nowhere"), "not the folder of a model"),
        (("--model", "lm:nowhere"), "no model here: config.json is missing"),
        (("--model", "ensemble:chance+chance"), "is in the ensemble twice"),
        (("--model", "longr"), "longer"),
        (("--model", "first:x"), "first alone"),
        (("--model", "longer", "--scoring", "choice,partial"), "'partial'"),
        (("--model", "longer", "--readings", "naive,grammar"), "grammatical"),
        ((six_file("en"), "--model", "longer", "--kinds", "tense"), "tense"),
    ],
)
def test_what_is_asked_is_checked_before_anything_is_scored(tmp_path, run_winoglot, bad, message):
    code, out, err = run_winoglot("evaluate", six_file("pt"), "--model", "first", *bad, "-o", str(tmp_path / "runs"))
    assert (code, out, (tmp_path / "runs").exists()) == (2, "", False)
    assert message in err


def test_a_model_that_fails_late_costs_its_own_runs_only(tmp_path, run_winoglot):
    folder = llama(tmp_path / "model", [item.text for item in six("pt").items])
    weights = tmp_path / "model" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    asked = ("evaluate", six_file("pt"), "--model", "first", "--model", f"causal:{folder}", "--model", "longer")
    code, out, err = run_winoglot(*asked)
    assert code == 2
    assert "six-pt      first" in out
    assert "six-pt      longer" in out
    assert f"Error: causal:{folder}: the model in {folder} cannot be loaded" in err
    code, out, _ = run_winoglot(*asked, "--json")
    assert (code, [row["model"] for row in json.loads(out)]) == (2, ["first", "longer"])


def test_a_model_named_twice_is_asked_once(run_winoglot):
    code, out, _ = run_winoglot("evaluate", six_file("pt"), "--model", "first", "--model", "first", "--json")
    assert (code, len(json.loads(out))) == (0, 1)


def test_the_table_names_the_method_of_each_column_and_the_n_of_its_accuracy(tmp_path, run_winoglot):
    source = tmp_path / "some.yaml"
    source.write_text(six_file("en").read_text().replace("answers: [0, 1]", "answers: [0, null]", 1))
    code, out, _ = run_winoglot("evaluate", str(source), "--model", "first", "--kinds", "switched")
    row = next(line for line in out.splitlines() if " first " in line)
    assert (code, "  11  " in row) == (0, True)
    said = " ".join(out.split())
    assert "Unlabelled items in six-en, left out: 1" in said
    assert "(accuracy: BCa; pairs, consistency: exact (Clopper-Pearson))" in said
    _, out, _ = run_winoglot("evaluate", six_file("en"), "--model", "chance", "--interval", "wilson")
    assert "(accuracy: Wilson, items taken as independent; pairs: Wilson)" in " ".join(out.split())
    source.write_text(re.sub(r"answers: .*", "answers: [null, null]", six_file("en").read_text()))
    code, out, _ = run_winoglot("evaluate", str(source), "--model", "first")
    assert (code, "interval" in out, "Unlabelled items in six-en, left out: 12" in out) == (0, False, True)


def test_unknown_tokens_and_skipped_characters_are_told(tmp_path, run_winoglot):
    tokenizer = word_pieces([item.text.replace("ç", "") for item in six("pt").items], size=2000)
    tokenizer.bos_token = "[CLS]"
    folder = llama(tmp_path / "model", [], tokenizer=tokenizer)
    asked = ("evaluate", six_file("pt"), "--model", f"causal:{folder}", "--model", "first")
    code, out, _ = run_winoglot(*asked, "--json")
    model, first = json.loads(out)
    assert code == 0
    assert 0 < model["unknown_tokens"] < 0.1
    assert (first["unknown_tokens"], first["skipped_characters"], first["skipped_items"]) == (None, 0, 0)
    run = wg.evaluate(six("pt"), f"causal:{folder}", scoring="partial")
    assert run.unknown_tokens() == model["unknown_tokens"]
    _, out, _ = run_winoglot(*asked)
    assert f"causal:{folder} partial, six-pt: unknown tokens {100 * model['unknown_tokens']:.1f}%" in joined(out)
    assert "\nfirst, six-pt" not in out


def joined(text):
    """The text as if no terminal had broken its lines."""
    return " ".join(text.split())


def test_a_collection_or_style_named_twice_is_asked_once_and_two_of_one_name_are_refused(tmp_path, run_winoglot):
    twice = (six_file("pt"), six_file("pt"), "--readings", "naive,naive", "--model", "first")
    code, out, _ = run_winoglot("evaluate", *twice, "--json")
    assert (code, len(json.loads(out))) == (0, 1)
    other = tmp_path / "other.yaml"
    other.write_text(six_file("pt").read_text().replace("answers: [0, 1]", "answers: [1, 0]", 1))
    code, out, err = run_winoglot("evaluate", six_file("pt"), str(other), "--model", "first", "-o", str(tmp_path / "r"))
    assert (code, out, (tmp_path / "r").exists()) == (2, "", False)
    assert "would be stored in the same folder" in err


def test_kinds_beside_switched_have_their_figures_below_the_table_and_in_json(run_winoglot):
    asked = ("evaluate", six_file("en"), "--model", "longer", "--kinds", "switched,segment-masked,no-candidates")
    code, out, _ = run_winoglot(*asked, "--json")
    kinds = json.loads(out)[0]["kinds"]
    run = wg.evaluate(six("en"), "longer", kinds=["switched", "segment-masked", "no-candidates"])
    assert (code, list(kinds)) == (0, ["switched", "segment-masked", "no-candidates"])
    masked, blanked = kinds["segment-masked"], kinds["no-candidates"]
    assert (masked["accuracy"], masked["position_preference"]) == (None, asdict(run.position_preference()))
    assert (blanked["accuracy"], blanked["position_preference"]) == (asdict(run.accuracy("no-candidates")), None)
    _, out, _ = run_winoglot(*asked)
    below = [line.split() for line in out.split("\n\n")[1].splitlines() if line.startswith("six-en")]
    for kind, figure, name in (
        ("segment-masked", run.position_preference(), "first mention"),
        ("no-candidates", run.accuracy("no-candidates"), "accuracy"),
        ("no-candidates", run.estimate("stability", "no-candidates"), "stability"),
        ("switched", run.estimate("delta-accuracy", "switched"), "delta accuracy"),
    ):
        cells = [name, f"{percent_interval(figure)}", f"{figure.n}", f"{kinds[kind]['abstained']}"]
        assert " ".join(["six-en", "longer", kind, *cells]).split() in below
    assert len(below) == 6
    assert "50 is no preference" in out


def test_switched_alone_has_no_table_of_kinds(run_winoglot):
    _, out, _ = run_winoglot("evaluate", six_file("en"), "--model", "first", "--kinds", "switched")
    assert "figure" not in out


def test_quality_and_success_are_told_where_a_model_abstains(run_winoglot):
    asked = ("evaluate", six_file("pt"), "--model", "first", "--model", "frequent")
    code, out, _ = run_winoglot(*asked, "--json")
    first, frequent = json.loads(out)
    run = wg.evaluate(six("pt"), "frequent")
    assert (code, first["quality"], first["success"]) == (0, first["accuracy"], first["accuracy"])
    assert (frequent["quality"], frequent["success"]) == (asdict(run.quality()), asdict(run.success()))
    _, out, _ = run_winoglot(*asked)
    quality, success = percent_interval(run.quality()), percent_interval(run.success())
    figures = f"quality {quality}, n = {run.quality().n}; success {success}, n = 12"
    assert f"frequent, six-pt: abstained (unknown 4); {figures}" in joined(out)
    assert "quality, success: exact (Clopper-Pearson))" in joined(out)
    assert "\nfirst, six-pt" not in out
    _, out, _ = run_winoglot("evaluate", six_file("pt"), "--model", "first")
    assert "quality" not in out


def test_lists_may_be_given_by_commas_or_by_repeating_the_option(run_winoglot):
    command = ("evaluate", six_file("en"), "--model", "first", "--json")
    comma = run_winoglot(*command, "--kinds", "switched,after-only", "--readings", "naive,grammatical")
    again = run_winoglot(
        *(*command, "--kinds", "switched", "--kinds", "after-only", "--readings", "naive", "--readings", "grammatical")
    )
    rows = [
        [(row["readings"], row["signature"], row["kinds"]) for row in json.loads(out)] for _, out, _ in (comma, again)
    ]
    assert rows[0] == rows[1]
    assert [set(kinds) for _, _, kinds in rows[0]] == [{"switched", "after-only"}] * 2
    command = ("readings", six_file("en"))
    comma = run_winoglot(*command, "--kinds", "switched,after-only")
    assert comma == run_winoglot(*command, "--kinds", "switched", "--kinds", "after-only")


def test_renamed_gives_mean_and_spread_over_names_and_resumes(run_winoglot, tmp_path):
    runs = str(tmp_path / "runs")
    ask = ("evaluate", six_file("pt"), "--model", "longer", "--renamed", "3", "-o", runs)
    code, out, _ = run_winoglot(*ask)
    assert code == 0
    assert re.search(r"over 3 draws of names, accuracy is [\d.]+ on average, SD [\d.]+, range [\d.]+ to", out)
    assert {"renamed", "names SD (points)"} <= set(re.split(r"  +", out.splitlines()[0]))
    (folder,) = find_runs(tmp_path / "runs")
    whole = load_run(folder)
    assert whole.outcomes("renamed-3")
    lines = (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "predictions.jsonl").write_text("".join(lines[: len(lines) // 2]), encoding="utf-8")
    assert run_winoglot("runs", "list", runs, "--json")[1].count(f'"items": {len(lines)}') == 1
    code, out, _ = run_winoglot(*ask, "--json")
    (row,) = json.loads(out)
    assert sorted(load_run(folder).predictions, key=repr) == sorted(whole.predictions, key=repr)
    assert row["names"]["draws"] == 3
    assert row["renamed"]["value"] == pytest.approx(row["names"]["mean"])
    assert row["renamed_sd"]["value"] == pytest.approx(100 * row["names"]["sd"])
    assert row["kinds"] == {}


@listed
def test_a_number_of_draws_that_makes_no_sense_is_refused(run_winoglot, words, why):
    code, _, err = run_winoglot("evaluate", six_file("pt"), "--model", "first", *words)
    assert (code, why in err) == (2, True)


def test_a_language_without_names_is_refused_before_anything_is_asked(run_winoglot, tmp_path):
    schema = "  - {id: a, text: '{Li} venis.', candidates: [Jo, Su], mentions: [[], []], answers: [0]}\n"
    path = tmp_path / "eo.yaml"
    path.write_text(f"collection: eo\nlanguage: eo\nschemas:\n{schema}", encoding="utf-8")
    code, _, err = run_winoglot("evaluate", str(path), "--model", "first", "--readings", "naive", "--renamed", "2")
    assert code == 2
    assert "there is no list of names for eo" in err


def test_a_collection_without_people_says_so(run_winoglot, tmp_path):
    schema = (
        "  - {id: a, text: 'The lamp hit the vase and {it} broke.', candidates: [the lamp, the vase], answers: [0]}\n"
    )
    path = tmp_path / "things.yaml"
    path.write_text(f"collection: things\nlanguage: en\nschemas:\n{schema}", encoding="utf-8")
    code, out, _ = run_winoglot("evaluate", str(path), "--model", "first", "--renamed", "2")
    assert (code, "first, things: nobody could be renamed" in out) == (0, True)


def test_a_model_must_be_named_and_the_error_names_some(run_winoglot):
    code, out, err = run_winoglot("evaluate", "winoglot-en")
    assert (code, out) == (2, "")
    assert "no model is named. Add one, such as --model first" in err
