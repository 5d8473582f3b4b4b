import json

import pytest

from six_schemas import six, six_file
from tiny_models import llama
from winoglot.runs.store import find_runs, load_run


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
    assert "An abstention is not right" in out


def test_abstentions_are_counted_by_their_notes(run_winoglot):
    models = ("--model", "first", "--model", "frequent")
    code, out, err = run_winoglot("evaluate", six_file("pt"), *models, "--json")
    first, frequent = json.loads(out)
    assert (code, err, first["notes"]) == (0, "", {})
    assert sum(frequent["notes"].values()) == frequent["abstained"] > 0
    assert "unknown" in frequent["notes"]
    _, out, _ = run_winoglot("evaluate", six_file("pt"), *models)
    assert f"\nAbstentions of frequent on six-pt: unknown {frequent['notes']['unknown']}" in out
    assert "Abstentions of first" not in out


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
    assert f"no numbers as scores of 12 of 12 items: {first}, " in err
    assert " and 7 more" in err
    assert "not a number 12" in " ".join(out.split())
    code, out, err = run_winoglot(*asked, "--json")
    assert (code, json.loads(out)[0]["notes"]) == (0, {"not a number": 12})
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
        ((six_file("pt"), "--model", "first", "-o", "x" * 300), "Name another path"),
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
