"""All rules together, and the command `winoglot check`."""

import json
from dataclasses import replace
from functools import partial

import pytest

import winoglot as wg
from cases import for_each, listed
from checks.good import TAGGED, collection_of, good_schemas, tagged_schemas, with_items
from six_schemas import LANGUAGES, six, six_file
from winoglot import registry
from winoglot.checks.base import CheckContext, Selection, run_checks

MIXED = """
collection: mixed
language: en
schemas:
  - id: good
    text: "Anna lent Vera a coat because {she} was [warm|cold]."
    candidates: [Anna, Vera]
    answers: [0, 1]
    tags: [names, phisical]
  - id: again
    text: "Anna lent Vera a coat because {she} was [warm|freezing]."
    candidates: [Anna, Vera]
    answers: [0, 1]
"""


@pytest.fixture
def run(run_winoglot):
    return partial(run_winoglot, "check")


@pytest.fixture
def mixed(tmp_path):
    """A collection with an error (a text twice) and warnings (a tag)."""
    path = tmp_path / "mixed.yaml"
    path.write_text(MIXED, encoding="utf-8")
    return path


@pytest.fixture
def warned(tmp_path):
    """A collection with warnings only."""
    path = tmp_path / "warned.yaml"
    path.write_text(MIXED.partition("  - id: again")[0], encoding="utf-8")
    return path


def test_every_rule_has_a_severity_and_says_what_it_tests():
    for code in registry.names("checks"):
        module = registry.load("checks", code)
        assert module.SEVERITY in ("error", "warning"), code
        assert len(module.__doc__.split()) > 10, code


def test_findings_carry_code_and_severity_in_the_order_of_the_collection():
    schemas = [with_items(schema, lambda item: item, f"copy-{schema.id}") for schema in tagged_schemas("en")]
    collection = collection_of("en", [*tagged_schemas("en"), *schemas])
    outcome = run_checks(collection, CheckContext(), Selection(select=["unique-texts"]))
    assert {(finding.code, finding.severity) for finding in outcome.errors} == {("unique-texts", "error")}
    assert [finding.item for finding in outcome.errors] == [item.id for schema in schemas for item in schema.items]


@pytest.mark.parametrize("language", LANGUAGES)
def test_good_schemas_have_no_findings_and_bundled_collections_no_errors(language):
    outcome = run_checks(wg.load(f"winoglot-{language}"), CheckContext(), Selection())
    assert outcome.errors == ()
    assert {code for code, _ in outcome.not_run} == {"association"}
    rules = ["agreement", "answer-moves", "candidate-order", "hypotheses-fit", "pronoun-fits", "readings-derived"]
    rules += ["segment-grammar", "segment-marked"]
    made = collection_of(language, [schema for of, schema in good_schemas() if of == language])
    outcome = run_checks(made, CheckContext(), Selection(select=rules))
    assert (outcome.errors, outcome.warnings, outcome.not_run) == ((), (), ())
    rules = ["balance", "known-tags", "near-duplicates", "segment-cue", "unique-texts"]
    outcome = run_checks(collection_of(language, tagged_schemas(language)), CheckContext(), Selection(select=rules))
    assert (outcome.errors, outcome.warnings) == ((), ())
    outcome = run_checks(six(language), CheckContext(), Selection())
    assert outcome.errors == ()
    assert {code for code, _ in outcome.not_run} >= {"association", "balance", "length-cue"}  # which count schemas


def test_a_finding_s_own_severity_wins_over_the_rule_s():
    def alone(item):
        return replace(item, candidates=item.candidates[:1], answer=0, hypotheses=(), tags=("switchable", "unheard"))

    broken = with_items(TAGGED[0][1], alone)
    outcome = run_checks(collection_of("en", [broken]), CheckContext(), Selection(select=["known-tags"]))
    assert {finding.message.split()[0] for finding in outcome.errors} == {"tagged"}
    assert {finding.message.split()[0] for finding in outcome.warnings} == {"the"}


