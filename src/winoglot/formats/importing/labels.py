"""Labels of the items of a collection that other files hold: whether they are associative, or can be switched.

A label file is one JSON list of objects with `index`, `sentence`, and `is_associative` or `is_switchable`. The JSON of
the Portuguese collection, with `question_id` and `correct_sentence`, labels other files too.

A label belongs to the item with its sentence. Where none has exactly that (names were replaced, a slip was corrected,
the language is another), it belongs to the item that its source gives the label's number.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from winoglot.errors import InputError, describe, located
from winoglot.formats.importing.sources import json_errors, language_of, without_duplicates
from winoglot.languages.readings import naive_readings
from winoglot.schemas.text import folded, primary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.formats.base import InputFile
    from winoglot.schemas.model import Collection, Item

    _AnyItem = TypeVar("_AnyItem", bound=Item)

FLAGS = {"is_associative": "associative", "is_switchable": "switchable"}
# The share of a label's words that the item with its number must have, unless other labels show that the numbers are
# those of the items (then one word is enough, and reported): the label may have other names or correct a typing error,
# not be another sentence.
_SAME_SENTENCE = 0.5


def tags_of(flags: Mapping[str, Any]) -> tuple[str, ...]:
    """The tags of an item with these flags."""
    return tuple(tag for flag, tag in FLAGS.items() if flags[flag])


def with_labels(collection: Collection, file: InputFile) -> Collection:
    """The collection read from a file, tagged as its label files say; labels of no item are reported."""
    tags: dict[str, set[str]] = {item.id: set(item.tags) for item in collection.items}
    states_flags = any(tags_of_item.intersection(FLAGS.values()) for tags_of_item in tags.values())
    for path in file.labels:
        labels = parse_list(replace(file, path=path, name=""))
        flags = [flag for flag in FLAGS if any(isinstance(label, dict) and flag in label for _, label in labels)]
        if not flags:
            remedy = "A label file is a list of objects with 'index' and 'is_associative' or 'is_switchable'."
            raise InputError("the file has no labels", remedy=remedy, file=str(path))
        items = _LabelledItems(collection, [label for _, label in labels if isinstance(label, dict)])
        labelled = 0
        for line, label in labels:
            number = _number(label) if isinstance(label, dict) else ""
            with file.skipping(line, f"label {number} of {path.name}"):
                if not isinstance(label, dict) or any(label.get(flag) not in (0, 1) for flag in flags):
                    raise InputError(f"{' and '.join(flags)}: expected 0 or 1")
                item, by_number_alone = items.item_of(label)
                labelled += 1
                if by_number_alone:
                    why = (
                        f"its sentence is not that of {item.id}; joined by its number, as all other labels are numbered"
                    )
                    file.repaired(line, f"label {number} of {path.name}", why)
                for flag in flags:
                    if states_flags and bool(label[flag]) != (FLAGS[flag] in tags[item.id]):
                        file.repaired(line, f"{flag} of {item.id}", f"{bool(label[flag])} according to {path.name}")
                    (set.add if label[flag] else set.discard)(tags[item.id], FLAGS[flag])
        if not labelled:
            message = f"none of its {len(labels)} labels belongs to an item of {collection.name}"
            raise InputError(message, remedy="Name the label file of this collection.", file=str(path))
    schemas = [
        replace(
            schema,
            items=tuple(_tagged(item, tags[item.id]) for item in schema.items),
            variants=tuple(_tagged(variant, tags[variant.variant_of]) for variant in schema.variants),
        )
        for schema in collection.schemas
    ]
    return replace(collection, schemas=tuple(schemas))


def _tagged(item: _AnyItem, tags: set[str]) -> _AnyItem:
    """The item with these tags in place of those that labels give; its other tags stay."""
    kept = [tag for tag in item.tags if tag not in FLAGS.values()]
    return replace(item, tags=(*kept, *(tag for tag in FLAGS.values() if tag in tags)))


class _LabelledItems:
    """The items of a collection by their sentences and numbers, as the labels of a file name them."""

    def __init__(self, collection: Collection, labels: Sequence[Mapping[str, Any]]) -> None:
        language = language_of(" ".join(map(_sentence, labels))) or collection.language
        self._is_translated = primary(language) != primary(collection.language)
        self._by_number = {item.source.id: item for item in collection.items if item.source and item.source.id}
        by_words: dict[tuple[str, ...], list[Item]] = {}
        for item in collection.items:
            for words in {_words(text) for text in _texts(item)}:
                by_words.setdefault(words, []).append(item)
        self._by_words = {words: items[0] for words, items in by_words.items() if len(items) == 1}
        matches = [(label, exact) for label in labels if (exact := self._by_words.get(_words(_sentence(label))))]
        agreeing = sum(self._by_number.get(_number(label)) is exact for label, exact in matches)
        self._has_other_numbers = agreeing < len(matches)
        self._has_these_numbers = not self._has_other_numbers and agreeing >= len(labels) / 2

    def item_of(self, label: Mapping[str, Any]) -> tuple[Item, bool]:
        """The item that a label is about, and whether only its number says so; an input error if there is none."""
        if (exact := self._by_words.get(_words(_sentence(label)))) is not None:
            return exact, False
        item = None if self._has_other_numbers else self._by_number.get(_number(label))
        if item is None:
            raise InputError("no item of the collection has its sentence or its number")
        words = {word for text in _texts(item) for word in _words(text)}
        label_words = _words(_sentence(label))
        shared = sum(word in words for word in label_words)
        is_alike = shared >= _SAME_SENTENCE * len(label_words)
        if not (is_alike or self._is_translated or (shared and self._has_these_numbers)):
            raise InputError(f"its sentence is not that of {item.id}")
        return item, not (is_alike or self._is_translated)


def _texts(item: Item) -> list[str]:
    """The item's readings, and its sentence without its pronoun."""
    readings = [reading.text for reading in (*item.readings, *naive_readings(item)) if reading]
    return readings if item.text is None else [" ".join(item.parts[::2]), *readings]


