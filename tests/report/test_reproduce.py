"""The commands at the end of a report can be pasted as they are, and make the same runs again."""

import shlex
from dataclasses import replace
from itertools import pairwise

import pytest

import winoglot as wg
from metrics.made_runs import pairs_of, run_of
from winoglot.report.reproduce import commands, unbundled
from winoglot.runs.store import find_runs, load_run

GOOD = [(1, 1)] * 12


def test_the_commands_make_no_run_that_is_not_there():
    def run(language, model, limit):
        keys = {"name": f"winoglot-{language}", "language": language, "limit": limit, "scoring": "choice"}
        return run_of(pairs_of(GOOD), model, readings="grammatical", **keys)

    how = "--scoring choice --readings grammatical"
    assert commands([run("en", "first", 2), run("fr", "first", 2), run("en", "second", 3)]) == [
        f"winoglot evaluate winoglot-en winoglot-fr --model first {how} --limit 2 -o runs",
        f"winoglot evaluate winoglot-en --model second {how} --limit 3 -o runs",
        "winoglot report runs -o report.html",
    ]


@pytest.mark.slow
def test_the_commands_make_runs_of_other_settings_in_other_folders(tmp_path, monkeypatch, run_winoglot):
    en = wg.load("winoglot-en")
    runs = [wg.evaluate(en, "chance", limit=3, seed=seed) for seed in (1, 2)]
    runs += [wg.evaluate(en, "first", limit=2), wg.evaluate(en, "first", limit=3), wg.evaluate(en, "chance", limit=2)]
    made = commands(runs)
    assert [command.partition("--readings grammatical ")[2] for command in made[:-1]] == [
        "--limit 3 --seed 1 -o runs",
        "--limit 3 --seed 2 -o runs-2",
        "--limit 2 -o runs-3",
        "--limit 3 -o runs",
    ]
    assert made[-1] == "winoglot report runs runs-2 runs-3 -o report.html"
    monkeypatch.chdir(tmp_path)
    assert [run_winoglot(*shlex.split(command)[1:])[0] for command in made] == [0] * len(made)
    again = [load_run(folder) for name in ("runs", "runs-2", "runs-3") for folder in find_runs(tmp_path / name)]
    assert {run.signature for run in again} == {run.signature for run in runs}


def test_the_commands_name_the_language_of_a_file_that_may_contain_several():
    runs = [run_of(pairs_of(GOOD), name=f"mine-{tag}", language=tag) for tag in ("ja", "pt-BR")]
    assert commands(runs)[:2] == [
        f"winoglot evaluate mine-{tag} --model solver --scoring partial --readings naive --language {tag} -o runs"
        for tag in ("ja", "pt-BR")
    ]
    assert [name.partition("@")[0] for name, _ in unbundled(runs)] == ["mine-ja", "mine-pt-BR"]


def test_the_commands_name_what_made_imported_predictions():
    keys = {"scoring": "imported", "readings": "imported"}
    tags = ("en", "fr")
    runs = [run_of(pairs_of(GOOD), "org/my model", name=f"mine-{tag}", language=tag, **keys) for tag in tags]
    assert commands(runs)[:2] == [
        f"winoglot runs import FILE --collection mine-{tag} --language {tag} --model 'org/my model' "
        f"-o runs/mine-{tag}.org_my_model"
        for tag in tags
    ]


def test_the_commands_repeat_title_people_and_name_of_the_page():
    run = run_of(pairs_of(GOOD))
    made = commands([run], [run], "It’s mine", "my page.html")[-1]
    assert shlex.split(made) == [
        *("winoglot", "report", "runs", "-o", "my page.html", "--title", "It’s mine", "--human", "HUMAN_RUN")
    ]


def test_the_commands_name_kinds_sample_precision_and_options():
    keys = {"kinds": ("switched", "tense"), "limit": 7, "seed": 3, "model_settings": {"precision": "int8"}}
    run = replace(run_of(pairs_of(GOOD), "causal:org/my model", **keys), options={"prompt": "two words"})
    (words,) = [shlex.split(command) for command in commands([run])[:-1]]
    told = dict(pairwise(words))
    assert told["--model"] == "causal:org/my model"
    assert told["--kinds"] == "switched,tense"
    assert (told["--limit"], told["--seed"], told["--precision"]) == ("7", "3", "int8")
    assert told["--option"] == "prompt=two words"
