"""From the notation to the data model: a schema as a linguist writes it becomes items with spans.

An entry is taken apart into drafts, one per item: alternatives chosen, but mentions not yet found. A key that is absent
from a draft was not written, so that a variant can take it from its original.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from winoglot.errors import Faults, InputError, error_path
from winoglot.schemas.markup import Marked, Markup, escape, join_lists, parse
from winoglot.schemas.mentions import find_mentions, resolve_mention, spell_mention
from winoglot.schemas.model import (
    NO_FEATURES,
    BlindAnswer,
    Candidate,
    Effect,
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
from winoglot.schemas.text import (
    MAX_CANDIDATES,
    MAX_ITEMS,
    MAX_MENTIONS,
    check_name,
    check_number,
    check_text,
    counted,
    is_unspaced,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from winoglot.schemas.entries import AlternativesEntry, ItemEntry, SchemaEntry, SharedEntry, VariantEntry
    from winoglot.schemas.mentions import FunctionWords

Draft = dict[str, Any]
DEFAULT_EFFECTS: dict[str, Effect] = {"switched": "flips"}
_SHOWN = 5  # candidates, mentions of each, and alternatives in an error's example


def parse_schema(entry: SchemaEntry, words: FunctionWords) -> Schema:
    """Build the schema that an entry of a YAML file describes."""
    schema_id = entry["id"]
    parallel_id = entry.get("parallel_id", schema_id)
    with error_path("id"):
        check_name(schema_id, "a schema's id")
    with error_path("parallel_id"):
        check_name(parallel_id, "a parallel id")
    items: list[Item] = []
    faults = Faults()
    for position, (draft, path) in enumerate(drafts(entry)):
        with faults.collected(), error_path(*path), _in_lists(path, position):
            if "of" in draft:
                raise InputError("an original is not derived from another item", remedy="Remove 'of'.", path=("of",))
            if "answer" not in draft and "inferences" not in draft:
                raise InputError(
                    f"the {'answer is' if path else 'answers are'} missing",
                    remedy="Give the index of the right candidate, from 0, for each alternative; null if unknown.",
                )
            item_id = draft.get("id", f"{schema_id}.{position}")
            parallel = draft.get("parallel_id", f"{parallel_id}.{position}")
            items.append(Item(item_id, schema_id, parallel, **_fields(draft, words)))
    faults.raise_together()
    variants: list[Variant] = []
    impossible: list[Impossible] = []
    for kind, variant in entry.get("variants", {}).items():
        with faults.collected(), error_path("variants", kind):
            if "impossible" not in variant:
                variants += _parse_variant(kind, variant, items, words)
            elif len(variant) == 1:
                with error_path("impossible"):
                    impossible.append(Impossible(kind, variant["impossible"]))
            else:
                raise InputError("an impossible variant has other keys too", remedy="Keep only 'impossible'.")
    faults.raise_together()
    source, made = parse_source(entry), parse_made(entry)
    try:
        return Schema(
            id=schema_id,
            items=tuple(items),
            variants=tuple(variants),
            impossible=tuple(impossible),
            explanation=entry.get("explanation"),
            note=entry.get("note"),
            source=source,
            parallel_id=parallel_id,
            adaptation=entry.get("adaptation"),
            made=made,
        )
    except InputError as error:
        match error.path:
            case ("variants", int(index), *rest):  # the notation has them by kind
                error.path = ("variants", variants[index].kind, *rest)
        raise


def parse_source(entry: Mapping[str, Any]) -> Source | None:
    """Where the schema or item of an entry comes from, if it says so."""
    with error_path("source"):
        return Source(**entry["source"]) if entry.get("source") else None


def parse_made(entry: Mapping[str, Any]) -> Made | None:
    """How the schema or variant of an entry was made, if it says so."""
    made = entry.get("made")
    if not made:
        return None
    with error_path("made"):
        return Made(**made | {"read_by": tuple(BlindAnswer(**answer) for answer in made.get("read_by", ()))})


@contextmanager
def _in_lists(path: tuple[str | int, ...], number: int) -> Iterator[None]:
    """If items are not written out one by one, an item's answer and confidence are elements of lists."""
    try:
        yield
    except InputError as error:
        if not path and error.path in (("answer",), ("confidence",)):
            error.path = ("answers" if error.path == ("answer",) else "confidence", number)
        raise


