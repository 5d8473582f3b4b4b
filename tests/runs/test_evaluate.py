import json
import os
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from cases import for_each, listed
from items import schema
from runs.scripted import Scripted, collection
from six_schemas import six, six_file
from tiny_models import bert, llama, word_pieces
from winoglot import InputError, load
from winoglot.languages.readings import reading_count, readings
from winoglot.models import baselines
from winoglot.models.base import Options, Scores
from winoglot.perturb.base import with_kinds
from winoglot.runs import questions
from winoglot.runs.evaluate import evaluate
from winoglot.runs.questions import asked, asked_items, batches, limited, questions_of
from winoglot.runs.run import Runs
from winoglot.runs.session import Session, places_in
from winoglot.runs.spec import ModelSpec, RunSpec
from winoglot.runs.store import find_runs, load_run, load_runs
from winoglot.schemas.model import Candidate, Impossible, Inference, Item, WrittenReading


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))


def in_session(collections, solvers, folder_of=None, **settings):
    """The solvers asked as the command line asks them; `folder_of` gives the folder of a scoring."""
    models = tuple(ModelSpec.of(solver, Options()) for solver in solvers)
    spec = RunSpec.checked(collections=tuple(collections), models=models, **settings)
    return Session(spec, folder_of and (lambda collection, model, scoring, readings: folder_of(scoring)))


def test_a_run_holds_a_prediction_for_every_item_in_the_collections_order():
    run = evaluate(collection(), Scripted(), kinds=["switched"])
    ids = [prediction.item_id for prediction in run.predictions]
    assert ids == [item.id for item in (*run.collection.items, *run.collection.variants("switched"))]
    assert {prediction.choice for prediction in run.predictions} == {1}
    assert len(run.outcomes()) == len(run.outcomes("switched")) == 80
    assert run.accuracy().value == 0.5
    assert run.consistency().value == 0.0


def test_an_item_is_not_asked_half_and_half():
    """*dela* fits one of two candidates: both readings are naive, or there is no answer."""
    mixed = schema("Os tios viram a Ana e falaram {dela} [bem|mal].", ["a Ana", "os tios"], answers=[0, 1])
    both = collection(1)
    both = replace(both, schemas=(*both.schemas, mixed))
    seen = {}

    class Reading(Scripted):
        cacheable = False

        def score(self, questions, scorings):
            seen.update({question.item.id: question.texts for question in questions})
            return super().score(questions, scorings)

    naive = evaluate(both, Reading())
    first, second = mixed.items[0].id, mixed.items[1].id
    assert seen[first] == (
        "Os tios viram a Ana e falaram a Ana bem.", "Os tios viram a Ana e falaram os tios bem."
    )  # fmt: skip
    assert [outcome.fallback for outcome in naive] == [False, False, True, True]
    assert "fallback" not in naive.signature
    seen.clear()
    silent = evaluate(both, Reading(), fallback="abstain")
    assert seen.keys() == {"s0.0", "s0.1"}
    assert [silent[name].choice for name in (first, second)] == [None, None]
    assert silent.notes() == {"no grammatical reading": 2}
    assert "|fallback:abstain|" in silent.signature
    assert evaluate(both, Reading(), readings="naive", fallback="abstain").notes() == {}


def test_both_scorings_come_from_one_pass_and_each_took_its_time(tmp_path):
    class Slow(Scripted):
        fingerprint = "slow"

        def score(self, questions, scorings):
            time.sleep(0.2)
            return super().score(questions, scorings)

    solver, folders = Slow(), {scoring: tmp_path / scoring for scoring in ("partial", "full")}
    runs = in_session([collection(2)], [solver], folders.get, scorings=("partial", "full")).runs()
    assert [run.settings.scoring for run in runs] == ["partial", "full"]
    assert len(solver.asked) == 4
    for run in runs:
        assert (run.scored, run.seconds >= 0.2) == (4, True)
    again = evaluate(collection(2), Slow(), folder=str(tmp_path / "again"))
    assert (again.scored, again.seconds) == (0, 0.0)


