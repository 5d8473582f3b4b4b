import json
from dataclasses import replace

import pytest

import winoglot as wg
from analysis.hand_written import subject
from cases import listed
from corpus.count_making import counts_of
from runs.scripted import Scripted
from six_schemas import six, six_file
from winoglot.analysis.analyse import prepared
from winoglot.analysis.base import Subject, measured_rows, measures, named_measure
from winoglot.analysis.preference import masked_kind, with_masked
from winoglot.errors import InputError
from winoglot.formats import perturbed_wsc
from winoglot.formats.base import InputFile
from winoglot.models.base import Scores
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.runs.store import save_run

QUICK = {"kinds": ["relative", "switched"], "renamed": 0, "progress": False}


class Fresh(Scripted):
    """One that is asked whatever is in the cache."""

    cacheable = False


def test_all_is_asked_once_and_a_second_call_asks_nothing(tmp_path):
    first, second = Fresh(), Fresh()
    made = wg.analyse(six("en"), first, folder=tmp_path, **QUICK)
    assert len(first.asked) == len(set(first.asked))
    kinds = {name.partition("~")[2] for name in first.asked}
    assert {"", "relative", "switched", "segment-masked", "relative+switched+segment-masked"} <= kinds
    again = wg.analyse(six("en"), second, folder=tmp_path, force=True, **QUICK)
    assert (second.asked, again) == ([], made)
    third = Fresh()
    wg.analyse(six("en"), third, measures="marginal", **QUICK | {"renamed": 5})  # what this measure needs, no more
    assert {name.partition("~")[2] for name in third.asked} == {"", "relative", "switched"}


def test_without_kinds_all_that_can_be_derived_are_asked():
    collection, kinds = prepared(six("en"), wg.analysis.analyse.AnalysisRequest(measures=("sensitivity",)))
    assert {"relative", "gender", "switched", "after-only", "segment-masked"} <= set(kinds)
    assert all(collection.variants(kind) for kind in kinds)


def test_what_an_analysis_shows():
    found = wg.analyse(six("en"), ["first", "second"], **QUICK)
    assert repr(found) == f"<Analysis of first, second: {len(found)} estimates>"
    (stable,) = found.where(quantity="stability", kind="relative", model="second")
    assert (stable.estimate.value, stable.language, stable.measure) == (1.0, "en", "sensitivity")
    frame = found.to_frame()
    assert len(frame) == len(found)
    assert set(frame["model"]) == {"first", "second", ""}  # what needs no model is there once
    assert "<table" in found._repr_html_()
    grouped = found.described()
    assert len({(one["measure"], one["kind"], one["model"]) for one in grouped}) == len(grouped)
    assert sum(len(one["estimates"]) for one in grouped) == len(found)


def test_rules_and_people_have_choices_only(tmp_path):
    collection = wg.perturb(six("en"), "relative")
    items = (*collection.items, *collection.variants("relative"))
    settings = Settings("people", "answers", "none", "0", kinds=("relative",))
    people = Run(collection, settings, tuple(Prediction(one.id, one.hash, one.answer) for one in items))
    found = wg.analyse(six("en"), "first", human=people, **QUICK)
    (right,) = found.where(quantity="robust-accuracy", model="people")
    assert right.estimate.value == 1.0
    for model in ("first", "people"):
        (none,) = found.where(quantity="twin-in-bottom", model=model, kind="original")
        assert none.estimate.method == f"{model} gave choices, not scores"
    (asked,) = found.where(quantity="first-mention", model="people", kind="relative")
    assert asked.estimate.method == "no items with a masked segment were asked"


