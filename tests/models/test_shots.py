"""Solved examples before what a causal model scores, against a loop over plain calls of the library."""

from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers

import winoglot as wg
from cases import for_each, listed
from models.test_causal import bloom, gemma
from questions import question
from six_schemas import six
from tiny_models import gpt2, llama
from winoglot import InputError
from winoglot.models import causal
from winoglot.models.base import Options
from winoglot.models.shots import SEPARATOR, ShotOptions, marks_of, pool_for
from winoglot.perturb.base import with_kinds
from winoglot.runs.evaluate import evaluate


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))


def texts(collection):
    return [reading.text for reading in wg.readings(collection)]


def texts_of_schema(collection, name):
    """Every reading of a schema's items."""
    items = [item for item in collection.items if item.schema_id == name]
    return {reading.text for item in items for reading in wg.readings(item)}


def shown(questions, items, shots=3, seed=0, examples=""):
    """The sentences before each question."""
    pool = pool_for(ShotOptions(shots, examples), seed, items)
    return [pool.before(one).split(SEPARATOR)[:-1] for one in questions]


def asked(collection, style="grammatical"):
    return [question(item, collection.language, style) for item in collection.items]


def token_logs(model, tokenizer, prefix, text):
    """The first character in the text and the log probability of each of its tokens, after the prefix; one call."""
    made = tokenizer(prefix + text, add_special_tokens=False, return_offsets_mapping=True)
    start = tokenizer.bos_token_id
    ids = torch.tensor([[start, *made["input_ids"]]])
    with torch.no_grad():
        logs = model(input_ids=ids).logits[0].log_softmax(-1)
    found = [(at - len(prefix), end - len(prefix)) for at, end in made["offset_mapping"]]
    return [(at, logs[n, ids[0, n + 1]].item()) for n, (at, end) in enumerate(found) if end > 0]


@pytest.mark.parametrize("make", [gpt2, llama, gemma, bloom], ids=lambda make: make.__name__)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_scores_equal_plain_calls_on_the_examples_and_the_reading(tmp_path, make, language):
    collection = six(language)
    more = {"n_positions": 1024} if make is gpt2 else {}
    folder = make(tmp_path, texts(collection), **more)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    solver = causal.load(str(folder), Options(more={"shots": "2"}))
    solver = solver.for_collection(collection.items, collection.language)
    questions = asked(collection)[:6]
    for one, found in zip(questions, solver.score(questions, ["full", "partial", "normalised"]), strict=True):
        prefix = solver._pool.before(one)
        for index, reading in enumerate(one.readings):
            logs = token_logs(model, tokenizer, prefix, reading.text)
            window = len(reading.text) - len(one.window.text) + found["partial"].skipped
            assert found["full"].values[index] == pytest.approx(sum(log for _, log in logs), abs=1e-4)
            assert found["normalised"].values[index] == pytest.approx(np.mean([log for _, log in logs]), abs=1e-4)
            partial = sum(log for at, log in logs if at >= window)
            assert found["partial"].values[index] == pytest.approx(partial, abs=1e-4)
        alone = solver.score([one], ["partial"])[0]["partial"]
        assert alone.values == pytest.approx(found["partial"].values, abs=1e-4)


def test_parallel_ids_that_number_the_items_of_a_file_are_not_one_schema():
    """As in the Portuguese collection: the items of its schemas are wsc.0, wsc.1, wsc.2 and so on."""
    collection, english = six("pt"), six("en")
    items = [replace(item, parallel_id=f"wsc.{number}") for number, item in enumerate(collection.items)]
    others = [
        replace(item, id=f"en-{item.id}", schema_id=f"en-{item.schema_id}", parallel_id=f"wsc.{number}")
        for number, item in enumerate(english.items)
    ]
    questions = [question(item, "pt") for item in items]
    assert all(len(found) == 4 for found in shown(questions, items, shots=4))
    assert marks_of(items[:2]) & marks_of(others[:2])
    assert not marks_of(items[:2]) & marks_of(others[2:])


@for_each("style", ["naive", "grammatical"])
def test_examples_are_right_readings_of_other_schemas_in_the_style_of_the_run(style):
    collection = six("pt")
    right = {
        reading.text: item.schema_id
        for item in collection.items
        for reading in wg.readings(item, style)
        if reading.candidate == item.answer
    }
    questions = asked(collection, style)
    for one, sentences in zip(questions, shown(questions, collection.items, shots=4), strict=True):
        schemas = [right[sentence] for sentence in sentences]
        assert len(set(schemas)) == 4
        assert one.item.schema_id not in schemas