# Variants


def _parse_variant(kind: str, entry: VariantEntry, items: list[Item], words: FunctionWords) -> list[Variant]:
    effect = entry.get("effect", DEFAULT_EFFECTS.get(kind, "keeps"))
    entry_drafts = drafts(entry)
    if not entry_drafts:
        raise InputError("the variant has no items", remedy="Write them, or remove the variant.", path=("items",))
    if "items" not in entry and len(entry_drafts) != len(items):
        raise InputError(
            f"the variant has {counted(len(entry_drafts), 'alternative')}, "
            f"the schema has {counted(len(items), 'item')}",
            remedy="Give it the same number, or write its items out under 'items', each with 'of'.",
        )
    variants = []
    made = parse_made(entry)
    for index, (changes, path) in enumerate(entry_drafts):
        with error_path(*path), _in_lists(path, index):
            position = changes.get("of", index)
            if not 0 <= position < len(items):
                raise InputError(f"the schema has no item {position}", remedy=f"It has {len(items)}, counted from 0.")
            original = items[position]
            draft = inherited(original, effect, changes.get("candidates")) | changes
            variants.append(
                Variant(
                    draft.get("id", f"{original.id}~{kind}"),
                    original.schema_id,
                    draft.get("parallel_id", f"{original.parallel_id}~{kind}"),
                    kind=kind,
                    variant_of=original.id,
                    effect=effect,
                    made=made,
                    **_fields(draft, words),
                )
            )
    return variants


def inherited(original: Item, effect: Effect, new_candidates: Sequence[object] | None) -> Draft:
    """What a variant inherits from its original unless it says otherwise.

    Nothing that lies in the text; and, if it has new candidates, nothing that was said about the old ones but their
    roles: each new candidate takes the place of the old one, or of the other one if the answer may flip.
    """
    answer = original.answer if effect == "keeps" else None
    if effect == "flips" and original.answer is not None and original.candidate_count == 2:
        answer = 1 - original.answer
    draft: Draft = {"answer": answer, "question": original.question, "tags": original.tags}
    if new_candidates is None or len(new_candidates) == len(original.candidates):
        roles = [candidate.role for candidate in original.candidates]
        draft["roles"] = roles[::-1] if effect in ("flips", "unknown") and len(roles) == 2 else roles
    if new_candidates is None:
        draft["candidates"] = [candidate.text for candidate in original.candidates]
        draft["features"] = [candidate.features for candidate in original.candidates]
        draft["hypotheses"] = original.hypotheses
        draft["terms"] = original.terms
    return draft


# From a draft to an item


def _fields(draft: Draft, words: FunctionWords) -> dict[str, Any]:
    """What originals and variants are both made of, besides their ids."""
    marked: Marked | None = draft.get("text")
    phrase = draft.get("phrase")
    if phrase is not None and marked is None:
        raise InputError("there is a phrase but no text", remedy="Give the text.", path=("phrase",))
    with error_path("phrase"):
        phrase_span = resolve_mention(marked.text, phrase) if marked and phrase else None
    single = ("answer", "question", "terms", "confidence", "source")
    fields: dict[str, Any] = {key: draft[key] for key in single if key in draft}
    fields |= {key: tuple(draft.get(key, ())) for key in ("hypotheses", "readings", "inferences", "tags")}
    if marked:
        fields |= {"text": marked.text, "pronoun": marked.braces[0], "segment": marked.segment, "phrase": phrase_span}
    return fields | {"candidates": _candidates(draft, marked, words)}