def test_what_was_scored_before_is_not_scored_again():
    evaluate(collection(), Scripted())
    solver = Scripted()
    again = evaluate(collection(), solver)
    assert (solver.asked, len(again.predictions), again.seconds) == ([], 80, 0.0)
    other = Scripted()
    other.fingerprint = "4567"
    evaluate(collection(), other)
    assert len(other.asked) == 80


def test_a_tie_a_missing_score_and_a_nan_are_abstentions_with_a_note():
    for scores, note in [
        (Scores((1.0, 1.0)), "tie"),
        (Scores((float("-inf"), float("-inf"))), "tie"),
        (Scores((None, None), "empty window"), "empty window"),
        (Scores((float("nan"), 1.0)), "not a number"),
    ]:
        solver = Scripted(scores)
        solver.fingerprint = f"{note} {scores}"
        run = evaluate(collection(2), solver)
        assert {(prediction.choice, prediction.note) for prediction in run.predictions} == {(None, note)}
    assert Scores((float("-inf"), -3.0)).choice(1e-6) == 1


@listed
def test_what_a_program_may_pass_by_mistake_is_an_input_error(given, message):
    with pytest.raises(InputError, match=message):
        evaluate(collection(2), **{"model": Scripted(), **given})


def test_what_is_no_collection_no_model_and_no_option_is_named_by_its_type():
    for given in (["winoglot-en"], [{collection(2).name}], 3):
        with pytest.raises(InputError, match=r"expected a collection, found .{1,15}\. Load it first"):
            evaluate(given, Scripted())
    for given, message in (
        ({"model": [Scripted(), 3]}, "expected a model, found 3"),
        ({"model": "chat:models/none", "top_p": collection(2)}, "expected text or a number as top_p, found Collection"),
        ({"model": "first", "options": ["device"]}, "expected a mapping as options, found a list"),
    ):
        with pytest.raises(InputError, match=message):
            evaluate(collection(2), **given)
    made = with_kinds(collection(), ["switched"])
    with pytest.raises(InputError, match="shuffled, switched, synonym"):
        evaluate(made, Scripted(), kinds=["x"])


def test_lists_of_collections_and_models_make_a_run_of_every_combination(tmp_path):
    collections = [replace(collection(count), name=f"c{count}") for count in (2, 3)]
    runs = evaluate(collections, ["first", "second"], folder=tmp_path)
    assert [(run.settings.model, len(run.predictions)) for run in runs] == [
        ("first", 4),
        ("first", 6),
        ("second", 4),
        ("second", 6),
    ]
    assert [type(evaluate(*given)) for given in ((collections, Scripted()), (collection(2), ("first",)))] == [
        Runs,
        Runs,
    ]
    assert sorted(load_runs(tmp_path), key=repr) == sorted(load_runs(find_runs(tmp_path)), key=repr)
    assert {repr(run) for run in load_runs(tmp_path)} == {repr(run) for run in runs}


def test_kinds_may_be_none_a_name_or_any_collection_of_names_and_options_keywords_or_a_mapping():
    assert evaluate(collection(2), Scripted(), kinds=None).settings.kinds == ()
    for kinds in ("switched", {"switched"}):
        assert evaluate(collection(2), Scripted(), kinds=kinds).settings.kinds == ("switched",)
    for given in ({"device": "cpu"}, {"options": {"device": "cpu"}}, {"options": Options(device="cpu")}):
        assert evaluate(collection(2), "first", **given).settings.model == "first"


def test_a_solver_sees_the_whole_collection_and_its_variants_before_it_is_asked():
    class Facing(Scripted):
        faced = ()

        def for_collection(self, items, language):
            made = Facing()
            made.faced = (language, *sorted(item.id for item in items))
            made.settings = {"faced": str(len(made.faced))}
            return made

        def score(self, questions, scorings):
            assert self.faced[0] == "pt"
            assert {question.item.id for question in questions} <= set(self.faced)
            return super().score(questions, scorings)

    run = evaluate(collection(5), Facing(), kinds=["switched"], limit=2)
    assert run.settings.model_settings == {"faced": str(1 + 10 + 4)}


