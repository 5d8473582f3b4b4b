"""The pages of a participation, for a browser without JavaScript."""

from pathlib import Path

import pytest

from study.visitor import Visitor, a_study
from winoglot.study.storage import Storage


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    with a_study(f"{tmp_path}/study.db", completion_code=True) as storage:
        yield storage


def test_a_whole_participation(database: str) -> None:
    with a_study(database, completion_code=True) as storage:
        visitor = Visitor(storage).begin()
        titles = visitor.finish()
        assert titles[:3] == ["Practice: text 1 of 2", "Practice: text 1 of 2", "Practice: text 2 of 2"]
        assert [title for title in titles if title.startswith("Text")] == [f"Text {at} of 5" for at in range(1, 6)]
        assert titles[-1].startswith("Second look: text")
        assert "enter this code there" in visitor.text
        visitor.send("/comment", comment="Rather <b>nice</b>.")
        assert "Rather &lt;b&gt;nice&lt;/b&gt;." in visitor.html
