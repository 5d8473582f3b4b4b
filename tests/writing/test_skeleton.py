import re
from pathlib import Path

import pytest
import yaml

import winoglot as wg
from six_schemas import LANGUAGES, six, six_file
from strategies import some_collections
from transcripts import FILE, ROOT
from winoglot import registry
from winoglot.errors import InputError
from winoglot.writing.skeleton import hints, skeleton, source_hash, without_text
from winoglot.writing.status import status
from winoglot.writing.unfinished import read_unfinished

EN = six("en")
FOLDER = Path(__file__).parent


def test_every_field_of_the_source_stands_beside_an_empty_one():
    content = yaml.safe_load(skeleton(EN, "es"))
    assert content["collection"] == "six-es"
    assert content["language"] == "es"
    assert [entry["id"] for entry in content["schemas"]] == [schema.id for schema in EN.schemas]
    for entry, schema in zip(content["schemas"], EN.schemas, strict=True):
        assert entry["text"] == ""
        assert entry["candidates"] == [""] * len(schema.items[0].candidates)
        assert entry["answers"] == [item.answer for item in schema.items]
        assert entry["source"] == {"collection": EN.name, "id": schema.id, "hash": source_hash(schema)}
    comments = " ".join(re.sub(r"^ *# *", "", line) for line in skeleton(EN, "es").splitlines() if "# " in line)
    for item in EN.items:
        assert all(candidate.text in comments for candidate in item.candidates)
        assert item.question in comments
        assert all(hypothesis in comments for hypothesis in item.hypotheses)
    for schema in EN.schemas:
        assert schema.explanation in comments


@pytest.mark.parametrize("name", [*map(six_file, LANGUAGES), "winoglot-fr"])
def test_a_filled_skeleton_loads_at_once(tmp_path, name):
    """The source's own words stand in for a translation: every blank takes what the comment above it says."""
    from winoglot.languages.base import function_words
    from winoglot.schemas.serialise import serialise_schema

    source = wg.load(name)[:40]
    content = yaml.safe_load(skeleton(source, "nl"))
    for entry, schema in zip(content["schemas"], source.schemas, strict=True):
        spelt = serialise_schema(schema, function_words(source.language))
        blank = [key for key, value in entry.items() if "''" in repr(value)]
        entry |= {key: spelt[key] for key in (*blank, "mentions") if key in spelt}
    content["language"] = source.language  # mentions are found by the rules of the source's language
    path = tmp_path / "filled.yaml"
    path.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    assert wg.load(path).hash == source.hash
    assert set(status(source, read_unfinished(path)).counts) == {"translated"}


def test_hints_of_the_language_stand_above(tmp_path):
    for language in ("es", "pt-PT", "tlh"):
        text = re.sub(r"\n# +", " ", skeleton(EN, language))
        for hint in hints(language):
            assert hint in text
    for language in registry.names("languages"):  # every language with a folder has hints of its own
        assert hints(language) != hints("tlh"), language
        assert len(hints(language)) >= 4
    assert "in es: lo la los las le les" in skeleton(EN, "es", ["train-wave"])


def test_only_the_schemas_asked_for_and_only_into_another_language():
    assert [entry["id"] for entry in yaml.safe_load(skeleton(EN, "es", ["piano-sale"]))["schemas"]] == ["piano-sale"]
    with pytest.raises(InputError, match="no schema 'piano'"):
        skeleton(EN, "es", ["piano"])
    with pytest.raises(InputError, match="is already in en"):
        skeleton(EN, "en")


def test_items_written_one_by_one_get_a_skeleton_and_names_that_yaml_would_misread_are_quoted():
    content = yaml.safe_load(skeleton(wg.load(FOLDER / "odd.yaml"), "no"))
    cat, entry = content["schemas"]
    assert cat["items"] == [{"text": "", "answer": 1}, {"text": "", "answer": 0, "question": ""}]
    assert (content["language"], entry["id"], entry["parallel_id"]) == ("no", "null", "true")
    assert entry["tags"] == ["null", "on", "12", "names"]


def test_where_the_source_has_no_text_its_readings_or_inferences_are_the_hint(tmp_path):
    source = wg.load(FOLDER / "bare.yaml")
    text = skeleton(source, "es")
    for hint in ("Ana sang well. / Rita sang well. / Eva sang well.", "Rita left.", "she sang. ⇒ Ana sang. (follows)"):
        assert hint in text
    sang, half, follows, _ = yaml.safe_load(text)["schemas"]
    assert (sang["text"], sang["candidates"]) == ("", ["", "", ""])
    assert half["items"][1] == {"text": "", "candidates": ["", ""], "answer": 1}
    assert follows["items"] == [{"text": "", "candidates": ["", ""]}]
    assert without_text(source) == ["sang", "half", "follows"]
    assert without_text(source, ["whole", "half"]) == ["half"]
    made = tmp_path / "es.yaml"
    made.write_text(text, encoding="utf-8")
    assert not any(work.begun or work.error for work in read_unfinished(made).schemas)


def test_the_documentation_shows_what_is_written(tmp_path):
    page = (ROOT / "docs" / "write.md").read_text(encoding="utf-8")
    files = dict(FILE.findall(page))
    (tmp_path / "seats-en.yaml").write_text(files["seats-en.yaml"], encoding="utf-8")
    made = skeleton(wg.load(tmp_path / "seats-en.yaml"), "es", ["coat-scarf"])
    assert f"```yaml\n{made[made.index('  - id: coat-scarf') :].rstrip()}\n```" in page


def test_the_sources_provenance_canary_and_citation_are_carried_over():
    source = wg.load("winoglot-en")
    steps = yaml.safe_load(skeleton(source, "es"))["provenance"]
    assert steps[:-1] == list(source.provenance)
    assert any("winoglot canary" in step for step in steps)
    assert steps[-1] == f"Translated from {source.name} {source.version}. Source: {source.citation}"


def test_any_skeleton_is_read_back(tmp_path):
    for collection in some_collections()[:30]:
        text = skeleton(collection, "eo" if collection.language == "tlh" else "tlh")
        path = tmp_path / "made.yaml"
        path.write_text(text, encoding="utf-8")
        ids = [(schema.id, schema.parallel_id) for schema in collection.schemas]
        assert [(work.id, work.parallel_id) for work in read_unfinished(path).schemas] == ids


def test_a_skeleton_is_written_only_where_the_tools_read_it(run_winoglot, tmp_path):
    for name in ("six.txt", "six", "six.jsonl"):
        code, _, err = run_winoglot("new", "--from", six_file("en"), "--to", "es", "-o", tmp_path / name)
        assert (code, "a translation is a YAML file" in err) == (2, True)
        assert not (tmp_path / name).exists()


def test_a_skeleton_is_not_written_over_its_source(run_winoglot, tmp_path):
    path = tmp_path / "six.yaml"
    path.write_bytes(six_file("en").read_bytes())
    for source in (path, f"yaml:{path}"):
        code, _, err = run_winoglot("new", "--from", source, "--to", "es", "-o", path, "--force")
        assert (code, "this is the source itself" in err) == (2, True)
    assert path.read_bytes() == six_file("en").read_bytes()
    code, _, err = run_winoglot("new", "--from", "yaml:none.yaml", "--to", "es", "-o", path, "--force")
    assert (code, err.count("\n")) == (2, 1)
