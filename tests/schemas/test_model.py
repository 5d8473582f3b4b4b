from dataclasses import FrozenInstanceError, replace

import pytest

from cases import for_each
from winoglot.errors import InputError
from winoglot.schemas.model import (
    Candidate,
    Collection,
    Features,
    Impossible,
    Inference,
    Item,
    Schema,
    Variant,
    WrittenReading,
)
from winoglot.schemas.spans import Span

TEXT = "The lamp hit the vase and it broke."
ITEM = Item(
    id="lamp.0",
    schema_id="lamp",
    text=TEXT,
    pronoun=Span(26, 28),
    candidates=(Candidate("the lamp", (Span(0, 8),)), Candidate("the vase", (Span(13, 21),))),
    answer=1,
    segment=(Span(29, 34),),
)
VARIANT = Variant(
    id="lamp.0~tense",
    schema_id="lamp",
    text="The lamp hits the vase and it breaks.",
    pronoun=Span(27, 29),
    candidates=(Candidate("the lamp", (Span(0, 8),)), Candidate("the vase", (Span(14, 22),))),
    answer=1,
    kind="tense",
    variant_of="lamp.0",
    effect="keeps",
)
SCHEMA = Schema("lamp", (ITEM,), (VARIANT,), note="first")
COLLECTION = Collection("lamps", "en", (SCHEMA,))


def test_nothing_can_be_changed_in_place():
    with pytest.raises(FrozenInstanceError):
        ITEM.answer = 0  # type: ignore[misc]
    assert isinstance(hash(COLLECTION), int)


def test_what_is_shown_in_a_session_is_short():
    assert repr(COLLECTION) == "<Collection lamps 1.0, en: 1 schema, 1 item, 1 variant>"
    assert repr(ITEM) == "<Item lamp.0: 'The lamp hit the vase and {it} broke.', the lamp | the vase, answer 1>"
    assert repr(SCHEMA) == f"<Schema lamp: 1 item, 1 variant; {ITEM!r}>"


def test_the_hash_is_blind_to_notes_tags_questions_and_variants():
    with_note = replace(SCHEMA, note="other", variants=(), items=(replace(ITEM, tags=("a",), question="What?"),))
    assert with_note.items[0].hash == ITEM.hash
    assert Collection("lamps", "en", (with_note,)).hash == COLLECTION.hash


@for_each(
    "change",
    [
        {"text": TEXT.replace("hit", "met")},
        {"pronoun": Span(22, 25)},
        {"candidates": (ITEM.candidates[0], Candidate("a vase", (Span(13, 21),)))},
        {"candidates": (ITEM.candidates[0], Candidate("the vase"))},
        {"answer": 0},
        {"answer": None},
    ],
)
def test_the_hash_changes_with_what_a_solver_sees_or_is_judged_by(change):
    assert ITEM.hash == "ea5aa53b752197f5"  # for ever
    assert replace(ITEM, **change).hash != ITEM.hash
    yes, no = (replace(ITEM, answer=None, inferences=(Inference("a", "b", label),)) for label in (True, False))
    assert yes.hash != no.hash


def test_variants_are_kept_apart_and_have_a_hash_of_their_own():
    assert COLLECTION.items == (ITEM,)
    assert COLLECTION.variants() == COLLECTION.variants("tense") == (VARIANT,)
    assert COLLECTION.variants("voice") == ()
    assert (ITEM.kind, ITEM.effect, VARIANT.kind, VARIANT.effect) == ("original", None, "tense", "keeps")
    changed = replace(SCHEMA, variants=(replace(VARIANT, text="The lamp hits the vase now; it breaks."),))
    other = Collection("lamps", "en", (changed,))
    assert other.kind_hash("tense") != COLLECTION.kind_hash("tense")
    assert other.hash == COLLECTION.hash


@pytest.mark.parametrize(("surface", "form"), [("it", "word"), ("_", "blank"), ("[MASK]", "blank"), ("", "zero")])
def test_a_pronoun_may_be_a_word_a_blank_or_nothing(surface, form):
    text = f"The lamp hit the vase and {surface} broke."
    assert replace(ITEM, text=text, pronoun=Span(26, 26 + len(surface)), segment=()).pronoun_form == form


