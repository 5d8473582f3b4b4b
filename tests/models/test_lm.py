"""The scorer of trained language models against plain torch, one text a call, from the weights in the file."""

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from model_questions import question
from training.model_making import small_model, vocabulary_of
from winoglot import InputError
from winoglot.languages.text import sentences, words
from winoglot.models import lm
from winoglot.models.base import Options, TokenCount, load_model
from winoglot.training.generate import generate
from winoglot.training.trained import load_trained

pytestmark = pytest.mark.usefixtures("one_thread")
TEXTS = [
    ("Ana não viu Eva porque {ela} estava perto.", ["Ana", "Eva"]),
    ("O gato caiu da mesa. {Ele} era velho! Ana riu.", ["o gato", "a mesa"]),
    ("Ana falou com a irmã de Eva e {ela} chorou.", ["Ana", "a irmã de Eva"]),
    ("A mesa de Ana riu: {ela}", ["a mesa", "Ana"]),
]
KNOWN = [".", "Ana", "Eva", "a", "o", "gato", "mesa", "irmã", "de", "e", "viu", "não", "com", "riu", "!", "A", "da"]


def questions():
    return [question(text, candidates, "pt") for text, candidates in TEXTS]


def solver_of(folder, kind="lstm", known=KNOWN, ends=100, **more):
    small_model(folder, kind, vocabulary_of(known, ends))
    options = {name.replace("_", "-"): value for name, value in more.items()}
    return load_model(f"lm:{folder}", Options(more=options))


def stream(text, marked=True):
    """A text as a corpus has it: each word with its first character, and `<eos>` after each sentence."""
    found, position = [], 0
    for number, sentence in enumerate(sentences(text, "pt")):
        if number and marked:
            found.append(("<eos>", position))
        for word in words(sentence, "pt"):
            position = text.index(word, position)
            found.append((word, position))
            position += len(word)
    return found


def recurrent_logits(weights, ids):
    """All logits of a recurrent model, layer by layer, by torch's own class."""
    values = weights["embedding"][ids]
    number = 0
    while f"body.layers.{number}.weight_ih" in weights:
        layer = {
            name: weights[f"body.layers.{number}.{name}"] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        }
        gates = len(layer["weight_hh"]) // layer["weight_hh"].shape[1]
        kind = {4: torch.nn.LSTM, 3: torch.nn.GRU, 1: torch.nn.RNN}[gates]
        network = kind(layer["weight_ih"].shape[1], layer["weight_hh"].shape[1])
        network.load_state_dict({f"{name}_l0": value for name, value in layer.items()})
        values = network(values[:, None])[0][:, 0].detach()
        number += 1
    return values @ weights.get("output", weights["embedding"]).T + weights["bias"]


def plain_scores(folder, text, known=KNOWN, marked=True):
    """The log probability of every word of a text, and the first character of each."""
    index = {word: number for number, word in enumerate(["<unk>", "<eos>", *known])}
    tokens = stream(text, marked)
    ids = [1, *(index.get(word, 0) for word, _ in tokens)]
    logs = recurrent_logits(load_file(folder / "model.safetensors"), ids).log_softmax(-1)
    return [logs[place, token].item() for place, token in enumerate(ids[1:])], [start for _, start in tokens]


@pytest.mark.parametrize("kind", ["lstm", "gru", "rnn", "untied"])
@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("batch_tokens", [0, 1, 30])
def test_scores_are_those_of_a_loop_over_single_texts(tmp_path, kind, marked, batch_tokens):
    small_model(tmp_path, kind, vocabulary_of(KNOWN, 100 if marked else 1))
    solver = lm.load(str(tmp_path), Options(batch_tokens=batch_tokens, more={"unknown": "score"}))
    found = solver.score(questions(), ["full", "partial", "normalised"])
    for one, scores in zip(questions(), found, strict=True):
        for reading, full, partial, mean in zip(
            one.readings, *(scores[name].values for name in ("full", "partial", "normalised")), strict=True
        ):
            values, starts = plain_scores(tmp_path, reading.text, marked=marked)
            assert full == pytest.approx(sum(values), abs=1e-4)
            assert mean == pytest.approx(np.mean(values), abs=1e-5)
            first = len(reading.text) - len(one.window.text) if one.window.text else None
            inside = [
                value for value, start in zip(values, starts, strict=True) if first is not None and start >= first
            ]
            assert partial == (pytest.approx(sum(inside), abs=1e-4) if inside else None)


def test_the_last_sentence_can_be_scored_by_itself(tmp_path):
    solver = solver_of(tmp_path, last_sentence="true", unknown="score")
    found = solver.score(questions(), ["full", "partial"])
    for one, scores in zip(questions(), found, strict=True):
        for reading, full in zip(one.readings, scores["full"].values, strict=True):
            assert full == pytest.approx(sum(plain_scores(tmp_path, sentences(reading.text, "pt")[-1])[0]), abs=1e-4)
    assert found[1]["full"].abstention == "tie"  # the pronoun is in another sentence
    assert solver.settings["last-sentence"] == "true"


def test_a_transformer_sees_each_text_by_itself(tmp_path):
    solver = solver_of(tmp_path, "transformer", unknown="score")
    together = solver.score(questions(), ["full"])
    solver.batch_tokens = 1
    alone = [solver.score([one], ["full"])[0] for one in questions()]
    for one, other in zip(together, alone, strict=True):
        assert one["full"].values == pytest.approx(other["full"].values, abs=1e-4)


def test_an_unknown_word_in_which_readings_differ_is_an_abstention_that_names_it(tmp_path):
    solver = solver_of(tmp_path, known=[word for word in KNOWN if word != "Eva"])
    scores = solver.score(questions(), ["full", "partial"])
    assert [one["full"].note for one in scores] == ["unknown: Eva", "", "unknown: Eva", ""]
    assert scores[0]["full"].values == scores[0]["partial"].values == (None, None)
    assert scores[1]["full"].choice(1e-6) is not None


