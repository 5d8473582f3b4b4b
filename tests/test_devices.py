"""Devices that a user names: found, or refused with the reason before any weights are read."""

import subprocess
import sys

import pytest

from winoglot.devices import find_device
from winoglot.errors import InputError

torch = pytest.importorskip("torch")
GPU = torch.cuda.is_available()


@pytest.mark.parametrize("name", ["gpu", "CUDA", "cuda:", "cuda:one", "tpu", "", "meta", "cpu;rm"])
def test_names_that_no_machine_has_are_refused_with_those_that_exist(name):
    with pytest.raises(InputError) as error:
        find_device(name)
    assert str(error.value).startswith(f"there is no device {name!r}. Known: auto, cpu, cuda (NVIDIA)")


@pytest.mark.skipif(GPU, reason="this machine has a GPU")
@pytest.mark.parametrize("name", ["cuda", "cuda:1", "mps", "xpu"])
def test_a_device_that_this_machine_lacks_is_refused_with_the_reason(name):
    if name == "mps" and torch.backends.mps.is_available():
        pytest.skip("this machine has an Apple GPU")
    with pytest.raises(InputError, match=rf"this machine has no device '{name}': torch .+ Use cpu, or auto"):
        find_device(name)


@pytest.mark.skipif(not GPU, reason="needs a GPU")
def test_a_gpu_is_found_and_one_too_many_is_not():
    assert (find_device("cuda"), find_device("auto"), find_device("cuda:0")) == ("cuda", "cuda", "cuda:0")
    last = torch.cuda.device_count() - 1
    with pytest.raises(InputError, match=f"the last GPU is cuda:{last}"):
        find_device(f"cuda:{last + 1}")


@pytest.mark.skipif(GPU, reason="this machine has a GPU")
@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", "winoglot-pt", "--model", "first"],
        ["evaluate", "winoglot-pt", "--model", "remote:http://localhost:1#none"],
        ["evaluate", "winoglot-pt", "--model", "causal:none/here"],
        ["generate", "."],
        ["context", "O gato ___ dorme.", "--model", "."],
    ],
)
def test_every_command_that_computes_refuses_a_gpu_that_is_not_there(run_winoglot, command):
    code, out, err = run_winoglot(*command, "--device", "cuda")
    assert (code, out) == (2, "")
    assert "this machine has no device 'cuda': torch" in err


def test_torch_is_not_imported_for_auto_or_cpu_when_only_rules_are_asked():
    code = (
        "import sys, winoglot as wg; wg.evaluate(wg.load('winoglot-en'), 'first', limit=1, device='cpu'); "
        "wg.evaluate(wg.load('winoglot-en'), 'first', limit=1); print('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