def _candidates(draft: Draft, marked: Marked | None, words: FunctionWords) -> tuple[Candidate, ...]:
    texts = draft.get("candidates", [])
    mentions = draft.get("mentions")
    features = draft.get("features") or [None] * len(texts)
    roles = draft.get("roles") or [None] * len(texts)
    for key, values in (("mentions", mentions), ("features", features), ("roles", roles)):
        if values is not None and len(values) != len(texts):
            raise InputError(
                f"{len(values)} under {key!r} for {counted(len(texts), 'candidate')}",
                remedy="Give one for each candidate.",
                path=(key,),
            )
    with error_path("candidates"):
        check_number(len(texts), MAX_CANDIDATES, "candidates", "Keep those that matter.")
    with error_path("mentions"):
        check_number(sum(map(len, mentions or ())), MAX_MENTIONS, "mentions", "Keep those that matter.")
    candidates = []
    faults = Faults()
    for index, text in enumerate(texts):
        spans: tuple[Span, ...] = ()
        if marked is not None and mentions is not None:
            with faults.collected(), error_path("mentions", index):
                spans = tuple(resolve_mention(marked.text, spelled) for spelled in mentions[index] if spelled)
        with faults.collected(), error_path("candidates", index):
            check_text(text, "the candidate")
            if marked is not None and mentions is None:
                spans = (_only_mention(index, draft, words),)
            candidates.append(Candidate(text, spans, features[index] or NO_FEATURES, roles[index]))
    faults.raise_together()
    return tuple(candidates)


def _only_mention(index: int, draft: Draft, words: FunctionWords) -> Span:
    """The only mention of a candidate; if there is not just one, an error that shows what to write under 'mentions'."""
    marked: Marked = draft["text"]
    candidate: str = draft["candidates"][index]
    spans = _mention_spans(marked, candidate, words)
    if len(spans) > 1 and is_unspaced(candidate[-1]):  # 父 is no mention inside 祖父
        names = [name for name in draft["candidates"] if name != candidate]
        rivals = [span for name in names for span in _mention_spans(marked, name, words)]
        spans = [span for span in spans if not any(span.within(rival) and span != rival for rival in rivals)] or spans
    if len(spans) == 1:
        return spans[0]
    if not spans and _occurs_composed(candidate, marked, words):
        remedy = "They look alike but are encoded differently: save the file with composed letters (Unicode NFC)."
    else:
        example = _mentions_example(draft, index, words)
        how = "Say which of them are meant" if spans else "Write the form that does, or an empty list if none does"
        remedy = f"{how}: mentions: {example}."
    occurs = f"occurs {len(spans)} times" if spans else "does not occur"
    raise InputError(f"the candidate {candidate!r} {occurs} in {shown(marked.text)}", remedy=remedy)


def _mention_spans(marked: Marked, candidate: str, words: FunctionWords) -> list[Span]:
    return find_mentions(marked.text, candidate, words, marked.braces[0]) if candidate else []


def _mentions_example(draft: Draft, index: int, words: FunctionWords) -> str:
    """The mentions that were found, as they are to be written, for the alternatives of the entry at once."""
    rows = []
    for place in range(min(len(draft["candidates"]), index + _SHOWN)):
        spelled = []
        for other in draft.get("alternatives", [draft])[:_SHOWN]:
            marked, candidate = other["text"], other.get("candidates", draft["candidates"])[place]
            spans = _mention_spans(marked, candidate, words)[:_SHOWN]
            spelled.append([escape(spell_mention(marked.text, span)) for span in spans])
        rows.append(join_lists(spelled))
    return json.dumps(rows, ensure_ascii=False)


def _occurs_composed(candidate: str, marked: Marked, words: FunctionWords) -> bool:
    """Whether the text mentions the candidate once both are written with composed letters."""
    pronoun = marked.braces[0]
    start, end = (len(normalize("NFC", marked.text[:index])) for index in (pronoun.start, pronoun.end))
    text, candidate = normalize("NFC", marked.text), normalize("NFC", candidate)
    return bool(find_mentions(text, candidate, words, Span(start, end)))


# From an entry to drafts


def drafts(entry: AlternativesEntry) -> list[tuple[Draft, tuple[str | int, ...]]]:
    """One draft per item, with the path to where it is written."""
    if "items" not in entry:
        return [(draft, ()) for draft in _alternatives(entry)]
    for key in ("text", "answers", "mentions", "phrase", "readings", "hypotheses", "confidence"):
        if key in entry:
            raise InputError(
                f"{key!r} is given beside 'items'", remedy="Move it into the items.", path=(key,), at_key=True
            )
    _check_one_each(entry, len(entry["items"]), "item", ("question",))
    result: list[tuple[Draft, tuple[str | int, ...]]] = []
    for index, item in enumerate(entry["items"]):
        draft = _shared_fields(entry, None, _ALONE)  # what the items have in common
        if "question" in entry:
            draft["question"] = _question(entry, index, _ALONE)
        with error_path("items", index):
            draft |= _item_draft(item)
        result.append((draft, ("items", index)))
    return result


