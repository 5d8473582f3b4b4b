"""Renew the pictures of the report in docs/images: `python scripts/screenshots.py demo/report.html`.

Its figures are needed too: `winoglot report demo/runs -o demo/report.html --figures svg --force`. Needs playwright,
chromium and, for the printed pages, pdftoppm; CJK fonts make the Chinese readable.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Page

IMAGES = Path(__file__).parents[1] / "docs" / "images"
LAPTOP, PHONE = {"width": 1366, "height": 900}, {"width": 390, "height": 844}
SHOTS = {
    "report-laptop": (LAPTOP, "light", ""),
    "report-dark": (LAPTOP, "dark", "#robustness"),
    "report-items": (LAPTOP, "light", "#items"),
    "report-phone": (PHONE, "light", ""),
    "report-phone-dark": (PHONE, "dark", "#accuracy-figure"),
}
PAPER = {"report-paper-1": 1, "report-paper-2": 2}  # pages of A4
DOTS = 80  # per inch


def main(page_file: str) -> None:
    """Write one PNG per screenshot."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    report = Path(page_file).resolve()
    shutil.copy(report.with_name(f"{report.stem}-figures") / "accuracy.svg", IMAGES / "figure-page.svg")
    address = report.as_uri()
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (size, scheme, place) in SHOTS.items():
            page = browser.new_page(viewport=size, color_scheme=scheme)
            page.goto(address + place)
            page.wait_for_timeout(500)
            page.screenshot(path=IMAGES / f"{name}.png")
            page.close()
        page = browser.new_page(viewport=LAPTOP)
        page.goto(address)
        _print(page)
        browser.close()


def _print(page: Page) -> None:
    """The pages as printed."""
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        page.pdf(path=file.name, format="A4")
        for name, number in PAPER.items():
            only = ["-f", str(number), "-l", str(number), "-singlefile"]
            command = ["pdftoppm", "-png", "-r", str(DOTS), *only, file.name, str(IMAGES / name)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main(sys.argv[1])
