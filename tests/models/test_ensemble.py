import math
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import for_each, listed
from model_questions import question as question_of
from six_schemas import six
from tiny_models import gpt2, llama
from winoglot import InputError
from winoglot.models.base import Options, Scores, Solver, load_model
from winoglot.models.ensemble import EnsembleSolver, log_softmax, member_names
from winoglot.runs.evaluate import evaluate

numbers = st.floats(-500, 500)


@dataclass
class Fixed(Solver):
    """A member that always says the same."""

    values: tuple
    name: str = "fixed"
    fingerprint = property(lambda self: f"{self.name}{self.values}")
    note: str = ""
    scorings: tuple = ("partial", "full")
    settings: dict = field(default_factory=dict)

    def score(self, questions, scorings):
        return [dict.fromkeys(scorings, Scores(self.values, self.note)) for _ in questions]


def question():
    return question_of("The bottle hit the vase and {it} broke.", ["the bottle", "the vase"])


def together(*values):
    solver = EnsembleSolver([Fixed(one, f"m{number}") for number, one in enumerate(values)])
    return solver.score([question()], ["partial"])[0]["partial"]


@given(st.lists(st.tuples(numbers, numbers), min_size=2, max_size=5))
def test_the_choice_is_that_of_the_plain_sum_of_log_probabilities(values):
    sums = [math.fsum(column) for column in zip(*values, strict=True)]
    margin = sums[0] - sums[1]
    found = together(*values).values
    assert found[0] - found[1] == pytest.approx(margin, abs=1e-9)
    assert all(value <= 1e-12 for value in found)


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_neither_the_order_of_members_nor_a_constant_of_their_own_matters(values, random):
    shifted = [tuple(value - 7.0 * number for value in one) for number, one in enumerate(values)]
    assert together(*shifted).values == pytest.approx(together(*values).values, abs=1e-9)
    random.shuffle(values_in_another_order := list(values))
    assert together(*values_in_another_order).values == together(*values).values


@given(st.lists(numbers, min_size=1, max_size=5))
def test_normalised_scores_are_log_probabilities(values):
    assert math.fsum(map(math.exp, log_softmax(values))) == pytest.approx(1)


@for_each("bad", [(None, -1.0), (math.nan, -1.0), (-math.inf, -math.inf), (None, None)])
def test_what_one_member_cannot_score_the_ensemble_cannot_and_says_whose_fault_it_is(bad):
    solver = EnsembleSolver([Fixed((-1.0, -2.0), "good"), Fixed(bad, "bad", note="empty window")])
    found = solver.score([question()], ["partial"])[0]["partial"]
    assert (found.values, found.note, found.choice(1e-6)) == ((None, None), "empty window: bad", None)


@pytest.mark.parametrize(
    ("bad", "note"),
    [
        ((math.nan, -1.0), "not a number"),
        ((-math.inf, -2.0), "infinite score"),
        ((None, -1.0), "no score"),
    ],
)
def test_a_member_that_says_nothing_of_a_bad_score_is_told_by_the_score(tmp_path, monkeypatch, bad, note):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path))
    solver = EnsembleSolver([Fixed((-1.0, -2.0), "good"), Fixed(bad, "bad")])
    assert solver.score([question()], ["partial"])[0]["partial"].note == f"{note}: bad"
    run = evaluate(six("en"), solver)
    assert run.notes() == {note: 12}
    assert len(run.not_numbers()) == (12 if note == "not a number" else 0)


def test_scorings_are_those_that_all_members_offer_in_the_order_of_the_first():
    members = [Fixed((0, 1), scorings=("partial", "full", "normalised")), Fixed((1, 0), scorings=("full", "partial"))]
    assert EnsembleSolver(members).scorings == ("partial", "full")


@pytest.mark.parametrize(
    ("values", "votes"),
    [
        ([(-1.0, -2.0), (0.3, 0.2), (0.0, 1.0)], (2, 1)),
        ([(-1.0, -2.0), (0.2, 0.3), (None, None)], (1, 1)),
        ([(-2.0, -1.0), (0.3, 0.3), (None, None)], (0, 1)),
        ([(-1.0, -1.0), (None, None), (0.5, 0.5)], (None, None)),
    ],
)
def test_members_without_a_common_scoring_vote(values, votes):
    scorings = [("partial", "full"), ("cosine", "log-sigmoid"), ("choice",)]
    solver = EnsembleSolver(
        [
            Fixed(value, f"m{place}", scorings=named)
            for place, (value, named) in enumerate(zip(values, scorings, strict=True))
        ]
    )
    assert solver.scorings == ("choice",)
    how = {"combined by": "vote", "m0 scoring": "partial", "m1 scoring": "cosine", "m2 scoring": "choice"}
    assert solver.settings == solver.settings_for("choice", "en") == how
    found = solver.score([question()], ["choice"])[0]["choice"]
    assert found.values == votes
    assert (found.note == "no member answers") == (votes[0] is None)


