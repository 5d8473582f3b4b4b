"""Exported figures in a real browser: no two texts touch, and none leaves the picture."""

import pytest

from report import made_figures
from winoglot.report.drawing import figure_files
from winoglot.report.paper import Paper

pytestmark = pytest.mark.slow
BOXES = """(root) => [...root.querySelectorAll('text')].map((text) => {
  const box = text.getBoundingClientRect(), frame = root.getBoundingClientRect();
  return {text: text.textContent, left: box.left - frame.left, right: box.right - frame.left, over: frame.width,
          top: box.top - frame.top, bottom: box.bottom - frame.top, below: frame.height};
})"""
SLACK = 1.5  # pixels: boxes are higher than letters


def faults(boxes):
    """Texts that are cut or touch another."""
    found = [
        box["text"]
        for box in boxes
        if box["left"] < -SLACK
        or box["top"] < -SLACK
        or box["right"] > box["over"] + SLACK
        or box["bottom"] > box["below"] + SLACK
    ]
    for at, box in enumerate(boxes):
        found += [
            f"{box['text']} × {other['text']}"
            for other in boxes[at + 1 :]
            if min(box["right"], other["right"]) - max(box["left"], other["left"]) > SLACK / 3
            and min(box["bottom"], other["bottom"]) - max(box["top"], other["top"]) > SLACK
        ]
    return found


@pytest.mark.parametrize("font", [None, "DejaVu Sans", "Liberation Serif", "Liberation Mono"])
@pytest.mark.parametrize("width", ["60mm", "column", "page"])
def test_no_text_is_cut_or_touches_another(browser, width, font):
    files = figure_files(made_figures.figures(), made_figures.plots(), ["svg"], Paper.of(width, font))
    page = browser.new_page(viewport={"width": 800, "height": 600})
    wrong = {}
    for name, make in files.items():
        page.set_content(make())
        found = faults(page.locator("svg").first.evaluate(BOXES))
        wrong |= {name: found} if found else {}
    page.close()
    assert wrong == {}
