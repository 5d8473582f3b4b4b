"""Sentence pairs with proved labels: formulas, tasks, wording, proofs, data sets, checks.

formulas        the formal language; `relations.toml` has its relations and their logic
situation       what a task draws: facts that decide a hypothesis, and the same facts altered
chains          situations whose facts form a chain of links
rules           situations in which facts trigger rules
tasks           the tasks, one module each
languages       one folder per language: its grammar and its names
wording         formulas into sentences and back
names           the names of people and places, by language and split
interpretation  named readings of sentences that have more than one
prove           the relation of premise and hypothesis, and the facts that decide it, with z3
size            how many nameless people and places a model may need
ground          formulas over finitely many people and places, for z3
quantified      formulas over any number of them, for z3
pair            a pair of sentences with its label, and files of pairs
dataset         a balanced data set with twins and proofs
folder          data sets on disk, with a data card
published       the sentences of the published corpus, written and parsed
paper           the tasks of the published corpus, with proved labels
_cue_features   what a classifier sees of a pair without understanding it
cues            shallow baselines that use these features, and their accuracy
audit           checks of any file of pairs
solvers         models for pairs: trained, fine-tuned, or only asked
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

    >>> data_set = build("negation", train=8, validation=0, test=4, depths=(2, 3))
    >>> data_set
    <DataSet negation-en: 8 train, 4 test>
    """
    from pathlib import Path

    from winoglot.logic.dataset import DataRecipe
    from winoglot.logic.dataset import build as build_recipe
    from winoglot.logic.folder import check_writable, write

    recipe = DataRecipe(task, language, **options)
    if save is not None:
        check_writable([recipe], Path(save), force=False)
    data_set = build_recipe(recipe)
    if save is not None:
        write(data_set, Path(save), baselines=False)
    return data_set
