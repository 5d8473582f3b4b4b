"""Write the table of all features at the end of docs/languages.md: what each means, and whose rules read it.

    python scripts/list_features.py

A feature is read by the code that names it in quotation marks: by that of all languages, or by the folders of some.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from winoglot.languages.features import VALUES
from winoglot.languages.lexicon import known_features
from winoglot.report.columns import language_name

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "languages.md"
SOURCE = ROOT / "src" / "winoglot"
TABLE = re.compile(r"lexicon\(|\.(?:words|values|features)\(\"")  # asked for words with a feature
MARK = "<!-- made by scripts/list_features.py -->\n"
ROMANCE = {"es", "fr", "it", "pt"}  # what their shared grammar reads is not listed again


def table() -> str:
    """The sections of features.txt as tables."""
    text = (SOURCE / "languages" / "features.txt").read_text(encoding="utf-8")
    read_by = readers()
    made = []
    for line in text.splitlines()[2:]:
        if line.startswith("# "):
            made += ["", f"### {line[2:]}", "", "| feature | meaning | read by |", "| --- | --- | --- |"]
        elif line:
            name, _, meaning = line.partition(" = ")
            made.append(f"| `{name}` | {meaning.replace('|', '&#124;')} | {_named(read_by[name])} |")
    return "\n".join(made[1:]) + "\n"


def _named(folders: set[str]) -> str:
    if "all" in folders:
        return "all"
    if "romance" in folders:
        folders = folders - ROMANCE
    return ", ".join(sorted(language_name(folder) if len(folder) == 2 else folder.title() for folder in folders))


def readers() -> dict[str, set[str]]:
    """For each word in quotation marks, the folders of languages whose code has it, or `all` for any other code."""
    languages = SOURCE / "languages"
    found: dict[str, set[str]] = {value: {"all"} for values in VALUES.values() for value in values}
    for path in SOURCE.rglob("*.py"):
        in_folder = languages in path.parents and path.parent != languages
        folder = path.relative_to(languages).parts[0] if in_folder else "all"
        is_about_words = languages in path.parents or TABLE.search(path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if is_about_words else ():
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for name in re.findall(r"[a-z-]+", node.value) if " " not in node.value else ():
                    found.setdefault(name, set()).add(folder)
    return found | {name: _parts(name, found) for name in known_features() if name not in found and _parts(name, found)}


def _parts(name: str, found: dict[str, set[str]]) -> set[str]:
    """The readers of a name that is made of parts, such as f"like-{shape}" and f"{kind}-object"."""
    joints = [name[: at + 1] for at, sign in enumerate(name) if sign == "-"]
    joints += [name[at:] for at, sign in enumerate(name) if sign == "-"]
    return set().union(*(found.get(part, set()) for part in joints))


def page() -> str:
    """The page with the table as it should be."""
    before, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    return f"{before}{mark}\n{table()}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
