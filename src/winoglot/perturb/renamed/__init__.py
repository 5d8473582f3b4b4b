"""Other names of the same gender for the people of a schema, consistent across all its texts.

Renaming is a control that keeps the answer: `gender` and `number` change names too, so compare their effects with that
of renaming alone.

`finding` finds names in a text, `people` decides who is renamed, `write_names` writes the new names, and `draws` makes
a kind of variant of each draw. New names come from the frozen list of a locale and depend only on the seed and the
schema's id, so that adding a schema changes no other. No two names in a schema share an initial, and no new name
already occurs in its texts.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError, check_argument, describe
from winoglot.languages.base import NotDerivedError
from winoglot.languages.names import initial, locale_for, locales, names
from winoglot.perturb.base import variants_from
from winoglot.perturb.renamed.finding import places_of
from winoglot.perturb.renamed.people import People, familiar_forms, people_of, texts_of
from winoglot.perturb.renamed.write_names import NewNames
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import Collection
from winoglot.schemas.text import check_text, folded, is_unspaced, language_tag, primary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.perturb.base import Context
    from winoglot.schemas.model import Schema, Variant

KIND = "renamed"


@dataclass(frozen=True)
class KeptName:
    """A name that is kept, and why."""

    schema_id: str
    name: str
    reason: str


@dataclass(frozen=True)
class Renaming:
    """The renamed collection, the replacements per schema, and the names that are kept.

    `absent` are names that should be kept but occur in no text, for example misspelt ones.
    """

    collection: Collection
    replaced: dict[str, dict[str, str]]
    kept: tuple[KeptName, ...]
    absent: tuple[str, ...] = ()


def renamed(collection: Collection, locale: str, seed: int, keep: Iterable[str] = ()) -> Renaming:
    """Rename people with the locale's list; famous people, names the collection keeps and those in `keep` stay.

    Ids and answers stay the same; a schema's note lists the replacements, the provenance the list and the seed.

    >>> import winoglot
    >>> renaming = renamed(winoglot.load("winoglot-pt")[:5], "pt-PT", seed=7)
    >>> new = renaming.replaced["call-microphone"]  # the names of its variants too
    >>> len(new), new["Ana"], new["Júlia"]
    (8, 'Idalina', 'Tatiana')
    """
    check_argument(collection, Collection, "a collection", "Give one: wg.load(…).")
    check_argument(seed, int, "a whole number as seed", "Give one: seed=7.")
    kept_names = (*collection.keep_names, *_checked(keep))
    tag = language_tag(locale)
    all_text = unicodedata.normalize("NFC", "\n".join(text for each in collection.schemas for text in texts_of(each)))
    _check_script(collection, all_text, tag)
    schemas: list[Schema] = []
    replaced: dict[str, dict[str, str]] = {}
    kept: list[KeptName] = []
    for schema in collection.schemas:
        people = people_of(schema, collection.language, kept_names)
        with_new, new, reasons = _redrawn(schema, people, tag, seed, collection.language)
        schemas.append(with_new)
        replaced |= {schema.id: new} if new else {}
        kept += [KeptName(schema.id, name, reason) for name, reason in reasons.items()]
    ends = f"-({'|'.join([*locales(), primary(tag)])})$".lower()  # a name grows only once
    step = f"names replaced by those of the {tag} list, seed {seed}, in {collection.name} sha {collection.hash}"
    result = replace(
        collection,
        name=f"{re.sub(ends, '', collection.name)}-{tag.lower()}",
        schemas=tuple(schemas),
        provenance=(*collection.provenance, step),
    )
    absent = [name for name in dict.fromkeys(kept_names) if unicodedata.normalize("NFC", name) not in all_text]
    return Renaming(result, replaced, tuple(kept), tuple(absent))


def redraws(schema: Schema, collection: Collection, seeds: Iterable[int]) -> dict[int, Schema]:
    """The schema without variants, with the names that each seed draws; none if no name in it can be replaced."""
    bare = replace(schema, variants=(), impossible=())
    locale = locale_for(collection.language)
    people = people_of(bare, collection.language, collection.keep_names)
    if not people.genders:
        return {}
    drawn = {seed: _redrawn(bare, people, locale, seed, collection.language)[0] for seed in seeds}
    return {seed: with_new for seed, with_new in drawn.items() if with_new is not bare}


def perturb(schema: Schema, context: Context) -> tuple[Variant, ...]:
    """The schema's items with other names, drawn by the seed; InputError if no name in it can be replaced."""
    for drawn in redraws(schema, context.collection, [context.seed]).values():
        return tuple(variants_from(schema.items, drawn.items, KIND, ["keeps"] * len(schema.items)))
    raise InputError("no name in it can be replaced")


