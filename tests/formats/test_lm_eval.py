"""Task folders for lm-evaluation-harness: what they hold, what they cannot, and that the real harness runs them."""

import importlib.util
import json
import os
import subprocess
import sys

import pytest
import torch
import transformers
import yaml

import winoglot as wg
from cases import listed
from six_schemas import six
from strategies import some_collections
from tiny_models import llama
from winoglot.formats import lm_eval as lm_eval_format
from winoglot.loading import dump, lost, write_output


def item(item_id, text, pronoun, names=("Nora", "Ines"), answer: int | None = 0, **fields):
    """An item whose pronoun is the first occurrence of the words given."""
    start = text.index(pronoun)
    span = wg.Span(start, start + len(pronoun))
    candidates = tuple(wg.Candidate(name) for name in names)
    schema_id = item_id.partition(".")[0]
    return wg.Item(item_id, schema_id, text=text, pronoun=span, candidates=candidates, answer=answer, **fields)


def collection(*items, language="en", variants=(), **fields):
    return wg.Collection("ropes", language, (wg.Schema(items[0].schema_id, items, variants),), **fields)


ROPE = item("rope.0", "Nora threw Ines a rope because she was sinking.", "she", ("Nora", "Ines", "the guard"), 1)


def rows(made, name):
    return [json.loads(line) for line in lm_eval_format.write(made)[name].splitlines()]


def test_contexts_and_continuation_make_up_the_readings_without_inventing_spaces():
    (row,) = rows(collection(ROPE), "ropes.jsonl")
    start = "Nora threw Ines a rope because"
    assert row == {
        **{"id": "rope.0", "schema_id": "rope", "answer": 1, "tags": [], "hash": ROPE.hash},
        "contexts": [f"{start} Nora", f"{start} Ines", f"{start} the guard"],
        "continuation": " was sinking.",
    }
    stop = item("call.0", "Nora met Ines after Rui had seen her.", "her")
    assert rows(collection(stop), "ropes.jsonl")[0]["continuation"] == "."
    for row in rows(six("zh"), "six-zh.jsonl"):
        assert " " not in "".join(row["contexts"]) + row["continuation"]


def parsed(task):
    """The task less its first line, which names a function as only the harness can read it."""
    first, _, rest = task.partition("\n")
    assert first == "custom_dataset: !function winoglot_data.load"
    return yaml.safe_load(rest)


def test_a_task_joins_contexts_and_continuation_without_a_delimiter():
    task = parsed(lm_eval_format.write(collection(ROPE, version="2.5", licence="CC0-1.0"))["ropes.yaml"])
    assert task["task"] == "ropes"
    assert task["dataset_kwargs"] == {"file": "ropes.jsonl"}
    assert (task["doc_to_text"], task["doc_to_choice"], task["doc_to_target"]) == ("answer", "contexts", "continuation")
    assert task["target_delimiter"] == ""
    assert task["metadata"]["version"] == "2.5"
    assert task["metadata"]["licence"] == "CC0-1.0"
    assert task["metadata"]["hash"] == collection(ROPE).hash


def test_each_kind_of_variant_is_a_task_of_its_own_and_the_card_says_how_to_run_them():
    files = dump([six("pt")], "lm-eval")
    tasks = [f"six-pt{kind}.{suffix}" for kind in ("", "_relative", "_switched") for suffix in ("jsonl", "yaml")]
    assert sorted(files) == ["README.md", *tasks, "winoglot_data.py"]
    assert parsed(files["six-pt_switched.yaml"])["metadata"]["kind"] == "switched"
    assert len(files["six-pt_switched.jsonl"].splitlines()) == 2
    for words in ("--tasks six-pt,six-pt_relative,six-pt_switched", "CC-BY-4.0", "The Winoglot developers (2026)"):
        assert words in files["README.md"]


def grammatical(made, name):
    return [json.loads(line) for line in lm_eval_format.write(made, "grammatical")[name].splitlines()]


