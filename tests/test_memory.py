from pathlib import Path

import pytest

from cases import listed
from winoglot import memory


def test_a_containers_limit_counts_if_it_is_tighter_than_the_machines(tmp_path, monkeypatch):
    for name, value in (("max", "5000"), ("current", "2000"), ("none", "max")):
        (tmp_path / name).write_text(value)
    files = [(str(tmp_path / limit), str(tmp_path / "current")) for limit in ("max", "none", "missing")]
    monkeypatch.setattr(memory, "_LIMITS", files)
    assert memory.free_memory() == 3000
    monkeypatch.setattr(memory, "_LIMITS", files[1:])
    assert memory.free_memory() == pytest.approx(memory._available(), rel=0.2)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="Linux only")
def test_a_process_that_allocates_uses_more_memory():
    before = memory.used_memory()
    block = bytearray(64 * 2**20)
    block[::4096] = b"x" * len(block[::4096])
    assert memory.used_memory() - before > 32 * 2**20
    del block


@listed
def test_a_library_that_fails_on_a_full_gpu_is_out_of_memory(message):
    assert memory.is_out_of_memory(RuntimeError(message))
    assert not memory.is_out_of_memory(RuntimeError("CUDA error: device-side assert triggered"))
