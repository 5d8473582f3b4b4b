"""Collect the messages of the study's pages and update their catalogues: `python scripts/study_texts.py`.

Messages that are new have an empty translation, messages that are gone are dropped. The English catalogue repeats them,
so that it can be read, and corrected, like the others. `python scripts/study_texts.py nl` begins a catalogue in Dutch.
"""

import sys
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from winoglot.study.web.texts import CATALOGUES, PAGE_LANGUAGES

STUDY = Path(__file__).parent.parent / "src" / "winoglot" / "study"
# Nothing in it changes unless the messages do.
HEADER = """\
# The study's pages in {language}. Messages are collected by scripts/study_texts.py.
msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plural}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def messages() -> Catalog:
    """All messages that the code and the templates of a study use, with the comments for translators."""
    found = Catalog()
    options = {"**.html": {"newstyle_gettext": "true", "trimmed": "true", "silent": "false"}}
    extracted = extract_from_dir(
        STUDY,
        method_map=[("**.py", "python"), ("web/templates/**.html", "jinja2")],
        options_map=options,
        comment_tags=("Translators:",),
        strip_comment_tags=True,
    )
    for file, _line, message, comments, context in sorted(extracted, key=lambda one: (one[0], one[1])):
        found.add(message, locations=[(file, None)], auto_comments=comments, context=context)
    return found


def catalogue(language: str) -> Catalog:
    """The catalogue of a language as it is stored."""
    path = CATALOGUES / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def update(language: str, found: Catalog) -> Catalog:
    """The stored catalogue with exactly the messages that were found; translations of those that stayed are kept."""
    stored = catalogue(language)
    made = Catalog(locale=language)
    for message in found:
        if not message.id:
            continue
        known = stored.get(message.id, context=message.context)
        string = known.string if known else ""
        if language == "en":
            string = message.id
        made.add(
            message.id,
            string=string,
            locations=message.locations,
            flags=message.flags,
            auto_comments=message.auto_comments,
            context=message.context,
        )
    return made


def main() -> None:
    """Update every catalogue, and begin those in the languages that the command line names."""
    found = messages()
    for language in sorted({*PAGE_LANGUAGES, *sys.argv[1:]}):
        made = update(language, found)
        with (CATALOGUES / f"{language}.po").open("wb") as file:
            file.write(HEADER.format(language=language, plural=made.plural_forms).encode())
            write_po(file, made, width=110, include_lineno=False, omit_header=True)
        missing = sum(not all([one.string] if isinstance(one.string, str) else one.string) for one in made if one.id)
        print(f"{language}: {len(made)} messages, {missing} to translate")


if __name__ == "__main__":
    main()
