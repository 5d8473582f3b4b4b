"""Figures over seeds: means of all seeds, pairs with the untuned model, failed seeds said."""

from dataclasses import replace

import pytest

import winoglot as wg
from winoglot.finetune.seeds import Condition, Configuration, TunedSeed, construction_shares
from winoglot.report.figure import Figure
from winoglot.report.tuning import TuningReport, contamination, evidence, learning, tuning_page, verdict
from winoglot.statistics.tally import over_seeds


@pytest.fixture(scope="module")
def collection():
    return wg.load("winoglot-en")[:30]


def answered(collection, name, is_right, kinds=("relative",)):
    """A run whose answers are right where `is_right(number, item)`."""
    made = wg.evaluate(collection, "first", kinds=kinds, progress=False)
    answers = {item.id: item.answer for item in (*collection.items, *collection.variants())}
    predictions = tuple(
        replace(one, choice=answers[one.item_id] if is_right(number, one.item_id) else 1 - answers[one.item_id])
        for number, one in enumerate(made.predictions)
    )
    return replace(made, predictions=predictions, settings=replace(made.settings, model=name, address=name))


@pytest.fixture(scope="module")
def configuration(collection):
    base = answered(collection, "base", lambda number, _: number % 2)
    seeds = [
        TunedSeed(f"s{seed}", seed, (answered(collection, f"s{seed}", rule),), 100, 20, 0.7)
        for seed, rule in enumerate((lambda number, _: number % 4, lambda number, _: number % 3))
    ]
    return Configuration("all", "all", ("data",), tuple(seeds), 100, base=(base,))


def test_a_figure_is_the_mean_over_seeds_and_says_over_what(configuration):
    on = configuration.asked_on()[0]
    made = configuration.estimate("accuracy", on)
    assert made.value == pytest.approx((0.75 + 2 / 3) / 2, abs=0.01)
    assert (made.n, made.method) == (60, "over 2 seeds and 30 schemas")
    assert made.low < made.value < made.high


def test_a_change_is_on_the_same_items_and_nothing_can_be_averaged_of_none(configuration):
    on = configuration.asked_on()[0]
    made = configuration.change("accuracy", on)
    assert made.value == pytest.approx(configuration.estimate("accuracy", on).value - 0.5)
    elsewhere = replace(configuration, base=())
    assert elsewhere.change("accuracy", on).value is None
    same = replace(configuration, seeds=(TunedSeed("same", 0, configuration.base, 100, 20, 0.7),) * 2)
    unchanged = same.change("accuracy", on)
    assert (unchanged.value, unchanged.low < 0 < unchanged.high) == (0.0, True)
    assert over_seeds([]).value is None
    assert configuration.estimate("consistency", on).value is None
    assert configuration.estimate("accuracy", Condition("other", "partial", "naive")).value is None


def test_measures_agree_with_the_metrics_of_a_run(configuration):
    on, run = configuration.asked_on()[0], configuration.seeds[0].runs[0]
    one = replace(configuration, seeds=configuration.seeds[:1])
    for name, kind in (("accuracy", "relative"), ("stability", "relative"), ("delta-accuracy", "relative")):
        made, known = one.estimate(name, on, kind), run.estimate(name, kind=kind)
        assert (made.value, made.low, made.high, made.n) == (known.value, known.low, known.high, known.n)
        assert made.method.endswith(", one seed")
    assert one.estimate("pair-accuracy", on).value == run.estimate("pair-accuracy").value


def test_failed_seeds_count_unless_it_is_said(configuration):
    weak = replace(configuration.seeds[0], accuracy=0.5)
    lost = TunedSeed("s2", 2, missing="no model: the loss is not a number")
    mixed = replace(configuration, seeds=(weak, configuration.seeds[1], lost))
    on = mixed.asked_on()[0]
    assert [one.failure for one in mixed.failed] == [
        "held-out accuracy 50.0%, not above chance", "no model: the loss is not a number",
    ]  # fmt: skip
    assert mixed.estimate("accuracy", on).value == configuration.estimate("accuracy", on).value
    assert [one.name for one in mixed.without_failed.seeds] == ["s1"]
    shown = TuningReport((mixed,), mixed.base)
    figures = tuning_page(shown).shown(Figure)
    assert list(figures) == ["seeds", "without-failed", "changes", "changes-more", "deltas"]
    assert next(figures["seeds"].rows).labels == ("all", "3, 2 failed")


