"""A model drafts, people decide: through the commands, with a server that replies as each test says."""

import json
import re
from pathlib import Path

import pytest

import winoglot as wg
from cases import for_each, listed
from drafting_server import drafting_server

COLLECTION = """\
collection: mine  # kept
language: en
schemas:
  - id: jug
    text: "The jug chipped the plate because {it} was [heavy|thin]."  # kept too
    candidates: ["the jug", "the plate"]
    answers: [0, 1]
  - id: ring
    text: "Nora hid the ring from Iris because {she} was [shy|curious]."
    candidates: ["Nora", "Iris"]
    answers: [0, 1]
"""
GOOD = {
    ("tense", "jug"): "text: The jug chips the plate because {it} is [heavy|thin].\ncandidates: the jug | the plate",
    ("tense", "ring"): "text: Nora hides the ring from Iris because {she} is [shy|curious].\ncandidates: Nora | Iris",
    ("adverb", "jug"): "text: The jug badly chipped the plate because {it} was [heavy|thin].",
    ("adverb", "ring"): "**text:** Nora quietly hid the ring from Iris because {she} was [shy|curious].",
}


def asked(messages):
    """Which kind and which schema a conversation is about, and whether it is the second try."""
    shown = messages[-1]
    kind = "tense" if "another tense" in shown else "adverb" if "an adverb" in shown else "other"
    return kind, "jug" if "jug" in shown.rpartition("text: ")[2] else "ring", shown.startswith("This cannot be used")


def good(messages):
    kind, schema, _ = asked(messages)
    return GOOD[kind, schema]


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "mine.yaml"
    path.write_text(COLLECTION, encoding="utf-8")
    return path


def draft(path, server, *more, kinds="tense"):
    output = path.parent / "review.yaml"
    return ("perturb", path, "--kind", kinds, "--propose", "--with", server.model, "-o", output, *more)


def decide(path, decision="accept"):
    review = path.parent / "review.yaml"
    text = review.read_text(encoding="utf-8")
    review.write_text(re.sub(r"(?m)^    decision:$", f"    decision: {decision}", text), encoding="utf-8")
    return review


def test_drafts_are_proposed_corrected_and_accepted_with_how_they_were_made(mine, printed):
    with drafting_server(good) as server:
        out = printed(*draft(mine, server, kinds="tense,adverb"))
    assert "tense: 2 proposed, 0 refused" in out
    assert "adverb: 2 proposed, 0 refused" in out
    review = decide(mine)
    text = review.read_text(encoding="utf-8")
    assert "is it natural, and does each version keep its answer?" in text
    review.write_text(text.replace("      text: The jug chips", "      text: A jug chips", 1), encoding="utf-8")
    accepted = mine.parent / "accepted.yaml"
    printed("perturb", mine, "--accept", review, "--judged-by", "Eva", "-o", accepted)
    collection = wg.load(accepted)
    made = {(schema.id, kind): schema.made_as(kind) for schema in collection.schemas for kind in schema.kinds}
    assert {made[key].by for key in made} == {"model"}
    assert {made[key].judged_by for key in made} == {("Eva",)}
    assert {made[key].draft for key in made} == {None}
    assert made["jug", "tense"].changed == pytest.approx(0.1)
    assert made["ring", "tense"].changed == 0
    assert made["ring", "tense"].model == server.model
    assert made["ring", "tense"].prompt.startswith("sha:")
    assert "answer-tokens=400" in made["ring", "tense"].settings
    assert collection["jug.1~tense"].text == "A jug chips the plate because it is thin."
    assert "# kept too" in accepted.read_text(encoding="utf-8")
    lines = mine.parent / "accepted.jsonl"
    wg.save(collection, lines)
    assert wg.load(lines) == collection


def test_a_conversation_shows_examples_and_is_not_repeated(mine, printed):
    with drafting_server(good) as server:
        printed(*draft(mine, server))
        (first, _), count = server.conversations[:2], len(server.conversations)
        printed(*draft(mine, server, "--force"))
        assert len(server.conversations) == count == 2
    assert len(first) == 9
    assert "Answer as in the examples" in first[0]
    assert first[-1].startswith("Rewrite in another tense (past becomes present, present becomes past):\ntext: ")


BAD = {
    "prose": "Certainly! In the present tense, the jug would chip the plate, since it is heavy.",
    "half a sentence": "text: The jug chips the plate because {it}",
    "another language": "text: Der Krug traf den Teller, weil {it} [schwer|dünn] ist.",
    "an empty text": "text:\ncandidates: the jug | the plate",
    "nothing": "",
    "only thoughts": "<think>The verbs are chipped and was",
    "cut off": ("text: The jug chips the plate bec", "length"),
    "the example": "text: Dora visits Edith because {she} is [worried|ill].\ncandidates: Dora | Edith",
    "unbalanced": "text: The jug chips the plate because {it} is [heavy|thin.\ncandidates: the jug | the plate",
    "control characters": "text: The jug \x07chips the plate because {it} is [heavy|thin].",
}