def test_an_ensemble_of_a_model_and_a_rule_that_disagree_abstains(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path))
    members = [Fixed((-1.0, -2.0), "model"), load_model("second", Options())]
    run = evaluate(six("en"), EnsembleSolver(members))
    assert (run.settings.scoring, run.settings.model_settings["combined by"]) == ("choice", "vote")
    assert {outcome.choice for outcome in run.outcomes()} == {None}
    run = evaluate(six("en"), EnsembleSolver([*members, load_model("first", Options())]))
    assert {outcome.choice for outcome in run.outcomes()} == {0}


def test_settings_that_members_share_stand_once_and_others_under_their_names():
    members = [
        Fixed((0, 1), "a", settings={"precision": "float32", "start": "<s>"}),
        Fixed((1, 0), "b", settings={"precision": "float32", "start": "[BOS]"}),
    ]
    assert EnsembleSolver(members).settings == {"precision": "float32", "a start": "<s>", "b start": "[BOS]"}


@dataclass
class Minded(Fixed):
    """A member that has default scorings, settings by language, and a memory of its collection."""

    wanted: tuple = ()
    faced: tuple = ()

    def default_scorings(self, questions):
        return self.wanted

    def settings_for(self, scoring, language):
        return {"prompts": f"{scoring} {language}", "own": self.name, "faced": len(self.faced)}

    def for_collection(self, items, language):
        return replace(self, faced=(*items, language))


def test_members_with_defaults_of_their_own_are_heeded():
    named = ("partial", "answer", "answer-fill")
    members = [Minded((0, 1), "a", scorings=named, wanted=("answer", "answer-fill", "other")), Fixed((1, 0), "b")]
    members[1].scorings = named
    assert EnsembleSolver(members).default_scorings([question()]) == ("answer", "answer-fill")
    members[0].wanted = ("other",)
    assert EnsembleSolver(members).default_scorings([question()]) == ()
    both = EnsembleSolver([Minded((0, 1), "a"), Minded((1, 0), "b")])
    assert both.settings_for("full", "pt") == {"prompts": "full pt", "a own": "a", "b own": "b", "faced": 0}
    assert both.for_collection(iter([question().item]), "pt").settings_for("full", "pt")["faced"] == 2
    assert both.spent == {}


def test_the_fingerprint_is_that_of_the_members_in_any_order():
    one, other = Fixed((0, 1), "a"), Fixed((1, 0), "b")
    assert EnsembleSolver([one, other]).fingerprint == EnsembleSolver([other, one]).fingerprint
    assert EnsembleSolver([one, other]).fingerprint != EnsembleSolver([one, Fixed((1, 0), "c")]).fingerprint


@listed
def test_members_are_told_apart_by_the_families_after_a_plus(location, names):
    assert member_names(location) == names


@listed
def test_an_ensemble_that_cannot_be_is_refused(name, message):
    with pytest.raises(InputError, match=message):
        load_model(name, Options())


def test_an_ensemble_of_tiny_models_adds_up_their_own_scores(tmp_path):
    texts = ["The bottle hit the vase and it broke.", "the bottle the vase"]
    places = [gpt2(tmp_path / "a", texts), llama(tmp_path / "b", texts)]
    names = [f"causal:{place}" for place in places]
    options = Options(batch_tokens=64)
    scorings = ("partial", "full")
    alone = [load_model(name, options).score([question()], scorings)[0] for name in names]
    solver = load_model(f"ensemble:{'+'.join(names)}", options)
    found = solver.score([question()], scorings)[0]
    assert solver.name == f"ensemble:{'+'.join(names)}"
    for scoring in scorings:
        margin = sum(one[scoring].values[0] - one[scoring].values[1] for one in alone)
        assert found[scoring].values[0] - found[scoring].values[1] == pytest.approx(margin, abs=1e-4)


def test_what_holds_a_member_whose_scores_are_not_kept_is_not_kept_either(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path))
    one, other = Fixed((1.0, 2.0), "a"), Fixed((1.0, 2.0), "b")
    other.cacheable = False
    assert {made.choice for made in evaluate(six("en"), EnsembleSolver([one, other])).predictions} == {1}
    other.values = (9.0, 2.0)  # the same name and fingerprint, as a server's model that was replaced
    assert {made.choice for made in evaluate(six("en"), EnsembleSolver([one, other])).predictions} == {0}


def test_only_the_members_on_servers_send_requests():
    here, there = Fixed((0.0, 1.0), "here"), Fixed((0.0, 1.0), "there")
    assert not EnsembleSolver([here, there]).sends_requests
    there.sends_requests = True
    together = EnsembleSolver([here, there])
    assert together.sends_requests
    assert together.prompts([question()], ["partial"]) == [reading.text for reading in question().readings]
