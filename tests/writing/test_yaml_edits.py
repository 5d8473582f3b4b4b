from dataclasses import replace

import pytest
import yaml

import winoglot as wg
from cases import for_each, listed
from six_schemas import six, six_file
from strategies import some_collections
from winoglot.errors import InputError
from winoglot.loading import dump
from winoglot.perturb import no_candidates
from winoglot.perturb.base import with_variants
from winoglot.writing.status import record, status, with_sources
from winoglot.writing.unfinished import read_unfinished
from winoglot.writing.yaml_edits import save_rewritten, save_variants, with_values_changed, with_variants_added

SOURCE = {"collection": "en", "id": "a", "hash": "12345678"}
LINE = 'source: {collection: "en", id: "a", hash: "12345678"}'


@listed
def test_a_source_is_written_and_nothing_else_touched(before, after):
    before, after = (f"schemas:\n{text}" for text in (before, after))
    assert with_sources(before, {"a": SOURCE}, "f") == after
    one, two = (yaml.safe_load(text)["schemas"] for text in (before, after))
    assert two[0].pop("source")["hash"] == "12345678"
    one[0].pop("source", None)
    assert one == two


@for_each(
    "entry",
    ['- id: a\n  source: "x"\n', "- id: a\n  source: [en]\n", "- {id: a, source}\n", "- {id: a, note: x # y,\n  }\n"],
)
def test_what_cannot_be_written_is_refused(entry):
    with pytest.raises(InputError, match="cannot be added to the file"):
        with_sources(f"schemas:\n{entry}", {"a": SOURCE}, "f")


def test_any_collection_can_be_recorded_in():
    for collection in some_collections()[:30]:
        text = dump([collection], "yaml")
        ids = {schema.id: SOURCE for schema in collection.schemas}
        made = with_sources(text, ids, "f")
        assert all(entry["source"]["hash"] == "12345678" for entry in yaml.safe_load(made)["schemas"])
        left = [line for line in made.splitlines() if line.strip() and line.strip() != LINE]
        if not any(schema.source for schema in collection.schemas):
            assert left == [line for line in text.splitlines() if line.strip()]


@pytest.fixture
def translation(tmp_path):
    path = tmp_path / "six-pt.yaml"
    path.write_bytes(six_file("pt").read_bytes())
    return path


def test_once_recorded_a_change_of_the_source_is_seen(translation, run_winoglot):
    code, out, err = run_winoglot("status", six_file("en"), translation, "--record")
    assert code == 0
    assert "6 schemas" in err
    assert "without the source's hash" not in out
    assert wg.load(translation).hash == six("pt").hash
    english = six("en")
    schema = replace(english.schemas[1], explanation="Otherwise.")
    changed = replace(english, schemas=(english.schemas[0], schema, *english.schemas[2:]))
    assert [row.id for row in status(changed, read_unfinished(translation)).schemas if row.stale] == [schema.id]
    assert not record(changed, translation, all_missing=True).recorded
    again = record(changed, translation, all_missing=True, revised=[schema.id])
    assert again.recorded == (schema.id,)
    translation.write_text(again.text, encoding="utf-8")
    assert not any(row.stale for row in status(changed, read_unfinished(translation)).schemas)


def test_only_what_was_translated_from_this_source_is_recorded(translation):
    text = translation.read_text(encoding="utf-8")
    first = six("pt").schemas[0].id
    translation.write_text(with_sources(text, {first: SOURCE | {"collection": "elsewhere"}}, "f"), encoding="utf-8")
    made = record(six("en"), translation, all_missing=False, revised=[first])
    assert (made.recorded, made.of_another) == ((), (first,))


def test_only_a_file_of_the_notation_can_be_written_into(translation, run_winoglot):
    code, _, err = run_winoglot("status", "winoglot-en", "winoglot-pt", "--record")
    assert (code, "is not a YAML file" in err) == (2, True)
    code, _, err = run_winoglot("status", six_file("en"), translation, "--revised", "nothing")
    assert (code, "there is no schema 'nothing'" in err) == (2, True)
    assert translation.read_bytes() == six_file("pt").read_bytes()


VARIANT = {"text": "y {z}", "answers": [1, 0]}


@listed
def test_variants_are_added_and_nothing_else_touched(before, after):
    before, after = (f"schemas:\n{text}" for text in (before, after))
    assert with_variants_added(before, "switched", {"a": VARIANT}, "f") == after


def test_any_collection_keeps_its_text_around_new_variants(tmp_path):
    for collection in some_collections()[:30]:
        wg.save(collection, tmp_path / "before.yaml", force=True)
        before = (tmp_path / "before.yaml").read_text(encoding="utf-8").replace("schemas:", "schemas: # mine")
        (tmp_path / "before.yaml").write_text(before, encoding="utf-8")
        made = with_variants(collection, "no-candidates", no_candidates.perturb, {s.id for s in collection.schemas})
        save_variants(
            str(tmp_path / "before.yaml"), made.collection, ["no-candidates"], tmp_path / "after.yaml", force=True
        )
        assert wg.load(tmp_path / "after.yaml") == made.collection
        assert "schemas: # mine" in (tmp_path / "after.yaml").read_text(encoding="utf-8")


@listed
def test_values_are_changed_and_nothing_else_touched(before, after):
    old, new = ({"a": {"id": "a", "text": text}} for text in ("Ana ri.", "Eva ri."))
    changed = with_values_changed("collection: m # c\nschemas:\n" + before, {"collection": "n"}, old, new, "f")
    assert changed == "collection: n # c\nschemas:\n" + after


def test_any_collection_keeps_its_comments_around_new_values(tmp_path):
    for collection in some_collections()[:30]:
        wg.save(collection, tmp_path / "before.yaml", force=True)
        before = (tmp_path / "before.yaml").read_text(encoding="utf-8").replace("schemas:", "schemas: # mine")
        (tmp_path / "before.yaml").write_text("# All mine.\n" + before, encoding="utf-8")
        noted = tuple(
            replace(schema, note=f"{schema.note or ''}Names: 'Ana' for \"Eva\".") for schema in collection.schemas
        )
        made = replace(collection, name="other", schemas=noted, provenance=(*collection.provenance, "a: b"))
        save_rewritten(str(tmp_path / "before.yaml"), collection, made, tmp_path / "after.yaml", force=True)
        assert wg.load(tmp_path / "after.yaml") == made
        written = (tmp_path / "after.yaml").read_text(encoding="utf-8")
        assert written.startswith("# All mine.\n")
        assert "schemas: # mine" in written
