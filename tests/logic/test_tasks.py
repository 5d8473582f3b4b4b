"""Every task: labels and depths by proof, twins, and that no single sentence tells the label."""

import re
from collections import Counter
from random import Random

import pytest

from cases import for_each
from winoglot import registry
from winoglot.logic.cues import shallow
from winoglot.logic.dataset import DataRecipe, build
from winoglot.logic.formulas import Not, Or, atom_of, conjunction, symbols
from winoglot.logic.prove import prove

pytest.importorskip("z3")
CELLS = [
    (name, family, depth)
    for name in registry.names("logic-tasks")
    if name != "mixed" and registry.is_built_in("logic-tasks", name)
    for family, depths in registry.load("logic-tasks", name).FAMILIES.items()
    for depth in depths
]


def drawn(name, family, depth, number):
    rng = Random(f"{name} {family} {depth}")
    return [registry.load("logic-tasks", name).draw(rng, family, depth) for _ in range(number)]


@for_each(("name", "family", "depth"), CELLS)
def test_the_facts_decide_at_their_depth_and_the_altered_ones_do_not(name, family, depth):
    for one in drawn(name, family, depth, 3):
        for hypothesis, relation in ((one.entailed, "entailment"), (one.contradicted, "contradiction")):
            proof = prove(conjunction(one.facts), hypothesis)
            assert (proof.relation, len(proof.uses)) == (relation, depth)
            assert prove(conjunction(one.altered), hypothesis).relation == "neutral"
            uses = [one.facts[number] != one.altered[number] for number in proof.uses]
            assert sum(uses) == 1  # one necessary fact is altered


@for_each(("name", "family", "depth"), CELLS)
def test_alteration_changes_no_number_of_mentions(name, family, depth):
    for one in drawn(name, family, depth, 20):
        before, after = (
            Counter(str(symbol) for fact in facts for symbol in symbols(fact)) for facts in (one.facts, one.altered)
        )
        people = {symbol for symbol in before | after if symbol[0] == "p"}
        assert {symbol: before[symbol] for symbol in people} == {symbol: after[symbol] for symbol in people}


@for_each(("name", "family", "depth"), [cell for cell in CELLS if cell[2] == 1])
def test_at_depth_1_alteration_moves_words_and_changes_none(name, family, depth):
    """So that only the sentence that decides shows the label."""
    for one in drawn(name, family, depth, 50):
        before, after = (sorted(re.findall(r"\w+|¬", " ".join(map(str, facts)))) for facts in (one.facts, one.altered))
        assert before == after


@for_each("name", ["counting", "quantification", "temporal"])
def test_at_depth_1_words_without_their_sentences_tell_no_label(name):
    pytest.importorskip("sklearn")
    made = build(DataRecipe(name, train=1000, validation=0, test=1000, depths=(1,), proof=False)).splits
    (group,) = shallow(made["train"], made["test"], names=["hypothesis-only", "overlap", "bag-of-words-forest"])
    assert all(cue.accuracy.value < 0.58 for cue in group.cues)  # five standard deviations above chance


@for_each(("name", "family", "depth"), CELLS)
def test_the_hypothesis_alone_says_nothing(name, family, depth):
    """Affirmed and denied hypotheses are entailed and contradicted alike often."""
    signs = Counter()
    for one in drawn(name, family, depth, 300):
        signs["entailed"] += str(one.entailed).startswith("¬")
        signs["contradicted"] += str(one.contradicted).startswith("¬")
    assert abs(signs["entailed"] - signs["contradicted"]) < 75  # more than four standard deviations


def test_counting_denials_says_little_about_a_disjunction():
    """The polarity of the rules about the conclusion, beside the number of denied facts, leaves the label open."""
    seen = Counter()
    for one in drawn("disjunction", "inclusive", 2, 3000):
        both = [(one.facts, one.contradicted, 1)] * 2 + [(one.facts, one.entailed, 0)]
        both += [(one.altered, Random(str(one)).choice((one.contradicted, one.entailed)), 0)]
        for facts, hypothesis, label in both:
            rules = [fact.parts for fact in facts if isinstance(fact, Or)]
            near = [parts for parts in rules if atom_of(hypothesis) in map(atom_of, parts)]
            polarity = sorted(sum(isinstance(part, Not) for part in parts) for parts in near)
            denied = sum(isinstance(fact, Not) for fact in facts)
            seen[isinstance(hypothesis, Not), tuple(polarity), denied, label] += 1
    best = sum(max(seen[*cell, 0], seen[*cell, 1]) for cell in {key[:-1] for key in seen})
    assert best / seen.total() < 0.64
