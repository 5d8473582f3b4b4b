from dataclasses import replace

from winoglot.report.finding import choice_of_best, finding

from metrics.made_runs import Made, pairs_of, run_of
from winoglot.report.summary import summarise

GOOD, BAD, NONE = [(1, 1)] * 30, [(0, 1)] * 30, [(None, None)] * 30


def test_the_finding_says_how_many_items_were_abstained_on_and_what_they_count():
    said = finding(summarise([run_of(pairs_of([(1, 1)] * 12 + [(None, None)] * 40))]))
    assert "n\u00a0=\u00a0104, 80 abstained" in said
    assert "better than chance (50.0%; p = 5e-04, an abstention counting as one half)" in said
    assert "abst" not in finding(summarise([run_of(pairs_of(GOOD))]))


def test_the_finding_names_the_correction_where_nothing_is_told_from_guessing():
    """Single intervals may lie clear of guessing all the same."""
    runs = [run_of(pairs_of(BAD), name=f"made-{at}", prefix=at) for at in "ab"]
    assert finding(summarise(runs)).endswith("collections (50.0%; lowest p = 1.000, corrected for 2 tests).")


def three(outcomes):
    """Schemas of two items of three candidates each."""
    return [[Made(choice=None if right is None else 1 - right, candidates=3) for right in one] for one in outcomes]


def test_the_verdict_on_items_of_three_candidates_is_against_one_in_three():
    found = summarise([run_of(three(GOOD))])
    assert "better than chance (33.3%; p = 5e-15)" in finding(found)
    half = finding(summarise([run_of(three([(1, 0)] * 60))]))
    assert "50.0%" in half
    assert "better than chance (33.3%; " in half
    assert "worse than chance (33.3%; " in finding(summarise([run_of(three([(0, 0)] * 60))]))


def test_the_verdict_on_items_of_two_and_three_candidates_takes_all_of_them():
    found = summarise([run_of(pairs_of([(0, 0)] * 12) + three(GOOD))])
    assert "better than chance (38.1%; p = " in finding(found)
    assert found.runs[0].success.n == found.runs[0].accuracy.n == 84


def test_an_abstention_from_three_candidates_counts_as_a_guess():
    found = summarise([run_of(three([(1, 1)] * 12 + [(None, None)] * 40))])
    assert found.runs[0].beats_chance is True
    assert "an abstention counting as a guess)" in finding(found)


def test_the_finding_says_when_a_model_is_better_than_guessing():
    said = finding(summarise([run_of(pairs_of(GOOD), "model"), run_of(pairs_of(BAD), "chance")]))
    assert said.startswith("model answers 100.0% (English; 95% interval ")
    assert "better than chance (50.0%; p = 2e-09)" in said


def test_the_finding_does_not_praise_what_may_be_luck():
    assert "not distinguishable from chance" in finding(summarise([run_of(pairs_of([(1, 1), (1, 0)]))]))


def test_the_finding_is_about_a_model_although_a_rule_does_better():
    said = finding(summarise([run_of(pairs_of(BAD), "model"), run_of(pairs_of(GOOD), "first")]))
    assert said.startswith("model answers 50.0%")


def test_picking_the_highest_of_several_is_admitted():
    found = summarise([run_of(pairs_of(BAD), "one"), run_of(pairs_of(GOOD), "two")])
    assert finding(found).startswith("two ")
    assert "highest average of 2" in choice_of_best(found)
    assert choice_of_best(summarise([run_of(pairs_of(BAD))])) == ""


def found_of(*made):
    """A summary of (outcomes, model, language) each."""
    return summarise(
        [run_of(pairs_of(outcomes), model, name=f"made-{tag}", language=tag) for outcomes, model, tag in made]
    )


