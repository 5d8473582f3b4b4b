"""What is compared: a published collection and a fresh one of its language, as texts that a model may have read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.errors import InputError, check_argument
from winoglot.examples import contents
from winoglot.languages.readings import naive_readings
from winoglot.loading import load
from winoglot.schemas.bundled import family
from winoglot.schemas.model import Collection
from winoglot.schemas.text import counted, primary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.schemas.model import Item

_NAME_ONE = "Name a collection that the model cannot have read: --fresh COLLECTION."


def fresh_for(collection: Collection, fresh: Collection | None = None) -> Collection:
    """The fresh collection, by default the bundled one in the language; an input error if it cannot be compared."""
    check_argument(collection, Collection, "a collection", 'Load it first: winoglot.load("FILE").')
    if fresh is None:
        languages = [name for name in family("winoglot") if primary(name) == primary(collection.language)]
        if not languages:
            raise InputError(f"there is no bundled collection in {collection.language}", remedy=_NAME_ONE)
        fresh = load(f"winoglot-{languages[0]}")
    check_argument(fresh, Collection, "a collection as fresh", 'Load it first: winoglot.load("FILE").')
    if primary(fresh.language) != primary(collection.language):
        raise InputError(
            f"{collection.name} is in {collection.language}, the fresh collection {fresh.name} in {fresh.language}",
            remedy=f"Both must be in one language. {_NAME_ONE}",
        )
    theirs = {key for item in fresh.items for key in contents(item)}
    shared = [item.id for item in collection.items if not theirs.isdisjoint(contents(item))]
    if shared and fresh.name == collection.name:
        raise InputError(f"{collection.name} cannot be compared with itself", remedy=_NAME_ONE)
    if shared:
        raise InputError(
            f"the fresh collection {fresh.name} shares {counted(len(shared), 'item')} with {collection.name}, "
            f"for example {shared[0]}",
            remedy=_NAME_ONE,
        )
    return fresh


def text_of(item: Item) -> str:
    """The text as it is read: a gap is filled with the right candidate; empty if there is nothing to fill it with.

    >>> from winoglot import Candidate, Item, Span
    >>> about = {"pronoun": Span(22, 23), "candidates": (Candidate("Rita"), Candidate("Ana")), "answer": 1}
    >>> text_of(Item("a.0", "a", text="Rita rang Ana because _ was ill.", **about))
    'Rita rang Ana because Ana was ill.'
    """
    if item.text is not None and item.pronoun_form != "blank":
        return item.text
    filled = naive_readings(item)
    return filled[item.answer].text if item.answer is not None and item.answer < len(filled) else ""


def file_texts(collection: Collection, rewrites: Iterable[Item] = ()) -> list[str]:
    """The texts of each schema, one per line, in the order of the file; rewritten where there is a rewrite."""
    written = {rewrite.variant_of: text_of(rewrite) for rewrite in rewrites}
    schemas = ([written.get(item.id) or text_of(item) for item in schema.items] for schema in collection.schemas)
    return ["\n".join(filter(None, texts)) for texts in schemas if any(texts)]
