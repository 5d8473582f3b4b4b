"""Before a study: how many people and schemas an interval of a given width needs, and a text to register it with."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.statistics.crossed import CrossedDesign

if TYPE_CHECKING:
    from winoglot.study.settings import StudySettings

_MOST_SCHEMAS = 20_000
_ITEMS = 2  # of a schema, if no collection is named


@dataclass(frozen=True)
class StudyPlan:
    """A study that is expected to estimate accuracy to within `half_width`, which was asked to be at most `wanted`."""

    accuracy: float
    design: CrossedDesign
    wanted: float
    half_width: float
    people: int
    schemas: int
    items: int
    problems: int  # per person
    judgements: int  # per item, at least

    @property
    def answers(self) -> int:
        """The number of answers by all people together."""
        return self.people * self.problems


def assumed_design(accuracy: float, person_sd: float, schema_sd: float) -> CrossedDesign:
    """Variances from what one can imagine: how far the accuracies of people, and of schemas, lie apart (as SDs).

    >>> assumed_design(0.92, 0.04, 0.12).person
    0.0016
    """
    if not 0 < accuracy < 1:
        raise InputError(
            f"the expected accuracy is {100 * accuracy:.4g}%, which is not between 0% and 100%",
            remedy="Give a percentage, as in --accuracy 92 (from Python: 0.92).",
        )
    person, schema = person_sd**2, schema_sd**2
    answer = accuracy * (1 - accuracy) - person - schema
    if answer < 0 or min(person_sd, schema_sd) < 0:
        raise InputError(
            f"people and schemas cannot differ that much if {accuracy:.0%} of all answers are right",
            remedy="Give a smaller --person-sd or --schema-sd: the root of the sum of their squares is at most "
            f"{100 * (accuracy * (1 - accuracy)) ** 0.5:.1f} points.",
        )
    return CrossedDesign(round(person, 12), round(schema, 12), answer)


def plan_study(
    accuracy: float,
    design: CrossedDesign,
    half_width: float,
    *,
    problems: int,
    judgements: int,
    schemas: int | None = None,
    items: int | None = None,
    places: int | None = None,
    share: float = 1.0,
) -> StudyPlan:
    """The fewest people for the schemas at hand; without `schemas`, the fewest schemas and people.

    `places` counts an item once for each panel that judges it. `share` is how much of them the originals are: the
    interval is about these, so answers to variants do not make it narrower.
    """
    if not 0 < half_width < 0.5:
        raise InputError(
            f"the half-width is {100 * half_width:g} points, which is not between 0 and 50",
            remedy="Give points, as in --half-width 3 (from Python: 0.03).",
        )

    def plan_for(schemas: int) -> StudyPlan:
        per_person, all_items = min(problems, schemas), items or _ITEMS * schemas
        people = max(2, ceil((places or all_items) * judgements / per_person))
        expected_half_width = design.half_width(people, schemas, round(people * per_person * share))
        return StudyPlan(
            accuracy, design, half_width, expected_half_width, people, schemas, all_items, per_person, judgements
        )

    if schemas is None:
        low, high = 2, _MOST_SCHEMAS
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if plan_for(middle).half_width <= half_width else (middle + 1, high)
        return plan_for(low)
    plan = plan_for(schemas)
    if plan.half_width <= half_width:
        return plan
    people = design.people_needed(half_width, schemas, plan.problems * share)
    if people is None:
        schemas_needed = plan_study(accuracy, design, half_width, problems=problems, judgements=judgements).schemas
        raise InputError(
            f"{schemas} schemas do not allow ±{100 * half_width:.1f} points, however many people answer",
            remedy=f"Use about {schemas_needed:,} schemas, or accept a wider interval.",
        )
    judgements_per_item = int(people * plan.problems / (places or plan.items))
    expected_half_width = design.half_width(people, schemas, round(people * plan.problems * share))
    return StudyPlan(
        accuracy,
        design,
        half_width,
        expected_half_width,
        people,
        schemas,
        plan.items,
        plan.problems,
        judgements_per_item,
    )


def preregistration(plan: StudyPlan, settings: StudySettings, collection: str) -> str:
    """Markdown to put into a registry before the first person takes part."""
    rules = settings.exclusions
    checks = f"they fail {rules.failed_checks} or more attention checks, if " if rules.failed_checks else ""
    kinds = ", ".join(settings.kinds)
    variants = f", originals and variants ({kinds})" if kinds else ""
    each_panel = " from each panel that judges it" if settings.panels == 2 else ""
    panels = (
        "\nTwo panels of people are formed at random. Every original is judged by both panels, every variant by one. "
        "Stability is the share of items on which the majority of one panel on the original and the majority of the "
        "other panel on the variant agree; its floor is the same share for originals that both panels judged.\n"
        if settings.panels == 2
        else ""
    )
    return f"""# Pre-registration: people's answers to {collection}

## Question
How often do people who read {collection} choose the candidate that the collection gives as the answer?

## Materials
{plan.schemas} schemas with {plan.items} items{variants}. {settings.training} further problems, of schemas that are not
tested, are used for training. Nobody sees two items of one schema. The order of problems and of candidates is random
for each person.

## Sample size
We expect {plan.accuracy:.0%} right answers. Standard deviations are taken to be {100 * plan.design.person**0.5:.1f}
percentage points between people and {100 * plan.design.schema**0.5:.1f} between schemas. {plan.people} people with
{plan.problems} problems each ({plan.answers:,} answers, at least {plan.judgements} per item{each_panel}) then
give a 95% interval of ±{100 * plan.half_width:.1f} points (wanted: ±{100 * plan.wanted:.1f}). Data collection stops
when every item has {plan.judgements} answers{each_panel}, not counting those of people who are
excluded. Nobody looks at results before that.

## Exclusions
A person's answers are left out if {checks}their median time per problem is below {rules.seconds:g} seconds, or if they
answer less than {rules.answered:.0%} of their problems. We report how many people each rule leaves out. No rule looks
at right or wrong answers.

## Analysis
Primary: the share of right answers of single people to original items before verification, with a 95% interval over
people and schemas. "Cannot say" counts as not right.
Secondary: the share of items whose majority is right; the share right after verification; the share of items on
which everybody agrees; Krippendorff's alpha before and after verification; the mean and the median time; all of them by
kind. The primary figure also by version of the item. Secondary figures are described and not tested.
{panels}"""
