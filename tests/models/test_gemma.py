"""The embedded model, against plain calls of the library."""

import pytest
import torch
import transformers

import winoglot as wg
from winoglot import InputError
from winoglot.folders import cache_folder
from winoglot.models import gemma_3_270m
from winoglot.models.base import Options
from winoglot.runs.questions import asked


@pytest.fixture(scope="module")
def solver():
    return gemma_3_270m.load("", Options())


@pytest.mark.slow
def test_scores_equal_a_loop_over_plain_calls_and_begin_with_bos(solver):
    folder = next(cache_folder().glob("gemma-3-270m-*"))
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    questions = [one.question for code in ("pt", "zh") for one in asked(wg.load(f"winoglot-{code}"), (), "naive")[:3]]
    for question, found in zip(questions, solver.score(questions, ["full", "partial"]), strict=True):
        for index, reading in enumerate(question.readings):
            made = tokenizer(reading.text, add_special_tokens=False, return_offsets_mapping=True)
            ids = torch.tensor([[tokenizer.bos_token_id, *made["input_ids"]]])
            with torch.no_grad():
                logs = model(input_ids=ids).logits[0].log_softmax(-1)
            tokens = [logs[at, token].item() for at, token in enumerate(ids[0, 1:])]
            assert found["full"].values[index] == pytest.approx(sum(tokens), abs=1e-3)
            start = len(reading.text) - len(question.window.text) + found["partial"].skipped
            inside = [log for log, (at, _) in zip(tokens, made["offset_mapping"], strict=True) if at >= start]
            assert found["partial"].values[index] == pytest.approx(sum(inside), abs=1e-3)


@pytest.mark.slow
def test_it_knows_its_languages(solver):
    """A model that got no BOS, or lost its merges, would be near a thousand per token."""
    (scores,) = solver.token_scores(["The cat sat on the mat and looked at the dog."])
    assert -scores.logprobs.mean() < 4


def test_a_missing_extra_says_what_to_type(monkeypatch):
    monkeypatch.setattr("winoglot.errors.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r'pip install "winoglot\[gemma\]"'):
        gemma_3_270m.load("", Options())
    with pytest.raises(InputError, match="takes no"):
        gemma_3_270m.load("x", Options())
