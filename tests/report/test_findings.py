"""Verdict, evidence and titles say what was found, in a dozen words, and never more than the corrected tests."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import winoglot as wg
from items import schema
from metrics.made_runs import Made, pairs_of, run_of
from winoglot.report import details
from winoglot.report.findings import best_solver, evidence, facts, groups, verdict
from winoglot.report.rendering import listed, said, shortened
from winoglot.report.runs import runs_page
from winoglot.report.summary import summarise
from winoglot.runs.run import Reference

GOOD, COIN, POOR, NONE = [(1, 1)] * 30, [(0, 1)] * 30, [(0, 0)] * 30, [(None, None)] * 30
FAIR, SILENT = [(1, 1)] * 18 + [(0, 1)] * 12, [(1, 1)] * 10 + [(None, None)] * 20
OUTCOMES = {"good": GOOD, "coin": COIN, "poor": POOR, "none": NONE}
LONGEST = 14  # words of a verdict


def found_of(*made, human=()):
    """A summary of runs, each given as outcomes, model and language; outcomes may be a name above."""
    runs = [
        run_of(
            pairs_of(OUTCOMES[outcomes] if isinstance(outcomes, str) else outcomes),
            model,
            name=f"made-{tag}",
            language=tag,
        )
        for outcomes, model, tag in made
    ]
    people = [
        run_of(pairs_of(OUTCOMES[outcomes]), "people", name=f"made-{tag}", language=tag) for outcomes, tag in human
    ]
    return summarise(runs, people)


def both(model, first, second):
    return (first, model, "en"), (second, model, "fr")


VERDICTS = [
    ([("good", "m", "en")], "m beats chance in English"),
    ([("coin", "m", "en")], "m does not clearly beat chance in English"),
    ([("poor", "m", "en")], "m does worse than chance in English"),
    ([("none", "m", "en")], "m does not clearly beat chance in English"),
    (both("m", "good", "good"), "m beats chance in every language"),
    (both("m", "good", "coin"), "m beats chance in English"),
    (both("m", "good", "poor"), "m beats chance in English and falls below it in French"),
    (both("m", "coin", "coin"), "m does not clearly beat chance in any language"),
    (both("m", "poor", "poor"), "m does worse than chance in every language"),
    (
        [("good", "m", tag) for tag in ("en", "fr", "pt", "zh")] + [("coin", "m", "ja")],
        "m beats chance in 4 of 5 languages",
    ),
    ([("good", "m", "en"), ("coin", "n", "en")], "m is clearly ahead of the other model"),
    ([("poor", "m", "en"), ("coin", "n", "en")], "Neither model clearly beats chance"),
    (
        [("good", "m", "en"), ("coin", "n", "en"), ("coin", "o", "en")],
        "m is clearly ahead of both other models",
    ),
    ([("good", "m", "en"), ("good", "n", "en")], "m is not clearly ahead of n"),
    (
        [("good", "m", "en"), ("good", "n", "en"), ("coin", "o", "en")],
        "m leads, but n is not clearly behind",
    ),
    ([(FAIR, "m", "en"), (SILENT, "n", "en")], "m is ahead, mostly because n abstains"),
    (
        [*both("m", "good", "good"), *both("n", "good", "good"), *both("o", "good", "good")],
        "m is not clearly ahead of either other model",
    ),
    (
        [*both("m", "good", "coin"), *both("n", "good", "good"), *both("o", "coin", "coin")],
        "n is clearly ahead of both other models",
    ),
    ([*both("m", "good", "coin"), *both("n", "coin", "coin")], "m is clearly ahead of the other model"),
    ([*both("m", "coin", "coin"), *both("n", "coin", "coin")], "Neither model clearly beats chance in any language"),
    ([("coin", name, "en") for name in "mno"], "None of the 3 models clearly beats chance"),
    ([("coin", "m", "en"), ("good", "first", "en")], "m does not clearly beat chance in English"),
    (
        [("good", "longer", "en"), ("coin", "first", "en")],
        "longer is clearly ahead of the other baseline",
    ),
    ([("coin", "longer", "en"), ("coin", "first", "en")], "Neither baseline clearly beats chance"),
    ([("good", "chance", "en")], "Nothing but guesses, so there is nothing to test"),
    ([("good", "m", "en"), ("good", "n", "fr")], "Both models beat chance in at least one language"),
    ([("good", "m", "en"), ("coin", "n", "fr")], "Of 2 models, only m beats chance, in English"),
]


@pytest.mark.parametrize(("made", "said"), VERDICTS, ids=[said for _, said in VERDICTS])
def test_the_verdict_is_one_short_sentence(made, said):
    assert verdict(found_of(*made)) == said
    assert len(said.split()) <= LONGEST


def test_collections_that_are_not_told_by_their_language_are_called_collections():
    runs = [run_of(pairs_of(GOOD), name=name, prefix=name) for name in ("apples", "pears")]
    assert verdict(summarise(runs)) == "solver beats chance in every collection"


def test_people_alone_are_what_the_verdict_is_about():
    found = found_of(human=[("good", "en")])
    assert verdict(found) == "People answer 100.0% of the items as intended"
    assert evidence(found) == "100.0% right in English (95% interval 88.4–100.0; n = 60; chance 50%)."
    two = found_of(human=[("good", "en"), ("coin", "fr")])
    assert verdict(two) == "People answer 50.0% to 100.0% of the items as intended"


def test_people_beside_models_are_in_the_evidence():
    found = found_of(("coin", "m", "en"), human=[("good", "en")])
    assert verdict(found) == "m does not clearly beat chance in English"
    assert evidence(found).endswith("People: 100.0% right in English (95% interval 88.4–100.0; n = 60; chance 50%).")


def test_unlabelled_items_have_a_verdict_too():
    found = summarise([run_of([[Made(answer=None)]])])
    assert verdict(found) == "No labelled items, so nothing can be right or wrong"
    assert evidence(found) == ""
    assert list(groups(found)) == ["Not ranked: no labelled items"]


def test_a_long_name_is_shortened_in_the_verdict():
    name = "causal:/models/organisation/" + "a-rather-long-name-" * 4 + "7b"
    said = verdict(found_of(("good", name, "en")))
    assert "…" in said
    assert said.endswith("-7b beats chance in English")
    assert len(said) < 75
    runs = [
        run_of(pairs_of(made), model) for made, model in ((GOOD, name), (COIN, f"another/{name.rpartition('/')[2]}"))
    ]
    told = evidence(summarise(runs))
    assert "…" in told
    assert "-7b: 100.0% right" in told


cells = st.lists(
    st.tuples(st.sampled_from(list(OUTCOMES)), st.sampled_from("mno"), st.sampled_from(("en", "fr"))),
    min_size=1,
    max_size=5,
    unique_by=lambda one: one[1:],
)


@settings(max_examples=25)
@given(cells)
def test_no_verdict_claims_more_than_the_corrected_tests(made):
    found = found_of(*made)
    told = verdict(found)
    better = [one for one in found.tested if one.corrected_p <= 0.05 and one.guesses.value > one.guess]
    worse = [one for one in found.tested if one.corrected_p <= 0.05 and one.guesses.value < one.guess]
    claims_better = any(words in told for words in ("beats chance", "beat chance")) and "clearly" not in told
    if "clearly ahead of" in told and "not clearly" not in told:
        first, *others = found.ranking.places
        assert first.rank == "1"
        assert all(place.mean.value < first.mean.value for place in others)
    assert claims_better <= bool(better)
    assert ("worse" in told or "below" in told) <= bool(worse)
    if "every language" in told and claims_better:
        winners = {one.solver.name for one in better}
        assert all(
            {o.column.key for o in better if o.solver.name == name} == {c.key for c in found.columns}
            for name in winners
        )
    assert len(told.split()) <= LONGEST


def test_a_model_asked_in_many_ways_is_ranked_by_the_default_one():
    """The best of many settings would be partly the best by luck."""
    runs = [run_of(pairs_of(COIN), "m"), run_of(pairs_of(POOR), "n"), run_of(pairs_of(GOOD), "n", scoring="full")]
    found = summarise(runs)
    assert [(place.solver.name, place.solver.scoring) for place in found.ranking.places] == [
        ("m", "partial"),
        ("n", "partial"),
    ]
    assert evidence(found).endswith("Each in one setting; the others are under “Against chance”.")


def test_the_evidence_gives_the_best_with_its_interval_rank_and_tests():
    assert evidence(found_of(("good", "m", "en"))) == (
        "m: 100.0% right in English (95% interval 88.4–100.0; n = 60; chance 50%). One test against chance: p < 0.001."
    )
    assert evidence(found_of(("good", "m", "en"), ("coin", "n", "en"))) == (
        "m: 100.0% right in English (95% interval 88.4–100.0; n = 60; chance 50%), rank 1. "
        "It is clearly ahead of the other (1 paired test). 1 of 2 does not clearly beat chance."
    )
    three = evidence(found_of(*both("m", "good", "good"), *both("n", "good", "good"), *both("o", "good", "coin")))
    assert "right on average over 2 languages (95% interval" in three
    assert "rank 1–2. It is not clearly ahead of 1 of 2 others (3 paired tests, corrected by Holm’s method)." in three
    assert three.endswith("All beat chance.")


def test_the_evidence_counts_abstentions_and_what_guesses_would_give():
    told = evidence(summarise([run_of(pairs_of([(1, 1)] * 12 + [(None, None)] * 40))]))
    assert "; 61.5% with guesses for 80 abstentions; chance 50%)" in told
    assert "abst" not in evidence(found_of(("good", "m", "en")))


def test_the_evidence_names_chance_for_three_candidates():
    three = [[Made(choice=0, candidates=3), Made(choice=1, candidates=3)]] * 30
    assert "chance 33.3%" in evidence(summarise([run_of(three)]))


def switched_of(model, *, follows, tag="en", choices=(0, 0), is_reference=False):
    """A run over 30 schemas; with `follows`, its choices change when the candidates are switched."""
    items = [
        Made(answer, choice, variants=(("switched", 1 - choice if follows else choice),))
        for answer, choice in enumerate(choices)
    ]
    run = run_of([items] * 30, model, kinds=("switched",), name=f"made-{tag}", language=tag)
    return replace(run, reference=Reference("2026-11-19", "", 0)) if is_reference else run


def test_models_that_are_equally_often_right_may_differ_in_consistency():
    tags = ("en", "fr")
    runs = [switched_of(name, follows=name == "n", tag=tag) for name in ("m", "n") for tag in tags]
    found = summarise(runs)
    assert verdict(found) == "n follows switched candidates 100.0 points more often than m"
    assert "Neither clearly beats chance. Consistency: n 100.0 points above m (95% interval +" in evidence(found)
    assert f"p < 0.001, corrected for {1 + len(found.ranking.changes)} tests)." in evidence(found)
    # of the same schemas in two languages, a mean of two dependent differences: no more schemas than 30
    assert found.ranking.changes["consistency"].test.n == 30
    alone = summarise([switched_of("m", follows=True), switched_of("n", follows=True)])
    assert verdict(alone) == "Neither model clearly beats chance"
    assert "Consistency" not in evidence(alone)


def test_rules_and_more_than_two_models_are_not_compared_in_consistency():
    rules = [switched_of(name, follows=name == "longer") for name in ("first", "longer")]
    models = [switched_of(name, follows=name == "n") for name in "mno"]
    for runs in (rules, models):
        assert not summarise(runs).ranking.changes


def test_beside_references_the_verdict_is_about_the_models_that_were_evaluated():
    good = switched_of("good", follows=True, choices=(0, 1), is_reference=True)
    runs = [switched_of("m", follows=False), switched_of("n", follows=True), good]
    found = summarise(runs)
    assert verdict(found) == "m is 50.0 points behind good"
    told = evidence(found)
    assert told.startswith("m: 50.0% right in English (95% interval ")
    assert "rank 2–3. 50.0 points behind good, the best reference (95% interval +" in told
    assert "Consistency: n 100.0 points above m" in told
    coin = switched_of("coin", follows=True, is_reference=True)
    assert verdict(summarise([*runs[:2], coin])) == "n follows switched candidates 100.0 points more often than m"
    ahead = summarise([replace(good, reference=None), coin])
    assert verdict(ahead) == "good is clearly ahead of the other model"
    assert verdict(summarise([good, coin])) == "good is clearly ahead of the other model"


def test_a_lead_by_the_others_abstentions_is_not_called_a_distance():
    fair = replace(run_of(pairs_of(FAIR), "fair", name="made-en"), reference=Reference("2026-11-19", "", 0))
    found = summarise([run_of(pairs_of(SILENT), "m", name="made-en"), fair])
    assert verdict(found) == "fair is ahead, mostly because m abstains"
    assert "; mostly by abstaining; " in evidence(found)


def test_the_facts_count_what_was_evaluated():
    assert facts(found_of(*both("m", "good", "coin"), ("coin", "first", "en"))) == (
        "1 model, 1 baseline, 2 languages. 60 items in 30 schemas per language. 3 runs."
    )
    item = Made(variants=(("switched", 1), ("tense", 0)))
    varied = run_of([[item, item]] * 12, kinds=("switched", "tense"), limit=20, seed=3)
    told = facts(summarise([varied, run_of(pairs_of(COIN[:12]), "chance")]))
    assert "24 items in 12 schemas; variants: 24 switched, 24 tense." in told
    assert "At most" not in told  # there are no more than 12, so nothing was left out
    sample = run_of(pairs_of(COIN[:12]), limit=12, seed=3)  # a run has the schemas that were drawn, not those left out
    assert "At most 12 schemas of each collection, drawn with seed 3." in facts(summarise([sample]))
    assert "Guessing has no row: the dashed line shows it." in told
    twice = [run_of(pairs_of(COIN), "first", readings=style) for style in ("naive", "grammatical")]
    assert "first makes the same choices with both kinds of readings." in facts(summarise(twice))


def test_the_facts_count_unlabelled_items():
    items = [[Made(), Made(answer=None)]] * 12
    assert "24 items in 12 schemas (12 unlabelled, left out)." in facts(summarise([run_of(items, "m")]))


def test_the_facts_count_switched_items_without_an_answer():
    collection = wg.Collection(
        "mine", "en", (schema("Ann saw Beth; {she} [ran|sat].", ["Ann", "Beth"], answers=[0, 1]),)
    )
    told = facts(summarise([wg.evaluate(collection, "first", kinds=["switched"])]))
    assert "variants: 2 switched (2 without a confirmed answer, left out)." in told


def test_titles_of_accuracies_count_the_tests_that_decide():
    def told(*made):
        return said("title_chance", found_of(*made))

    assert told(("good", "m", "en")) == "Accuracy is above chance"
    assert told(("poor", "m", "en")) == "Accuracy is below chance"
    assert told(("coin", "m", "en")) == "Accuracy is not clearly different from chance"
    assert told(*both("m", "good", "good")) == "Accuracy is above chance in both tests"
    assert told(*both("m", "coin", "coin")) == "Neither accuracy is clearly different from chance"
    assert told(*both("m", "good", "poor")) == "Accuracy is above chance in 1 and below chance in 1 of 2 tests"
    assert told(*both("m", "good", "coin"), ("coin", "n", "en")) == "Accuracy is above chance in 1 of 3 tests"


@pytest.mark.parametrize(
    ("section", "told", "title_said"),
    [
        ("perturbations", {"found": {"clear": [], "total": 8}}, "No rewording clearly changes accuracy"),
        ("perturbations", {"found": {"clear": [], "total": 1}}, "This rewording does not clearly change accuracy"),
        ("perturbations", {"found": {"clear": ["tense", "voice"], "total": 8}, "solver": "m"},
         "Accuracy seems to change with tense and voice for m"),
        ("perturbations", {"found": {"clear": list("abcde"), "total": 8}},
         "Accuracy seems to change with 5 of 8 rewordings"),
        ("readings", {"apart": 1, "total": 1, "largest": "9.7"}, "Grammatical readings make a significant difference"),
        ("differences", {"below": 1, "above": 0, "total": 1, "what": "model", "best": "m"},
         "The other model is clearly below m"),
        ("differences", {"below": 0, "above": 0, "total": 1, "what": "baseline", "best": "m"},
         "The other baseline is not clearly below m"),
        ("differences", {"below": 0, "above": 0, "total": 3, "what": "", "best": "m"},
         "None of the 3 others is clearly different from m"),
        ("differences", {"below": 2, "above": 0, "total": 2, "what": "model", "best": "m"},
         "Both other models are clearly below m"),
        ("differences", {"below": 4, "above": 1, "total": 6, "what": "", "best": "m"},
         "4 of 6 others are clearly below, 1 clearly above m"),
        ("margins", {"clear": 1, "total": 1}, "The only interval suggests that confidence predicts accuracy"),
        ("preference", {"found": {"clear": [], "total": 4}},
         "No sign of a preference for the first or the second mention"),
        ("preference", {"found": {"clear": ["segment-masked"], "total": 4}}, "One mention seems to be preferred"),
        ("readings", {"apart": 0, "total": 4, "largest": "1.7"},
         "Grammatical readings make no clear difference: at most 1.7 points"),
        ("readings", {"apart": 1, "total": 4, "largest": "9.7"},
         "Grammatical readings make a significant difference in 1 of 4 comparisons"),
        ("margins", {"clear": 0, "total": 0}, "How far apart the scores are"),
        ("margins", {"clear": 0, "total": 2}, "No clear sign that confidence predicts accuracy"),
        ("margins", {"clear": 1, "total": 2}, "1 of 2 intervals suggests that confidence predicts accuracy"),
    ],
)  # fmt: skip
def test_titles_of_other_sections_say_what_was_found(section, told, title_said):
    assert said(f"title_{section}", **told) == title_said


@pytest.mark.parametrize(
    ("same", "right", "title_said"),
    [
        ([], [], "Whole schemas, and choices that should stay the same"),
        ([60, 60], [20, 30], "m makes the same choice in all items of 60% of schemas"),
        ([40, 70], [20, 30], "m makes the same choice in all items of 40–70% of schemas"),
        ([10, 20], [80, 80], "m gets all items right in 80% of schemas"),
        ([10, 20], [70, 80], "m gets all items right in 70–80% of schemas"),
    ],
)
def test_the_title_of_robustness_says_what_is_more_frequent(same, right, title_said):
    told = {"same": same, "right": right, "clusters": "schemas"}
    assert said("title_robustness", solver="m", **told) == title_said


def part_of(outcomes, model, items):
    run = run_of(pairs_of(outcomes), model)
    return replace(run, predictions=run.predictions[:items])


def best(*runs):
    return best_solver(summarise(runs)).name


def test_the_best_is_a_model_although_a_rule_does_better():
    assert best(run_of(pairs_of(COIN), "model"), run_of(pairs_of(GOOD), "first")) == "model"


def test_a_solver_that_was_asked_few_of_the_items_is_not_the_best():
    whole = run_of(pairs_of(COIN), "whole")
    assert best(part_of(GOOD, "single", 1), whole, part_of(GOOD, "short", 29)) == "whole"
    assert best(part_of(GOOD, "half", 30), whole) == "half"


def test_a_solver_that_answers_comes_before_one_that_always_abstains():
    found = found_of(*both("mute", "none", "none"), ("coin", "model", "en"))
    assert best_solver(found).name == "model"


def test_a_table_of_tests_shows_only_what_was_tested():
    table = details.tests_table(found_of(("good", "m", "en"), ("coin", "first", "en")))
    assert table.headings == ("solver", "collection", "accuracy", "n", "chance", "corrected p")
    assert [row[0] for row in table.rows] == ["m"]
    assert table.texts()[0][2:] == ["100.0* [88.4, 100.0]", "60", "50.0", "< 0.001"]
    assert details.tests_table(found_of(("good", "chance", "en"))) is None


def test_every_section_has_a_title_of_its_own():
    item = [
        Made(answer=at, choice=at, scores=(-1.0, -2.0), variants=(("switched", 1 - at), ("segment-masked", 0)))
        for at in (0, 1)
    ]
    runs = [
        run_of([item] * 12, "m", readings=style, kinds=("switched", "segment-masked"))
        for style in ("naive", "grammatical")
    ]
    page = runs_page(summarise(runs, [run_of(pairs_of(GOOD[:12]), "people")]))
    names = [section.name for section in page.sections]
    assert names == [
        "differences", "chance", "robustness", "perturbations", "preference", "subsets", "readings", "margins",
        "items", "reproduce",
    ]  # fmt: skip


def test_readings_that_were_not_derived_are_counted():
    def told(fallback):
        runs = [run_of([[Made(fallback=fallback)] * 2] * 12, readings="grammatical")]
        runs.append(run_of([[Made(fallback=True)] * 4] * 12, name="more"))
        return said("fallbacks", summarise(runs))

    assert told(False) == "A grammatical reading was derived for every item."
    assert told(True).endswith("all of them are naive (up to 24 items of a collection).")


def test_lists_and_short_names_read_well():
    assert listed(["English"]) == "English"
    assert listed(["English", "French", "Chinese"]) == "English, French and Chinese"
    assert shortened("short") == "short"


@settings(max_examples=30)
@given(st.text("ab:/é中", max_size=90), st.integers(5, 60))
def test_a_shortened_name_keeps_both_ends(name, longest):
    made = shortened(name, longest)
    assert len(made) <= longest
    assert made == name or (made[0] == name[0] and made[-1] == name[-1])
