"""Speed and memory of `winoglot corpus count` on one core: window 6, for several limits of memory.

The corpus is `--corpus DIR`, or else one drawn here: 20 million tokens of 100,000 words with Zipf frequencies in
sentences of 5 to 40 words. Every count runs in a new process, whose peak resident memory is printed (Linux only). The
files must be the same to the byte each time.
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
LEAST = 1.5e6  # tokens per second of processor time, which other programs on the machine hardly change
MEMORIES = (256, 512, 1024)  # MB
WAYS: tuple[list[str], ...] = ([], ["--dynamic"], ["--positional"], ["--dynamic", "--positional"])
PROGRAM = """
import json, re, sys, time
start, cpu = time.perf_counter(), time.process_time()
from winoglot.cli.main import build_app
build_app("corpus")(sys.argv[1:], standalone_mode=False)
seconds = time.perf_counter() - start, time.process_time() - cpu
status = open("/proc/self/status").read()  # getrusage would include the process that started this one
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
    """Count in a new process; returns time and memory used, and the hash of the counts."""
    command = ["corpus", "count", str(corpus), "--window", "6", "--force", "-o", str(out), "--json", *options]
    one_core = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", PROGRAM, *command], env=one_core, capture_output=True, check=True)
    took: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return took, str(json.loads((out / "counts.json").read_bytes())["hash"])


def main() -> None:
    """Print one line per count; exit 1 if one is too slow, takes too much memory, or differs."""
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
                    f"of processor time ({took['wall']:.1f} s elapsed): {rate / 1e6:.2f} million tokens/s, "
                    f"peak {peak:.0f} MB, sha {made[:8]}",
                    flush=True,
                )
                if peak > memory:
                    faults.append(f"{peak:.0f} MB with --memory {memory}MB")
                if rate < LEAST and not way:
                    faults.append(f"{rate:.0f} tokens/s")
            if len(hashes) > 1:
                faults.append("different bytes with another --memory")
    if faults:
        sys.exit("; ".join(faults))


if __name__ == "__main__":
    main()
