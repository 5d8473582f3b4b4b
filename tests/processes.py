"""Processes that tests kill or stop: forked from a server that has already imported what they need.

A process of tests has one such server, whoever asks for it: were the modules to be imported named in several files, the
last file would decide for all.
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
