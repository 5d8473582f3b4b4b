"""Probes against plain calls of the library, one text a call; the scores beside them stay as they are."""

from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file

import winoglot as wg
from cases import for_each, listed
from items import item
from model_questions import question
from models.test_causal import bloom
from models.test_lm import KNOWN, recurrent_logits, stream
from questions import questions_of, texts_of
from tiny_models import bert, byte_pieces, gpt2, llama, roberta
from training.model_making import small_model, vocabulary_of
from winoglot.models import causal, lm, masked
from winoglot.models.base import Options, Question
from winoglot.models.scoring.probes import KEPT, NO_PRONOUN, masked_text, most_probable

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def questions():
    """Four languages; a contraction before the pronoun, a pronoun that opens the text, one of several tokens."""
    made = [one for name in ("en", "pt", "fr", "zh") for one in questions_of(f"winoglot-{name}", 2)]
    written = [
        ("Ana viu Eva, mas gostou {dela}.", ["Ana", "Eva"], "pt"),
        ("{Ela} riu, disse Ana a Eva.", ["Ana", "Eva"], "pt"),
        ("Ana viu Eva porque {}olhou.", ["Ana", "Eva"], "pt"),
    ]
    return [*made, *(question(*one, style="grammatical") for one in written)]


def across_words(folder, texts):
    """Tokens reach across words, so that the text before a pronoun is often not the beginning of a reading."""
    tokenizer = byte_pieces(texts * 5, 600, special={"bos": "<s>", "eos": "</s>", "unk": "<unk>"}, split=False)
    return llama(folder, [], tokenizer=tokenizer)


def kept(logits):
    """The tokens and probabilities that a sort of everything keeps."""
    values, tokens = logits.softmax(-1).sort(descending=True, stable=True)
    size = 1 + int((values.double().cumsum(0) < KEPT).sum())
    return tokens[:size].tolist(), values[:size].numpy()


def check_distribution(distribution, logits):
    """Rounding may swap two tokens that are equally probable, or leave the last one out."""
    tokens, values = kept(logits)
    assert len(distribution.tokens) == pytest.approx(len(tokens), abs=1)
    assert distribution.probabilities == pytest.approx(logits.softmax(-1)[distribution.tokens].numpy(), abs=1e-5)
    assert (np.diff(distribution.probabilities) <= 0).all()
    assert distribution.probabilities[: len(values)] == pytest.approx(values[: len(distribution.tokens)], abs=1e-5)


def probed(solver, questions, scorings):
    """The scores and a probe for each of the questions; their items, all called s.0, get ids of their own."""
    named = [replace(one, item=replace(one.item, id=f"s{at}.0")) for at, one in enumerate(questions)]
    scores, probes = solver.score_and_probe(named, scorings, {one.item.id for one in named})
    return scores, list(probes.values())


def same(one, other):
    """Two lists of probes, bit by bit."""
    for a, b in zip(one, other, strict=True):
        assert (a.note, a.sees_after) == (b.note, b.sees_after)
        assert a.distribution.tokens.tolist() == b.distribution.tokens.tolist()
        assert np.array_equal(a.distribution.probabilities, b.distribution.probabilities)
        assert np.array_equal(a.pooled, b.pooled)


LOGITS = st.sampled_from([-40.0, -9.0, -3.0, -1.0, 0.0, 2.0])


@given(st.integers(1, 30).flatmap(lambda size: st.lists(st.lists(LOGITS, min_size=size, max_size=size), min_size=1)))
def test_the_most_probable_tokens_are_those_of_a_full_sort(rows):
    for found, row in zip(most_probable(torch.tensor(rows)), rows, strict=True):
        tokens, values = kept(torch.tensor(row))
        assert found.tokens.tolist() == tokens
        assert np.allclose(found.probabilities, values)


def test_a_long_tail_is_kept_as_far_as_it_is_needed():
    (flat,) = most_probable(torch.zeros(1, 100_000))
    assert len(flat.tokens) == pytest.approx(90_000, abs=10)
    assert flat.tokens[:3].tolist() == [0, 1, 2]
    (sharp,) = most_probable(torch.tensor([[0.0, 50.0, 0.0]]))
    assert sharp.tokens.tolist() == [1]


