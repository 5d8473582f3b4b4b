import json
import re
from dataclasses import asdict

import pytest

import winoglot as wg
from six_schemas import six, six_file
from tiny_models import llama, word_pieces
from winoglot.runs.store import find_runs, load_run
from winoglot.statistics.formatting import percent_interval


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))


def test_json_has_what_other_programs_rely_on(tmp_path, printed):
    out = printed(
        *("evaluate", six_file("pt"), six_file("en"), "--model", "first", "--model", "chance", "--kinds", "switched"),
        *("--readings", "naive,grammatical", "-o", str(tmp_path / "runs"), "--json"),
    )
    rows = json.loads(out)
    assert len(rows) == 8 == len(find_runs(tmp_path / "runs"))
    for row in rows:
        for name in ("accuracy", "pair_accuracy", "consistency"):
            assert set(row[name]) == {"value", "low", "high", "n", "method"}
        assert {"collection", "language", "model", "scoring", "readings", "signature", "seconds"} < set(row)
        assert {"items_per_second", "abstained", "fallback", "undefined_window", "punctuation_window"} < set(row)
    assert {(row["collection"], row["language"]) for row in rows} == {("six-pt", "pt-BR"), ("six-en", "en")}
    assert {load_run(folder).signature for folder in find_runs(tmp_path / "runs")} == {row["signature"] for row in rows}
    (row,) = json.loads(printed("evaluate", six_file("pt"), "--model", "first", "--limit", "2", "--json"))
    assert (row["consistency"], row["accuracy"]["n"]) == (None, 4)  # nothing is switched


def test_the_table_says_its_method(printed):
    out = printed("evaluate", six_file("pt"), "--model", "first", "--kinds", "switched")
    assert "50.0 [27, 73]" in out
    assert "An abstention counts as wrong" in out
    assert "figure" not in out  # switched items have no table of their own
    assert "quality" not in out


def test_quality_success_and_the_notes_of_abstentions_are_told_where_a_model_abstains(printed):
    asked = ("evaluate", six_file("pt"), "--model", "first", "--model", "frequent")
    first, frequent = json.loads(printed(*asked, "--json"))
    run = wg.evaluate(six("pt"), "frequent")
    assert (first["notes"], first["quality"], first["success"]) == ({}, first["accuracy"], first["accuracy"])
    assert sum(frequent["notes"].values()) == frequent["abstained"] > 0
    assert (frequent["quality"], frequent["success"]) == (asdict(run.quality()), asdict(run.success()))
    out = printed(*asked)
    quality, success = percent_interval(run.quality()), percent_interval(run.success())
    figures = f"quality {quality}, n = {run.quality().n}; success {success}, n = 12"
    assert f"frequent, six-pt: abstained (unknown {frequent['notes']['unknown']}); {figures}" in joined(out)
    assert "quality, success: exact (Clopper-Pearson))" in joined(out)
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
    assert f"Warning: causal:{folder}" in err
    assert f"the scores of 12 of 12 items are not numbers: {six('pt').items[0].id}, " in err
    assert " and 7 more" in err
    assert "not a number 12" in joined(out)
    assert "quality undefined, n = 0; success 50.0" in joined(out)
    code, out, err = run_winoglot(*asked, "--json")
    (row,) = json.loads(out)
    assert (code, row["notes"], row["quality"]) == (0, {"not a number": 12}, None)
    assert row["success"]["value"] == 0.5
    assert "Warning: " in err


@pytest.mark.parametrize("content", [b"nothing", b"GGUF" + b"\0" * 200])
def test_a_file_that_only_calls_itself_gguf_is_refused(tmp_path, refused, content):
    (tmp_path / "a.gguf").write_bytes(content)
    refused("evaluate", six_file("pt"), "--model", f"gguf:{tmp_path / 'a.gguf'}")


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


def test_the_table_names_the_method_of_each_column_and_the_n_of_its_accuracy(tmp_path, printed):
    source = tmp_path / "some.yaml"
    source.write_text(six_file("en").read_text().replace("answers: [0, 1]", "answers: [0, null]", 1))
    out = printed("evaluate", source, "--model", "first", "--kinds", "switched")
    assert "  11  " in next(line for line in out.splitlines() if " first " in line)
    assert "Unlabelled items in six-en, left out: 1" in joined(out)
    assert "(accuracy: BCa; pairs, consistency: exact (Clopper-Pearson))" in joined(out)
    out = printed("evaluate", six_file("en"), "--model", "chance", "--interval", "wilson")
    assert "(accuracy: Wilson, items taken as independent; pairs: Wilson)" in joined(out)
    source.write_text(re.sub(r"answers: .*", "answers: [null, null]", six_file("en").read_text()))
    out = printed("evaluate", source, "--model", "first")
    assert ("interval" in out, "Unlabelled items in six-en, left out: 12" in out) == (False, True)