def test_a_solver_that_always_abstains_is_said_to_have_answered_nothing():
    assert finding(found_of((NONE, "mute", "en"))) == "mute answered none of 60 items (English)."
    both = finding(found_of((NONE, "mute", "en"), (GOOD, "mute", "fr")))
    assert both.startswith("mute answers 100.0% (French; ")
    assert both.endswith(" It answered none of 60 items (English).")


def test_a_solver_that_answers_comes_before_one_that_abstains_in_more_collections():
    found = found_of((NONE, "mute", "en"), (NONE, "mute", "fr"), (BAD, "model", "en"))
    assert finding(found).startswith("model answers 50.0%")
    assert choice_of_best(found) == "It is the only one of 2 solvers that answered in 1 of 2 collections."


def test_the_highest_average_is_claimed_only_among_those_in_as_many_collections():
    wide = [(BAD, "wide", "en"), (BAD, "wide", "fr")]
    alone = found_of(*wide, (GOOD, "narrow", "en"), (GOOD, "other", "fr"))
    assert finding(alone).startswith("wide ")
    assert choice_of_best(alone) == "It is the only one of 3 solvers that answered in all 2 collections."
    worse = [([(0, 0)] * 30, "worse", tag) for tag in ("en", "fr")]
    several = choice_of_best(found_of(*wide, *worse, (GOOD, "narrow", "en")))
    assert several.startswith("It has the highest average of the 2 solvers, of 3, that answered in all 2 collections;")


def part_of(outcomes, model, items):
    run = run_of(pairs_of(outcomes), model)
    return replace(run, predictions=run.predictions[:items])


def test_a_solver_that_was_asked_few_of_the_items_is_not_the_best():
    found = summarise([part_of(GOOD, "single", 1), run_of(pairs_of(BAD), "whole"), part_of(GOOD, "short", 29)])
    assert finding(found).startswith("whole answers 50.0%")
    assert choice_of_best(found) == (
        "It is the only one of 3 solvers that answered enough. Left out, with fewer than half as many items as "
        "another: single in English (n\u00a0=\u00a01) and short in English (n\u00a0=\u00a029)."
    )
    assert finding(summarise([part_of(GOOD, "half", 30), run_of(pairs_of(BAD), "whole")])).startswith("half ")


def test_the_best_of_those_asked_most_is_not_hidden_by_one_that_answers_nothing():
    found = summarise([run_of(pairs_of(NONE), "mute"), part_of(BAD, "short", 20)])
    assert finding(found).startswith("short answers 50.0%")


def test_solvers_that_are_equal_are_said_to_be():
    equal = summarise([run_of(pairs_of(BAD), name) for name in ("one", "two", "three")])
    assert choice_of_best(equal) == "3 solvers have the same average; it is the first of them."
    worse = run_of(pairs_of([(0, 0)] * 30), "worse")
    shared = choice_of_best(summarise([run_of(pairs_of(BAD), "one"), run_of(pairs_of(BAD), "two"), worse]))
    assert shared == "2 of 3 solvers share the highest average; the highest of several is partly due to luck."


def test_the_same_share_in_every_collection_is_no_range():
    said = finding(found_of((BAD, "model", "en"), (BAD, "model", "fr")))
    assert "between" not in said
    assert said.startswith(
        "model answers 50.0% of the items correctly in each of 2 collections (English: 95% interval "
    )


def test_guessing_is_the_finding_only_where_it_is_alone():
    found = found_of((BAD, "first", "en"), (GOOD, "chance", "en"))
    assert finding(found).startswith("first answers 50.0%")
    assert choice_of_best(found) == ""
    assert finding(found_of((GOOD, "chance", "en"))).startswith("chance answers 100.0%")


def test_people_stand_beside_the_finding():
    said = finding(summarise([run_of(pairs_of(BAD), "model")], [run_of(pairs_of(GOOD), "readers")]))
    assert "People answer 100.0% (English" in said


def test_unlabelled_items_have_no_finding_and_no_crash():
    assert finding(summarise([run_of([[Made(answer=None)]])])).startswith("There are no labelled items")
