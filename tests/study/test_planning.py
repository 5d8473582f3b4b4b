"""Planning: the sizes are the smallest that are enough, and what cannot work is said."""

import pytest

from winoglot.errors import InputError
from winoglot.study.planning import assumed_design, plan_study, preregistration
from winoglot.study.settings import StudySettings

DESIGN = assumed_design(0.92, person_sd=0.04, schema_sd=0.12)


def test_without_a_collection_the_smallest_number_of_schemas_is_found():
    plan = plan_study(0.92, DESIGN, 0.03, problems=60, judgements=3)
    assert plan.half_width <= 0.03
    assert DESIGN.half_width(plan.people, plan.schemas - 1, plan.answers) > 0.0298  # one schema fewer is about too few
    assert plan.people * plan.problems >= plan.items * plan.judgements


def test_narrower_intervals_and_people_who_differ_more_need_more_people():
    known = {"problems": 60, "judgements": 3, "schemas": 160}
    wide, narrow = (plan_study(0.92, DESIGN, width, **known) for width in (0.03, 0.02))
    assert narrow.people > wide.people
    assert narrow.half_width <= 0.02 < wide.half_width <= 0.03
    assert narrow.judgements > wide.judgements == 3
    differing = assumed_design(0.92, person_sd=0.1, schema_sd=0.12)
    assert plan_study(0.92, differing, 0.03, **known).people > wide.people


def test_what_cannot_be_planned():
    with pytest.raises(InputError, match=r"20 schemas do not allow ±3.0 points.* Use about 1\d\d schemas"):
        plan_study(0.92, DESIGN, 0.03, problems=60, judgements=3, schemas=20)
    with pytest.raises(InputError, match="cannot differ that much"):
        assumed_design(0.98, person_sd=0.1, schema_sd=0.2)
    with pytest.raises(InputError, match=r"not between 0% and 100%.*--accuracy 92"):
        assumed_design(92, person_sd=0.1, schema_sd=0.2)
    with pytest.raises(InputError, match=r"300 points.*--half-width 3"):
        plan_study(0.92, DESIGN, 3, problems=60, judgements=3)


def test_the_registration_names_the_numbers_and_the_rules():
    plan = plan_study(0.92, DESIGN, 0.03, problems=60, judgements=3, schemas=160)
    text = " ".join(preregistration(plan, StudySettings(kinds=("tense",), panels=2), "winoglot-en").split())
    numbers = (f"{plan.people} people with 60 problems", "±3.0 points", "4.0 percentage points between people")
    for part in (*numbers, "fail 2 or more attention checks", "Two panels", "(tense)", "answers from each panel"):
        assert part in text


def test_answers_to_variants_do_not_narrow_the_interval_of_the_originals():
    known = {"problems": 60, "judgements": 3, "schemas": 160, "items": 640}
    originals = plan_study(0.92, DESIGN, 0.03, **known)
    mixed = plan_study(0.92, DESIGN, 0.03, **known, share=0.5)
    assert mixed.half_width > originals.half_width
    panels = plan_study(0.92, DESIGN, 0.03, **known, places=960, share=2 / 3)
    assert panels.people == 960 * 3 / 60
