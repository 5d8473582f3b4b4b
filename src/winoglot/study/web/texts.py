"""What pages say, in the languages that a study can speak.

Messages stand in the templates and in the code in English; a catalogue per language (`translations/pt.po`) translates
them. `python scripts/study_texts.py` collects the messages and updates the catalogues. In Python, write whole
sentences with named placeholders, so that they are found and can be translated:

>>> texts("en").gettext("Please answer “%(answer)s” here.") % {"answer": "Lena"}
'Please answer “Lena” here.'
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from winoglot.schemas.text import primary

CATALOGUES = Path(__file__).parent / "translations"
PAGE_LANGUAGES = tuple(sorted(path.stem for path in CATALOGUES.glob("*.po")))


@cache
def texts(language: str) -> GNUTranslations:
    """The messages in a language: `.gettext(message)`, `.ngettext(one, many, number)`."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with (CATALOGUES / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    buffer = BytesIO()
    write_mo(buffer, catalogue)
    return GNUTranslations(BytesIO(buffer.getvalue()))


def language_name(language: str, page_language: str) -> str:
    """What a language is called in the language of the page; a country is left out.

    >>> language_name("pt-BR", "fr")
    'portugais'
    """
    from babel import Locale

    name: str | None = Locale.parse(page_language).languages.get(primary(language))
    return name or language
