"""From the notation to the data model: a schema as a linguist writes it becomes items with spans."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypedDict
from unicodedata import normalize

from winoglot.errors import InputError, inside
from winoglot.schemas.markup import Marked, Markup, parse
from winoglot.schemas.mentions import find_mentions, resolve_mention, spell_mention
from winoglot.schemas.model import (
    NO_FEATURES,
    Candidate,
    Effect,
    Features,
    Impossible,
    Inference,
    Item,
    Schema,
    Source,
    Terms,
    Variant,
    WrittenReading,
)
from winoglot.schemas.spans import Span
from winoglot.schemas.text import check_name, check_text, counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.entries import AlternativesEntry, ItemEntry, SchemaEntry, SharedEntry, VariantEntry
    from winoglot.schemas.mentions import FunctionWords

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


Path = tuple[str | int, ...]


class Draft(TypedDict, total=False):
    """One item on its way: alternatives chosen, mentions not yet found. A key that is absent was not written."""

    id: str
    parallel_id: str
    of: int
    text: Marked | None
    answer: int | None
    candidates: list[str]
    mentions: list[list[str]]
    features: list[Features | None]
    phrase: str | None
    question: str | None
    hypotheses: list[str]
    readings: list[WrittenReading | None]
    inferences: list[Inference]
    terms: Terms
    tags: list[str]
    source: Source | None


def drafts(entry: AlternativesEntry) -> list[tuple[Draft, Path]]:
    """One draft an item, with the path to where it is written."""
    if "items" not in entry:
        return [(draft, ()) for draft in _alternatives(entry)]
    for key in ("text", "answers", "mentions", "phrase", "readings", "hypotheses"):
        if key in entry:
            raise InputError(
                f"{key!r} stands beside 'items'", remedy="Move it into the items.", path=(key,), at_key=True
            )
    result: list[tuple[Draft, Path]] = []
    _check_one_each(entry, len(entry["items"]), "item", ("question",))
    for index, item in enumerate(entry["items"]):
        draft = _shared_draft(entry, None, 0, 1)  # what the items have in common
        if "question" in entry:
            draft["question"] = _question(entry, index, 1)
        with inside("items", index):
            draft.update(_written_out(item))
        result.append((draft, ("items", index)))
    return result


def _written_out(item: ItemEntry) -> Draft:
    text = _text_markup(item)
    if text and (text.count or 1) > 1:
        raise InputError(
            "the text of a single item has alternatives", remedy="Mark its segment with [ ], without |.", path=("text",)
        )
    draft = _shared_draft(item, text, 0, 1)
    if "id" in item:
        draft["id"] = item["id"]
    if "parallel_id" in item:
        draft["parallel_id"] = item["parallel_id"]
    if "of" in item:
        draft["of"] = item["of"]
    if "answer" in item:
        draft["answer"] = item["answer"]
    if "inferences" in item:
        draft["inferences"] = item["inferences"]
    if "source" in item:
        draft["source"] = item["source"]
    if "question" in item:
        draft["question"] = item["question"] and _choose(item["question"], 0, 1, "question")
    if "hypotheses" in item:
        draft["hypotheses"] = _choose_each(item["hypotheses"] or [], 0, 1, "hypotheses")
    if "readings" in item:
        draft["readings"] = [_reading(r, 0, 1, "readings", i) for i, r in enumerate(item["readings"] or [])]
    return draft


def _alternatives(entry: AlternativesEntry) -> list[Draft]:
    """One draft an alternative of the text; a schema without a text has as many as it has answers."""
    text = _text_markup(entry)
    answers = entry.get("answers")
    if text is None and answers is None:
        raise InputError("there is no text", remedy="Give a 'text' with its pronoun marked, or 'items'.")
    count = (text.count or 1) if text else len(answers or ())
    by_alternative = ("answers", "question", "readings") + (() if _is_by_candidate(entry) else ("hypotheses",))
    _check_one_each(entry, count, "alternative", by_alternative)
    return [_alternative(entry, text, number, count) for number in range(count)]


def _check_one_each(entry: AlternativesEntry, count: int, what: str, keys: tuple[str, ...]) -> None:
    for key in keys:
        values = entry.get(key)
        if isinstance(values, list) and len(values) != count:
            raise InputError(
                f"{counted(count, what)} but {len(values)} under {key!r}",
                remedy=f"Give one for each {what}, in order; null where there is none.",
                path=(key,),
            )


def _alternative(entry: AlternativesEntry, text: Markup | None, number: int, count: int) -> Draft:
    draft = _shared_draft(entry, text, number, count)
    if "answers" in entry:
        draft["answer"] = entry["answers"][number]
    if "question" in entry:
        draft["question"] = _question(entry, number, count)
    if "hypotheses" in entry:
        draft["hypotheses"] = _hypotheses(entry, number, count)
    if "readings" in entry:
        row = entry["readings"][number] if entry["readings"] else []
        draft["readings"] = [_reading(r, number, count, "readings", number, i) for i, r in enumerate(row)]
    return draft


def _shared_draft(entry: SharedEntry, text: Markup | None, number: int, count: int) -> Draft:
    draft: Draft = {}
    if "text" in entry:
        draft["text"] = text.alternative(number) if text else None
    if "candidates" in entry:
        draft["candidates"] = _choose_each(entry["candidates"], number, count, "candidates")
    if "mentions" in entry:
        rows = enumerate(entry["mentions"])
        draft["mentions"] = [_choose_each(row, number, count, "mentions", index) for index, row in rows]
    if "features" in entry:
        draft["features"] = entry["features"] or []
    if "phrase" in entry:
        draft["phrase"] = entry["phrase"] and _choose(entry["phrase"], number, count, "phrase")
    if "tags" in entry:
        draft["tags"] = entry["tags"]
    if "terms" in entry:
        draft["terms"] = _terms(entry, number, count)
    return draft


def _question(entry: AlternativesEntry, number: int, count: int) -> str | None:
    question = entry["question"]
    path: Path = ("question",)
    if isinstance(question, list):
        question, path = question[number], ("question", number)
    return question and _choose(question, number, count, *path)


def _is_by_candidate(entry: AlternativesEntry) -> bool:
    """Hypotheses may be one text a candidate, alternatives in brackets, instead of one list an alternative."""
    hypotheses = entry.get("hypotheses") or []
    kinds = {type(row) for row in hypotheses}
    if len(kinds) > 1:
        raise InputError(
            "texts and lists are mixed", remedy="Write one list for each alternative.", path=("hypotheses",)
        )
    return kinds == {str}


def _hypotheses(entry: AlternativesEntry, number: int, count: int) -> list[str]:
    texts: list[str] = []
    rows = entry["hypotheses"] or []
    for index, row in enumerate(rows):
        if isinstance(row, str):
            texts += _choose_each([row], number, count, "hypotheses", index)
        elif index == number:
            texts += _choose_each(row, number, count, "hypotheses", index)
    return texts


def _terms(entry: SharedEntry, number: int, count: int) -> Terms:
    terms = entry["terms"] or {}
    segment = terms.get("segment")
    if isinstance(segment, list):
        if len(segment) != count:
            raise InputError(
                f"{counted(count, 'alternative')} but {counted(len(segment), 'term')}",
                remedy="Give one for each.",
                path=("terms", "segment"),
            )
        segment = segment[number]
    candidates = _choose_each(terms.get("candidates", []), number, count, "terms", "candidates")
    term = _choose(segment, number, count, "terms", "segment") if segment else ""
    return Terms(tuple(candidates), term or None)  # an empty alternative has no term


def _text_markup(entry: SharedEntry) -> Markup | None:
    text = entry.get("text")
    if text is None:
        return None
    with inside("text"):
        markup = parse(text)
        for number in range(markup.count or 1):
            found = len(markup.alternative(number).braces)
            if found != 1:
                which = f"alternative {number} of the text" if markup.count else "the text"
                hint = "The marks are { } [ ] |, not ｛ ｝ ［ ］ ｜." if set(text) & set("｛｝［］｜") else ""
                raise InputError(
                    f"{which} has {counted(found, 'pronoun') if found else 'no pronoun'}: {text!r}",
                    remedy=hint or "Mark exactly one, as {ela}, or as {} where it is not spoken.",
                )
        return markup


def _marked(string: str, number: int, count: int, *path: str | int) -> Marked:
    with inside(*path):
        markup = parse(string)
        if markup.count not in (None, count):
            raise InputError(
                f"{string!r} has {counted(markup.count or 0, 'alternative')}, the text has {count}",
                remedy="Groups vary together: give each the same number; beside 'items', write it inside each item.",
            )
        return markup.alternative(number if markup.count else 0)


def _choose(string: str, number: int, count: int, *path: str | int) -> str:
    marked = _marked(string, number, count, *path)
    if marked.braces:
        raise InputError(
            f"{string!r} has a pronoun marked",
            remedy=r"Only a text and a reading have marks { }; write \{ \}.",
            path=path,
        )
    return marked.text


def _choose_each(strings: list[str], number: int, count: int, *path: str | int) -> list[str]:
    return [_choose(string, number, count, *path, index) for index, string in enumerate(strings)]


def _reading(string: str | None, number: int, count: int, *path: str | int) -> WrittenReading | None:
    if string is None:
        return None
    marked = _marked(string, number, count, *path)
    if len(marked.braces) > 1:
        raise InputError(f"{string!r} has two insertions marked", remedy="Mark only one with {…}.", path=path)
    with inside(*path):
        return WrittenReading(marked.text, marked.braces[0] if marked.braces else None)
