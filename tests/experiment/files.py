"""Small experiment files for the tests."""

import textwrap

SMALL = """
description: Two rules on a few schemas.
collections: [winoglot-en]
models:
  - first
  - {name: guess, model: chance}
kinds: switched
limit: 6
analyses:
  subsets: switchable
  comparisons: true
published:
  - {label: LSTM, collection: winoglot-en, scoring: full, value: 48.01, source: "a paper, table 1"}
"""


def write(folder, text=SMALL, name="small.yaml"):
    path = folder / name
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path
