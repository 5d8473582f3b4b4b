"""Forms of English verbs and nouns: what a word may be, and its other forms.

The forms are those of `lemminflect`, which is imported when the first word is asked for; the language's own tables come
first, since the library lists *lied* beside *lay* and *persons* before *people*.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Literal

from winoglot.languages.en.number import noun_number
from winoglot.languages.lexicon import lexicon

Form = Literal["base", "present", "past", "participle", "gerund"]
_TAGS: dict[Form, str] = {"base": "VB", "present": "VBZ", "past": "VBD", "participle": "VBN", "gerund": "VBG"}


@lru_cache(maxsize=20_000)
def parts_of_speech(word: str) -> frozenset[str]:
    """What an open-class word may be: of NOUN, VERB, ADJ, ADV; empty if it is not known.

    >>> sorted(parts_of_speech("watches")), parts_of_speech("blorb")
    (['NOUN', 'VERB'], frozenset())
    """
    return frozenset(_library().getAllLemmas(word)) - {"PROPN", "AUX"}


@lru_cache(maxsize=20_000)
def verb_forms(word: str) -> dict[Form, str]:
    """The forms of a verb that the word may be, each with the base form of its verb.

    >>> verb_forms("threw"), verb_forms("cut")
    ({'past': 'throw'}, {'base': 'cut', 'past': 'cut', 'participle': 'cut'})
    """
    forms: dict[Form, str] = {"present": word[:-2]} if word.endswith("zzes") else {}  # the library says whiz
    if word.endswith("ed") and word[:-2] in lexicon("en", "verbs"):
        forms = {"past": word[:-2], "participle": word[:-2]}  # and it does not know texted
    for base in _library().getAllLemmas(word, upos="VERB").get("VERB", ()):
        inflections = _library().getAllInflections(base, upos="VERB")
        for form, tag in _TAGS.items():
            if word in inflections.get(tag, ()) or word == conjugated(base, form):
                forms.setdefault(form, base)
    return forms


@lru_cache(maxsize=20_000)
def conjugated(base: str, form: Form) -> str:
    """A form of the verb with this base form.

    >>> conjugated("lie", "past"), conjugated("refer", "gerund"), conjugated("carry", "present")
    ('lay', 'referring', 'carries')
    """
    verbs = lexicon("en", "verbs")
    entries = verbs.values(form).get(base) if form in ("past", "participle") else None
    if entries:
        return entries[0]
    inflections = _library().getInflection(base, tag=_TAGS[form])
    return str(inflections[0]) if inflections else base


@lru_cache(maxsize=20_000)
def plural_of(noun: str) -> str | None:
    """The plural of a noun; None if it has none or has one that looks the same.

    >>> plural_of("knife"), plural_of("person"), plural_of("sheep"), plural_of("furniture")
    ('knives', 'people', None, None)
    """
    entries = lexicon("en", "countable")
    if noun in entries.words("mass") or noun_number(noun) != "singular":
        return None
    if noun in entries.values("plural-is"):
        return entries.values("plural-is")[noun][0]
    if is_man_noun(noun):
        return noun[:-2] + "en"
    plurals = _library().getInflection(noun, tag="NNS") or ()
    return next((str(plural) for plural in plurals if plural != noun), None)


@lru_cache(maxsize=20_000)
def singular_of(noun: str) -> str | None:
    """The singular of a plural noun; None if it has none or has one that looks the same.

    >>> singular_of("knives"), singular_of("people"), singular_of("police")
    ('knife', 'person', None)
    """
    if noun_number(noun) != "plural":
        return None
    lemmas = map(str, _library().getLemma(noun, upos="NOUN"))
    return _irregular_singulars().get(noun) or next((lemma for lemma in lemmas if plural_of(lemma) == noun), None)


def is_man_noun(noun: str) -> bool:
    """Whether a noun is a compound of *man* or *woman*: *policeman*, not *human*."""
    return noun.endswith("man") and noun not in lexicon("en", "countable").words("not-of-man")


def singular_noun(noun: str) -> str:
    """A noun in the singular, whatever number it is in.

    >>> singular_noun("knives"), singular_noun("knife")
    ('knife', 'knife')
    """
    return noun if noun_number(noun) != "plural" else singular_of(noun) or noun


@cache
def _irregular_singulars() -> dict[str, str]:
    listed = lexicon("en", "countable").values("plural-is")
    return {plural: noun for noun, plurals in listed.items() for plural in plurals}


@cache
def _library() -> Any:
    import lemminflect

    return lemminflect
