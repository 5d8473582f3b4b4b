"""Every schema the data model allows, as hypothesis makes them up."""

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from winoglot.errors import InputError
from winoglot.schemas.model import (
    BY_RULE,
    BlindAnswer,
    Candidate,
    Collection,
    Features,
    Impossible,
    Inference,
    Item,
    Made,
    Schema,
    Source,
    Terms,
    Variant,
    WrittenReading,
)
from winoglot.schemas.spans import Span

# Marks, escapes, spaces and YAML's own characters far more often than chance would bring them.
characters = st.one_of(
    st.sampled_from("{}[]|\\ #1'\":-\n\t.,?%&*!>@`~aA字　’é"),
    st.characters(blacklist_categories=("Cs", "Cc")),
)
texts = st.text(characters, min_size=1, max_size=24).map(str.strip).filter(bool)
names = st.from_regex(r"[a-z字][a-z0-9._-]{0,8}", fullmatch=True)


@st.composite
def spans(draw, text, *, empty=True):
    start = draw(st.integers(0, len(text) - (not empty)))
    return Span(start, draw(st.integers(start + (not empty), len(text))))


def words(text):
    """Stretches that begin and end with something to see."""
    return spans(text, empty=False).filter(lambda span: span.of(text) == span.of(text).strip())


@st.composite
def pronouns_and_segments(draw, text):
    edges = sorted(draw(st.lists(st.integers(0, len(text)), max_size=4)))
    segment = tuple(Span(*pair) for pair in zip(edges[::2], edges[1::2], strict=False))

    def fits(pronoun):
        return all(not p.overlaps(pronoun) or p.within(pronoun) or pronoun.within(p) for p in segment)

    def is_pronoun(span):
        return span.start == span.end or span.of(text).strip()

    return draw(spans(text).filter(fits).filter(is_pronoun)), segment


features = st.builds(
    Features,
    gender=st.sampled_from([None, "feminine"]),
    number=st.sampled_from([None, "plural"]),
    animacy=st.sampled_from([None, "thing"]),
)
ways_of_making = st.sampled_from([None, BY_RULE]) | st.builds(
    Made,
    by=st.just("model"),
    model=texts,
    prompt=st.none() | texts,
    draft=st.none() | texts,
    changed=st.sampled_from([None, 0.0, 0.25]),
    judged_by=st.lists(texts, max_size=2).map(tuple),
    read_by=st.lists(st.builds(BlindAnswer, texts, texts, st.booleans()), max_size=1).map(tuple),
)
sources = st.none() | st.builds(Source, texts, st.none() | texts, st.none() | texts)


@st.composite
def candidates(draw, text):
    mentions = () if text is None else tuple(draw(st.lists(words(text), max_size=2)))
    role = draw(st.sampled_from([None, "subject", "possessor"]))
    return Candidate(draw(texts), mentions, draw(features), role)


@st.composite
def readings(draw, *, marked):
    text = draw(texts)
    inserted = draw(spans(text, empty=False)) if marked or draw(st.booleans()) else None
    return WrittenReading(text, inserted)


@st.composite
def item_fields(draw):
    text = draw(st.none() | texts)
    fields = {"text": text, "tags": tuple(draw(st.lists(names, max_size=2, unique=True))), "source": draw(sources)}
    fields["question"] = draw(st.none() | texts)
    if text is not None:
        fields["pronoun"], fields["segment"] = draw(pronouns_and_segments(text))
        fields["phrase"] = draw(st.none() | words(text))
    one_by_one = {"min_size": int(text is not None), "max_size": 3, "unique_by": lambda candidate: candidate.text}
    fields["candidates"] = tuple(draw(st.lists(candidates(text), **one_by_one)))
    assume(fields.get("pronoun") not in [mention for c in fields["candidates"] for mention in c.mentions])
    count = len(fields["candidates"]) or draw(st.integers(0, 2))
    one_each = {"min_size": count, "max_size": count}
    reading = readings(marked=False) if text is None else st.none() | readings(marked=True)
    if count and draw(st.booleans()):
        fields["readings"] = tuple(draw(st.lists(reading, **one_each)))
    count = len(fields["candidates"]) or len(fields.get("readings", ()))
    one_each = {"min_size": count, "max_size": count}
    if draw(st.booleans()):
        fields["hypotheses"] = tuple(draw(st.lists(texts, **one_each)))
    if draw(st.booleans()):
        fields["terms"] = Terms(tuple(draw(st.lists(texts, **one_each))), draw(st.none() | texts))
    if (not any(fields.get("readings", ())) and text is None) or draw(st.booleans()):
        pairs = st.builds(Inference, texts, texts, st.sampled_from([None, True, False]))
        fields["inferences"] = tuple(draw(st.lists(pairs, min_size=1, max_size=2)))
    fields["answer"] = draw(st.none() | st.integers(0, count - 1)) if count else None
    fields["confidence"] = draw(st.sampled_from([None, 0.5, 0.975, 1.0]))
    return fields