def test_the_verdict_is_about_what_is_best_on_held_out_schemas(configuration, collection):
    all_right = [(answered(collection, f"l{n}", lambda *_: True),) for n in (0, 1)]
    seeds = tuple(TunedSeed(f"l{n}", n, runs, 100, 20, 0.6) for n, runs in enumerate(all_right))
    lucky = replace(configuration, name="lucky", seeds=seeds)
    shown = TuningReport((lucky, configuration), configuration.base)
    assert evidence(shown).startswith("all, the best on held-out schemas (70.0%): +")
    assert verdict(shown) == "Fine-tuning shows no clear gain on winoglot-en"  # two seeds cannot show one
    (untuned, *seeds) = tuning_page(shown).result.values["example"]["solvers"]
    assert (untuned[0], [name for name, _ in seeds]) == ("untuned", ["seed 0", "seed 1"])
    alone = replace(configuration, seeds=configuration.seeds[:1])
    assert "(70.0%), with a single seed: " in evidence(TuningReport((alone,), alone.base))


def test_collections_with_few_items_or_no_variants_stay_in_the_background(configuration, collection):
    few = replace(collection[:5], name="few")
    runs = [answered(few, name, lambda *_, value=name != "base": value, ()) for name in ("base", "s0", "s1")]
    pairs = zip(configuration.seeds, runs[1:], strict=True)
    seeds = tuple(replace(one, runs=(*one.runs, run)) for one, run in pairs)
    both = replace(configuration, seeds=seeds, base=(*configuration.base, runs[0]))
    shown = TuningReport((both,), both.base)
    columns = {figure.name: figure.columns for figure in tuning_page(shown).shown(Figure).values()}
    assert columns["seeds"] == ("winoglot-en", "few")
    assert columns["deltas"] == ("winoglot-en",)
    assert both.change("accuracy", both.asked_on()[1]).value == 1.0
    assert "few" not in evidence(shown)  # ten items that are all right say little


def test_a_curve_needs_numbers_of_items_that_differ_visibly(configuration):
    def curves(items):
        seeds = tuple(replace(one, items=items) for one in configuration.seeds)
        other = replace(configuration, name="other", seeds=seeds, size=items)
        return learning(TuningReport((configuration, other), configuration.base))

    assert curves(configuration.items + 1) is None
    assert curves(10 * configuration.items).plots["curves"].panels


def test_constructions_are_counted_by_the_rules_of_the_language(collection):
    found = construction_shares(collection)
    assert (found.items, set(found.shares)) == (60, {"passive", "relative"})
    assert construction_shares(replace(collection, language="xx")) is None


def test_the_power_of_a_test_is_how_often_it_fires(configuration):
    def row(model, quantity, **more):
        about = {"measure": "contamination", "collection": "c", "model": model, "quantity": quantity}
        return {**about, "value": 0.2, **more}

    rows = [
        row("s0", "margin-difference", low=0.1),
        row("s1", "margin-difference", low=-0.1),
        row("base", "margin-difference", low=-0.3),
        row("s0", "order", texts="published", p=0.01),
        row("s0", "order", texts="rewrite", p=0.01),
        row("s0", "margin", low=0.1),
        row("s1", "min-k-difference", low=None) | {"value": None},
    ]
    shown = TuningReport((configuration,), configuration.base, {}, rows, {"s0": {"c"}, "s1": {"c"}})
    power = contamination(shown).tables["power"]
    assert [(one[0], *one[2:5], one[5].estimate.value) for one in power.rows] == [
        ("margin", "all", "yes", 2, 0.5),
        ("margin", "base", "no", 1, 0.0),
        ("margin", "all that have not learnt it", "no", 1, 0.0),
        ("order", "all", "yes", 1, 1.0),
    ]
