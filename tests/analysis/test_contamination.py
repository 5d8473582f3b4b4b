"""Probes of contamination on a tiny model, trained on the items of a collection in their order."""

from dataclasses import replace
from itertools import pairwise
from operator import attrgetter

import numpy as np
import pytest
import torch
import transformers

import winoglot as wg
from cases import for_each
from tiny_models import byte_pieces, saved
from winoglot import InputError
from winoglot.analysis.analyse import AnalysisRequest
from winoglot.analysis.base import measures
from winoglot.analysis.contamination import PAIRED, SHOWS
from winoglot.analysis.contamination.compared import style_accuracy, text_of
from winoglot.analysis.contamination.differences import Paired, difference_in_differences, exchanged
from winoglot.analysis.contamination.order import OrderScores, order_scores
from winoglot.models.scoring.tokens import TokenScores

KIND = "renamed"
TWELVE = 12  # schemas
WINDOW = 256  # tokens of the file that are read at once
STEPS = 35


@pytest.fixture(scope="module")
def parts():
    """Three collections without a schema in common: the one that is read, a fresh one, and another."""
    whole = wg.perturb(wg.load("winoglot-en")[:80], KIND)
    named = tuple(replace(one, variants=()) for one in whole.schemas if KIND in one.kinds)
    assert len(named) >= 3 * TWELVE
    return [
        replace(whole, name=name, schemas=named[at : at + TWELVE])
        for name, at in (("read", 0), ("fresh", TWELVE), ("other", 2 * TWELVE))
    ]


@pytest.fixture(scope="module")
def model(parts, tmp_path_factory):
    """A model that has read the first collection, and nothing else."""
    texts = [item.text for part in parts for item in part.items]
    tokenizer = byte_pieces(texts, size=700, special={"bos": "<s>", "eos": "</s>", "unk": "<unk>"})
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield f"reader=causal:{trained(tmp_path_factory.mktemp('reader'), tokenizer, parts[0])}"
    torch.set_num_threads(before)


