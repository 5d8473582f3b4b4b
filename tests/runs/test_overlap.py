import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import winoglot as wg
from cases import for_each, listed
from items import schema
from runs.scripted import Scripted
from six_schemas import six, six_file
from tiny_models import llama
from winoglot import InputError
from winoglot.formats.published import origins, texts_in
from winoglot.models.base import TRAINED_ON, TRAINED_ON_COMPACT, Options, load_model
from winoglot.perturb.base import with_kinds
from winoglot.report.findings import cautions
from winoglot.report.reproduce import commands
from winoglot.report.summary import summarise
from winoglot.runs.evaluate import evaluate
from winoglot.runs.overlap import CollectionFingerprint, Fingerprints, overlap
from winoglot.runs.store import load_run
from winoglot.schemas.model import Collection, Item, Schema, Source, WrittenReading


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))


def unnamed(items, name="unnamed"):
    """The items under numbers, so that only their words are left to recognise them by."""
    items = list(items)
    kept = ("text", "pronoun", "candidates", "answer", "readings")
    made = [
        Schema(str(at), (Item(f"{at}.0", str(at), **{key: getattr(one, key) for key in kept}),))
        for at, one in enumerate(items)
    ]
    return Collection(name, items[0].language, tuple(made))


def one(text, candidates=("Rosa", "Lena"), language="en", **keys):
    return unnamed(written(text, candidates, language, **keys).items)


def written(text, candidates=("Rosa", "Lena"), language="en", **keys):
    mentions = [[name] if name in text else [] for name in candidates]
    return schema(text, list(candidates), language, mentions=mentions, **keys)


def rules(trained, asked):
    return overlap(Fingerprints.of([trained]), asked).rules


def test_the_same_collection_overlaps_whatever_it_is_called_and_an_edited_schema_by_its_id():
    english = six("en")
    assert rules(english, english) == {"same item": 12}
    assert rules(english, replace(english, name="mine")) == {"same item": 12}
    assert rules(unnamed(english.items), replace(english, name="mine")) == {"same item": 12}
    other = written("{She} [sang|slept].", id="train-wave", answers=[0, 1])
    assert rules(english, replace(english, schemas=(other,))) == {"same schema": 2}
    assert not rules(english, Collection("mine", "fr", (with_ids(other, "other"),)))


def test_translations_are_found_by_their_parallel_ids():
    english, french = six("en"), six("fr")
    assert rules(english, french) == {"parallel": 12}
    assert rules(english[:2], french) == {"parallel": 4}
    found = overlap(Fingerprints.of([english[1:2]]), french)
    assert [(part.schema_id, part.items) for part in found.schemas] == [
        ("train-wave", ("train-wave.0", "train-wave.1"))
    ]


def test_translations_are_found_by_their_sources():
    french = six("fr")
    moved = tuple(
        replace(with_ids(replace(one, variants=()), str(at)), impossible=(), source=Source("six-en", one.id))
        for at, one in enumerate(french.schemas)
    )
    moved = replace(french, schemas=moved)
    assert rules(six("en"), moved) == rules(moved, six("en")) == {"parallel": 12}
    assert rules(moved, replace(moved, name="again", language="es")) != {}


def test_numbers_in_a_file_are_not_ids():
    first = one("Rosa lent Lena a ladder, and {she} has not [returned it|asked for it] since spring.", answers=[1, 0])
    second = one("Le bus est passé devant Rosa, alors {elle} a dû courir derrière lui.", language="fr")
    assert first.schemas[0].parallel_id == second.schemas[0].parallel_id
    assert not rules(first, second)


def test_an_id_that_two_authors_chose_is_no_overlap_in_one_language():
    english = six("en")
    other = written("{She} sang at the market.", id="train-wave")
    more = [with_ids(other, f"only-mine-{number}") for number in range(5)]
    assert not rules(english, Collection("mine", "en", (other, *more)))
    shared = [with_ids(other, part.id) for part in english.schemas]
    assert rules(english, Collection("mine", "en", tuple(shared))) == {"parallel": 6}


def with_ids(made, name):
    items = tuple(
        replace(item, id=f"{name}.{k}", schema_id=name, parallel_id=f"{name}.{k}") for k, item in enumerate(made.items)
    )
    return replace(made, id=name, parallel_id=name, items=items)


