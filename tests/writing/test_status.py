from dataclasses import replace
from pathlib import Path

import winoglot as wg
from winoglot.writing.skeleton import skeleton, source_hash
from winoglot.writing.status import record, status
from winoglot.writing.unfinished import read_unfinished

SOURCE = Path(__file__).parent / "lights-en.yaml"
FILLED = {
    'text: ""': 'text: "Luis le cedió el asiento a Pablo porque {él} [estaba cansado|bajaba enseguida]."',
    'candidates: ["", ""]': "candidates: [Luis, Pablo]",
    'question: ["", ""]': 'question: "¿Quién [estaba cansado|bajaba enseguida]?"',
    'explanation: ""': "explanation: Quien está cansado quiere sentarse.",
}


def made(folder, change=None, filled=FILLED):
    """The source, and a translation of its first schema with a change made to the file."""
    source = wg.load(SOURCE)
    text = skeleton(source, "es")
    for blank, words in filled.items():
        text = text.replace(blank, words, 1)
    if change:
        assert change[0] in text
        text = text.replace(*change)
    (folder / "es.yaml").write_text(text, encoding="utf-8")
    return source, read_unfinished(folder / "es.yaml")


def first(folder, *arguments, **options):
    return status(*made(folder, *arguments, **options)).schemas[0]


def test_translated_missing_and_extra(tmp_path):
    source, work = made(tmp_path)
    found = status(source, work)
    assert found.counts == {"translated": 1, "missing": 1}
    assert found.schemas[0].stale is False
    fewer = replace(source, schemas=source.schemas[1:])
    assert [row.state for row in status(fewer, work).schemas] == ["missing", "extra"]
    row = first(tmp_path, ("    source: ", "    # "))  # without a recorded hash nobody can tell
    assert (row.state, row.stale) == ("translated", None)


def test_incomplete_names_the_fields_empty_or_taken_out(tmp_path):
    filled = {blank: words for blank, words in FILLED.items() if "question" not in blank}
    assert first(tmp_path, filled=filled).empty == ("question",)
    row = first(tmp_path, ("explanation: Quien está cansado quiere sentarse.", ""))
    assert (row.state, row.empty) == ("incomplete", ("explanation",))


def test_stale_when_anything_that_is_translated_has_changed(tmp_path):
    source, work = made(tmp_path)
    schema = source.schemas[0]
    for changed in (
        replace(schema, explanation="Tired people sit down."),
        replace(schema, items=tuple(replace(item, question="Who?") for item in schema.items)),
        replace(schema, items=tuple(replace(item, answer=1 - item.answer) for item in schema.items)),
    ):
        row = status(replace(source, schemas=(changed, *source.schemas[1:])), work).schemas[0]
        assert row.stale
        assert row.source_hash == source_hash(changed)
    noted = replace(schema, note="A note.")
    assert status(replace(source, schemas=(noted, *source.schemas[1:])), work).schemas[0].state == "translated"


def test_errors_of_the_file_and_of_the_checks_fail(tmp_path):
    row = first(tmp_path, ("{él}", "él"))
    assert row.state == "failing"
    assert "has no pronoun" in row.errors[0]
    row = first(tmp_path, ("{él}", "{ella}"))
    assert row.state == "failing"
    assert any("agreement" in error or "pronoun" in error for error in row.errors)


