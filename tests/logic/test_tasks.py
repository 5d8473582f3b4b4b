"""What every task must keep: labels that are proved, and looks that say nothing about them."""

import re
from collections import Counter
from itertools import islice
from random import Random

import numpy as np
import pytest

from winoglot import registry
from winoglot.errors import InputError
from winoglot.logic.formulas import And, Not, Or, facts
from winoglot.logic.interpretation import READINGS
from winoglot.logic.listing import listing
from winoglot.logic.pair import LABELS, TaskSettings
from winoglot.logic.prove import relation
from winoglot.logic.walking import mentions

PUBLISHED = ["comparison", "coordination", "counting", "description", "mixed", "negation", "quantification"]
NEW = ["conditional", "disjunction", "nested-negation", "temporal"]
_PAIRS = 60
_TRAIN = _TEST = 1500


def drawn(task, number, seed=1, **settings):
    generate = registry.load("logic-tasks", task).generate
    return list(islice(generate(Random(seed), TaskSettings(**settings)), number))


def test_the_tasks_are_found_by_their_file():
    assert registry.names("logic-tasks") == sorted([*PUBLISHED, *NEW])


@pytest.mark.parametrize("number", [15, pytest.param(_PAIRS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("labels", ["cd", "nli"])
@pytest.mark.parametrize("task", [*PUBLISHED, *NEW])
def test_the_intended_label_is_the_proved_one(task, labels, number):
    pytest.importorskip("z3")
    for pair in drawn(task, number, labels=labels):
        assert relation(pair.premise, pair.hypothesis) == pair.intended, pair


@pytest.mark.parametrize("task", PUBLISHED)
def test_the_published_families_carry_proved_labels(task):
    pytest.importorskip("z3")
    for pair in drawn(task, _PAIRS, paper=True):
        assert relation(pair.premise, pair.hypothesis) == pair.intended, pair


def test_a_published_label_that_is_wrong_is_kept_beside_the_proved_one():
    pytest.importorskip("z3")
    wrong = [pair for pair in drawn("comparison", 300, paper=True) if pair.published]
    assert wrong
    for pair in wrong[:20]:
        assert (pair.published, pair.intended) == ("contradiction", "neutral")
        assert relation(pair.premise, pair.hypothesis, READINGS["as-tall-as=equal"]) == "contradiction"


@pytest.mark.parametrize("task", [*PUBLISHED, *NEW])
def test_labels_come_in_equal_parts(task):
    of_two = Counter(pair.intended == "contradiction" for pair in drawn(task, 1000))
    assert abs(of_two[True] - 500) < 60
    of_three = Counter(pair.intended for pair in drawn(task, 1500, labels="nli"))
    assert set(of_three) == set(LABELS)
    assert all(abs(number - 500) < 65 for number in of_three.values())


@pytest.mark.parametrize("task", [*PUBLISHED, *NEW])
def test_a_seed_gives_the_same_pairs_again(task):
    assert drawn(task, 20, seed=7) == drawn(task, 20, seed=7) != drawn(task, 20, seed=8)


@pytest.mark.parametrize("task", NEW)
def test_a_new_task_has_no_published_families(task):
    with pytest.raises(InputError, match="not in the published corpus"):
        drawn(task, 1, paper=True)


def test_published_families_have_no_three_labels():
    with pytest.raises(InputError, match="--paper"):
        TaskSettings(labels="nli", paper=True)


_SIGN = re.compile(r"[pc](?=\d)|∃[=≥≤]\d+|before|[^\s\d(),]")


def signs(formula, side):
    """The formula as a bag: names only by their sort."""
    return Counter(f"{side} {sign}" for sign in _SIGN.findall(str(formula)))


def premise_bag(pair):
    return signs(pair.premise, "P")


def hypothesis_bag(pair):
    return signs(pair.hypothesis, "H")


def both_bags(pair):
    return premise_bag(pair) + hypothesis_bag(pair)


def sizes_and_overlap(pair):
    """Lengths, how many names are shared, and how often those of the hypothesis are mentioned in the premise."""
    there, asked = Counter(mentions(pair.premise)), list(mentions(pair.hypothesis))
    times = sorted(there[name] for name in asked) or [0]
    return {
        "facts": len(facts(pair.premise)),
        "premise": premise_bag(pair).total(),
        "hypothesis": hypothesis_bag(pair).total(),
        "names": len(asked),
        "shared": sum(name in there for name in set(asked)),
        "least": times[0],
        "most": times[-1],
        "mentions": sum(times),
    }


def accuracy(pairs, features, labels):
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MaxAbsScaler

    seen = DictVectorizer().fit_transform([features(pair) for pair in pairs])
    known = np.array([pair.intended if labels == "nli" else str(pair.intended == "contradiction") for pair in pairs])
    models = (
        make_pipeline(MaxAbsScaler(), LogisticRegression(max_iter=500)),
        RandomForestClassifier(60, min_samples_leaf=5, random_state=0),
    )
    return max(model.fit(seen[:_TRAIN], known[:_TRAIN]).score(seen[_TRAIN:], known[_TRAIN:]) for model in models)


@pytest.mark.slow
@pytest.mark.parametrize("labels", ["cd", "nli"])
@pytest.mark.parametrize("task", [*PUBLISHED, *NEW])
def test_what_can_be_seen_without_structure_tells_no_label(task, labels):
    """At most four and a half standard errors above chance: 56% of two labels, 39% of three."""
    pytest.importorskip("sklearn")
    pairs = drawn(task, _TRAIN + _TEST, seed=3, labels=labels)
    chance = 1 / 2 if labels == "cd" else 1 / 3
    limit = chance + 4.5 * (chance * (1 - chance) / _TEST) ** 0.5
    for features in (premise_bag, hypothesis_bag, both_bags, sizes_and_overlap):
        assert accuracy(pairs, features, labels) < limit, features.__name__


def numbers_of_verbs(pair):
    """How many sentences have several subjects, how many several objects: verbs of many languages show it."""
    said = [("P", fact) for fact in facts(pair.premise)] + [("H", pair.hypothesis)]
    lists = [(side, listing(part)) for side, part in said if isinstance(part, And | Or)]
    return Counter(f"{side} {found.joiner} {found.negated} {found.members_visit}" for side, found in lists)


@pytest.mark.slow
@pytest.mark.parametrize("labels", ["cd", "nli"])
def test_whether_a_list_visits_or_is_visited_tells_no_label(labels):
    pytest.importorskip("sklearn")
    pairs = drawn("coordination", 4 * (_TRAIN + _TEST), seed=3, labels=labels)
    among_people = [pair for pair in pairs if pair.template.startswith("lists-person-person")][: _TRAIN + _TEST]
    chance = 1 / 2 if labels == "cd" else 1 / 3
    assert accuracy(among_people, numbers_of_verbs, labels) < chance + 4.5 * (chance * (1 - chance) / _TEST) ** 0.5


@pytest.mark.parametrize("labels", ["cd", "nli"])
def test_a_name_of_the_hypothesis_is_in_affirmed_and_in_denied_facts_alike(labels):
    for pair in drawn("negation", 200, labels=labels):
        for name in mentions(pair.hypothesis):
            signs = Counter(isinstance(fact, Not) for fact in facts(pair.premise) if name in mentions(fact))
            assert signs[True] == signs[False] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "features", "at_least"), [("negation", sizes_and_overlap, 0.99), ("quantification", premise_bag, 0.58)]
)
def test_the_same_baselines_find_the_cues_of_the_published_families(task, features, at_least):
    pytest.importorskip("sklearn")
    pairs = drawn(task, _TRAIN + _TEST, seed=3, paper=True)
    assert accuracy(pairs, features, "cd") > at_least


@pytest.mark.slow
@pytest.mark.parametrize("task", ["negation", "disjunction", "conditional", "comparison", "quantification"])
def test_the_fact_that_decides_may_stand_anywhere(task):
    pytest.importorskip("z3")
    from winoglot.logic.prove import prove

    first, last = [], []
    for pair in drawn(task, 150, seed=5):
        used = prove(pair.premise, pair.hypothesis).uses
        if used:
            first.append(used[0] == 0)
            last.append(used[-1] == len(facts(pair.premise)) - 1)
    assert any(first)
    assert not all(first)
    assert any(last)
    assert not all(last)