def test_unknown_tokens_and_skipped_characters_are_told(tmp_path, printed):
    tokenizer = word_pieces([item.text.replace("ç", "") for item in six("pt").items], size=2000)
    tokenizer.bos_token = "[CLS]"
    folder = llama(tmp_path / "model", [], tokenizer=tokenizer)
    asked = ("evaluate", six_file("pt"), "--model", f"causal:{folder}", "--model", "first")
    model, first = json.loads(printed(*asked, "--json"))
    assert 0 < model["unknown_tokens"] < 0.1
    assert (first["unknown_tokens"], first["skipped_characters"], first["skipped_items"]) == (None, 0, 0)
    out = printed(*asked)
    assert f"causal:{folder} partial, six-pt: unknown tokens {100 * model['unknown_tokens']:.1f}%" in joined(out)
    assert "\nfirst, six-pt" not in out


def joined(text):
    """The text as if no terminal had broken its lines."""
    return " ".join(text.split())


def test_what_is_named_twice_is_asked_once_and_two_collections_of_one_name_are_refused(tmp_path, printed, refused):
    twice = (six_file("pt"), six_file("pt"), "--readings", "naive,naive", "--model", "first", "--model", "first")
    assert len(json.loads(printed("evaluate", *twice, "--json"))) == 1
    other = tmp_path / "other.yaml"
    other.write_text(six_file("pt").read_text().replace("answers: [0, 1]", "answers: [1, 0]", 1))
    both = ("evaluate", six_file("pt"), other, "--model", "first", "-o", tmp_path / "runs")
    refused(*both, says="would be stored in the same folder")
    assert not (tmp_path / "runs").exists()


def test_kinds_beside_switched_have_their_figures_below_the_table_and_in_json(printed):
    asked = ("evaluate", six_file("en"), "--model", "longer", "--kinds", "switched,segment-masked,no-candidates")
    kinds = json.loads(printed(*asked, "--json"))[0]["kinds"]
    run = wg.evaluate(six("en"), "longer", kinds=["switched", "segment-masked", "no-candidates"])
    assert list(kinds) == ["switched", "segment-masked", "no-candidates"]
    masked, blanked = kinds["segment-masked"], kinds["no-candidates"]
    assert (masked["accuracy"], masked["position_preference"]) == (None, asdict(run.position_preference()))
    assert (blanked["accuracy"], blanked["position_preference"]) == (asdict(run.accuracy("no-candidates")), None)
    out = printed(*asked)
    title, head, *below = out.split("\n\n")[1].splitlines()
    assert title == "six-en: longer by kind of variant"
    assert "first mention" in head
    for kind, figure in (
        ("segment-masked", run.position_preference()),
        ("no-candidates", run.accuracy("no-candidates")),
        ("no-candidates", run.estimate("stability", "no-candidates")),
        ("switched", run.estimate("delta-accuracy", "switched")),
    ):
        (row,) = [row for row in below if row.startswith(f"{kind} ")]
        assert percent_interval(figure) in row
        assert row.endswith(f" {kinds[kind]['abstained']}")
    explained = " ".join(out.split())
    assert "Delta accuracy: accuracy on variants minus accuracy on their originals." in explained
    assert "First mention: share of answers that are the candidate mentioned first" in explained


def test_all_kinds_are_one_word_and_the_kinds_of_several_models_one_table_per_figure(printed, tmp_path):
    asked = ("evaluate", six_file("en"), "--kinds", "all", "--model", "first", "--model", "second")
    out = printed(*asked, "-o", tmp_path / "runs")
    run = wg.evaluate(six("en"), "first", kinds="all")
    assert {"switched", "segment-masked", "renamed"} < set(run.kinds)
    stored = {load_run(folder).settings.kinds for folder in find_runs(tmp_path / "runs")}
    assert stored == {run.kinds}
    (accuracy,) = re.findall(r"six-en: accuracy by kind of variant\n(.*?)\n\n", out, re.DOTALL)
    head, *rows = accuracy.splitlines()
    assert head.split() == ["kind", "n", "first", "second"]
    assert [row.split()[0] for row in rows] == [
        "original",
        *(k for k in run.kinds if run.accuracy(k).value is not None),
    ]
    assert len(out.splitlines()) < 90