def test_the_report_and_its_json_name_places_remedies_counts_and_what_was_not_run(run, mixed):
    code, out, err = run(mixed, "--json")
    assert (code, err) == (1, "")
    found = json.loads(out)
    assert set(found) == {"errors", "warnings", "not_run"}
    (error,) = found["errors"]
    assert set(error) == {"message", "remedy", "schema", "item", "code", "severity", "file", "line"}
    assert [error[key] for key in ("schema", "item", "code")] == ["again", "again.0", "unique-texts"]
    assert (error["severity"], error["file"], error["line"]) == ("error", str(mixed), 11)
    assert {"known-tags", "near-duplicates"} <= {warning["code"] for warning in found["warnings"]}
    assert {"code": "association", "why": "it needs co-occurrence counts, and none were given"} in found["not_run"]
    code, out, _ = run(mixed)
    assert code == 1
    assert f"{mixed}:11: error unique-texts again.0" in out
    assert "Did you mean 'physical'?" in out
    assert "not run: association: it needs co-occurrence counts" in out
    assert out.splitlines()[-1].startswith("1 error, ")


def test_findings_have_the_line_of_their_schema_where_there_is_one(run, mixed, tmp_path):
    wg.save(wg.load(mixed), tmp_path / "mixed.jsonl")
    found = json.loads(run(tmp_path / "mixed.jsonl", "--json")[1])
    assert [(error["item"], error["line"]) for error in found["errors"]] == [("again.0", 3)]
    wg.save(wg.load(mixed), tmp_path / "mixed.xml", "davis-xml")
    out = run(f"davis-xml:{tmp_path / 'mixed.xml'}", "--select", "unique-texts")[1]
    assert out.startswith(f"{tmp_path / 'mixed.xml'}: error unique-texts ")
    text = '"Anna thanked Vera for what {she} had [given|got]."'
    schema = f"  - {{id: s%d, text: {text}, candidates: [Anna, Vera], answers: [0, 0]}}\n"
    path = tmp_path / "same.yaml"
    path.write_text("collection: same\nlanguage: en\nschemas:\n" + "".join(schema % n for n in range(12)))
    found = json.loads(run(path, "--select", "balance", "--json")[1])["warnings"]
    assert {(warning["file"], warning["line"]) for warning in found} == {(str(path), None)}


def test_warnings_fail_only_strictly(run, warned):
    assert run("winoglot-pt", "--strict")[0] == 0
    assert run(warned, "--select", "known-tags")[0] == 0
    assert run(warned, "--select", "known-tags", "--strict")[0] == 1


def test_codes_are_selected_and_ignored(run, mixed, refused):
    code, out, _ = run(mixed, "--select", "unique-texts, known-tags,known-tags", "--ignore", "unique-texts", "--json")
    found = json.loads(out)
    assert (code, found["errors"], found["not_run"]) == (0, [], [])
    assert [(warning["code"], warning["item"]) for warning in found["warnings"]] == [
        ("known-tags", "good.0"),
        ("known-tags", "good.1"),
    ]
    for option in ("--select", "--ignore"):
        refused("check", "winoglot-en", option, "unique-text", says="Did you mean 'unique-texts'?")


def test_a_baseline_accepts_the_warnings_it_lists(run, warned, tmp_path, printed, refused):
    baseline, known = tmp_path / "accepted.json", ["known-tags good.0", "known-tags good.1"]
    printed("check", warned, "--write-baseline", baseline)
    assert json.loads(baseline.read_text(encoding="utf-8")) == known
    found = json.loads(printed("check", warned, "--baseline", baseline, "--strict", "--json"))
    assert (found["warnings"], found["accepted"]) == ([], 2)
    assert "2 accepted by the baseline" in printed("check", warned, "--baseline", baseline)
    baseline.write_text('["balance *", "known-tags good.0"]', encoding="utf-8")
    again = ("check", warned, "--baseline", baseline, "--write-baseline", baseline)
    refused(*again, says="--force")
    printed(*again, "--force")
    assert json.loads(baseline.read_text(encoding="utf-8")) == ["balance *", *known]


