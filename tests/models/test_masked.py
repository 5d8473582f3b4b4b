"""Masked language models against a loop over plain calls of the library, one gap a call."""

import tracemalloc
from math import exp, log
from statistics import fmean

import pytest
import torch
import transformers

import winoglot as wg
from cases import for_each
from items import item
from questions import question, questions_of, texts_of
from tiny_models import bert, byte_pieces, gpt2, roberta, saved, word_pieces
from winoglot import InputError, Reading
from winoglot.languages.text import word_spans
from winoglot.models import masked
from winoglot.models.base import Options, Question
from winoglot.models.scoring.framing import batches

pytestmark = pytest.mark.usefixtures("one_thread")
SCORINGS = ("candidate", "candidate-mean", "pll", "pll-word")
ROBERTA = {"bos": "<s>", "cls": "<s>", "pad": "<pad>", "eos": "</s>", "sep": "</s>", "unk": "<unk>", "mask": "<mask>"}


def some_questions():
    """Four languages; names, contractions, elisions, a verb that agrees."""
    made = [one for name in ("en", "pt", "fr", "zh") for one in questions_of(f"winoglot-{name}", 2)]
    town = item("The town fined the shops because {they} were [angry|noisy].", ["the town", "the shops"], "en")
    anne = item("Anne dit à Julie qu'{elle} dort.", ["Anne", "Julie"], "fr")
    return [*made, question(town, "en"), question(anne, "fr")]


def across_words(folder, texts):
    """A model whose tokens reach across words and across the insertion's edges."""
    tokenizer = byte_pieces(texts, 450, special=ROBERTA, frame=("<s>", "</s>"), split=False)
    return roberta(folder, texts, tokenizer=tokenizer, max_position_embeddings=300)


BUILDERS = {"bert": bert, "roberta": roberta, "across-words": across_words}


@pytest.fixture(scope="module")
def questions():
    return some_questions()


@pytest.fixture(scope="module")
def folders(questions, tmp_path_factory):
    root = tmp_path_factory.mktemp("masked")
    return {name: build(root / name, texts_of(questions)) for name, build in BUILDERS.items()}


class BruteForce:
    """Plain calls: one row at a time, the whole vocabulary at every place."""

    def __init__(self, folder):
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = transformers.AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float32).eval()

    def tokens(self, text):
        """The row, and for each of the text's own tokens its place in the row and its characters."""
        made = self.tokenizer(text, return_offsets_mapping=True, return_special_tokens_mask=True)
        added = made["special_tokens_mask"]
        return made["input_ids"], [(at, *made["offset_mapping"][at]) for at in range(len(added)) if not added[at]]

    def logprob(self, ids, hidden, at):
        gapped = [self.tokenizer.mask_token_id if place in hidden else token for place, token in enumerate(ids)]
        with torch.no_grad():
            logits = self.model(input_ids=torch.tensor([gapped])).logits
        return logits[0, at].log_softmax(-1)[ids[at]].item()

    def pll(self, text):
        ids, own = self.tokens(text)
        return sum(self.logprob(ids, {at}, at) for at, _, _ in own)

    def pll_word(self, text, language):
        ids, own = self.tokens(text)
        spans = word_spans(text, language)

        def word(start, end):
            first = next((place for place in range(start, end) if not text[place].isspace()), None)
            return next((span for span in spans if first is not None and span.start <= first < span.end), None)

        total = 0.0
        for number, (at, start, end) in enumerate(own):
            mine, hidden = word(start, end), {at}
            for later, other_start, other_end in own[number + 1 :]:
                if mine is None or word(other_start, other_end) != mine:
                    break
                hidden.add(later)
            total += self.logprob(ids, hidden, at)
        return total

    def candidate(self, readings):
        """Hide in all what is inserted in any, or differs, as whole tokens: the log probabilities of what is hidden."""
        rows = [self.tokens(reading.text) for reading in readings]
        mine = [[ids[at] for at, _, _ in own] for ids, own in rows]
        shown = 0
        while all(shown < len(ids) for ids in mine) and len({ids[shown] for ids in mine}) == 1:
            if any(own[shown][2] > len(reading.before) for (_, own), reading in zip(rows, readings, strict=True)):
                break
            shown += 1
        kept = 0
        while all(kept < len(ids) - shown for ids in mine) and len({ids[-1 - kept] for ids in mine}) == 1:
            if any(
                own[-1 - kept][1] < len(reading.before + reading.inserted)
                for (_, own), reading in zip(rows, readings, strict=True)
            ):
                break
            kept += 1
        rows_of_logs = []
        for ids, own in rows:
            hidden = [at for at, _, _ in own[shown : len(own) - kept]]
            rows_of_logs.append([self.logprob(ids, hidden, at) for at in hidden])
        return rows_of_logs


