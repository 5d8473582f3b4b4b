"""Small runs made by hand, and any number of them made at random."""

from dataclasses import dataclass

from hypothesis import strategies as st

from winoglot import Candidate, Collection, Item, Schema, Span, Variant
from winoglot.models.base import names_baseline
from winoglot.runs.run import Prediction, Run, Settings

NAMES = ("Ana", "Bea", "Cleo", "Dora")


@dataclass(frozen=True)
class Made:
    """One item of a schema, what a solver chose, and what it chose for its variants (by kind)."""

    answer: int | None = 0
    choice: int | None = 0
    candidates: int = 2
    variants: tuple[tuple[str, int | None], ...] = ()
    tags: tuple[str, ...] = ()
    scores: tuple[float | None, ...] = ()
    fallback: bool = False
    window: str = ""


def varied_schema():
    """A schema with everything that a figure can show: scores, a tag, and variants that flip or remove the answer."""
    return [
        Made(
            answer=at,
            choice=at,
            scores=(-1.0, -2.0),
            tags=("social",),
            variants=(("switched", 1 - at), ("segment-masked", 0)),
        )
        for at in (0, 1)
    ]


EFFECTS = {"switched": "flips", "segment-masked": "removes"}


def _parts(made, schema_id, number, extra=""):
    text = " met ".join(NAMES[: made.candidates]) + f" because she waved {schema_id} {number}{extra}."
    candidates = tuple(
        Candidate(name, mentions=(Span(text.index(name), text.index(name) + len(name)),))
        for name in NAMES[: made.candidates]
    )
    start = text.index("she")
    return {"text": text, "pronoun": Span(start, start + 3), "candidates": candidates, "tags": made.tags}


def _variant(made, schema_id, number, kind):
    effect = EFFECTS.get(kind, "keeps")
    answer = None if effect == "removes" else made.answer
    if effect == "flips" and answer is not None:
        answer = (answer + 1) % made.candidates
    item_id = f"{schema_id}.{number}"
    parts = _parts(made, schema_id, number, f" {kind}")
    return Variant(f"{item_id}~{kind}", schema_id, answer=answer, **parts, kind=kind, variant_of=item_id, effect=effect)


def collection_of(schemas, name="made", language="en", prefix="s"):
    """A collection with a schema for each list of items made."""
    found = []
    for place, items in enumerate(schemas):
        schema_id = f"{prefix}{place}"
        originals = tuple(
            Item(f"{schema_id}.{number}", schema_id, answer=made.answer, **_parts(made, schema_id, number))
            for number, made in enumerate(items)
        )
        variants = tuple(
            _variant(made, schema_id, number, kind) for number, made in enumerate(items) for kind, _ in made.variants
        )
        found.append(Schema(schema_id, originals, variants))
    return Collection(name=name, language=language, schemas=tuple(found))


def run_of(schemas, model="solver", **keys):
    """A run over such a collection; keys are those of a collection or of the settings."""
    about = {key: keys.pop(key) for key in ("name", "language", "prefix") if key in keys}
    collection = collection_of(schemas, **about)
    predictions = []
    for schema, items in zip(collection.schemas, schemas, strict=True):
        for item, made in zip(schema.items, items, strict=True):
            predictions.append(
                Prediction(item.id, item.hash, made.choice, made.scores, fallback=made.fallback, window=made.window)
            )
            predictions += [Prediction(f"{item.id}~{kind}", "", choice) for kind, choice in made.variants]
    given = {"scoring": "partial", "readings": "naive", "fingerprint": "0123456789abcdef"} | keys
    settings = Settings(model=model, **given)
    return Run(collection, settings, tuple(predictions), is_baseline=names_baseline(model))


def pairs_of(outcomes):
    """Schemas of two items each, both answered 0: 1 is right, 0 wrong, None an abstention."""
    return [[Made(choice=None if right is None else 1 - right) for right in pair] for pair in outcomes]


@st.composite
def made_items(draw, kinds=()):
    """Any item, answered or not, labelled or not, with any of the kinds."""
    candidates = draw(st.sampled_from([2, 2, 2, 3]))
    choice = st.none() | st.integers(0, candidates - 1)
    chosen = [kind for kind in kinds if draw(st.booleans())]
    return Made(
        answer=draw(choice),
        choice=draw(choice),
        candidates=candidates,
        variants=tuple((kind, draw(choice)) for kind in chosen),
    )


def made_schemas(kinds=(), largest=8):
    """Any number of schemas of one to three items; the variants of a kind may be missing for some of them."""
    return st.lists(st.lists(made_items(kinds), min_size=1, max_size=3), min_size=1, max_size=largest)