def test_an_unknown_word_that_readings_share_is_no_abstention(tmp_path):
    solver = solver_of(tmp_path)
    (scores,) = solver.score([question("Ana viu Eva, e o amigo de {ela} caiu.", ["Ana", "Eva"], "pt")], ["full"])
    assert scores["full"].note == ""
    assert scores["full"].choice(1e-6) is not None
    alike = question("Ana viu Eva porque {ela} riu.", ["o tio de Zoé", "o tio de Bia"], "pt", mentions=[[], []])
    assert solver.score([alike], ["full"])[0]["full"].note == "unknown: Zoé, Bia"
    shared = question("Ana viu Eva porque {ela} riu.", ["o gato de Zoé", "a mesa de Zoé"], "pt", mentions=[[], []])
    assert solver.score([shared], ["full"])[0]["full"].note == ""


def test_scored_all_the_same_two_unknown_words_are_a_tie(tmp_path):
    solver = solver_of(tmp_path, unknown="score")
    (scores,) = solver.score([question("Zoé viu Bia porque {ela} riu.", ["Zoé", "Bia"], "pt")], ["full"])
    assert (scores["full"].choice(1e-6), scores["full"].abstention) == (None, "tie")
    assert solver.count_tokens(["Zoé viu Bia."]) == [TokenCount(4, 2)]


@pytest.mark.parametrize("batch_tokens", [1, 9, 4096])
def test_readings_that_are_one_to_the_model_are_scored_once_and_alike(tmp_path, batch_tokens):
    """In batches of other sizes, rounding would give them other scores."""
    solver = solver_of(tmp_path, unknown="score")
    solver.batch_tokens = batch_tokens
    columns = []
    solver.trained.module.body.register_forward_pre_hook(lambda _, given: columns.append(given[0].shape[1]))
    texts = ["Zoé riu.", "Ana riu.", "Bia riu.", "Eva riu.", "Leo riu.", "Bartolomeu riu."]
    found = dict(zip(texts, solver.token_scores(texts), strict=True))
    assert sum(columns) == 3  # Ana, Eva, and names that are not known
    for text in ("Bia riu.", "Leo riu.", "Bartolomeu riu."):
        assert found[text].logprobs.tolist() == found["Zoé riu."].logprobs.tolist()
        places = zip(found[text].starts, found[text].ends, strict=True)
        assert [text[start:end] for start, end in places] == [text.split()[0], "riu", "."]


def test_texts_of_several_sentences_are_left_open_if_one_asks_for_that(tmp_path):
    solver = solver_of(tmp_path, abstain_on_several_sentences="true", unknown="score")
    notes = [one["full"].note for one in solver.score(questions(), ["full"])]
    assert notes == ["", "several sentences", "", ""]
    assert solver.settings == {"abstain-on-several-sentences": "true", "unknown": "score"}


@pytest.mark.parametrize("kind", ["lstm", "transformer"])
def test_a_text_is_continued_as_the_model_writes(tmp_path, kind):
    solver = solver_of(tmp_path, kind)
    texts = ["Ana não viu Eva e a irmã de Eva riu.", "O gato de Ana riu.", "Ana"]
    for text, made in zip(texts, solver.continuations(texts), strict=True):
        half = len(words(text, "pt")) // 2
        begun = " ".join(words(text, "pt")[:half])
        written = generate(load_trained(tmp_path), max(1, len(made.expected)), prompt=begun, temperature=0)
        assert [solver.encoder.vocabulary.word(word) for word in made.written] == (written if half else [])


def test_bad_requests_say_what_to_do(tmp_path):
    small_model(tmp_path / "lm", "lstm", vocabulary_of(KNOWN))
    small_model(tmp_path / "c2v", "context2vec", vocabulary_of(KNOWN))
    for name, options, message in (
        ("lm:", Options(), "needs the folder of a model"),
        (f"lm:{tmp_path / 'nowhere'}", Options(), "no model"),
        (f"lm:{tmp_path / 'c2v'}", Options(), "context2vec:"),
        (f"lm:{tmp_path / 'lm'}", Options(precision="bfloat16"), "float32"),
        (f"lm:{tmp_path / 'lm'}", Options(more={"unknown": "skip"}), "abstain"),
        (f"lm:{tmp_path / 'lm'}", Options(more={"abstain-on-several-sentences": "yes"}), "true"),
        (f"lm:{tmp_path / 'lm'}", Options(more={"shots": "1"}), "shots"),
        (f"context2vec:{tmp_path / 'lm'}", Options(), r"lstm.*lm:"),
        (f"context2vec:{tmp_path / 'c2v'}", Options(more={"unknown": "score"}), "there is no option 'unknown'"),
    ):
        with pytest.raises(InputError, match=message):
            load_model(name, options)
    english = question("Rosa saw Lena because {she} left.", ["Rosa", "Lena"], "en")
    for name in (f"lm:{tmp_path / 'lm'}", f"context2vec:{tmp_path / 'c2v'}"):
        solver = load_model(name, Options())
        with pytest.raises(InputError, match="trained on pt"):
            solver.score([english], solver.scorings[:1])


def test_the_fingerprint_goes_with_the_weights_and_not_with_the_name(tmp_path):
    marks = []
    for folder, seed in (("a", 0), ("b", 0), ("c", 1)):
        small_model(tmp_path / folder, "lstm", vocabulary_of(KNOWN), seed=seed)
        marks.append(load_model(f"lm:{tmp_path / folder}", Options()).fingerprint)
    assert marks[0] == marks[1] != marks[2]