def test_grammatical_readings_are_tasks_of_their_own():
    files = dump([six("pt")], "lm-eval", "grammatical")
    assert {name for name in files if name.endswith("yaml")} == {
        f"six-pt{kind}_grammatical.yaml" for kind in ("", "_relative", "_switched")
    }
    task = parsed(files["six-pt_switched_grammatical.yaml"])
    assert (task["task"], task["metadata"]["readings"]) == ("six-pt_switched_grammatical", "grammatical")
    assert task["dataset_kwargs"] == {"file": "six-pt_switched_grammatical.jsonl"}
    assert "The readings are grammatical" in files["README.md"]
    assert "--tasks six-pt_grammatical,six-pt_relative_grammatical" in files["README.md"]


@pytest.mark.parametrize("name", ["winoglot-en", "winoglot-pt", "winoglot-fr", "winoglot-zh"])
def test_contexts_and_window_make_up_the_grammatical_readings(name):
    made = wg.load(name)
    written = {row["id"]: row for row in grammatical(made, f"{name}_grammatical.jsonl")}
    assert len(written) >= 0.9 * len(made.items)
    for one in made.items:
        if one.id in written:
            readings = wg.readings(one, "grammatical")
            row = written[one.id]
            assert [context + row["continuation"] for context in row["contexts"]] == [each.text for each in readings]
            assert row["continuation"] == wg.window(one, readings).text


def test_an_item_whose_grammar_is_not_known_stays_naive_and_is_named():
    made = collection(item("rope.0", "Nora threw Ines a rope because she sank.", "she"), language="tlh")
    (row,) = grammatical(made, "ropes_grammatical.jsonl")
    assert row["contexts"][0] == "Nora threw Ines a rope because Nora"
    assert lost([made], "lm-eval", "grammatical")[0] == (
        "1 item without a grammatical reading for each candidate, so naive ones are used: rope.0"
    )


@listed
def test_a_style_that_cannot_be_written_is_refused(tmp_path, refused, given, message):
    refused("export", "winoglot-en", *given, "-o", str(tmp_path / "out"), says=message)
    assert not (tmp_path / "out").exists()


def harness_scores(tokenizer, model, row):
    """What the harness computes for a row: the tokens of both parts together, less those of the context alone."""
    found = []
    for given in row["contexts"]:
        context = given.rstrip()
        continuation = given[len(context) :] + row["continuation"]
        whole = tokenizer(context + continuation, add_special_tokens=False)["input_ids"]
        before = tokenizer(context, add_special_tokens=False)["input_ids"]
        ids = torch.tensor([[tokenizer.bos_token_id, *whole]])
        with torch.no_grad():
            logs = model(ids).logits[0].log_softmax(-1)
        places = range(len(before), len(whole))
        found.append(sum(logs[place, whole[place]].item() for place in places))
    return found


@pytest.mark.parametrize("language", ["pt", "zh"])
def test_the_task_gives_the_scores_of_evaluate(tmp_path, monkeypatch, language):
    """Computed as the harness does, so also where it is not installed."""
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    made = six(language)
    folder = llama(tmp_path / "model", [reading.text for reading in wg.readings(made, "grammatical")])
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    run = wg.evaluate(made, f"causal:{folder}")
    ours = {one.item_id: one for one in run.predictions}
    written = grammatical(made, f"six-{language}_grammatical.jsonl")
    assert len(written) == len(made.items)
    for row in written:
        if not ours[row["id"]].skipped:  # there the window begins inside a token, and both begin elsewhere
            assert harness_scores(tokenizer, model, row) == pytest.approx(ours[row["id"]].scores, abs=1e-4)