@pytest.mark.parametrize("build", [gpt2, llama, bloom, across_words], ids=lambda build: build.__name__)
def test_causal_probes_are_those_of_plain_calls(build, questions, tmp_path):
    folder = build(tmp_path, texts_of(questions))
    solver = causal.load(str(folder), Options())
    scores, probes = probed(solver, questions, ["partial", "full"])
    assert scores == solver.score(questions, ["partial", "full"])  # bit by bit
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    start = solver.encoder.start

    def read(text):
        ids = torch.tensor([[start, *tokenizer(text, add_special_tokens=False)["input_ids"]]])
        with torch.no_grad():
            made = model(input_ids=ids, output_hidden_states=True)
        return made.logits[0, -1], made.hidden_states[-1][0, 1:]

    for one, probe in zip(questions, probes, strict=True):
        assert not probe.sees_after
        check_distribution(probe.distribution, read(one.item.parts[0].rstrip())[0])
        expected = np.stack([read(reading.text)[1].amax(0) for reading in one.readings])
        assert probe.pooled == pytest.approx(expected, abs=1e-4)


def test_solved_examples_are_read_before_the_pronoun_and_are_not_pooled(questions, tmp_path):
    questions = [one for one in questions if one.item.schema_id != "s" and one.language == "en"]
    folder = llama(tmp_path, texts_of(questions), max_position_embeddings=512)
    plain = causal.load(str(folder), Options())
    items = wg.load("winoglot-en").items
    shown = causal.load(str(folder), Options(more={"shots": "2"})).for_collection(items, "en")
    scores, probes = probed(shown, questions, ["partial"])
    assert scores == shown.score(questions, ["partial"])
    for one, probe, without in zip(questions, probes, probed(plain, questions, ["partial"])[1], strict=True):
        before = shown._shots_before(one)
        ids = [shown.encoder.start, *shown.encoder.encode([before + one.item.parts[0].rstrip()])[0].ids]
        with torch.no_grad():
            logits = shown.pretrained.model(input_ids=torch.tensor([ids])).logits[0, -1]
        check_distribution(probe.distribution, logits)
        assert probe.pooled.shape == without.pooled.shape
        assert not np.allclose(probe.pooled, without.pooled)


@pytest.mark.parametrize("build", [bert, roberta], ids=lambda build: build.__name__)
def test_masked_probes_are_those_of_plain_calls(build, questions, tmp_path):
    folder = build(tmp_path, texts_of(questions))
    solver = masked.load(str(folder), Options())
    scores, probes = probed(solver, questions, ["candidate", "pll"])
    assert scores == solver.score(questions, ["candidate", "pll"])
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float32).eval()
    for one, probe in zip(questions, probes, strict=True):
        made = tokenizer(masked_text(one.item, tokenizer.mask_token), return_tensors="pt")
        (at,) = (made["input_ids"][0] == tokenizer.mask_token_id).nonzero()
        with torch.no_grad():
            out = model(**made, output_hidden_states=True)
        assert probe.sees_after
        check_distribution(probe.distribution, out.logits[0, at[0]])
        assert probe.pooled == pytest.approx(out.hidden_states[-1][0, 1:-1].amax(0, keepdim=True).numpy(), abs=1e-4)


def test_a_row_that_scoring_needs_too_is_computed_once(tmp_path):
    """Candidates of one token leave the row of the probe: one mask in the pronoun's place."""
    one = question("Ann saw Bob since {he} ran.", ["Ann", "Bob"])
    solver = masked.load(bert(tmp_path, ["Ann saw Bob since he ran."]), Options())
    rows = []
    solver.model.model.base_model.register_forward_pre_hook(lambda _module, given: rows.extend(given[0].tolist()))
    probed(solver, [one], ["candidate"])
    assert len(rows) == 1


@listed
def test_one_mask_replaces_the_whole_pronoun(written, language, expected):
    candidates = ["小雯", "思雨"] if language == "zh" else ["Ana", "Eva"]
    assert masked_text(item(written, candidates, language), "[MASK]") == expected


