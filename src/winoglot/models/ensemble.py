"""Several models that decide together: `ensemble:A+B+C`, each member with its usual name.

The score of a candidate is the sum of the members' normalised scores. A member's scores for an item are log
probabilities up to a constant, so they are normalised over the item's candidates (log softmax): the probability that
the member gives each candidate, if it must be one of them. The choice is that of the plain sum of log probabilities;
nothing is divided by lengths, since the members score the same characters, whatever their tokens are.

Members without a common scoring, such as a language model and context2vec, vote: each answers in its default scoring,
and the score of a candidate is the number of members that choose it. Members that abstain have no vote; equal votes are
a tie, which is an abstention. The scoring is then `choice`, and the run's settings say how each member was asked.

Trinh and Le (2018) average the word probabilities of models that share a vocabulary; here members need not share one.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from winoglot import registry
from winoglot.errors import InputError
from winoglot.models.base import (
    NO_TOKENS,
    NOT_A_NUMBER,
    Question,
    Scores,
    Solver,
    TokenCount,
    check_model,
    check_options,
    load_model,
)
from winoglot.models.baselines import CHOICE
from winoglot.models.naming import model_name
from winoglot.schemas.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from winoglot.models.base import Options
    from winoglot.schemas.model import Item


_TIED = 1e-6  # a member whose scores are closer has no vote


def check(location: str, options: Options) -> tuple[str, ...] | None:
    """The scorings that all members can have; None if one does not say."""
    names = member_names(location)
    check_options(options, names)
    offered = [check_model(name, options) for name in names]
    known_scorings = [scorings for scorings in offered if scorings is not None]
    return (shared_scorings(known_scorings) or (CHOICE,)) if len(known_scorings) == len(offered) else None


def load(location: str, options: Options) -> Solver:
    """All members, loaded with the same options."""
    names = member_names(location)
    return EnsembleSolver([load_model(name, options) for name in names])


def member_names(location: str) -> list[str]:
    """The names between the plus signs; a plus sign that no family follows belongs to a location.

    >>> member_names("causal:models/a+b+gemma-3-270m+masked:c")
    ['causal:models/a+b', 'gemma-3-270m', 'masked:c']
    """
    families = registry.names("models")
    names: list[str] = []
    for part in location.split("+"):
        if names and model_name(part).family not in families and ":" in names[-1]:
            names[-1] += f"+{part}"
        else:
            names.append(part)
    remedy = "Write two or more models: ensemble:causal:FOLDER+gemma-3-270m."
    if len(names) < 2:
        raise InputError(f"an ensemble needs at least two members, found {location!r}", remedy=remedy)
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{name!r} is in the ensemble twice", remedy="Name each member once.")
        if model_name(name).family == "ensemble":
            raise InputError("an ensemble cannot be a member of another", remedy="Name all members side by side.")
    return names


def shared_scorings(offered: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The scorings that all members have, in the order of the first member; none if they have to vote.

    >>> shared_scorings([("partial", "full"), ("full", "partial", "normalised")])
    ('partial', 'full')
    >>> shared_scorings([("partial", "full"), ("cosine", "log-sigmoid")])
    ()
    """
    first, *others = offered
    return tuple(scoring for scoring in first if all(scoring in other for other in others))


