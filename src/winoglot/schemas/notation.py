"""From the notation to the data model: a schema as a linguist writes it becomes items with spans."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypedDict
from unicodedata import normalize

from winoglot.errors import InputError, inside
from winoglot.schemas.candidate import NO_FEATURES, Candidate
from winoglot.schemas.drafts import Draft, drafts
from winoglot.schemas.forms import Inference, Source, Terms, WrittenReading
from winoglot.schemas.item import Effect, Item, Variant
from winoglot.schemas.mentions import find_mentions, resolve_mention, spell_mention
from winoglot.schemas.schema import Impossible, Schema
from winoglot.schemas.span import Span
from winoglot.schemas.words import check_name, check_text, counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.drafts import Path
    from winoglot.schemas.entries import SchemaEntry, VariantEntry
    from winoglot.schemas.function_words import FunctionWords
    from winoglot.schemas.markup import Marked

_SHOWN = 5  # mentions of a candidate in an error's example
DEFAULT_EFFECTS: dict[str, Effect] = {"switched": "flips"}


def parse_schema(entry: SchemaEntry, words: FunctionWords) -> Schema:
    """Build the schema that an entry of a YAML file describes."""
    schema_id = entry["id"]
    parallel_id = entry.get("parallel_id", schema_id)
    with inside("id"):
        check_name(schema_id, "a schema's id")
    with inside("parallel_id"):
        check_name(parallel_id, "a parallel id")
    items: list[Item] = []
    for number, (draft, path) in enumerate(drafts(entry)):
        with inside(*path), _in_lists(path, number):
            if "of" in draft:
                raise InputError("an original is derived from nothing", remedy="Take it out.", path=("of",))
            if "answer" not in draft and "inferences" not in draft:
                raise InputError(
                    f"the {'answer is' if path else 'answers are'} missing",
                    remedy="Give the index of the right candidate, from 0, for each alternative; null where unknown.",
                )
            items.append(
                Item(
                    id=draft.get("id", f"{schema_id}.{number}"),
                    schema_id=schema_id,
                    parallel_id=draft.get("parallel_id", f"{parallel_id}.{number}"),
                    **_item_fields(draft, words),
                )
            )
    variants: list[Variant] = []
    impossible: list[Impossible] = []
    for kind, variant in entry.get("variants", {}).items():
        with inside("variants", kind):
            if "impossible" not in variant:
                variants += _parse_variant(kind, variant, items, words)
            elif len(variant) == 1:
                with inside("impossible"):
                    impossible.append(Impossible(kind, variant["impossible"]))
            else:
                raise InputError("an impossible variant has other keys too", remedy="Keep only 'impossible'.")
    try:
        return Schema(
            id=schema_id,
            items=tuple(items),
            variants=tuple(variants),
            impossible=tuple(impossible),
            explanation=entry.get("explanation"),
            note=entry.get("note"),
            source=entry.get("source"),
            parallel_id=parallel_id,
        )
    except InputError as error:
        match error.path:
            case ("variants", int(index), *rest):  # the notation has them by kind
                error.path = ("variants", variants[index].kind, *rest)
        raise


@contextmanager
def _in_lists(path: Path, number: int) -> Iterator[None]:
    """Where items are not written out one by one, an item's answer is an element of `answers`."""
    try:
        yield
    except InputError as error:
        if not path and error.path == ("answer",):
            error.path = ("answers", number)
        raise


def _parse_variant(kind: str, entry: VariantEntry, items: list[Item], words: FunctionWords) -> list[Variant]:
    effect = entry.get("effect", DEFAULT_EFFECTS.get(kind, "keeps"))
    written = drafts(entry)
    if not written:
        raise InputError("the variant has no items", remedy="Write them, or take the variant out.", path=("items",))
    if "items" not in entry and len(written) != len(items):
        raise InputError(
            f"the variant has {counted(len(written), 'alternative')}, the schema has {counted(len(items), 'item')}",
            remedy="Give it the same number, or write its items out under 'items', each with 'of'.",
        )
    variants = []
    for number, (own, path) in enumerate(written):
        with inside(*path), _in_lists(path, number):
            position = own.get("of", number)
            if not 0 <= position < len(items):
                raise InputError(f"the schema has no item {position}", remedy=f"It has {len(items)}, counted from 0.")
            original = items[position]
            draft: Draft = {**inherited(original, effect, new_candidates="candidates" in own), **own}
            variants.append(
                Variant(
                    id=draft.get("id", f"{original.id}~{kind}"),
                    schema_id=original.schema_id,
                    parallel_id=draft.get("parallel_id", f"{original.parallel_id}~{kind}"),
                    kind=kind,
                    variant_of=original.id,
                    effect=effect,
                    **_item_fields(draft, words),
                )
            )
    return variants


