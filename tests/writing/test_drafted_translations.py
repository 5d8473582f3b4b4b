"""A model drafts a translation, a person judges it: through the commands, with a server that replies as tests say."""

import json
import re

import pytest
import yaml

import winoglot as wg
from cases import for_each
from drafting_server import drafting_server
from winoglot.writing.unfinished import read_unfinished

SOURCE = """\
collection: seats-en
language: en
schemas:
  - id: seat
    text: "Liam gave his seat to Peter because {he} was [tired|getting off]."
    candidates: [Liam, Peter]
    answers: [1, 0]
  - id: jug
    text: "The jug chipped the plate because {it} was [heavy|thin]."
    candidates: [the jug, the plate]
    answers: [0, 1]
    explanation: What is heavy chips what is thin.
"""
SEATS = {
    "en": ("Leo gave his seat to Paul because {he} was [tired|getting off].", "Leo | Paul"),
    "pt": ("Bruno cedeu o lugar a Diego porque {ele} [estava cansado|já ia descer].", "Bruno | Diego"),
    "fr": ("Hugo a laissé sa place à Marc parce qu'{il} [était fatigué|descendait bientôt].", "Hugo | Marc"),
    "es": ("Luis le cedió el asiento a Pablo porque {él} [estaba cansado|bajaba enseguida].", "Luis | Pablo"),
    "it": ("Luca ha ceduto il posto a Marco perché {lui} [era stanco|doveva scendere].", "Luca | Marco"),
    "de": ("Lukas überließ Peter seinen Platz, weil {er} [müde war|gleich ausstieg].", "Lukas | Peter"),
    "ru": ("Антон уступил место Ивану, потому что {он} [устал|уже выходил].", "Антон | Иван"),
    "zh": ("小刚把座位让给了小勇，因为{他}[很累|快下车了]。", "小刚 | 小勇"),
    "ja": ("健太は大輔に席を譲った。{彼}が[疲れていた|もうすぐ降りる]からだ。", "健太 | 大輔"),
}
JUG = "text: El cántaro melló el plato porque {} era [pesado|fino].\ncandidates: el cántaro | el plato"


def seat(language):
    text, candidates = SEATS[language]
    return f"text: {text}\ncandidates: {candidates}"


def good(messages):
    return JUG if "jug" in messages[-1] else seat("es")


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "seats-en.yaml"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def new(source, server, *more, to="es"):
    return ("new", "--from", source, "--to", to, "--with", server.model, "-o", source.parent / "seats-es.yaml", *more)


def test_drafts_stand_in_the_file_until_somebody_has_judged_them(source, run_winoglot, printed):
    with drafting_server(good) as server:
        code, out, err = run_winoglot(*new(source, server))
    assert code == 0, err
    assert "gets 2 requests." in err
    assert "2 drafts to judge, 0 refused" in out
    path = source.parent / "seats-es.yaml"
    text = path.read_text(encoding="utf-8")
    assert "add your name: judged_by: [Your name]" in " ".join(re.sub(r"(?m)^ *# *", "", text).split())
    first, second = yaml.safe_load(text)["schemas"]
    assert first["text"] == first["made"]["draft"] == SEATS["es"][0]
    assert (first["candidates"], first["made"]["judged_by"]) == (["Luis", "Pablo"], [])
    assert (second["text"], second["explanation"]) == ("El cántaro melló el plato porque {} era [pesado|fino].", "")
    states = printed("status", source, path)
    assert f"seat drafted drafted by {server.model}: correct it" in " ".join(states.split())
    assert "jug incomplete still empty: explanation" in " ".join(states.split())
    assert "1 incomplete, 1 drafted" in states
    code, out, _ = run_winoglot("check", path, "--json")
    assert [(row["code"], row["schema"]) for row in json.loads(out)["warnings"]] == [
        ("judged", "seat"),
        ("judged", "jug"),
    ]
    text = text.replace("Luis le cedió", "Luis cedió", 1)
    path.write_text(text.replace("judged_by: []", "judged_by: [Eva]", 1), encoding="utf-8")
    assert "1 translated, 1 incomplete" in printed("status", source, path)
    code, _, err = run_winoglot("status", source, path, "--record")
    assert "Recorded what was changed in 1 judged draft" in err
    kept = path.read_text(encoding="utf-8")
    made = {schema.id: schema.made for schema in wg.load(explained(path)).schemas}
    assert (made["seat"].draft, made["seat"].judged_by) == (None, ("Eva",))
    assert made["seat"].changed == pytest.approx(0.04)
    assert made["jug"].draft
    assert [line for line in kept.splitlines() if "#" in line] == [line for line in text.splitlines() if "#" in line]
    assert not run_winoglot("status", source, path, "--record")[2].count("judged")


