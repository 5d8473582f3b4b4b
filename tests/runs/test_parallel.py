"""The same schemas in several languages: what is right in all of them, and how far languages agree."""

from itertools import combinations, product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.made_runs import Made, pairs_of, run_of
from winoglot import InputError
from winoglot.runs.parallel import parallel
from winoglot.statistics.significance import holm


def in_language(tag, schemas, model="m", **keys):
    """A run on the same schemas, with the same ids, in a language."""
    kinds = tuple(dict.fromkeys(kind for items in schemas for made in items for kind, _ in made.variants))
    return run_of(schemas, model, name=f"made-{tag}", language=tag, kinds=kinds, **keys)


def with_synonyms(pairs):
    """Schemas of items with a synonym variant, both right (1) or wrong (0); an item without one is a number alone."""

    def item(outcome):
        right, *variants = outcome if isinstance(outcome, tuple) else (outcome,)
        return Made(choice=1 - right, variants=tuple(("synonym", 1 - variant) for variant in variants))

    return [list(map(item, pair)) for pair in pairs]


def only(results, **values):
    [row] = results.where(**values)
    return row


def test_two_languages_by_hand():
    english = in_language("en", pairs_of([(1, 1), (1, 1), (1, 0), (0, 0)]))
    french = in_language("fr", pairs_of([(1, 1), (1, 0), (1, 0), (1, 0)]))
    results = parallel([english, french])
    whole, agreement, kappa = results
    assert (whole.metric, whole.value, whole.n, whole.language) == ("parallel-accuracy", 1 / 4, 4, "en+fr")
    assert whole.numbers == {"independent": (2 / 4) * (1 / 4)}
    assert (agreement.metric, agreement.value, agreement.n) == ("agreement", 6 / 8, 8)
    by_chance = (5 * 5 + 3 * 3) / 64  # five of eight are right in either language
    assert (kappa.metric, kappa.value) == ("kappa", pytest.approx((6 / 8 - by_chance) / (1 - by_chance)))
    assert {row.collection for row in results} == {"made"}
    assert repr(results) == "<Results of m: 3 estimates of parallel-accuracy, agreement, kappa>"
    assert list(results.to_frame()["quantity"]) == ["parallel-accuracy", "agreement", "kappa"]


def test_an_abstention_is_not_right():
    french = in_language("fr", pairs_of([(0, 1), (1, 0)]))
    silent, wrong = (in_language("en", pairs_of([(first, 1), (1, 1)])) for first in (None, 0))
    assert [row.estimate for row in parallel([silent, french])] == [row.estimate for row in parallel([wrong, french])]


def test_a_variant_in_the_same_language_is_the_ceiling_and_the_difference_is_paired_by_schema():
    english = with_synonyms([((1, 1), (1, 1)), ((1, 1), (0, 0)), ((0, 0), (1, 0)), (1, 1), ((0, 0), 0)])
    french = with_synonyms([(0, 0), ((1, 1), 1), (1, 1), (1, 0), (0, 0)])
    results = parallel([in_language("en", english), in_language("fr", french)])
    assert only(results, quantity="agreement", kind="synonym", language="en").value == 6 / 7
    assert only(results, quantity="agreement", kind="synonym", language="fr").value == 1
    assert only(results, quantity="agreement", kind="synonym", language="en+fr").value == pytest.approx((6 / 7 + 1) / 2)
    assert only(results, quantity="agreement", kind="synonym", language="en+fr").n == 7  # each item once
    lost = only(results, quantity="agreement-lost")
    # In English, agreement with the variant minus that with French, on the seven items with a variant: by schema
    by_schema = [(2 - 0), (2 - 1), (1 - 1), 0, (1 - 1)]
    of_french = [0, (1 - 1), 0, 0, 0]  # one item has a variant there
    assert lost.value == pytest.approx((sum(by_schema) / 7 + sum(of_french) / 1) / 2)
    totals = [first / 7 + second for first, second in zip(by_schema, of_french, strict=True)]
    flips = [sum(s * t for s, t in zip(signs, totals, strict=True)) for signs in product((1, -1), repeat=5)]
    assert lost.numbers["p"] == pytest.approx(np.mean([abs(total) >= abs(sum(totals)) - 1e-9 for total in flips]))


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 6), st.integers(2, 4), st.randoms(use_true_random=False))
def test_everything_equals_what_a_plain_loop_computes(schemas, languages, random):
    made = [[tuple(random.choice((0, 1, None)) for _ in range(2)) for _ in range(schemas)] for _ in range(languages)]
    tags = ["en", "fr", "pt", "zh"][:languages]
    results = parallel([in_language(tag, pairs_of(pairs)) for tag, pairs in zip(tags, made, strict=True)])
    whole = [[pair == (1, 1) for pair in pairs] for pairs in made]
    together = only(results, quantity="parallel-accuracy")
    assert together.value == pytest.approx(np.mean(np.all(whole, axis=0)))
    assert together.numbers["independent"] == pytest.approx(prod(np.mean(each) for each in whole))
    right = [[value == 1 for pair in pairs for value in pair] for pairs in made]
    shares, kappas = [], []
    for first, second in combinations(range(languages), 2):
        share = np.mean([a == b for a, b in zip(right[first], right[second], strict=True)])
        p, q = np.mean(right[first]), np.mean(right[second])
        chance = p * q + (1 - p) * (1 - q)
        shares.append(share)
        kappas.append(np.nan if chance == 1 else (share - chance) / (1 - chance))
        row = only(results, quantity="agreement", language=f"{tags[first]}+{tags[second]}")
        assert row.value == pytest.approx(share)
    assert only(results, quantity="agreement", language="+".join(tags)).value == pytest.approx(np.mean(shares))
    kappa = only(results, quantity="kappa", language="+".join(tags))
    assert kappa.value == (None if np.isnan(kappas).any() else pytest.approx(np.mean(kappas)))


