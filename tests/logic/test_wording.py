"""A pair in words: the wordings tell nothing about the label."""

from collections import Counter, defaultdict
from functools import cache

import pytest

from winoglot.logic.dataset import build
from winoglot.logic.formulas import facts, parse
from winoglot.logic.recipe import DataRecipe
from winoglot.logic.walking import symbols

LANGUAGES = ["en", "pt", "fr", "zh"]


@cache
def rows(task, language, number=400, **options):
    return build(DataRecipe(task, language, 0, number, 5, proof=False, **options)).splits["test"]


def told(row):
    """Each fact with its sentence."""
    sentences = row.premise.replace("。", ". ").strip().removesuffix(".").split(". ")
    stated = facts(parse(row.formula_premise))
    return list(zip(stated, sentences, strict=True)) if len(sentences) == len(stated) else []


def is_first(one, other, row, sentence):
    """By the last words of the names, which are in all their forms: Le Caire, au Caire."""
    one, other = (row.names[name.text].split()[-1] for name in (one, other))
    return sentence.find(one) < sentence.find(other)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("task", ["negation", "nested-negation", "comparison", "temporal"])
def test_what_the_hypothesis_is_about_is_told_from_the_other_end(task, language):
    found = Counter()
    for row in rows(task, language):
        two = symbols(parse(row.formula_hypothesis))
        for fact, sentence in told(row):
            if len(two) == 2 and set(symbols(fact)) == set(two):
                same = is_first(*two, row, sentence) == is_first(*two, row, row.hypothesis)
                found[row.label, same] += 1
    for label in "01":
        assert found[label, False] > 25
        assert found[label, True] <= found[label, False] / 8  # where no other fact has its form


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("task", "odd"), [("negation", 0), ("comparison", 1), ("temporal", 1)])
def test_as_many_facts_of_a_form_are_told_from_either_end(task, odd, language):
    for row in rows(task, language)[:100]:
        ends = defaultdict(Counter)
        for fact, sentence in told(row):
            one, other = symbols(fact)
            form = str(fact).replace(one.text, "one").replace(other.text, "other")
            ends[form][is_first(one, other, row, sentence)] += 1
        for form, counts in ends.items():
            assert abs(counts[True] - counts[False]) <= odd, (form, row)


def test_the_published_wordings_are_drawn_each_for_itself():
    sentences = [sentence for row in rows("negation", "en", paper=True) for _, sentence in told(row)]
    assert len(sentences) > 1000
    assert all(" has visited " in sentence or " has been to " in sentence for sentence in sentences)


@pytest.mark.parametrize(("task", "most"), [("negation", 2), ("comparison", 2), ("temporal", 2), ("coordination", 15)])
def test_hardly_a_hypothesis_stands_in_its_premise_word_for_word(task, most):
    assert sum(row.hypothesis in row.premise for row in rows(task, "en", 1000)) <= most
