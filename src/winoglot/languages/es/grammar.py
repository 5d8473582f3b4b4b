"""What Spanish adds to the Romance grammar: accents that plurals lose, and caution with unlisted words after a noun."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.romance.grammar import Grammar

if TYPE_CHECKING:
    from winoglot.languages.romance.possessed import PossessedPhrase

_ACCENTED = str.maketrans("aeiou", "áéíóú")


class Spanish(Grammar):
    """Spanish, of all regions."""

    tag = "es"
    objects_follow_infinitives = True
    adjectives_by_position = False
    marks_before_subject = ".!?…;:,(—–-«“'¿¡"
    shortest_stem = {"infinitive": 1, "gerund": 1, "participle": 2, "certainly-finite": 2}  # noqa: RUF012

    def singulars(self, noun: str) -> tuple[str, ...]:
        """The noun, and what may be its singular, with a lost accent restored: *camiones*, *luces*."""
        if not noun.endswith("s"):
            return (noun,)
        bare = noun.removesuffix("es")
        accented = "".join((bare[:-2], bare[-2:-1].translate(_ACCENTED), bare[-1:]))
        return tuple(dict.fromkeys((noun, noun.removesuffix("s"), bare, accented, re.sub("ces$", "z", noun))))

    def other_complement(self, phrase: PossessedPhrase, index: int) -> int | None:
        """The end of a complement with *a* or *con*: *su camisa a rayas*, *su café con leche*."""
        is_listed = f"{phrase.form(index)} {phrase.form(index + 1)}" in self.table("phrases").words("after-noun")
        return index + 2 if is_listed else None

    def is_noun(self, form: str) -> bool:
        """Whether the word is a listed noun for a person, an animal or a thing."""
        return self.animacy_of(form) is not None

    def animacy_of(self, noun: str) -> str | None:
        """Human, animal or thing, by the noun or its masculine: *pintora* of *pintor*, *vecinas* of *vecino*."""
        singulars = self.singulars(noun)
        masculine = [form[:-1] + ending for form in singulars if form.endswith("a") for ending in ("o", "", "e")]
        nouns = self.table("nouns").entries
        for forms in (singulars, masculine):
            lines = [line for form in forms for line in nouns.get(form, ())]
            animacies = {line.one_of("animacy") or ("human" if line.has("person") else None) for line in lines} - {None}
            if animacies:
                return animacies.pop() if len(animacies) == 1 else None
        endings = ("-" + form[index:] for form in singulars for index in range(1, len(form)))
        lines = [line for ending in endings for line in nouns.get(ending, ())]
        return next((animacy for line in lines if (animacy := line.one_of("animacy"))), None)

    def without_clitic(self, form: str) -> str | None:
        """The verb that a clitic is written with, as if alone: *viéndo* → *viendo*; None if it is no such verb.

        >>> SPANISH.without_clitic("viéndo"), SPANISH.without_clitic("oír"), SPANISH.without_clitic("ábre")
        ('viendo', 'oír', 'abre')
        """
        plain = form.translate(PLAIN)
        if self.is_infinitive(form) or form in self.table("verbs").words("short-imperative"):
            return form
        if self.is_gerund(plain) and plain != form:
            return plain
        if form.endswith(("ad", "ed", "id")) and self.is_infinitive(form[:-1] + "r"):
            return form  # "abrid"
        is_imperative = plain != form and plain.endswith(("a", "e", "an", "en", "mos"))
        if is_imperative and not plain.endswith(("me", "te", "se")) and not self.is_infinitive(plain):
            return plain
        return None


PLAIN = str.maketrans("áéíóúÁÉÍÓÚ", "aeiouAEIOU")
SPANISH = Spanish()
