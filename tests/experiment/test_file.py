"""What is wrong with an experiment file is said before anything is loaded, with its line and what to write."""

import re

import pytest

from experiment.files import SMALL, write
from winoglot.errors import InputError
from winoglot.experiment.file import read_experiment
from winoglot.experiment.plan import make_plan
from winoglot.experiment.running import plan_experiment


def test_a_file_says_everything_that_evaluate_and_report_would_be_told(tmp_path):
    text = """
    collections:
      - {source: winoglot-pt, name: mine}
    models:
      - model: chance
        name: guess
        scorings: [choice]
        precision: int8
        device: cpu
        batch_tokens: 512
        options: {shots: 4, greeting: "no"}
      - first
    scorings: full, partial
    readings: naive,grammatical
    seed: 3
    report:
      {title: "My study", tables: [latex], figures: svg, width: 3.25in, font: Times New Roman, references: true}
    """
    found = read_experiment(write(tmp_path, text, "study.yaml"))
    assert (found.name, found.folder, found.seed, found.limit) == ("study", tmp_path.resolve(), 3, None)
    assert (found.title, found.tables, found.figures) == ("My study", ("latex",), ("svg",))
    assert (found.width, found.font, found.references) == ("3.25in", "Times New Roman", True)
    assert found.readings == ("naive", "grammatical")
    guess, first = found.models
    assert (guess.name.name, guess.name.address, guess.scorings) == ("guess", "chance", ("choice",))
    assert (guess.options.precision, guess.options.device, guess.options.batch_tokens) == ("int8", "cpu", 512)
    assert guess.options.more == {"shots": "4", "greeting": "no"}
    assert (first.scorings, found.scorings) == ((), ("full", "partial"))
    assert (guess.options.seed, first.options.seed) == (3, 3)