def test_other_answers_alternatives_or_candidates_than_the_source_fail(tmp_path):
    row = first(tmp_path, ("answers: [1, 0]", "answers: [0, 1]"))
    assert row.errors == ("the answers are [0, 1], the source's [1, 0]: keep the order of candidates and alternatives",)
    fewer = [("[estaba cansado|bajaba enseguida]", "[estaba cansado]"), ("answers: [1, 0]", "answers: [1]")]
    source, _ = made(tmp_path)
    path = tmp_path / "es.yaml"
    for change in fewer:
        path.write_text(path.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    row = status(source, read_unfinished(path)).schemas[0]
    assert "1 alternative, the source has 2" in row.errors
    row = first(tmp_path, filled=FILLED | {'candidates: ["", ""]': "candidates: [Luis, Pablo, el asiento]"})
    assert row.state == "failing"
    assert "3 candidates, the source has 2" in row.errors


def test_many_missing_schemas_are_counted_not_listed(run_winoglot, tmp_path):
    file = tmp_path / "es.yaml"
    run_winoglot("new", "--from", "winoglot-en", "--to", "es", "-o", file)
    for command in (["status", "winoglot-en", file], ["review", file]):
        out = run_winoglot(*command)[1]
        assert f"and {len(wg.load('winoglot-en').schemas) - 10} more" in " ".join(out.split())
        assert len(out.splitlines()) < 8


def test_a_hash_of_another_collection_says_nothing_of_this_one(tmp_path, run_winoglot):
    source, work = made(tmp_path)
    renamed = replace(source, name="lights-fr")
    row = status(renamed, work).schemas[0]
    assert (row.state, row.stale, row.other_source) == ("translated", None, "lights-en")
    assert status(source, work).schemas[0].other_source == ""
    wg.save(renamed, tmp_path / "fr.yaml")
    _, out, _ = run_winoglot("status", tmp_path / "fr.yaml", tmp_path / "es.yaml")
    assert "1 schema translated from lights-en, so changes of this source go unnoticed; compare with lights-en" in out
    assert "--record" not in out
    _, _, err = run_winoglot("status", tmp_path / "fr.yaml", tmp_path / "es.yaml", "--revised", "bus-seat")
    assert (
        "because they name another source: bus-seat. Compare with that source, or set their 'source' to lights-fr"
        in err
    )


def test_a_source_may_have_several_adaptations(tmp_path):
    """A second one has an id of its own and names its source: it is compared with that, and may be the only one."""
    source, _ = made(tmp_path)
    text = (tmp_path / "es.yaml").read_text(encoding="utf-8")
    begin, end = text.index("  - id: bus-seat"), text.index("  - id: jar-lid")
    second = text[begin:end].replace("id: bus-seat", "id: bus-ticket", 1).replace("asiento", "billete")
    second = second.replace(source_hash(source.schemas[0]), "0badcafe")
    for entries, ids in ((text[begin:end] + second, ["bus-seat", "bus-ticket"]), (second, ["bus-ticket"])):
        (tmp_path / "es.yaml").write_text(text[:begin] + entries + text[end:], encoding="utf-8")
        rows = status(source, read_unfinished(tmp_path / "es.yaml")).schemas
        assert [row.id for row in rows] == [*ids, "jar-lid"]
        assert [row.state for row in rows] == [*(["translated"] * (len(ids) - 1)), "stale", "missing"]
    recording = record(source, tmp_path / "es.yaml", all_missing=False, revised=["bus-ticket"])
    assert recording.recorded == ("bus-ticket",)
    assert "0badcafe" not in recording.text


def test_what_cannot_be_translated_says_why(tmp_path, run_winoglot):
    source, work = made(tmp_path, ("schemas:", "untranslatable:\n  jar-lid: No verb fits both.\nschemas:"))
    found = status(source, work)
    assert found.counts == {"translated": 1, "untranslatable": 1}
    assert found.schemas[1].reason == "No verb fits both."
    _, out, _ = run_winoglot("status", SOURCE, tmp_path / "es.yaml")
    assert "jar-lid  untranslatable: No verb fits both.\n" in out
    assert "1 translated, 1 untranslatable" in out
    finished = replace(work.collection, untranslatable={"jar-lid": "No verb fits."})
    wg.save(finished, tmp_path / "es.jsonl")
    assert wg.load(tmp_path / "es.jsonl") == finished
    wg.save(finished, tmp_path / "es.html")
    page = (tmp_path / "es.html").read_text(encoding="utf-8")
    assert "Not translated" in page
    assert "No verb fits." in page


def test_what_is_wrong_with_an_extra_schema_is_said(tmp_path, run_winoglot):
    source, _ = made(tmp_path, ("{él}", "él"))
    wg.save(replace(source, schemas=source.schemas[1:]), tmp_path / "fewer.yaml")
    code, out, _ = run_winoglot("status", tmp_path / "fewer.yaml", tmp_path / "es.yaml")
    assert code == 0
    assert "bus-seat  extra" in out
    assert "has no pronoun" in out
    made(tmp_path, ("{él}", "{ella}"))
    row = status(wg.load(tmp_path / "fewer.yaml"), read_unfinished(tmp_path / "es.yaml")).schemas[-1]
    assert (row.state, bool(row.errors)) == ("extra", True)
