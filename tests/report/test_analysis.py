"""The page of an analysis says no more than its numbers, whether there is one solver, several, or no number at all."""

from types import SimpleNamespace

import pytest

import winoglot as wg
from six_schemas import six
from winoglot.analysis.analyse import Analysis
from winoglot.report.analysis import Finding, analysis_page, measure_section, reasons
from winoglot.report.rendering import said
from winoglot.runs.results import Result
from winoglot.statistics.intervals import Estimate


def row(quantity="delta", value=0.0, model="m", *, kind="tense", measure="sensitivity", reason="", **numbers):
    """A row of 100 items; its interval is narrow."""
    estimate = Estimate(value, value - 0.01, value + 0.01, 100, "BCa") if not reason else Estimate.undefined(reason)
    about = {"model": model, "collection": "c", "language": "en", "scoring": "full", "readings": "naive"}
    return Result(**about, metric=quantity, measure=measure, kind=kind, estimate=estimate, numbers=numbers)


def mean(value, p, model="m"):
    return row("mean-delta", value, model, kind="all", p=p, kinds=2.0, detectable=None)


def change(value, p, kind="tense", model="m"):
    return row("delta", value, model, kind=kind, p=p, corrected_p=p)


VERDICTS = [
    ([mean(0.0, 1.0)], "Other wordings do not clearly change the accuracy of m"),
    ([mean(-0.1, 0.01)], "Other wordings lower the accuracy of m"),
    ([mean(0.1, 0.01)], "Other wordings raise the accuracy of m"),
    ([mean(-0.1, 0.04), mean(0.0, 1.0, "n")], "Other wordings do not clearly change the accuracy of either solver"),
    ([mean(-0.1, 0.01), mean(0.0, 1.0, "n")], "Other wordings lower the accuracy of m"),
    ([mean(-0.1, 0.01), mean(-0.2, 0.01, "n")], "Other wordings lower the accuracy of both solvers"),
    ([mean(-0.1, 0.001), mean(0.2, 0.001, "n")], "Other wordings change the accuracy of both solvers"),
    ([mean(-0.1, 0.001, x) for x in "mno"], "Other wordings lower the accuracy of all 3 solvers"),
    (
        [mean(-0.1, 0.001), mean(-0.1, 0.001, "n"), mean(0.0, 1.0, "o")],
        "Other wordings lower the accuracy of 2 of 3 solvers",
    ),
    ([mean(0.0, 1.0, x) for x in "mno"], "Other wordings do not clearly change the accuracy of any of the 3 solvers"),
    (
        [mean(-0.1, 0.01), row("mean-delta", 0.0, "n", kind="all", reason="no variants")],
        "Other wordings lower the accuracy of m",
    ),
    ([row("mean-delta", 0.0, kind="all", reason="no variants")], "Nothing could be measured here"),
]


@pytest.mark.parametrize(("rows", "verdict"), VERDICTS, ids=[verdict for _, verdict in VERDICTS])
def test_the_verdict_is_corrected_for_the_number_of_solvers(rows, verdict):
    page = analysis_page(Analysis(tuple(rows)))
    assert page.result.title == verdict
    assert verdict in page.html("analysis.html")


def test_without_a_change_to_measure_the_reason_is_the_evidence():
    rows = [row("mean-delta", kind="all", reason="no variants"), row("accuracy", 0.5, kind="original")]
    page = analysis_page(Analysis(tuple(rows)))
    assert page.result.title == "No change of accuracy could be measured"
    assert page.evidence == ("Without a number: no variants.",)
    alone = analysis_page(Analysis(tuple(mentions(0.9))))  # without that measure, the first title is the verdict
    assert alone.result.title == "The first mention seems to be preferred by m"


TITLES = [
    ("sensitivity", [change(0.0, 1.0)], "This rewording does not clearly change the accuracy of m"),
    ("sensitivity", [change(0.0, 1.0), change(0.0, 1.0, "voice")], "No rewording clearly changes the accuracy of m"),
    ("sensitivity", [change(-0.1, 0.01), change(0.0, 1.0, "voice")], "Accuracy falls with tense"),
    ("sensitivity", [change(-0.1, 0.01), change(0.1, 0.01, "voice")], "Accuracy changes with voice and tense"),
    ("sensitivity", [change(-0.1, 0.01), change(0.0, 1.0, model="n")], "Accuracy seems to fall with tense (m)"),
    (
        "sensitivity",
        [change(0.1, 0.01, kind) for kind in ("tense", "voice", "adverb", "number")] + [change(0.0, 1.0, "gender")],
        "Accuracy rises in 4 of 5 tests of a rewording",
    ),
    ("sensitivity", [row("accuracy", 0.5, kind="original")], "Sensitivity to other wordings"),
]