def test_what_a_batch_took_is_counted_though_it_breaks_off(tmp_path):
    class Paid(Scripted):
        fingerprint, spent = "paid", {"requests": 0}

        def score(self, questions, scorings):
            self.spent = {"requests": self.spent["requests"] + 1}
            raise InputError("broken")

    for total in (1, 2):
        with pytest.raises(InputError, match="broken"):
            evaluate(collection(2), Paid(), folder=tmp_path / "run")
        assert load_run(tmp_path / "run").spent == {"requests": total}
    assert not evaluate(collection(2), type("Free", (Scripted,), {"fingerprint": "free", "spent": {}})()).spent


def test_a_limit_takes_whole_schemas_by_seed():
    drawn = [[s.id for s in limited(collection(), 5, seed).schemas] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(evaluate(collection(), Scripted(), limit=5).predictions) == 10
    with pytest.raises(InputError, match="limit"):
        limited(collection(), 0, 0)


def untagged(made, count):
    """The collection, its first schemas without tags."""
    plain = [replace(s, items=tuple(replace(i, tags=()) for i in s.items)) for s in made.schemas[:count]]
    return replace(made, schemas=(*plain, *made.schemas[count:]))


@pytest.mark.parametrize("tagged", [1, 3, 10])
def test_a_limited_run_is_part_of_the_full_one(tagged):
    made = untagged(collection(10), 10 - tagged)
    full = {prediction.item_id for prediction in evaluate(made, Scripted(), kinds=["switched"]).predictions}
    assert len(full) == 20 + 2 * tagged
    for seed in range(8):
        run = evaluate(made, Scripted(), kinds=["switched"], limit=2, seed=seed)
        drawn = {schema.id for schema in run.collection.schemas}
        found = {prediction.item_id for prediction in run.predictions}
        assert found == {item_id for item_id in full if item_id.partition(".")[0] in drawn}


def test_a_limit_does_not_hide_that_no_schema_has_the_kind():
    def said(limit):
        with pytest.raises(InputError, match="no schema of many has a variant") as caught:
            evaluate(made, Scripted(), kinds=["switched"], limit=limit)
        return str(caught.value)

    made = untagged(collection(3), 3)
    reason = (Impossible("switched", "Rui is known to laugh."),)
    made = replace(made, schemas=tuple(replace(schema, impossible=reason) for schema in made.schemas))
    assert said(1) == said(None)


def test_notes_count_abstentions_by_their_reason(tmp_path):
    class Biased(Scripted):
        fingerprint = "biased"
        notes = iter(["position bias: first", "position bias: last", "unknown: praça"])

        def score(self, questions, scorings):
            made = [Scores((None, None), next(self.notes, "")) for _ in questions]
            made[-1] = Scores((2.0, 1.0), "said beside an answer")
            return [dict.fromkeys(scorings, scores) for scores in made]

    run = evaluate(collection(2), Biased())
    assert (run.notes(), run.not_numbers()) == ({"position bias": 2, "unknown": 1}, [])
    solver = Scripted(Scores((float("nan"), 1.0)))
    solver.fingerprint = "nan"
    run = evaluate(collection(1), solver, kinds=["switched"], folder=tmp_path / "run")
    assert run.not_numbers() == ["s0.0", "s0.1", *(item.id for item in run.collection.variants("switched"))]
    assert run.notes() == {"not a number": 2}


def test_the_plan_is_the_same_for_the_same_items_and_keeps_schemas_whole():
    items = asked_items(with_kinds(collection(), ["switched"]), ["switched"])
    plan = batches(items, 6000)
    assert [len(batch) for batch in plan] == [len(batch) for batch in batches(items[::-1], 6000)]
    assert plan[2:] == batches([item for batch in plan[2:] for item in batch], 6000)
    assert sum(map(len, plan)) == len(items) == 160
    for batch in plan:
        ids = {item.schema_id for item in batch}
        assert all(sum(item.schema_id == name for item in batch) == 4 for name in ids)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_several_processes_make_the_readings_that_one_makes(monkeypatch):
    chosen = with_kinds(load("winoglot-en"), ["switched"])
    alone = asked(chosen, ["switched"], "grammatical")
    here, make = os.getpid(), questions._readings
    monkeypatch.setattr(questions, "_readings", lambda *given: os.getpid() != here and make(*given))
    monkeypatch.setattr(questions, "_EACH", 10)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(4))
    assert asked(chosen, ["switched"], "grammatical") == alone
    with questions_of(batches([one.item for one in alone], 6000), "en", "grammatical") as made:
        several = list(made)
    assert len(several) > 2
    assert sorted((one for batch in several for one in batch), key=alone.index) == alone


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_a_process_that_dies_costs_time_only(monkeypatch):
    here, make = os.getpid(), questions._readings
    chosen = load("winoglot-en")
    alone = asked(chosen, (), "naive")

    def die(item, *how):
        if os.getpid() != here and item.id == alone[-1].item.id:
            os._exit(1)
        return make(item, *how)

    monkeypatch.setattr(questions, "_readings", die)
    monkeypatch.setattr(questions, "_EACH", 10)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(4))
    assert asked(chosen, (), "naive") == alone