@st.composite
def variants(draw, items):
    made = []
    for kind in draw(st.lists(st.sampled_from(["switched", "tense", "own-kind"]), max_size=2, unique=True)):
        effect = draw(st.sampled_from(["keeps", "flips", "removes"]))
        way = draw(ways_of_making)
        for item in draw(st.lists(st.sampled_from(items), max_size=len(items), unique=True)):
            fields = draw(item_fields())
            count = len(fields["candidates"]) or len(fields.get("readings", ()))
            if effect == "keeps":
                fields["answer"] = item.answer
            elif effect == "removes" or item.answer is None:
                fields["answer"] = None
            elif fields["answer"] == item.answer:
                fields["answer"] = (item.answer + 1) % max(count, 2)
            if fields["answer"] is not None and fields["answer"] >= count:
                continue
            parallel_id = draw(st.sampled_from([f"{item.parallel_id}~{kind}", f"p.{item.id}~x-{kind}"]))
            identity = {"id": f"{item.id}~{kind}", "schema_id": item.schema_id, "parallel_id": parallel_id}
            made.append(Variant(**identity, **fields, kind=kind, variant_of=item.id, effect=effect, made=way))
    return tuple(made)


@st.composite
def schemas(draw):
    schema_id = draw(names)
    parallel_id = draw(st.sampled_from([schema_id, "other"]))
    numbers = sorted(draw(st.lists(st.integers(0, 4), min_size=1, max_size=3, unique=True)))
    items = []
    for position, number in enumerate(numbers):
        parallel = draw(st.sampled_from([f"{parallel_id}.{position}", f"p.{schema_id}.{number}"]))
        fields = draw(item_fields())
        items.append(Item(id=f"{schema_id}.{number}", schema_id=schema_id, parallel_id=parallel, **fields))
    fields = {
        "variants": draw(variants(items)),
        "impossible": tuple(
            draw(
                st.lists(
                    st.builds(
                        Impossible, st.just("voice"), texts.filter(lambda text: text.lower() not in ("true", "yes"))
                    ),
                    max_size=1,
                )
            )
        ),
        "adaptation": draw(st.sampled_from([None, "close", "details", "situation"])),
        "explanation": draw(st.none() | texts),
        "note": draw(st.none() | texts),
        "source": draw(sources),
        "made": draw(ways_of_making),
    }
    try:
        return Schema(id=schema_id, items=tuple(items), parallel_id=parallel_id, **fields)
    except InputError:  # a variant whose answer does not do what its effect says, or with reordered candidates
        assume(False)


_DRAWN = []


def some_collections():
    """A hundred collections that hypothesis makes up, drawn once per session: drawing takes longer than most tests."""
    if not _DRAWN:

        @settings(max_examples=100, database=None, suppress_health_check=list(HealthCheck))
        @given(collections())
        def draw_them(collection):
            _DRAWN.append(collection)

        draw_them()
    return _DRAWN


@st.composite
def collections(draw):
    fields = {
        "name": draw(names),
        "language": draw(st.sampled_from(["en", "pt-BR", "fr", "zh", "tlh"])),
        "schemas": tuple(draw(st.lists(schemas(), min_size=1, max_size=2, unique_by=lambda schema: schema.id))),
        "version": draw(st.sampled_from(["1.0", "2026-11"])),
        "description": draw(st.none() | texts),
        "licence": draw(st.none() | texts),
        "citation": draw(st.none() | texts),
        "validated": draw(st.sampled_from([None, "models", "people"])),
        "provenance": tuple(draw(st.lists(texts, max_size=2))),
        "keep_names": tuple(draw(st.lists(texts, max_size=2))),
        "untranslatable": draw(st.dictionaries(st.just("far-away"), texts, max_size=1)),
    }
    try:
        return Collection(**fields)
    except InputError:  # two items with one parallel id
        assume(False)
