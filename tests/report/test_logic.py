"""The report on models for pairs: numbers side by side are of the same pairs, and none is without its interval."""

import re

import pytest

from report.made_logic import better, coin, good, model
from winoglot.finetune.seeds import Condition, Configuration, TunedSeed
from winoglot.report.logic import LogicReport, evidence, example, learning, logic_page, results_csv, verdict
from winoglot.report.rendering import said
from winoglot.report.tables import Table


def tables(shown):
    return logic_page(shown).shown(Table)


def panels(shown):
    return learning(shown).plots["curves"].panels


def test_models_beside_each_other_have_answered_the_same_pairs():
    shown = LogicReport((model("here", good), model("everywhere", better, languages="en pt")))
    made = tables(shown)
    english, portuguese = made["families-en"], made["families-pt"]
    assert english.headings == ("task", "family", "here", "everywhere")
    assert portuguese.headings == ("task", "family", "everywhere")
    assert {cell.estimate.n for row in english.rows for cell in row[2:]} == {30}
    assert [row[:2] for row in english.rows] == [("negation", "stated"), ("negation", "denied")]
    assert "here (1 of 2 sets) 90.0" in evidence(shown)
    assert "everywhere 93.3" in evidence(shown)


def test_the_headline_names_the_best_on_validation_pairs_unless_none_is_above_chance_or_several_are_best():
    guessing, able = model("guessing", coin, validation=0.5), model("able", good, validation=0.8)
    assert verdict(LogicReport((guessing, able))) == "able is above chance"
    lucky = model("lucky", coin, validation=0.9)
    assert verdict(LogicReport((able, lucky))) == "lucky is not above chance"  # the test selects nothing
    control = model("able c", good, control="shuffled-labels", entry="able")
    other = model("other", coin, validation=0.5, languages="en pt")
    assert verdict(LogicReport((guessing, control))) == "No model is above chance"
    assert verdict(LogicReport((guessing, other))) == "No model is above chance on any of 2 sets"
    untrained = [model(name, rule, validation=None) for name, rule in (("one", coin), ("two", good))]
    assert verdict(LogicReport(tuple(untrained))) == "1 of 2 models is above chance"
    both = model("both", good, languages="en pt")
    assert verdict(LogicReport((both,))) == "both is above chance on both sets"


def test_the_line_below_the_headline_has_intervals_their_n_and_their_method():
    shown = LogicReport((model("able", good, better, coin), model("guessing", coin)))
    told = evidence(shown).replace("\u00a0", " ")
    assert re.fullmatch(
        r"Accuracy, in percent: able 77\.8 \[\d+\.\d, \d\d\.\d\], guessing 50\.0 \[\d\d\.\d, \d\d\.\d\]\. "
        r"n = 60\. 95% intervals: over seeds and twin groups, exact \(Clopper-Pearson\)\.",
        told,
    )


def curves():
    """Two models with several sizes, one asked more than the other; one with a single size; controls."""
    return LogicReport(
        (
            model("bag 100", coin, size=100, entry="bag", languages="pt en"),
            model("bag 1000", good, size=1000, entry="bag", languages="en"),
            model("gru 100", coin, coin, size=100, entry="gru", languages="en"),
            model("gru 1000", good, better, size=1000, entry="gru", languages="en"),
            model("gru c", coin, size=100, entry="gru", control="shuffled-labels"),
            model("lstm 100", good, size=100, entry="lstm", languages="en pt"),
            model("lstm 1000", good, size=1000, entry="lstm", languages="en pt"),
            model("single", good, entry="single"),
            model("single c", coin, entry="single", control="shuffled-labels"),
            model("apart", coin, size=1000, entry="apart", control="premise-only"),
        )
    )


def test_a_curve_has_the_same_colour_everywhere_and_a_control_the_name_of_its_model():
    english, portuguese = (
        {line["label"]: line["style"] for line in panel.drawn["lines"]}
        for panel in sorted(panels(curves()), key=lambda panel: panel.title)
    )
    controls = {"gru, shuffled-labels": "control", "apart, premise-only": "control"}
    assert english == {"bag": "line0", "gru": "line1", "lstm": "line2"} | controls
    assert portuguese == {"bag": "line0", "lstm": "line2"}


