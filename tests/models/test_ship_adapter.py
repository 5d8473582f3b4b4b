"""The script that makes the tuned model that ships out of a fine-tuned folder."""

import importlib.util
import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from cases import listed
from six_schemas import six
from winoglot import InputError
from winoglot.models.gemma_3_270m_tuned import FOLDER, check_files
from winoglot.runs.overlap import Fingerprints

SCRIPT = Path(__file__).parents[2] / "scripts" / "ship_adapter.py"
pytestmark = pytest.mark.slow  # it needs the prepared weights of gemma-3-270m


@pytest.fixture
def script(tmp_path, monkeypatch):
    """The script, which writes into a folder of the test."""
    spec = importlib.util.spec_from_file_location("ship_adapter", SCRIPT)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    target = tmp_path / "target"
    target.mkdir()
    shutil.copy(FOLDER / "GEMMA_TERMS.txt", target)
    for name, path in {"FOLDER": target, "CARD": target / "README.md", "TERMS": target / "GEMMA_TERMS.txt"}.items():
        monkeypatch.setattr(made, name, path)
    return made


@pytest.fixture
def source(tmp_path):
    """A folder as `winoglot finetune … --lora` makes it, with matrices in float32."""
    adapter = tmp_path / "tuned" / "adapter"
    adapter.mkdir(parents=True)
    shutil.copy(FOLDER / "adapter_config.json", adapter)
    shutil.copy(FOLDER / "finetune.json", adapter.parent)
    matrices = load_file(FOLDER / "adapter_model.safetensors")
    save_file({name: one.float() * 1.0001 for name, one in matrices.items()}, adapter / "adapter_model.safetensors")
    Fingerprints.load(FOLDER).save(adapter)
    return adapter.parent


def notices(source):
    return [f"{one.name}: winogrande" for one in Fingerprints.load(source / "adapter").collections]


def test_a_folder_becomes_what_ships(script, source, capsys):
    script.ship(source, "winoglot finetune MINE", notices(source))
    assert f"{script.FOLDER}: " in capsys.readouterr().out
    check_files(script.FOLDER)
    assert {one.name for one in script.FOLDER.iterdir()} == {one.name for one in FOLDER.iterdir()}
    assert {one.dtype for one in load_file(script.FOLDER / "adapter_model.safetensors").values()} == {torch.bfloat16}
    assert "    winoglot finetune MINE\n" in script.CARD.read_text(encoding="utf-8")
    assert "WinoGrande 1.1" in (script.FOLDER / "NOTICE").read_text(encoding="utf-8")


@listed
def test_what_must_not_ship_is_refused(file, change, message, script, source):
    found = json.loads((source / file).read_bytes())
    (source / file).write_text(json.dumps(found | change), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        script.ship(source, "winoglot finetune MINE", notices(source))
    assert [one.name for one in script.FOLDER.iterdir()] == ["GEMMA_TERMS.txt"]


def test_data_of_unknown_terms_is_refused(script, source):
    Fingerprints((*Fingerprints.load(source / "adapter").collections, *Fingerprints.of([six("en")]).collections)).save(
        source / "adapter"
    )
    with pytest.raises(InputError, match=r'the terms of six-en are not known\. Give --notice "six-en: who made it'):
        script.ship(source, "winoglot finetune MINE", notices(source)[:1])
