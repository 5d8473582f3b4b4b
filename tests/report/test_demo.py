from dataclasses import replace

import pytest

import winoglot as wg
from winoglot import InputError
from winoglot.report import demo
from winoglot.report.demo import demonstrate
from winoglot.runs.store import load_run, save_run

pytestmark = pytest.mark.slow  # whole demonstrations
NAME = "winoglot-en.1.first.choice.naive"


@pytest.fixture
def made(tmp_path, monkeypatch):
    """The folder of a demonstration with one schema of one language and without the default model."""
    monkeypatch.setattr(demo, "find_spec", lambda name: None)
    monkeypatch.setattr(demo, "load_all", lambda name: {"en": wg.load("winoglot-en")})
    monkeypatch.setattr(demo, "BASELINES", ("first",))
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    demonstrate(tmp_path / "demo", 1)
    return tmp_path / "demo"


def aged(folder, **changes):
    """The run in the folder as of an earlier version of its collection, where an item reads otherwise."""
    run = load_run(folder)
    schema = run.collection.schemas[0]
    item = replace(schema.items[0], text=f"{schema.items[0].text} It was so.")
    schema = replace(schema, items=(item, *schema.items[1:]))
    old = replace(run.collection, version="0.9", schemas=(schema,))
    save_run(replace(run, source=old, settings=replace(run.settings, **changes)), folder, force=True)
    return (folder / "run.json").read_bytes()


def test_its_own_runs_of_an_earlier_collection_are_made_anew(made):
    aged(made / NAME)
    assert demonstrate(made, 1).renewed == 1
    assert load_run(made / NAME).collection.version == wg.load("winoglot-en").version
    assert demonstrate(made, 1).renewed == 0


def test_the_command_says_that_runs_were_made_anew(made, run_winoglot):
    aged(made / NAME)
    said = "Redone because the collections have changed: 1 run."
    assert said in run_winoglot("demo", "-o", str(made), "--limit", "1")[1]
    assert said not in run_winoglot("demo", "-o", str(made), "--limit", "1")[1]


@pytest.mark.parametrize("changes", [{"kinds": ()}, {"seed": 7}, {"model_settings": {"precision": "bfloat16"}}])
def test_a_run_with_other_settings_is_not_touched(made, changes):
    there = aged(made / NAME, **changes)
    with pytest.raises(InputError, match="this run was started with"):
        demonstrate(made, 1)
    assert (made / NAME / "run.json").read_bytes() == there


def test_a_run_with_other_files_beside_it_is_not_touched(made):
    there = aged(made / NAME)
    (made / NAME / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="this run was started with"):
        demonstrate(made, 1)
    assert (made / NAME / "run.json").read_bytes() == there


def test_runs_without_a_report_of_the_demonstration_are_not_touched(made):
    there = aged(made / NAME)
    (made / "report.html").unlink()
    with pytest.raises(InputError, match="this run was started with"):
        demonstrate(made, 1)
    assert (made / NAME / "run.json").read_bytes() == there
