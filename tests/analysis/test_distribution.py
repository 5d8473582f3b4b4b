"""Distances of distributions and representations, by hand, against scipy, and from tiny models."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import correlation, jensenshannon

import winoglot as wg
from cases import for_each
from tiny_models import bert, llama
from winoglot import Candidate, Collection, Item, Schema, Span, Variant
from winoglot.analysis import distribution, representation
from winoglot.analysis.base import Subject, measured_rows, named_measure
from winoglot.models.scoring.probes import Distribution, Probe
from winoglot.runs.run import Prediction, Run, Settings


def shown(probabilities, pooled=((0.0, 1.0),), sees_after=True):
    """A probe with these probabilities by token."""
    tokens, values = map(np.array, (list(probabilities), list(probabilities.values())))
    return Probe(Distribution(tokens, values), np.array(pooled), sees_after)


def one(item_id, text, kind=None):
    """An item, or its variant of a kind; Ann and Bob are the candidates, *he* the pronoun."""
    at = text.index(" he ") + 1
    named = {name: text.index(name) for name in ("Ann", "Bob")}
    parts = {
        "text": text,
        "pronoun": Span(at, at + 2),
        "candidates": tuple(Candidate(name, mentions=(Span(n, n + 3),)) for name, n in named.items()),
        "answer": 0,
    }
    schema = item_id.partition(".")[0]
    if kind is None:
        return Item(item_id, schema, **parts)
    return Variant(f"{item_id}~{kind}", schema, **parts, kind=kind, variant_of=item_id, effect="keeps")


KINDS = ("tense", "adverb")
TEXTS = {
    # the original, and its variants: changed before and after the pronoun, and only after it
    "a": ("Ann saw Bob and he ran.", {"tense": "Ann sees Bob and he runs.", "adverb": "Ann saw Bob and he often ran."}),
    "b": (
        "Ann hit Bob and he hid.",
        {"tense": "Ann hits Bob and he hides.", "adverb": "Ann often hit Bob and he hid."},
    ),
    "c": ("Ann met Bob and he sat.", {"tense": "Ann meets Bob and he sits."}),
}


def subject(probes, kinds=KINDS):
    schemas = []
    for name, (text, others) in TEXTS.items():
        variants = tuple(one(f"{name}.0", other, kind) for kind, other in others.items())
        schemas.append(Schema(name, (one(f"{name}.0", text),), variants))
    collection = Collection(name="three", language="en", schemas=tuple(schemas))
    items = (*collection.items, *collection.variants())
    settings = Settings("made", "partial", "naive", "0123456789abcdef", kinds=kinds)
    predictions = tuple(Prediction(item.id, item.hash, 0) for item in items)
    return Subject(Run(collection, settings, predictions, probes=probes))


def rows(name, about):
    found = measured_rows(named_measure(name), about)
    return {(row.quantity, row.kind, row.parts["items"]): row for row in found}


HALVES, FIRST, OTHER = {7: 0.5, 9: 0.5}, {7: 0.95}, {3: 0.92}
ORIGINALS = {"a.0": HALVES, "b.0": HALVES, "c.0": HALVES}
VARIANTS = {"a.0~tense": FIRST, "a.0~adverb": HALVES, "b.0~tense": HALVES, "b.0~adverb": OTHER, "c.0~tense": OTHER}
# ½, ½ against 1: the mixture has ¾ and ¼, so the divergence is ½ (½ log₂ ⅔ + ½ log₂ 2) + ½ log₂ 4⁄3 = 0.3113 bits
HALF_AND_ONE = 0.3113**0.5


def test_distances_by_hand_on_the_common_items_and_on_all():
    found = rows("distribution", subject({name: shown(one) for name, one in (ORIGINALS | VARIANTS).items()}))
    tense = found["js-distance", "tense", "common"].estimate
    assert (tense.value, tense.n) == (pytest.approx(HALF_AND_ONE / 2, abs=1e-4), 2)
    assert tense.method.endswith("over 2 schemas; left out: 1 without a variant of every kind")
    assert tense.low <= tense.value <= tense.high
    own = found["js-distance", "tense", "own"].estimate
    assert (own.value, own.n) == (pytest.approx((HALF_AND_ONE + 0 + 1) / 3, abs=1e-4), 3)
    adverb = found["js-distance", "adverb", "common"]
    assert (adverb.estimate.value, adverb.numbers["changed_after"]) == (0.5, 1)
    sizes = {kind: row.estimate.value for (name, kind, _), row in found.items() if name == "kept-tokens"}
    assert sizes == {"original": 2.0, "tense": 1.5, "adverb": 1.5}  # of the truncated sets


def test_a_causal_model_is_not_judged_by_what_changed_after_the_pronoun():
    probes = {name: shown(one, sees_after=False) for name, one in (ORIGINALS | VARIANTS).items()}
    found = rows("distribution", subject(probes))
    adverb = found["js-distance", "adverb", "common"].estimate
    assert (adverb.value, adverb.n) == (1.0, 1)  # that of b alone: in a, the adverb stands after the pronoun
    assert "1 changed only after the pronoun" in adverb.method
    tense = found["js-distance", "tense", "common"]
    assert (tense.estimate.n, tense.numbers["changed_after"]) == (2, 2)


def test_items_of_which_a_model_shows_nothing_are_left_out_and_counted():
    probes = {name: shown(one) for name, one in (ORIGINALS | VARIANTS).items()} | {"a.0~adverb": Probe(note="too long")}
    found = rows("distribution", subject(probes))
    assert found["js-distance", "tense", "common"].estimate.n == 1
    assert "1 without probes of both texts" in found["js-distance", "adverb", "own"].estimate.method


@for_each("name", ["distribution", "representation"])
def test_a_model_without_distributions_says_so_in_each_row(name):
    found = measured_rows(named_measure(name), subject({}))
    assert {row.kind for row in found} == set(KINDS)
    assert {row.estimate.value for row in found} == {None}
    assert all("only causal, masked, gguf and lm models" in row.estimate.method for row in found)


def test_no_common_item_leaves_the_items_of_each_kind():
    probes = {name: shown(one) for name, one in (ORIGINALS | VARIANTS).items() if name not in ("a.0", "b.0~tense")}
    found = rows("distribution", subject(probes))
    assert found["js-distance", "tense", "common"].estimate.method.startswith("no items to compare; left out: ")
    assert found["js-distance", "tense", "own"].estimate.value == 1.0
    assert found["kept-tokens", "original", "common"].estimate.value is None


@st.composite
def distributions(draw):
    tokens = draw(st.lists(st.integers(0, 12), min_size=1, unique=True))
    values = draw(st.lists(st.floats(0.01, 1), min_size=len(tokens), max_size=len(tokens)))
    return Distribution(np.array(tokens), np.array(values) / sum(values) * 0.9)


@given(distributions(), distributions())
def test_the_distance_is_that_of_scipy(a, b):
    dense = np.zeros((2, 13))
    for row, made in zip(dense, (a, b), strict=True):
        row[made.tokens] = made.probabilities
    assert distribution.distance(a, b) == pytest.approx(jensenshannon(*dense, base=2), abs=1e-6)
    assert distribution.distance(a, b) == pytest.approx(distribution.distance(b, a), abs=1e-12)
    assert distribution.distance(a, a) == 0.0


@given(st.integers(0, 2**32 - 1))
def test_the_correlation_distance_is_that_of_scipy(seed):
    one, other = np.random.default_rng(seed).normal(size=(2, 3, 16)).astype(np.float32)
    expected = np.mean([correlation(a, b) for a, b in zip(one.astype(float), other.astype(float), strict=True)])
    assert representation.distance(one, other) == pytest.approx(expected, abs=1e-9)
    assert representation.distance(one, 3 * one + 1) == pytest.approx(0, abs=1e-6)
    assert representation.distance(one, one) == pytest.approx(0, abs=1e-12)
    assert representation.distance(np.ones((1, 4)), np.array([[1.0, 2.0, 3.0, 4.0]])) == 1.0  # related to nothing


def test_representations_of_the_same_candidate_are_compared():
    states = {
        "a.0": ((1.0, 2.0, 3.0), (3.0, 2.0, 1.0)),
        "a.0~tense": ((1.0, 2.0, 3.0), (1.0, 2.0, 3.0)),  # 0 and 2
        "b.0": ((1.0, 2.0, 3.0), (3.0, 2.0, 1.0)),
        "b.0~tense": ((1.0, 3.0, 2.0), (3.0, 1.0, 2.0)),  # ½ twice
    }
    found = rows("representation", subject({name: shown(FIRST, pooled) for name, pooled in states.items()}, ("tense",)))
    tense = found["correlation-distance", "tense", "common"].estimate
    assert (tense.value, tense.n) == (pytest.approx(0.75), 2)


@pytest.mark.parametrize("build", [llama, bert], ids=["causal", "masked"])
def test_a_tiny_model_is_analysed_in_one_pass(build, tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    bundled = wg.load("winoglot-en")
    folder = build(tmp_path / "model", [item.text for item in bundled.items])
    name = f"{'causal' if build is llama else 'masked'}:{folder}"
    kinds, names = ["relative", "synonym"], ["distribution", "representation"]
    asked = {"kinds": kinds, "measures": names, "limit": 25, "folder": tmp_path / "out", "progress": False}
    found = wg.analyse(bundled, name, **asked)
    distances = [row for row in found.rows if row.quantity.endswith("distance") and row.parts["items"] == "common"]
    assert {(row.measure, row.kind) for row in distances} == {(measure, kind) for measure in names for kind in kinds}
    assert all(0 < row.estimate.value < 1 and row.estimate.n > 1 for row in distances)
    assert wg.analyse(bundled, name, **asked, force=True).rows == found.rows
