"""What every family has in common: defaults for what a solver leaves out, options from the command line."""

import json
import sys

import pytest

from six_schemas import six, six_file
from winoglot import InputError
from winoglot.models.base import Options, Scores, as_solver, check_model, load_model, names_baseline
from winoglot.runs.evaluate import evaluate
from winoglot.runs.store import load_run


class Plain:
    """A solver of an outside package, with no more than it must have."""

    name, scorings, fingerprint = "plain", ("choice",), "1"

    def score(self, questions, scorings):
        return [dict.fromkeys(scorings, Scores((1.0, 0.0))) for _ in questions]


class Rich(Plain):
    """One with everything."""

    settings, cacheable, is_baseline = {"way": "mine"}, False, True
    requests = 0

    @property
    def spent(self):
        return {"requests": self.requests}

    def default_scorings(self, questions):
        return self.scorings

    def for_collection(self, items, language):
        made = Rich()
        made.settings = {"language": language}
        return made

    def score(self, questions, scorings):
        self.requests += 1
        return super().score(questions, scorings)


def test_an_outside_solver_gets_defaults_for_what_it_lacks():
    solver = as_solver(Plain())
    assert (solver.cacheable, solver.is_baseline, solver.spent, dict(solver.settings)) == (True, False, {}, {})
    assert (solver.default_scorings([]), solver.settings_for("choice", "en")) == ((), {})
    assert [count.tokens for count in solver.count_tokens(["a", "b"])] == [0, 0]
    assert solver.for_collection([], "en") is solver
    assert as_solver(solver) is solver


def test_an_outside_solver_keeps_what_it_has_and_must_have_some():
    solver = as_solver(Rich())
    assert (solver.cacheable, solver.is_baseline, solver.settings) == (False, True, {"way": "mine"})
    assert solver.default_scorings([]) == ("choice",)
    assert solver.for_collection([], "pt").settings_for("choice", "pt") == {"language": "pt"}
    solver.score([], ["choice"])
    assert solver.spent == {"requests": 1}
    with pytest.raises(InputError, match="type object has no name and no scorings and no fingerprint and no score"):
        as_solver(object())


def test_a_stored_run_knows_whether_a_baseline_made_it(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    for name, solver, is_baseline in [("a", Rich(), True), ("b", Plain(), False), ("c", "first", True)]:
        assert evaluate(six("en"), solver, folder=tmp_path / name).is_baseline is is_baseline
        assert load_run(tmp_path / name).is_baseline is is_baseline
    file = tmp_path / "c" / "run.json"  # as runs were stored before: then the family is asked
    stored = json.loads(file.read_text())
    del stored["is_baseline"]
    file.write_text(json.dumps(stored))
    assert load_run(tmp_path / "c").is_baseline
    baselines, others = (
        ("first", "second", "longer", "frequent", "chance"),
        ("causal:x", "pmi:x", "people", "nothing:x"),
    )
    assert [name for name in (*baselines, *others) if names_baseline(name)] == list(baselines)


FAILING = "def load(location, options):\n    return 1 / 0\n\ndef check(location, options):\n    return {}[location]\n"


def test_an_outside_family_that_fails_is_named_and_the_cause_kept(outside):
    outside("models", "toy", FAILING)
    with pytest.raises(InputError, match=r"the model family 'toy' \(outside_.+\) failed: ZeroDivisionError") as caught:
        load_model("toy:there", Options())
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(InputError, match=r"the model family 'toy' \(outside_.+\) failed: KeyError: 'there'"):
        check_model("toy:there", Options())


FORGETFUL = """
from winoglot.models.base import Scores, Solver

class Forgetful(Solver):
    name, scorings, fingerprint = "forgetful", ("choice",), "forgetful"

    def score(self, questions, scorings):
        for question in questions:
            if question.item.id == "train-wave.1":
                raise LookupError("who?")
        return [dict.fromkeys(scorings, Scores((1.0, 0.0))) for _ in questions]

def load(location, options):
    return Forgetful()
"""


def test_an_outside_solver_that_fails_is_named_with_the_item_and_the_run_can_be_resumed(
    outside, tmp_path, monkeypatch, run_winoglot
):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("winoglot.models.base.Solver.batch_characters", 1)  # a schema each
    module = outside("models", "forgetful", FORGETFUL)
    folder = tmp_path / "runs"
    command = ["evaluate", str(six_file("en")), "--model", "forgetful", "--model", "first", "-o", str(folder)]
    code, out, err = run_winoglot(*command)
    said = f"the solver forgetful ({module}), asked about train-wave.1, failed: LookupError: who?"
    assert (code, said in err, "Traceback" in err) == (2, True, False)
    assert "first" in out  # the other model has its run
    run = load_run(folder / "six-en.forgetful.choice.grammatical")
    assert 0 < len(run.predictions) < 12
    monkeypatch.setenv("WINOGLOT_TRACEBACK", "1")
    code, _, err = run_winoglot(*command)
    assert (code, 'raise LookupError("who?")' in err) == (2, True)
    source = tmp_path / f"{module}.py"
    source.write_text(FORGETFUL.replace("train-wave.1", "none"))
    monkeypatch.delitem(sys.modules, module)
    code, _, err = run_winoglot(*command)
    assert (code, err) == (0, "")
    resumed = load_run(folder / "six-en.forgetful.choice.grammatical").predictions
    assert len(resumed) == 12
    assert set(run.predictions) <= set(resumed)


def test_a_fault_that_shows_only_in_a_batch_or_in_another_method_is_named():
    class Together(Plain):
        fingerprint = "together"

        def score(self, questions, scorings):
            return super().score(questions, scorings) if len(questions) == 1 else 1 / 0

    class Uncounted(Plain):
        fingerprint = "uncounted"

        def count_tokens(self, texts):
            raise KeyError(texts[0][:4])

    with pytest.raises(InputError, match=r"asked about 12 items from .*, failed: ZeroDivisionError") as caught:
        evaluate(six("en"), Together())
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(InputError, match=r"the solver plain .* failed: KeyError: .*Correct its method count_tokens"):
        evaluate(six("en"), Uncounted())
