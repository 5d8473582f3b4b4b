"""The steps of a participation, on SQLite and on PostgreSQL."""

import winoglot as wg
from winoglot.study.create import create_study
from winoglot.study.participation import Consent, Done, Given, Screen, answer, consent, enter, join, step
from winoglot.study.settings import StudySettings
from winoglot.study.storage import VERIFICATION, Storage


def a_study(database: str, **settings: object) -> Storage:
    settings = {"training": 2, "problems": 4, "checks": 1, **settings}
    return create_study(wg.load("winoglot-en")[:12], "Pronouns", database, StudySettings(**settings))[0]


def answer_screen(storage: Storage, person: int, screen: Screen) -> None:
    verdict = "keep" if screen.part == VERIFICATION else None
    given = {one.task: Given(f"submission-{one.task}", 0, verdict) for one in screen.problems}
    answer(storage, person, given)


def test_a_whole_participation(database: str) -> None:
    with a_study(database, completion_code=True) as storage:
        person = enter(storage, join(storage) or "")
        assert person is not None
        assert step(storage, person) == Consent(expert=False)
        consent(storage, person, {"native-language": "en"})
        parts = []
        while isinstance(screen := step(storage, person), Screen):
            parts.append(screen.part)
            answer_screen(storage, person, screen)
        assert isinstance(screen, Done)
        assert screen.code
        assert parts[:7] == ["training"] * 2 + ["test"] * 5
        assert set(parts[7:]) == {"verification"}
