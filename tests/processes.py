"""Processes that tests kill or stop: forked from a server that has already imported what they need.

Each test process has one such server, so its list of modules is here: a second list elsewhere would replace this one.
"""

import multiprocessing

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    [
        *("winoglot.cli.main", "winoglot.finetune.tuning", "winoglot.training.loop", "accelerate", "pytest"),
        *("transformers.models.auto.modeling_auto", "transformers.models.auto.tokenization_auto"),
        "transformers.models.llama.modeling_llama",
    ]
)
