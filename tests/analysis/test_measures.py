"""Every measure of a file of predictions, recomputed by hand. The scores are in `hand_written`.

The right candidate of `.0` is the first, that of `.1` the second. So of the originals six are right (s0.0, s1.0, s1.1,
s2.1, s3.1, s4.0), of kind tense five (s0.0, s1.1, s2.0, s2.1, s4.0), of kind gender two of four (s0.1, s1.0).
"""

from dataclasses import replace
from math import exp, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from analysis.hand_written import GENDER, ORIGINALS, TENSE, subject
from cases import for_each
from corpus.count_making import counts_of
from metrics.made_runs import Made, pairs_of, run_of
from winoglot.analysis.base import Subject, measured_rows, named_measure
from winoglot.analysis.marginal import marginal_items, twins_in_bottom
from winoglot.analysis.probability import spearman
from winoglot.analysis.sensitivity import mean_delta
from winoglot.corpus.association import Association
from winoglot.corpus.counts import CharacterCounts
from winoglot.languages.base import function_words
from winoglot.runs.run import Prediction, Settings
from winoglot.schemas.model import Collection
from winoglot.schemas.notation import parse_schema


@pytest.fixture(scope="module")
def analysed(tmp_path_factory):
    """The values by measure, quantity, kind and parts."""
    made = subject(tmp_path_factory.mktemp("hand"))
    of_model = replace(made.run, settings=replace(made.run.settings, scoring="partial"))
    return by_name(replace(made, run=of_model))


def by_name(about, *names):
    found = {}
    for name in names or ("sensitivity", "preference", "marginal", "probability", "association-divergence"):
        for row in measured_rows(named_measure(name), about):
            found[row.quantity, row.kind, *row.parts.values()] = row
    return found


def value(found, *key):
    return found[key].estimate.value


def test_accuracy_and_pairs(analysed):
    assert value(analysed, "accuracy", "original") == pytest.approx(6 / 10)
    assert value(analysed, "accuracy", "tense") == pytest.approx(5 / 10)
    assert value(analysed, "accuracy", "gender") == pytest.approx(2 / 4)
    assert value(analysed, "pair-accuracy", "original") == pytest.approx(1 / 5)  # s1
    assert value(analysed, "pair-accuracy", "tense") == pytest.approx(1 / 5)  # s2
    assert value(analysed, "pair-accuracy", "gender") == 0


def test_pairs_are_set_beside_all_pairs_of_items_from_different_schemas(analysed):
    right = [(1, 0), (1, 1), (0, 1), (0, 1), (1, 0)]
    across = [
        one and other
        for place, pair in enumerate(right)
        for one in pair
        for others in right[place + 1 :]
        for other in others
    ]
    control = analysed["random-pair-accuracy", "original"].estimate
    assert (control.value, control.n) == (pytest.approx(sum(across) / len(across)), 5)
    assert value(analysed, "pair-gain", "original") == pytest.approx(1 / 5 - sum(across) / len(across))
    reason = "2 schemas with two labelled items, expected at least 3"
    assert analysed["pair-gain", "gender"].estimate.method == reason


def test_pairs_are_above_random_ones_if_the_segment_decides_and_below_if_it_is_ignored():
    by_segment = by_name(Subject(run_of(pairs_of([(1, 1), (0, 0)] * 20))), "sensitivity")["pair-gain", "original"]
    ignored = by_name(Subject(run_of(pairs_of([(1, 0), (0, 1)] * 20))), "sensitivity")["pair-gain", "original"]
    assert by_segment.estimate.low > 0
    assert ignored.estimate.high < 0


def test_associative_items_are_counted_apart(analysed):
    assert value(analysed, "accuracy", "original", "associative") == pytest.approx(3 / 4)  # s0 and s1
    assert value(analysed, "accuracy", "original", "not associative") == pytest.approx(3 / 6)
    assert value(analysed, "accuracy", "tense", "associative") == pytest.approx(2 / 4)


def test_the_change_is_on_the_same_items_and_its_mean_over_kinds(analysed):
    assert value(analysed, "delta", "tense") == pytest.approx(5 / 10 - 6 / 10)
    assert value(analysed, "delta", "gender") == pytest.approx(2 / 4 - 3 / 4)  # of s0 and s1, three originals are right
    mean = analysed["mean-delta", "all"]
    assert mean.estimate.value == pytest.approx((-0.1 - 0.25) / 2)
    assert mean.estimate.low <= mean.estimate.value <= mean.estimate.high
    assert (mean.numbers["kinds"], mean.estimate.n) == (2, 10)


