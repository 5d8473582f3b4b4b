"""CITATION.cff is complete, by the keys that the Citation File Format 1.2.0 requires, and agrees with the package.

NOTICE names the sources of bundled lists.
"""

import gzip
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
    titles = " ".join(reference["title"] for reference in CITED["references"])
    papers = "in Portuguese|Mandarinograd|schémas Winograd français|Perturbations|logical-based corpus"
    assert all(words in titles for words in papers.split("|"))


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


def test_the_notice_names_every_source_of_a_bundled_list():
    notice = " ".join((ROOT / "NOTICE").read_text(encoding="utf-8").split())
    source = ROOT / "src" / "winoglot"
    lists = [path for path in source.rglob("*.txt") if re.search(r"\bFaker\b", path.read_text(encoding="utf-8"))]
    assert len(lists) > 10
    for path in lists:
        (version,) = set(re.findall(r"Faker [0-9.]+[0-9]", path.read_text(encoding="utf-8")))
        assert version in notice
        assert path.stem.partition("_")[2] in notice
        assert path.stem.startswith("names_") or path.relative_to(ROOT).as_posix() in notice
    for path in source.rglob("frequencies.txt.gz"):
        comments = re.findall(r"^# (.*), (.*): [0-9]+$", gzip.decompress(path.read_bytes()).decode(), re.MULTILINE)
        assert comments
        assert all(f"{texts}, {licence}" in notice for texts, licence in comments)