@pytest.mark.parametrize("name", ["winoglot-en", "winoglot-zh"])
def test_the_readings_of_an_item_are_counted_without_making_them(name):
    chosen = with_kinds(load(name), ["switched", "segment-masked"])
    names, texts = (Candidate("Ann"), Candidate("Bob")), (WrittenReading("Ann ran."), WrittenReading("Bob ran."))
    given = Item("s.0", "s", candidates=names, readings=texts)
    pair = Item("s.1", "s", inferences=(Inference("Ann saw Bob run.", "Bob ran."),))
    for one in (*chosen.items, *chosen.variants(), given, pair):
        for style in ("naive", "grammatical"):
            assert reading_count(one) == len(readings(one, style, language=chosen.language))
    assert (reading_count(given), reading_count(pair)) == (2, 0)


def test_readings_that_fail_keep_what_was_scored_before_them(tmp_path, monkeypatch):
    make = questions._readings
    many = collection(120)
    last = batches(list(many.items), Scripted.batch_characters)[-1][-1].id

    def fail(item, *how):
        if item.id == last:
            raise InputError("a rule fails")
        return make(item, *how)

    solver = Scripted()
    monkeypatch.setattr(questions, "_readings", fail)
    with pytest.raises(InputError, match="a rule fails"):
        evaluate(many, solver, "partial", folder=tmp_path / "run")
    assert [one.item_id for one in load_run(tmp_path / "run").predictions] == solver.asked
    assert 0 < len(solver.asked) < 240
    monkeypatch.undo()
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "empty"))
    assert len(evaluate(many, Scripted(), folder=tmp_path / "run").predictions) == 240


def test_a_score_does_not_depend_on_what_is_in_the_cache(tmp_path, monkeypatch):
    """Items of a batch are padded to a common length, which moves their scores by a few millionths."""
    many = collection(40)
    model = f"causal:{llama(tmp_path / 'model', [item.text for item in many.items])}"
    evaluate(many, model, limit=7)
    evaluate(many[5:20], model, kinds=["switched"])
    warm = evaluate(many, model)
    assert evaluate(many, model).scored == 0
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "empty"))
    assert evaluate(many, model).predictions == warm.predictions


def test_a_few_items_are_evaluated_without_a_walk_through_all_variants():
    whole = load("winoglot-en")
    evaluate(whole, "first", limit=2)
    calls = Counter()
    sys.setprofile(lambda frame, event, _: calls.update([event]) if "winoglot/" in frame.f_code.co_filename else None)
    try:
        evaluate(whole, "first", limit=2, seed=1)
    finally:
        sys.setprofile(None)
    assert calls["call"] < 2000


