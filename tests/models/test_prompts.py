"""The packaged prompts, and prompts of one's own."""

import re

import pytest

import winoglot as wg
from cases import for_each, listed
from items import schema
from model_questions import question
from winoglot import InputError, Item, WrittenReading
from winoglot.models.base import Question, read_options
from winoglot.models.servers.asking import Asking
from winoglot.models.servers.prompts import FOLDER, prompts_for, read_prompts
from winoglot.models.shots import marks_of
from winoglot.schemas.bundled import bundled

LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.yaml"))


def shown(one, name=None, language="en", order=(0, 1)):
    prompts = prompts_for(language)
    template = prompts.template(name, one)
    return template and prompts.render(template, one, order)


def test_every_language_has_the_same_prompts_and_balanced_examples():
    names = {language: list(prompts_for(language).templates) for language in LANGUAGES}
    assert {"en", "es", "fr", "pt", "zh"} <= names.keys()
    assert all(one == names["en"] for one in names.values())
    for language in LANGUAGES:
        answers = [example.item.answer for example in prompts_for(language).examples]
        assert sorted(answers[:2]) == [0, 1]
        assert sorted(answers) == [0, 0, 1, 1]
        assert all(
            prompts_for(language).template(name, example)
            for name in names["en"]
            for example in prompts_for(language).examples
        )


def test_no_example_is_of_a_schema_in_a_bundled_collection():
    for name in bundled():
        collection = wg.load(name)
        prompts = prompts_for(collection.language)
        assert prompts.shown(4, marks_of((*collection.items, *collection.variants()))) == prompts.examples


UMBRELLA = "Tom lent Felix an umbrella because {he} had left his own at home."  # a packaged example


@listed
def test_an_example_of_an_evaluated_schema_is_known_by_any_of_its_items_in_any_guise(text, candidates, keys):
    shown = prompts_for("en").shown(3, marks_of(schema(text, candidates, "en", **keys).items))
    assert [example.item.schema_id for example in shown] == ["example-kettle", "example-nail", "example-late"]


def test_an_example_is_known_by_readings_where_there_is_no_text_and_not_by_its_names():
    reading = UMBRELLA.replace("{he}", "Tom")
    item = Item("a.0", "a", readings=(WrittenReading(reading), WrittenReading(reading.replace("Tom had", "Felix had"))))
    assert "example-umbrella" not in [one.item.schema_id for one in prompts_for("en").shown(3, marks_of([item]))]
    items = schema("Tom lent Felix a coat because {he} [was cold|had two].", ["Tom", "Felix"], "en").items
    assert prompts_for("en").shown(4, marks_of(items)) == prompts_for("en").examples


@pytest.mark.parametrize(("more", "count"), [({}, 4), ({"prompt-language": "pt"}, 4), ({"prompts": "FILE"}, 0)])
def test_more_examples_than_there_are_are_refused_by_the_options_alone(tmp_path, more, count):
    if "prompts" in more:
        more = {"prompts": str(_written(tmp_path / "own.yaml", GOOD))}
    (asking,) = read_options({**more, "shots": str(count + 1)}, Asking)
    with pytest.raises(InputError, match=f"there are {count} examples in .. to show, not {count + 1}"):
        asking.check_shots()
    read_options({**more, "shots": str(count)}, Asking)[0].check_shots()


@for_each("language", LANGUAGES)
def test_examples_read_well_in_every_prompt(language):
    prompts = prompts_for(language)
    for example in prompts.examples:
        assert all(reading.derived for reading in example.readings)
        for template in prompts.templates.values():
            text = prompts.render(template, example, (0, 1))
            assert not re.search(r"[{}]", text)
            assert all(f"{label}) " in text for label in prompts.labels[:2])
            assert f"{prompts.labels[2]}) " not in text


def test_the_default_gives_way_where_it_does_not_fit():
    def lamp(pronoun="{it}", **keys):
        return question(rf"The \{{text\}} lamp hit the vase and {pronoun} broke.", ["the vase", "broke"], **keys)

    assert "The {text} lamp hit the vase and **it**" in shown(lamp())
    assert "___ broke" in shown(lamp("{_}"))
    assert shown(lamp("{_}"), "refer") is None
    assert shown(lamp(), "question") is None
    assert "What broke?" in shown(lamp(question="What broke?"), "question")
    with pytest.raises(InputError, match="prompt-language=en"):
        prompts_for("tlh")


def test_an_item_without_text_is_asked_by_its_readings():
    readings = (WrittenReading("The vase broke."), WrittenReading("The lamp broke."))
    item = Item("a.0", "a", readings=readings)
    made = tuple(wg.readings(item))
    one = Question(item, "en", made, wg.window(item, made))
    assert "A) The lamp broke.\nB) The vase broke." in shown(one, order=(1, 0))


def test_the_hash_follows_every_change(tmp_path):
    text = (FOLDER / "en.yaml").read_text(encoding="utf-8")
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "b.yaml").write_text(text.replace("nothing else", "no more"), encoding="utf-8")
    marks = [read_prompts(tmp_path / name).hash for name in ("a.yaml", "b.yaml")]
    assert marks[0] == prompts_for("en-GB").hash != marks[1]
    settings = [Asking(prompts=str(tmp_path / name)).settings("en", 0)["prompts"] for name in ("a.yaml", "b.yaml")]
    assert settings[0] != settings[1]
    assert Asking().settings("pt", 0) != Asking().settings("fr", 0)
    assert Asking().settings(None, 0) != Asking().settings("fr", 0)


def test_an_item_is_never_its_own_example():
    prompts = prompts_for("en")
    template = prompts.templates["refer"]
    first = prompts.examples[0]
    evaluated = marks_of([first.item])
    said = prompts.messages(template, first, (0, 1), prompts.shown(3, evaluated))
    assert [message["role"] for message in said] == ["user", "assistant"] * 3 + ["user"]
    assert [message["content"] for message in said[1::2]] == ["B", "B", "A"]
    assert not any("kettle" in message["content"] for message in said[:-1])
    with pytest.raises(
        InputError, match=r"3 examples in en to show, not 4 \(1 more are of schemas under evaluation, by id or text\)"
    ):
        prompts.shown(4, evaluated)


GOOD = """
language: en
version: 1
labels: [X, Y]
prompts: {own: "{text} {options}"}
"""


@listed
def test_a_faulty_file_is_an_input_error_with_its_place(tmp_path, change, message):
    assert read_prompts(_written(tmp_path / "good.yaml", GOOD)).labels == ("X", "Y")
    with pytest.raises(InputError, match=message):
        read_prompts(_written(tmp_path / "bad.yaml", GOOD.replace(*change)))


def _written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


@listed
def test_faulty_options_are_input_errors(more, message):
    with pytest.raises(InputError, match=message):
        read_options(more, Asking)