def _redrawn(
    schema: Schema, people: People, locale: str, seed: int, language: str
) -> tuple[Schema, dict[str, str], dict[str, str]]:
    """The schema with new names, which they are, and the reasons why others are kept."""
    chosen, reasons = _choose(schema, people, locale, seed, language)
    if not chosen.new:
        return schema, {}, reasons
    try:
        return chosen.in_schema(schema), dict(chosen.new), reasons
    except InputError as error:  # a span ends inside a name
        return schema, {}, reasons | dict.fromkeys(chosen.new, f"position unclear: {error.message}")


def _checked(keep: Iterable[str]) -> tuple[str, ...]:
    """The names as a tuple; refuse a single string, which would be split into letters."""
    if isinstance(keep, str) or not isinstance(keep, Iterable):
        raise InputError(f"expected a list of names to keep, found {describe(keep)}", remedy="Give one: keep=['Rita'].")
    names_to_keep = tuple(keep)
    for name in names_to_keep:
        check_argument(name, str, "a name to keep", "Give names as text: keep=['Rita'].")
        check_text(name, "a name to keep")
    return names_to_keep


def _choose(schema: Schema, people: People, locale: str, seed: int, language: str) -> tuple[NewNames, dict[str, str]]:
    """The new name of each person, and the reasons why others are kept."""
    texts = list(dict.fromkeys(texts_of(schema)))
    all_text = folded("\n".join(texts))
    generator = random.Random(digest([seed, schema.id]))
    groups = {"masculine": names(locale).masculine, "feminine": names(locale).feminine}
    orders = {gender: sorted(group, key=lambda _: generator.random()) for gender, group in groups.items()}
    reasons = dict(people.kept)
    kept_words = {word for name in people.kept for word in name.split()} | people.surnames
    new: dict[str, str] = {}
    for old, gender in people.genders.items():
        used_names = [*kept_words, *new.values()]
        others = [*used_names, *people.genders]
        free = (
            name
            for name in orders[gender]
            if initial(name) not in map(initial, used_names)
            and folded(name) not in all_text
            and not any(name in other or other in name for other in others)
            and not (old in people.full_named and len(familiar_forms(name)) > 1)
        )
        chosen = next(
            (name for name in free if _fits(texts, old, NewNames({old: name}, people.genders, language))), None
        )
        if chosen is None:
            reasons[old] = "no name in the list fits"
            kept_words.add(old)
        else:
            new[old] = chosen
    return NewNames(new, people.genders, language), reasons


def _fits(texts: Sequence[str], old: str, new: NewNames) -> bool:
    """Whether the new name can be inserted in every text."""
    try:
        return all(new.edits(text) for text in texts if places_of(text, {old}, new.language))
    except NotDerivedError:
        return False


def _check_script(collection: Collection, all_text: str, locale: str) -> None:
    """Refuse names in another script than the texts, and Chinese names in Japanese texts."""
    if primary(locale) == primary(collection.language):
        return
    first = names(locale).masculine[0][0]
    letters = filter(str.isalpha, all_text)
    scripts = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in letters).most_common(1)
    if is_unspaced(first) or not any(script in unicodedata.name(first) for script, _ in scripts):  # LATIN, CYRILLIC
        raise InputError(
            f"names from {locale} are in another script than {collection.name} ({collection.language})",
            remedy="Choose a list for the collection's language, or for one with the same script.",
        )