def trained(folder, tokenizer, collection):
    """A model that has read the items, each alone and all in their order, until it knows them."""
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=1024,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    model = transformers.LlamaForCausalLM(config)
    start = tokenizer.bos_token_id
    texts = [item.text for item in collection.items]
    alone = [[start, *ids] for ids in tokenizer(texts, add_special_tokens=False)["input_ids"]]
    width = max(map(len, alone))
    ids = torch.tensor([row + [0] * (width - len(row)) for row in alone])
    labels = torch.tensor([row + [-100] * (width - len(row)) for row in alone])
    whole = tokenizer("\n".join(texts), add_special_tokens=False)["input_ids"]
    windows = [[start, *whole[at : at + WINDOW]] for at in range(0, len(whole) - WINDOW + 1, WINDOW // 2)]
    file = torch.tensor(windows)
    optimizer = torch.optim.AdamW(model.parameters(), 3e-3)
    for _ in range(STEPS):
        loss = model(input_ids=ids, labels=labels).loss + model(input_ids=file, labels=file).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return saved(folder, model, tokenizer)


@pytest.fixture(scope="module")
def probed(parts, model):
    """The probes of the collection that was read, and of one that was not."""
    read, fresh, other = parts
    how = {"device": "cpu", "shard": 4, "shuffles": 9, "progress": False}
    return [wg.contamination(one, model, fresh, **how) for one in (read, other)]


def one_row(analysis, **wanted):
    (row,) = analysis.where(**wanted)
    return row


def test_what_the_model_has_read_is_found_and_another_collection_is_not(probed):
    for quantity in ("min-k", "continuation", "longest-run"):
        read, other = (one_row(one, quantity=f"{quantity}-difference").estimate for one in probed)
        assert read.low > 0, (quantity, read)
        assert other.low <= 0 <= other.high, (quantity, other)


def test_only_the_order_that_was_read_is_preferred_and_only_then_are_others_scored(probed):
    read, other = ({row.parts["texts"]: row for row in one.where(quantity="order")} for one in probed)
    assert list(read) == list(other) == ["published", "rewrite", "fresh"]
    assert read["published"].numbers["p"] < 0.01
    assert min(read["fresh"].numbers["p"], other["published"].numbers["p"]) > 0.05
    for rows, is_scored in ((read, True), (other, False)):
        for row in (rows["rewrite"], rows["fresh"]):
            assert (row.estimate.value is not None, "not scored" in row.estimate.method) == (is_scored, not is_scored)
    assert [len(one.where(quantity="order-difference")) for one in probed] == [1, 0]


def test_every_number_has_its_texts_its_n_and_its_method(probed):
    read = probed[0]
    for quantity in PAIRED:
        rows = read.where(quantity=quantity)
        assert [row.parts["texts"] for row in rows] == ["published", "rewrite", "fresh", "fresh rewrite"]
        assert [row.kind for row in rows] == ["original", KIND, "original", KIND]
        values = [row.estimate.value for row in rows]
        difference = one_row(read, quantity=f"{quantity}-difference").estimate
        assert difference.value == pytest.approx(values[0] - values[1] - (values[2] - values[3]))
        assert (difference.n, difference.method) == (48, "BCa over 12 and 12 schemas")
    assert {(row.measure, row.collection, row.model) for row in read.rows} == {("contamination", "read", "reader")}
    assert {row.parts.get("fresh") for row in read.rows if "fresh" in row.parts["texts"]} == {"fresh"}
    assert {row.quantity.removesuffix("-difference") for row in read.rows} == SHOWS.keys()
    assert read.seconds["contamination"] > 0


def test_a_model_without_probabilities_of_tokens_says_so_row_by_row(parts):
    read, fresh, _ = parts
    found = wg.contamination(read, "first", fresh)
    assert one_row(found, quantity="accuracy-difference").estimate.n == 48
    reasons = {row.quantity: row.estimate.method for row in found.rows if row.estimate.value is None}
    assert reasons["min-k-difference"] == reasons["order"] == "first gives no probabilities of tokens"
    assert reasons["continuation-difference"] == "first cannot continue a text"
    assert reasons["margin-difference"] == "first gave choices, not scores"


def test_a_collection_in_which_nobody_is_named_has_no_rewrite_and_says_so(parts):
    fresh = parts[1]
    whole = wg.load("winoglot-en")
    nobody = [one.id for one in wg.perturb(whole, KIND).schemas if KIND not in one.kinds]
    things = replace(whole, name="things", schemas=tuple(one for one in whole.schemas if one.id in nobody[:12]))
    found = wg.contamination(things, "first", fresh)
    (reason,) = {row.estimate.method for row in found.rows if row.quantity.endswith("-difference")}
    assert reason == "no rewrite: no schema of things has a variant of kind 'renamed'"
    assert found.where(quantity="style")[0].estimate.n == 24


def test_collections_that_cannot_be_compared_are_refused(parts):
    read = parts[0]
    english, french = wg.load("winoglot-en"), wg.load("winoglot-fr")
    items = [tuple(replace(item, language="nl") for item in one.items) for one in read.schemas]
    schemas = (replace(one, items=some) for one, some in zip(read.schemas, items, strict=True))
    dutch = replace(read, language="nl", schemas=tuple(schemas))
    for published, other, message in (
        (read, french, "read is in en, the fresh collection winoglot-fr in fr"),
        (english, None, "winoglot-en cannot be compared with itself"),
        (read, english, "the fresh collection winoglot-en shares 24 items with read, for example "),
        (dutch, None, "there is no bundled collection in nl"),
        (read, "winoglot-en", "expected a collection as fresh, found 'winoglot-en'"),
    ):
        with pytest.raises(InputError, match=message):
            wg.contamination(published, "first", other)


def test_requests_that_make_no_sense_are_refused(parts):
    read, fresh, _ = parts
    for request, message in (
        ({"rewrite": "backwards"}, "there is no kind of variant 'backwards'"),
        ({"rewrite": "renamed+backwards"}, "there is no kind of variant 'renamed.backwards'"),
        ({"rewrite": "segment-masked"}, "do not keep the answers"),
        ({"min_k": 0}, "min-k cannot be 0% of the tokens"),
        ({"shuffles": 0}, "shuffles is 0"),
        ({"shard": 1}, "shard is 1"),
        ({"limit": 0}, "a limit of 0"),
    ):
        with pytest.raises(InputError, match=message):
            wg.contamination(read, "first", fresh, **request)
    for models, message in (("nobody", "nobody"), ([], "no model was given"), (["x=first", "x=second"], "x")):
        with pytest.raises(InputError, match=message):
            wg.contamination(read, models, fresh)


def test_only_a_model_can_be_tested_not_its_stored_answers_and_a_sample_has_no_order(parts):
    read, fresh, _ = parts
    run = wg.evaluate(read, "first", kinds=[KIND])
    found = wg.analyse(read, run, measures="contamination", fresh=fresh)
    (reason,) = {row.estimate.method for row in found.rows}
    assert reason == "only a model itself can be tested (--model), not stored answers"
    (row,) = wg.contamination(read, "first", fresh, limit=5).where(quantity="order")
    assert row.estimate.method.startswith("a sample of schemas has no order")


def test_a_gap_is_filled_before_it_is_read():
    text = "Rita rang Ana because {} was ill."
    gap, word = text.format("_"), text.format("she")
    names = (wg.Candidate("Rita"), wg.Candidate("Ana"))
    about = {"candidates": names, "answer": 1, "language": "en"}
    assert text_of(wg.Item("a.0", "a", text=word, pronoun=wg.Span(22, 25), **about)) == word
    assert text_of(wg.Item("a.0", "a", text=gap, pronoun=wg.Span(22, 23), **about)) == text.format("Ana")
    assert text_of(wg.Item("a.0", "a", text=gap, pronoun=wg.Span(22, 23), **about | {"answer": None})) == ""


def test_the_command_adds_contamination_to_an_analysis(parts, tmp_path, run_winoglot):
    read, fresh, _ = parts
    for one in (read, fresh):
        wg.save(one, tmp_path / f"{one.name}.yaml")
    command = ("analyse", tmp_path / "read.yaml", "--model", "first", "--measures", "marginal", "--contamination")
    code, printed, _ = run_winoglot(*command, "--fresh", tmp_path / "fresh.yaml", "-o", tmp_path / "found")
    assert code == 0
    for name, said in SHOWS.items():
        assert f"{name}: {said}" in printed
    assert "Contamination took" in printed
    assert "first gives no probabilities of tokens" in printed
    page = (tmp_path / "found" / "analysis.html").read_text(encoding="utf-8")
    assert "Has the model read the collection?" in page
    code, _, error = run_winoglot(*command, "--fresh", "winoglot-fr", "-o", tmp_path / "other")
    assert code == 2
    assert "the fresh collection winoglot-fr in fr" in error
    assert not (tmp_path / "other").exists()


def test_it_is_only_measured_if_it_is_named_and_alone_asks_nothing_but_the_rewrite(parts):
    assert "contamination" in [one.name for one in measures()]
    assert "contamination" not in [one.name for one in AnalysisRequest().chosen]
    assert [one.name for one in AnalysisRequest(also=("contamination",)).chosen][-1] == "contamination"
    read, fresh, _ = parts
    found = wg.analyse(read, "first", measures="contamination", fresh=fresh)
    assert [run.settings.asked_kinds for run in found.runs] == [(KIND,)]
    assert found.rows == wg.contamination(read, "first", fresh).rows


class Reader:
    """Gives a token for each word; a word is likelier after the word that it followed in its text."""

    name = "reader"

    def __init__(self, text, longest=10**6):
        words = text.split()
        self.known, self.longest = set(pairwise(words)), longest

    def token_scores(self, texts):
        return [self.scores(text.split()) for text in texts]

    def scores(self, words):
        pairs = zip([None, *words], words, strict=False)
        values = np.array([-1.0 if pair in self.known else -2.0 for pair in pairs])
        places = np.arange(len(words))
        return TokenScores(places, places + 1, values if len(words) <= self.longest else np.full(len(words), np.nan))


@for_each("longest", [10**6, 9])
def test_the_order_is_found_whatever_a_model_takes_at_once(longest):
    blocks = [f"a{n} b{n} c{n}" for n in range(12)]
    reader = Reader(" ".join(blocks), longest)
    found = order_scores(reader, blocks, shard=6, shuffles=9, seed=1, progress=lambda _done, _total: None)
    assert found.values.shape == ((2, 10) if longest > 18 else (4, 10))  # halved to shards of three schemas
    assert (found.values[:, 0] >= found.values[:, 1:].max(axis=1)).all()
    assert found.p_value().value < 0.05
    assert found.gain().low >= 0
    found = order_scores(Reader("", 2), ["a b", "c d", "e f"], shard=8, shuffles=2, seed=0, progress=lambda *_: None)
    assert found == "two schemas are longer than the model takes"


def test_p_values_are_uniform_if_the_order_is_nothing_special():
    """One run in twenty may have p ≤ 0.05, no more; (k + 1) / (n + 1) makes it valid."""
    rng = np.random.default_rng(5)
    ps = np.array([OrderScores(rng.normal(size=(6, 4)), np.ones(6)).p_value(seed).value for seed in range(400)])
    for level in (0.05, 0.2, 0.5):
        assert abs((ps <= level).mean() - level) < 3 * np.sqrt(level * (1 - level) / len(ps))


def test_words_recognise_collections_of_other_topics_and_not_halves_of_one():
    en = wg.load("winoglot-en")
    schemas = sorted(en.schemas, key=attrgetter("id"))
    half = replace(en, schemas=tuple(schemas[::2])), replace(en, schemas=tuple(schemas[1::2]))
    same = style_accuracy(*half)
    assert same.low < 0.5 < same.high
    items = {one.id: tuple(replace(item, text=f"{item.text} Verily.") for item in one.items) for one in half[0].schemas}
    marked = tuple(replace(one, items=items[one.id]) for one in half[0].schemas)
    assert style_accuracy(replace(en, schemas=marked), half[1]).low > 0.9
    assert "fewer than 10 schemas" in style_accuracy(en[:5], en[5:]).method


def test_the_difference_needs_two_schemas_on_either_side():
    one = Paired(np.ones(2), np.zeros(2), ("a", "a"))
    two = Paired(np.ones(4), np.array([0.0, 0, 0, 1]), ("a", "a", "b", "b"))
    assert difference_in_differences(one, two).value is None
    assert difference_in_differences(two, two).value == 0


def test_schemas_are_exchanged_between_the_collections_to_test_a_difference():
    schemas = tuple(str(number) for number in range(20) for _ in range(2))
    noise = np.random.default_rng(1).normal(size=40)
    fresh, alike = Paired(noise, np.zeros(40), schemas), Paired(noise[::-1], np.zeros(40), schemas)
    assert exchanged(Paired(noise + 2, np.zeros(40), schemas), fresh).value < 0.001
    assert exchanged(alike, fresh).value == 1
    assert exchanged(Paired(np.zeros(0), np.zeros(0), ()), fresh) is None


def test_a_difference_that_no_item_shows_has_limits_only_if_it_is_one_of_shares():
    same = Paired(np.ones(40), np.ones(40), tuple(map(str, range(40))))
    found = difference_in_differences(same, same, is_share=True)
    assert (found.value, found.method) == (0, "exact (Clopper-Pearson) over 40 and 40 schemas, all alike")
    assert found.high == pytest.approx(2 * (1 - 0.0125 ** (1 / 40)))
    assert difference_in_differences(same, same).method == "all schemas are alike, so resampling shows no spread"
