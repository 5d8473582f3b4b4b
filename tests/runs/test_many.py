"""Many collections, models and scorings in one go."""

from dataclasses import replace

import pytest

from six_schemas import six
from winoglot import InputError
from winoglot.models import baselines
from winoglot.models.base import Options, Scores
from winoglot.runs.evaluate import evaluate_many
from winoglot.runs.solve import RunRequest
from winoglot.runs.store import find_runs


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))


def made(models, request=RunRequest(()), languages=("en", "pt"), styles=("naive",), output=None):  # noqa: B008
    collections = [six(language) for language in languages]
    return evaluate_many(collections, models, styles, request, Options(), output=output)


def test_every_combination_is_a_run_in_a_folder_of_its_own(tmp_path):
    done = made(["first", "longer"], styles=("naive", "grammatical"), output=tmp_path / "runs")
    said = [(run.settings.model, run.collection.name, run.settings.readings) for run in done.runs]
    assert said == [
        (model, name, style)
        for model in ("first", "longer")
        for name in ("six-en", "six-pt")
        for style in ("naive", "grammatical")
    ]
    assert (len(find_runs(tmp_path / "runs")), done.failures, done.bug) == (8, (), None)


def test_a_collection_that_a_model_cannot_do_costs_its_own_run_only(monkeypatch):
    whole = baselines.length

    def only_english(question):
        if question.language != "en":
            raise InputError("no such language", remedy="Use another.")
        return whole(question)

    monkeypatch.setitem(baselines.PLUGINS, "longer", replace(baselines.PLUGINS["longer"], rule=only_english))
    done = made(["longer", "first"])
    assert [(run.settings.model, run.collection.name) for run in done.runs] == [
        ("longer", "six-en"),
        ("first", "six-en"),
        ("first", "six-pt"),
    ]
    assert [(name, error.message) for name, error in done.failures] == [
        ("longer on six-pt, naive readings", "no such language")
    ]


def test_a_bug_ends_it_but_keeps_what_was_finished(monkeypatch):
    def broken(question):
        raise ZeroDivisionError

    monkeypatch.setitem(baselines.PLUGINS, "longer", replace(baselines.PLUGINS["longer"], rule=broken))
    done = made(["first", "longer", "chance"])
    assert [run.settings.model for run in done.runs] == ["first", "first"]
    assert isinstance(done.bug, ZeroDivisionError)


@pytest.mark.parametrize(
    ("models", "request_", "message"),
    [
        (["first", "longr"], RunRequest(()), "longer"),
        (["first", "causal:a/b/c"], RunRequest(()), "no folder of a model"),
        (["first"], RunRequest(("partial",)), "'partial'"),
        (["first"], RunRequest((), kinds=("swiched",)), "switched"),
        (["first"], RunRequest((), limit=0), "limit"),
    ],
)
def test_nothing_is_scored_where_something_cannot_be(monkeypatch, models, request_, message):
    scored = []
    monkeypatch.setattr("winoglot.models.baselines.mentioned", lambda *a: scored.append(a) or Scores((0.0, 1.0)))
    with pytest.raises(InputError, match=message):
        made(models, request_)
    assert scored == []
