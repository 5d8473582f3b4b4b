"""Results of a study: recovered from simulated people, and recomputed by hand from a few answers."""

from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from math import exp
from random import Random

import pytest
from pyarrow import parquet

import winoglot as wg
from study.participants import a_person, a_study, given
from winoglot.runs.store import load_run, save_run
from winoglot.study.answers import Answer, ExpertAnswer, Respondent, StudyAnswers, read_answers
from winoglot.study.create import create_study
from winoglot.study.export import people_table, study_runs, tables
from winoglot.study.issues import item_issues
from winoglot.study.judgements import read_judgements
from winoglot.study.participation import answer
from winoglot.study.results import study_results
from winoglot.study.settings import StudySettings
from winoglot.study.steps import Screen, step
from winoglot.study.storage import TEST, VERIFICATION, Problem, Task


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """A study in which 16 people took part properly, two answered at random and two left early; and the accuracy."""
    rng = Random(7)
    settings = {"training": 1, "problems": 16, "judgements": 4, "checks": 3, "participants": 20}
    storage = a_study(f"{tmp_path_factory.mktemp('study')}/study.db", wg.load("winoglot-en")[:18], **settings)
    ease = {one.id: rng.gauss(2.0, 0.8) for one in storage.problems.values() if one.part == TEST}
    skills = [rng.gauss(0, 0.5) for _ in range(16)]

    def take_part(skill, most=100):
        """Answer as many screens, as well as the skill says; without one, at random."""
        person = a_person(storage)
        for _ in range(most):
            if not isinstance(screen := step(storage, person), Screen):
                return
            answers = {}
            for task in (problem.task for problem in screen.problems):
                with storage.reading() as session:
                    problem = storage.problems[session.get_one(Task, task).problem_id]
                right = problem.id not in ease or rng.random() < 1 / (1 + exp(-(skill or 0) - ease[problem.id]))
                choice = rng.randrange(2) if skill is None else problem.answer if right else 1 - problem.answer
                verdict = {"verdict": "keep"} if screen.part == VERIFICATION else {"choice": choice}
                answers[task] = given(seconds=8 * rng.lognormvariate(0, 0.4), **verdict)
            answer(storage, person, answers)

    for skill in skills:
        take_part(skill)
    for _ in range(2):
        take_part(None)
        take_part(0, most=5)
    expected = [1 / (1 + exp(-skill - one)) for skill in skills for one in ease.values()]
    with storage:
        yield storage, sum(expected) / len(expected)


def test_known_accuracy_is_recovered_and_careless_people_are_left_out(simulated):
    storage, truth = simulated
    found = study_results(read_answers(storage))
    assert found.people == 20
    assert len(found.excluded) == 4
    left_early = [why for why in found.excluded.values() if why.startswith("answered")]
    assert len(left_early) == 2
    accuracy = found.originals.accuracy
    assert accuracy.low <= truth <= accuracy.high
    assert accuracy.n == 16 * 16
    assert found.originals.majority.value > accuracy.value
    assert 6 < found.originals.seconds.value < 10


def test_exported_tables_judgements_and_runs_agree_with_the_results_and_hold_no_links(simulated, tmp_path):
    storage, _ = simulated
    study = read_answers(storage)
    files = tables(storage, study)
    lines = str(files["answers.csv"]).splitlines()
    assert len(lines) == 1 + len(study.all_answers) > 1 + len(study.answers)
    content = "".join(text for text in files.values() if isinstance(text, str))
    with storage.reading() as session:
        assert storage.study(session).secret not in content
    assert "token" not in content
    for name, of in (("answers", study.all_answers), ("people", study.people)):
        assert parquet.read_table(BytesIO(files[f"{name}.parquet"])).num_rows == len(of)
    (tmp_path / "judgements.jsonl").write_text(str(files["judgements.jsonl"]), encoding="utf-8")
    read = read_judgements([tmp_path / "judgements.jsonl"], [wg.load("winoglot-en")])  # as of the blind checks
    assert not read.stale
    assert sum(bool(one.right) for one in read.judged) == sum(one.right for one in study.answers)
    runs = study_runs(storage, study)
    assert len(runs) == 1 + 16
    assert runs["majority"].accuracy().value == pytest.approx(study_results(study).originals.majority.value)
    save_run(runs["majority"], tmp_path / "majority")
    assert load_run(tmp_path / "majority").accuracy().value == runs["majority"].accuracy().value