def test_people_are_averaged_over_the_kinds_that_are_named():
    collection = wg.perturb(wg.perturb(six("en"), "relative"), "tense")
    items = (*collection.items, *collection.variants())
    settings = Settings("people", "answers", "none", "0", kinds=("relative", "tense"))
    right = tuple(Prediction(item.id, item.hash, item.answer) for item in items)
    wrong_in_tense = [replace(one, choice=1 - one.choice) if one.item_id.endswith("~tense") else one for one in right]
    people = Run(collection, settings, tuple(wrong_in_tense))
    found = wg.analyse(collection, "first", human=people, measures="sensitivity", **QUICK)
    (mean,), (robust,) = (found.where(quantity=name, model="people") for name in ("mean-delta", "robust-accuracy"))
    assert (mean.estimate.value, mean.numbers["kinds"], robust.estimate.value) == (0.0, 1.0, 1.0)
    assert not found.where(kind="tense", model="people")


def test_a_model_without_scores_gets_a_reason():
    silent = Fresh(Scores((None, None), "silent"))
    found = wg.analyse(six("en"), silent, measures=["marginal", "probability"], **QUICK)
    assert {row.estimate.method for row in found.where(model="scripted")} == {
        "scripted gave no scores for both candidates"
    }


def test_runs_over_another_version_are_refused(tmp_path):
    run = wg.evaluate(six("en"), "first")
    newer = replace(six("en"), version="9.9")
    with pytest.raises(InputError, match=r"is over version .* of six-en, not over 9\.9"):
        wg.analyse(newer, run, **QUICK)
    with pytest.raises(InputError, match="over six-en, which is not analysed"):
        wg.analyse(six("pt"), "first", human=run, **QUICK)
    schema = six("en").schemas[0]
    changed = replace(schema, items=tuple(replace(item, answer=1 - item.answer) for item in schema.items), variants=())
    other = replace(six("en"), schemas=(changed, *six("en").schemas[1:]))
    with pytest.raises(InputError, match="another text or answer there"):
        wg.analyse(other, run, **QUICK)


@listed
def test_bad_requests_name_what_is_wrong(keys, message):
    with pytest.raises(InputError, match=message):
        wg.analyse(six("en"), "first", **QUICK | keys)


def test_counts_of_another_language_are_refused(tmp_path):
    counts_of(tmp_path, [["a b c"]], language="fr")
    with pytest.raises(InputError, match="the counts are for fr, the collection is in en"):
        wg.analyse(six("en"), "first", counts=tmp_path / "counts", **QUICK)
    both = [six("en"), six("fr")]
    found = wg.analyse(both, "first", counts=tmp_path / "counts", measures="association-divergence", **QUICK)
    (none, _) = found.where(collection="six-en")
    assert none.estimate.method == "the counts are for fr, the collection is in en"
    assert len(found.where(collection="six-fr")) > 2


def test_a_model_named_twice_is_asked_once_and_answers_given_twice_are_refused():
    found = wg.analyse(six("en"), ["first", "first"], **QUICK)
    assert len(found.where(quantity="mean-delta")) == 1
    run = wg.evaluate(six("en"), "first", progress=False)
    with pytest.raises(InputError, match="two collections are called 'six-en'"):
        wg.analyse([six("en"), six("en")], "first", **QUICK)
    with pytest.raises(InputError, match="no model and no run was given"):
        wg.analyse(six("en"), [], **QUICK)
    for models, human in (("first", run), ([run, run], ())):
        with pytest.raises(InputError, match=r"the answers of first to six-en \(choice, .* are given twice"):
            wg.analyse(six("en"), models, human=human, **QUICK)


# The command


