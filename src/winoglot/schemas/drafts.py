"""The items that an entry of the notation stands for, with the alternatives chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from winoglot.errors import InputError, inside
from winoglot.schemas.candidate import Features
from winoglot.schemas.forms import Inference, Source, Terms, WrittenReading
from winoglot.schemas.markup import Marked, Markup, parse
from winoglot.schemas.words import counted

if TYPE_CHECKING:
    from winoglot.schemas.entries import AlternativesEntry, ItemEntry, SharedEntry

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
