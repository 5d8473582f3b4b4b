import jsonschema
import yaml
from hypothesis import given

from strategies import collections
from winoglot.formats import jsonl as jsonl_format
from winoglot.formats import yaml as yaml_format
from winoglot.formats.base import InputFile
from winoglot.schemas.json_schema import collection_json_schema

VALIDATOR = jsonschema.Draft202012Validator(collection_json_schema())


def read_back(module, text, tmp_path_factory):
    path = tmp_path_factory.mktemp("round") / "file"
    path.write_bytes(text.encode())
    return module.read(InputFile(path))


@given(collections())
def test_every_collection_survives_json_lines(tmp_path_factory, collection):
    assert read_back(jsonl_format, jsonl_format.write(collection), tmp_path_factory) == collection


@given(collections())
def test_every_collection_survives_the_notation(tmp_path_factory, collection):
    assert read_back(yaml_format, yaml_format.write(collection), tmp_path_factory) == collection


@given(collections())
def test_the_editors_schema_accepts_every_collection_in_the_notation(collection):
    VALIDATOR.validate(yaml.safe_load(yaml_format.write(collection)))
