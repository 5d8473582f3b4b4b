"""Multiple-choice models against plain calls of the library, one item a call with all its options."""

import pytest
import torch
import transformers

from items import item
from questions import TWENTY, choices, learn, question, questions_of, texts_of
from tiny_models import bert, gpt2, roberta
from winoglot import InputError, Item, WrittenReading
from winoglot.models import choice
from winoglot.models.base import Options

pytestmark = pytest.mark.usefixtures("one_thread")
WAYS = ("ending", "context", "pronoun")
BUILDERS = {"bert": bert, "roberta": roberta}


@pytest.fixture(scope="module")
def questions():
    made = [one for name in ("en", "pt", "fr", "zh") for one in questions_of(f"winoglot-{name}", 6)]
    three = item("Ana viu Eva e Rita quando {ela} riu.", ["Ana", "Eva", "Rita"], "pt")
    opening = item("{Ela} viu a sombra.", ["Ana", "Eva"], "pt", mentions=[[], []])
    return [*made, question(three, "pt"), question(opening, "pt")]


@pytest.fixture(scope="module")
def folders(questions, tmp_path_factory):
    root = tmp_path_factory.mktemp("choice")
    return {name: build(root / name, texts_of(questions), "MultipleChoice") for name, build in BUILDERS.items()}


def options_of(one, way):
    """The two lists of texts that present an item, written out."""
    if way == "pronoun":
        return [one.item.text] * len(one.readings), [candidate.text for candidate in one.item.candidates]
    if way == "ending":
        return [r.before.strip() for r in one.readings], [(r.inserted + r.after).strip() for r in one.readings]
    return [(r.before + r.inserted).strip() for r in one.readings], [r.after.strip() for r in one.readings]


def presented(tokenizer, one, way, types):
    made = tokenizer(*options_of(one, way), padding=True, return_tensors="pt", return_token_type_ids=types)
    return {name: value[None] for name, value in made.items()}


def brute_force(folder, questions, way):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForMultipleChoice.from_pretrained(folder, dtype=torch.float32).eval()
    with torch.no_grad():
        logits = [
            model(**presented(tokenizer, one, way, "bert" in model.config.model_type[:4])).logits for one in questions
        ]
    return [value for row in logits for value in row[0].log_softmax(-1).tolist()]


def values(solver, questions, way):
    return [value for made in solver.score(questions, WAYS) for value in made[way].values]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", BUILDERS)
def test_every_way_of_asking_equals_plain_calls(name, way, folders, questions):
    solver = choice.load(folders[name], Options())
    assert values(solver, questions, way) == pytest.approx(brute_force(folders[name], questions, way), abs=1e-4)


@pytest.mark.parametrize("name", BUILDERS)
def test_scores_do_not_depend_on_batch_size_or_order(name, folders, questions):
    expected = [made["ending"].values for made in choice.load(folders[name], Options()).score(questions, WAYS)]
    for most in (1, 200, 100_000):
        backwards = choice.load(folders[name], Options(batch_tokens=most)).score(questions[::-1], ["ending"])
        assert [made["ending"].values for made in backwards][::-1] == [pytest.approx(v, abs=1e-4) for v in expected]


def test_the_scores_of_an_item_are_log_probabilities_among_its_candidates(folders, questions):
    for made in choice.load(folders["bert"], Options()).score(questions, WAYS):
        for scores in made.values():
            assert sum(torch.tensor(scores.values).exp()).item() == pytest.approx(1)


def test_the_pronoun_is_kept_where_the_text_is_shown_whole():
    one = question(item("Ana viu Eva e riu {dela}.", ["Ana", "Eva"], "pt"), "pt")
    assert choice.ChoiceSolver.pairs(one, "pronoun")[1] == ("Ana viu Eva e riu dela.", "Eva")
    assert choice.ChoiceSolver.pairs(one, "ending")[1] == ("Ana viu Eva e riu", "de Eva.")
    assert choice.ChoiceSolver.pairs(one, "context")[1] == ("Ana viu Eva e riu de Eva", ".")


def test_an_item_known_by_its_readings_cannot_be_asked_with_a_pronoun(folders):
    given = tuple(WrittenReading(f"Rosa saw Lena when {name} left.") for name in ("Rosa", "Lena"))
    one = question(Item("s.0", "s", readings=given), "en", "naive")
    made = choice.load(folders["bert"], Options()).score([one], WAYS)[0]
    assert made["pronoun"].values == (None, None)
    assert made["pronoun"].note == "the item has no text with a pronoun"
    assert None not in made["ending"].values


def test_a_text_longer_than_the_model_takes_has_no_score(tmp_path, questions):
    short = bert(tmp_path, texts_of(questions), "MultipleChoice", max_position_embeddings=12)
    made = choice.load(short, Options()).score(questions[:1], ["ending"])[0]["ending"]
    assert made.values == (None, None)
    assert "the model takes 12" in made.note


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bert", "roberta"])
def test_twenty_schemas_learnt_by_heart_are_answered_right(name, tmp_path):
    questions = questions_of(TWENTY)
    answers = [one.item.answer for one in questions]
    folder = BUILDERS[name](tmp_path, texts_of(questions), "MultipleChoice", hidden_size=64, initializer_range=0.05)
    solver = choice.load(folder, Options())
    assert choices(solver, questions, "ending") != answers
    model = solver.pretrained.model
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    inputs = {}
    for way in WAYS:
        sides = [options_of(one, way) for one in questions]
        firsts, seconds = ([text for side in sides for text in side[place]] for place in (0, 1))
        made = tokenizer(firsts, seconds, padding=True, return_tensors="pt", return_token_type_ids=name == "bert")
        inputs[way] = {key: value.view(len(questions), 2, -1) for key, value in made.items()}

    def loss(step):
        return torch.nn.functional.cross_entropy(model(**inputs[WAYS[step % 3]]).logits, torch.tensor(answers))

    learn(model, loss, 300)
    for way in WAYS:
        assert choices(solver, questions, way) == answers, way


def test_a_model_without_the_head_is_refused(tmp_path):
    texts = ["Rosa saw Lena."]
    with pytest.raises(InputError, match=r"was not trained with a multiple-choice head: its weights lack .*classifier"):
        choice.load(bert(tmp_path / "bert", texts), Options()).prepare()
    with pytest.raises(InputError, match="cannot be loaded as AutoModelForMultipleChoice"):
        choice.load(gpt2(tmp_path / "gpt2", texts), Options()).prepare()
