"""CITATION.cff is complete, by the keys that the Citation File Format 1.2.0 requires, and agrees with the package."""

import re
import tomllib
from datetime import date
from pathlib import Path

import pytest
import yaml

from winoglot import __version__

ROOT = Path(__file__).parents[1]
CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
REFERENCE_TYPES = {"article", "book", "conference-paper", "data", "report", "software", "thesis"}
PERSON = {"family-names", "given-names", "name-suffix", "name-particle", "orcid"}


def test_required_keys_are_there_and_agree_with_the_package():
    assert {"cff-version", "message", "title", "authors"} <= CITED.keys()
    assert (CITED["cff-version"], CITED["type"]) == ("1.2.0", "software")
    assert CITED["authors"] == [{"name": "The Winoglot developers"}]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    of_the_code = project["license"].partition(" AND ")[0]
    assert (CITED["version"], CITED["license"]) == (__version__, of_the_code)
    assert isinstance(CITED["date-released"], date)


def test_the_five_papers_are_referred_to():
    titles = " ".join(one["title"] for one in CITED["references"])
    assert len(CITED["references"]) == 5
    for words in (
        "in Portuguese",
        "Mandarinograd",
        "schémas Winograd français",
        "Perturbations",
        "logical-based corpus",
    ):
        assert words in titles


@pytest.mark.parametrize("reference", CITED["references"], ids=lambda one: one["authors"][0]["family-names"])
def test_a_reference_has_what_the_format_requires(reference):
    assert {"type", "title", "authors", "year"} <= reference.keys()
    assert reference["type"] in REFERENCE_TYPES
    for author in reference["authors"]:
        assert {"family-names", "given-names"} <= author.keys() <= PERSON
    for entity in ("conference", "publisher", "institution"):
        assert "name" in reference.get(entity, {"name": ""})
    assert int(reference.get("start", 0)) <= int(reference.get("end", 0))
    assert re.fullmatch(r"10\.\d{4,9}/\S+", reference.get("doi", "10.0000/x"))
    assert reference.get("url", "https://").startswith("https://")
