"""Python in processes of its own that need not import anything: they are forked from one that already has."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

# Imports what commands need by running some of them, and then runs each piece of code in a process of its own.
HOST = """
import contextlib, gc, io, json, os, sys
from winoglot.cli.main import main

for words in json.loads(sys.argv.pop(1)):
    sys.argv[1:] = words
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main()
gc.freeze()

for line in sys.stdin:
    code, arguments, folder, *files = json.loads(line)
    child = os.fork()
    if not child:
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number, file in enumerate(files, 1):
            os.dup2(1 if file is None else os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.argv[1:] = arguments
        exec(code, {"__name__": "__main__"})
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
MAIN = "from winoglot.cli.main import main; main()"

# Code, arguments, the folder to run it in, the file for what it prints, the file for its errors (None: the same file).
Run = Callable[[str, Sequence[str], Path, Path, Path | None], int]


@contextmanager
def forking_host(first: Sequence[Sequence[str]], environment: Mapping[str, str]) -> Iterator[Run]:
    """A function that runs code and returns its exit code. The commands in `first` import what all will need."""
    command = [sys.executable, "-X", "utf8", "-c", HOST, json.dumps([[str(word) for word in words] for words in first])]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    with subprocess.Popen(command, env=dict(environment), **pipes) as host:

        def run(code: str, arguments: Sequence[str], folder: Path, out: Path, err: Path | None) -> int:
            files = [str(out), None if err is None else str(err)]
            host.stdin.write(json.dumps([code, list(map(str, arguments)), str(folder), *files]) + "\n")
            host.stdin.flush()
            return int(host.stdout.readline())

        yield run
