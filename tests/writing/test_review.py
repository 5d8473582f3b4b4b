from pathlib import Path

import pytest

from six_schemas import six, six_file
from winoglot.errors import InputError
from winoglot.languages.readings import readings
from winoglot.perturb.switched import switch
from winoglot.writing.review import saved, view
from winoglot.writing.unfinished import read_unfinished

PT = six("pt")
FOLDER = Path(__file__).parent
FAULTY = FOLDER / "faulty.yaml"


def test_a_view_shows_what_the_single_commands_show():
    seen = view(read_unfinished(six_file("pt")))
    assert [reading for one in seen.schemas for reading in one.readings] == readings(PT, "grammatical")
    for one, schema in zip(seen.schemas, PT.schemas, strict=True):
        if "switched" in schema.kinds:
            assert one.switched == tuple(v for v in schema.variants if v.kind == "switched")
        elif one.switched:
            assert one.switched == tuple(map(switch, schema.items))
        else:
            assert one.not_switched


def test_findings_stand_with_their_schema_and_what_is_not_whole_has_none():
    wrong, unfinished = view(read_unfinished(FOLDER / "half.yaml")).schemas
    assert "agreement" in {finding.code for finding in wrong.findings}
    assert wrong.not_switched == "not tagged 'switchable'"
    assert not unfinished.findings
    assert not unfinished.readings


def test_every_error_that_is_counted_is_shown(run_winoglot):
    _, out, _ = run_winoglot("review", FAULTY, "--once")
    assert "1 with an error" in out
    assert "there is no text, no reading and no inference pair" in " ".join(out.split())
    assert "Not begun" not in out
    errors = sum(line.strip().startswith("error ") for line in out.splitlines())
    assert f"checks: {errors - 1} error" in out


def test_only_the_schemas_asked_for_are_shown_and_counted(run_winoglot):
    seen = view(read_unfinished(FAULTY), ["proper"])
    assert [one.content.id for one in seen.schemas] == ["proper"]
    assert not seen.outcome.errors
    assert "checks: 0 errors" in run_winoglot("review", FAULTY, "--once", "--id", "proper")[1]
    assert view(read_unfinished(FAULTY), ["wrong-gender"]).outcome.errors
    with pytest.raises(InputError, match="there is no schema 'prop'"):
        view(read_unfinished(FAULTY), ["prop"])


def test_a_save_is_noticed_also_when_the_file_is_replaced(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("one", encoding="utf-8")
    times = saved(path, pause=0.01)
    next(times)
    path.write_text("another", encoding="utf-8")  # before the caller asks again
    next(times)
    (tmp_path / "b").write_text("another", encoding="utf-8")
    path.unlink()
    (tmp_path / "b").rename(path)
    next(times)