class EnsembleSolver(Solver):
    """The sum of its members' scores, or of their votes if they have no scoring in common."""

    def __init__(self, members: Sequence[Solver]) -> None:
        """Combine loaded models."""
        self.members = members
        self.name = f"ensemble:{'+'.join(member.name for member in members)}"
        shared = shared_scorings([member.scorings for member in members])
        self.scorings, self.is_vote = shared or (CHOICE,), not shared
        self.fingerprint = digest(sorted(member.fingerprint for member in members))
        asked_for = {f"{member.name} scoring": member.scorings[0] for member in members}
        self.how: Mapping[str, object] = {"combined by": "vote", **asked_for} if self.is_vote else {}
        self.settings: Mapping[str, object] = {
            **self.how,
            **_shared_settings([(member.name, member.settings) for member in members]),
        }
        self.cacheable = all(member.cacheable for member in members)
        self.sends_requests = any(member.sends_requests for member in members)
        self.judges_pairs = all(member.judges_pairs for member in members)
        self.folders = tuple(folder for member in members for folder in member.folders)
        self.libraries = tuple(dict.fromkeys(name for member in members for name in member.libraries))

    def prepare(self) -> None:
        """Load every member."""
        for member in self.members:
            member.prepare()

    def default_scorings(self, questions: Sequence[Question]) -> tuple[str, ...]:
        """What members with defaults of their own want, as far as all have it."""
        defaults = {name for member in self.members for name in member.default_scorings(questions)}
        return tuple(name for name in self.scorings if name in defaults)

    def settings_for(self, scoring: str, language: str) -> dict[str, object]:
        """The members' settings that matter to one scoring in one language."""
        by_member = [
            (member.name, member.settings_for(self._of_member(member, [scoring])[0], language))
            for member in self.members
        ]
        return {**self.how, **_shared_settings(by_member)}

    def _of_member(self, member: Solver, scorings: Sequence[str]) -> Sequence[str]:
        """What a member is asked for when the ensemble is asked for these scorings."""
        return member.scorings[:1] if self.is_vote else scorings

    def for_collection(self, items: Iterable[Item], language: str) -> EnsembleSolver:
        """An ensemble of the members' solvers for the same items."""
        items = tuple(items)
        ensemble = EnsembleSolver([member.for_collection(items, language) for member in self.members])
        ensemble.name, ensemble.address = self.name, self.address
        return ensemble

    @property
    def spent(self) -> dict[str, float]:
        """What all members have spent."""
        counts: Counter[str] = Counter()
        for member in self.members:
            counts.update(member.spent)
        return dict(counts)

    def prompts(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[str]:
        """What the members on servers are shown, one text per request, or else all of them."""
        shown = [member for member in self.members if member.sends_requests] or self.members
        return [text for member in shown for text in member.prompts(questions, self._of_member(member, scorings))]

    def check_texts(self, texts: Sequence[str]) -> None:
        """Every member must be able to read them."""
        for member in self.members:
            member.check_texts(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[TokenCount]:
        """The tokens of all members together."""
        counts = [member.count_tokens(texts) for member in self.members]
        return [sum(several, NO_TOKENS) for several in zip(*counts, strict=True)]

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Ask every member and add up their scores, or count their votes."""
        answers = [member.score(questions, self._of_member(member, scorings)) for member in self.members]
        if self.is_vote:
            ballots = zip(*answers, strict=True)
            return [{CHOICE: _votes([next(iter(scores.values())) for scores in ballot])} for ballot in ballots]
        return [
            {scoring: self._sum([answer[index][scoring] for answer in answers]) for scoring in scorings}
            for index in range(len(questions))
        ]

    def _sum(self, scores: Sequence[Scores]) -> Scores:
        normalised = [log_softmax(member_scores.values) for member_scores in scores]
        skipped_characters = max(member_scores.skipped for member_scores in scores)
        defined_values = [values for values in normalised if values is not None]
        if len(defined_values) < len(normalised):
            note = "; ".join(
                f"{_reason_not_summable(member_scores)}: {member.name}"
                for member, member_scores, values in zip(self.members, scores, normalised, strict=True)
                if values is None
            )
            return Scores((None,) * len(scores[0].values), note, skipped_characters)
        return Scores(tuple(map(math.fsum, zip(*defined_values, strict=True))), skipped=skipped_characters)


def _votes(scores: Sequence[Scores]) -> Scores:
    """How many members choose each candidate."""
    choices = [member_scores.choice(_TIED) for member_scores in scores]
    if not any(choice is not None for choice in choices):
        return Scores((None,) * len(scores[0].values), "no member answers")
    return Scores(tuple(float(choices.count(place)) for place in range(len(scores[0].values))))


def _reason_not_summable(scores: Scores) -> str:
    """Why a member's scores cannot be added to others."""
    if scores.note:
        return scores.note
    defined_values = [value for value in scores.values if value is not None]
    if any(map(math.isnan, defined_values)):
        return NOT_A_NUMBER
    return "infinite score" if any(map(math.isinf, defined_values)) else "no score"


def log_softmax(values: Sequence[float | None]) -> list[float] | None:
    """The log probability of each candidate among the candidates; None if a score is undefined.

    >>> [round(math.exp(value), 3) for value in log_softmax([-20.0, -21.0])]
    [0.731, 0.269]
    """
    defined_values = [value for value in values if value is not None]
    if len(defined_values) < len(values) or not defined_values or not all(map(math.isfinite, defined_values)):
        return None
    highest = max(defined_values)
    total = highest + math.log(math.fsum(math.exp(value - highest) for value in defined_values))
    return [value - total for value in defined_values]


def _shared_settings(settings_by_member: Sequence[tuple[str, Mapping[str, object]]]) -> dict[str, object]:
    """Settings that are the same for all members once; the others under each member's name."""
    settings: dict[str, object] = {}
    for name, member_settings in settings_by_member:
        for key, value in member_settings.items():
            shared = all(other.get(key) == value for _, other in settings_by_member)
            settings[key if shared else f"{name} {key}"] = value
    return settings