def test_p_values_of_the_change_by_hand(analysed):
    # tense: s1 loses one item, s2 gains one, s3 loses one. All eight patterns of signs have a sum of at least 1.
    assert analysed["delta", "tense"].numbers["p"] == pytest.approx(1.0)
    # The mean: s1 has −1/10/2 − 1/4/2, s2 +1/20, s3 −1/20. As extreme as −0.175: signs (−,+,−) −0.175, (−,−,+) −0.175,
    # (−,−,−) −0.275 and their opposites, six of eight; s0 has 0.
    assert analysed["mean-delta", "all"].numbers["p"] == pytest.approx(6 / 8)
    assert analysed["delta", "gender"].numbers["corrected_p"] == 1.0


def test_stability_and_robust_accuracy(analysed):
    assert value(analysed, "stability", "tense") == pytest.approx(7 / 10)  # s1.0, s2.0 and s3.1 change
    assert value(analysed, "stability", "gender") == pytest.approx(1 / 4)  # all but s1.0
    assert value(analysed, "robust-accuracy", "all") == pytest.approx(2 / 10)  # s2.1 and s4.0


def test_preferences_for_a_place(analysed):
    assert value(analysed, "first-mention", "original", "all", "original") == pytest.approx(3 / 5)
    assert value(analysed, "first-mention", "original", "switchable", "original") == pytest.approx(2 / 4)
    assert value(analysed, "first-mention", "original", "switchable", "switched") == pytest.approx(3 / 4)
    assert value(analysed, "subject", "original", "all", "original") == pytest.approx(2 / 4)  # s4 has no object
    assert analysed["subject", "original", "all", "original"].estimate.n == 8
    assert value(analysed, "subject", "original", "switchable", "switched") == pytest.approx(3 / 4)
    assert value(analysed, "first-mention", "tense", "all", "original") == pytest.approx(2 / 5)


def test_what_was_not_asked_has_a_reason(analysed):
    assert analysed["first-mention", "gender"].estimate.method == "no items with a masked segment were asked"
    assert analysed["noise-floor", "renamed"].estimate.method == "names were not redrawn"
    reason = "no counts of a corpus were given (--counts DIR)"
    assert analysed["association-divergence", "original"].estimate.method == reason


def test_marginal_examples(analysed):
    # Of ten items the best two are s0.0 (3) and s1.0 (2.5), the worst s0.1 (−2.5) and s2.0 (−1.9).
    found = analysed["twin-in-bottom", "original"].estimate
    assert (found.value, found.n) == (0.5, 2)
    assert found.low <= 0.5 <= found.high
    # Of kind tense the best are s1.1 (3) and s2.0 (2.1), the worst s0.1 (−2.2) and s3.0 (−2).
    assert value(analysed, "twin-in-bottom", "tense") == 0
    assert analysed["twin-in-bottom", "gender"].estimate.method == "2 pairs with scores, expected at least 4"


def test_marginal_items_are_listed_with_their_twins(tmp_path):
    listed = [tuple(row.values())[:5] for row in marginal_items(subject(tmp_path), "original")]
    assert listed == [
        ("s0.0", "top", 3.0, "bottom", -2.5),
        ("s1.0", "top", 2.5, "between", pytest.approx(2.2)),
        ("s2.0", "bottom", pytest.approx(-1.9), "between", pytest.approx(1.1)),
        ("s0.1", "bottom", -2.5, "top", 3.0),
    ]
    assert not list(marginal_items(subject(tmp_path), "gender"))


def test_all_twins_are_marginal_if_the_segment_is_ignored_and_15_percent_by_chance():
    liking = np.random.default_rng(0).normal(size=60)
    schemas = [[Made(answer=at, choice=0, scores=(one, 0.0)) for at in (0, 1)] for one in liking]
    assert value(by_name(Subject(run_of(schemas)), "marginal"), "twin-in-bottom", "original") == 1.0
    margins = np.random.default_rng(1).normal(size=(1, 4000, 2))
    assert twins_in_bottom(margins)[0] == pytest.approx(0.15, abs=0.03)


def by_ranks(pairs):
    """Spearman's ρ without ties: 1 − 6 Σ d² / (n (n² − 1))."""
    one, other = ([sorted(side).index(number) for number in side] for side in zip(*pairs, strict=True))
    squares = sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
    return 1 - 6 * squares / (len(pairs) * (len(pairs) ** 2 - 1))