@pytest.mark.parametrize(("measure", "rows", "title"), TITLES, ids=[title for *_, title in TITLES])
def test_the_title_of_a_measure_is_what_it_found(measure, rows, title):
    assert measure_section(measure, Analysis(tuple(rows))).title == title


def mentions(*values):
    return [
        row("first-mention", value, name, kind="original", measure="preference")
        for value, name in zip(values, "mno", strict=False)
    ]


@pytest.mark.parametrize(
    ("rows", "title"),
    [
        (mentions(0.5), "No clear preference of m for the first or the second mention"),
        (mentions(0.5, 0.5), "No clear preference of either solver for the first or the second mention"),
        (mentions(0.9), "The first mention seems to be preferred by m"),
        (mentions(0.1, 0.5), "The second mention seems to be preferred by m"),
        (mentions(0.9, 0.9), "The first mention seems to be preferred by both solvers"),
        (mentions(0.9, 0.1), "The first mention seems to be preferred by m, the second by n"),
        (mentions(0.9, 0.9, 0.5), "The first mention seems to be preferred by 2 of 3 solvers"),
    ],
)
def test_a_preference_is_named_with_those_who_have_it(rows, title):
    assert measure_section("preference", Analysis(tuple(rows))).title == title


@pytest.mark.parametrize(
    ("sentence", "finding", "title"),
    [
        ("marginal", {}, "No sign that clear successes have clearly failed twins more or less often than by chance"),
        (
            "marginal",
            {"above": ["m"]},
            "Clear successes seem to have clearly failed twins more often than by chance for m",
        ),
        (
            "marginal",
            {"below": ["m"]},
            "Clear successes seem to have clearly failed twins less often than by chance for m",
        ),
        ("probability", {"values": [0.9]}, "A candidate’s scores, when right and when wrong, correlate with ρ = 0.90"),
        (
            "probability",
            {"values": [0.9, -0.2]},
            "A candidate’s scores, when right and when wrong, correlate with ρ = −0.20 to 0.90",
        ),
        (
            "distribution",
            {"values": [0.1, 0.3]},
            "Rewording moves the prediction at the pronoun by 0.10 to 0.30 of at most 1",
        ),
        ("representation", {"values": [0.0]}, "Rewording moves the representation of the text by 0.00 (0: not at all)"),
        (
            "association_divergence",
            {"values": [0, 0]},
            "No rewording clearly changes how far association favours the answer",
        ),
        ("association_divergence", {"below": ["tense"]}, "Association seems to favour the answer less after tense"),
        (
            "association_divergence",
            {"above": ["voice"], "below": ["tense"]},
            "Association seems to favour the answer more after voice, less after tense",
        ),
    ],
)
def test_the_other_measures(sentence, finding, title):
    rows = [SimpleNamespace(estimate=SimpleNamespace(value=value)) for value in finding.pop("values", [0.5])]
    assert said(f"found_{sentence}", Finding(rows, solvers=["m"], **finding)) == title


@pytest.mark.parametrize(
    ("tests", "title"),
    [
        ([False], "The only test does not suggest that m has read the collection"),
        ([True], "The only test suggests that m has read the collection"),
        ([False, False], "Neither of the 2 tests suggests that m has read the collection"),
        ([True, False, False], "1 of the 3 tests suggests that m has read the collection"),
        ([True, True, True], "3 of the 3 tests suggest that m has read the collection"),
    ],
)
def test_tests_for_contamination_suggest_and_prove_nothing(tests, title):
    assert said("found_contamination", Finding([], solvers=["m"]), tests) == title


def test_few_items_make_no_finding():
    few = Result(
        "m", "c", "en", "full", "naive", "first-mention", Estimate(1.0, 0.8, 1.0, 9, "exact"), measure="preference"
    )
    assert measure_section("preference", Analysis((few,))).title == "Too few items to say anything"


def test_a_reason_is_said_once_with_those_that_it_is_about():
    rows = [row(model=model, reason=f"{model} gave choices, not scores") for model in "mn" for _ in range(3)]
    assert reasons(rows) == ["m, n: gave choices, not scores"]
    assert reasons(rows[:3]) == ["m gave choices, not scores"]
    assert reasons([row(reason="no counts"), row(model="n", reason="no counts")]) == ["no counts"]
    assert reasons([row(reason="no counts"), row(model="n")]) == ["m: no counts"]


def test_the_example_shows_the_finding():
    page = analysis_page(wg.analyse(six("en"), ["first", "longer"], kinds="relative", renamed=0, progress=False))
    shown = page.result.values["example"]
    assert all(before == after for _, (before, after) in shown["solvers"])  # no rewording clearly changes accuracy
    assert shown["why"] == "picked because both solvers make the same choice in both wordings"
    assert shown["id"] in page.html("analysis.html")