def test_no_panel_is_drawn_without_a_curve():
    sizes = [
        model(f"bag {size}", coin, size=size, entry="bag", languages=asked)
        for size, asked in ((100, "en pt"), (1000, "en"))
    ]
    (panel,) = panels(LogicReport((*sizes, model("single", good, languages="en pt"))))
    assert panel.title == "negation-en: accuracy"


def test_curves_and_tables_have_the_same_intervals():
    shown = curves()
    row = next(row for row in tables(shown)["accuracy-en"].rows if row[0] == "gru 100")
    column = Condition("negation-en", "labels", "pairs")
    same = next(one for one in shown.configurations if one.name == "gru 100")
    assert shown.estimate(same, "accuracy", column) == row[-1].estimate
    assert row[-1].estimate.method.endswith("2 identical seeds")
    panel = next(panel for panel in panels(shown) if panel.title == "negation-en: accuracy")
    points = {line["label"]: line["points"][0] for line in panel.drawn["lines"]}
    assert (points["gru"]["low"], points["gru"]["high"]) == (points["bag"]["low"], points["bag"]["high"])


def test_every_seed_has_a_note_and_its_validation_accuracy_is_a_number():
    seeds = tables(LogicReport((model("weak", coin, validation=0.5),)))["seeds-list"]
    assert seeds.headings[-1] == "note"
    assert seeds.texts()[0][-1] == "not above chance"
    assert seeds.texts()[0][4] == "50.0"
    assert seeds.is_number(4)


def test_the_transfer_figure_says_what_its_intervals_are_and_what_is_blue():
    shown = LogicReport((model("crossed", good, languages="en pt"),))
    page = logic_page(shown).html("report.html")
    figure = page.partition('id="transfer-figure"')[2].partition("</figure>")[0]
    assert len(re.findall(r">90\.0<small>\d\d\.\d–\d\d\.\d</small></td>", figure)) == 2
    for told in ("n = 60. 95% intervals: BCa.", ">above chance<", "corrected over all cells"):
        assert told in figure
    assert "p-values by permuting labels of twin groups" in page


def test_intervals_are_below_the_values_only_in_wide_tables():
    shown = LogicReport(tuple(model(f"m{number}", good) for number in range(6)))
    page = logic_page(shown).html("report.html")
    wide = [name for name, table in re.findall(r'id="([\w-]+)-numbers-figure".*?<table class="([\w ]+)"', page, re.S)
            if table == "num wide"]  # fmt: skip
    assert wide == ["families-en", "seeds-list"]


def test_if_every_model_diverged_there_is_a_page_all_the_same():
    lost = Configuration("wild", "wild", ("all",), (TunedSeed("wild s0", 0, missing="diverged: all-en"),))
    shown = LogicReport((lost,))
    assert verdict(shown) == "Models on logic pairs"
    assert "diverged:<wbr> all-en" in logic_page(shown).html("report.html")
    assert "diverged: all-en" in logic_page(shown, "Wild").markdown()
    assert results_csv(shown) == "\n"


def test_titles_are_what_was_found():
    both = logic_page(LogicReport((model("able", good), model("guessing", coin, validation=0.5))))
    assert {section.name: section.title for section in both.sections} == {
        "depth": "able: 90.0% right at depth 1, 90.0% at depth 2",
        "tasks": "able: 90.0% right in “negation”",
        "families": "able: 90.0% right everywhere",
        "chance": "1 of 2 results is above chance",
        "all-seeds": "1 of 2 seeds failed",
    }
    one = logic_page(LogicReport((model("guessing", coin, languages="en pt"),)))
    titles = {section.name: section.title for section in one.sections}
    assert titles["chance"] == "Neither result is clearly above chance"
    assert titles["transfer"] == "None of the 2 accuracies is clearly above chance"
    assert learning(curves()).title == "lstm: 90.0% right with 100, 90.0% with 1,000 pairs on negation-pt"


