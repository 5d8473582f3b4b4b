"""Questions about a problem: a new type is one class, and studies then ask, store, export and summarise it."""

import json
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from cases import for_each
from study.participants import a_person, a_study, answer_all, given
from study.visitor import Visitor
from winoglot import registry
from winoglot.errors import InputError
from winoglot.study.answers import read_answers
from winoglot.study.create import renew_token
from winoglot.study.database import open_storage
from winoglot.study.export import answer_table, tables
from winoglot.study.participation import answer
from winoglot.study.questions.base import QuestionType, RefusedError
from winoglot.study.results import study_results
from winoglot.study.settings import Exclusions, StudySettings
from winoglot.study.steps import Screen, step
from winoglot.study.storage import TEST, Decision, Storage, Task


class Story(QuestionType):
    """What people imagined, in their own words."""

    name = "story"
    label = "What happened next, < 100%?"
    parts = (TEST,)
    meaning = "what the person imagined"


class Mood(QuestionType):
    """A question with a page of its own."""

    name = "mood"
    meaning = "how the person feels"

    def template(self, templates: Any) -> Any:
        """Draw a star."""
        return templates.from_string(
            "{% macro question(question, problem) %}<b>{{ question.name }} ★</b>{% endmacro %}"
        )


TEST_ONLY: Any = {"training": 0, "checks": 0, "verification": False, "exclusions": Exclusions(seconds=0.0)}
STORY, MOOD = Story(), Mood()
LABEL = "What happened next, &lt; 100%?"  # a per cent sign is no placeholder
UNNAMED = QuestionType()


class Taken(QuestionType):
    """Its name is that of a field that all studies have."""

    name = "comment"


TAKEN = Taken()