def test_correlations_of_right_and_wrong(analysed):
    # First candidate, right and wrong: −1 −1, −2 −4.2, −5 −6.1, −3 −2, −4 −3. Ranks 5 5, 4 2, 1 1, 3 4, 2 3: Σ d² = 6.
    assert value(analysed, "correlation", "original", "first") == pytest.approx(1 - 6 * 6 / 120)
    # Second: −3.5 −4, −2 −4.5, −5 −3.1, −1.5 −2, −3.8 −5.9. Ranks 3 3, 4 2, 1 4, 5 5, 2 1: Σ d² = 14.
    assert value(analysed, "correlation", "original", "second") == pytest.approx(1 - 6 * 14 / 120)
    # How far the first is ahead where it is right and wrong: 3 2.5, 2.5 −2.2, −1.9 −1.1, −1 −0.5, 1.9 0.8: Σ d² = 12.
    assert value(analysed, "correlation", "original", "share") == pytest.approx(1 - 6 * 12 / 120)
    assert by_ranks([(3, 2.5), (2.5, -2.2), (-1.9, -1.1), (-1, -0.5), (1.9, 0.8)]) == pytest.approx(0.4)


def share(scores, right):
    return 1 / (1 + exp(scores[1 - right] - scores[right]))


@for_each(("kind", "scores"), [("tense", TENSE), ("gender", GENDER)])
def test_shifts_of_probabilities(analysed, kind, scores):
    both = [
        (before[at], after[at], at)
        for before, after in zip(ORIGINALS, scores, strict=False)
        for at in (0, 1)  # the number of an item is also its answer
    ]
    right = sum(after[at] - before[at] for before, after, at in both) / len(both)
    wrong = sum(after[1 - at] - before[1 - at] for before, after, at in both) / len(both)
    assert value(analysed, "shift-right", kind) == pytest.approx(right)
    assert value(analysed, "shift-wrong", kind) == pytest.approx(wrong)
    assert value(analysed, "shift-difference", kind) == pytest.approx(right - wrong)
    shares = sum(share(after, at) - share(before, at) for before, after, at in both) / len(both)
    assert value(analysed, "shift-share", kind) == pytest.approx(shares)
    if kind == "tense":  # the sums are −30.8 and −28.9, −35.8 and −32.3
        assert (right, wrong) == (pytest.approx(0.19), pytest.approx(0.35))


def test_scores_that_are_no_log_probabilities_have_no_shift(tmp_path):
    found = by_name(subject(tmp_path), "probability")
    assert found["shift-right", "tense"].estimate.method == "the scores of 'imported' are not log probabilities"
    assert value(found, "correlation", "original", "first") == pytest.approx(0.7)


# Names


def renamed_run():
    """Two schemas of one item: whether original, gender and the three draws of names are right."""
    made = []
    for original, gender, draws in [(1, 0, (1, 1, 0)), (1, 1, (0, 1, 0))]:
        renamed = ((f"renamed-{n}", 1 - right) for n, right in enumerate(draws, 1))
        made.append([Made(choice=1 - original, variants=(("gender", 1 - gender), *renamed))])
    return run_of(made, kinds=("gender",), renamed=3)


def test_gender_is_compared_with_other_names_and_the_noise_floor_is_the_spread_over_draws():
    found = by_name(Subject(renamed_run()), "sensitivity")
    assert value(found, "delta", "gender") == pytest.approx((0 + 1) / 2 - 1)
    # Right in 2/3 and 1/3 of the draws.
    assert value(found, "delta-to-renamed", "gender") == pytest.approx(((0 - 2 / 3) + (1 - 1 / 3)) / 2)
    floor = found["noise-floor", "renamed"]
    # Accuracies 1/2, 1, 0: standard deviation 1/2.
    assert floor.estimate.value == pytest.approx(0.5)
    assert floor.numbers == {"draws": 3, "lowest": 0, "highest": 1}


# Association


ARTICLES = [["the cow grazed here", "the car rusted", "the cow rusted", "one bull grazed", "the bull rusted here"]]


def unanswered(language, name, association, **entry):
    """A collection of one schema, whose first candidate is always chosen, with the association of its words."""
    schema = parse_schema({"id": name, **entry, "answers": [0, 1]}, function_words(language))
    collection = Collection(name=name, language=language, schemas=(schema,))
    settings = Settings("nobody", "choice", "naive", "0", kinds=tuple(entry.get("variants", ())))
    predictions = tuple(Prediction(one.id, one.hash, 0) for one in (*collection.items, *collection.variants()))
    run = replace(run_of([[Made()]]), source=collection, settings=settings, predictions=predictions)
    return by_name(Subject(run, association), "association-divergence")