def test_the_command_writes_page_tables_figures_and_results(tmp_path, run_winoglot):
    out = tmp_path / "made"
    asked = ("analyse", six_file("en"), "--model", "first", "--kinds", "relative,switched", "--renamed", "2", "-o", out)
    code, printed, _ = run_winoglot(*asked)
    assert code == 0
    assert "mean Δ" in printed
    assert "analysis.html" in printed
    results = json.loads((out / "analysis.json").read_text("utf-8"))
    assert {one["measure"] for one in results["results"]} == {one.name for one in measures() if one.by_default}
    assert results["runs"][0].startswith("six-en@")
    page = (out / "analysis.html").read_text("utf-8")
    assert "first gave choices, not scores" in page
    assert all(f'id="{one.name}"' in page for one in measures() if one.by_default)
    assert {path.suffix for path in (out / "tables").iterdir()} == {".csv", ".md", ".tex"}
    assert {path.name for path in (out / "figures").glob("[a-z]*.svg")} >= {"sensitivity.svg", "preference.svg"}
    assert page.count("gave choices, not scores") == 1  # a reason is said once, and without a number there is no figure
    assert not (out / "figures" / "marginal.svg").exists()
    code, _, error = run_winoglot(*asked)
    assert (code, "--force" in error) == (2, True)
    code, printed, _ = run_winoglot(*asked, "--force", "--json")
    assert (code, json.loads(printed)) == (0, results["results"])


def test_the_command_takes_stored_runs_and_people(tmp_path, run_winoglot):
    save_run(subject(tmp_path).run, tmp_path / "stored")
    wg.save(subject(tmp_path).collection, tmp_path / "hand.jsonl")
    people = replace(subject(tmp_path).run, settings=replace(subject(tmp_path).run.settings, model="people"))
    save_run(people, tmp_path / "people")
    code, printed, error = run_winoglot(
        *("analyse", tmp_path / "hand.jsonl", "--run", tmp_path / "stored", "--human", tmp_path / "people"),
        *("--measures", "marginal", "-o", tmp_path / "made", "--json"),
    )
    assert (code, error) == (0, "")
    found = {(one["model"], one["kind"]): one["estimates"][0] for one in json.loads(printed)}
    assert found["made-model", "original"]["value"] == 0.5
    assert found["people", "original"]["reason"] == "people gave choices, not scores"


# Plug-ins


def test_measures_of_other_packages_have_the_same_standing(outside, run_winoglot, tmp_path):
    outside(
        "measures",
        "answered",
        """'''How many items are answered.'''
from winoglot.analysis.base import Measurement

def measure(subject):
    for kind in ('original', *subject.kinds):
        yield Measurement('answered', subject.run.estimate('quality', None if kind == 'original' else kind), kind)
""",
    )
    assert "How many items are answered." in run_winoglot("list", "measures")[1]
    out = tmp_path / "made"
    code, printed, _ = run_winoglot(
        *("analyse", six_file("en"), "--model", "first", "--kinds", "relative"),
        *("--measures", "answered", "-o", out, "--json"),
    )
    assert code == 0
    assert [one["kind"] for one in json.loads(printed)] == ["original", "relative"]
    assert "How many items are answered." in (out / "analysis.html").read_text("utf-8")


def test_measures_and_kinds_of_other_packages_that_fail_are_named(outside):
    about = Subject(wg.evaluate(six("en"), "first"))
    for name, body, message in (("one", "1 / 0", ".*ZeroDivisionError"), ("two", "[7]", ".* yielded 7")):
        outside("measures", name, f"def measure(subject):\n    return {body}\n")
        with pytest.raises(InputError, match=f"the measure {name} {message}"):
            measured_rows(named_measure(name), about)
    outside("perturbations", "broken", "def perturb(item):\n    return 1 / 0\n")
    with pytest.raises(InputError, match=r"the perturbation 'broken' .*, of item .*ZeroDivisionError"):
        wg.analyse(six("en"), "first", renamed=0, measures="sensitivity", progress=False)


SEVEN = ("tense", "number", "gender", "voice", "relative", "adverb", "synonym")


def test_most_of_the_published_set_can_be_masked_in_every_kind(public_data):
    collection = perturbed_wsc.read(InputFile(public_data / "collections" / "perturbed_wsc_pairs_to_71.tsv"))
    whole, kinds = with_masked(collection, SEVEN)
    assert {masked_kind(kind) for kind in SEVEN} <= set(kinds)
    for kind in SEVEN:
        assert len(whole.variants(masked_kind(kind))) > 0.8 * len(collection.variants(kind)), kind
