"""The size of a batch, from the free memory and the model."""

import json
import os
from types import SimpleNamespace

import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st

from tiny_models import llama
from winoglot import memory
from winoglot.models import causal
from winoglot.models.base import Options
from winoglot.models.scoring.pretrained import MemoryCost, batch_tokens_of, fingerprint, memory_cost


def shaped(hidden=64, heads=4, vocabulary=1000, dtype=torch.float32, **more):
    """All that is asked of a model here."""
    config = transformers.LlamaConfig(
        hidden_size=hidden, intermediate_size=4 * hidden, num_attention_heads=heads, vocab_size=vocabulary, **more
    )
    return SimpleNamespace(config=config, dtype=dtype, device=torch.device("cpu"))


@given(st.floats(1, 1e6), st.floats(0, 1e3), st.floats(0, 1e12))
def test_the_largest_batch_within_some_memory_fits_and_the_next_does_not(per_token, per_pair, memory):
    need = MemoryCost(per_token, per_pair)
    most = need.tokens_within(memory)
    assert need.of(most) <= memory * (1 + 1e-9)
    assert need.of(most + 1) >= memory * (1 - 1e-9)


def test_wider_models_larger_vocabularies_longer_numbers_and_written_replies_take_more():
    def bytes_of(columns=1000, one_row=True, generates=False, **model):
        return memory_cost(shaped(**model), columns=columns, one_row=one_row, generates=generates).of(512)

    usual = bytes_of()
    assert bytes_of(hidden=128) > usual
    assert bytes_of(heads=8) > usual
    assert bytes_of(columns=8192) > usual
    assert bytes_of(generates=True) > usual
    assert bytes_of(attn_implementation="eager") > usual
    assert bytes_of(dtype=torch.bfloat16) < usual
    assert bytes_of(one_row=False) < usual


def test_architectures_that_call_their_sizes_otherwise_are_understood():
    for config in (
        transformers.GPT2Config(n_embd=48, n_head=2),
        transformers.DistilBertConfig(dim=48, n_heads=2, hidden_dim=192),
        transformers.OPTConfig(hidden_size=48, ffn_dim=192, num_attention_heads=2),
    ):
        model = SimpleNamespace(config=config, dtype=torch.float32, device=torch.device("cpu"))
        assert memory_cost(model, columns=0).per_token == 4 * (12 * 48 + 4 * 4 * 48)


def test_a_batch_is_what_was_asked_for_else_what_fits_up_to_what_is_fast(monkeypatch):
    need = MemoryCost(1e6)
    sizes = {}
    for free in (2e11, 4e8, 1e5):
        monkeypatch.setattr(memory, "_available", lambda free=free: int(free))
        monkeypatch.setattr(memory, "_LIMITS", ())
        sizes[free] = batch_tokens_of(0, shaped(), need, cpu=512, gpu=4096)
    assert sizes == {2e11: 512, 4e8: 200, 1e5: 64}
    assert batch_tokens_of(7, shaped(), need, cpu=512, gpu=4096) == 7


def test_the_hash_of_a_large_file_is_remembered_until_the_file_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(bytes(2**20))
    about, first = weights.stat(), fingerprint(tmp_path)
    (known,) = (tmp_path / "cache" / "remembered").iterdir()
    assert fingerprint(tmp_path) == first
    weights.write_bytes(bytes(2**20 - 1) + b"x")
    os.utime(weights, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert fingerprint(tmp_path) != first
    known.write_text("{", encoding="utf-8")
    weights.write_bytes(bytes(2**20))
    assert fingerprint(tmp_path) == first


def test_a_model_that_another_version_of_the_library_has_written_is_the_same(tmp_path):
    found = []
    for size, version in ((640, "5.22.0"), (640, "5.23.0"), (641, "5.23.0")):
        about = {"hidden_size": size, "transformers_version": version, "vocab_size": 9}
        (tmp_path / "config.json").write_text(json.dumps(about, indent=2), encoding="utf-8")
        found.append(fingerprint(tmp_path))
    assert found[0] == found[1] != found[2]


def test_a_loaded_model_has_its_size(tmp_path, monkeypatch):
    folder = llama(tmp_path, ["The bottle hit the vase."])
    assert causal.load(folder, Options()).packed.batch_tokens == 512
    monkeypatch.setattr(memory, "_available", lambda: 40 * 2**20)
    tight = causal.load(folder, Options()).packed
    assert 64 <= tight.batch_tokens < 512
    need = memory_cost(tight.model, columns=8192, one_row=True)
    assert need.of(tight.batch_tokens) <= 20 * 2**20 < need.of(tight.batch_tokens + 1)
