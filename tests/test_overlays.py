"""Readings in a file without sentences: applying, writing and merging overlays, and what can be wrong with them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from cases import listed
from items import schema
from winoglot import Candidate, Collection, InputError, Item, Span, WrittenReading
from winoglot.overlays import (
    merged,
    overlaid,
    overlay_of,
    read_overlay,
    read_text,
    unwritten,
    with_overlays,
    write_overlay,
)

TEXT = "O pintor chamou um dos vizinhos. {Ele} caiu porque escorregou."


def made(text=TEXT, candidates=("o pintor", "vizinhos"), language="pt", **keys):
    one = schema(text, list(candidates), language, **keys)
    return Collection(name="theirs", language=language, schemas=(one,))


@pytest.fixture
def written(tmp_path):
    """Write an overlay for a collection: the readings of its first item, and what else its lines hold."""

    def write(collection, *readings, name="o.jsonl", head=None, item=None):
        head = head or {"overlay": "ours", "language": collection.language, "format": 1}
        line = {"item": item or collection.items[0].hash, "readings": list(readings)}
        path = tmp_path / name
        path.write_text(f"{json.dumps(head)}\n\n{json.dumps(line)}\n", encoding="utf-8")
        return path

    return write


def readings(collection):
    return [reading.text for reading in wg.readings(collection.items[0], "grammatical")]


def test_a_reading_is_the_candidate_changed_by_a_few_letters(written):
    theirs = made()
    assert not wg.readings(theirs.items[0], "grammatical")[1].derived
    ours = with_overlays(theirs, [written(theirs, None, "O {:-1}")])
    found = wg.readings(ours.items[0], "grammatical")
    assert found[0].text.endswith("vizinhos. O pintor caiu porque escorregou.")  # left to grammar
    assert (found[1].inserted, found[1].after) == ("O vizinho", " caiu porque escorregou.")
    assert ours.items[0].hash == theirs.items[0].hash
    assert "readings of 1 item from the overlay ours" in ours.provenance[-1]
    theirs = made(readings=[[None, "O pintor chamou um dos vizinhos. {Aquele} caiu porque escorregou."]])
    ours = with_overlays(theirs, [written(theirs, None, "O {:-1}")])
    assert "O vizinho caiu" in ours.items[0].readings[1].text  # a named overlay wins


def test_another_place_and_further_changes(written):
    theirs = made("La cliente suit le vendeur parce qu'{il} veut qu'ils dansent.", ["la cliente", "le vendeur"], "fr")
    text = theirs.items[0].text
    at = text.index("'ils dansent")
    change = {
        "insert": "{}",
        "place": [at + 1, at + 4],
        "edits": [[at, at + 1, "e "], [len(text) - 4, len(text) - 1, ""]],
    }
    ours = with_overlays(theirs, [written(theirs, change, None)])
    reading = ours.items[0].readings[0]
    assert reading.text == "La cliente suit le vendeur parce qu'il veut que la cliente dans."
    assert reading.inserted.of(reading.text) == "la cliente"


def test_a_pronoun_that_is_not_spoken_gets_the_spaces_it_needs(written):
    theirs = made("Rui riu porque {} estava contente.", ["Rui", "o pai"], mentions=[["Rui"], []])
    ours = with_overlays(theirs, [written(theirs, "o {}", None)])
    assert ours.items[0].readings[0].text == "Rui riu porque o Rui estava contente."


def test_variants_have_lines_of_their_own(written):
    theirs = wg.load("winoglot-pt")
    variant = theirs.variants()[0]
    ours = with_overlays(theirs, [written(theirs, "x {}", None, item=variant.hash)])
    assert ours.variants()[0].readings[0].inserted.of(ours.variants()[0].readings[0].text).startswith("x ")
    assert ours.items == theirs.items


@listed
def test_a_reading_that_does_not_fit_is_refused_with_its_line(written, readings, why):
    theirs = made()
    with pytest.raises(InputError, match=why):
        with_overlays(theirs, [written(theirs, *readings)])


def test_an_overlay_for_something_else_is_refused(written):
    theirs = made()
    with pytest.raises(InputError, match=r"o\.jsonl, line 3: no item of theirs has the hash 'ffff'"):
        with_overlays(theirs, [written(theirs, None, "x", item="ffff")])
    french = {"overlay": "ours", "language": "fr", "format": 1}
    with pytest.raises(InputError, match="the overlay ours is in fr, the collection theirs in pt"):
        with_overlays(theirs, [written(theirs, None, "x", head=french)])
    newer = {"overlay": "ours", "language": "pt", "format": 2}
    with pytest.raises(InputError, match=r"line 1: the overlay has format 2.*Update"):
        with_overlays(theirs, [written(theirs, None, "x", head=newer)])


@listed
def test_a_broken_file_is_refused_with_its_line(tmp_path, text, why):
    path = tmp_path / "o.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=why):
        read_overlay(path)
    with pytest.raises(InputError, match=r"missing\.jsonl: cannot be read"):
        wg.load("winoglot-pt", overlay=tmp_path / "missing.jsonl")


def test_an_overlay_holds_no_sentence(tmp_path):
    theirs = made(readings=[[None, "O pintor chamou um dos vizinhos. {O vizinho} caiu porque escorregava."]])
    text = write_overlay(overlay_of(theirs))
    assert json.loads(text.splitlines()[1])["readings"] == [None, {"insert": "O vizinho", "edits": [[57, 59, "ava"]]}]
    path = tmp_path / "o.jsonl"
    path.write_text(text, encoding="utf-8")
    assert with_overlays(made(), [path]).items == theirs.items


def test_what_grammar_cannot_derive_is_left_to_be_written():
    theirs = made()
    found = overlay_of(theirs)
    assert unwritten(found, theirs.items[0]) == [1]
    assert overlay_of(made("Ana viu Eva e {ela} riu.", ["Ana", "Eva"])).lines == {}
    assert overlay_of(made("Ana viu Eva e {_} riu.", ["Ana", "Eva"])).lines == {}  # a gap has naive readings only


WORDS = st.lists(st.sampled_from(["o", "vizinho", "vizinhos", "de", " ", ".", "{", "}", "n'", "小雯", "è"]), max_size=8)


@given(WORDS, st.sampled_from(["ele", ""]), WORDS, WORDS, WORDS, WORDS)
def test_any_written_reading_survives(before, pronoun, after, new_before, inserted, new_after):
    before, after = f"A {''.join(before)}", f"{''.join(after)} fim"
    reading = [f"A {''.join(new_before)}", "".join(inserted).strip() or "x", f"{''.join(new_after)} fim"]
    item = Item(
        "s.0",
        "s",
        text=before + pronoun + after,
        pronoun=Span(len(before), len(before) + len(pronoun)),
        candidates=(Candidate("vizinhos"), Candidate("o")),
        readings=(WrittenReading("".join(reading), Span(len(reading[0]), len(reading[0]) + len(reading[1]))),) * 2,
        language="pt",
    )
    collection = Collection(name="theirs", language="pt", schemas=(wg.Schema("s", (item,)),))
    bare = Collection(name="theirs", language="pt", schemas=(wg.Schema("s", (replace(item, readings=()),)),))
    assert overlaid(bare, read_text(write_overlay(overlay_of(collection)))).items[0] == item


def test_merging_fills_gaps_and_refuses_contradictions(written):
    theirs = made()
    empty, full = written(theirs, None, "", name="a.jsonl"), written(theirs, None, "O {:-1}", name="b.jsonl")
    other = written(theirs, "O {2:}", "Aquele {:-1}", name="c.jsonl")
    joined = merged([read_overlay(empty), read_overlay(full)])
    assert joined.lines == read_overlay(full).lines
    with pytest.raises(InputError, match=r"c\.jsonl, line 3: reading 1 of the item \w+ differs .*b\.jsonl, line 3"):
        with_overlays(theirs, [full, other])
    french = {"overlay": "ours", "language": "fr", "format": 1}
    with pytest.raises(InputError, match="Merge overlays of one language"):
        merged([read_overlay(full), read_overlay(written(theirs, None, None, head=french, name="d.jsonl"))])


def test_the_command_lists_what_is_missing_and_uses_what_is_written(printed, refused, tmp_path, written):
    theirs = made(answers=[1])
    source, target, imported, joined = (
        tmp_path / name for name in ("theirs.jsonl", "ours.jsonl", "mine.yaml", "j.jsonl")
    )
    wg.save(theirs, source)
    out = printed("readings", source, "--write-overlay", target)
    assert out.splitlines()[-1] == f"1 item in {target}: 1 reading to be written"
    refused("readings", source, "--overlay", target, says="line 2, readings[1]: the reading is still to be written")
    refused("readings", source, "--write-overlay", target, says="--force")
    full = written(theirs, None, "O {:-1}")
    assert "{O vizinho} caiu" in printed("readings", source, "--overlay", full)
    printed("import", source, "--overlay", full, "-o", imported)
    mine = wg.load(imported)
    assert "O vizinho caiu" in mine.items[0].readings[1].text
    assert with_overlays(mine, [full]) == mine  # once is enough, in its provenance too
    out = printed("readings", source, "--overlay", full, "--write-overlay", joined)
    assert out == f"1 item in {joined}: 0 readings to be written\n"
    assert with_overlays(theirs, [joined]).items == with_overlays(theirs, [full]).items


BUNDLED = sorted((Path(wg.__file__).parent / "schemas" / "overlays").glob("*.jsonl"))


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_bundled_overlays_hold_a_few_words_each(path):
    overlay = read_overlay(path)
    assert overlay.language == path.stem
    for line in overlay.lines.values():
        for reading in filter(None, line.readings):
            assert 0 < len(reading.insert) <= 16
            assert all(len(new) <= 3 for _, _, new in reading.edits)


@pytest.mark.parametrize(
    ("file", "language"),
    [("xwinograd.tsv", "pt"), ("xwinograd.tsv", "fr"), ("xwinograd.tsv", "ru"), ("portuguese_wsc.html", None)],
)
def test_bundled_overlays_cover_what_grammar_leaves(public_data, file, language):
    path = public_data / "collections" / file
    plain, covered = (wg.load(path, language=language, overlay=overlay) for overlay in ("none", ()))
    left, none = ([one for one in wg.readings(c, "grammatical") if not one.derived] for c in (plain, covered))
    assert left
    assert not none
    assert covered.hash == plain.hash
