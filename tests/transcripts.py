"""The terminal transcripts and Python sessions in README and docs: run them, compare them, or write them anew.

A ```console block holds `$ command` lines and their output; those whose commands are all `winoglot …` (or show a file
with `cat`) are run, in a folder of their own a page, where the page's ```yaml title="NAME" blocks lie as files.
Run as a script, this rewrites the outputs, of the pages that are named or of all.
"""

import argparse
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from forking import MAIN, forking_host

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r'^```(?:yaml|text) title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
SECRET = re.compile(r"(Researcher's token: |/p/)[\w-]{32}")  # different each time: pages show dots
PYTHON = re.compile(r"^```python\n(>>>.*?)^```$", re.MULTILINE | re.DOTALL)


Show = Callable[[str, Path], str]


@contextmanager
def terminal() -> Iterator[Show]:
    """A function that runs a command in a folder and returns what a terminal of 100 columns shows."""
    environment = {"COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1", "PATH": "", "WINOGLOT_PROGRESS": "off"}
    environment["LOKY_MAX_CPU_COUNT"] = "1"  # without a PATH, cores cannot be counted
    environment["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")
    first = (["list"], ["list", "metrics"], ["evaluate", "winoglot-en", "--model", "first", "--limit", "1"])
    with forking_host(first, environment) as host, tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out"

        def show(command: str, folder: Path) -> str:
            arguments = command.split()
            if arguments[0] == "cat":
                return "".join((folder / name).read_text(encoding="utf-8") for name in arguments[1:])
            host(MAIN, arguments[1:], folder, out, None)
            shown = out.read_text(encoding="utf-8")
            if "No such option" in shown or "Traceback" in shown:
                raise ValueError(f"{command}: {shown}")  # an error may be shown on purpose, these are none
            return "".join(line.rstrip() + "\n" for line in SECRET.sub(r"\1…", shown).splitlines())

        yield show


def renewed(page: str, show: Show) -> str:
    """The page with the output of its commands as it is now."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, content in FILE.findall(page):
            (folder / title).parent.mkdir(parents=True, exist_ok=True)
            (folder / title).write_text(content, encoding="utf-8")

        def renew(block: re.Match[str]) -> str:
            commands = [line for line in block.group(1).splitlines() if line.startswith("$ ")]
            if not commands or not all(line.startswith(("$ winoglot ", "$ cat ")) for line in commands):
                return block.group()
            body = "".join(f"{line}\n{show(line[2:], folder)}" for line in commands)
            return f"```console\n{body}```"

        return BLOCK.sub(renew, page)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES, help="pages to write anew; without any: all")
    pages = parser.parse_args().pages
    with terminal() as show:
        for path in pages:
            path.write_text(renewed(path.read_text(encoding="utf-8"), show), encoding="utf-8")
