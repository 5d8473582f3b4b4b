"""Studies from collections, and who may take part."""

from collections import Counter
from dataclasses import replace

import pytest

import winoglot as wg
from cases import for_each, listed
from study.participants import a_study, small_collection
from winoglot.errors import InputError
from winoglot.schemas.model import Collection
from winoglot.study.create import create_study, find_person, invite, questionnaire, set_state
from winoglot.study.database import open_storage
from winoglot.study.participation import enter
from winoglot.study.settings import FIRST, StudySettings, question_label, question_options
from winoglot.study.storage import CHECK, TEST, TRAINING, Participant, Problem, token_hash
from winoglot.study.web.texts import PAGE_LANGUAGES


def test_what_is_stored_can_be_read_again(database: str, tmp_path) -> None:
    collection = small_collection(6, ("reworded",))
    settings = StudySettings(kinds=("reworded",), training=2, seed=7)
    storage, token = create_study(collection, "Rooms", database, settings)
    storage.engine.dispose()
    with open_storage(database) as storage, storage.reading() as session:
        study = storage.study(session)
        assert (study.name, study.state, study.settings) == ("Rooms", "open", settings)
        assert study.token_hash == token_hash(token)
        (tmp_path / "asked.yaml").write_text(study.collection, encoding="utf-8")
        problems = storage.problems.values()
    read = wg.load(tmp_path / "asked.yaml")
    assert read == collection
    for problem in problems:
        if problem.part != CHECK:
            item = read[problem.item_id]
            assert problem.content["before"] + problem.content["pronoun"] + problem.content["after"] == item.text
            assert (problem.answer, problem.item_hash) == (item.answer, item.hash)
    assert Counter(problem.part for problem in problems) == {TRAINING: 2, TEST: 16, CHECK: 3}


def test_training_prefers_schemas_with_an_explanation_and_without_variants() -> None:
    some, varied = small_collection(12).schemas, small_collection(12, ("reworded",)).schemas
    unexplained = tuple(replace(schema, explanation=None) for schema in some[:4])
    unlabelled = replace(some[11], items=tuple(replace(item, answer=None) for item in some[11].items))
    collection = Collection("mixed", "en", (*unexplained, *some[4:6], *varied[6:11], unlabelled))
    asked = questionnaire(collection, StudySettings(kinds=("reworded",), training=3))
    trained = [problem for problem in asked.problems if problem.part == TRAINING]
    assert {"room-4", "room-5"} < {problem.schema_id for problem in trained} < {f"room-{n}" for n in range(4, 11)}
    assert {problem.version for problem in trained} == {0, 1}
    assert all(problem.explanation for problem in trained)
    assert asked.left_out == ("room-11.0", "room-11.1")  # they have no answer
    assert "room-11" not in {problem.schema_id for problem in asked.problems}


def test_training_items_are_those_named_or_the_first() -> None:
    collection = small_collection(6)

    def trained(settings: StudySettings) -> list[str]:
        return [one.item_id for one in questionnaire(collection, settings).problems if one.part == TRAINING]

    named = ("room-4.1", "room-0.0")
    assert trained(StudySettings(training=2, training_items=named)) == [*named]
    assert trained(StudySettings(training=3, training_items=FIRST, seed=5)) == ["room-0.0", "room-1.1", "room-2.0"]