def values(solver, questions, scorings=SCORINGS):
    return [value for made in solver.score(questions, scorings) for name in scorings for value in made[name].values]


@pytest.mark.parametrize("name", BUILDERS)
def test_every_scoring_equals_a_loop_over_plain_calls(name, folders, questions):
    brute = BruteForce(folders[name])
    some = questions[1::2]
    for one, made in zip(some, masked.load(folders[name], Options()).score(some, SCORINGS), strict=True):
        texts = [reading.text for reading in one.readings]
        by_word = [brute.pll_word(text, one.language) for text in texts]
        rows_of_logs = brute.candidate(one.readings)
        assert made["candidate"].values == pytest.approx(list(map(fmean, rows_of_logs)), abs=1e-4)
        means = [log(fmean(map(exp, logs))) for logs in rows_of_logs]
        assert made["candidate-mean"].values == pytest.approx(means, abs=1e-4)
        assert made["pll"].values == pytest.approx([brute.pll(text) for text in texts], abs=1e-4)
        assert made["pll-word"].values == pytest.approx(by_word, abs=1e-4)


@pytest.mark.parametrize("name", BUILDERS)
def test_scores_do_not_depend_on_batch_size_order_or_company(name, folders, questions):
    usual, tight = (masked.load(folders[name], options) for options in (Options(), Options(batch_tokens=1)))
    expected, some = pytest.approx(values(usual, questions), abs=1e-4), questions[::3]
    assert values(tight, some) == pytest.approx(values(usual, some), abs=1e-4)
    wide = masked.load(folders[name], Options(batch_tokens=100_000))
    backwards = wide.score(questions[::-1], SCORINGS[::-1])[::-1]
    assert [value for made in backwards for name in SCORINGS for value in made[name].values] == expected
    alone = [value for one in questions[:3] for scoring in SCORINGS for value in values(wide, [one], [scoring])]
    assert alone == pytest.approx(values(usual, questions[:3]), abs=1e-4)


def test_a_head_that_needs_every_state_gets_every_state(folders, questions):
    solver = masked.load(folders["bert"], Options())
    assert solver.model.narrows
    expected = values(solver, questions)
    solver.model.narrows = False
    assert values(solver, questions) == pytest.approx(expected, abs=1e-4)


def rows_seen(solver):
    """The shape of every batch that goes into the model from now on."""
    shapes = []
    solver.model.model.register_forward_pre_hook(
        lambda _module, _positional, named: shapes.append(tuple(named["input_ids"].shape)), with_kwargs=True
    )
    return shapes


@pytest.mark.parametrize("most", [1, 500])
def test_a_batch_has_no_more_tokens_than_allowed(most, folders, questions):
    solver = masked.load(folders["roberta"], Options(batch_tokens=most))
    shapes = rows_seen(solver)
    solver.score(questions[::3], SCORINGS)
    assert all(rows == 1 or rows * length <= most for rows, length in shapes)


@pytest.mark.slow
def test_memory_grows_with_the_length_of_a_text_not_with_its_square(tmp_path):
    def long_question(count):
        text = "Rosa saw Lena " + "and then again " * count + "when {she} left."
        return question(item(text, ["Rosa", "Lena"], "en"), "en")

    short, long = long_question(10), long_question(80)  # 7 times the tokens, 45 times their square
    folder = bert(tmp_path, texts_of([short]), max_position_embeddings=512, num_hidden_layers=1)
    solver = masked.load(folder, Options(batch_tokens=512))
    solver.score([short, long], ["pll"])  # what is made once does not count
    peaks = []
    for one in (short, long):
        tracemalloc.start()
        solver.score([one], ["pll"])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 12 * peaks[0]


@for_each("lengths", [[3, 1, 3, 2, 1], [], [7]])
def test_batches_hold_every_row_once_and_one_length_each(lengths):
    made = list(batches(lengths, 6))
    assert sorted(number for batch in made for number in batch) == list(range(len(lengths)))
    assert all(len({lengths[number] for number in batch}) == 1 for batch in made)


def test_readings_that_do_not_differ_have_no_candidate_score(folders, questions):
    same = Reading("a.0", 0, "", "Rosa left.", "", "naive", "given")
    one = Question(questions[0].item, "en", (same, same), questions[0].window)
    made = masked.load(folders["bert"], Options()).score([one], SCORINGS)[0]
    assert made["candidate"].values == (None, None)
    assert "do not differ" in made["candidate"].note
    assert made["pll"].values[0] == made["pll"].values[1]


def test_a_tokenizer_saved_without_its_special_tokens_gets_them(tmp_path, questions):
    texts = texts_of(questions)
    framed = bert(tmp_path / "framed", texts)
    bare = bert(tmp_path / "bare", texts, tokenizer=word_pieces(texts, framed=False))
    solvers = [masked.load(folder, Options()) for folder in (framed, bare)]
    assert [solver.settings["frame"] for solver in solvers] == ["[CLS] … [SEP]"] * 2
    assert values(solvers[0], questions[:2]) == pytest.approx(values(solvers[1], questions[:2]), abs=1e-4)


