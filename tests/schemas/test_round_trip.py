import jsonschema
import yaml

from strategies import some_collections
from winoglot.formats import jsonl as jsonl_format
from winoglot.formats import yaml as yaml_format
from winoglot.formats.base import InputFile
from winoglot.schemas.documents import LOADER
from winoglot.schemas.json_schema import collection_json_schema

VALIDATOR = jsonschema.Draft202012Validator(collection_json_schema())


def read_back(module, text, path):
    path.write_bytes(text.encode())
    return module.read(InputFile(path))


def test_every_collection_survives_our_own_formats_and_satisfies_the_editors_schema(tmp_path):
    for collection in some_collections():
        path = tmp_path / "file"
        assert read_back(jsonl_format, jsonl_format.write(collection), path) == collection
        notation = yaml_format.write(collection)
        assert read_back(yaml_format, notation, path) == collection
        VALIDATOR.validate(yaml.load(notation, Loader=LOADER))