def _words(text: str) -> tuple[str, ...]:
    """The words of a sentence, for comparison; a label marks the pronoun by brackets."""
    return tuple(re.findall(r"\w+", folded(re.sub(r"\[[^\]]*\]", " ", text))))


def _number(label: Mapping[str, Any]) -> str:
    return str(label.get("index", label.get("question_id")))


def _sentence(label: Mapping[str, Any]) -> str:
    return str(label.get("sentence") or label.get("correct_sentence") or "")


def parse_list(file: InputFile) -> list[tuple[int, Any]]:
    """The values of a file that is one JSON list, each with the line in which it begins."""
    values: list[tuple[int, Any]] = []
    decoder = json.JSONDecoder(object_pairs_hook=without_duplicates)
    text, line, counted_to = file.text, 1, 0
    index = _skip_spaces(text, 0)
    separator = text[index : index + 1]
    if separator != "[":
        remedy = "The file must be one JSON list with one object per item."
        raise InputError(f"expected a list, found {describe(text[index : index + 40])}", remedy=remedy, file=file.label)
    while separator != "]":
        index = _skip_spaces(text, index + 1)
        line += text.count("\n", counted_to, index)
        counted_to = index
        with located(file=file.label, line=line), json_errors():
            if separator == "," or text[index : index + 1] != "]":
                value, index = decoder.raw_decode(text, index)
                values.append((line, value))
                index = _skip_spaces(text, index)
            separator = text[index : index + 1]
            if separator not in (",", "]"):
                raise json.JSONDecodeError("expecting ',' or ']'", text, index)
            if separator == "]" and _skip_spaces(text, index + 1) < len(text):
                raise json.JSONDecodeError("there is something after the list", text, index + 1)
    return values


def _skip_spaces(text: str, index: int) -> int:
    spaces = re.compile(r"[ \t\r\n]*").match(text, index)
    return spaces.end() if spaces else index
