import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from winoglot.errors import InputError
from winoglot.logic.cues import Cue, Sample, baselines, cues, judged, upper_limits
from winoglot.statistics.intervals import Estimate

WORDS = ["ana", "rui", "ivo", "eva", "oslo", "roma", "lima", "cairo"]


def pairs(n, seed, hypothesis):
    """Pairs whose premises say nothing; `hypothesis` makes one for a label, from the premise's words."""
    rng = random.Random(seed)
    labels = ["0", "1"] * (n // 2)
    made = []
    for label in labels:
        words = [rng.choice(WORDS) for _ in range(6)]
        made.append((" ".join(words), hypothesis(rng, label, words)))
    return Sample.of(made, labels, "en")


def found(sample, test=None):
    return {cue.baseline: cue for cue in cues(sample, test)}


def test_no_baseline_finds_a_cue_where_there_is_none():
    made = found(pairs(1000, 0, lambda rng, label, words: " ".join(rng.choices(WORDS, k=3))))
    assert set(made) == set(baselines())
    assert all(cue.verdict != "cue" and 0.44 < cue.accuracy.value < 0.56 for cue in made.values())


def test_a_word_that_only_one_label_has_is_found_in_the_hypothesis_and_not_in_the_premise():
    sample = pairs(400, 1, lambda rng, label, words: f"{rng.choice(WORDS)} {'only' if label == '1' else 'also'}")
    made = found(sample)
    assert made["hypothesis-only"].accuracy.value > 0.95
    assert {name for name, cue in made.items() if cue.verdict == "cue"} >= {"hypothesis-only", "bag-of-words"}
    assert made["premise-only"].verdict != "cue"


def test_hypotheses_that_are_longer_for_one_label_are_found():
    sample = pairs(400, 2, lambda rng, label, words: " ".join(rng.choices(WORDS, k=3 + 4 * int(label))))
    assert found(sample)["length"].accuracy.value > 0.95


def test_words_that_are_new_for_one_label_are_found_by_overlap_also_with_other_names():
    def make(names):
        def hypothesis(rng, label, words):
            return rng.choice(words) if label == "1" else rng.choice([name for name in names if name not in words])

        return hypothesis

    train, test = pairs(400, 3, make(WORDS)), pairs(400, 4, make(WORDS))
    made = found(train, test)
    assert made["overlap"].accuracy.value == 1.0
    assert made["overlap"].upper == 1.0
    assert made["premise-only"].verdict != "cue"


def test_pairs_that_occur_twice_are_not_learnt_from_and_guessed_at_the_same_time():
    rng = random.Random(5)
    once = [(f"{rng.random()}", f"{rng.random()}") for _ in range(300)]
    labels = [rng.choice("01") for _ in once]
    made = found(Sample.of(once * 2, labels * 2, "en"))
    assert all(cue.accuracy.value < 0.6 for cue in made.values())


def test_too_few_pairs_of_a_label_are_said():
    with pytest.raises(InputError, match="two or more labels with at least 20 pairs each, found 30 of 0"):
        cues(Sample.of([("a", "b")] * 30, ["0"] * 30, "en"))


@given(st.lists(st.integers(0, 500), min_size=1, max_size=8))
def test_all_upper_limits_lie_below_a_bound_if_and_only_if_holm_rejects_everything(hits):
    limits = upper_limits(hits, 500)
    assert all(limit > count / 500 or limit == 1.0 for limit, count in zip(limits, hits, strict=True))
    order = sorted(range(len(hits)), key=hits.__getitem__)
    for rank, index in enumerate(order):
        alpha = 0.05 / (len(hits) - rank)
        expected = binomtest(hits[index], 500).proportion_ci(1 - 2 * alpha, method="wilson").high
        assert limits[index] >= expected - 1e-9
    assert max(limits) == limits[order[-1]]


def test_p_values_are_those_of_an_independent_implementation():
    hits = {"a": 530, "b": 505, "c": 560}
    a, b, c = (binomtest(count, 1000, 0.5, alternative="greater").pvalue for count in hits.values())
    assert [cue.p for cue in judged(hits, 1000, 0.5)] == pytest.approx([2 * a, b, 3 * c])  # c < a < b: Holm's factors


@pytest.mark.parametrize(
    ("p", "upper", "verdict"),
    [(0.001, 0.54, "none"), (0.001, 0.56, "cue"), (0.2, 0.56, "undecided"), (0.2, 0.55, "none")],
)
def test_a_cue_is_above_chance_and_not_shown_to_be_near_it(p, upper, verdict):
    assert Cue("length", Estimate(0.53, 0.5, 0.56, 100, "Wilson"), 0.5, p, upper).verdict == verdict
