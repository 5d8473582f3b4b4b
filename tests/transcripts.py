"""The terminal transcripts and Python sessions in README and docs: run them, compare them, or write them anew.

A ```console block holds `$ command` lines and their output; those whose commands are all `winoglot …` (or show a file
with `cat`) are run, in a folder of their own a page, where the page's ```yaml title="NAME" blocks lie as files.
Run as a script, this rewrites the outputs, of the pages that are named or of all.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r'^```(?:yaml|text) title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
SECRET = re.compile(r"(Researcher's token: |/p/)[\w-]{32}")  # different each time: pages show dots
PYTHON = re.compile(r"^```python\n(>>>.*?)^```$", re.MULTILINE | re.DOTALL)


def run(command: str, folder: Path) -> str:
    """What a terminal of 100 columns shows for a command."""
    arguments = command.split()
    if arguments[0] == "cat":
        return "".join((folder / name).read_text(encoding="utf-8") for name in arguments[1:])
    program = [sys.executable, "-X", "utf8", "-c", "from winoglot.cli.main import main; main()", *arguments[1:]]
    environment = {"COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1", "PATH": "", "WINOGLOT_PROGRESS": "off"}
    done = subprocess.run(
        program,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    if "No such option" in done.stdout or "Traceback" in done.stdout:
        raise ValueError(f"{command}: {done.stdout}")  # an error may be shown on purpose, these are none
    lines = SECRET.sub(r"\1…", done.stdout).splitlines()
    return "".join(line.rstrip() + "\n" for line in lines)


def renewed(page: str) -> str:
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
            body = "".join(f"{line}\n{run(line[2:], folder)}" for line in commands)
            return f"```console\n{body}```"

        return BLOCK.sub(renew, page)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES, help="pages to write anew; without any: all")
    for path in parser.parse_args().pages:
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")
