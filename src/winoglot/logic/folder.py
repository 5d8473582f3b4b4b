"""Folders of data sets: files by language, task and split, a card that data hubs read, and `build.json`."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.errors import InputError
from winoglot.files import check_free, write_all, write_whole
from winoglot.folders import lock, read_description
from winoglot.logic.dataset import DataSet, described
from winoglot.logic.names import SPLITS
from winoglot.logic.pair import encoded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from winoglot.logic.dataset import DataRecipe
    from winoglot.logic.pair import Pair

SUFFIXES = (".jsonl", ".csv", ".parquet")
_BUILD, _CARD = "build.json", "README.md"
_FORMAT = 1
_FEWEST = 200  # pairs of a depth with which baselines say something
_COLUMNS = {
    "id": "task, split and number; the same id has the same formulas in every language",
    "premise": "sentences, all assumed to be true",
    "hypothesis": "the sentence to judge",
    "label": "1 for a contradiction and 0 otherwise, or one of contradiction, entailment and neutral",
    "depth": "the size of the smallest set of premise sentences that decides",
    "family": "the kind of situation within the task",
    "twin": "the id of the pair that differs in one necessary fact; empty if there is none",
    "formula_premise, formula_hypothesis": "what the sentences say",
    "proof": "the relation and a smallest set of sentences that decides, counted from 0; or `not proved`",
    "names": "the name of each symbol in the formulas",
}


def check_writable(recipes: Sequence[DataRecipe], folder: Path, *, force: bool) -> None:
    """Refuse to overwrite data or a foreign README.md; call it before the work."""
    for recipe in recipes:
        for path in _files(recipe, folder):
            check_free(path, force=force)
    _builds_in(folder)


def write(data_set: DataSet, folder: Path, *, baselines: bool = True, force: bool = False) -> dict[str, Any]:
    """Write the files of a data set and update the card and `build.json`; return the entry for `build.json`.

    With `baselines`, the card reports the accuracy of the shallow baselines; this needs a training split and at least
    200 test pairs of each depth.
    """
    recipe = data_set.recipe
    contents = {
        folder / recipe.language / recipe.task / f"{split}{suffix}": (
            lambda pairs=pairs, suffix=suffix: encoded(suffix, pairs)
        )
        for split, pairs in data_set.splits.items()
        for suffix in SUFFIXES
    }
    entry = statistics(data_set) | {"shallow": _baselines(data_set) if baselines else ""}
    with lock(folder):
        write_all(contents, force=force)
        builds = {**_builds_in(folder), f"{recipe.task}-{recipe.language}": entry}
        info = {"format": _FORMAT, "winoglot": __version__, "builds": builds}
        write_whole(folder / _BUILD, json.dumps(info, ensure_ascii=False, indent=1) + "\n", force=True)
        write_whole(folder / _CARD, card(builds), force=True)
    return entry


def statistics(data_set: DataSet) -> dict[str, Any]:
    """The recipe and the numbers of a data set, ready for JSON."""
    return {
        "recipe": described(data_set.recipe),
        "splits": {split: _counts(pairs) for split, pairs in data_set.splits.items()},
    }


def _counts(pairs: Sequence[Pair]) -> dict[str, Any]:
    lengths = [len(pair.premise) + len(pair.hypothesis) for pair in pairs]
    return {
        "pairs": len(pairs),
        "labels": dict(sorted(Counter(pair.label for pair in pairs).items())),
        "depths": {str(depth): number for depth, number in sorted(Counter(pair.depth for pair in pairs).items())},
        "families": dict(sorted(Counter(pair.family for pair in pairs).items())),
        "twins": sum(bool(pair.twin) for pair in pairs),
        "skeletons": len({skeleton for pair in pairs for skeleton in _skeletons(pair)}),
        "people": len({name for pair in pairs for symbol, name in pair.names.items() if symbol[0] == "p"}),
        "places": len({name for pair in pairs for symbol, name in pair.names.items() if symbol[0] == "c"}),
        "mean_characters": round(sum(lengths) / len(lengths), 1),
    }


def _skeletons(pair: Pair) -> list[str]:
    """The sentences of a pair without names."""
    names = sorted(pair.names.values(), key=len, reverse=True)
    text = f"{pair.premise} {pair.hypothesis}"
    if names:
        text = re.sub("|".join(map(re.escape, names)), "·", text)
    return [sentence for sentence in re.split(r"(?<=[.。])\s*", text) if sentence]


def _baselines(data_set: DataSet) -> str:
    """The accuracy of the shallow baselines as a table; empty if there are too few pairs."""
    from winoglot.logic.cues import shallow, table

    test = data_set.splits.get("test", ())
    depths = Counter(pair.depth for pair in test)
    if "train" not in data_set.splits or not test or min(depths.values()) < _FEWEST:
        return ""
    return table(shallow(data_set.splits["train"], test))


def _files(recipe: DataRecipe, folder: Path) -> list[Path]:
    splits = [split for split in SPLITS if recipe.size(split)]
    return [folder / recipe.language / recipe.task / f"{split}{suffix}" for split in splits for suffix in SUFFIXES]


def _builds_in(folder: Path) -> Mapping[str, Any]:
    """The data sets that are in the folder already."""
    file = folder / _BUILD
    if not file.exists():
        if (folder / _CARD).exists():
            message = f"the folder has a {_CARD} that does not belong to a data set"
            raise InputError(message, remedy="Name another folder.", file=str(folder))
        return {}
    remedy = "Name another folder."
    info = read_description(file, what="folder of logic data", format_number=_FORMAT, keys=("builds",), remedy=remedy)
    return info["builds"]  # type: ignore[no-any-return]


def card(builds: Mapping[str, Mapping[str, Any]]) -> str:
    """The data card: its head tells data hubs which files belong to which configuration."""
    configs, sections, languages = [], [], set()
    for name, entry in sorted(builds.items()):
        recipe = entry["recipe"]
        languages.add(recipe["language"])
        configs.append(f"- config_name: {name}\n  data_files:")
        for split in entry["splits"]:
            path = f"{recipe['language']}/{recipe['task']}/{split}.parquet"
            configs.append(f"  - split: {split}\n    path: {path}")
        sections.append(_section(name, entry))
    head = [
        "---",
        f"language: [{', '.join(sorted(languages))}]",
        "license: cc-by-4.0",
        "task_categories: [text-classification]",
        "configs:",
        *configs,
        "---",
    ]
    text = [
        "# Logic data",
        f"Premises and hypotheses generated by Winoglot {__version__}. `depth` is the number of premise sentences that "
        "must be combined to decide the pair. A neutral pair is the twin of a decided one: one necessary fact is "
        "altered, and in many tasks distractors change with it to hide the difference. The splits share no "
        "names unless the command has `--overlap full`.",
        "## Columns\n\n"
        + "\n".join(f"- `{name.replace(', ', '`, `')}`: {meaning}" for name, meaning in _COLUMNS.items()),
        *sections,
        "## Limits\n\nThe sentences are generated: few verbs and no context. They test logical structure, not natural "
        "language use. What is known about a relation (a city has one mayor, cousins are cousins of each other) is "
        "not said in the premise; Winoglot's documentation lists it.",
    ]
    return "\n".join(head) + "\n\n" + "\n\n".join(text) + "\n"


def _section(name: str, entry: Mapping[str, Any]) -> str:
    recipe = entry["recipe"]
    proof_note = "Labels and depths are **proved**." if recipe["proof"] else "Labels are **not proved**."
    lines = [f"## {name}", f"{proof_note} To generate it again:\n\n    {command(recipe)}"]
    rows = ["| split | pairs | labels | depths | families | in twins | sentence skeletons |", "| --- " * 7 + "|"]
    for split, counts in entry["splits"].items():
        listings = [
            ", ".join(f"{key}: {number}" for key, number in counts[column].items())
            for column in ("labels", "depths", "families")
        ]
        cells = [split, counts["pairs"], *listings, counts["twins"], counts["skeletons"]]
        rows.append(f"| {' | '.join(map(str, cells))} |")
    lines.append("\n".join(rows))
    if entry.get("shallow"):
        lines.append(
            "Accuracy of the shallow baselines in percent (upper limits in brackets, cues in bold):\n\n"
            + entry["shallow"]
        )
    else:
        lines.append("The shallow baselines were not run on this data set.")
    return "\n\n".join(lines)


def command(recipe: Mapping[str, Any]) -> str:
    """The command that generates the same files."""
    sizes = " ".join(f"--{split} {recipe[split]}" for split in SPLITS)
    options = [f"--task {recipe['task']} --language {recipe['language']} {sizes} --seed {recipe['seed']}"]
    options += [f"--labels {recipe['labels']}"] if recipe["labels"] != "cd" else []
    options += [f"--overlap {recipe['overlap']}"] if recipe["overlap"] != "none" else []
    for option, depths in (("--depth", recipe["depths"]), ("--test-depth", recipe["test_depths"])):
        options += [f"{option} {','.join(map(str, depths))}"] if depths else []
    options += [] if recipe["proof"] else ["--no-proof"]
    return f"winoglot logic generate {' '.join(options)} -o FOLDER"
