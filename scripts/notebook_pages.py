"""A hook of mkdocs: every notebook in docs becomes a page, with the outputs that are stored in it.

A link to the notebook, which leads somewhere in the repository too, leads to its page.
"""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

_STYLE = """<style>
.output {margin: -.5em 0 1.5em; padding-left: .8em; border-left: 3px solid var(--md-primary-fg-color); overflow-x: auto;
  font-size: .75rem}
.output table.dataframe {border-collapse: collapse; border: 0; font-size: .7rem}
.output table.dataframe :is(th, td) {border: 0; border-bottom: 1px solid var(--md-default-fg-color--lightest);
  padding: .2em .8em .2em 0}
.output table.dataframe :is(th, td) {text-align: left !important}
.output pre {margin: 0; white-space: pre-wrap; font-size: .7rem}
</style>"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each notebook, beside which it stays as a file to download."""
    for file in [file for file in files if file.src_uri.endswith(".ipynb")]:
        notebook = json.loads(Path(str(file.abs_src_path)).read_text(encoding="utf-8"))
        page = file.src_uri.removesuffix(".ipynb") + ".md"
        files.append(File.generated(config, page, content=page_of(notebook, Path(file.src_uri).name)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Let links to notebooks lead to their pages, unless they are downloads."""
    return re.sub(r"(?<!Download\])\(([\w/-]+)\.ipynb\)", r"(\1.md)", markdown)


def page_of(notebook: dict[str, Any], name: str) -> str:
    """The notebook as Markdown."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        else:
            parts += [f"```python\n{source}\n```", *map(_output, cell["outputs"])]
    title, *rest = parts
    heading, _, more = title.partition("\n")
    return "\n\n".join([heading, f"[Download]({name}) this page as a notebook.", _STYLE, more, *rest]) + "\n"


def _output(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return _plain(output["text"])
    data = output["data"]
    if "text/html" in data:
        html = re.sub(r"\n\s*\n", "\n", "".join(data["text/html"]))  # an empty line would end the HTML
        return f'<div class="output">\n{html}\n</div>'
    return _plain(data["text/plain"])


def _plain(lines: list[str]) -> str:
    return f'<div class="output"><pre>{escape("".join(lines).rstrip())}</pre></div>'
