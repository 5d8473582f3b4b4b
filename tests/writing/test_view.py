import pytest

from six_schemas import six, six_file
from winoglot.errors import InputError
from winoglot.languages.readings import readings
from winoglot.perturb.switched import switch
from winoglot.writing.view import view
from winoglot.writing.work_file import read_work_file

PT = six("pt")


def test_a_view_shows_what_the_single_commands_show():
    seen = view(read_work_file(six_file("pt")))
    assert [reading for one in seen.schemas for reading in one.readings] == readings(PT, "grammatical")
    for one, schema in zip(seen.schemas, PT.schemas, strict=True):
        if "switched" in schema.kinds:
            assert one.switched == tuple(v for v in schema.variants if v.kind == "switched")
        elif one.switched:
            assert one.switched == tuple(map(switch, schema.items))
        else:
            assert one.not_switched


def test_only_the_schemas_asked_for():
    assert [one.work.id for one in view(read_work_file(six_file("pt")), ["train-wave"]).schemas] == ["train-wave"]
    with pytest.raises(InputError, match="there is no schema 'train'"):
        view(read_work_file(six_file("pt")), ["train"])


def test_findings_stand_with_their_schema_and_what_is_not_whole_has_none(tmp_path):
    path = tmp_path / "work.yaml"
    path.write_text(
        """
collection: work
language: en
schemas:
  - id: wrong-gender
    text: "Liam gave his seat to Anna because {he} was [tired|getting off]."
    candidates: [Liam, Anna]
    answers: [1, 0]
    features: [{gender: masculine}, {gender: feminine}]
    tags: [social]
  - id: unfinished
    text: ""
    candidates: []
""",
        encoding="utf-8",
    )
    wrong, unfinished = view(read_work_file(path)).schemas
    assert "agreement" in {finding.code for finding in wrong.findings}
    assert wrong.not_switched == "not tagged 'switchable'"
    assert not unfinished.findings
    assert not unfinished.readings