def test_what_to_type_next_is_said(printed, tmp_path):
    asked = ("evaluate", six_file("en"), "--limit", "1", "--model", "first")
    runs = tmp_path / "two runs"
    assert printed(*asked, "-o", runs).endswith(f"\nNext: winoglot report '{runs}' -o report.html\n")
    assert printed(*asked, "--model", "second", "-o", runs).endswith(f"\n      winoglot compare '{runs}'\n")
    assert "\nNext: repeat the command with -o runs" in printed(*asked)


def test_lists_may_be_given_by_commas_or_by_repeating_the_option(printed):
    kinds = ("--kinds", "switched,after-only"), ("--kinds", "switched", "--kinds", "after-only")
    styles = ("--readings", "naive,grammatical"), ("--readings", "naive", "--readings", "grammatical")
    asked = ("evaluate", six_file("en"), "--model", "first", "--json")
    one, other = (
        [(row["readings"], row["signature"], row["kinds"]) for row in json.loads(printed(*asked, *kind, *style))]
        for kind, style in zip(kinds, styles, strict=True)
    )
    assert one == other
    assert [set(of_row) for *_, of_row in one] == [{"switched", "after-only"}] * 2
    assert printed("readings", six_file("en"), *kinds[0]) == printed("readings", six_file("en"), *kinds[1])


def test_renamed_gives_mean_and_spread_over_names_and_resumes(printed, run_winoglot, tmp_path):
    runs = str(tmp_path / "runs")
    ask = ("evaluate", six_file("pt"), "--model", "longer", "--renamed", "3", "-o", runs)
    out = printed(*ask)
    assert re.search(r"over 3 draws of names, accuracy is [\d.]+ on average, SD [\d.]+, range [\d.]+ to", out)
    assert {"renamed", "names SD (points)"} <= set(re.split(r"  +", out.splitlines()[0]))
    (folder,) = find_runs(tmp_path / "runs")
    whole = load_run(folder)
    assert whole.outcomes("renamed-3")
    lines = (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "predictions.jsonl").write_text("".join(lines[: len(lines) // 2]), encoding="utf-8")
    assert run_winoglot("runs", "list", runs, "--json")[1].count(f'"items": {len(lines)}') == 1
    (row,) = json.loads(printed(*ask, "--json"))
    assert sorted(load_run(folder).predictions, key=repr) == sorted(whole.predictions, key=repr)
    assert (row["names"]["draws"], row["kinds"]) == (3, {})
    assert row["renamed"]["value"] == pytest.approx(row["names"]["mean"])
    assert row["renamed_sd"]["value"] == pytest.approx(100 * row["names"]["sd"])


def test_a_language_without_names_is_refused_and_a_collection_without_people_says_so(printed, refused, tmp_path):
    file = tmp_path / "some.yaml"
    asked = ("evaluate", file, "--model", "first", "--readings", "naive", "--renamed", "2")
    schema = "  - {id: a, text: '{Li} venis.', candidates: [Jo, Su], mentions: [[], []], answers: [0]}\n"
    file.write_text(f"collection: eo\nlanguage: eo\nschemas:\n{schema}", encoding="utf-8")
    refused(*asked, says="there is no list of names for eo")
    schema = "{id: a, text: 'The lamp hit the vase and {it} broke.', candidates: [the lamp, the vase], answers: [0]}"
    file.write_text(f"collection: things\nlanguage: en\nschemas:\n  - {schema}\n", encoding="utf-8")
    assert "first, things: nobody could be renamed" in printed(*asked)


def test_by_subset_each_run_has_its_accuracy_and_n_on_every_subset(printed, refused):
    options = ["winoglot-pt", "--model", "first", "--model", "longer", "--limit", "10"]
    lines = printed("evaluate", *options, "--by", "subset").splitlines()
    (switchable,) = [line for line in lines if line.startswith("switchable")]
    assert switchable.count("n = ") == 2
    for run in json.loads(printed("evaluate", *options, "--json")):
        parts = run["subsets"]
        assert parts["switchable"]["n"] + parts["not switchable"]["n"] == run["accuracy"]["n"] == 20
    refused("evaluate", *options, "--by", "kind", says="Write --by subset.")