def _problem(item_id, kind="original", answer=0, panel=None):
    schema, version = item_id.partition("~")[0].split(".")
    content = {"before": "", "pronoun": "it", "after": "", "question": None, "candidates": ["a", "b"]}
    known = {"item_id": item_id, "schema_id": schema, "kind": kind, "version": int(version), "panel": panel}
    return Problem(**known, item_hash="", part=TEST, content=content, answer=answer)


def _study(problems, said, **settings):
    """`said`: person, item, choice, then optionally what is different."""
    keys = {problem.item_id: problem for problem in problems}
    answers = []
    for person, item, choice, *more in said:
        problem, values = keys[item], {"final": choice, **(more[0] if more else {})}
        known = (person, int(person[0] == "B"), item, problem.schema_id, problem.kind, problem.version, (0, 1), choice)
        usual = {"ambiguous": False, "unnatural": False, "comment": "", "seconds": 5.0}
        answers.append(Answer(*known, problem.answer, **(usual | values), at=datetime(2026, 1, 1, tzinfo=UTC)))
    times = dict.fromkeys(("consented", "assigned", "tested", "finished", "seen"))
    known = {"revoked": False, "asked": 1, "answered": 1, "checks": 0, "failed_checks": 0, "seconds": 5.0}
    people = [
        Respondent(one, 0, **times, **known, background={}, comment="") for one in {one.person for one in answers}
    ]
    return StudyAnswers(
        "s", "c", "en", StudySettings(**settings), tuple(problems), tuple(people), tuple(answers), (), tuple(answers)
    )


def test_each_figure_by_hand():
    problems = [_problem("p.0"), _problem("q.1", answer=1)]
    study = _study(
        problems,
        [
            ("A1", "p.0", 0),
            ("A2", "p.0", 0, {"ambiguous": True, "seconds": 7.0}),
            ("A3", "p.0", 1, {"final": 0, "verdict": "mistake", "seconds": 9.0}),
            ("A1", "q.1", 1),
            ("A2", "q.1", None),
            ("A3", "q.1", 0),
        ],
    )
    found = study_results(study).originals
    assert found.accuracy.value == pytest.approx(3 / 6)
    assert found.after.value == pytest.approx(4 / 6)
    assert found.majority.value == pytest.approx(1 / 2)  # p.0; for q.1 there is no majority
    assert found.full_agreement.value == 0
    assert found.questions["ambiguous"].value == pytest.approx(1 / 6)
    assert found.seconds.value == 5.0
    assert found.mean_seconds.value == pytest.approx(6.0)
    assert [(one.item_id, one.right, one.right_after, one.is_missed) for one in item_issues(study)] == [
        ("q.1", 1, 1, True),
        ("p.0", 2, 3, False),  # flagged as ambiguous
    ]


def test_full_agreement_is_that_of_the_people_and_not_with_the_key():
    problems = [_problem("p.0"), _problem("q.0"), _problem("r.0"), _problem("s.0")]
    choices = {"p.0": (0, 0), "q.0": (1, 1), "r.0": (None, None), "s.0": (0, 1)}
    said = [(f"A{at}", item, choice) for item, both in choices.items() for at, choice in enumerate(both)]
    assert study_results(_study(problems, said)).originals.full_agreement.value == 0.5


