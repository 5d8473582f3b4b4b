"""Folders of models from others: no code of theirs is run, nothing is unpickled, no weights come from elsewhere."""

import errno
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from cases import for_each
from tiny_models import byte_pieces, gguf_file, llama
from winoglot import InputError
from winoglot.files import temporary_folder
from winoglot.folders import disk_cached
from winoglot.models import gemma_3_270m
from winoglot.models.base import Options, check_model, load_model
from winoglot.models.gguf import SUMS, made_once

TEXTS = ["The bottle hit the vase, and it broke."]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return Path(llama(tmp_path_factory.mktemp("made"), TEXTS))


@pytest.fixture
def folder(made, tmp_path):
    return Path(shutil.copytree(made, tmp_path / "model"))


def edit(file, **values):
    found = json.loads(file.read_text("utf-8")) if file.exists() else {}
    file.write_text(json.dumps(found | values), "utf-8")


def with_code(folder, name, key):
    """A folder whose description names a class in a file of its own, which would leave a trace if it ran."""
    code = "import pathlib\npathlib.Path(__file__).with_name('ran').touch()\n"
    for module in ("own", "ran_here"):
        (folder / f"{module}.py").write_text(code, "utf-8")
    edit(folder / name, auto_map={key: "own.Own"}, model_type="never-heard-of", tokenizer_class="NeverHeardOf")


def score(address):
    solver = load_model(address, Options())
    solver.token_scores(TEXTS)
    return solver.fingerprint


@pytest.mark.parametrize("key", ["AutoConfig", "AutoModelForCausalLM", "AutoTokenizer"])
def test_code_in_a_folder_is_refused_before_anything_is_loaded(folder, monkeypatch, key):
    with_code(folder, "tokenizer_config.json" if key == "AutoTokenizer" else "config.json", key)
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("somebody was asked"))
    for family in ("causal", "masked", "nli", "choice"):
        for use in (check_model, load_model):
            with pytest.raises(InputError, match=r"needs code of its own \(own\.Own\), and such code is never run"):
                use(f"{family}:{folder}", Options())
    assert not list(folder.parent.rglob("ran"))


def test_code_behind_an_adapter_is_refused_too(folder, tmp_path):
    with_code(folder, "config.json", "AutoConfig")
    adapter = tmp_path / "adapter"
    adapter.mkdir()
    edit(adapter / "adapter_config.json", base_model_name_or_path=str(folder), peft_type="LORA")
    (adapter / "adapter_model.safetensors").write_bytes(b"")
    with pytest.raises(InputError, match="needs code of its own"):
        load_model(f"causal:{adapter}", Options())


def test_a_known_model_that_also_brings_code_is_loaded_without_it(folder):
    before = score(f"causal:{folder}")
    (folder / "own.py").write_text("raise SystemExit('ran')", "utf-8")
    edit(folder / "config.json", auto_map={"AutoModelForCausalLM": "own.Own"})
    assert score(f"causal:{folder}") != before  # by its configuration


def test_pickled_weights_are_refused(folder):
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"pytorch_model\.bin: its weights are pickled, and nothing is ever unpickled"):
        check_model(f"causal:{folder}", Options())


INDEX = "model.safetensors.index.json"
OUTSIDE = r"index\.json: it names .*weights must be safetensors files in the same folder"
WEIGHTS = r"config\.json: `transformers_weights` names .*remove the key"
CODE = r"config\.json: this model needs code of its own \(a/b\)"


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        *(
            (INDEX, {"weight_map": {"lm_head.weight": name}}, OUTSIDE)
            for name in ("../o.safetensors", "/o.safetensors")
        ),
        *((INDEX, {"weight_map": {"lm_head.weight": name}}, OUTSIDE) for name in ("part/x.safetensors", "model.bin")),
        *(
            ("config.json", {"transformers_weights": name}, WEIGHTS)
            for name in ("../outside.safetensors", "part/x.safetensors", "x.safetensors.index.json")
        ),
        ("config.json", {"attn_implementation": "a/b"}, CODE),
        ("config.json", {"text_config": {"_attn_implementation": "a/b"}}, CODE),
    ],
)
def test_a_description_names_neither_other_weights_nor_code(folder, name, values, message):
    edit(folder / name, **values)
    with pytest.raises(InputError, match=message):
        check_model(f"causal:{folder}", Options())


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json", INDEX])
def test_a_damaged_description_is_named(folder, name):
    for text in ("[" * 100_000, "{", "[]", '{"weight_map": 3', ""):
        (folder / name).write_text(text, "utf-8")
        with pytest.raises(InputError, match=name.replace(".", r"\.")):
            check_model(f"causal:{folder}", Options())