def test_a_score_that_was_changed_in_the_cache_is_computed_again_and_said_once(tmp_path, caplog):
    before = evaluate(collection(3), Scripted()).predictions
    cache = sqlite3.connect(tmp_path / "cache" / "scores.sqlite", isolation_level=None)
    (count,) = cache.execute("SELECT count(*) FROM checked_scores").fetchone()
    assert count == len(before)
    cache.execute("UPDATE checked_scores SET value = replace(value, '.', '9.')")
    cache.close()
    assert evaluate(collection(3), Scripted()).predictions == before
    assert [record.getMessage().partition(" ")[2] for record in caplog.records] == [
        "is damaged: some scores in it were changed. They are computed again."
    ]
    assert evaluate(collection(3), Scripted()).scored == 0  # by now the cache is repaired
    assert len(caplog.records) == 1


def test_the_cache_of_an_earlier_version_is_replaced_in_silence(tmp_path, caplog):
    (tmp_path / "cache").mkdir()
    cache = sqlite3.connect(tmp_path / "cache" / "scores.sqlite", isolation_level=None)
    cache.execute("CREATE TABLE scores (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
    cache.execute("INSERT INTO scores VALUES ('x', '[[0, 1], \"\", 0]')")
    cache.close()
    assert evaluate(collection(3), Scripted()).scored == 6
    assert evaluate(collection(3), Scripted()).scored == 0
    assert not caplog.records


def test_a_broken_cache_is_done_without(tmp_path, monkeypatch):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "scores.sqlite").write_bytes(b"no database at all" * 100)
    assert len(evaluate(collection(3), Scripted()).predictions) == 6


def test_what_is_named_twice_is_asked_once():
    twice = {"scorings": ("partial", "partial"), "kinds": ("switched", "switched")}
    (run,) = in_session([collection(2)], [Scripted()], **twice).runs()
    assert (len(run.predictions), run.settings.kinds) == (8, ("switched",))


def test_characters_skipped_before_a_shared_token_boundary_are_told_by_item(tmp_path):
    solver = Scripted(Scores((1.0, 2.0), skipped=3))
    solver.fingerprint = "skipping"
    run = evaluate(collection(2), solver, kinds=["switched"], folder=tmp_path / "run")
    assert run.skipped() == load_run(tmp_path / "run").skipped() == dict.fromkeys(["s0.0", "s0.1", "s1.0", "s1.1"], 3)
    assert run.unknown_tokens() is None


def test_whether_a_script_is_lacking_is_decided_over_the_whole_run(tmp_path):
    """The longest texts come first and fill a batch of their own."""
    known = collection(200)
    tokenizer = word_pieces([item.text for item in known.items], size=2000)
    tokenizer.bos_token = "[CLS]"
    model = f"causal:{llama(tmp_path, [], tokenizer=tokenizer)}"
    strange = schema(f"Rui viu Caio e {{ele}} riu{' 図書館' * 60}.", ["Rui", "Caio"], answers=[0], id="strange")
    with pytest.raises(InputError, match="lacks the script"):
        evaluate(replace(known, schemas=(strange,)), model)
    run = evaluate(replace(known, schemas=(*known.schemas, strange)), model)
    assert len(run.predictions) == 401
    assert 0.02 < run.unknown_tokens() < 0.1


def test_a_kind_that_a_run_lacks_is_named_with_those_it_has():
    run = evaluate(collection(2), Scripted(), kinds=["switched"])
    assert run.accuracy("switched").n == 4
    with pytest.raises(InputError, match=r"no items of kind 'swiched'\. Did you mean 'switched'"):
        run.accuracy("swiched")
    with pytest.raises(InputError, match=r"Evaluate again with kinds=\['foo'\]"):
        evaluate(collection(2), Scripted()).accuracy(kind="foo")


def test_a_model_that_runs_out_of_memory_is_told_to_take_less_and_what_was_stored_stays(tmp_path):
    import torch

    class Greedy(Scripted):
        fingerprint = "greedy"

        def score(self, questions, scorings):
            if self.asked:
                raise torch.OutOfMemoryError("CUDA out of memory")
            return super().score(questions, scorings)

    with pytest.raises(InputError, match="--batch-tokens"):
        evaluate(collection(120), Greedy(), folder=tmp_path / "run")
    assert len(load_run(tmp_path / "run").predictions) > 0


