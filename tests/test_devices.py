"""Devices that a user names: found, or refused with the reason before any weights are read."""

import subprocess
import sys

import pytest
import torch

from cases import listed
from winoglot.devices import find_device
from winoglot.errors import InputError

GPUS = torch.cuda.device_count()
HERE = torch.accelerator.current_accelerator().type if torch.accelerator.is_available() else ""
ABSENT = [name for name in ("cuda", "mps", "xpu") if name != HERE]


@pytest.mark.parametrize("name", ["gpu", "CUDA", "cuda:", "cuda:one", "tpu", "", "meta", "cpu;rm"])
def test_names_that_no_machine_has_are_refused_with_those_that_exist(name):
    with pytest.raises(InputError) as error:
        find_device(name)
    assert str(error.value).startswith(f"there is no device {name!r}. Known: auto, cpu, cuda (NVIDIA)")


@pytest.mark.parametrize("name", [*ABSENT, f"cuda:{GPUS}"])
def test_a_device_that_this_machine_lacks_is_refused_with_the_reason(name):
    with pytest.raises(InputError, match=rf"this machine has no device '{name}': .+ Use cpu, or auto"):
        find_device(name)


def test_a_device_that_this_machine_has_is_found():
    assert find_device("auto") == ("cuda" if GPUS else "cpu")
    for name in ["cpu", *(f"cuda:{number}" for number in range(GPUS))]:
        assert find_device(name) == name


@listed
def test_every_command_that_computes_refuses_a_gpu_that_is_not_there(command, refused):
    refused(*command, "--device", f"cuda:{GPUS}", says=f"this machine has no device 'cuda:{GPUS}': ")


def test_torch_is_not_imported_for_auto_or_cpu_when_only_rules_are_asked():
    code = (
        "import sys, winoglot as wg; wg.evaluate(wg.load('winoglot-en'), 'first', limit=1, device='cpu'); "
        "wg.evaluate(wg.load('winoglot-en'), 'first', limit=1); print('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
