"""The scorer of context2vec against plain torch: one sentence a call, the LSTMs fed with either side of the word."""

import math
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from cases import cases_file, listed
from items import item
from model_questions import question
from training.model_making import small_model, vocabulary_of
from winoglot.languages.windows import window
from winoglot.models.base import Options, Question, load_model
from winoglot.schemas.model import Reading

pytestmark = pytest.mark.usefixtures("one_thread")
KNOWN = [".", "Ana", "Eva", "a", "o", "gato", "mesa", "irmã", "de", "velha", "nova", "e", "viu", "riu", "caiu", "da"]
INDEX = {word: number for number, word in enumerate(["<unk>", "<eos>", *KNOWN])}


@pytest.fixture
def folder(tmp_path):
    return small_model(tmp_path / "model", "context2vec", vocabulary_of(KNOWN))


def solver_of(folder, **more):
    return load_model(f"context2vec:{folder}", Options(more={k.replace("_", "-"): v for k, v in more.items()}))


def side(weights, table, lstm, words):
    """What one LSTM holds after `<eos>` and these words."""
    layer = torch.nn.LSTM(weights[f"{table}.weight"].shape[1], weights[f"{lstm}.weight_hh_l0"].shape[1])
    layer.load_state_dict({name: weights[f"{lstm}.{name}"] for name in layer.state_dict()})
    ids = [1, *(INDEX.get(word, 0) for word in words)]
    return layer(weights[f"{table}.weight"][ids][:, None])[0][-1, 0].detach()


def plain(folder, before, word, behind):
    """Cosine and log-sigmoid of a word between others."""
    weights = load_file(folder / "model.safetensors")
    left = side(weights, "before", "forwards", before)
    right = side(weights, "behind", "backwards", behind[::-1])
    both = torch.cat([left, right]) @ weights["hidden.weight"].T + weights["hidden.bias"]
    made = torch.relu(both) @ weights["output.weight"].T + weights["output.bias"]
    vector = weights["words.weight"][INDEX[word]]
    product = float(made @ vector)
    return product / float(made.norm() * vector.norm()), -math.log1p(math.exp(-product))


CASES = cases_file(Path(__file__))["CASES"]


@pytest.mark.parametrize("batch_tokens", [0, 1])
def test_scores_are_those_of_a_loop_over_single_words(folder, batch_tokens):
    solver = load_model(f"context2vec:{folder}", Options(batch_tokens=batch_tokens))
    asked = [question(text, candidates, "pt", "naive") for text, candidates, _ in CASES]
    found = solver.score(asked, ["cosine", "log-sigmoid"])
    for scores, (_, _, places) in zip(found, CASES, strict=True):
        wanted = [plain(folder, before.split(), word, behind.split()) for before, word, behind in places]
        assert scores["cosine"].values == pytest.approx([one[0] for one in wanted], abs=1e-5)
        assert scores["log-sigmoid"].values == pytest.approx([one[1] for one in wanted], abs=1e-5)


@listed
def test_what_has_no_known_word_is_an_abstention_that_says_so(folder, text, candidates, mentions, note):
    keys = {"mentions": mentions} if mentions else {}
    (scores,) = solver_of(folder).score([question(text, candidates, "pt", **keys)], ["cosine"])
    assert (scores["cosine"].values, scores["cosine"].note) == ((None, None), note)
    assert scores["cosine"].choice(1e-6) is None


def test_texts_of_several_sentences_are_left_open_if_one_asks_for_that(folder):
    asked = [question(text, candidates, "pt") for text, candidates, _ in CASES]
    found = solver_of(folder, abstain_on_several_sentences="true").score(asked, ["cosine"])
    assert [scores["cosine"].note for scores in found] == ["", "several sentences", "", ""]


def test_a_head_that_a_reading_does_not_have_is_an_abstention(folder):
    one = item("Ana viu Eva e {ela} riu.", ["Ana", "Eva"], "pt")
    readings = tuple(
        Reading(one.id, n, "Ana viu Eva e ", word, " riu.", "naive", "given") for n, word in enumerate("ao")
    )
    (scores,) = solver_of(folder).score([Question(one, "pt", readings, window(one, readings))], ["cosine"])
    assert scores["cosine"].note == "Ana is not in the reading"