def test_a_text_longer_than_the_model_takes_has_no_score(tmp_path, questions):
    short = question(item("{Ela} riu.", ["Ana", "Eva"], "pt", mentions=[[], []]), "pt")
    for build, positions in ((bert, 16), (roberta, 16 + 1 + 1)):  # the padding of the latter is token 1
        folder = build(tmp_path / build.__name__, texts_of(questions), max_position_embeddings=positions)
        solver = masked.load(folder, Options())
        assert solver.framer.longest == 16
        made, other = solver.score([questions[0], short], SCORINGS)
        assert made["pll"].values == (None, None)
        assert "tokens, the model takes 16" in made["candidate"].note
        assert None not in other["pll"].values


def refused(message, folder, options=None):
    with pytest.raises(InputError, match=message):
        masked.load(str(folder), options or Options()).prepare()


def test_what_cannot_be_a_masked_model_is_refused(tmp_path):
    texts = ["Rosa saw Lena when she left."]
    refused("was not trained with a masked-token head.*lack", bert(tmp_path / "body", texts, "Model"))
    refused("was not trained with a masked-token head", bert(tmp_path / "next", texts, "NextSentencePrediction"))
    refused("cannot be loaded as AutoModelForMaskedLM", gpt2(tmp_path / "gpt2", texts))
    tokenizer = word_pieces(texts)
    tokenizer.mask_token = None
    refused("no mask token", bert(tmp_path / "unmasked", texts, tokenizer=tokenizer))
    refused("is not the folder of a model", tmp_path / "absent")
    refused("no model is named after the colon", "")
    refused("there is no option 'shots'", tmp_path / "next", Options(more={"shots": "1"}))
    refused("there is no precision", tmp_path / "next", Options(precision="float7"))
    refused("causal", tmp_path / "next", Options(precision="int8"))


def test_a_script_that_the_tokenizer_lacks_is_refused_and_a_rare_sign_is_not(tmp_path):
    solver = masked.load(bert(tmp_path, ["Rosa saw Lena."]), Options())
    rare = question(item("Rosa 🎒 saw Lena when {she} left.", ["Rosa", "Lena"], "en"), "en")
    assert None not in solver.score([rare], ["pll"])[0]["pll"].values
    assert [count.unknown for count in solver.count_tokens(texts_of([rare]))] == [1, 1]
    with pytest.raises(InputError, match="of the tokens are unknown"):
        solver.check_texts(texts_of(questions_of("winoglot-zh", 2)))


def test_a_model_saved_as_another_architecture_scores_the_same_loop(tmp_path, questions):
    """One without token types and one without attention, so that padding would change its scores."""
    texts = texts_of(questions)
    tokenizer = word_pieces(texts)
    size = {"vocab_size": len(tokenizer), "initializer_range": 0.2, "max_position_embeddings": 128}
    torch.manual_seed(0)
    distil = transformers.DistilBertConfig(dim=32, n_layers=2, n_heads=2, hidden_dim=64, **size)
    fnet = transformers.FNetConfig(hidden_size=32, num_hidden_layers=2, intermediate_size=64, **size)
    models = {"distilbert": (transformers.DistilBertForMaskedLM, distil), "fnet": (transformers.FNetForMaskedLM, fnet)}
    for name, (head, config) in models.items():
        folder = saved(tmp_path / name, head(config), tokenizer)
        brute = BruteForce(folder)
        made = masked.load(folder, Options(batch_tokens=300)).score(questions[:4], ["candidate"])
        for one, scores in zip(questions[:4], made, strict=True):
            means = list(map(fmean, brute.candidate(one.readings)))
            assert scores["candidate"].values == pytest.approx(means, abs=1e-4), name


@pytest.mark.parametrize("name", ["bert", "roberta"])
def test_a_masked_segment_is_the_models_own_mask(name, folders):
    town = item("The town fined the shops because {they} were [angry|noisy].", ["the town", "the shops"], "en")
    blank = question(wg.perturb(town, "segment-masked"), "en")
    solver = masked.load(folders[name], Options())
    mask = solver.framer.tokenizer.mask_token
    assert all(" ___." in reading.text for reading in blank.readings)
    texts = [reading.text.replace("___", mask) for reading in blank.readings]
    brute = BruteForce(folders[name])
    (made,) = solver.score([blank], ["pll"])
    own = [brute.tokens(text) for text in texts]
    expected = [
        sum(brute.logprob(ids, {at}, at) for at, _, _ in places if ids[at] != solver.model.mask) for ids, places in own
    ]
    assert made["pll"].values == pytest.approx(expected, abs=1e-4)
