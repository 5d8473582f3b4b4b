"""What the dashboard shows: places in figures, numbers in four languages, and the course of a study."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from study.test_web_dashboard import a_study, logged_in
from winoglot.statistics.intervals import wilson
from winoglot.study.answers import read_answers
from winoglot.study.results import study_results
from winoglot.study.storage import now
from winoglot.study.web.figures import Numbers, alpha_axis, seconds_axis, share_axis
from winoglot.study.web.snapshot import Snapshot


def snapshot(folder: Path, people: int, state: str = "open", **settings) -> Snapshot:
    with a_study(f"{folder}/study.db", people=people, **settings) as storage:
        study = read_answers(storage)
        return Snapshot(now(), state, False, study, study_results(study), 0)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1))
def test_every_interval_lies_on_its_axis(answers: list[tuple[int, int]]) -> None:
    estimates = [wilson(right, right + wrong) for right, wrong in answers]
    for axis in (share_axis(estimates), alpha_axis(estimates), seconds_axis(estimates)):
        assert list(axis.ticks) == sorted(set(axis.ticks))
        for one in estimates:
            if one.value is not None:
                assert axis.low <= one.low <= one.high <= axis.high
                places = [float(axis.at(number).rstrip("%")) for number in (one.low, one.value, one.high)]
                assert places == sorted(places)


@listed
def test_numbers_are_written_as_in_the_language(language: str, share: str, alpha: str, day: str) -> None:
    show = Numbers(language)
    assert show.percent(0.9).replace("\u202f", "\xa0") == share
    assert show.hundredths(-0.25) == alpha
    assert show.day(datetime(2026, 11, 26, tzinfo=UTC)) == day


def test_when_the_study_will_be_complete(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("open", "few", "none", "closed")]
    for folder in folders:
        folder.mkdir()
    going_on = snapshot(folders[0], 6, judgements=8)
    assert 0 < going_on.counted < going_on.results.wanted
    complete = going_on.progress.complete
    passed = going_on.at - going_on.progress.begun
    expected = passed * (going_on.results.wanted / going_on.counted - 1)
    assert complete - going_on.at == pytest.approx(expected, abs=timedelta(minutes=1))
    few = snapshot(folders[1], 12, judgements=1)  # answers beyond the number of an item do not count
    assert few.results.answers > few.results.wanted >= few.counted
    assert few.progress is not None
    assert snapshot(folders[2], 0).progress is None
    assert snapshot(folders[3], 6, "closed", judgements=8).progress.complete is None


def test_who_left_and_what_is_hard(tmp_path: Path) -> None:
    found = snapshot(tmp_path, 12)
    assert found.left == sum(row.person.finished is None for row in found.people)  # all of them days ago
    assert [row.step for row in found.people].count("finished") == found.results.finished
    shares = [row.right / len(row.answers) for row in found.items if row.answers]
    assert shares == sorted(shares)
    assert all(row.right + row.other + row.unsure == len(row.answers) for row in found.items)
    assert sum(number for *_, number in found.times) == found.results.answers
    numbers = [number for _, number in found.funnel]
    assert numbers == sorted(numbers, reverse=True)


def test_one_wrong_answer_makes_no_item_the_hardest(tmp_path: Path) -> None:
    rows = [row for row in snapshot(tmp_path, 24).items if row.answers]
    assert [row.accuracy.high for row in rows] == sorted(row.accuracy.high for row in rows)
    few = [number for number, row in enumerate(rows) if len(row.answers) == 1 and not row.right]
    many = [number for number, row in enumerate(rows) if len(row.answers) > 3 and row.accuracy.value < 0.5]
    assert not few or not many or min(few) > min(many)


def test_items_stand_with_their_sentences(tmp_path: Path) -> None:
    with a_study(f"{tmp_path}/study.db", people=6) as storage:
        visitor = logged_in(storage)
        visitor.open("/researcher/items")
        shown = re.findall(r'<span class="sentence"><span lang="en">(.*?)</span></span>', visitor.html)
        assert len(shown) == visitor.html.count('<th scope="row">') > 0
        assert all("<mark" in sentence for sentence in shown)
