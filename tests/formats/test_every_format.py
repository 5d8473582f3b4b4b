"""Every format's files in every reader: a collection or an input error, never anything else."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from mutations import mutated, often, only_input_errors
from six_schemas import six
from winoglot import registry
from winoglot.formats.base import InputFile, recognise
from winoglot.loading import dump, load_with_report, lost

READERS = [name for name in registry.names("formats") if hasattr(registry.load("formats", name), "read")]
WRITERS = [name for name in registry.names("formats") if hasattr(registry.load("formats", name), "write")]
BLOCKS = "Nora phoned Petra because _ was late.\n_\nNora , Petra\nNora\n\n"
PAGE = (
    "<html><ol><li>Rita ligou para Clara porque <b>ela</b> estava sozinha.<p><em>Trecho:</em><b>ela</b> estava</p>"
    '<ol type="A"><li>Rita</li><li>Clara</li></ol><p><b>Resposta Correta:</b> A.</p></li></ol></html>'
)
SENTENCES = (
    '[{"question_id": 0, "correct_sentence": "Rita ligou para Clara porque Rita estava só.", '
    '"incorrect_sentence": "Rita ligou para Clara porque Clara estava só.", "correct_switched": "", '
    '"incorrect_switched": "", "is_associative": false, "is_switchable": false, "translated": true}]'
)


def contents(name):
    made = dump([six("pt")], name)
    return [
        one.encode() if isinstance(one, str) else one for one in (made.values() if isinstance(made, dict) else [made])
    ]


SAMPLES = [data for name in WRITERS for data in contents(name)]
SAMPLES += [BLOCKS.encode(), PAGE.encode(), SENTENCES.encode()]


@pytest.mark.parametrize("reader", READERS)
def test_files_of_all_formats_in_one_reader(tmp_path, reader):
    path = tmp_path / "file"
    for data in SAMPLES:
        path.write_bytes(data)
        only_input_errors(registry.load("formats", reader).read, InputFile(path))


@often
@given(data=st.sampled_from(SAMPLES).flatmap(mutated), name=st.sampled_from(READERS))
def test_mutated_files_of_all_formats_in_any_reader(tmp_path, data, name):
    path = tmp_path / "file"
    path.write_bytes(data)
    only_input_errors(registry.load("formats", name).read, InputFile(path))


@pytest.mark.parametrize("name", sorted(set(READERS) & set(WRITERS)))
def test_what_is_written_is_recognised_and_read_back(tmp_path, name):
    original = six("pt")
    path = tmp_path / "file.txt"
    path.write_bytes(contents(name)[0])
    assert recognise(InputFile(path)) == name
    collection, _ = load_with_report(path, language="pt-BR" if name != "jsonl" else None)
    if name in ("yaml", "jsonl"):
        assert collection == original
    else:
        assert lost([original], name)
        unreachable = 2 if name == "superglue" else 0  # it counts words, and levá-{la} is part of one
        assert len(collection.items) == len(original.items) - unreachable


def test_a_file_given_as_another_format_is_told_what_it_looks_like(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text(BLOCKS, encoding="utf-8")
    with pytest.raises(wg.InputError, match=r"It looks like blocks\."):
        wg.load(path, format="winogrande")


PUBLISHED = {
    "PDP.txt": "blocks",
    "WinoGender.txt": "blocks",
    "dpr_test.txt": "blocks",
    "wsc273.txt": "blocks",
    "english_wsc.json": "portuguese-json",
    "portuguese_wsc.json": "portuguese-json",
    "portuguese_wsc.html": "portuguese-html",
    "perturbed_wsc_pairs_to_71.tsv": "perturbed-wsc",
    "winogrande/dev.jsonl": "winogrande",
    "xwinograd.tsv": "xwinograd",
}


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_published_files_are_recognised_and_survive_our_own_formats(public_data, tmp_path, name):
    path = Path(public_data) / "collections" / name
    assert recognise(InputFile(path)) == PUBLISHED[name]
    collection = wg.load(path, language="zh" if name == "xwinograd.tsv" else None)
    for suffix in (".jsonl", ".yaml") if len(collection.items) < 600 else (".jsonl",):
        wg.save(collection, tmp_path / f"again{suffix}")
        assert wg.load(tmp_path / f"again{suffix}") == collection