@for_each("name", BAD)
def test_what_is_no_draft_is_tried_once_more_then_listed(name, tmp_path, run_winoglot, monkeypatch):
    folder = tmp_path / name
    folder.mkdir()
    monkeypatch.setenv("WINOGLOT_CACHE", str(folder / "cache"))
    path = folder / "mine.yaml"
    path.write_text(COLLECTION, encoding="utf-8")
    with drafting_server(lambda messages: good(messages) if asked(messages)[1] == "ring" else BAD[name]) as server:
        code, out, err = run_winoglot(*draft(path, server, "--json"))
    assert code == 0, err
    row = json.loads(out)["kinds"]["tense"]
    assert list(row["proposed"]) == ["ring"]
    assert list(row["refused"]) == ["jug"]
    assert row["refused"]["jug"]
    assert sum("jug" in messages[8] for messages in server.conversations) == 2 if BAD[name] else 1
    assert "refused:" in (folder / "review.yaml").read_text(encoding="utf-8")
    decide(path)
    code, _, err = run_winoglot("perturb", path, "--accept", folder / "review.yaml", "-o", folder / "new.yaml")
    assert code == 0, err
    assert wg.load(folder / "new.yaml").kinds == ("tense",)


def test_the_second_try_is_told_what_was_wrong(mine, printed):
    def reply(messages):
        is_second = asked(messages)[2]
        return good(messages) if is_second else "text: The jug chips the plate because it is [heavy|thin]."

    with drafting_server(reply) as server:
        assert "tense: 2 proposed, 0 refused" in printed(*draft(mine, server))
        last = server.conversations[-1][-1]
    assert last.startswith("This cannot be used: alternative 0 of the text has no pronoun")


def test_a_server_that_stops_loses_nothing(mine, run_winoglot, printed):
    collection = COLLECTION + "".join(
        f"  - {{id: more{number}, text: 'The jug chipped the plate {number} times because {{it}} was [heavy|thin].', "
        "candidates: ['the jug', 'the plate'], answers: [0, 1]}\n"
        for number in range(20)
    )
    mine.write_text(collection, encoding="utf-8")

    def reply(messages):
        shown = messages[-1].split("text: ")[1].splitlines()[0]
        return "text: " + shown.replace("chipped", "chips").replace("hid ", "hides ").replace("was", "is")

    with drafting_server(reply) as server:
        server.stops_after = 11
        code, out, err = run_winoglot(*draft(mine, server, "--option", "retries=0", "--option", "concurrency=1"))
        assert (code, out) == (2, "")
        assert "closed for today" in err
        assert not (mine.parent / "review.yaml").exists()
        kept = len(server.conversations)
        server.stops_after = None
        assert "tense: 22 proposed, 0 refused" in printed(*draft(mine, server))
        assert kept == 11
        assert len(server.conversations) == 22  # each reply was kept as it came, also of the interrupted batch


def test_another_model_reads_blind_and_is_overruled(mine, printed, refused):
    with drafting_server(good) as server:
        out = printed(*draft(mine, server, "--read-by", "first"))
        assert "first answers 2 of 2 drafts differently" in out
        refused(*draft(mine, server, "--force", "--read-by", server.model), says="cannot read them blind")
    text = (mine.parent / "review.yaml").read_text(encoding="utf-8")
    assert "jug.1: first answers 0, the draft says 1" in " ".join(text.split())
    accepted = mine.parent / "accepted.yaml"
    out = printed("perturb", mine, "--accept", decide(mine), "-o", accepted)
    assert "2 accepted although a model answers differently: jug~tense, ring~tense" in " ".join(out.split())
    answers = wg.load(accepted)["jug"].made_as("tense").read_by
    assert [(answer.model, answer.agrees) for answer in answers] == [("first", False)]


@listed
def test_bad_calls_are_explained(mine, refused, arguments, message):
    refused("perturb", mine, *arguments, says=message)


def test_texts_leave_the_machine_only_after_a_word(monkeypatch):
    from winoglot.cli.evaluate import confirm_requests
    from winoglot.models.servers.client import Client, Serving

    assert Client("http://127.0.0.1:1/v1", Serving()).is_local
    assert not Client("https://models.example.org/v1", Serving()).is_local
    with pytest.raises(wg.InputError, match=r"the texts of mine leave this machine.*--yes"):
        confirm_requests("remote:https://models.example.org/v1#m", 3, yes=False, away="the texts of mine")
    confirm_requests("remote:https://models.example.org/v1#m", 3, yes=True, away="the texts of mine")


def test_a_model_that_drafted_or_read_an_item_is_not_measured_on_it(mine, printed, refused):
    with drafting_server(good) as server:
        printed(*draft(mine, server, "--read-by", "first"))
        accepted = mine.parent / "accepted.yaml"
        printed("perturb", mine, "--accept", decide(mine), "-o", accepted)
        refused("evaluate", accepted, "--kinds", "tense", "--model", "first", says=["drafted", "--allow-overlap"])
    assert json.loads(printed("evaluate", accepted, "--model", "first", "--json"))
    runs = mine.parent / "runs"
    printed("evaluate", accepted, "--kinds", "tense", "--model", "first", "--allow-overlap", "-o", runs)
    (run,) = wg.load_runs(runs)
    assert run.settings.overlap == {"overlapping": 4, "items": 4, "drafted": 4}
    assert run.source["jug"].made_as("tense").model == server.model


def test_rules_say_that_they_made_a_variant(mine, printed):
    output = mine.parent / "new.yaml"
    printed("perturb", mine, "--kind", "tense", "-o", output)
    assert Path(output).read_text(encoding="utf-8").count("by: rule") >= 1
    assert {schema.made_as("tense").by for schema in wg.load(output).schemas if schema.kinds} == {"rule"}


def test_slips_in_the_form_of_a_reply_are_read_as_meant(mine, printed):
    def reply(messages):
        return good(messages).replace("thin]", "thin}").removeprefix("text: ")

    with drafting_server(reply) as server:
        assert "tense: 2 proposed, 0 refused" in printed(*draft(mine, server))
