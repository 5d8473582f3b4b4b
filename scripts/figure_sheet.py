"""All figures of a report on one image, to look at: `python scripts/figure_sheet.py sheet.png RUNS… --width column`.

Without runs, figures of every kind are drawn with content that is hard to draw. Needs playwright and chromium.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from winoglot.report.drawing import figure_files
from winoglot.report.figure import Figure
from winoglot.report.paper import Paper
from winoglot.report.plots import Plot
from winoglot.report.runs import runs_page
from winoglot.report.summary import summarise
from winoglot.runs.store import find_runs, load_run

TESTS = Path(__file__).parents[1] / "tests"
LOOK = "body{margin:20px;display:flex;flex-wrap:wrap;gap:24px;align-items:start;background:#ddd;font:12px Arial}"
SIZE = {"width": 2200, "height": 1000}


def main(arguments: list[str]) -> None:
    """Write the sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sheet", type=Path)
    parser.add_argument("runs", type=Path, nargs="*")
    parser.add_argument("--width", default="page")
    parser.add_argument("--font")
    parser.add_argument("--only", default="", help="figures whose names begin so")
    chosen = parser.parse_args(arguments)
    if chosen.runs:
        page = runs_page(summarise([load_run(folder) for path in chosen.runs for folder in find_runs(path)]))
        figures, plots = list(page.shown(Figure).values()), list(page.shown(Plot).values())
    else:
        sys.path.insert(0, str(TESTS))
        from report import made_figures

        figures, plots = made_figures.figures(), made_figures.plots()
    files = figure_files(figures, plots, ["svg"], Paper.of(chosen.width, chosen.font))
    drawn = [f"<div><p>{name}</p>{make()}</div>" for name, make in files.items() if name.startswith(chosen.only)]
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE)
        page.set_content(f"<meta charset=utf-8><style>{LOOK}</style>{''.join(drawn)}")
        page.screenshot(path=chosen.sheet, full_page=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
