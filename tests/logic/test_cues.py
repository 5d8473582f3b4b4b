import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from cases import listed
from winoglot.errors import InputError
from winoglot.logic._cue_features import look_up, mentions, nearest_sentence, shared_runs, words_of
from winoglot.logic.cues import LOOK_UPS, Cue, GroupCues, baselines, guesses, judged, shallow, table, upper_limits
from winoglot.logic.pair import Pair
from winoglot.statistics.intervals import Estimate

WORDS = ["ana", "rui", "ivo", "eva", "oslo", "roma", "lima", "cairo"]


def pair(premise, hypothesis, label="1", language="en", *, depth=2, number=0, twin="", task="visits", **names):
    return Pair(str(number), task, language, premise, hypothesis, label, depth, "", twin, "", "", "", names)


def pairs(n, seed, hypothesis, **given):
    """Pairs whose premises say nothing; `hypothesis` makes one for a label, from the premise's words."""
    rng = random.Random(seed)
    made = []
    for number, label in enumerate(["0", "1"] * (n // 2)):
        words = [rng.choice(WORDS) for _ in range(6)]
        made.append(pair(" ".join(words), hypothesis(rng, label, words), label, number=number, **given))
    return made


def found(train, test=(), names=()):
    (group,) = shallow(train, test, names=names)
    return {cue.baseline: cue for cue in group.cues}


def test_names_are_single_words_and_facts_between_commas_are_sentences():
    stated = words_of(pair("Ana Reis hasn't met Bo. Bo runs.", "Ana Reis runs.", p0="Ana Reis", p1="Bo"))
    assert stated.sentences == (("ana reis", "has", "n't", "met", "bo"), ("bo", "runs"))
    assert (stated.names, stated.others) == (("ana reis",), {"bo"})
    assert (stated.denials, stated.denied) == ((1, 0), 0)
    plain = words_of(pair("Ana is taller than Eva, Ida and Mia , Bo is as tall as Ana", "Eva is taller than Bo"))
    assert [sentence[0] for sentence in plain.sentences] == ["ana", "bo"]
    listed = words_of(pair("Ana has visited New York, Oslo and New Haven, Bo has visited Rome", "Bo didn't visit Rome"))
    assert [len(sentence) for sentence in listed.sentences] == [9, 4]


@listed
def test_negations_are_counted_in_each_language_and_not_in_names(language, premise, hypothesis, counts):
    name = "非凡" if language == "zh" else "Bo"
    words = words_of(pair(premise, hypothesis, language=language, p0=name))
    assert [*words.denials, words.denied] == counts


def test_what_the_look_up_baselines_see():
    names = {"p0": "Ana", "p1": "Bo", "p2": "Cy"}
    words = words_of(pair("Ana has not met Bo. Bo has met Cy. Cy has met Ana.", "Bo has met Ana.", **names))
    assert look_up(words)["names found"]
    assert not look_up(words)["first has the same parity"]
    near = nearest_sentence(words)
    seen = [near[f"0 {feature}"] for feature in ("shared", "position", "same parity", "names in order")]
    assert seen == [4, 0, False, False]
    where = mentions(words)
    assert (where["name 0"], where["both"], where["both denied"], where["between"]) == (2, 1, 1, 1)
    runs = shared_runs(words)
    assert (runs["runs of 2"], runs["occurrences of 2"], runs["runs of 4"]) == (3, 4, 0)


def test_no_baseline_finds_a_cue_where_there_is_none():
    made = found(pairs(1000, 0, lambda rng, label, words: " ".join(rng.choices(WORDS, k=3))))
    assert set(made) == set(baselines())
    assert all(cue.verdict != "cue" and 0.44 < cue.accuracy.value < 0.56 for cue in made.values())


def test_a_word_that_only_one_label_has_is_found_in_the_hypothesis_and_not_in_the_premise():
    sample = pairs(400, 1, lambda rng, label, words: f"{rng.choice(WORDS)} {'only' if label == '1' else 'also'}")
    made = found(sample, names=["premise-only", "hypothesis-only", "bag-of-words", "boosting"])
    assert made["hypothesis-only"].accuracy.value > 0.95
    assert {name for name, cue in made.items() if cue.verdict != "cue"} == {"premise-only"}


def test_words_that_are_new_for_one_label_are_found_by_overlap_also_with_other_names():
    def hypothesis(rng, label, words):
        return rng.choice(words) if label == "1" else rng.choice([name for name in WORDS if name not in words])

    made = found(pairs(400, 3, hypothesis), pairs(400, 4, hypothesis), ["overlap", "premise-only"])
    assert made["overlap"].accuracy.value == 1.0
    assert made["overlap"].upper == 1.0
    assert made["premise-only"].verdict != "cue"


def denied_or_not(n, seed, names):
    """Two facts, one of them denied, and a hypothesis about one: contradictory if only one of the two is denied."""
    rng = random.Random(seed)
    verbs = ("has met", "has never met")
    made = []
    for number in range(n):
        a, b, c, d = rng.sample(names, 4)
        first, asked = rng.randrange(2), rng.randrange(2)
        label = "1" if first != asked else "0"
        facts = [f"{a} {verbs[first]} {b}.", f"{c} {verbs[1 - first]} {d}."]
        rng.shuffle(facts)
        given = {"p0": a, "p1": b, "p2": c, "p3": d}
        made.append(pair(" ".join(facts), f"{a} {verbs[asked]} {b}.", label, depth=1, number=number, **given))
    return made


def test_pairs_that_can_be_looked_up_are_found_by_the_look_up_baselines_alone():
    train = denied_or_not(400, 5, ["Ana", "Bo", "Cy", "Dee", "Eva"])
    test = denied_or_not(400, 6, ["Flo", "Gus", "Hal", "Ida", "Jo"])
    (group,) = shallow(train, test)
    assert {cue.baseline for cue in group.cues if cue.verdict == "cue"} == set(LOOK_UPS)
    assert group.faults == []  # at depth 1, finding the fact is the task


@pytest.mark.parametrize("name", baselines())
def test_every_baseline_answers_like_a_model(name):
    def copied_if_1(rng, label, words):
        return " ".join(words) if label == "1" else " ".join(rng.choice(WORDS) for _ in range(3))

    train, test = pairs(200, 1, copied_if_1), pairs(60, 2, copied_if_1)
    answers = guesses(name, train, test)
    assert len(answers) == len(test)
    assert set(answers) <= {"0", "1"}


def test_depths_are_tested_on_their_own_and_learn_from_all_if_there_is_no_other():
    def hypothesis(rng, label, words):
        return " ".join(rng.choices(WORDS, k=3 + 4 * int(label)))

    shallow_pairs, deep_pairs = pairs(200, 7, hypothesis, depth=1), pairs(200, 8, hypothesis, depth=3)
    both = shallow(shallow_pairs + deep_pairs, deep_pairs + shallow_pairs, names=["length"])
    assert [(group.depth, group.trained) for group in both] == [(1, 200), (3, 200)]
    (deep,) = shallow(shallow_pairs, deep_pairs, names=["length"])
    assert (deep.depth, deep.trained) == (3, 200)
    assert deep.cues[0].accuracy.value > 0.95
    (other,) = shallow(pairs(60, 9, hypothesis, task="heights"), deep_pairs, names=["length"])
    assert (other.cues, other.reason) == ((), "no training pairs of the task 'visits'")


def test_pairs_that_occur_twice_and_twins_are_not_learnt_from_and_guessed_at_the_same_time():
    rng = random.Random(5)
    once = [pair(f"{rng.random()}", f"{rng.random()}", rng.choice("01"), number=number) for number in range(300)]
    assert all(cue.accuracy.value < 0.6 for cue in found(once * 2, names=["bag-of-words", "boosting"]).values())
    twins = []
    for number in range(300):
        word, label = f"w{number}", str(number % 2)
        twins += [
            pair(word, word, label, number=2 * number, twin=str(2 * number + 1)),
            pair(f"{word} too", word, label, number=2 * number + 1, twin=str(2 * number)),
        ]
    assert found(twins, names=["bag-of-words"])["bag-of-words"].accuracy.value < 0.6


def test_too_few_pairs_of_a_label_are_said_and_labels_of_two_sets_are_refused():
    (group,) = shallow([pair("a", "b", "0")] * 30)
    assert "two or more labels with at least 20 pairs each, found 30 of 0" in group.reason
    with pytest.raises(InputError, match="of two sets"):
        shallow([pair("a", "b", "1")], [pair("a", "b", "neutral")])


def test_the_table_has_a_column_per_group_and_marks_cues():
    groups = [
        GroupCues("visits", "en", depth, 1000, judged({"length": hits, "overlap": 500}, 1000, 0.5))
        for depth, hits in ((1, 900), (2, 510))
    ]
    lines = table(groups).splitlines()
    assert lines[0] == "| baseline | visits, en, depth 1 | visits, en, depth 2 |"
    assert lines[3].startswith("| length | **90.0 (")
    assert "**" not in lines[4]
    assert table([GroupCues("visits", "en", 1, 0, (), "too few")]) == ""


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
