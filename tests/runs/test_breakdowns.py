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


def test_a_kind_has_its_accuracy_or_where_it_removes_the_answer_the_preference_for_a_mention():
    run = made_run()
    tense, masked = by_kind(run)
    assert (tense.kind, tense.abstained, tense.position_preference) == ("tense", 1, None)
    assert (tense.accuracy, tense.accuracy.value) == (accuracy(run, "tense"), 3 / 4)
    assert (masked.kind, masked.abstained, masked.accuracy.value) == ("segment-masked", 0, None)
    assert (masked.position_preference, masked.position_preference.value) == (position_preference(run), 3 / 4)


def test_kinds_come_in_the_order_they_were_asked_and_without_any_there_is_nothing():
    run = made_run()
    turned = replace(run, settings=replace(run.settings, kinds=KINDS[::-1]))
    assert [one.kind for one in by_kind(turned)] == ["segment-masked", "tense"]
    assert by_kind(replace(run, settings=replace(run.settings, kinds=()))) == []


def test_a_kind_that_none_of_the_drawn_schemas_has_is_undefined():
    run = run_of([[Made()]], kinds=("segment-masked",))
    (masked,) = by_kind(run)
    assert (masked.accuracy.n, masked.position_preference, masked.abstained) == (0, None, 0)


def test_the_interval_is_the_one_asked_for():
    tense, masked = by_kind(made_run(), interval="wilson")
    assert tense.accuracy.method.startswith("Wilson")
    assert masked.position_preference.method.startswith("Wilson")