@pytest.fixture(autouse=True)
def announced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The questions of this file, as a package announces them."""
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "example_package")
    objects = {"story": "STORY", "mood": "MOOD", "unnamed": "UNNAMED", "comment": "TAKEN"}
    places = {name: f"{__name__}:{place}" for name, place in objects.items()}
    group = "winoglot.study.questions"
    places["difficulty"] = "winoglot_example.difficulty"
    entries = {name: EntryPoint(name, place, group) for name, place in places.items()}
    outside = registry._outside
    monkeypatch.setattr(registry, "_outside", lambda package: entries if package == group else outside(package))


def _rows(storage: Storage, column: Any) -> list[Any]:
    with storage.reading() as session:
        return list(session.scalars(select(column)))


def test_a_question_type_goes_from_settings_to_page_database_export_and_results(database: str) -> None:
    with a_study(database, questions=("difficulty",), **TEST_ONLY) as storage:
        assert storage.settings.questions == ("difficulty",)
        visitor = Visitor(storage).begin()
        assert "How hard is this text to read?" in visitor.html
        task = visitor.form("/answer").tasks[0]
        field = f"difficulty-{task}"
        visitor.answer()
        assert (visitor.status, "Choose an answer." in visitor.text) == (422, True)  # it is required
        assert visitor.answer(**{field: "4"}).status == 400  # not an option
        visitor.open("/study").answer(**{field: "3"})
        assert visitor.status == 200
        assert visitor.open(f"/study?at={task}").html.count('<option value="3" selected>hard') == 1
        visitor.open("/study")
        while visitor.asks:
            visitor.answer(**{f"difficulty-{number}": "1" for number in visitor.form("/answer").tasks})
        assert _rows(storage, Task.further) == [{"difficulty": 3}] + 5 * [{"difficulty": 1}]
        assert _rows(storage, Decision.further) == _rows(storage, Task.further)
    with open_storage(database) as storage:
        study = read_answers(storage)
        files = tables(storage, study)
        lines = map(json.loads, str(files["answers.jsonl"]).splitlines())
        assert [line["difficulty"] for line in lines] == [3] + 5 * [1]
        assert "`difficulty`: how hard the text is to read" in str(files["README.md"])
        results = study_results(study)
        assert results.originals.questions["difficulty"].n == 6
        assert results.as_json()["kinds"][0]["difficulty"]["n"] == 6
        researcher = Visitor(storage).open("/researcher/login").send("/researcher/login", token=renew_token(storage))
        assert "difficulty" in researcher.open("/researcher").text
        item = next(answer.item_id for answer in study.answers if answer.further["difficulty"] == 3)
        assert "difficulty 3" in researcher.open(f"/researcher/item?id={item}").text


def test_another_answer_to_a_further_question_is_another_decision(database: str) -> None:
    with a_study(database, questions=("difficulty",)) as storage:
        person = a_person(storage)
        screen = step(storage, person)
        assert isinstance(screen, Screen)
        (task,) = (problem.task for problem in screen.problems)
        for difficulty in (4, "2", 0, None):
            with pytest.raises(RefusedError, match="invalid"):
                answer(storage, person, {task: given(choice=0, difficulty=difficulty)})
        form = given(choice=0, difficulty=2)
        answer(storage, person, {task: form})
        answer(storage, person, {task: form})  # sent twice
        with pytest.raises(RefusedError, match="stays"):
            answer(storage, person, {task: given(choice=0, difficulty=3)})
        assert _rows(storage, Decision.further) == [{"difficulty": 2}]


def test_what_people_write_is_cleaned_and_not_too_long(database: str) -> None:
    with a_study(database, questions=("story",), **TEST_ONLY) as storage:
        person = a_person(storage)
        screen = step(storage, person)
        assert isinstance(screen, Screen)
        task = screen.problems[0].task
        with pytest.raises(RefusedError, match="too-long"):
            answer(storage, person, {task: given(choice=0, story="x" * 2001)})
        answer(storage, person, {task: given(choice=0, story=" They\x00 left. ")})
        answer_all(storage, person)
        assert [row["story"] for row in answer_table(read_answers(storage)).rows] == ["They left."] + 5 * [None]
        assert study_results(read_answers(storage)).originals.questions.keys() == {"ambiguous", "unnatural"}


def test_a_question_is_asked_only_in_its_parts_and_may_draw_itself(database: str) -> None:
    with a_study(database, questions=("story", "mood"), training=1, checks=0) as storage:
        visitor = Visitor(storage).begin()
        assert (LABEL in visitor.html, "<b>mood ★</b>" in visitor.html) == (False, True)  # training
        while "Text 1 of" not in visitor.text:
            visitor.answer() if visitor.asks else visitor.open("/study")
        assert LABEL in visitor.html
        while "Second look" not in visitor.text:
            visitor.answer()
        assert LABEL not in visitor.html


def test_confidence_is_averaged_and_is_part_of_a_judgement(database: str) -> None:
    with a_study(database, questions=("confidence",), **TEST_ONLY) as storage:
        visitor = Visitor(storage).begin()
        task = visitor.form("/answer").tasks[0]
        visitor.answer(**{f"confidence-{task}": "0.75"})
        assert '<option value="0.75" selected>Fairly sure' in visitor.open(f"/study?at={task}").html
        visitor.open("/study").finish()
        study = read_answers(storage)
        lines = map(json.loads, str(tables(storage, study)["judgements.jsonl"]).splitlines())
        assert [line["confidence"] for line in lines] == [0.75] + 5 * [None]
        confidence = study_results(study).originals.questions["confidence"]
        assert (confidence.value, confidence.n) == (0.75, 1)


@for_each(
    ("names", "message"),
    [
        (("nothing",), "there is no study-question 'nothing'"),
        (("unnamed",), "no QuestionType of this name"),
        (("comment",), "every study has already"),
        (("story", "story"), "asked twice"),
    ],
)
def test_questions_that_cannot_be_asked(names: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        StudySettings(questions=names)


def test_studies_without_later_settings_are_stored_as_before() -> None:
    later = {"questions", "training_items", "forced_choice", "one_version", "disagreements_only"}
    assert not later & StudySettings().as_json().keys()
    assert StudySettings.from_json(StudySettings(questions=("story",)).as_json()).questions == ("story",)
