"""Sentence pairs with proved labels: formulas, tasks, wording, proofs, data sets, checks.

| module | content |
| --- | --- |
| `formulas`, `relations.toml` | the formal language, and the logic of its relations |
| `situation`, `chains`, `rules`, `tasks` | facts that decide a pair, hidden among distractors |
| `wording`, `languages`, `names` | formulas into sentences and back, with one table per language |
| `prove`, `ground`, `quantified`, `size`, `interpretation` | labels and smallest proofs with z3, under named readings |
| `dataset`, `pair`, `folder` | balanced data sets with twins, and their files |
| `audit`, `cues`, `paper`, `published` | checks of any file of pairs, and the published corpus |
| `solvers` | models for pairs: trained, fine-tuned, or only asked |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from winoglot.logic.solvers import evaluate as evaluate
from winoglot.logic.solvers import train as train

if TYPE_CHECKING:
    from pathlib import Path

    from winoglot.logic.dataset import DataSet


def build(task: str, language: str = "en", *, save: Path | str | None = None, **options: Any) -> DataSet:
    """Build a data set; `options` are the fields of `DataRecipe`.

    With `save`, also write it to that folder, without running the shallow baselines; existing files are kept, and are
    an input error.

    >>> made = build("negation", train=8, validation=0, test=4, depths=(2, 3))
    >>> made
    <DataSet negation-en: 8 train, 4 test>
    """
    from pathlib import Path

    from winoglot.logic.dataset import DataRecipe
    from winoglot.logic.dataset import build as build_recipe
    from winoglot.logic.folder import check_writable, write

    recipe = DataRecipe(task, language, **options)
    if save is not None:
        check_writable([recipe], Path(save), force=False)
    made = build_recipe(recipe)
    if save is not None:
        write(made, Path(save), baselines=False)
    return made
