"""The notebooks in docs: run their cells, and compare what they show or write it anew.

A cell's outputs are what it prints and, if its last line is an expression, the value of that, as text and, if it has
that, as HTML. No kernel is needed. Run as a script, this rewrites the outputs.
"""

import argparse
import ast
import contextlib
import io
import json
import linecache
import re
import tempfile
from copy import deepcopy
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "docs").glob("*.ipynb"))


def executed(notebook: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The notebook with the outputs of its cells as they are now, run one after the other in a folder."""
    made = deepcopy(notebook)
    names: dict[str, Any] = {"__name__": "__main__"}
    codes = [cell for cell in made["cells"] if cell["cell_type"] == "code"]
    with contextlib.chdir(folder):
        for number, cell in enumerate(codes, 1):
            cell["execution_count"] = number
            cell["outputs"] = _outputs("".join(cell["source"]), names, number)
    return made


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    file = f"<cell {number}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)  # for tracebacks
    tree = ast.parse(source, file)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, file, "exec"), names)
        if last is not None and not source.rstrip().endswith(";"):
            value = eval(compile(ast.Expression(last.value), file, "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        data = {"text/html": _lines(value._repr_html_())} if hasattr(value, "_repr_html_") else {}
        data["text/plain"] = _lines(repr(value))
        result = {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        found.append(result)
    return found


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def read(path: Path) -> dict[str, Any]:
    """The notebook in a file."""
    return json.loads(path.read_text(encoding="utf-8"))


def shown(notebook: dict[str, Any]) -> list[Any]:
    """What the cells show, without what differs between versions of pandas (its tags) or from call to call (times)."""
    return [_comparable(output) for cell in notebook["cells"] for output in cell.get("outputs", [])]


def _comparable(output: dict[str, Any]) -> Any:
    if output["output_type"] == "stream":
        return _timeless("".join(output["text"]))
    html = "".join(output["data"].get("text/html", []))
    if 'class="dataframe"' in html:  # as text, pandas cuts its tables to the width of the terminal
        return re.sub(r"<style.*?</style>|<[^>]*>|\s", "", html, flags=re.DOTALL)
    return _timeless(html or "".join(output["data"]["text/plain"]))


def _timeless(text: str) -> str:
    return re.sub(r"\d+(\.\d+)? s\b", "… s", text)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for path in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as name:
            made = executed(read(path), Path(name))
        path.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