def test_what_a_run_cost_is_its_own_and_grows_over_the_processes_that_made_it(tmp_path):
    class Paid(Scripted):
        fingerprint, cacheable = "paid", False
        fails_after = 10**9

        @property
        def spent(self):
            return {"requests": 5.0 + len(self.asked)}  # five before the first question

        def score(self, questions, scorings):
            if len(self.asked) > self.fails_after:
                raise InputError("the server has gone away")
            return super().score(questions, scorings)

    def spent(name):
        return json.loads((tmp_path / name / "run.json").read_text())["spent"]

    solver = Paid()
    folders = {scoring: tmp_path / scoring for scoring in ("partial", "full")}
    in_session([collection(120)], [solver], folders.get, scorings=("partial", "full")).runs()
    assert spent("partial") == spent("full") == {"requests": 120.0}
    evaluate(collection(120), solver, folder=tmp_path / "next")
    assert spent("next") == {"requests": 240.0}
    solver = Paid()
    solver.fails_after = 1
    with pytest.raises(InputError, match="gone away"):
        evaluate(collection(120), solver, folder=tmp_path / "cut")
    assert 0 < spent("cut")["requests"] < 240
    for _ in range(2):  # the second time there is nothing left to ask
        evaluate(collection(120), Paid(), folder=tmp_path / "cut")
        assert spent("cut") == {"requests": 240.0}


# many models and collections: what the command line calls


def made(models, languages=("en", "pt"), styles=("naive",), output=None, **settings):
    collections = [six(language) for language in languages]
    spec = RunSpec.checked(
        collections=tuple(collections),
        models=tuple(ModelSpec.of(model, Options()) for model in models),
        readings=styles,
        **settings,
    )
    return Session(spec, places_in(output)).results()


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


# A model of another package that answers with a line of its own, which may fail; it remembers what it was asked.
TOY = """
from winoglot import InputError
from winoglot.models.base import Scores, Solver

asked = []


class Toy(Solver):
    name, scorings, fingerprint, settings = "toy", ("choice",), "toy", {{}}

    def score(self, questions, scorings):
        asked.extend(questions)
        return [dict.fromkeys(scorings, self.answer(question)) for question in questions]

    def answer(self, question):
        {line}
        return Scores((1.0,) + (0.0,) * (len(question.readings) - 1))


def check(location, options):
    return Toy.scorings


def load(location, options):
    return Toy()
"""


def test_a_collection_that_a_model_cannot_do_costs_its_own_run_only(outside):
    line = "if question.language != 'en': raise InputError('no such language', remedy='Use another.')"
    outside("models", "toy", TOY.format(line=line))
    done = made(["toy", "first"])
    assert [(run.settings.model, run.collection.name) for run in done.runs] == [
        ("toy", "six-en"),
        ("first", "six-en"),
        ("first", "six-pt"),
    ]
    assert [(failure.name, failure.error.message) for failure in done.failures] == [
        ("toy on six-pt, naive readings", "no such language")
    ]


def test_int8_scores_depend_on_their_batch_and_are_not_taken_from_another_run(tmp_path):
    folder = llama(tmp_path / "model", [item.text for item in six("en").items])
    for _ in range(2):
        run = evaluate(six("en"), f"causal:{folder}", precision="int8", limit=2)
        assert (run.scored, "precision:int8" in run.signature, "readings:grammatical" in run.signature) == (
            4,
            True,
            True,
        )


def test_a_model_that_cannot_be_loaded_fails_once_whatever_it_was_to_be_asked(tmp_path):
    folder = llama(tmp_path / "model", ["Rosa saw Lena."])
    weights = tmp_path / "model" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    done = made([f"causal:{folder}", "first"], styles=("naive", "grammatical"), output=tmp_path / "runs")
    (failure,) = done.failures
    assert failure.name == f"causal:{folder}"
    assert "cannot be loaded" in failure.error.message
    assert len(done.runs) == len(find_runs(tmp_path / "runs")) == 4