def _item_draft(item: ItemEntry) -> Draft:
    text = _text_markup(item)
    if text and (text.count or 1) > 1:
        raise InputError(
            "the text of a single item has alternatives", remedy="Mark its segment with [ ], without |.", path=("text",)
        )
    draft = _shared_fields(item, text, _ALONE)
    draft |= {key: item[key] for key in ("id", "parallel_id", "of", "answer", "confidence") if key in item}
    if "inferences" in item:
        draft["inferences"] = []
        for index, inference in enumerate(item["inferences"]):
            with error_path("inferences", index):
                draft["inferences"].append(Inference(**inference))
    if "source" in item:
        draft["source"] = parse_source(item)
    if "question" in item:
        draft["question"] = item["question"] and _ALONE.text(item["question"], "question")
    if "hypotheses" in item:
        draft["hypotheses"] = _ALONE.texts(item["hypotheses"] or [], "hypotheses")
    if "readings" in item:
        draft["readings"] = _ALONE.readings(item["readings"] or [], "readings")
    return draft


def _alternatives(entry: AlternativesEntry) -> list[Draft]:
    """One draft per alternative of the text; a schema without a text has as many as it has answers."""
    text = _text_markup(entry)
    answers = entry.get("answers")
    if text is None and answers is None:
        raise InputError("there is no text", remedy="Give a 'text' with its pronoun marked, or 'items'.")
    count = (text.count or 1) if text else len(answers or ())
    by_alternative = ("answers", "question", "readings", "confidence") + (
        () if _is_by_candidate(entry) else ("hypotheses",)
    )
    _check_one_each(entry, count, "alternative", by_alternative)
    check_number(count, MAX_ITEMS, "alternatives", "Write several schemas.")
    parsed: dict[str, Markup] = {}
    result = [_alternative(entry, text, _Alternative(index, count, parsed)) for index in range(count)]
    if text is not None:
        for draft in result:
            draft["alternatives"] = result
    return result


def _alternative(entry: AlternativesEntry, text: Markup | None, chosen: _Alternative) -> Draft:
    number = chosen.number
    draft = _shared_fields(entry, text, chosen)
    if "answers" in entry:
        draft["answer"] = entry["answers"][number]
    if "confidence" in entry:
        draft["confidence"] = entry["confidence"][number]
    if "question" in entry:
        draft["question"] = _question(entry, number, chosen)
    if "hypotheses" in entry:
        draft["hypotheses"] = _hypotheses(entry, chosen)
    if "readings" in entry:
        draft["readings"] = chosen.readings(entry["readings"][number] if entry["readings"] else [], "readings", number)
    return draft


def _shared_fields(entry: SharedEntry, text: Markup | None, chosen: _Alternative) -> Draft:
    draft: Draft = {}
    if "text" in entry:
        draft["text"] = text.alternative(chosen.number) if text else None
    if "candidates" in entry:
        draft["candidates"] = chosen.texts(entry["candidates"], "candidates")
    if "mentions" in entry:
        draft["mentions"] = [chosen.texts(row, "mentions", index) for index, row in enumerate(entry["mentions"])]
    if "features" in entry:
        draft["features"] = [features and Features(**features) for features in entry["features"] or []]
    if "roles" in entry:
        draft["roles"] = entry["roles"]
    if "phrase" in entry:
        draft["phrase"] = entry["phrase"] and chosen.text(entry["phrase"], "phrase")
    if "tags" in entry:
        draft["tags"] = entry["tags"]
    if "terms" in entry:
        draft["terms"] = _terms(entry, chosen)
    return draft


def _check_one_each(entry: AlternativesEntry, count: int, what: str, keys: tuple[str, ...]) -> None:
    faults = Faults()
    for key in keys:
        values = entry.get(key)
        if isinstance(values, list) and len(values) != count:
            message = f"{counted(count, what)} but {len(values)} under {key!r}"
            remedy = f"Give one for each {what}, in order; null if there is none."
            faults.add(InputError(message, remedy=remedy, path=(key,)))
    faults.raise_together()