def test_what_cannot_be_scored_is_left_out_and_named():
    def readings(*texts, inserted=None):
        return {"readings": tuple(wg.WrittenReading(text, inserted) for text in texts), "answer": 0}

    unlabelled = item("rope.1", "Nora threw Ines a rope because she was strong.", "she", answer=None)
    made = collection(
        ROPE,
        unlabelled,
        item("rope.2", "Ines thanked Nora and Rui praised her", "her"),
        item("rope.3", "Nora was proud of what she did.", "she", ("Nora",)),
        wg.Item("rope.4", "rope", **readings("Nora left.", "Ines left.")),
        wg.Item("rope.5", "rope", **readings("Nora sank.", "Ines swam.", inserted=wg.Span(0, 4))),
        wg.Item("rope.6", "rope", inferences=(wg.Inference("Nora threw it.", "Nora was there."),)),
    )
    assert [row["id"] for row in rows(made, "ropes.jsonl")] == ["rope.0"]
    assert lost([made], "lm-eval")[:-1] == [
        "1 item without an answer: rope.1",
        "1 item with nothing after the insertion: rope.2",
        "2 items without a reading for each of at least two candidates: rope.3, rope.6",
        "1 item whose readings do not mark the candidate: rope.4",
        "1 item whose readings end differently: rope.5",
    ]
    files = lm_eval_format.write(collection(unlabelled))
    assert (list(files), "No item" in files["README.md"]) == (["README.md"], True)


def test_every_item_is_in_a_task_or_named_as_lost():
    for made in some_collections():
        files = lm_eval_format.write(made)
        written = [
            json.loads(line) for name, text in files.items() if name.endswith("jsonl") for line in text.splitlines()
        ]
        named = ", ".join(line.rpartition(": ")[2] for line in lm_eval_format.lost(made)[:-1]).split(", ")
        every = [one.id for one in (*made.items, *made.variants())]
        assert sorted([row["id"] for row in written] + list(filter(None, named))) == sorted(every)
        readings = {
            (r.item_id, r.candidate): r.text
            for one in (*made.items, *made.variants())
            for r in wg.readings(one, "naive")
        }
        for row in written:
            for index, context in enumerate(row["contexts"]):
                assert context + row["continuation"] == readings[row["id"], index]


@pytest.fixture
def tiny_model(tmp_path):
    """A model with random weights over bytes: it knows nothing, but it has every letter."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    letters = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "<end>"]
    tokenizer = Tokenizer(models.BPE(vocab={letter: number for number, letter in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    end = len(letters) - 1
    config = GPT2Config(
        vocab_size=len(letters), n_embd=8, n_layer=1, n_head=1, n_positions=512, bos_token_id=end, eos_token_id=end
    )
    folder = tmp_path / "model"
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", pad_token="<end>").save_pretrained(folder)
    GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("style", ["naive", "grammatical"])
def test_the_installed_harness_loads_and_runs_the_tasks(tmp_path, request, style):
    if importlib.util.find_spec("lm_eval") is None:
        pytest.skip("absent: lm-eval")
    model = request.getfixturevalue("tiny_model")
    made = six("fr")
    write_output(tmp_path / "tasks", dump([made], "lm-eval", style), force=False)
    names = ",".join(f"six-fr{kind}{'_grammatical' * (style == 'grammatical')}" for kind in ("", "_switched"))
    command = [sys.executable, "-m", "lm_eval", "--model", "hf", "--model_args", f"pretrained={model}"]
    command += [
        "--device",
        "cpu",
        "--include_path",
        str(tmp_path / "tasks"),
        "--tasks",
        names,
        "--limit",
        "4",
    ]
    command += ["--log_samples", "--output_path", str(tmp_path / "results")]
    offline = os.environ | {"HF_HUB_OFFLINE": "1", "HF_DATASETS_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(command, cwd=tmp_path, env=offline, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    (samples,) = (tmp_path / "results").rglob(f"samples_{names.partition(',')[0]}_2*.jsonl")
    scored = [json.loads(line) for line in samples.read_text(encoding="utf-8").splitlines()]
    assert [sample["doc"]["id"] for sample in scored] == [one.id for one in made.items[:4]]
    for sample, one in zip(scored, made.items, strict=False):
        asked = [part["arg_0"] + part["arg_1"] for part in sample["arguments"].values()]
        assert asked == [reading.text for reading in wg.readings(one, style)]