@pytest.mark.parametrize("kind", ["lstm", "untied"])
def test_probes_of_trained_models_are_those_of_plain_torch(tmp_path, kind):
    questions = [
        question("Ana não viu Eva porque {ela} riu.", ["Ana", "Eva"], "pt"),
        question("O gato viu a mesa. {Ele} riu!", ["o gato", "a mesa"], "pt"),  # an <eos> before the pronoun
        question("Ana falou com Eva e gostou {dela}.", ["Ana", "Eva"], "pt", style="grammatical"),
    ]
    small_model(tmp_path, kind, vocabulary_of(KNOWN, 100))
    solver = lm.load(str(tmp_path), Options(more={"unknown": "score"}))
    scores, probes = probed(solver, questions, ["partial", "full"])
    assert scores == solver.score(questions, ["partial", "full"])
    weights = load_file(tmp_path / "model.safetensors")
    index = {word: number for number, word in enumerate(["<unk>", "<eos>", *KNOWN])}
    for one, probe in zip(questions, probes, strict=True):
        words = [word for word, start in stream(one.item.text) if start < one.item.pronoun.start]
        check_distribution(probe.distribution, recurrent_logits(weights, [1, *(index.get(w, 0) for w in words)])[-1])
        assert probe.pooled.shape[0] == 2


def test_a_reading_that_is_not_scored_has_no_probe_and_says_why(tmp_path):
    small_model(tmp_path, "lstm", vocabulary_of([word for word in KNOWN if word != "Eva"], 100))
    solver = lm.load(str(tmp_path), Options())
    known = question("O gato viu a mesa e {ele} riu.", ["o gato", "a mesa"], "pt")
    _, probes = probed(solver, [question("Ana viu Eva e {ela} riu.", ["Ana", "Eva"], "pt"), known], ["full"])
    assert [probe.note for probe in probes] == ["unknown: Eva", ""]
    assert (len(probes[0].distribution.tokens), probes[0].pooled.size) == (0, 0)


def test_a_text_that_is_too_long_and_one_without_a_pronoun_say_so(questions, tmp_path):
    long, short = question("Ann met Sue and " + "very " * 90 + "{she} ran.", ["Ann", "Sue"]), questions[0]
    folder = gpt2(tmp_path / "gpt2", texts_of([short]), n_positions=90)
    item = wg.Item("a.0", "a", readings=(wg.WrittenReading("Ann ran."), wg.WrittenReading("Sue ran.")))
    readings = tuple(wg.readings(item, "naive", language="en"))
    bare = Question(item, "en", readings, wg.window(item, readings))
    _, probes = probed(causal.load(str(folder), Options()), [long, short, bare], ["full"])
    assert [probe.note for probe in probes] == ["the model cannot read the text", "", NO_PRONOUN]
    assert probes[2].pooled.shape == probes[1].pooled.shape
    folder = bert(tmp_path / "bert", texts_of([short]), max_position_embeddings=90)
    _, probes = probed(masked.load(str(folder), Options()), [long, short, bare], ["candidate"])
    assert [probe.note[-24:] for probe in probes] == ["tokens, the model takes 90"[-24:], "", NO_PRONOUN[-24:]]


def test_probes_do_not_depend_on_what_else_is_asked(questions, tmp_path):
    solver = causal.load(llama(tmp_path, texts_of(questions)), Options())
    _, whole = probed(solver, questions, ["partial"])
    same(whole, probed(solver, questions, ["partial"])[1])
    alone = [probed(solver, [one], ["full"])[1][0] for one in questions]
    for one, other in zip(whole, alone, strict=True):
        assert one.distribution.tokens.tolist() == other.distribution.tokens.tolist()
        assert one.pooled == pytest.approx(other.pooled, abs=1e-4)


@for_each(("build", "family"), [(llama, causal), (bert, masked)])
def test_only_the_items_that_are_named_are_probed(build, family, questions, tmp_path):
    solver = family.load(build(tmp_path / family.__name__, texts_of(questions)), Options())
    scoring = solver.scorings[0]
    wanted = questions[0].item.id
    scores, probes = solver.score_and_probe(questions[:6], [scoring], {wanted})
    assert scores == solver.score(questions[:6], [scoring])
    assert list(probes) == [wanted]
    assert len(probes[wanted].distribution.tokens)
    assert solver.score_and_probe(questions[:6], [scoring], ()) == (scores, {})
