"""Fine-tuning beside a plain transformers `Trainer`: tokens per second, peak memory and loss.

    python benchmarks/finetune.py [MODEL] [--data FILE] [--items 4096] [--batch 64] [--also rate=3e-5] [--device cuda]

Both teach the same model the same items in batches of the same size, in the same precision (bfloat16 on a GPU, with
weights in float32), by the same loss: the ratio loss of the windows and 0.3 of the language-model loss of the right
reading. The Trainer is given the two readings of each item as two rows, padded to the longest of the batch. Tokens are
counted alike: those of all readings, without padding, whatever is shared or computed twice. The rate is the median of
parts of the second epoch, without validations and checkpoints.

Without a model, one of the shape of Gemma 3 270M is drawn at random (`--tiny`: a much smaller one), with a tokenizer
made from the items; without data, names of the bundled English collection are redrawn until there are enough items (see
`large.py`). Nothing is fetched. Run with PYTHONPATH=src.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import tokenizers
import torch
import transformers
from large import many

import winoglot as wg
from winoglot.finetune.causal import CausalObjective
from winoglot.finetune.data import gather
from winoglot.models.base import Options, load_model
from winoglot.models.causal import CausalSolver
from winoglot.training.checkpoint import read_log

if TYPE_CHECKING:
    from winoglot.finetune.losses import TrainingExample

EVERY = 4  # steps between two looks at the clock, for which the device is waited for
HELD_OUT = 0.01
LANGUAGE = 0.3
SHAPE = {
    "hidden_size": 640,
    "intermediate_size": 2048,
    "num_hidden_layers": 18,
    "num_attention_heads": 4,
    "num_key_value_heads": 1,
    "head_dim": 256,
    "sliding_window": 512,
    "vocab_size": 262_144,
}
TINY = SHAPE | {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "head_dim": 16, "vocab_size": 4096}


def drawn(folder: Path, texts: list[str], shape: dict[str, int]) -> str:
    """A model of this shape with random weights, and a tokenizer that knows the texts."""
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=4000, special_tokens=["<pad>", "<bos>", "<eos>"], initial_alphabet=alphabet, show_progress=False
    )
    made.train_from_iterator(texts, trainer)
    tokenizer: Any = transformers.PreTrainedTokenizerFast
    tokenizer(tokenizer_object=made, bos_token="<bos>", eos_token="<eos>").save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.Gemma3TextConfig(**shape)  # type: ignore[arg-type]
    transformers.Gemma3ForCausalLM(config).save_pretrained(folder)
    return f"causal:{folder}"


def rate(looks: list[tuple[int, float]], tokens: float) -> float:
    """Tokens per second, given those of a step and the clock after some steps: the median over the second half."""
    looks = looks[len(looks) // 2 :]
    parts = [(b[0] - a[0]) / (b[1] - a[1]) for a, b in pairwise(looks)]
    return tokens * median(parts)


class Clock(transformers.TrainerCallback):
    """Looks at the clock."""

    def __init__(self) -> None:
        """Nothing seen yet."""
        self.looks: list[tuple[int, float]] = []

    def on_step_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
        """Once the device has done what it was given."""
        del args, control, more
        if state.global_step % EVERY == 0:
            if torch.cuda.is_available():
                torch.cuda.synchronize()
            self.looks.append((state.global_step, time.perf_counter()))


class PairTrainer(transformers.Trainer):
    """Learns from pairs of rows: the right reading, then the wrong one."""

    def compute_loss(self, model: Any, inputs: Any, *_: Any, **__: Any) -> Any:
        """The ratio loss and a share of the language-model loss."""
        ids, mask = inputs["input_ids"], inputs["attention_mask"]
        logits = model(input_ids=ids, attention_mask=mask).logits[:, :-1].float()
        logs = logits.log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]
        right, wrong = (logs * inputs["window"][:, 1:]).sum(1).view(-1, 2).unbind(1)
        own = mask[::2, 1:]
        language = -(logs[::2] * own).sum(1) / own.sum(1)
        return (LANGUAGE * language - torch.nn.functional.logsigmoid(right - wrong)).mean()


def padded(rows: list[dict[str, Any]]) -> dict[str, torch.Tensor]:
    """A batch of items as a table of tokens."""
    pairs = [row for item in rows for row in item["rows"]]
    ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(one) for one, _ in pairs], batch_first=True)
    places = torch.arange(ids.shape[1])[None]
    lengths = torch.tensor([[len(one)] for one, _ in pairs])
    firsts = torch.tensor([[first] for _, first in pairs])
    return {"input_ids": ids, "attention_mask": places < lengths, "window": (places >= firsts) & (places < lengths)}


def plain(folder: str, examples: list[TrainingExample], given: argparse.Namespace, out: Path) -> tuple[float, float]:
    """The tokens per second and the last loss of the Trainer."""
    rows = [{"rows": (one.readings[one.answer], one.readings[1 - one.answer])} for one in examples]
    clock = Clock()
    arguments = transformers.TrainingArguments(
        output_dir=str(out),
        per_device_train_batch_size=given.batch,
        num_train_epochs=2,
        learning_rate=1.5e-5,
        lr_scheduler_type="cosine",
        bf16=given.device == "cuda",
        use_cpu=given.device == "cpu",
        remove_unused_columns=False,
        save_strategy="no",
        logging_strategy="epoch",
        report_to=[],
        disable_tqdm=True,
    )
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    model.config.use_cache = False
    trainer = PairTrainer(model, arguments, data_collator=padded, train_dataset=rows, callbacks=[clock])
    trainer.remove_callback(transformers.PrinterCallback)
    trainer.train()
    tokens = sum(len(ids) for one in examples for ids, _ in one.readings)
    losses = [line["loss"] for line in trainer.state.log_history if "loss" in line]
    return rate(clock.looks, 2 * tokens / trainer.state.global_step), losses[-1]


def ours(
    model: str,
    collection: wg.Collection,
    examples: list[TrainingExample],
    given: argparse.Namespace,
    changes: list[str],
    out: Path,
) -> tuple[float, float]:
    """The same of `wg.finetune`, with some settings changed."""
    looks: list[tuple[int, float]] = []

    def progress(step: int, steps: int, tokens: int, loss: float | None, accuracy: float | None) -> None:
        del steps, tokens, accuracy
        if loss is not None:  # it has waited for the device
            looks.append((step, time.perf_counter()))

    settings = [f"batch={given.batch}", "epochs=2", f"held_out={HELD_OUT}", *changes]
    made = wg.finetune(
        model, collection, out, settings=settings, device=given.device, log_every=EVERY, progress=progress
    )
    tokens = sum(len(ids) for one in examples for ids, _ in one.readings)
    losses = [line["loss"] for line in read_log(out / "log.jsonl") if "loss" in line and line["epoch"] == 1]
    return rate(looks, 2 * tokens / made.steps), sum(losses) / len(losses)


def memory(device: str) -> str:
    """The peak since the last call."""
    if device != "cuda":
        return ""
    peak = torch.cuda.max_memory_allocated() / 2**30
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    return f", {peak:.1f} GiB"


def main(given: argparse.Namespace) -> None:
    """Print the rate, peak memory and last loss of each, and the ratio."""
    logging: Any = transformers.utils.logging
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    collection = many(given.items, drawn=given.items) if given.data is None else wg.load(given.data)
    collection = replace(collection, schemas=collection.schemas[: given.items // 2])
    data = gather([collection], held_out=HELD_OUT)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        texts = [text for one in data.training for text in one.question.texts]
        model = given.model or drawn(work / "model", texts, TINY if given.tiny else SHAPE)
        solver = load_model(model, Options(device="cpu"))
        assert isinstance(solver, CausalSolver)
        examples, _ = CausalObjective(solver, solver.pretrained.model).examples(data.training)
        folder = solver.pretrained.location
        del solver
        lengths = [len(ids) for one in examples for ids, _ in one.readings]
        mean = sum(lengths) / len(lengths)
        where = torch.cuda.get_device_name() if given.device == "cuda" else given.device
        shape = "tiny" if given.tiny else "shape of Gemma 3 270M"
        print(
            f"{where}, {given.model or shape}, batch {given.batch}: {len(examples)} items, {mean:.1f} tokens a reading"
        )
        memory(given.device)
        theirs, loss = plain(folder, examples, given, work / "plain")
        print(f"Trainer: {theirs:.0f} tokens/s{memory(given.device)}, loss {loss:.3f}", flush=True)
        for number, changes in enumerate([[], *([one] for one in given.also)]):
            own, loss = ours(model, collection, examples, given, changes, work / f"ours-{number}")
            label = ", ".join(["winoglot", *changes])
            times = f"{own / theirs:.2f} times{memory(given.device)}"
            print(f"{label}: {own:.0f} tokens/s, {times}, loss {loss:.3f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", help="causal:FOLDER or another name of a causal model")
    parser.add_argument("--data", metavar="FILE", help="a collection, such as WinoGrande's train_l.jsonl")
    parser.add_argument("--items", type=int, default=4096, metavar="N")
    parser.add_argument("--batch", type=int, default=64, metavar="N", help="items per step")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=VALUE", help="ours again, changed so")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--tiny", action="store_true", help="a small model, to try this script")
    main(parser.parse_args())
