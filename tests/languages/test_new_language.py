"""The language that docs/languages.md adds, made from that page alone, under a code of its own beside our Italian."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import winoglot.languages
from sentence_lists import sentence
from winoglot import registry
from winoglot.languages import base, lexicon

PAGE = Path(__file__).parents[2] / "docs" / "languages.md"
CODE = "xx"
BLOCK = re.compile(r'^```\w+ title="(it/\w+\.\w+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
READINGS = [
    ("Anna ha visto Eva perché {lei} era stanca.", "Anna", "Anna ha visto Eva perché Anna era stanca."),
    ("Uno studente ha visto Rita e ha parlato di {lui}.", "uno studente", "… e ha parlato dello studente."),
    ("Un amico ha visto Rita e ha parlato di {lui}.", "un amico", "… e ha parlato dell'amico."),
    (
        "Il gatto guarda lo specchio perché la {sua} cornice è rossa.",
        "lo specchio",
        "… la cornice dello specchio è rossa.",
    ),
    ("Anna ha chiamato Eva perché la {sua} borsa rossa era caduta.", "Eva", "… la borsa rossa di Eva era caduta."),
    ("Anna ha visto Eva nel {suo} giardino.", "Anna", "Anna ha visto Eva nel giardino di Anna."),
    ("Lo zio è caduto e Anna {lo} ha visto.", "lo zio", "Lo zio è caduto e Anna ha visto lo zio."),
    ("Il vaso ha colpito lo specchio e {} non è caduto.", "lo specchio", "… e lo specchio non è caduto."),
    ("Anna ha visto Eva e {essa} era stanca.", "Anna", None),
]


@pytest.fixture
def italian(tmp_path, monkeypatch):
    for name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        path = tmp_path / name.replace("it/", f"{CODE}/")
        path.parent.mkdir(exist_ok=True)
        own = text.replace("winoglot.languages.it.", f"winoglot.languages.{CODE}.").replace('"it"', f'"{CODE}"')
        path.write_text(own, encoding="utf-8")
    monkeypatch.setattr(winoglot.languages, "__path__", [*winoglot.languages.__path__, str(tmp_path)])
    monkeypatch.setitem(registry.KINDS["languages"].modules, CODE, CODE)
    caches = (lexicon.language_module, lexicon.lexicon, lexicon.contractions, base.function_words, base.language_hook)
    for cache in caches:
        cache.cache_clear()
    yield tmp_path / CODE
    for cache in caches:
        cache.cache_clear()
    for name in [name for name in sys.modules if name.startswith(f"winoglot.languages.{CODE}")]:
        del sys.modules[name]


def test_the_page_has_every_table(italian):
    names = {path.name for path in italian.iterdir()}
    tables = {"pronouns", "determiners", "function_words", "contractions", "verbs", "adjectives", "spelling"}
    assert names == {"__init__.py", "grammar.py", *(f"{table}.txt" for table in tables)}


@pytest.mark.usefixtures("italian")
@pytest.mark.parametrize(("text", "candidate", "expected"), READINGS)
def test_the_new_language_reads(text, candidate, expected):
    (made,) = sentence(CODE, 1, {"text": text, "candidates": [candidate], "readings": [expected]}).derived()
    assert made is expected if expected is None else made.endswith(expected.lstrip("… "))
