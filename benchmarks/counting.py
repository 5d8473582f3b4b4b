"""Tokens a second and memory of `winoglot corpus count`: window 6, one core, by how much memory it may take.

The corpus is `--corpus DIR`, else one of 20 million tokens drawn here: 100,000 words, each as common as its rank says,
sentences of 5 to 40 words. Every count runs in a process of its own, whose greatest resident memory is printed (as
Linux tells it). The files must be the same to the byte each time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

TOKENS, TYPES = 20_000_000, 100_000
LEAST = 1.5e6  # tokens a second of processor time, which other programs on the machine do not change
MEMORIES = (256, 512, 1024)  # MB
WAYS: tuple[list[str], ...] = ([], ["--dynamic"], ["--positional"], ["--dynamic", "--positional"])
PROGRAM = """
import json, re, sys, time
start, cpu = time.perf_counter(), time.process_time()
from winoglot.cli.main import app
app(sys.argv[1:], standalone_mode=False)
seconds = time.perf_counter() - start, time.process_time() - cpu
status = open("/proc/self/status").read()  # getrusage would tell of the process that started this one too
peak = 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", status).group(1))
print(json.dumps({"wall": seconds[0], "cpu": seconds[1], "peak": peak}))
"""


def draw_corpus(folder: Path) -> Path:
    """A corpus in the format of `winoglot corpus build`."""
    from winoglot.corpus.reading import content_hash

    draw = np.random.default_rng(8)
    shares = 1 / np.arange(1, TYPES + 1)
    tokens = draw.choice(TYPES, TOKENS, p=shares / shares.sum()).astype("<u4") + 2
    ends = np.cumsum(draw.integers(5, 41, TOKENS // 5))
    tokens[ends[ends < TOKENS]] = 1
    tokens[-1] = 1
    counts = np.bincount(tokens, minlength=TYPES + 2)
    folder.mkdir()
    words = ["<unk>", "<eos>", *(f"w{rank}" for rank in range(TYPES))]
    lines = (f"{word}\t{count}\n" for word, count in zip(words, counts.tolist(), strict=True))
    (folder / "vocabulary.txt").write_text("".join(lines), encoding="utf-8")
    sizes = {"train": TOKENS, "valid": 0, "test": 0}
    for split, size in sizes.items():
        (folder / f"{split}.tokens").write_bytes(tokens[:size].tobytes())
        (folder / f"{split}.articles").write_bytes(np.array([0, size] if size else [0], "<u8").tobytes())
    info = {
        "format": 1,
        "language": "en",
        "hash": content_hash(folder),
        "vocabulary": len(words),
        "splits": {split: {"tokens": size, "articles": int(size > 0)} for split, size in sizes.items()},
    }
    (folder / "corpus.json").write_text(json.dumps(info), encoding="utf-8")
    return folder


def count(corpus: Path, out: Path, options: list[str]) -> tuple[dict[str, float], str]:
    """Count in a new process: what it took, and the hash of what it made."""
    command = ["corpus", "count", str(corpus), "--window", "6", "--force", "-o", str(out), "--json", *options]
    one_core = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", PROGRAM, *command], env=one_core, capture_output=True, check=True)
    took: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return took, str(json.loads((out / "counts.json").read_bytes())["hash"])


def main() -> None:
    """Print a line a count; exit 1 where it is too slow, takes too much, or differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, help="a folder that winoglot corpus build made")
    given = parser.parse_args().corpus
    faults = []
    with tempfile.TemporaryDirectory() as name:
        corpus = given or draw_corpus(Path(name, "corpus"))
        tokens = json.loads((corpus / "corpus.json").read_bytes())["splits"]["train"]["tokens"]
        for way in WAYS:
            hashes = set()
            for memory in MEMORIES if not way else MEMORIES[1:2]:
                took, made = count(corpus, Path(name, "counts"), ["--memory", f"{memory}MB", *way])
                hashes.add(made)
                rate, peak = tokens / took["cpu"], took["peak"] / 2**20
                print(
                    f"window 6 {' '.join(way):24} --memory {memory:4}MB: {tokens} tokens in {took['cpu']:.1f} s "
                    f"of processor ({took['wall']:.1f} s by the clock): {rate / 1e6:.2f} million tokens/s a core, "
                    f"at most {peak:.0f} MB resident, sha {made[:8]}",
                    flush=True,
                )
                if peak > memory:
                    faults.append(f"{peak:.0f} MB for --memory {memory}MB")
                if rate < LEAST and not way:
                    faults.append(f"{rate:.0f} tokens/s")
            if len(hashes) > 1:
                faults.append("other bytes with another --memory")
    if faults:
        sys.exit("; ".join(faults))


if __name__ == "__main__":
    main()
