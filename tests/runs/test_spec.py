"""One spec behind every way to ask: a setting is one field, and a spec is checked when it is made."""

from dataclasses import fields
from inspect import signature

import pytest

import winoglot as wg
from runs.scripted import Scripted, collection
from six_schemas import six
from winoglot.cli.analyse import analyse
from winoglot.cli.evaluate import evaluate
from winoglot.errors import InputError
from winoglot.experiment.file import ExperimentEntry
from winoglot.models.base import Options
from winoglot.runs.session import Failure, Session
from winoglot.runs.settings import RunSettings
from winoglot.runs.spec import ModelSpec, RunSpec

SETTINGS = [setting.name for setting in fields(RunSettings)]


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_is_an_option_a_keyword_and_a_key_of_experiment_files(name):
    for command in (evaluate, analyse):
        assert name in signature(command).parameters
    assert name in ExperimentEntry.__annotations__
    assert {name, name.removesuffix("s")} & signature(wg.evaluate).parameters.keys()


def test_a_spec_is_checked_when_it_is_made_and_when_it_is_changed():
    """What is refused is listed with the tests of `evaluate`."""
    for values, message in (
        ({"renamed": -1}, "names cannot be drawn -1 times"),
        ({"allow_overlap": 1}, "expected True or False as allow_overlap, found 1"),
        ({"fallback": "half"}, "unknown fallback 'half'"),
        ({"scorings": [1]}, "expected names of scorings"),
    ):
        for make in (RunSpec.checked, RunSpec().changed):
            with pytest.raises(InputError) as caught:
                make(**values)
            assert message in caught.value.message
            assert caught.value.remedy


def test_one_name_stands_for_a_list_and_what_is_named_twice_counts_once():
    spec = RunSpec.checked(kinds="switched", readings=["naive", "naive"], scorings={"full"})
    assert (spec.kinds, spec.readings, spec.scorings) == (("switched",), ("naive",), ("full",))


def test_a_session_loads_a_model_once_and_hands_its_solver_out_with_each_run():
    solver = Scripted()
    spec = RunSpec(collections=(six("en"), six("pt")), models=(ModelSpec.of(solver, Options()),))
    answers = list(Session(spec).answers())
    assert [answered.run.source.name for answered in answers] == ["six-en", "six-pt"]
    assert len({id(answered.solver) for answered in answers}) == 1


def test_what_fails_is_named_and_the_rest_goes_on():
    class Refusing(Scripted):
        name, fingerprint = "refusing", "4567"

        def score(self, questions, scorings):
            raise InputError("not today")

    spec = RunSpec(
        collections=(collection(2),), models=tuple(ModelSpec.of(solver(), Options()) for solver in (Refusing, Scripted))
    )
    failure, answered = Session(spec).answers()
    assert isinstance(failure, Failure)
    assert (failure.name, failure.error.message) == (
        f"refusing on {collection(2).name}, grammatical readings",
        "not today",
    )
    assert answered.run.settings.model == "scripted"
    with pytest.raises(InputError, match="not today"):
        Session(spec).runs()
