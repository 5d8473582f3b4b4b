import json
from pathlib import Path

import jsonschema
import pytest
import yaml

import winoglot as wg
from cases import listed
from six_schemas import six_file
from winoglot.schemas.bundled import bundled
from winoglot.schemas.documents import LOADER
from winoglot.schemas.json_schema import collection_json_schema

SCHEMA = collection_json_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
DOCS = Path(__file__).parents[2] / "docs"


def test_the_published_copy_is_up_to_date():
    published = json.loads((DOCS / "collection.schema.json").read_text(encoding="utf-8"))
    assert published == SCHEMA, "run: python -m winoglot.schemas.json_schema > docs/collection.schema.json"


@pytest.mark.parametrize("name", sorted(bundled()))
def test_the_bundled_files_are_valid_for_an_editor(name):
    VALIDATOR.validate(yaml.load(bundled()[name].read_text(encoding="utf-8"), Loader=LOADER))


@listed
def test_what_the_reader_refuses_for_its_shape_the_editor_underlines(tmp_path, path, value):
    content = yaml.load(six_file("en").read_text(encoding="utf-8"), Loader=LOADER)
    target = content
    for step in path[:-1]:
        target = target[step]
    if value is None:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(content)
    file = tmp_path / "faulty.yaml"
    file.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    with pytest.raises(wg.InputError):
        wg.load(file)
