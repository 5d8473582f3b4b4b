"""Generate the frozen lists of first names in the languages' folders, so that a seed always draws the same names.

The names come from Faker (MIT licence), corrected by `name_corrections.txt` in this folder. Faker is not needed to use
Winoglot, only to renew the lists:

    python -m venv /tmp/faker && /tmp/faker/bin/pip install Faker==40.54.0
    /tmp/faker/bin/python scripts/freeze_names.py [LOCALE …]

A new locale needs its tag in `LOCALES` and its lines in the corrections; name it, so that the other lists stay as they
are. Review the changes before you commit them: a changed list changes every collection renamed with it.
"""

from __future__ import annotations

import sys
import unicodedata
from collections import defaultdict
from datetime import date
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = Path(__file__).parents[1] / "src" / "winoglot" / "languages"
CORRECTIONS = Path(__file__).with_name("name_corrections.txt")
LOCALES = ("de-DE", "en-US", "es-ES", "fr-FR", "it-IT", "ja-JP", "pt-BR", "pt-PT", "ru-RU", "zh-CN")
GENDERS = ("masculine", "feminine")
MOST_PICKED = 200  # of a weighted list; the rest is recognised but not drawn
SURNAMES_A_GIVEN_NAME = 2  # how many full names are made from each
LINE = 110

Groups = dict[str, list[str]]


def main(chosen: list[str]) -> None:
    """Write the chosen lists, or every one, and print their lengths."""
    unknown = set(chosen) - set(LOCALES)
    if unknown:
        raise SystemExit(f"unknown: {', '.join(sorted(unknown))}; the locales are {', '.join(LOCALES)}")
    for locale in chosen or LOCALES:
        groups = corrected(locale, faker_names(locale), corrections(locale))
        path = FOLDER / locale[:2] / f"names_{locale}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(spelled(locale, groups), encoding="utf-8")
        sys.stdout.write(f"{path.name}: {', '.join(f'{len(names)} {group}' for group, names in groups.items())}\n")


def faker_names(locale: str) -> Groups:
    """First names of each gender, by weight if Faker has weights; only the first half of a double name."""
    provider = import_module(f"faker.providers.person.{locale.replace('-', '_')}").Provider
    names: Groups = {}
    for gender, listed in (("masculine", provider.first_names_male), ("feminine", provider.first_names_female)):
        ordered = sorted(listed, key=listed.__getitem__, reverse=True) if isinstance(listed, dict) else listed
        names[gender] = unique(unicodedata.normalize("NFC", name).split()[0] for name in ordered)
    names["surname"] = list(provider.last_names) if locale == "ja-JP" else []
    return names


def corrections(locale: str) -> Groups:
    """The names of each action for the locale."""
    actions: Groups = defaultdict(list)
    for number, line in enumerate(CORRECTIONS.read_text(encoding="utf-8").splitlines(), start=1):
        head, colon, rest = line.partition("#")[0].partition(":")
        if not head.strip():
            continue
        where, _, action = head.strip().partition(" ")
        if not colon or where not in LOCALES:
            raise SystemExit(f"{CORRECTIONS.name}, line {number}: expected 'LOCALE ACTION: names'")
        if where == locale:
            actions[action] += rest.split()
    return actions


def corrected(locale: str, found: Groups, change: Groups) -> Groups:
    """The groups of a list: to draw, only to recognise, of both genders, also words."""
    listed: Groups = {}
    famous = set((FOLDER / "famous_names.txt").read_text(encoding="utf-8").splitlines())
    for gender in GENDERS:
        dropped = {*famous, *change["drop"], *change[f"drop {gender}"]}
        added = change[f"add {gender}"] + change[f"add known {gender}"] + change[f"add given {gender}"]
        listed[gender] = [name for name in unique(added + found[gender]) if name not in dropped]
    both = {*change["common"], *(set(listed["masculine"]) & set(listed["feminine"]))}
    groups: Groups = {gender: [] for gender in GENDERS}
    groups["common"] = sorted(both)
    for gender in GENDERS:
        names = [name for name in listed[gender] if name not in both]
        unpicked = {*change["word"], *change["rare"], *change[f"add known {gender}"]}
        if change["only"]:
            unpicked |= set(names) - set(change["only"])
        picked = [name for name in names if name not in unpicked][:MOST_PICKED]
        groups[gender] = sorted(picked)
        groups[f"known {gender}"] = sorted(set(names) - set(picked))
    groups["also words"] = sorted({*change["word"], *change["word alone"]})
    groups["surnames"] = change["surname"] or found["surname"]
    if locale == "zh-CN":
        _with_surnames(groups, {*change["drop"], *famous})
    return {group: names for group, names in groups.items() if names}


def _with_surnames(groups: Groups, dropped: set[str]) -> None:
    """Make full names: people are called 王芳 in a text, not 芳. No name is part of another."""
    surnames = groups["surnames"]
    taken: set[str] = set()
    for gender in GENDERS:
        given = groups[gender]
        full = []
        for at, name in enumerate(given):
            steps = (surnames[(at * 7 + step * 13) % len(surnames)] for step in range(len(surnames)))
            fitting = [surname + name for surname in unique(steps) if surname + name not in dropped]
            fresh = [name for name in fitting if not any(name in other or other in name for other in taken)]
            full += fresh[:SURNAMES_A_GIVEN_NAME]
            taken |= set(fresh[:SURNAMES_A_GIVEN_NAME])
        groups[gender] = sorted(full)
        alone = [name for name in given if len(name) > 1]
        groups[f"known {gender}"] = sorted({*groups[f"known {gender}"], *alone})
        groups[f"given {gender}"] = sorted(name for name in given if len(name) == 1)


def unique(names: Iterable[str]) -> list[str]:
    """Without duplicates, in the order given."""
    return list(dict.fromkeys(names))


def spelled(locale: str, groups: Groups) -> str:
    """The text of the file."""
    provider = f"faker.providers.person.{locale.replace('-', '_')}"
    lines = [
        f"# First names, {locale}. Made by scripts/freeze_names.py: correct name_corrections.txt there, not this file.",
        "# masculine, feminine: picked; known: recognised, never picked; common: of both genders;",
        "# also words: no proof of a name where a sentence begins.",
        f"source: Faker {version('Faker')} ({provider}, licence MIT), corrected; frozen {date.today().isoformat()}",
    ]
    for group, names in groups.items():
        line = f"{group}:"
        for name in names:
            if len(line) + len(name) >= LINE:
                lines.append(line)
                line = f"{group}:"
            line += f" {name}"
        lines.append(line)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
