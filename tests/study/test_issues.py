"""Items to look at, and what the researcher decides about them: on SQLite and on PostgreSQL."""

import csv
import io
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from study.participants import a_person, a_study, answer_all, given, small_collection
from winoglot.errors import InputError
from winoglot.study.answers import DecidedItem, read_answers
from winoglot.study.export import tables
from winoglot.study.issues import decide_item, item_issues, item_reviews
from winoglot.study.participation import answer
from winoglot.study.results import study_results
from winoglot.study.steps import Screen, step
from winoglot.study.storage import VERIFICATION, Storage


def answered(database: str) -> Storage:
    """A study in which three people answered everything, and everybody chose Ana."""
    storage = a_study(database, small_collection(6), training=1, problems=5, judgements=3, checks=0)
    for _ in range(3):
        answer_all(storage, a_person(storage), choose=lambda problem: 0)
    return storage


def issue(storage: Storage, item: str) -> tuple[str, str]:
    found = next(one for one in item_issues(read_answers(storage)) if one.item_id == item)
    return found.decision, found.note


def test_a_decision_is_stored_changed_and_taken_back(database: str, tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/unanswered.db", small_collection(4), training=1, checks=0) as storage:
        item = read_answers(storage).problems[0].item_id
        decide_item(storage, item, "repair")
        (found,) = item_issues(read_answers(storage))
        assert (found.item_id, found.answers, found.is_missed) == (item, 0, False)
    with answered(database) as storage:
        missed = [one.item_id for one in item_issues(read_answers(storage))]
        item = missed[0]
        assert issue(storage, item) == ("", "")
        decide_item(storage, item, "repair", " Which of the two? ")
        assert issue(storage, item) == ("repair", "Which of the two?")
        decide_item(storage, item, "drop")  # from a list, where there is no note
        assert issue(storage, item) == ("drop", "Which of the two?")
        decide_item(storage, item, "")
        assert issue(storage, item) == ("", "Which of the two?")
        decide_item(storage, item, "", "")
        assert read_answers(storage).decisions == {}
        assert [one.item_id for one in item_issues(read_answers(storage))] == missed


def test_what_people_say_was_a_mistake_is_no_issue_any_more(database: str) -> None:
    """Everybody chooses Ana, which is wrong for one version, and then corrects one of the mistakes."""
    settings = {"training": 1, "problems": 5, "checks": 0, "disagreements_only": True, "one_version": True}
    with a_study(database, small_collection(6), judgements=1, **settings) as storage:
        for _ in range(2):
            person = a_person(storage)
            answer_all(storage, person, until=VERIFICATION, choose=lambda problem: 0)
            while isinstance(screen := step(storage, person), Screen):
                reason = {"verdict": "reason", "comment": "Why not?"}
                verdict = {"verdict": "mistake"} if screen.position == 1 else reason
                answer(storage, person, {screen.problems[0].task: given(seconds=5.0, **verdict)})
        reviews = item_reviews(read_answers(storage))
        corrected = [one for one in reviews if one.right_after > one.right]
        assert [(one.right, one.right_after, one.is_missed, one.is_issue) for one in corrected] == [
            (0, 1, False, False)
        ]
        issues = item_issues(read_answers(storage))
    assert [(one.right_after, one.is_missed, one.comments) for one in issues] == [(0, True, ("Why not?",))] * 4
    assert [(one.mean_seconds, one.median_seconds) for one in issues] == [(5.0, 5.0)] * 4


def test_decisions_that_cannot_be_stored(database: str) -> None:
    with answered(database) as storage:
        study = read_answers(storage)
        item = study.problems[0].item_id
        training = next(one.item_id for one in storage.problems.values() if one.part == "training")
        for name, decision, note in (
            ("nothing.0", "drop", None),
            (training, "drop", None),
            (item, "burn", None),
            (item, "keep", "x" * 2001),
        ):
            with pytest.raises(InputError):
                decide_item(storage, name, decision, note)
        assert read_answers(storage).decisions == {}
        with ThreadPoolExecutor(4) as pool:  # decisions at once leave one
            list(pool.map(lambda decision: decide_item(storage, item, decision), ["keep", "drop"] * 4))
        assert read_answers(storage).decisions[item].decision in ("keep", "drop")
        decide_item(storage, item, "keep", "'; DROP TABLE task; --\0\ud800")
        assert read_answers(storage).decisions == {item: DecidedItem("keep", "'; DROP TABLE task; --?")}


def test_dropped_items_stay_in_the_results_which_say_so(database: str) -> None:
    with answered(database) as storage:
        before = study_results(read_answers(storage))
        assert before.dropped is None
        missed = [one for one in item_issues(read_answers(storage)) if one.is_missed]
        for one in missed:
            decide_item(storage, one.item_id, "drop", "=1+1")
        study = read_answers(storage)
        after = study_results(study)
        assert (after.answers, after.originals) == (before.answers, before.originals)
        assert after.dropped is not None
        assert after.dropped.items == len(missed)
        assert after.dropped.accuracy.value == 1.0  # what is left was answered as in the key
        assert after.dropped.accuracy.n == before.answers - sum(one.answers for one in missed)
        assert all(one.is_settled for one in item_issues(study))
        files = tables(storage, study)
    rows = list(csv.DictReader(io.StringIO(str(files["items.csv"]))))
    assert len(rows) == len(study.problems)
    dropped = {row["item"] for row in rows if row["decision"] == "drop"}
    assert dropped == {one.item_id for one in missed}
    assert {row["note"] for row in rows if row["item"] in dropped} == {"'=1+1"}
    lines = str(files["items.jsonl"]).splitlines()
    assert {json.loads(line)["item"] for line in lines if json.loads(line)["note"] == "=1+1"} == dropped
    assert "`decision`" in str(files["README.md"])