def test_a_baseline_accepts_no_error(run, mixed, tmp_path):
    baseline = tmp_path / "accepted.json"
    run(mixed, "--write-baseline", baseline)
    assert not any("unique-texts" in key for key in json.loads(baseline.read_text(encoding="utf-8")))
    baseline.write_text('["unique-texts again.0"]', encoding="utf-8")
    assert run(mixed, "--baseline", baseline)[0] == 1


@for_each("content", [b"", b"{", b'{"a": 1}', b"[1]", b'"text"', b"null", b"\xff", b"[" * 100_000, b"[\0]"])
def test_a_bad_or_missing_baseline_is_refused(refused, warned, tmp_path, content):
    baseline = tmp_path / "bad.json"
    baseline.write_bytes(content)
    refused("check", warned, "--baseline", baseline, says=str(baseline))
    refused("check", warned, "--baseline", tmp_path / "none.json", says="none.json")


def test_against_a_file_or_a_folder(warned, tmp_path, printed):
    folder = tmp_path / "published"
    folder.mkdir()
    (folder / "notes.txt").write_text("no collection", encoding="utf-8")
    other = folder / "other.yaml"
    text = warned.read_text(encoding="utf-8").replace("collection: mixed", "collection: other")
    other.write_text(text.replace("a coat", "a woollen coat"), encoding="utf-8")
    near = ("check", warned, "--select", "near-duplicates", "--against")
    for place in (other, folder, "winoglot-en"):
        messages = [warning["message"] for warning in json.loads(printed(*near, place, "--json"))["warnings"]]
        assert len(messages) == (place != "winoglot-en")
        assert all("other good." in message for message in messages)
    other.write_text(text.replace("collection: other", "collection: mixed"), encoding="utf-8")
    assert "0 warnings" in printed(*near, folder)  # it may hold the collection itself


def test_against_lists_the_nearest_texts_of_each_collection(warned, printed):
    near = ("check", "winoglot-en", "--select", "near-duplicates")
    out = printed(*near, "--against", warned)
    assert "Nearest in mixed" in out
    assert "    Anna lent Vera a coat because she was" in out
    (found,) = json.loads(printed(*near, "--against", warned, "--nearest", 1, "--json"))["nearest"]
    assert 0 < found["share"] < 0.35
    assert (found["collection"], found["other"][:5]) == ("mixed", "good.")
    assert found["text"] in {item.text for item in wg.load("winoglot-en").items}
    for arguments in (("--against", warned, "--nearest", 0), ()):
        assert "Nearest" not in printed(*near, *arguments)
    out = printed("check", "winoglot-fr", "--against", warned, "--select", "near-duplicates")
    assert "none of the collections given is in fr" in out


WRONG = """
from winoglot.checks.base import Finding

SEVERITY = {severity!r}


def check(collection, context):
    return {found}
"""


@listed
def test_what_an_outside_rule_does_wrong_is_an_input_error_that_names_it(outside, found, severity, message):
    module = outside("checks", "wrong", WRONG.format(found=found, severity=severity))
    with pytest.raises(wg.InputError) as caught:
        run_checks(six("en"), CheckContext(), Selection(select=["wrong"]))
    assert f"the rule 'wrong' ({module}) {message}" in caught.value.message
    assert "--ignore wrong" in caught.value.remedy


FAILING = """
def check(collection, context):
    for item in collection.items:
        if item.schema_id == "train-wave":
            raise KeyError("absent")
        yield from ()
"""


def test_an_outside_rule_that_fails_is_named_with_the_schema(outside, run):
    module = outside("checks", "failing", FAILING)
    code, _, err = run(six_file("en"), "--select", "failing")
    said = f"the rule 'failing' ({module}), at schema 'train-wave', failed: KeyError: 'absent'. Correct the rule"
    assert (code, said in err, "Traceback" in err) == (2, True, False)
