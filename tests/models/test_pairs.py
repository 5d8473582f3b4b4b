"""Models of pairs of texts (multiple choice, next sentence) against plain calls of the library, one item a call."""

import pytest
import torch
import transformers

from items import item
from questions import question, questions_of, texts_of
from tiny_models import bert, gpt2, roberta
from winoglot import InputError, Item, WrittenReading
from winoglot.models import choice, masked, next_sentence
from winoglot.models.base import Options

pytestmark = pytest.mark.usefixtures("one_thread")
WAYS = {choice: ("ending", "context", "pronoun"), next_sentence: ("next-sentence",)}
HEADS = {choice: "MultipleChoice", next_sentence: "NextSentencePrediction"}
MODELS = {"bert": (choice, bert), "roberta": (choice, roberta), "next": (next_sentence, bert)}


@pytest.fixture(scope="module")
def questions():
    made = [one for name in ("en", "pt", "fr", "zh") for one in questions_of(f"winoglot-{name}", 6)]
    three = item("Ana viu Eva e Rita quando {ela} riu.", ["Ana", "Eva", "Rita"], "pt")
    opening = item("{Ela} viu a sombra.", ["Ana", "Eva"], "pt", mentions=[[], []])
    return [*made, question(three, "pt"), question(opening, "pt")]


@pytest.fixture(scope="module")
def folders(questions, tmp_path_factory):
    root = tmp_path_factory.mktemp("pairs")
    return {name: build(root / name, texts_of(questions), HEADS[family]) for name, (family, build) in MODELS.items()}


def options_of(one, way):
    """The two lists of texts that present an item, written out."""
    if way == "pronoun":
        return [one.item.text] * len(one.readings), [candidate.text for candidate in one.item.candidates]
    if way == "context":
        return [(r.before + r.inserted).strip() for r in one.readings], [r.after.strip() for r in one.readings]
    return [r.before.strip() for r in one.readings], [(r.inserted + r.after).strip() for r in one.readings]


def brute_force(folder, questions, way):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    head = HEADS[next_sentence if way == "next-sentence" else choice]
    model = getattr(transformers, f"AutoModelFor{head}").from_pretrained(folder, dtype=torch.float32).eval()
    values = []
    for one in questions:
        types = model.config.type_vocab_size > 1
        made = tokenizer(*options_of(one, way), padding=True, return_tensors="pt", return_token_type_ids=types)
        with torch.no_grad():
            if way == "next-sentence":
                values += model(**made).logits.log_softmax(-1)[:, 0].tolist()
            else:
                values += (
                    model(**{name: value[None] for name, value in made.items()}).logits[0].log_softmax(-1).tolist()
                )
    return values


def values(solver, questions, way):
    return [value for made in solver.score(questions, [way]) for value in made[way].values]


@pytest.mark.parametrize("name", MODELS)
def test_every_way_of_asking_equals_plain_calls_whatever_the_batches(name, folders, questions):
    family, _ = MODELS[name]
    if family is next_sentence:
        questions = questions[:-1]  # nothing stands before the candidate in the last
    for way in WAYS[family]:
        expected = brute_force(folders[name], questions, way)
        assert values(family.load(folders[name], Options()), questions, way) == pytest.approx(expected, abs=1e-4)
    for most in (1, 200, 100_000):
        made = family.load(folders[name], Options(batch_tokens=most)).score(questions[::-1], WAYS[family])[::-1]
        assert [value for one in made for value in one[way].values] == pytest.approx(expected, abs=1e-4)


def test_the_scores_of_an_item_are_log_probabilities_among_its_candidates(folders, questions):
    for made in choice.load(folders["bert"], Options()).score(questions, WAYS[choice]):
        for scores in made.values():
            assert sum(torch.tensor(scores.values).exp()).item() == pytest.approx(1)


def test_a_contraction_goes_with_the_candidate_and_the_pronoun_is_kept_where_the_text_is_shown_whole():
    one = question(item("O tio falou da tia e a prima riu {dela}.", ["a tia", "a prima"], "pt"), "pt")
    ending = [("O tio falou da tia e a prima riu", "da tia."), ("O tio falou da tia e a prima riu", "da prima.")]
    assert next_sentence.NextSentenceSolver.pairs(one, "next-sentence") == ending
    assert choice.ChoiceSolver.pairs(one, "ending") == ending
    assert choice.ChoiceSolver.pairs(one, "context")[1] == ("O tio falou da tia e a prima riu da prima", ".")
    assert choice.ChoiceSolver.pairs(one, "pronoun")[1] == ("O tio falou da tia e a prima riu dela.", "a prima")


def test_what_cannot_be_presented_has_no_score(folders, questions, tmp_path):
    given = tuple(WrittenReading(f"Rosa saw Lena when {name} left.") for name in ("Rosa", "Lena"))
    bare = question(Item("s.0", "s", readings=given), "en", "naive")
    short = bert(tmp_path, texts_of(questions), "MultipleChoice", max_position_embeddings=12)
    for family, folder, one, way, note in (
        (choice, folders["bert"], bare, "pronoun", "the item has no text with a pronoun"),
        (next_sentence, folders["next"], questions[-1], "next-sentence", "nothing stands before the candidate"),
        (choice, short, questions[0], "ending", "the model takes 12"),
    ):
        (made,) = family.load(folder, Options()).score([one], [way])
        assert made[way].values == (None, None)
        assert note in made[way].note
    assert None not in values(choice.load(folders["bert"], Options()), [bare], "ending")


def test_a_model_of_both_tasks_serves_both_families(tmp_path, questions):
    both = bert(tmp_path, texts_of(questions), "PreTraining")
    assert next_sentence.load(both, Options()).fingerprint == masked.load(both, Options()).fingerprint


def test_a_model_without_the_head_is_refused(tmp_path):
    texts = ["Rosa saw Lena."]
    plain, others = (
        bert(tmp_path / "bert", texts),
        [build(tmp_path / build.__name__, texts) for build in (roberta, gpt2)],
    )
    for family, message, cannot in (
        (choice, "multiple-choice head: its weights lack .*classifier", others[1:]),
        (next_sentence, "next-sentence head: its weights lack .*pooler", others),
    ):
        with pytest.raises(InputError, match=f"was not trained with a {message}"):
            family.load(plain, Options()).prepare()
        for folder in cannot:
            with pytest.raises(InputError, match=f"cannot be loaded as AutoModelFor{HEADS[family]}"):
                family.load(folder, Options()).prepare()
