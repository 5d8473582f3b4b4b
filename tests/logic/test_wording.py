"""A pair in words: what the premise tells of two is told in the hypothesis from the other end."""

from collections import Counter

import pytest

from winoglot.logic.dataset import build
from winoglot.logic.formulas import facts, parse
from winoglot.logic.recipe import Recipe
from winoglot.logic.walking import mentions


def about_the_same_two(task, language, **options):
    """Sentence, hypothesis, names and label where a fact is about just the two that the hypothesis is about."""
    made = build(Recipe(task, language, 0, 400, 5, proof=False, **options))
    for row in made.splits["test"]:
        asked = set(mentions(parse(row.formula_hypothesis)))
        stated = facts(parse(row.formula_premise))
        sentences = row.premise.replace("。", ". ").strip().removesuffix(".").split(". ")
        if len(sentences) != len(stated):  # the published families join two facts
            continue
        for fact, sentence in zip(stated, sentences, strict=True):
            if len(asked) == 2 and set(mentions(fact)) == asked:
                names = [row.names[name.text].split()[-1] for name in asked]
                yield sentence, row.hypothesis, names, row.label


@pytest.mark.parametrize("language", ["en", "pt", "fr", "zh"])
@pytest.mark.parametrize("task", ["negation", "comparison", "temporal"])
def test_the_hypothesis_is_told_from_the_other_end(task, language):
    found = Counter()
    for sentence, hypothesis, (one, other), label in about_the_same_two(task, language):
        same = (sentence.find(one) < sentence.find(other)) == (hypothesis.find(one) < hypothesis.find(other))
        found[label, same] += 1
    for label in "01":
        assert found[label, False] > 40
        assert found[label, True] <= 3  # all draws were in vain


def test_the_published_wordings_are_left_as_they_are():
    found = [hypothesis for _, hypothesis, _, _ in about_the_same_two("negation", "en", paper=True)]
    assert len(found) > 100
    assert not any(" by " in hypothesis or " from " in hypothesis for hypothesis in found)


@pytest.mark.parametrize("task", ["negation", "coordination", "comparison", "temporal", "disjunction", "conditional"])
def test_hardly_a_hypothesis_stands_in_its_premise_word_for_word(task):
    rows = build(Recipe(task, "en", 0, 1000, 5, proof=False)).splits["test"]
    assert sum(row.hypothesis in row.premise for row in rows) <= 20