ORIGINAL = "From the platform, Rosa waved to Lena until the night train carried {her} away."
COPIES = {
    "another spelling": ("from the platform , Rosa waved to Lena until the night train carried {her} away", {}),
    "a gap": ("From the platform, Rosa waved to Lena until the night train carried {_} away.", {}),
    "switched": ("From the platform, Lena waved to Rosa until the night train carried {her} away.", {}),
    "renamed": (
        "From the platform, Vera waved to Olga until the night train carried {her} away.",
        {"candidates": ("Vera", "Olga")},
    ),
    "the other item": ("From the carriage, Rosa waved to Lena until the night train carried {her} away.", {}),
    "a sentence more": ("Cold! From the platform, Rosa waved to Lena until the night train carried {her} away.", {}),
    "an adverb": ("From the platform, Rosa waved to Lena until the night train slowly carried {her} away.", {}),
}


@pytest.mark.parametrize("name", COPIES)
def test_a_lightly_edited_sentence_is_a_near_copy_both_ways(name):
    text, keys = COPIES[name]
    original, copy = one(ORIGINAL, answers=[0]), one(text, **keys)
    assert set(rules(original, copy)) == set(rules(copy, original)) == {"near copy"}


def test_sentences_with_the_candidate_in_place_are_compared_with_texts():
    readings = tuple(WrittenReading(ORIGINAL.replace("{her}", name)) for name in ("Rosa", "Lena"))
    only = Collection("readings", "en", (Schema("1", (Item("1.0", "1", readings=readings),)),))
    original = one(ORIGINAL)
    assert rules(original, only) == rules(only, original) == {"near copy": 1}


def test_a_shared_frame_and_parts_of_several_texts_are_no_overlap():
    first = one("The {_} was too small, so the trunk did not fit into the car.", ("the trunk", "the car"))
    second = one("The {_} was too small, so the parrot never slept beside the cat.", ("the parrot", "the cat"))
    assert not rules(first, second)
    short = one("Rosa saw Lena because {she} was tall."), one("Vera hit Olga because {she} was tall.", ("Vera", "Olga"))
    assert not rules(*short)
    parts = "Rosa packed the blue suitcase for her journey", "Lena forgot the key below the flower pot", "they left"
    trained = unnamed([item for part in parts for item in one(f"{part} and {{she}} laughed.").items])
    assert not rules(trained, one(f"{parts[0]} while {parts[1]} before {{she}} noticed that {parts[2]} too late."))


def test_variants_overlap_with_their_originals_and_with_those_trained_on():
    whole = wg.load("winoglot-en")[:20]
    switched = wg.perturb(replace(whole, schemas=tuple(replace(s, variants=()) for s in whole.schemas)), "switched")
    variants = switched.variants("switched")
    assert rules(unnamed(whole.items), unnamed(variants)) == {"near copy": len(variants)}
    assert rules(unnamed(variants, "trained"), whole)
    tense = whole.variants("tense")[:1]
    trained = unnamed(tense)
    found = overlap(Fingerprints.of([trained]), whole)
    assert [one.schema_id for one in found.schemas] == [tense[0].schema_id]
    assert len(found.schemas[0].items) == len(whole[tense[0].schema_id].items)


@pytest.mark.parametrize("language", ["en", "pt", "fr", "zh"])
def test_schemas_of_one_collection_do_not_overlap_with_each_other(language):
    whole = wg.load(f"winoglot-{language}")
    assert not overlap(Fingerprints.of([whole[:80]]), whole[80:])


def test_unrelated_collections_do_not_overlap():
    assert not rules(wg.load("winoglot-en"), one("Two clowns slept on the bench behind the tent until {she} came."))
    assert not rules(unnamed(six("en").items), unnamed(six("fr").items))


# Lineage


@listed
def test_lineage_refuses_translations_of_one_published_collection(trained, asked, expected):
    other = one("Ana viu o mar de perto quando {ela} chegou.", ("Ana", "Bia"), asked[1])
    found = rules(replace(one(ORIGINAL), language=trained[1], name=trained[0]), replace(other, name=asked[0]))
    assert found == ({"lineage": 1} if expected else {})


def test_a_collection_is_known_by_the_file_it_was_read_from_and_by_what_it_was_made_from():
    read = "read from portuguese_wsc.html (sha256 0123456789abcdef) by winoglot 0.1.0"
    assert texts_in(replace(six("pt"), provenance=(read,))) == {"portuguese"}
    assert texts_in(six("pt")) == frozenset()
    assert origins(["portuguese", "unheard-of"]) == {"wsc", "unheard-of"}


# In a file