def test_versions_of_the_items_are_counted_apart():
    problems = [_problem(f"{schema}.{version}") for schema in "pq" for version in (0, 1)]
    given = [(person, f"{schema}.0", 0) for person in ("A1", "A2") for schema in "pq"]
    given += [(person, f"{schema}.1", int(person == "A3")) for person in ("A3", "A4") for schema in "pq"]
    found = study_results(_study(problems, given)).versions
    assert {version: one.value for version, one in found.items()} == {0: 1.0, 1: 0.5}


def test_stability_compares_panels_and_has_a_floor():
    problems = [
        _problem("p.0"),
        _problem("q.0"),
        _problem("p.0~tense", "tense", panel=1),
        _problem("q.0~tense", "tense", panel=0),
        _problem("p.0~switched", "switched", answer=1, panel=1),
    ]
    given = [("A1", "p.0", 0), ("B1", "p.0", 0), ("A1", "q.0", 0), ("B1", "q.0", 1)]
    given += [("B2", "p.0~tense", 0), ("A2", "q.0~tense", 0), ("B3", "p.0~switched", 1)]
    found = {one.kind: one for one in study_results(_study(problems, given, panels=2)).stability}
    assert found["tense"].floor.value == 0.5  # p.0 the same, q.0 not
    assert found["tense"].stability.value == 0.5  # p: 0 and 0; q: the other panel said 1, this one 0
    assert found["switched"].stability.value == 1.0  # another candidate is right: the same reading


def test_experts_may_find_an_item_too_ambiguous():
    study = _study([_problem("p.0")], [("A1", "p.0", 1)])
    expert = (
        ExpertAnswer("E1", "p.0", 0, 0, None, ""),
        ExpertAnswer("E2", "p.0", None, 0, "too-ambiguous", "both fit"),
    )
    verdict = study_results(replace(study, expert=expert)).expert[0]
    assert (verdict.right, verdict.wrong, verdict.too_ambiguous) == (1, 0, 1)


def test_groups_that_are_too_small_are_not_named():
    """What fewer than five people say about themselves is exported like no answer, and has no results."""
    question = "Where did you grow up? | here | there"
    given = [(f"A{number}", item, int(number == 1 and item == "p.0")) for number in range(8) for item in ("p.0", "q.0")]
    study = _study([_problem("p.0"), _problem("q.0")], given, background=("native-language", "age", question))
    people = sorted(study.people, key=lambda person: person.number)
    said = [{question: "here", "age": "18–29"}] * 5 + [{question: "there", "native-language": "Welsh"}] * 2 + [{}]
    study = replace(
        study, people=tuple(replace(one, background=answers) for one, answers in zip(people, said, strict=True))
    )
    rows = people_table(study).rows
    assert [row["Where did you grow up?"] for row in rows] == ["here"] * 5 + [""] * 3
    assert [row["native_language"] for row in rows] == [""] * 5 + ["Welsh"] * 2 + [""]
    groups = study_results(study).background
    assert [(one.question, one.answer, one.people, one.accuracy.value) for one in groups] == [
        ("age", "18–29", 5, 0.9),
        ("Where did you grow up?", "here", 5, 0.9),
    ]


def test_a_study_without_answers(database):
    storage, _ = create_study(wg.load("winoglot-en")[:6], "Empty", database, StudySettings(training=1))
    with storage:
        found = study_results(read_answers(storage))
        assert found.originals.accuracy.value is None
        assert found.answers == 0
        files = tables(storage, read_answers(storage))
        assert files["answers.jsonl"] == files["people.jsonl"] == ""
        for name in ("answers", "people"):
            columns = str(files[f"{name}.csv"]).rstrip("\n").split(",")
            assert columns[:2] == ["person", "panel"]
            assert parquet.read_table(BytesIO(files[f"{name}.parquet"])).column_names == columns
        with pytest.raises(wg.InputError, match="nobody has answered"):
            study_runs(storage, read_answers(storage))
