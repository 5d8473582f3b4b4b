"""A file is recognised by the reader of its own format, and by no other."""

import gzip
from pathlib import Path

import pytest

import winoglot as wg
from cases import for_each, listed
from format_samples import LANGUAGES, READERS, TEXT_READERS, WRITERS, sample, sample_path, written
from six_schemas import six
from winoglot import registry
from winoglot.formats.base import InputFile, recognise
from winoglot.loading import load_with_report, lost

PUBLISHED = {
    "PDP.txt": "blocks",
    "WinoGender.txt": "blocks",
    "dpr_test.txt": "blocks",
    "dpr_train.txt": "blocks",
    "wsc273.txt": "blocks",
    "english_wsc.json": "portuguese-json",
    "portuguese_wsc.json": "portuguese-json",
    "portuguese_wsc.html": "portuguese-html",
    "portuguese_wsc_portuguese_names.html": "portuguese-html",
    "perturbed_wsc_pairs_to_71.tsv": "perturbed-wsc",
    "winogrande/dev.jsonl": "winogrande",
    "winogrande/train_l.jsonl": "winogrande",
    "winogrande/train_s.jsonl": "winogrande",
    "xwinograd.tsv": "xwinograd",
}


def recognised_by(text):
    return [name for name in TEXT_READERS if registry.load("formats", name).sniff(text[:4096])]


@pytest.mark.parametrize("name", TEXT_READERS)
def test_a_sample_is_recognised_by_its_own_reader_alone(tmp_path, name):
    assert recognised_by(sample(name)) == [name]
    path = tmp_path / "file.txt"  # the suffix does not help
    path.write_text(sample(name), encoding="utf-8")
    assert recognise(InputFile(path)) == name
    packed = tmp_path / "file.txt.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert recognise(InputFile(packed)) == name
    packed.write_bytes(packed.read_bytes()[:-12])
    with pytest.raises(wg.InputError, match="cannot be unpacked"):
        recognise(InputFile(packed))


@for_each("language", ["en", "zh"])
@for_each("name", WRITERS)
def test_what_is_written_is_recognised_by_its_own_reader_alone(name, language):
    expected = [name] if name in TEXT_READERS else []
    for content in written(name, language):
        assert recognised_by(content.decode(errors="replace")) == expected


@listed
def test_files_of_other_kinds_are_recognised_by_none(text):
    assert recognised_by(text) == []
    assert recognised_by("Some heading\n\n" + sample("blocks")) == ["blocks"]
    with pytest.raises(wg.InputError, match=r"It looks like blocks\."):
        wg.load(sample_path("blocks"), format="winogrande")


@pytest.mark.parametrize("name", sorted(set(TEXT_READERS) & set(WRITERS)))
def test_what_is_written_is_read_back(tmp_path, name):
    original = six("pt")
    path = tmp_path / "file.txt"
    path.write_bytes(written(name)[0])
    collection, _ = load_with_report(path, language="pt-BR" if name != "jsonl" else None)
    if name in ("yaml", "jsonl"):
        assert collection == original
    else:
        assert lost([original], name)
        unreachable = 2 if name == "superglue" else 0  # it counts words, and levá-{la} is part of one
        assert len(collection.items) == len(original.items) - unreachable


@pytest.mark.parametrize("name", READERS)
def test_what_is_read_survives_our_own_formats(tmp_path, name):
    path = sample_path(name)
    collection = wg.load(path, language=LANGUAGES.get(name, (None,))[-1])
    for suffix in (".jsonl", ".yaml"):
        wg.save(collection, tmp_path / f"again{suffix}")
        assert wg.load(tmp_path / f"again{suffix}") == collection


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_published_files_are_recognised_and_survive_our_own_formats(public_data, tmp_path, name):
    path = Path(public_data) / "collections" / name
    assert recognised_by(path.read_text(encoding="utf-8")) == [PUBLISHED[name]]
    collection = wg.load(path, language="zh" if name == "xwinograd.tsv" else None)
    for suffix in [".jsonl"] * (len(collection.items) < 2000) + [".yaml"] * (len(collection.items) < 600):
        wg.save(collection, tmp_path / f"again{suffix}")
        assert wg.load(tmp_path / f"again{suffix}") == collection