def test_fingerprints_survive_their_file(tmp_path):
    made = Fingerprints.of([six("en"), six("zh")])
    made.save(tmp_path)
    stored = Fingerprints.load(tmp_path)
    for before, after in zip(made.collections, stored.collections, strict=True):
        for field in CollectionFingerprint.__dataclass_fields__:
            assert np.array_equal(getattr(before, field), getattr(after, field)), field
    assert overlap(stored, six("fr")) == overlap(made, six("fr"))
    assert "microphone" not in (tmp_path / TRAINED_ON).read_text(encoding="utf-8")
    assert Fingerprints.load(tmp_path / "elsewhere") is None


@for_each(
    "damaged",
    ["", "{", "[]", "7", '{"format": 2, "collections": []}', '{"format": 1}', '{"format": 1, "collections": [7]}']
    + [json.dumps({"format": 1, "collections": [{"name": "x", "keys": key, "runs": ""}]}) for key in ("!", "AAAA", 7)],
)
def test_a_damaged_file_is_an_input_error(tmp_path, damaged):
    (tmp_path / TRAINED_ON).write_text(damaged, encoding="utf-8")
    with pytest.raises(InputError, match="does not say what the model was trained on") as caught:
        Fingerprints.load(tmp_path)
    assert caught.value.file == str(tmp_path / TRAINED_ON)


@pytest.fixture(scope="module")
def compact(tmp_path_factory):
    """Half of the bundled collection in English as it was trained on, in full and as in a package; and both files."""
    folder, other = tmp_path_factory.mktemp("compact"), tmp_path_factory.mktemp("full")
    full = Fingerprints.of([wg.load("winoglot-en")[:80]])
    full.save_compact(folder)
    full.save(other)
    return full, Fingerprints.load(folder), folder / TRAINED_ON_COMPACT, other / TRAINED_ON


@pytest.mark.parametrize(
    ("asked", "schemas"),
    [
        (lambda: wg.load("winoglot-en"), 80),
        (lambda: wg.load("winoglot-pt"), 80),
        (lambda: unnamed(wg.load("winoglot-en").items), 160),
        (lambda: unnamed(with_kinds(wg.load("winoglot-en"), ["switched"]).variants("switched")), 124),
        (lambda: wg.load("winoglot-en")[80:], 0),
        (lambda: unnamed(wg.load("winoglot-fr").items), 0),
    ],
    ids=["same", "translated", "unnamed", "switched", "unseen", "french"],
)
def test_a_compact_form_recognises_the_same_schemas(asked, schemas, compact):
    found = [[one.schema_id for one in overlap(seen, asked()).schemas] for seen in compact[:2]]
    assert found[0] == found[1]
    assert len(found[0]) == schemas


def test_a_compact_form_is_small_and_has_shorter_hashes_of_the_same_schemas(compact):
    full, small, compact_file, file = compact
    assert compact_file.stat().st_size < file.stat().st_size / 4
    for before, after in zip(full.collections, small.collections, strict=True):
        for field in ("name", "version", "language", "hash", "items", "texts"):
            assert getattr(after, field) == getattr(before, field)
        assert after.keys.max() < 2**32
        assert after.runs.max() < 2**18
        assert np.array_equal(after.schema_runs, before.schema_runs)


def test_a_model_that_is_trained_further_keeps_the_compact_form(compact, tmp_path):
    small = compact[1]
    Fingerprints((*small.collections, *Fingerprints.of([six("zh")]).collections)).save(tmp_path)
    stored = Fingerprints.load(tmp_path)
    assert [one.is_compact for one in stored.collections] == [True, False]
    english = wg.load("winoglot-en")
    assert overlap(stored, english) == overlap(small, english)


@for_each("share", [0, 0.001, 0.5, 0.99])
def test_a_truncated_compact_form_is_an_input_error(compact, tmp_path, share):
    content = compact[2].read_bytes()
    (tmp_path / TRAINED_ON_COMPACT).write_bytes(content[: int(share * len(content))])
    with pytest.raises(InputError, match="does not say what the model was trained on"):
        Fingerprints.load(tmp_path)


WORDS = st.lists(st.sampled_from(["sun", "rain", "old", "river", "went", "kept", "under", "stone"]), min_size=1)


@settings(max_examples=25, deadline=None)
@given(WORDS, WORDS)
def test_any_text_is_a_copy_of_itself_and_what_shares_no_word_is_none(before, after):
    text = " ".join([*before, "{she}", *after])
    other = "yesterday nobody {she} answered because everything seemed quiet"
    assert rules(one(text), one(text.replace("{she}", "{_}"))) == {"near copy": 1}
    assert not rules(one(text), one(other))


# In an evaluation


class Trained(Scripted):
    """A solver from a folder that says what it was trained on."""

    def __init__(self, folder, *collections):
        super().__init__()
        self.folders = (folder,)
        Fingerprints.of(collections).save(folder)