def _question(entry: AlternativesEntry, number: int, chosen: _Alternative) -> str | None:
    question = entry["question"]
    if isinstance(question, list):
        text = question[number]
        return text and chosen.text(text, "question", number)
    return question and chosen.text(question, "question")


def _is_by_candidate(entry: AlternativesEntry) -> bool:
    """Hypotheses may be one text per candidate, alternatives in brackets, instead of one list per alternative."""
    kinds = {type(row) for row in entry.get("hypotheses") or []}
    if len(kinds) > 1:
        raise InputError(
            "texts and lists are mixed", remedy="Write one list for each alternative.", path=("hypotheses",)
        )
    return kinds == {str}


def _hypotheses(entry: AlternativesEntry, chosen: _Alternative) -> list[str]:
    rows = entry["hypotheses"] or []
    texts: list[str] = []
    for index, row in enumerate(rows):
        if isinstance(row, str):
            texts.append(chosen.text(row, "hypotheses", index))
        elif index == chosen.number:
            texts += chosen.texts(row, "hypotheses", index)
    return texts


def _terms(entry: SharedEntry, chosen: _Alternative) -> Terms:
    terms = entry["terms"] or {}
    segment = terms.get("segment")
    if isinstance(segment, list):
        if len(segment) != chosen.count:
            raise InputError(
                f"{counted(chosen.count, 'alternative')} but {counted(len(segment), 'term')}",
                remedy="Give one for each.",
                path=("terms", "segment"),
            )
        segment = segment[chosen.number]
    candidates = chosen.texts(terms.get("candidates", []), "terms", "candidates")
    term = chosen.text(segment, "terms", "segment") if segment else ""
    return Terms(tuple(candidates), term or None)  # an empty alternative has no term


def _text_markup(entry: SharedEntry) -> Markup | None:
    text = entry.get("text")
    if text is None:
        return None
    with error_path("text"):
        markup = parse(text)
        for index in range(markup.count or 1):
            pronouns = len(markup.alternative(index).braces)
            if pronouns != 1:
                which = f"alternative {index} of the text" if markup.count else "the text"
                hint = "The marks are { } [ ] |, not ｛ ｝ ［ ］ ｜." if set(text) & set("｛｝［］｜") else ""
                raise InputError(
                    f"{which} has {counted(pronouns, 'pronoun') if pronouns else 'no pronoun'}: {shown(text)}",
                    remedy=hint or "Put braces around exactly one word, {…}; write {} where it is not spoken.",
                )
        return markup


@dataclass(frozen=True)
class _Alternative:
    """One of an entry's alternatives: takes from each string what belongs to it."""

    number: int
    count: int
    parsed: dict[str, Markup]  # what was parsed for another one

    def marked(self, string: str, *path: str | int) -> Marked:
        with error_path(*path):
            markup = self.parsed.get(string) or parse(string)
            if self.count > 1:
                self.parsed[string] = markup
            if markup.count not in (None, self.count):
                raise InputError(
                    f"{string!r} has {counted(markup.count or 0, 'alternative')}, the text has {self.count}",
                    remedy="Groups vary together: give each the same number; beside 'items', write it in each item.",
                )
            return markup.alternative(self.number if markup.count else 0)

    def text(self, string: str, *path: str | int) -> str:
        marked = self.marked(string, *path)
        if marked.braces:
            raise InputError(
                f"{string!r} has a pronoun marked",
                remedy=r"Only texts and readings have marks { }; write \{ \}.",
                path=path,
            )
        return marked.text

    def texts(self, strings: Sequence[str], *path: str | int) -> list[str]:
        return [self.text(string, *path, index) for index, string in enumerate(strings)]

    def readings(self, strings: Sequence[str | None], *path: str | int) -> list[WrittenReading | None]:
        return [None if s is None else self.reading(s, *path, index) for index, s in enumerate(strings)]

    def reading(self, string: str, *path: str | int) -> WrittenReading:
        marked = self.marked(string, *path)
        if len(marked.braces) > 1:
            raise InputError(f"{string!r} has two insertions marked", remedy="Mark only one with {…}.", path=path)
        with error_path(*path):
            check_text(marked.text, "the reading")
            return WrittenReading(marked.text, marked.braces[0] if marked.braces else None)


_ALONE = _Alternative(0, 1, {})
