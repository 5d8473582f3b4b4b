"""Published collections are recognised by their sentences, and nobody else's collection is taken for one."""

import re
import tomllib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import winoglot as wg
from cases import listed
from format_samples import sample_path
from winoglot import registry
from winoglot.formats.published import KnownSentences, citation_of, hashes_of
from winoglot.loading import dump, load_with_report


def test_our_own_collections_are_nobody_elses(tmp_path):
    english = wg.load("winoglot-en")
    for name, suffix in (("xwinograd", "tsv"), ("winogrande", "jsonl"), ("davis-xml", "xml"), ("wnli", "tsv")):
        path = tmp_path / f"mine-{name}.{suffix}"
        content = dump([english], name)
        path.write_text(content if isinstance(content, str) else content.decode(), encoding="utf-8")
        assert wg.load(f"{name}:{path}").citation is None
    assert load_with_report(sample_path("pws"), language="en", citation="Mine.")[0].citation == "Mine."


def test_the_hashes_ignore_how_a_sentence_is_spelled_and_whether_its_pronoun_is_a_gap():
    item = wg.load("winoglot-en").items[0]
    start, end = item.pronoun.start, item.pronoun.end
    gap = replace(item, text=f"{item.text[:start]}_{item.text[end:]}".upper(), pronoun=wg.Span(start, start + 1))
    gap = replace(gap, candidates=tuple(replace(one, mentions=()) for one in item.candidates), segment=())
    assert set(hashes_of(item)) & set(hashes_of(gap))


def test_a_share_is_of_what_could_be_known():
    known = KnownSentences(frozenset({"1", "2", "3", "4"}), limit="5")
    assert (
        known.share([{"1"}, {"2"}, {"3"}, {"9"}]) == 1
    )  # 9 is above the limit: it may or may not be of the collection
    assert known.share([{"1"}, {"2"}, {"3"}, {"0"}]) == 3 / 4
    assert known.share([{"1"}, {"2"}, {"0"}, {"00"}]) == 0  # two sentences may be there by accident
    assert known.share([{"1"}, {"2"}]) == 1
    assert known.share([]) == 0


def test_every_source_names_formats_and_sentences_that_exist():
    sources = tomllib.loads(files("winoglot.formats").joinpath("published.toml").read_text(encoding="utf-8"))
    known = files("winoglot.formats").joinpath("published.txt").read_text(encoding="ascii")
    for source in sources.values():
        assert set(source["formats"]) <= set(registry.names("formats"))
        assert all(f"\n{name} " in known for name in source["sentences"])
        assert re.search(r"\. (19|20)\d\d\. ", source["citation"])


@listed
def test_published_files_get_their_citation(public_data, file, language, authors):
    path = public_data / "collections" / file
    assert wg.load(path, language=language).citation.startswith(authors)


def test_the_same_sentences_in_another_format_are_cited_as_that_formats_collection(public_data):
    english = wg.load(public_data / "collections" / "perturbed_wsc_pairs_to_71.tsv")
    for name, authors in (("superglue", "Alex Wang"), ("wnli", "Alex Wang"), ("davis-xml", "Hector J. Levesque")):
        assert citation_of(english, name).startswith(authors)
    french, chinese = (wg.load(public_data / "collections" / "pws.tsv", language=language) for language in ("fr", "zh"))
    for name in ("davis-xml", "french-xml", "mandarinograd"):
        assert citation_of(french, name).startswith("Pascal Amsili")
    assert citation_of(chinese, "mandarinograd").startswith("Timothée Bernard")


def test_a_collection_of_which_no_sentence_is_known_is_recognised_by_its_name_and_format():
    chinese, path = wg.load("winoglot-zh"), Path("data", "cluewsc2020_public", "train.json")
    assert citation_of(chinese, "superglue", path).startswith("Liang Xu")
    assert [citation_of(chinese, "wnli", path), citation_of(chinese, "superglue", Path("train.json"))] == [None, None]