def test_nearly_all_items_share_their_examples_which_the_seed_draws():
    collection = wg.load("winoglot-en")
    found = shown(asked(collection), collection.items, shots=4)
    kinds = {tuple(sentences) for sentences in found}
    assert len(kinds) <= 5
    usual = max(kinds, key=lambda kind: found.count(list(kind)))
    assert found.count(list(usual)) >= len(found) - 8
    first = asked(collection)[:1]
    assert len({tuple(shown(first, collection.items, seed=seed)[0]) for seed in range(5)}) == 5
    assert shown(first, collection.items, seed=3) == shown(first, collection.items, seed=3)


def test_examples_of_another_language_are_never_the_parallel_schema():
    portuguese, english = wg.load("winoglot-pt"), wg.load("winoglot-en")
    home = {r.text: item.parallel_id.rpartition(".")[0] for item in english.items for r in wg.readings(item)}
    questions = asked(portuguese)
    shots = len(english.schemas) - 20  # nearly all there are
    found = shown(questions, portuguese.items, shots, examples="winoglot-en")
    for one, sentences in zip(questions, found, strict=True):
        assert len(sentences) == shots
        assert one.item.parallel_id.rpartition(".")[0] not in {home[sentence] for sentence in sentences}


def test_the_same_schema_under_another_id_is_recognised_by_its_texts(tmp_path):
    collection = six("en")
    copied = tmp_path / "copy.yaml"
    wg.save(collection, copied)
    changed = copied.read_text(encoding="utf-8")
    for schema in collection.schemas:
        changed = changed.replace(schema.id, f"other-{schema.id}")
    copied.write_text(changed, encoding="utf-8")
    questions = asked(collection)
    for one, sentences in zip(questions, shown(questions, collection.items, 4, examples=str(copied)), strict=True):
        assert texts_of_schema(collection, one.item.schema_id).isdisjoint(sentences)


def test_variants_and_unlabelled_items_are_never_examples_and_variants_see_none_of_their_own_schema():
    collection = six("en")
    switched = with_kinds(collection, ["switched"])
    items = (*switched.items, *switched.variants())
    originals = set(texts(collection))
    for item in items:
        (sentences,) = shown([question(item, "en")], items, 4)
        assert set(sentences) <= originals
        assert texts_of_schema(collection, item.schema_id).isdisjoint(sentences)
    first, *others = collection.schemas
    blind = replace(first, items=tuple(replace(item, answer=None) for item in first.items), variants=())
    items = replace(collection, schemas=(blind, *others)).items
    sentences = shown([question(items[-1], "en")], items, 4)[0]
    assert set(sentences).isdisjoint(reading.text for item in first.items for reading in wg.readings(item))


@listed
def test_examples_that_cannot_be_shown_are_refused(tmp_path, more, message):
    folder = llama(tmp_path, texts(six("en")))
    with pytest.raises(InputError) as error:
        evaluate(six("en"), f"causal:{folder}", options=more)
    assert message in str(error.value)


def test_examples_are_in_the_signature_and_scores_without_them_are_not_reused(tmp_path):
    folder = llama(tmp_path, texts(six("en")))
    without = evaluate(six("en"), f"causal:{folder}")
    two = evaluate(six("en"), f"causal:{folder}", options={"shots": 2})
    other = evaluate(six("en"), f"causal:{folder}", options={"shots": 2}, seed=1)
    assert "|shots:2|" in two.signature
    assert "shots" not in without.signature
    scores = [[made.scores for made in run.predictions] for run in (without, two, other)]
    assert scores[0] != scores[1] != scores[2]
    assert two.settings.model_settings["examples"] != other.settings.model_settings["examples"]
    assert two.options == {"shots": "2"}
    some = evaluate(six("en"), f"causal:{folder}", options={"shots": 2}, limit=3)  # with the examples of the whole
    known = {made.item_id: made.scores for made in two.predictions}
    assert all(made.scores == pytest.approx(known[made.item_id], abs=1e-4) for made in some.predictions)


def test_more_examples_than_the_model_takes_are_an_abstention(tmp_path):
    folder = gpt2(tmp_path, texts(six("en")), n_positions=64)
    run = evaluate(six("en"), f"causal:{folder}", options={"shots": 5})
    (note,) = {made.note.partition(" tokens")[2] for made in run.predictions}
    assert note == ", the model takes 64"


def test_weights_are_rounded_once_for_all_collections(tmp_path, monkeypatch):
    collections = [six("en"), six("pt")]
    folder = llama(tmp_path, [text for one in collections for text in texts(one)])
    how = {"options": {"shots": 1}, "precision": "int8"}
    together = evaluate(collections, f"causal:{folder}", **how)
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "another cache"))
    alone = [evaluate(one, f"causal:{folder}", **how) for one in collections]
    for one, other in zip(together, alone, strict=True):
        assert [made.scores for made in one.predictions] == [made.scores for made in other.predictions]
