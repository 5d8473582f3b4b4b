"""Remake the pictures of the report in docs/images: `python scripts/screenshots.py demo/report.html`.

Needs playwright and a chromium; CJK fonts make the Chinese readable.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SHOTS = {
    "report-laptop": ({"width": 1200, "height": 900}, "light", ""),
    "report-dark": ({"width": 1200, "height": 900}, "dark", "#robustness"),
    "report-phone": ({"width": 390, "height": 844}, "light", ""),
    "report-items": ({"width": 1200, "height": 900}, "light", "#items"),
}


def main(page_file: str) -> None:
    """Write one PNG a shot."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    address = Path(page_file).resolve().as_uri()
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (size, scheme, place) in SHOTS.items():
            page = browser.new_page(viewport=size, color_scheme=scheme)
            page.goto(address + place)
            page.wait_for_timeout(500)
            page.screenshot(path=IMAGES / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