def explained(path):
    """The file with its only empty field filled in."""
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('explanation: ""', "explanation: Lo pesado mella."), encoding="utf-8")
    return path


def test_how_a_translation_was_made_travels(source, printed):
    with drafting_server(good) as server:
        printed(*new(source, server))
    path = explained(source.parent / "seats-es.yaml")
    collection = wg.load(path)
    for name in ("copy.jsonl", "copy.yaml"):
        wg.save(collection, source.parent / name)
        assert wg.load(source.parent / name)["seat"].made == collection["seat"].made
    runs = source.parent / "runs"
    printed("evaluate", path, "--model", "first", "-o", runs)
    (run,) = wg.load_runs(runs)
    assert run.source["seat"].made == collection["seat"].made


@for_each("target", SEATS)
def test_every_language_is_a_target(target, tmp_path, run_winoglot, monkeypatch):
    folder = tmp_path / target
    folder.mkdir()
    monkeypatch.setenv("WINOGLOT_CACHE", str(folder / "cache"))
    other = "pt" if target == "en" else "en"
    text, candidates = SEATS[other]
    entry = {"id": "seat", "text": text, "candidates": candidates.split(" | "), "answers": [1, 0]}
    path = folder / "source.yaml"
    path.write_text(yaml.safe_dump({"collection": "a", "language": other, "schemas": [entry]}), encoding="utf-8")
    with drafting_server(lambda _: seat(target)) as server:
        code, out, err = run_winoglot(*new(path, server, to=target))
    assert code == 0, err
    assert "1 draft to judge, 0 refused" in out
    draft = wg.load(folder / "seats-es.yaml")
    assert (draft.language, [item.answer for item in draft.items]) == (target, [1, 0])


BAD = {
    "prose": ("Of course! In Spanish, Liam gives up his seat.", "no line that begins with 'text:'"),
    "half a sentence": ("text: Luis le cedió el asiento a Pablo porque {él}\ncandidates: Luis | Pablo", "alternative"),
    "no end": (seat("es").replace("].", "]"), "the text breaks off"),
    "another language": (seat("pt"), "'ele' at character 35 is marked as the pronoun, but it is not a pronoun"),
    "the source's language": (seat("en"), "it is not in the language 'es'"),
    "an empty text": ("text:\ncandidates: Luis | Pablo", "no line that begins with 'text:'"),
    "nothing": ("", "the reply is empty"),
    "an example": (
        "text: Lucía visitó a Marta porque {ella} estaba [preocupada|enferma].\ncandidates: Lucía | Marta",
        "the reply repeats an example",
    ),
    "one candidate": (seat("es").replace("Luis | ", ""), "the answer 1 is not a candidate's index"),
    "twice the same alternative": (
        seat("es").replace("bajaba enseguida", "estaba cansado"),
        "two versions are the same",
    ),
    "another gender": (
        "text: Luisa le cedió el asiento a Pablo porque {él} [estaba cansado|bajaba].\ncandidates: Luisa | Pablo",
        "agree",
    ),
}


@for_each("name", BAD)
def test_what_is_no_draft_is_tried_once_more_then_an_empty_field_with_the_reason(
    name, tmp_path, run_winoglot, monkeypatch
):
    folder = tmp_path / name
    folder.mkdir()
    monkeypatch.setenv("WINOGLOT_CACHE", str(folder / "cache"))
    path = folder / "seats-en.yaml"
    path.write_text(SOURCE, encoding="utf-8")
    reply, reason = BAD[name]
    with drafting_server(lambda messages: JUG if "jug" in messages[-1] else reply) as server:
        code, out, err = run_winoglot(*new(path, server))
    assert code == 0, err
    assert "1 draft to judge, 1 refused" in out
    assert sum("Liam" in messages[-1] for messages in server.conversations) == (2 if reply else 1)
    text = (folder / "seats-es.yaml").read_text(encoding="utf-8")
    comments = " ".join(re.sub(r"(?m)^ *# *", "", text).split())
    assert "no draft: " in comments
    assert reason in comments, comments
    empty = read_unfinished(folder / "seats-es.yaml").schemas[0]
    assert (empty.begun, empty.made) == (False, None)
    assert "1 missing, 1 incomplete" in run_winoglot("status", path, folder / "seats-es.yaml")[1]


