from dataclasses import replace

from metrics.made_runs import Made, run_of
from winoglot.metrics.accuracy import accuracy
from winoglot.metrics.robustness import position_preference
from winoglot.runs.breakdowns import by_kind

KINDS = ("tense", "segment-masked")


def made_run(**keys):
    item = Made(answer=1, choice=1, variants=(("tense", 1), ("segment-masked", 0)))
    silent = replace(item, variants=(("tense", None), ("segment-masked", 1)))
    return run_of([[item, item], [item, silent]], kinds=KINDS, **keys)


def test_a_kind_has_the_metrics_that_apply_to_it():
    run = made_run()
    tense, masked = by_kind(run)
    assert (tense.kind, tense.abstained, list(tense.estimates)) == (
        "tense",
        1,
        ["accuracy", "delta-accuracy", "stability"],
    )
    assert (tense.estimates["accuracy"], tense.estimates["accuracy"].value) == (accuracy.of(run, "tense"), 3 / 4)
    assert (tense.estimates["delta-accuracy"].value, tense.estimates["stability"].value) == (-1 / 4, 1)
    assert (masked.kind, masked.abstained, "accuracy" in masked.estimates) == ("segment-masked", 0, False)
    preference = masked.estimates["position-preference"]
    assert (preference, preference.value) == (position_preference.of(run), 3 / 4)


def test_kinds_come_in_the_order_they_were_asked_and_without_any_there_is_nothing():
    run = made_run()
    turned = replace(run, settings=replace(run.settings, kinds=KINDS[::-1]))
    assert [one.kind for one in by_kind(turned)] == ["segment-masked", "tense"]
    assert by_kind(replace(run, settings=replace(run.settings, kinds=()))) == []


def test_a_kind_that_none_of_the_drawn_schemas_has_has_no_figures():
    (masked,) = by_kind(run_of([[Made()]], kinds=("segment-masked",)))
    assert (masked.estimates, masked.abstained) == ({}, 0)


def test_the_interval_is_the_one_asked_for():
    tense, masked = by_kind(made_run(), interval="wilson")
    assert tense.estimates["accuracy"].method.startswith("Wilson")
    assert masked.estimates["position-preference"].method.startswith("Wilson")