def test_only_items_that_all_languages_have_count():
    long, short = pairs_of([(1, 1), (1, 0), (0, 0)]), pairs_of([(1, 1), (1, 0)])
    results = parallel([in_language("en", long), in_language("fr", short)])
    assert [row.n for row in results] == [2, 4, 4]


def test_languages_can_be_chosen_with_or_without_their_region():
    runs = [in_language(tag, pairs_of([(1, 1), (1, 0), (0, 1)])) for tag in ("en", "pt-BR", "zh")]
    assert {row.language for row in parallel(runs, languages=["zh", "pt"])} == {"zh+pt-BR"}
    with pytest.raises(InputError, match=r"no run in 'de'.*en, pt-BR, zh"):
        parallel(runs, languages=["en", "de"])
    with pytest.raises(InputError, match="two languages or more"):
        parallel(runs, languages=["pt", "pt-BR"])


def test_every_solver_has_rows_of_its_own_and_p_values_are_corrected_together():
    apart = with_synonyms([((1, 1), (0, 0))] * 8), with_synonyms([((0, 0), (1, 1))] * 8)
    runs = [
        in_language(tag, made, model) for model in ("m", "n") for tag, made in zip(("en", "fr"), apart, strict=True)
    ]
    lost = parallel(runs).where(quantity="agreement-lost")
    assert [row.model for row in lost] == ["m", "n"]
    assert [row.value for row in lost] == [1, 1]
    assert [row.numbers["p"] for row in lost] == [2 / 2**8] * 2
    assert [row.numbers["corrected_p"] for row in lost] == holm([2 / 2**8] * 2)


def test_runs_that_do_not_belong_together_are_refused_with_the_reason():
    pairs = pairs_of([(1, 1), (1, 0)])
    english, french = in_language("en", pairs), in_language("fr", pairs)
    other = in_language("fr", pairs, scoring="full")
    with pytest.raises(InputError, match="made-en with partial scoring and naive readings but made-fr with full"):
        parallel([english, other])
    with pytest.raises(InputError, match="two parallel collections"):
        parallel([english])
    with pytest.raises(InputError, match="two parallel collections"):
        parallel([])
    with pytest.raises(InputError, match="two parallel collections"):
        parallel([english, run_of(pairs, "m", name="else", language="fr", prefix="t")])
    again = run_of(pairs, "m", name="again", language="en")
    with pytest.raises(InputError, match=r"m has two runs in en, on made-en@.* and again@"):
        parallel([english, french, again])
    with pytest.raises(InputError, match="expected a run"):
        parallel([english, "runs/fr"])


def test_collections_that_are_not_parallel_stay_apart():
    pairs = pairs_of([(1, 1), (1, 0)])
    runs = [
        in_language("en", pairs),
        in_language("fr", pairs),
        run_of(pairs, "m", name="else", language="en", prefix="t"),
    ]
    assert {row.collection for row in parallel(runs)} == {"made"}


def test_row_numbers_are_no_translations():
    english = run_of([[Made(), Made()]], "m", name="one", language="en", prefix="")
    french = run_of([[Made(answer=1), Made(answer=1)]], "m", name="two", language="fr", prefix="")
    with pytest.raises(InputError, match="two parallel collections"):
        parallel([english, french])