@for_each(
    ("change", "message"),
    [
        ({"pronoun": Span(26, 99)}, "ends after the text"),
        ({"pronoun": None}, "no pronoun"),
        ({"text": None}, "no text, no reading"),
        ({"text": None, "readings": (WrittenReading("a"), WrittenReading("b"))}, "spans but no text"),
        ({"text": "  "}, "the text is empty"),
        ({"text": "lone \ud800 surrogate, much longer than all the spans"}, "U+D800"),
        ({"text": "a \x07 bell, in a text that is longer than all the spans"}, "U+0007"),
        ({"segment": (Span(27, 30),)}, "cuts the pronoun"),
        ({"segment": (Span(29, 34), Span(0, 3))}, "out of order"),
        ({"segment": (Span(0, 60),)}, "ends after the text"),
        ({"candidates": (Candidate("x", (Span(0, 80),)), ITEM.candidates[1])}, "ends after the text"),
        ({"candidates": (Candidate("x", (Span(3, 3),)), ITEM.candidates[1])}, "is empty or has a space"),
        ({"phrase": Span(3, 8)}, "is empty or has a space"),
        ({"candidates": ()}, "no candidate"),
        ({"candidates": (ITEM.candidates[0], Candidate("the lamp"))}, "given twice"),
        ({"candidates": (ITEM.candidates[0], Candidate("x", (ITEM.pronoun,)))}, "given as a mention"),
        ({"pronoun": Span(25, 26)}, "of spaces only"),
        ({"question": "What? "}, "begins or ends with a space"),
        ({"answer": 2}, "is not a candidate's index"),
        ({"answer": -1}, "is not a candidate's index"),
        ({"hypotheses": ("one",)}, "1 hypothesis for 2"),
        ({"schema_id": "a/b"}, "cannot be a schema's id"),
        ({"tags": ("a~b",)}, "cannot be a tag"),
    ],
)
def test_an_item_that_cannot_be_is_refused(change, message):
    with pytest.raises(InputError, match=message.replace("+", r"\+")):
        replace(ITEM, **change)


@for_each(
    ("change", "message"),
    [
        ({"items": ()}, "no items"),
        ({"items": (replace(ITEM, id="lamp.x"),), "variants": ()}, "does not belong"),
        ({"items": (ITEM, ITEM)}, "appears twice"),
        ({"items": (replace(ITEM, id="lamp.1"), ITEM)}, "not in the order"),
        ({"items": (VARIANT,)}, "among the originals"),
        ({"variants": (replace(VARIANT, variant_of="lamp.7"),)}, "which this schema does not have"),
        ({"variants": (replace(VARIANT, id="lamp.0~voice"),)}, "is called"),
        ({"variants": (replace(VARIANT, answer=0),)}, "keeps the answer, but"),
        ({"variants": (replace(VARIANT, effect="flips"),)}, "flips the answer, but"),
        ({"variants": (replace(VARIANT, effect="flips", answer=None),)}, "flips the answer, but"),
        ({"variants": (replace(VARIANT, candidates=VARIANT.candidates[::-1]),)}, "another order"),
        ({"variants": (VARIANT, VARIANT)}, "appears twice"),
        ({"impossible": (Impossible("tense", "no"),)}, "both given and impossible"),
        ({"id": "a b"}, "cannot be a schema's id"),
    ],
)
def test_a_schema_that_cannot_be_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        replace(SCHEMA, **change)
    with pytest.raises(InputError, match="removes the answer"):
        replace(VARIANT, effect="removes")


OTHER = Schema("b", (replace(ITEM, id="b.0", schema_id="b", parallel_id="lamp.0"),))


@for_each(
    ("change", "message"),
    [
        ({"schemas": ()}, "has no schemas"),
        ({"schemas": (SCHEMA, SCHEMA)}, "another schema has the same id"),
        ({"schemas": (SCHEMA, OTHER)}, "and so has lamp"),  # the parallel id
        ({"name": "../../etc/passwd"}, "cannot be a collection's name"),
        ({"name": "a\n"}, "cannot be a collection's name"),
        *(({"language": tag}, "not a language tag") for tag in ("", "e", "portuguese", "pt/BR", "pt-", "../x", "a b")),
        ({"version": "1/0"}, "cannot be a collection's version"),
    ],
)
def test_a_collection_that_cannot_be_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        replace(COLLECTION, **change)


@for_each(
    "build",
    [
        *(lambda answer=answer: replace(ITEM, answer=answer) for answer in (True, 1.0, "0")),
        lambda: replace(ITEM, tags="ab"),
        lambda: replace(ITEM, text=3),
        lambda: replace(ITEM, candidates=("the lamp", "the vase")),
        lambda: replace(VARIANT, effect="keep"),
        lambda: Features(gender="female"),
        lambda: Inference("a", "b", "yes"),
        *(lambda span=span: Span(*span) for span in ((0.0, 1.5), (False, True), (3, 1), (-1, 2))),
        lambda: Collection("c", "en", SCHEMA),
    ],
)
def test_construction_checks_types_and_spans(build):
    with pytest.raises(InputError):
        build()


def test_lists_become_the_tuples_they_mean():
    item = replace(ITEM, tags=["a", "b"], candidates=list(ITEM.candidates))
    assert item == replace(ITEM, tags=("a", "b"))
    assert isinstance(hash(item), int)


@pytest.mark.parametrize("name", ["a" * 100, "हिन्दी", "cafe\u0301", "问题-1", "_x"])
def test_names_are_letters_of_any_script_up_to_a_hundred(name):
    item = replace(ITEM, id=f"{name}.0", schema_id=name, parallel_id="", tags=(name,))
    assert Schema(name, (item,)).items[0].parallel_id == f"{name}.0"
