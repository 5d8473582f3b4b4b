"""Six schemas in four languages, parallel, with every field and variants: for tests that need a small collection."""

from functools import cache
from pathlib import Path

import winoglot as wg

LANGUAGES = ("en", "pt", "fr", "zh")


def six_file(language):
    """The file they are in, for commands."""
    return Path(__file__).parent / "sixes" / f"six-{language}.yaml"


@cache
def six(language):
    """The collection `six-en` for `en`."""
    return wg.load(six_file(language))