FAULTS = {
    "a model on a collection that is not there": (
        "collections: [winoglot-en]\nmodels:\n- {model: first, collections: [winoglot-em]}",
        "line 4, column 32, models[0].collections[0]: no collection here is called 'winoglot-em'. "
        "Did you mean 'winoglot-en'?",
    ),
    "a typo in a key": ("modles: [first]", "line 2, column 1: unknown key 'modles'. Did you mean 'models'?"),
    "a typo inside a model": (
        "collections: [winoglot-en]\nmodels:\n- {model: first, scoring: full}",
        "line 4, column 18: unknown key 'scoring'. Did you mean 'scorings'?",
    ),
    "no model": ("collections: [winoglot-en]", "the key 'models' is missing"),
    "an empty list": ("collections: []\nmodels: [first]", "line 2, column 14, collections: the list is empty"),
    "an unknown collection": (
        "collections: [winoglot-ent]\nmodels: [first]",
        "line 2, column 15, collections[0].source: there is no bundled collection and no file 'winoglot-ent'. "
        "Did you mean 'winoglot-en'?",
    ),
    "an unknown family": (
        "collections: [winoglot-en]\nmodels:\n- first\n- casual:models/tiny",
        "line 5, column 3, models[1].model: there is no model family 'casual' (in 'casual:models/tiny'). "
        "Did you mean 'causal'?",
    ),
    "a model that is not there": (
        "collections: [winoglot-en]\nmodels:\n- name: tiny\n  model: lm:models/tiny",
        "line 5, column 10, models[0].model: models/tiny: no model here",
    ),
    "two models of one name": (
        "collections: [winoglot-en]\nmodels:\n- {name: a, model: first}\n- {name: a, model: second}",
        "two models are called 'a': lines 4 and 5. Give one of them another `name`.",
    ),
    "two collections of one name": (
        "collections: [winoglot-en, {source: winoglot-pt, name: winoglot-en}]\nmodels: [first]",
        "two collections are called 'winoglot-en'",
    ),
    "a width that is none": (
        "collections: [winoglot-en]\nmodels: [first]\nreport: {width: wide}",
        "line 4, column 17, report.width: 'wide' is not the width of a figure. Write column (84 mm), page (174 mm)",
    ),
    "references of a collection that has none": (
        "collections: [{source: winoglot-en, name: mine}]\nmodels: [first]\nreport: {references: true}",
        "line 4, column 22, report.references: there are no reference runs for 'mine'. There are some for: winoglot-de",
    ),
    "an unknown scoring": (
        "collections: [winoglot-en]\nmodels: [first]\nscorings: [choices]",
        "line 4, column 12, scorings[0]: no model here has a scoring 'choices'. Did you mean 'choice'?",
    ),
    "an unknown scoring of one model": (
        "collections: [winoglot-en]\nmodels:\n- model: first\n  scorings: [full]",
        "line 5, column 14, models[0].scorings[0]: first has no scoring 'full'.",
    ),
    "an unknown kind": (
        "collections: [winoglot-en]\nmodels: [first]\nkinds: [swiched]",
        "line 4, column 8, kinds: winoglot-en has no variants of kind 'swiched', and none can be derived. "
        "Did you mean 'switched'?",
    ),
    "unknown readings": (
        "collections: [winoglot-en]\nmodels: [first]\nreadings: gramatical",
        "there is no 'gramatical' here. Did you mean 'grammatical'?",
    ),
    "an unknown metric": (
        "collections: [winoglot-en]\nmodels: [first]\nanalyses: {metrics: [acuracy]}",
        "line 4, column 22, analyses.metrics[0]: there is no metric 'acuracy'. Did you mean 'accuracy'?",
    ),
    "an unknown subset": (
        "collections: [winoglot-en]\nmodels: [first]\nanalyses: {subsets: [switchables]}",
        "no collection has a subset 'switchables'. Did you mean 'switchable'?",
    ),
    "an unknown table": (
        "collections: [winoglot-en]\nmodels: [first]\nreport: {tables: [latx]}",
        "there is no 'latx' here. Did you mean 'latex'?",
    ),
    "an unknown precision": (
        "collections: [winoglot-en]\nmodels: [{model: first, precision: int9}]",
        "there is no 'int9' here. Did you mean 'int8'?",
    ),
    "a limit that is no number": (
        "collections: [winoglot-en]\nmodels: [first]\nlimit: ten",
        "line 4, column 8, limit: expected a whole number, found 'ten'",
    ),
    "too many draws of names": (
        "collections: [winoglot-en]\nmodels: [first]\nrenamed: 2000",
        "line 4, column 10, renamed: names cannot be drawn 2000 times",
    ),
    "an overlay that is not there": (
        "collections: [{source: winoglot-en, overlay: none.jsonl}]\nmodels: [first]",
        "none.jsonl: cannot be read",
    ),
    "a limit of nothing": ("collections: [winoglot-en]\nmodels: [first]\nlimit: 0", "limit: a limit of 0"),
    "a published number of another collection": (
        "collections: [winoglot-en]\nmodels: [first]\n"
        "published: [{label: LSTM, collection: winoglot-pt, value: 50, source: x}]",
        "line 4, column 39, published[0].collection: no collection here is called 'winoglot-pt'. "
        "Did you mean 'winoglot-en'?",
    ),
    "a published number that is no percentage": (
        "collections: [winoglot-en]\nmodels: [first]\n"
        "published: [{label: LSTM, collection: winoglot-en, value: 480.1, source: x}]",
        "accuracy is in percent, found 480.1",
    ),
    "a variable that is not set": (
        "collections: ['${WINOGLOT_NO_SUCH}/a.yaml']\nmodels: [first]",
        "the environment variable WINOGLOT_NO_SUCH is not set",
    ),
    "a name that no collection can have": (
        "collections: [{source: winoglot-en, name: 'a b/c'}]\nmodels: [first]",
        "line 2, column 43, collections[0].name: ",
    ),
    "no YAML": ("collections: [", "this is not YAML"),
    "nothing": ("", "the file is empty"),
    "a list": ("- winoglot-en", "expected a mapping, found a list"),
}


