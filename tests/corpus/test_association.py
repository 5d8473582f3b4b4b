import math
from collections import Counter
from itertools import product

import pytest

from cases import for_each
from corpus.count_making import counts_of, drawn_articles, slow_counts
from winoglot.corpus.association import NEVER, Association, ItemAssociation, Measure
from winoglot.corpus.terms import ItemTerms
from winoglot.errors import InputError
from winoglot.languages.base import function_words
from winoglot.schemas.notation import parse_schema

ARTICLES = drawn_articles(6)
MEASURES = [
    Measure(),
    Measure(positive=True),
    Measure(smoothing=0.75),
    Measure(add=0.5),
    Measure(positive=True, smoothing=0.75, add=2),
]


def slow_pmi(slow, measure, words, contexts):
    """PMI of a table {(word, context): count}, by the book, as a function of a word and a context."""
    value = {pair: slow[pair] + measure.add for pair in product(words, contexts)}
    total = sum(value.values())
    of_word = {word: sum(value[word, other] for other in contexts) for word in words}
    power = {other: sum(value[one, other] for one in words) ** measure.smoothing for other in contexts}
    of_powers = sum(power.values())

    def between(word, context):
        if value[word, context] == 0:
            return 0.0 if measure.positive else NEVER
        share = (of_word[word] / total) * (power[context] / of_powers)
        found = math.log2(value[word, context] / total / share)
        return max(found, 0.0) if measure.positive else found

    return between


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@pytest.mark.parametrize("dynamic", [False, True])
def test_association_is_that_of_the_book(tmp_path, measure, dynamic):
    counts = counts_of(tmp_path, ARTICLES, window=3, dynamic=dynamic)
    slow = Counter()
    for (word, other, _), value in slow_counts(ARTICLES, 3, dynamic=dynamic).items():
        slow[word, other] += value
    words = [counts.words.word(number) for number in range(len(counts.words))]
    association, expected = Association(counts, measure), slow_pmi(slow, measure, words, words)
    for word, context in product(words[:12], words):
        assert association.between(word, context) == pytest.approx(expected(word, context))


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_with_positions_each_offset_is_a_context(tmp_path, measure):
    counts = counts_of(tmp_path, ARTICLES, window=2, positional=True)
    slow = Counter({(word, (other, at)): n for (word, other, at), n in slow_counts(ARTICLES, 2).items()})
    words = [counts.words.word(number) for number in range(len(counts.words))]
    contexts = list(product(words, counts.offsets))
    association, slow_between = Association(counts, measure), slow_pmi(slow, measure, words, contexts)
    for word, context in product(words[:3], words[:10]):
        by_place = [slow_between(word, (context, at)) for at in counts.offsets]
        for at, expected in zip(counts.offsets, by_place, strict=True):
            assert association.between(word, context, at) == pytest.approx(expected)
        met = [value for value in by_place if value > NEVER]
        expected = sum(met) / len(met) if met else NEVER
        assert association.between(word, context) == pytest.approx(expected)


def test_without_smoothing_association_is_symmetric(tmp_path):
    association = Association(counts_of(tmp_path, ARTICLES, window=3))
    assert association.between("w1", "w3") == pytest.approx(association.between("w3", "w1"))


PLACES = [
    ["the cow grazed in the meadow", "a cow grazed", "the car rusted", "an old car rusted in the rain"],
    ["the cow slept", "the car stood in the meadow", "rain fell"],
]
SCHEMA = {
    "id": "meadow",
    "text": "The cow stood by the car while {it} [grazed|rusted|slept|sang].",
    "candidates": ["the cow", "the car"],
    "answers": [0, 1, 0, 0],
}


def items(**more):
    return parse_schema({**SCHEMA, **more}, function_words("en")).items


@pytest.fixture
def association(tmp_path):
    return Association(counts_of(tmp_path, PLACES, window=4))


def test_the_candidate_that_goes_with_the_segment_is_chosen(association):
    grazed, rusted, slept, sang = (association.judge(item, "en") for item in items())
    assert (grazed.choice(), rusted.choice(), slept.choice()) == (0, 1, 0)
    assert grazed.values[0] > 0
    assert grazed.values[1] == NEVER
    assert (sang.choice(), sang.note) == (None, "not counted: sang")
    (fell, *_) = items(text="The cow stood by the car while {it} [fell|sang].", answers=[0, 1])
    apart = association.judge(fell, "en")
    assert (apart.values, apart.choice(), apart.note) == ((NEVER, NEVER), None, "never together")


def test_the_collections_own_terms_come_first(association):
    entry = {"terms": {"candidates": ["rain", "cow"], "segment": ["fell", "fell", "grazed", "grazed"]}}
    judged = [association.judge(item, "en") for item in items(**entry)]
    assert [one.choice() for one in judged] == [0, 0, 1, 1]


def test_the_whole_text_can_be_asked_for(association):
    item = items()[3]
    judged = association.judge(item, "en", against="text")
    assert judged.terms.reference == ("stood", "sang")
    assert judged.choice() == 1  # "the car stood in the meadow"
    with pytest.raises(InputError, match="segment, text"):
        association.judge(item, "en", against="txt")


def judged(*values):
    return ItemAssociation(items()[0], values, ItemTerms())


def test_a_tie_and_what_is_within_the_threshold_are_no_choice():
    assert judged(1.0, 1.0).choice() is None
    assert judged(1.0, 1.0 + 1e-9).choice() is None
    assert judged(1.0, 1.4).choice() == 1
    assert judged(1.0, 1.4).choice(0.5) is None
    assert judged(1.6, 1.0).choice(0.5) == 0
    assert judged(NEVER, -8.0).choice(100) == 1
    assert judged(NEVER, NEVER).choice() is None
    assert judged(None, 3.0).choice() is None
    assert judged(1.0, 3.0, 2.0).choice() == 1


@for_each("wrong", [{"smoothing": 0}, {"smoothing": 1.5}, {"add": -1}, {"add": math.inf}])
def test_what_is_no_measure_is_refused(wrong):
    with pytest.raises(InputError, match=r"smoothing is|add is"):
        Measure(**wrong)


def test_a_candidate_is_the_context(tmp_path):
    association = Association(counts_of(tmp_path, PLACES, window=4), Measure(smoothing=0.75))
    value = association.judge(items()[0], "en").values[0]
    assert value == association.between("grazed", "cow") != association.between("cow", "grazed")
