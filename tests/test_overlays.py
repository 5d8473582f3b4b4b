"""Readings in a file without sentences: applying, writing and merging overlays, and what can be wrong with them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from items import schema
from winoglot import Candidate, Collection, InputError, Item, Span, WrittenReading
from winoglot.overlays import merged, overlay_of, read_overlay, unwritten, with_overlays, write_overlay

TEXT = "O cliente empurrou um dos caixas. {Ele} caiu porque escorregou."


def made(text=TEXT, candidates=("o cliente", "caixas"), language="pt", **keys):
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
    assert found[0].text.endswith("caixas. O cliente caiu porque escorregou.")  # left to grammar
    assert (found[1].inserted, found[1].after) == ("O caixa", " caiu porque escorregou.")
    assert ours.items[0].hash == theirs.items[0].hash
    assert "readings of 1 item from the overlay ours" in ours.provenance[-1]


def test_another_place_and_further_changes(written):
    theirs = made("La police suit le gang parce qu'{il} veut qu'ils dansent.", ["la police", "le gang"], "fr")
    text = theirs.items[0].text
    at = text.index("'ils dansent")
    change = {"insert": "{}", "place": [at + 1, at + 4], "edits": [[at, at + 1, "e "], [len(text) - 4, len(text) - 1, ""]]}
    ours = with_overlays(theirs, [written(theirs, change, None)])
    reading = ours.items[0].readings[0]
    assert reading.text == "La police suit le gang parce qu'il veut que la police dans."
    assert reading.inserted.of(reading.text) == "la police"


def test_a_pronoun_that_is_not_spoken_gets_the_spaces_it_needs(written):
    theirs = made("Rui riu porque {} estava contente.", ["Rui", "o pai"])
    ours = with_overlays(theirs, [written(theirs, "o {}", None)])
    assert ours.items[0].readings[0].text == "Rui riu porque o Rui estava contente."


def test_a_named_overlay_replaces_what_the_collection_has(written):
    theirs = made(readings=[[None, "O cliente empurrou um dos caixas. {Aquele} caiu porque escorregou."]])
    ours = with_overlays(theirs, [written(theirs, None, "O {:-1}")])
    assert "O caixa caiu" in ours.items[0].readings[1].text


def test_variants_have_lines_of_their_own(written):
    theirs = wg.load("winoglot-pt")
    variant = theirs.variants()[0]
    ours = with_overlays(theirs, [written(theirs, "x {}", None, item=variant.hash)])
    assert ours.variants()[0].readings[0].inserted.of(ours.variants()[0].readings[0].text).startswith("x ")
    assert ours.items == theirs.items


@pytest.mark.parametrize(
    ("readings", "why"),
    [
        (["O {}"], r"o\.jsonl, line 3, .*1 reading for 2 candidates of s\.0.*null"),
        ([None, ""], r"line 3, .*readings\[1\].*still to be written.*null"),
        ([None, "{2}"], r"line 3, .*'\{2\}', which stands for nothing"),
        ([None, "{"], r"stands for nothing.*\{\{"),
        ([None, "{9:}"], r"line 3, .*insertion is empty"),
        ([None, 7], r"line 3, .*expected a mapping, found a number"),
        ([None, {"inser": "x"}], r"line 3, .*unknown key 'inser'.*'insert'"),
        ([None, {"insert": "x", "place": [90, 91]}], r"line 3, .*place ends after the text, which has 61 characters"),
        ([None, {"insert": "x", "edits": [[80, 90, ""]]}], r"line 3, .*the edit ends after the text"),
        ([None, {"insert": "x", "edits": [[35, 36, ""]]}], r"line 3, .*\[34, 37\] and \[35, 36\] overlap"),
    ],
)
def test_a_reading_that_does_not_fit_is_refused_with_its_line(written, readings, why):
    theirs = made()
    with pytest.raises(InputError, match=why):
        with_overlays(theirs, [written(theirs, *readings)])


def test_an_overlay_for_something_else_is_refused(written):
    theirs = made()
    with pytest.raises(InputError, match=r"o\.jsonl, line 3: no item of theirs has the hash 'ffff'.*another collection"):
        with_overlays(theirs, [written(theirs, None, "x", item="ffff")])
    french = {"overlay": "ours", "language": "fr", "format": 1}
    with pytest.raises(InputError, match="the overlay ours is in fr, the collection theirs in pt"):
        with_overlays(theirs, [written(theirs, None, "x", head=french)])
    newer = {"overlay": "ours", "language": "pt", "format": 2}
    with pytest.raises(InputError, match=r"line 1: the overlay has format 2.*Update"):
        with_overlays(theirs, [written(theirs, None, "x", head=newer)])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the overlay is empty"),
        ('{"winoglot": 1}', "line 1: the first line does not describe an overlay"),
        ('{"overlay": "o", "language": "pt", "format": 1}\nnot json', "line 2, column 1: this is not JSON"),
        ('{"overlay": "o", "language": "pt", "format": 1}\n{"item": "a"}', "line 2: the key 'readings' is missing"),
        ('{"overlay": "o", "language": "pt", "format": 1}\n' + '{"item": "a", "readings": []}\n' * 2, "line 3: .*line 2"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(tmp_path, text, why):
    path = tmp_path / "o.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=why):
        read_overlay(path)


def test_an_overlay_holds_no_sentence(tmp_path):
    theirs = made(readings=[[None, "O cliente empurrou um dos caixas. {O caixa} caiu porque escorregava."]])
    text = write_overlay(overlay_of(theirs))
    assert json.loads(text.splitlines()[1])["readings"] == [None, {"insert": "O {:-1}", "edits": [[58, 60, "ava"]]}]
    assert "caixa" not in text
    path = tmp_path / "o.jsonl"
    path.write_text(text, encoding="utf-8")
    assert with_overlays(made(), [path]).items == theirs.items


def test_what_grammar_cannot_derive_is_left_to_be_written():
    theirs = made()
    found = overlay_of(theirs)
    assert unwritten(found, theirs.items[0]) == [1]
    assert overlay_of(made("Ana viu Eva e {ela} riu.", ["Ana", "Eva"])).lines == {}
    assert overlay_of(made("Ana viu Eva e {_} riu.", ["Ana", "Eva"])).lines == {}  # a gap has naive readings only


WORDS = st.lists(st.sampled_from(["o", "caixa", "caixas", "de", " ", ".", "{", "}", "n'", "小雯", "è"]), max_size=8)


@given(WORDS, st.sampled_from(["ele", ""]), WORDS, WORDS, WORDS, WORDS)
def test_any_written_reading_survives(before, pronoun, after, new_before, inserted, new_after):
    before, after = f"A {''.join(before)}", f"{''.join(after)} fim"
    reading = [f"A {''.join(new_before)}", "".join(inserted).strip() or "x", f"{''.join(new_after)} fim"]
    item = Item(
        "s.0",
        "s",
        text=before + pronoun + after,
        pronoun=Span(len(before), len(before) + len(pronoun)),
        candidates=(Candidate("caixas"), Candidate("o")),
        readings=(WrittenReading("".join(reading), Span(len(reading[0]), len(reading[0]) + len(reading[1]))), None),
        language="pt",
    )
    collection = Collection(name="theirs", language="pt", schemas=(wg.Schema("s", (item,)),))
    found = overlay_of(collection)
    line = found.lines[item.hash]
    assert line.readings[0] is not None
    from winoglot.overlays import _written

    assert _written(item, 0, line.readings[0]) == item.readings[0]


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