def test_what_is_no_plain_file_is_not_waited_for(folder):
    (folder / "model.safetensors").unlink()
    os.mkfifo(folder / "model.safetensors")
    with pytest.raises(InputError, match=r"model\.safetensors: this is not a plain file"):
        check_model(f"causal:{folder}", Options())
    (folder / "tokenizer_config.json").unlink()
    (folder / "tokenizer_config.json").symlink_to("/dev/zero")
    with pytest.raises(InputError, match="not a plain file"):
        check_model(f"causal:{folder}", Options())


def test_links_stay_in_the_folder_or_in_the_cache_of_the_hub(folder, tmp_path):
    blobs, snapshot = tmp_path / "hub" / "blobs", tmp_path / "hub" / "snapshots" / "1"
    blobs.mkdir(parents=True)
    (folder / "model.safetensors").rename(blobs / "abc")
    shutil.copytree(folder, snapshot)
    (snapshot / "model.safetensors").symlink_to("../../blobs/abc")
    score(f"causal:{snapshot}")
    (folder / "model.safetensors").symlink_to(blobs / "abc")
    with pytest.raises(InputError, match=r"model\.safetensors: this is a link that leads out of the folder, to /"):
        check_model(f"causal:{folder}", Options())


def test_a_damaged_adapter_is_named_once(folder, tmp_path):
    (tmp_path / "adapter").mkdir()
    (tmp_path / "adapter" / "adapter_model.safetensors").touch()
    (tmp_path / "adapter" / "adapter_config.json").write_text("[" * 100_000)
    with pytest.raises(InputError, match=r"^[^:]*adapter_config\.json: cannot be read: it is nested too deeply\."):
        check_model(f"causal:{tmp_path / 'adapter'}", Options())


def test_code_beside_a_gguf_file_is_refused(tmp_path):
    file = gguf_file(tmp_path / "model.gguf", ["the water of this house and the people of that place"])
    score(f"gguf:{file}")
    shutil.rmtree(tmp_path / "cache")
    with_code(tmp_path, "tokenizer_config.json", "AutoTokenizer")
    with pytest.raises(InputError, match="needs code of its own"):
        load_model(f"gguf:{file}", Options())
    assert not list(tmp_path.rglob("ran"))


def flip(file):
    """Change a byte and nothing else that a file system shows; what only a failing disk does to the time of change."""
    before = file.stat()
    data = bytearray(file.read_bytes())
    data[-5] ^= 0xFF
    file.write_bytes(data)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_weights_that_lost_a_bit_are_noticed_before_they_score(tmp_path, monkeypatch):
    monkeypatch.setattr("winoglot.models.scoring.pretrained._SMALL", 0)
    folder = Path(llama(tmp_path / "model", TEXTS))
    weights, real = folder / "model.safetensors", os.stat
    score(f"causal:{folder}")
    frozen = weights.stat()
    flip(weights)
    monkeypatch.setattr(Path, "stat", lambda path, **how: frozen if path == weights else real(path, **how))
    from winoglot.models.scoring import pretrained

    pretrained._check_content.cache_clear()  # as in another process
    with pytest.raises(InputError, match="its content has changed since it was first used"):
        score(f"causal:{folder}")


