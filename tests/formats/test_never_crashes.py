"""Whatever a file holds, a reader gives a collection, or an input error that names the file and a remedy."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from format_samples import LANGUAGES, READERS, WRITERS, marks, sample_path, written
from mutations import JSON, JSON_VALUES, mutated, only_input_errors
from winoglot import registry
from winoglot.formats.base import InputFile

SAMPLES = {
    name: [sample_path(name).read_bytes(), *(written(name, "zh") if name in WRITERS else [])] for name in READERS
}
ALL = [data for name in READERS for data in SAMPLES[name]]
ALL += [data for name in WRITERS if name not in READERS for data in written(name)]
LABELS = sample_path("portuguese-json.labels").read_bytes()
examples = settings(max_examples=75, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("reader", READERS)
def test_files_of_all_formats_in_one_reader(tmp_path, reader):
    path = tmp_path / "file"
    for data in ALL:
        path.write_bytes(data)
        only_input_errors(registry.load("formats", reader).read, InputFile(path))


@pytest.mark.parametrize("reader", READERS)
@examples
@given(data=st.data())
def test_a_mutated_file_in_its_own_reader(tmp_path, reader, data):
    path = tmp_path / "file"
    path.write_bytes(data.draw(st.sampled_from(SAMPLES[reader]).flatmap(lambda source: mutated(source, marks(reader)))))
    language = data.draw(st.sampled_from(LANGUAGES.get(reader, (None,))))
    only_input_errors(registry.load("formats", reader).read, InputFile(path, language))


@examples
@given(content=st.sampled_from(ALL).flatmap(mutated), reader=st.sampled_from(READERS))
def test_a_mutated_file_of_any_format_in_any_reader(tmp_path, content, reader):
    path = tmp_path / "file"
    path.write_bytes(content)
    only_input_errors(registry.load("formats", reader).read, InputFile(path))


@examples
@given(labels=mutated(LABELS, JSON))
def test_mutated_labels(tmp_path, labels):
    path = tmp_path / "labels.json"
    path.write_bytes(labels)
    file = InputFile(sample_path("portuguese-json"), labels=(path,))
    only_input_errors(registry.load("formats", "portuguese-json").read, file)


def mappings(value):
    """The value and whatever is inside it, as far as it is a mapping."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return ([value] if isinstance(value, dict) and value else []) + [found for one in inner for found in mappings(one)]


@pytest.mark.parametrize("reader", ["jsonl", "portuguese-json", "superglue", "winogrande"])
@examples
@given(data=st.data())
def test_values_of_the_wrong_type(tmp_path, reader, data):
    """One value of a JSON file is replaced by another JSON value."""
    text = sample_path(reader).read_text(encoding="utf-8")
    lines = [text] if reader == "portuguese-json" else text.splitlines()[:3]
    values = [json.loads(line) for line in lines]
    if reader == "jsonl":
        values[0]["schemas"] = len(values) - 1
    target = data.draw(st.sampled_from(mappings(values)))
    target[data.draw(st.sampled_from(sorted(target)))] = data.draw(JSON_VALUES)
    path = tmp_path / "file"
    path.write_text("\n".join(map(json.dumps, values)), encoding="utf-8")
    only_input_errors(registry.load("formats", reader).read, InputFile(path))
