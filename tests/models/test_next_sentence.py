"""Next-sentence models against a loop over plain calls of the library, one pair a call."""

import pytest
import torch
import transformers

from items import item
from questions import TWENTY, choices, learn, question, questions_of, texts_of
from tiny_models import bert, gpt2, roberta, word_pieces
from winoglot import InputError
from winoglot.models import masked, next_sentence
from winoglot.models.base import Options

pytestmark = pytest.mark.usefixtures("one_thread")
HEAD = "NextSentencePrediction"


@pytest.fixture(scope="module")
def questions():
    return [one for name in ("en", "pt", "fr", "zh") for one in questions_of(f"winoglot-{name}", 6)]


@pytest.fixture(scope="module")
def folder(questions, tmp_path_factory):
    return bert(tmp_path_factory.mktemp("next-sentence") / "bert", texts_of(questions), HEAD)


def brute_force(folder, questions):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForNextSentencePrediction.from_pretrained(folder, dtype=torch.float32).eval()
    found = []
    for one in questions:
        for reading in one.readings:
            cut = len(reading.before)
            made = tokenizer(reading.text[:cut], reading.text[cut:], return_tensors="pt", return_token_type_ids=True)
            assert set(made["token_type_ids"][0].tolist()) == {0, 1}
            with torch.no_grad():
                found.append(model(**made).logits[0].softmax(-1)[0].log().item())
    return found


def values(solver, questions):
    return [value for made in solver.score(questions, ["next-sentence"]) for value in made["next-sentence"].values]


def test_scores_equal_a_loop_over_plain_calls(folder, questions):
    solver = next_sentence.load(folder, Options())
    assert values(solver, questions) == pytest.approx(brute_force(folder, questions), abs=1e-4)


def test_scores_do_not_depend_on_batch_size_or_order(folder, questions):
    expected = values(next_sentence.load(folder, Options()), questions)
    for most in (1, 200, 100_000):
        solver = next_sentence.load(folder, Options(batch_tokens=most))
        backwards = values(solver, questions[::-1])
        pairs = list(zip(backwards[::2], backwards[1::2], strict=True))[::-1]
        assert [value for pair in pairs for value in pair] == pytest.approx(expected, abs=1e-4)


def test_the_second_sentence_begins_with_the_candidate_and_its_contraction():
    one = question(item("O tio falou da tia e a prima riu {dela}.", ["a tia", "a prima"], "pt"), "pt")
    assert next_sentence.NextSentenceSolver.pairs(one, "next-sentence") == [
        ("O tio falou da tia e a prima riu", "da tia."),
        ("O tio falou da tia e a prima riu", "da prima."),
    ]


def test_a_candidate_that_opens_the_text_has_no_score(folder):
    one = question(item("{Ela} dormia.", ["Ana", "Eva"], "pt", mentions=[[], []]), "pt")
    made = next_sentence.load(folder, Options()).score([one], ["next-sentence"])[0]["next-sentence"]
    assert made.values == (None, None)
    assert made.note == "nothing stands before the candidate"


def test_a_text_longer_than_the_model_takes_has_no_score(tmp_path, questions):
    short = bert(tmp_path, texts_of(questions), HEAD, max_position_embeddings=12)
    made = next_sentence.load(short, Options()).score(questions[:1], ["next-sentence"])[0]["next-sentence"]
    assert made.values == (None, None)
    assert "the model takes 12" in made.note


@pytest.mark.slow
def test_twenty_schemas_learnt_by_heart_are_answered_right(tmp_path):
    questions = questions_of(TWENTY)
    answers = [one.item.answer for one in questions]
    tokenizer = word_pieces(texts_of(questions), 800)
    folder = bert(tmp_path, [], HEAD, tokenizer=tokenizer, hidden_size=64, initializer_range=0.05)
    solver = next_sentence.load(folder, Options())
    assert choices(solver, questions, "next-sentence") != answers
    readings = [reading for one in questions for reading in one.readings]
    made = tokenizer(
        [reading.before for reading in readings],
        [reading.inserted + reading.after for reading in readings],
        padding=True,
        return_tensors="pt",
        return_token_type_ids=True,
    )
    wrong = torch.tensor([int(reading.candidate != one.item.answer) for one in questions for reading in one.readings])
    model = solver.pretrained.model
    learn(model, lambda _step: torch.nn.functional.cross_entropy(model(**made).logits, wrong), 200)
    assert choices(solver, questions, "next-sentence") == answers


def test_a_model_of_both_tasks_serves_both_families(tmp_path, questions):
    both = bert(tmp_path, texts_of(questions), "PreTraining")
    assert next_sentence.load(both, Options()).fingerprint == masked.load(both, Options()).fingerprint


def test_a_model_without_the_head_is_refused(tmp_path):
    texts = ["Rosa saw Lena."]
    with pytest.raises(InputError, match=r"was not trained with a next-sentence head: its weights lack .*pooler"):
        next_sentence.load(bert(tmp_path / "bert", texts), Options()).prepare()
    for build in (roberta, gpt2):
        with pytest.raises(InputError, match="cannot be loaded as AutoModelForNextSentencePrediction"):
            next_sentence.load(build(tmp_path / build.__name__, texts), Options()).prepare()