@pytest.mark.parametrize(
    ("sentence", "numbers", "title"),
    [
        ("logic_chance", (0, 1), "The only result is not clearly above chance"),
        ("logic_chance", (1, 1), "The only result is clearly above chance"),
        ("logic_chance", (2, 2), "Both results are above chance"),
        ("logic_chance", (0, 3), "None of the 3 results is clearly above chance"),
        ("logic_chance", (3, 3), "All 3 results are above chance"),
        ("logic_chance", (1, 3), "1 of 3 results is above chance"),
        ("logic_transfer", (1, 2), "1 of 2 accuracies is clearly above chance"),
        ("logic_transfer", (4, 4), "4 of 4 accuracies are clearly above chance"),
        ("title_seeds", (0, 1), "The only seed did not fail"),
        ("title_seeds", (1, 1), "The only seed failed"),
        ("title_seeds", (0, 3), "None of the 3 seeds failed"),
        ("title_seeds", (2, 3), "2 of 3 seeds failed"),
        ("logic_depth", ("", []), "All tasks of a language together"),
        ("tuning_verdict", (0, 0, [], 0), "What fine-tuned models answer"),
        ("tuning_verdict", (0, 0, [], 2), "Too few items to say whether fine-tuning helps"),
        ("tuning_verdict", (0, 0, ["a"], 0), "Fine-tuning shows no clear gain on a"),
        ("tuning_verdict", (1, 0, ["a"], 1), "Fine-tuning helps on a"),
        ("tuning_verdict", (0, 1, ["a"], 0), "Fine-tuning lowers accuracy on a"),
        ("tuning_verdict", (2, 0, ["a", "b"], 0), "Fine-tuning seems to help on both collections"),
        ("tuning_verdict", (3, 0, [*"abc"], 0), "Fine-tuning seems to help on all 3 collections"),
        (
            "tuning_verdict",
            (1, 1, [*"abc"], 1),
            "Fine-tuning seems to help on 1 of 3 collections with at least 20 items and to lower accuracy on 1",
        ),
        (
            "tuning_verdict",
            (0, 2, [*"abc"], 0),
            "Fine-tuning shows no clear gain on any of the 3 collections and seems to lower accuracy on 2",
        ),
        ("tuning_transfer", (0, 0, 0), "Nothing to compare with: no untuned model was asked"),
        ("tuning_transfer", (0, 0, 4), "No accuracy is clearly different from that of the untuned model"),
        ("tuning_transfer", (1, 0, 1), "Accuracy seems higher than untuned in 1 of 1 case"),
        ("tuning_transfer", (0, 2, 4), "Accuracy seems lower than untuned in 2 of 4 cases"),
        ("tuning_transfer", (1, 2, 4), "Accuracy seems higher than untuned in 1 and lower in 2 of 4 cases"),
        ("tuning_changes", ({"Accuracy": 0},), "No clear change against the untuned model"),
        (
            "tuning_changes",
            ({"Accuracy": 1, "Stability": 0, "Consistency": 2},),
            "Fine-tuning seems to change accuracy (1 case) and consistency (2 cases)",
        ),
        ("tuning_contamination", ([], [True, False]), "1 of 2 tests fired without a cause"),
        ("tuning_contamination", ([True], []), "1 of 1 test noticed what was learnt"),
        (
            "tuning_contamination",
            ([True, False], [False]),
            "1 of 2 tests noticed what was learnt; 0 of 1 test fired without a cause",
        ),
    ],
)
def test_titles_with_none_one_and_all(sentence, numbers, title):
    assert said(sentence, *numbers) == title


def test_the_example_is_a_pair_with_its_twin_that_shows_the_verdict():
    guessing = model("guessing", coin, validation=0.5)
    shown = example(LogicReport((guessing, model("able", good))))
    (name, answers), (other, guesses) = shown["solvers"]
    assert (name, other) == ("able", "guessing")
    assert all(chosen == answer for chosen, answer in answers)
    assert sum(chosen == answer for chosen, answer in guesses) == 1
    assert {answer for _, answer in shown["items"]} == {0, 1}
    assert set(shown["options"]) == {"contradiction", "none"}
    page = logic_page(LogicReport((guessing,))).html("report.html")
    assert "What is asked" in page
    assert "⇒ <b>" in page