def test_evaluate_refuses_what_a_model_was_trained_on(tmp_path):
    solver = Trained(tmp_path, six("en"))
    with pytest.raises(InputError) as caught:
        evaluate(six("fr"), solver)
    said = str(caught.value)
    assert "scripted was trained on six-en, which overlaps with six-fr: 12 of 12 items, as translations" in said
    assert "(call-microphone, train-wave, tower-shade …)" in said
    assert "--allow-overlap" in said
    assert not solver.asked
    run = evaluate(six("fr")[2:], Trained(tmp_path, six("en")[:2]))
    assert (run.settings.overlap, len(run.predictions)) == ({}, 8)


def test_an_allowed_overlap_is_stored_and_reported(tmp_path):
    (tmp_path / "model").mkdir()
    solver = Trained(tmp_path / "model", six("en")[:2])
    evaluate(six("fr"), solver, folder=tmp_path / "run", allow_overlap=True)
    run = load_run(tmp_path / "run")
    assert run.settings.overlap == {"overlapping": 4, "items": 12, "parallel": 4}
    assert "|overlap:4 of 12|" in run.signature
    evaluate(six("fr"), solver, folder=tmp_path / "run", allow_overlap=True)  # resumes
    (said,) = [line for line in cautions(summarise([run])) if "trained on" in line]
    assert said == (
        "scripted in French: 4 of 12 items overlap with what the model was trained on: as translations, by their "
        "parallel ids or sources. Its figures there say little about schemas that it has not seen."
    )
    assert commands([run])[0].partition(" -o ")[0].endswith("--allow-overlap")
    plain = replace(run, settings=replace(run.settings, overlap={}))
    assert "--allow-overlap" not in commands([plain])[0]
    assert not any("trained on" in line for line in cautions(summarise([plain])))


def test_a_sample_is_checked_as_it_is_asked(tmp_path):
    solver, outcomes = Trained(tmp_path, six("en")[:1]), set()
    for seed in range(12):
        try:
            run = evaluate(six("fr"), solver, limit=2, seed=seed)
        except InputError:
            outcomes.add("refused")
        else:
            outcomes.add("asked")
            assert "call-microphone" not in {schema.id for schema in run.collection.schemas}
    assert outcomes == {"refused", "asked"}


def test_the_command_refuses_a_folder_that_says_what_it_was_trained_on(tmp_path, printed, refused):
    folder = llama(tmp_path / "model", [item.text for item in six("en").items])
    before = load_model(f"causal:{folder}", Options(device="cpu")).fingerprint
    Fingerprints.of([six("en")]).save(tmp_path / "model")
    assert load_model(f"causal:{folder}", Options(device="cpu")).fingerprint == before
    both = ("evaluate", six_file("en"), "--model", f"tuned=causal:{folder}", "--device", "cpu", "--limit", "2")
    refused(*both, says="tuned was trained on six-en")
    printed(*both, "--allow-overlap", "-o", str(tmp_path / "runs"))
    (run,) = wg.load_runs(tmp_path / "runs")
    assert run.settings.overlap == {"overlapping": 4, "items": 4, "same item": 4}
    mixed = load_model(f"ensemble:causal:{folder}+causal:{folder}/", Options(device="cpu"))
    assert [path.resolve() for path in mixed.folders] == [(tmp_path / "model").resolve()] * 2


# Published collections


@pytest.mark.slow
def test_published_collections_overlap_as_they_should(public_data):
    def read(name, language=None):
        return wg.load(public_data / "collections" / name, language=language, overlay="none")

    wsc, english = read("wsc273.txt"), read("xwinograd.tsv", "en")
    assert len(texts_in(english) & {"wsc", "dpr", "pdp"}) == 3
    assert overlap(Fingerprints.of([english]), wsc).count == 265  # all that it has: eight are not in it
    assert rules(wsc, read("english_wsc.json")) == {"near copy": 273}
    assert rules(wsc, read("perturbed_wsc_pairs_to_71.tsv")) == {"near copy": 144}
    for name, language in (("portuguese_wsc.html", None), ("xwinograd.tsv", "ru"), ("xwinograd.tsv", "zh")):
        asked = read(name, language)
        assert rules(wsc, asked) == {"lineage": len(asked.items)}
    dpr = read("dpr_train.txt")
    assert set(rules(dpr, read("xwinograd.tsv", "ja"))) == {"lineage"}
    for trained, asked in ((dpr, wsc), (dpr, read("winogrande/dev.jsonl")), (english, wg.load("winoglot-en"))):
        assert not rules(trained, asked)