AGAIN = """
import sys
from winoglot.cli.main import main
try:
    main()
finally:
    print("loaded:", [name for name in ("torch", "transformers") if name in sys.modules])
"""


@pytest.mark.parametrize("family", ["causal", "masked"])
def test_finished_runs_are_read_without_loading_the_model(family, tmp_path, run_winoglot):
    build = {"causal": llama, "masked": bert}[family]
    folder = build(tmp_path / "model", [item.text for item in six("en").items])
    arguments = ["evaluate", str(six_file("en")), "--model", f"tiny={family}:{folder}", "-o", str(tmp_path / "runs")]
    _, first, _ = run_winoglot(*arguments)
    again = subprocess.run([sys.executable, "-c", AGAIN, *arguments], capture_output=True, text=True, check=True)
    assert again.stdout.split() == [*first.split(), "loaded:", "[]"]
    weights = Path(folder) / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    code, _, error = run_winoglot(*arguments)
    assert code == 2
    assert "this run was started with fingerprint" in error


def test_a_bug_ends_it_but_keeps_what_was_finished(monkeypatch):
    def broken(question):
        raise ZeroDivisionError

    monkeypatch.setitem(baselines.PLUGINS, "longer", replace(baselines.PLUGINS["longer"], rule=broken))
    done = made(["first", "longer", "chance"])
    assert [run.settings.model for run in done.runs] == ["first", "first"]
    assert isinstance(done.bug, ZeroDivisionError)


@listed
def test_nothing_is_scored_where_something_cannot_be(outside, models, settings, message):
    module = outside("models", "toy", TOY.format(line="pass"))
    with pytest.raises(InputError, match=message):
        made(models, **settings)
    assert import_module(module).asked == []
    made(["toy"])
    assert len(import_module(module).asked) == 24


@for_each(
    ("found", "message"),
    [
        (
            [{"partial": Scores((1.0, 2.0, 3.0))}] * 4,
            "Scores with 2 values, one per reading, for s0.0 .*found 3 of them",
        ),
        ([{"partial": Scores((1.0,))}] * 4, "found 1 of them"),
        ([{"partial": (1.0, 2.0)}] * 4, "found tuple"),
        ([{"full": Scores((1.0, 2.0))}] * 4, "by scoring 'partial'; found nothing"),
        ([Scores((1.0, 2.0))] * 4, "a dictionary of Scores by scoring for s0.0; found Scores"),
        ([{"partial": Scores((1.0, 2.0))}] * 3, "one dictionary per question, here 4; found 3"),
        (None, "here 4; found nothing"),
    ],
)
def test_what_a_solver_must_not_return_is_refused_and_not_cached(found, message):
    solver = Scripted()
    solver.fingerprint = message
    solver.score = lambda questions, scorings: found
    with pytest.raises(InputError, match=f"the solver scripted must return .*{message}"):
        evaluate(collection(2), solver)
    del solver.score
    evaluate(collection(2), solver)
    assert len(solver.asked) == 4


def test_the_command_and_the_call_have_one_default_and_one_folder_rule(tmp_path, outside):
    outside(
        "models",
        "toy",
        "from runs.scripted import Scripted\n\n\nclass Toy(Scripted):\n    name = 'a name of its own'\n\n"
        "    def default_scorings(self, questions):\n        return ('full', 'partial')\n\n\n"
        "def load(location, options):\n    return Toy()\n",
    )
    many = collection(2)
    (run,) = evaluate([many], ["toy:x"], folder=tmp_path)
    assert run.settings.scoring == evaluate(many, "toy:x").settings.scoring == "full"
    (called,) = find_runs(tmp_path)
    spec = RunSpec.checked(collections=(many,), models=(ModelSpec.of("toy:x", Options()),))
    runs = Session(spec, places_in(tmp_path)).runs()
    assert [run.settings.scoring for run in runs] == ["full", "partial"]
    assert (len(find_runs(tmp_path)), called in find_runs(tmp_path)) == (2, True)