@for_each(
    ("items", "message"),
    [
        (("room-4.1", "room-9.0"), "'room-9.0' is not one that can be asked.*Did you mean 'room-"),
        (("room-4.1", "room-4.0"), "2 training items belong to the schema 'room-4'"),
        (("room-4.1",), "training takes 2 items, but 1 are named"),
    ],
)
def test_training_items_that_cannot_be_asked(items: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        questionnaire(small_collection(6), StudySettings(training=2, training_items=items))


def test_panels_share_the_variants_of_every_kind_and_version_as_the_seed_says() -> None:
    settings = StudySettings(kinds=("reworded", "expanded"), training=2, panels=2)

    def asked(settings: StudySettings) -> list[Problem]:
        return questionnaire(small_collection(12, ("reworded", "expanded")), settings).problems

    def shared_out(settings: StudySettings) -> list[tuple[str, str, int | None]]:
        return [(problem.item_id, problem.part, problem.panel) for problem in asked(settings)]

    assert shared_out(settings) == shared_out(settings) != shared_out(replace(settings, seed=2))
    problems = asked(settings)
    variants = [problem for problem in problems if problem.part == TEST and problem.kind != "original"]
    cells = Counter((problem.kind, problem.version, problem.panel) for problem in variants)
    assert len(cells) == 8
    assert set(cells.values()) == {5}
    by_pair = {(problem.schema_id, problem.kind, problem.panel) for problem in variants}
    assert len(by_pair) == len(variants)  # the two versions of a variant are judged by different people
    assert all(problem.panel is None for problem in problems if problem.kind == "original")


@for_each("language", [*PAGE_LANGUAGES, "nl"])
def test_attention_checks_say_which_answer_to_choose_in_the_language_of_the_problems(language: str) -> None:
    collection = replace(small_collection(2), language=language)
    settings = StudySettings(page_language="fr", training=0, checks=4)
    checks = [problem for problem in questionnaire(collection, settings).problems if problem.part == CHECK]
    assert len(checks) == 4
    for check in checks:
        told = check.content["after"].casefold()
        named = [candidate.casefold() in told for candidate in check.content["candidates"]]
        assert (len(named), sum(named), named.index(True)) == (4, 1, check.answer)
        assert check.content["pronoun"]
        assert check.content["language"] == (language if language in PAGE_LANGUAGES else "fr")


def test_questions_of_ones_own_are_cut_in_any_script() -> None:
    chinese, japanese = "你在哪里长大？|北方|南方", "ご出身は？｜北｜南"
    settings = StudySettings(background=(chinese, japanese))
    assert [question_label(one) for one in settings.background] == ["你在哪里长大？", "ご出身は？"]
    assert [question_options(one) for one in settings.background] == [("北方", "南方"), ("北", "南")]
    with pytest.raises(InputError, match="two or more different answers"):
        StudySettings(background=("你在哪里长大？",))


@for_each(
    ("settings", "message"),
    [
        (StudySettings(training=6), "6 schemas of rooms can be asked, and training takes 6.*--training 1"),
        (StudySettings(training=1, checks=5), "there are 4 attention checks, not 5"),
        (StudySettings(training=1, kinds=("removed",)), "no variant of kind 'removed'.*Leave removed out of --kinds"),
        (StudySettings(training=1, kinds=("tnese",)), "tnese"),
    ],
)
def test_what_cannot_be_asked_leaves_no_database(tmp_path, settings: StudySettings, message: str) -> None:
    collection = small_collection(6, ("reworded",))
    values = {"kind": "removed", "effect": "removes", "answer": None}
    removed = (replace(one, id=f"{one.variant_of}~removed", **values) for one in collection[0].variants)
    collection = replace(collection, schemas=(replace(collection[0], variants=tuple(removed)), *collection.schemas[1:]))
    with pytest.raises(InputError, match=message):
        create_study(collection, "Rooms", f"{tmp_path}/study.db", settings)
    assert not (tmp_path / "study.db").exists()


@listed
def test_how_many_people_it_takes(values: dict[str, object], people: int) -> None:
    settings = replace(StudySettings(training=2), **values)
    assert questionnaire(small_collection(12, ("reworded",)), settings).people_needed == people


def test_invitations(database: str) -> None:
    with a_study(database, open=False) as storage:
        tokens = invite(storage, 3)
        people = [enter(storage, token) for token in tokens]
        assert len({*people}) == 3
        assert find_person(storage, f"https://study.example/p/{tokens[1]}") == people[1]
        with storage.reading() as session:
            number = session.get_one(Participant, people[2]).number
        assert find_person(storage, number) == people[2]
        with pytest.raises(InputError, match="no participant"):
            find_person(storage, "nobody")
        with pytest.raises(InputError, match="study close"):
            invite(storage, 1, expert=True)
        set_state(storage, "closed")
        assert enter(storage, invite(storage, 1, expert=True)[0])
