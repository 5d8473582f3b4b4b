"""A leaderboard by the mean over shared collections: what rank ranges promise, whatever the answers."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.made_runs import pairs_of, run_of
from winoglot.report.findings import cautions, groups
from winoglot.report.ranking import every_gap
from winoglot.report.summary import summarise
from winoglot.runs.comparing import compare

GOOD, COIN, POOR, NONE = [(1, 1)] * 30, [(0, 1)] * 30, [(0, 0)] * 30, [(None, None)] * 30


def ranking_of(*made):
    """The ranking of models with outcomes in some languages."""
    runs = [run_of(pairs_of(outcomes), name, name=f"made-{tag}", language=tag) for name, tag, outcomes in made]
    return summarise(runs).ranking


def names(places):
    return [place.solver.name for place in places]


answers = st.lists(st.tuples(*[st.sampled_from((0, 1, 1, None))] * 2), min_size=12, max_size=12)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(answers, answers), min_size=2, max_size=5))
def test_a_rank_is_one_more_than_those_that_are_better_to_all_but_those_that_are_worse(models):
    found = ranking_of(
        *((f"m{at}", tag, made) for at, pair in enumerate(models) for tag, made in zip(("en", "fr"), pair, strict=True))
    )
    assert len(found.places) == len(models)
    means = [place.mean.value for place in found.places]
    assert means == sorted(means, reverse=True)
    for at, place in enumerate(found.places, 1):
        better = [gap.first for gap in found.gaps if gap.second == place.solver and gap.corrected_p <= 0.05]
        worse = [gap.second for gap in found.gaps if gap.first == place.solver and gap.corrected_p <= 0.05]
        assert (place.best, place.worst) == (1 + len(better), len(models) - len(worse))
        assert 1 <= place.best <= at <= place.worst <= len(models)
        assert place.mean.low <= place.mean.value <= place.mean.high
    assert found.places[0].best == 1
    assert found.places[-1].worst == len(models)
    assert len(found.gaps) == len(models) * (len(models) - 1) // 2


def test_the_mean_counts_each_collection_the_same():
    found = ranking_of(("m", "en", GOOD), ("m", "fr", COIN[:10]))
    assert found.places[0].mean.value == pytest.approx((1 + 0.5) / 2)
    assert found.places[0].mean.n == 80


MIXED = [(1, 1)] * 12 + [(0, 1)] * 6 + [(0, 0)] * 4


def of_one_origin(second_name, prefix, language="pt"):
    """The rankings on one collection, and on it and another with the same outcomes, made from the same schemas."""
    rankings = []
    for names_of in (("wsc273-en",), ("wsc273-en", second_name)):
        runs = []
        for model, outcomes in (("m", MIXED), ("n", MIXED[::-1])):
            for name in names_of:
                about = (
                    {"language": "en", "prefix": "s"}
                    if name == "wsc273-en"
                    else {"language": language, "prefix": prefix}
                )
                runs.append(run_of(pairs_of(outcomes), model, name=name, **about))
        rankings.append(summarise(runs).ranking)
    return rankings


@pytest.mark.parametrize(
    ("second_name", "prefix", "samples"), [("portuguese_wsc-pt", "p", 2), ("xwinograd-pt", "s", 1)]
)
def test_a_translation_of_the_same_schemas_does_not_make_anything_more_certain(second_name, prefix, samples):
    """Whether the schemas can be aligned, by their parallel ids, or not."""
    alone, both = of_one_origin(second_name, prefix)
    assert len(both.samples) == samples
    for first, second in zip(alone.places, both.places, strict=True):
        assert (second.mean.low, second.mean.high) == pytest.approx((first.mean.low, first.mean.high))
        assert second.test.value == pytest.approx(first.test.value)
    assert both.gaps[0].test.value == pytest.approx(alone.gaps[0].test.value)
    low, high = alone.gaps[0].difference.low, alone.gaps[0].difference.high
    assert (both.gaps[0].difference.low, both.gaps[0].difference.high) == pytest.approx((low, high), abs=0.02)


def test_other_schemas_do():
    alone, both = of_one_origin("fresh-pt", "p")
    assert len(both.samples) == 1
    width, width_alone = (ranking.places[0].mean.high - ranking.places[0].mean.low for ranking in (both, alone))
    assert width < 0.8 * width_alone


def test_sentences_of_one_origin_under_other_ids_are_aligned_by_content():
    english = run_of(pairs_of(MIXED), "m", name="wsc273-en")
    schemas = [
        replace(
            schema,
            id=f"x{schema.id}",
            items=tuple(
                replace(item, schema_id=f"x{schema.id}", id=f"x{item.id}", parallel_id=f"x{item.id}")
                for item in schema.items
            ),
        )
        for schema in english.collection.schemas
    ]
    copy = replace(english.collection, name="english_wsc-en", schemas=tuple(schemas))
    again = replace(
        english, source=copy, predictions=tuple(replace(p, item_id=f"x{p.item_id}") for p in english.predictions)
    )
    alone, both = summarise([english]).ranking, summarise([english, again]).ranking
    assert len(both.samples) == 1
    assert (both.places[0].mean.low, both.places[0].mean.high) == pytest.approx(
        (alone.places[0].mean.low, alone.places[0].mean.high)
    )


def test_one_collection_gives_the_numbers_of_a_comparison():
    runs = [run_of(pairs_of(GOOD[:4] + COIN), "m"), run_of(pairs_of(COIN + POOR[:4]), "n")]
    found = summarise(runs)
    gap, compared = found.ranking.gaps[0], compare(*runs)
    assert gap.test == compared.test
    assert gap.difference.value == compared.difference.value
    (first, second), (one, other) = found.ranking.places, found.runs
    assert (first.mean.value, first.mean.low, first.mean.high) == (
        one.accuracy.value,
        one.accuracy.low,
        one.accuracy.high,
    )
    assert second.mean.value == other.accuracy.value


def test_translations_are_resampled_together():
    """Answers that are wrong in the same schemas of both languages say less than answers that are wrong in others."""
    half = COIN[:15] + GOOD[:15]
    alike = ranking_of(("m", "en", half), ("m", "fr", half)).places[0].mean
    apart = ranking_of(("m", "en", half), ("m", "fr", half[::-1])).places[0].mean
    assert alike.value == apart.value
    assert alike.high - alike.low > apart.high - apart.low
    assert "over 30 schemas" in alike.method


def test_models_are_ranked_over_what_they_share_and_others_are_listed():
    found = ranking_of(("m", "en", GOOD), ("m", "fr", COIN), ("n", "en", COIN), ("n", "fr", COIN), ("o", "en", GOOD))
    assert [column.source.language for column in found.columns] == ["en", "fr"]
    assert (names(found.places), [solver.name for solver in found.unranked]) == (["m", "n"], ["o"])
    english = ranking_of(("m", "en", COIN), ("m", "fr", GOOD), ("n", "en", GOOD), ("o", "en", GOOD))
    assert [column.source.language for column in english.columns] == ["en"]
    assert names(english.places) == ["n", "o", "m"]


def test_runs_that_share_no_collection_are_not_ranked_together():
    found = ranking_of(("m", "en", GOOD), ("n", "fr", GOOD))
    assert (names(found.places), [solver.name for solver in found.unranked]) == ([], ["m", "n"])


def test_a_model_that_only_abstains_is_the_last_and_the_gap_says_why():
    found = ranking_of(("mute", "en", NONE), ("m", "en", COIN))
    assert names(found.places) == ["m", "mute"]
    assert found.gaps[0].is_clear
    assert found.gaps[0].is_by_abstaining


def test_bold_are_those_not_significantly_below_the_highest_of_a_collection():
    found = ranking_of(("m", "en", GOOD), ("m", "fr", POOR), ("n", "en", POOR), ("n", "fr", GOOD))
    assert {(solver.name, key) for solver, key in found.tops} == {("m", "made-en"), ("n", "made-fr")}


def test_every_two_are_compared_where_both_were_asked():
    made = (("m", "en", GOOD), ("m", "fr", POOR), ("n", "en", POOR), ("n", "fr", POOR), ("only", "en", COIN))
    found = summarise(
        [run_of(pairs_of(outcomes), name, name=f"made-{tag}", language=tag) for name, tag, outcomes in made]
    )
    gaps = every_gap(found.runs, found.columns)
    pairs = {key: [(gap.first.name, gap.second.name) for gap in of_column] for key, of_column in gaps.items()}
    assert pairs == {"": [("m", "n")], "made-en": [("m", "only"), ("m", "n"), ("only", "n")], "made-fr": [("m", "n")]}
    assert gaps[""][0].difference.value == pytest.approx(0.5)
    assert gaps["made-fr"][0].difference.value == 0


def test_unlabelled_items_rank_nobody():
    run = run_of(pairs_of(GOOD), "m")
    items = tuple(
        replace(schema, items=tuple(replace(item, answer=None) for item in schema.items))
        for schema in run.source.schemas
    )
    found = summarise([replace(run, source=replace(run.source, schemas=items))]).ranking
    assert (found.places, found.best, len(found.main)) == ((), None, 1)


def test_a_model_that_learnt_or_drafted_what_it_was_asked_is_listed_and_not_ranked():
    runs = [run_of(pairs_of(answers), name) for name, answers in (("m", COIN), ("n", POOR), ("drafter", GOOD))]
    overlap = {"overlapping": 2, "items": 60, "drafted": 2}
    runs[2] = replace(runs[2], settings=replace(runs[2].settings, overlap=overlap))
    found = summarise(runs)
    assert names(found.ranking.places) == ["m", "n"]
    assert names(found.ranking.others) == ["drafter"]
    titles = {title: [solver.name for solver in solvers] for title, solvers in groups(found).items()}
    assert titles["Not ranked: asked about what they learnt or drafted"] == ["drafter"]
    assert any("as what it drafted itself" in sentence for sentence in cautions(found))
