from dataclasses import replace

from metrics.made_runs import Made, run_of
from winoglot.metrics.accuracy import accuracy
from winoglot.metrics.robustness import position_preference
from winoglot.runs.results import abstentions, cell, results_of, subset_results

KINDS = ("tense", "segment-masked")


def made_run(**keys):
    item = Made(answer=1, choice=1, variants=(("tense", 1), ("segment-masked", 0)))
    silent = replace(item, variants=(("tense", None), ("segment-masked", 1)))
    return run_of([[item, item], [item, silent]], kinds=KINDS, **keys)


def of_kind(run, kind, **options):
    return {row.metric: row for row in results_of(run, **options) if row.kind == kind}


def test_a_kind_has_the_metrics_that_apply_to_it():
    run = made_run()
    tense, masked = (of_kind(run, kind) for kind in KINDS)
    assert (list(tense), {row.abstained for row in tense.values()}) == (
        ["accuracy", "delta-accuracy", "stability"], {1},
    )  # fmt: skip
    assert (tense["accuracy"].estimate, tense["accuracy"].value) == (accuracy.of(run, "tense"), 3 / 4)
    assert (tense["delta-accuracy"].value, tense["stability"].value) == (-1 / 4, 1)
    assert "accuracy" not in masked
    preference = masked["position-preference"]
    assert (preference.estimate, preference.value, preference.abstained) == (position_preference.of(run), 3 / 4, 0)


def test_originals_come_first_then_kinds_in_the_order_they_were_asked():
    run = made_run()
    turned = replace(run, settings=replace(run.settings, kinds=KINDS[::-1]))
    assert list(dict.fromkeys(row.kind for row in results_of(turned))) == ["original", "segment-masked", "tense"]
    assert {row.kind for row in results_of(run, kinds=())} == {"original"}


def test_a_kind_that_none_of_the_drawn_schemas_has_has_no_rows():
    assert of_kind(run_of([[Made()]], kinds=("segment-masked",)), "segment-masked") == {}


def test_the_interval_is_the_one_asked_for():
    rows = results_of(made_run(), interval="wilson")
    methods = {(row.kind, row.metric): row.method for row in rows}
    assert methods["tense", "accuracy"].startswith("Wilson")
    assert methods["segment-masked", "position-preference"].startswith("Wilson")
    assert methods["tense", "delta-accuracy"].startswith("BCa")


def test_named_metrics_are_given_in_their_order_even_if_tables_do_not_show_them():
    rows = results_of(made_run(), metrics=("stability", "success", "pair_accuracy"))
    assert [(row.kind, row.metric) for row in rows if row.kind != "segment-masked"] == [
        ("original", "success"), ("original", "pair-accuracy"), ("tense", "stability"),
    ]  # fmt: skip


def test_subsets_have_the_accuracy_and_abstentions_of_their_items():
    run = run_of([[Made(choice=1, tags=("associative",)), Made(choice=None, tags=("associative",))], [Made()]])
    (row,) = subset_results(run, ["associative", "no such subset"])
    assert (row.subset, row.kind, row.n, row.abstained) == ("associative", "original", 2, 1)


def test_a_cell_is_in_the_unit_of_its_metric():
    row = next(iter(results_of(made_run())))
    assert cell(row) == "100.0 [16, 100]"
    assert cell(replace(row, metric="renamed-sd")) == "1.0 [0.2, 1.0]"


def test_an_unlabelled_item_is_no_abstention():
    unlabelled = Made(answer=None, choice=None)
    run = run_of([[Made(choice=None), unlabelled], [Made(), unlabelled]])
    assert (abstentions(run), run.accuracy().n) == (1, 2)
    assert abstentions(run_of([[unlabelled]])) == 1  # nothing is labelled: all that was asked counts