def test_a_similar_name_is_suggested_for_a_file_that_does_not_exist(tmp_path):
    path = write(tmp_path, name="pronouns.yaml")
    with pytest.raises(InputError, match=re.escape(f"Did you mean {str(path)!r}? Name an experiment file")):
        plan_experiment(tmp_path / "pronuons.yaml")


@pytest.mark.parametrize(("text", "said"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_with_its_line(tmp_path, text, said):
    path = write(tmp_path, "\n" + text)
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        plan_experiment(path)
    assert str(path) in str(caught.value)
    assert [file.name for file in tmp_path.iterdir()] == ["small.yaml"]  # nothing was begun


def test_a_fault_in_a_collection_is_named_with_both_files(tmp_path):
    write(tmp_path, "collection: mine\nlanguage: en\nshemas: []", "mine.yaml")
    path = write(tmp_path, "collections: [mine.yaml]\nmodels: [first]")
    with pytest.raises(InputError, match=r"small.yaml, line 1, .*mine.yaml, line 3, column 1: unknown key 'shemas'"):
        plan_experiment(path)


def test_a_file_in_several_languages_says_which_key_to_add(tmp_path):
    rows = "".join(f'{language}\ts\t?\tx\t[]\t["x",[0,1],["x"]]\t[]\n' for language in ("pt", "fr"))
    (tmp_path / "several.tsv").write_text(rows, encoding="utf-8")
    path = write(tmp_path, "collections: ['xwinograd:several.tsv']\nmodels: [first]")
    with pytest.raises(InputError, match=r"2 languages: fr, pt.* Add `language: fr`"):
        plan_experiment(path)


def test_paths_are_relative_to_the_file(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    text = (
        "collection: mine\nlanguage: en\nschemas:\n- id: a\n"
        "  text: The cup fell off the shelf because {it} was [wet|old].\n"
        "  candidates: [the cup, the shelf]\n  answers: [0, 1]\n"
    )
    write(tmp_path / "data", text, "mine.yaml")
    path = write(tmp_path, "collections: [data/mine.yaml, '${WINOGLOT_MINE}/mine.yaml']\nmodels: [first]")
    path.write_text(path.read_text().replace("'${", "{name: again, source: '${").replace("yaml']", "yaml'}]"))
    monkeypatch.setenv("WINOGLOT_MINE", str(tmp_path / "data"))
    monkeypatch.chdir("/")
    plan = make_plan(read_experiment(path), tmp_path / "out")
    assert [one.name for one in plan.collections] == ["mine", "again"]


def test_a_model_may_be_asked_some_of_the_collections_only(tmp_path):
    text = "collections: [winoglot-en, winoglot-fr]\nmodels:\n- first\n- {model: second, collections: winoglot-fr}"
    plan, _ = plan_experiment(write(tmp_path, text))
    for spread in (False, True):
        jobs = plan.collection_jobs(spread=spread)
        asked = [(job.name, collection.language) for job in jobs for collection in job.collections]
        assert asked == [("first", "en"), ("first", "fr"), ("second", "fr")]


def test_a_model_is_asked_by_the_scorings_it_has(tmp_path, outside):
    source = "def load(location, options): ...\ndef check(location, options): return 'partial', 'full'\n"
    outside("models", "scorer", source)
    text = "collections: [winoglot-en]\nmodels: [first, scorer]\nscorings: [full, partial]\n"
    plan, _ = plan_experiment(write(tmp_path, text))
    assert [one.scorings for one in plan.models] == [(), ("full", "partial")]


def test_an_experiment_has_one_job_per_model_or_more_to_spread(tmp_path):
    path = write(tmp_path, SMALL.replace("[winoglot-en]", "[winoglot-en, winoglot-fr]"))
    plan, _ = plan_experiment(path)
    assert [len(job.collections) for job in plan.jobs(spread=False)] == [2, 2]
    spread = plan.jobs(spread=True)
    assert [(job.name, job.collections[0].language) for job in spread] == [
        ("first", "en"),
        ("first", "fr"),
        ("guess", "en"),
        ("guess", "fr"),
    ]