def inherited(original: Item, effect: Effect, *, new_candidates: bool) -> Draft:
    """What a variant has from its original unless it says otherwise.

    Nothing that lies in the text; and nothing that was said of the candidates where it has new ones.
    """
    answer = original.answer if effect == "keeps" else None
    if effect == "flips" and original.answer is not None and original.candidate_count == 2:
        answer = 1 - original.answer
    draft: Draft = {"answer": answer, "question": original.question, "tags": list(original.tags)}
    if not new_candidates:
        draft["candidates"] = [candidate.text for candidate in original.candidates]
        draft["features"] = [candidate.features for candidate in original.candidates]
        draft["hypotheses"] = list(original.hypotheses)
        draft["terms"] = original.terms
    return draft


class _ItemFields(TypedDict):
    """What originals and variants are both made of, beside their ids."""

    text: str | None
    pronoun: Span | None
    candidates: tuple[Candidate, ...]
    answer: int | None
    segment: tuple[Span, ...]
    phrase: Span | None
    question: str | None
    hypotheses: tuple[str, ...]
    readings: tuple[WrittenReading | None, ...]
    inferences: tuple[Inference, ...]
    terms: Terms
    tags: tuple[str, ...]
    source: Source | None


def _item_fields(draft: Draft, words: FunctionWords) -> _ItemFields:
    marked = draft.get("text")
    phrase = draft.get("phrase")
    if phrase is not None and marked is None:
        raise InputError("there is a phrase but no text it could stand in", remedy="Give the text.", path=("phrase",))
    with inside("phrase"):
        phrase_span = resolve_mention(marked.text, phrase) if marked and phrase else None
    return {
        "text": marked.text if marked else None,
        "pronoun": marked.braces[0] if marked else None,
        "candidates": _candidates(draft, marked, words),
        "answer": draft.get("answer"),
        "segment": marked.segment if marked else (),
        "phrase": phrase_span,
        "question": draft.get("question"),
        "hypotheses": tuple(draft.get("hypotheses", ())),
        "readings": tuple(draft.get("readings", ())),
        "inferences": tuple(draft.get("inferences", ())),
        "terms": draft.get("terms", Terms()),
        "tags": tuple(draft.get("tags", ())),
        "source": draft.get("source"),
    }


def _candidates(draft: Draft, marked: Marked | None, words: FunctionWords) -> tuple[Candidate, ...]:
    texts = draft.get("candidates", [])
    mentions = draft.get("mentions")
    features = draft.get("features") or [None] * len(texts)
    for key, given in (("mentions", mentions), ("features", features)):
        if given is not None and len(given) != len(texts):
            raise InputError(
                f"{len(given)} under {key!r} for {counted(len(texts), 'candidate')}",
                remedy="Give one for each candidate.",
                path=(key,),
            )
    found: list[list[Span]] = []
    if marked is not None and mentions is None:
        found = [find_mentions(marked.text, text, words, marked.braces[0]) if text else [] for text in texts]
    candidates = []
    for index, text in enumerate(texts):
        spans: tuple[Span, ...] = ()
        if marked is not None and mentions is not None:
            with inside("mentions", index):
                spans = tuple(resolve_mention(marked.text, spelled) for spelled in mentions[index] if spelled)
        with inside("candidates", index):
            if found[index:]:
                spans = (_only(found, index, texts, marked, words),) if marked else ()
            candidates.append(Candidate(text, spans, features[index] or NO_FEATURES))
    return tuple(candidates)


def _only(found: list[list[Span]], index: int, texts: list[str], marked: Marked, words: FunctionWords) -> Span:
    """The one mention of a candidate; where there is not one, an error that shows what to write under 'mentions'."""
    check_text(texts[index], "the candidate")
    if len(found[index]) == 1:
        return found[index][0]
    spelled = [[spell_mention(marked.text, span) for span in spans[:_SHOWN]] for spans in found[: index + _SHOWN]]
    example = json.dumps(spelled, ensure_ascii=False)
    if found[index]:
        raise InputError(
            f"the candidate {texts[index]!r} occurs {len(found[index])} times in {marked.text!r}",
            remedy=f"Say which of them are meant: mentions: {example}.",
        )
    remedy = f"Write in which form it does, or leave its list empty if it does not: mentions: {example}."
    if _occurs_composed(texts[index], marked, words):
        remedy = "They look alike but are encoded differently: save the file with composed letters (Unicode NFC)."
    raise InputError(f"the candidate {texts[index]!r} does not occur in {marked.text!r}", remedy=remedy)


def _occurs_composed(candidate: str, marked: Marked, words: FunctionWords) -> bool:
    """Whether the text mentions the candidate once both are written with composed letters."""
    pronoun = marked.braces[0]
    start, end = (len(normalize("NFC", marked.text[:at])) for at in (pronoun.start, pronoun.end))
    text, candidate = normalize("NFC", marked.text), normalize("NFC", candidate)
    return bool(find_mentions(text, candidate, words, Span(start, end)))