def test_a_server_that_stops_loses_nothing_and_nothing_is_asked_twice(source, run_winoglot, printed):
    schemas = "".join(
        f"  - {{id: more{number}, text: 'Liam{number} gave his seat to Peter{number} because {{he}} was [tired|off].', "
        f"candidates: [Liam{number}, Peter{number}], answers: [1, 0]}}\n"
        for number in range(18)
    )
    source.write_text(SOURCE + schemas, encoding="utf-8")
    with drafting_server(good) as server:
        server.stops_after = 11
        code, out, err = run_winoglot(*new(source, server, "--option", "retries=0"))
        assert (code, out) == (2, "")
        assert "closed for today" in err
        assert not (source.parent / "seats-es.yaml").exists()
        server.stops_after = None
        assert "20 drafts to judge" in printed(*new(source, server))
        first_batch, asked = server.conversations[:8], len(server.conversations)
        assert not [messages for messages in server.conversations[11:] if messages in first_batch]
        printed(*new(source, server, "--force"))
        assert len(server.conversations) == asked


def test_another_models_doubts_are_remarks_and_overruling_it_is_counted(source, printed, refused):
    with drafting_server(good) as server:
        out = printed(*new(source, server, "--read-by", "first"))
        assert "first answers 2 of 2 drafts differently" in out
        refused(*new(source, server, "--force", "--read-by", server.model), says="cannot read them blind")
    path = source.parent / "seats-es.yaml"
    text = path.read_text(encoding="utf-8")
    assert "# seat.0: first answers 0, the draft says 1" in text
    assert "accepted although" not in printed("status", source, path)
    path.write_text(text.replace("judged_by: []", "judged_by: [Eva]"), encoding="utf-8")
    explained(path)
    out = " ".join(printed("status", source, path).split())
    assert "2 drafts accepted although a model answers differently: seat, jug" in out
    refused("evaluate", path, "--model", "first", says=["drafted", "--allow-overlap"])


def test_nothing_is_sent_for_a_call_that_cannot_succeed(source, refused):
    with drafting_server(good) as server:
        refused(*new(source, server, to="nl"), says="there are no prompts for drafts in 'nl'")
        refused(*new(source, server, to="en"), says="already in en")
        refused(*new(source, server, "--id", "none"), says="no schema 'none'")
        (source.parent / "seats-es.yaml").write_text("mine", encoding="utf-8")
        refused(*new(source, server), says="--force")
        assert not server.conversations
    output = source.parent / "other.yaml"
    refused("new", "--from", source, "--to", "es", "--read-by", "first", "-o", output, says="--read-by needs --with")
    refused("new", "--from", source, "--to", "es", "--with", "first", "-o", output, says="cannot write a draft")


@for_each(
    "change", [("judged_by: []", "judged_by: Eva"), ("by: model", "by: machine"), ("model: remote", "modal: remote")]
)
def test_how_it_was_made_edited_badly_is_located(change, tmp_path, run_winoglot, monkeypatch):
    folder = tmp_path / change[1].partition(":")[0]
    folder.mkdir()
    monkeypatch.setenv("WINOGLOT_CACHE", str(folder / "cache"))
    path = folder / "seats-en.yaml"
    path.write_text(SOURCE, encoding="utf-8")
    with drafting_server(good) as server:
        run_winoglot(*new(path, server))
    work = folder / "seats-es.yaml"
    text = work.read_text(encoding="utf-8")
    assert change[0] in text
    work.write_text(text.replace(*change, 1), encoding="utf-8")
    _, out, _ = run_winoglot("status", path, work)
    assert "line " in out
    assert "made" in out
    assert run_winoglot("check", work)[0] == 2