def test_association_is_that_of_the_words_in_the_text(tmp_path):
    counts = counts_of(tmp_path, ARTICLES, window=3)
    text = "The {} stood by the car while {{it}} [grazed|rusted]."
    synonym = {"text": text.format("bull"), "candidates": ["the bull", "the car"]}
    found = unanswered(
        *("en", "meadow", Association(counts)),
        text=text.format("cow"),
        candidates=["the cow", "the car"],
        terms={"candidates": ["milk", "wheel"], "segment": ["eat", "age"]},
        variants={"synonym": synonym},
    )

    def pmi(word, other):
        return log2(counts.cooccurrence(word, other) * counts.sum / counts.total(word) / counts.total(other))

    # "car" never occurs near "grazed", so only the second item counts: its right candidate is the car.
    originals, synonyms = (pmi("rusted", "car") - pmi("rusted", one) for one in ("cow", "bull"))
    key = ("segment", "words")
    assert value(found, "association-difference", "original", *key) == pytest.approx(originals)
    assert value(found, "association-difference", "synonym", *key) == pytest.approx(synonyms)
    assert value(found, "association-divergence", "synonym", *key) == pytest.approx(synonyms - originals)
    assert "1 (words never occur together)" in found["association-difference", "original", *key].estimate.method
    assert ("association-difference", "original", "segment", "characters") not in found


CHINESE = [["大象 吃 香蕉", "小象 吃 草", "老虎 咬 人", "老虎 吃 肉", "大虎 咬 象"]]


@pytest.mark.parametrize("positional", [False, True])
def test_characters_occur_together_if_words_that_contain_them_do(tmp_path, positional):
    counts = counts_of(tmp_path, CHINESE, language="zh", window=2, positional=positional)
    signs = CharacterCounts.of(counts, "象虎吃咬大")
    elephants = ("大象", "小象", "象")
    assert signs.times("象") == sum(counts.times(word) for word in elephants) == 3
    assert signs.total("象") == pytest.approx(sum(counts.total(word) for word in elephants))
    for verb in ("吃", "咬"):
        expected = sum(counts.cooccurrence(word, verb) for word in elephants)
        assert signs.cooccurrence("象", verb) == signs.cooccurrence(verb, "象") == pytest.approx(expected)
    assert signs.cooccurrence("象", "虎") == counts.cooccurrence("象", "大虎") > 0
    assert (signs.times("龙"), signs.cooccurrence("龙", "吃")) == (0, 0.0)
    assert Association(signs).between("吃", "象") == pytest.approx(
        log2(signs.cooccurrence("吃", "象") * counts.sum / signs.total("吃") / signs.total("象"))
    )


def test_chinese_has_association_by_characters_too(tmp_path):
    counts = counts_of(tmp_path, CHINESE, language="zh", window=2)
    text = "大象看着老虎，因为{它}在[吃|咬]。"
    found = unanswered("zh", "zoo", Association(counts), text=text, candidates=["大象", "老虎"])
    signs = Association(CharacterCounts.of(counts, "大象老虎吃咬"))

    def mean(verb, word):
        return signs.between_terms((verb,), tuple(word))

    expected = [mean("吃", "大象") - mean("吃", "老虎"), mean("咬", "老虎") - mean("咬", "大象")]
    assert value(found, "association-difference", "original", "segment", "characters") == pytest.approx(
        sum(expected) / 2
    )


# Against independent implementations


def test_the_mean_over_kinds_resamples_schemas():
    rng = np.random.default_rng(0)
    kinds = ("tense", "voice", "number")
    schemas = [
        [
            Made(
                choice=int(rng.random() < 0.4),
                variants=tuple((kind, int(rng.random() < 0.5)) for kind in kinds[: 1 + place % 3]),
            )
            for _ in range(2)
        ]
        for place in range(60)
    ]
    found = mean_delta(run_of(schemas, kinds=kinds), kinds)
    gains = np.zeros((60, 3, 2))  # of each schema and kind the gain, and the number of items
    for place, items in enumerate(schemas):
        for made in items:
            for kind, choice in made.variants:
                gains[place, kinds.index(kind)] += ((choice == 0) - (made.choice == 0), 1)

    def mean(places):
        totals = gains[places].sum(axis=1)
        return (totals[..., 0] / totals[..., 1]).mean(axis=-1)

    drawn = mean(rng.integers(60, size=(20_000, 60)))
    assert found.estimate.value == pytest.approx(mean(np.arange(60)[np.newaxis])[0])
    low, high = np.quantile(drawn, (0.025, 0.975))
    assert (found.estimate.low, found.estimate.high) == (pytest.approx(low, abs=0.015), pytest.approx(high, abs=0.015))
    spread = drawn.std()
    assert found.numbers["detectable"] == pytest.approx((1.96 + 0.84) * spread, rel=0.1)


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=30))
def test_rank_correlations_are_those_of_scipy(pairs):
    one, other = zip(*pairs, strict=True)
    found = spearman(np.array([pairs], dtype=float))[0]
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(spearmanr(one, other).statistic)
