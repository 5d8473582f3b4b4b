"""The gender and number of nouns from an Apertium dictionary, if the user has one and asks for it.

The dictionaries are under the GPL, so they are queried through an external program (`lt-proc`) and never bundled. They
are used only with `WINOGLOT_LEXICON=apertium` in the environment: results must not depend on what happens to be
installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from winoglot.errors import InputError
from winoglot.languages.features import UNKNOWN, Trait, Traits
from winoglot.schemas.text import folded, primary

SETTING = "WINOGLOT_LEXICON"
_FOLDER = Path("/usr/share/apertium")
_CODES = {"pt": "por", "fr": "fra", "es": "spa"}
_PACKAGES = {"pt": "apertium-por-cat", "fr": "apertium-fra-cat", "es": "apertium-spa-cat"}
_GENDERS = {"m": "masculine", "f": "feminine", "mf": "common"}
_NUMBERS = {"sg": "singular", "pl": "plural"}
_NOUN = re.compile(r"<n><(m|f|mf)><(sg|pl|sp)>")


def noun_traits(phrase: str, language: str) -> Traits:
    """What the dictionary says about the first noun of a phrase without determiner; nothing unless enabled."""
    if primary(language) not in _CODES or SETTING not in os.environ:
        return Traits()
    for word in re.findall(r"[^\W\d_]+", folded(phrase)):
        traits = parse(word, _analysed(word, primary(language), os.environ[SETTING]))
        if traits != Traits():
            return traits
    return Traits()


def parse(word: str, analysis: str) -> Traits:
    """The features that all analyses of a word agree on; a homograph with two genders shows none.

    >>> str(parse("chave", "^chave/chave<n><f><sg>$").gender)
    "feminine: Apertium dictionary 'chave'"
    >>> parse("capital", "^capital/capital<n><m><sg>/capital<n><f><sg>$").gender.value
    """
    nouns = _NOUN.findall(analysis)
    evidence = f"Apertium dictionary {word!r}"
    gender = _agreed({_GENDERS[gender] for gender, _ in nouns}, evidence)
    number = _agreed({_NUMBERS.get(number) for _, number in nouns}, evidence)
    return Traits(gender=gender, number=number)


def _agreed(values: set[str] | set[str | None], evidence: str) -> Trait:
    value = next(iter(values)) if len(values) == 1 else None
    return Trait(value, evidence) if value else UNKNOWN


@cache
def _analysed(word: str, language: str, setting: str) -> str:
    if setting != "apertium":
        raise InputError(f"{SETTING} is {setting!r}", remedy="Set it to 'apertium', the only lexicon, or unset it.")
    program = shutil.which("lt-proc")
    dictionaries = sorted(_FOLDER.glob(f"*/{_CODES[language]}-*.automorf.bin"))
    if program is None or not dictionaries:
        raise InputError(
            f"{SETTING} requests Apertium, which is not installed for {language!r}",
            remedy=f"Install lttoolbox and {_PACKAGES[language]}, or unset the variable.",
        )
    process = subprocess.run(
        [program, str(dictionaries[0])], input=word, capture_output=True, encoding="utf-8", timeout=30, check=False
    )
    if process.returncode:
        raise InputError(
            f"lt-proc failed: {process.stderr.strip()[:200]}", remedy="Reinstall lttoolbox or unset the variable."
        )
    return process.stdout