def test_a_prepared_folder_that_was_changed_is_made_again(tmp_path):
    calls = []

    def make(folder):
        calls.append(folder)
        (folder / "model.safetensors").write_bytes(b"weights")

    folder = made_once("model-1", make)
    assert (folder / SUMS).is_file()
    assert made_once("model-1", make) == folder
    assert len(calls) == 1
    flip(folder / "model.safetensors")
    assert (made_once("model-1", make) / "model.safetensors").read_bytes() == b"weights"
    (folder / SUMS).unlink()  # of an earlier version, which noted nothing
    made_once("model-1", make)
    assert len(calls) == 3
    assert [path.name for path in (tmp_path / "cache").iterdir() if path.name != "remembered"] == ["model-1"]


@pytest.mark.parametrize("kind", ["system", "safetensors", "tokenizers"])
def test_a_full_disk_while_weights_are_prepared_is_said_and_nothing_is_left(tmp_path, kind):
    def make(folder):
        (folder / "half").write_bytes(b"x")
        if kind == "system":
            raise OSError(errno.ENOSPC, "No space left on device")
        if kind == "tokenizers":
            byte_pieces(TEXTS, special={"bos": "<s>"}).save_pretrained(folder)
        import torch
        from safetensors.torch import save_file

        save_file({"x": torch.zeros(2**20)}, folder / "model.safetensors")

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        if kind != "system":
            resource.setrlimit(resource.RLIMIT_FSIZE, (4000, before[1]))
        with pytest.raises(InputError, match=r"model-1: the model cannot be prepared: .*Free some space"):
            made_once("model-1", make)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert not list((tmp_path / "cache").glob("*model*"))
    assert not list((tmp_path / "cache").glob(".winoglot-*"))


def test_what_a_preparation_that_was_killed_left_goes_at_the_next_start(tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir()
    code = (
        "import os, signal, sys, pathlib\nfrom winoglot.models.gguf import made_once\n"
        "def make(folder):\n    (folder / 'half').write_bytes(bytes(1000))\n    os.kill(os.getpid(), signal.SIGKILL)\n"
        "made_once('model-1', make)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    (left,) = cache.glob(".winoglot-*")
    old = time.time() - 60
    os.utime(left, (old, old))
    with temporary_folder(cache):
        assert not left.exists()


def without_a_part(_):
    raise FileNotFoundError("Missing chunk files: part00")


@for_each(
    ("assemble", "message"),
    [
        (without_a_part, r"Missing chunk files: part00\. Install them again"),
        (
            lambda file: file.write_bytes(b"GGUF, but of another model"),
            r"are not those of gemma-3-270m: their SHA-256 is .*force-reinstall",
        ),
    ],
)
def test_a_package_with_other_weights_or_without_a_part_is_refused(tmp_path, monkeypatch, assemble, message):
    monkeypatch.setattr(gemma_3_270m, "import_module", lambda _: SimpleNamespace(assemble=assemble))
    with pytest.raises(InputError, match=message):
        made_once("gemma", gemma_3_270m._assemble)
    assert not (tmp_path / "cache" / "gemma").exists()


@for_each("text", ['["x"]', '{"a": 1}', "3", "null", '["0", "other"]', "[" * 100_000, "\xff"])
def test_a_cached_value_of_another_kind_is_computed_again(tmp_path, text):
    assert disk_cached([text], lambda: "right") == "right"
    file = max((tmp_path / "cache" / "remembered").iterdir(), key=lambda one: one.stat().st_mtime_ns)
    file.write_text(text, "latin-1")
    assert disk_cached([text], lambda: "right") == "right"
    assert disk_cached([text], lambda: "not asked") == "right"


def test_a_model_without_a_tokenizer_is_refused_with_what_to_do(folder):
    for file in folder.glob("tokenizer*"):
        file.unlink()
    remedy = re.escape(f".save_pretrained({str(folder)!r})")
    with pytest.raises(InputError, match=f"the model has no tokenizer: tokenizer.json, or a vocabulary.*{remedy}"):
        check_model(f"causal:{folder}", Options())
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "ByT5Tokenizer"}')
    check_model(f"causal:{folder}", Options())
