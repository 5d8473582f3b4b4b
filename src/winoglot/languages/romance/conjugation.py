"""The forms of a verb: regular patterns with their spelling, and irregular forms, from the table `verbs`.

The patterns overgenerate a little (*fazeu*), which does no harm: they are used to recognise forms, never to write them.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from winoglot.languages.lexicon import WordTable

_FRONT = "eéêèií"


class Conjugation:
    """The verbs of a language."""

    def __init__(self, table: WordTable) -> None:
        """Read the table `verbs`."""
        self.table = table
        self.third_persons = lru_cache(self._third_persons)
        self.forms_of = lru_cache(self._forms_of)
        self.ending_shows = lru_cache(10_000)(self._ending_shows)

    def is_form_of(self, form: str, feature: str) -> bool:
        """Whether the word is a form of a verb with this feature, or begins like one."""
        return form in self.forms_of(feature) or form.startswith(self._beginnings(feature))

    def third_person(self, infinitive: str) -> frozenset[str]:
        """The finite forms of a verb with a third-person subject, and a few others."""
        listed = frozenset(self.table.values("third").get(infinitive, ()))
        return (
            listed if infinitive in self.table.words("irregular") else listed | self._regular_forms(infinitive, "third")
        )

    def forms(self, infinitive: str) -> frozenset[str]:
        """All forms of a verb, including infinitive, gerund and participle."""
        listed = frozenset(self.table.values("others").get(infinitive, ()))
        is_irregular = infinitive in self.table.words("irregular")
        other_forms = listed if is_irregular else listed | self._regular_forms(infinitive, "others")
        return self.third_person(infinitive) | other_forms | {infinitive}

    @cached_property
    def infinitives(self) -> dict[str, str]:
        """The verb of each finite form that the table gives; where two share a form, the later one."""
        listed = self.table.values("third").items()
        return {form: verb for verb, forms in listed if not verb.startswith("-") for form in forms}

    @cached_property
    def auxiliaries(self) -> dict[str, frozenset[str]]:
        """What may follow each form of an auxiliary: `participle`, `gerund`, `infinitive`, or a word before one."""
        kinds: dict[str, frozenset[str]] = {}
        for verb, followers in self.table.values("auxiliary").items():
            for form in self.forms(verb):
                kinds[form] = kinds.get(form, frozenset()) | frozenset(followers)
        return kinds

    def _third_persons(self, feature: str) -> frozenset[str]:
        verbs = self.table.words(feature)
        return frozenset[str]().union(*(self.third_person(verb) for verb in verbs))

    def _forms_of(self, feature: str) -> frozenset[str]:
        """All forms of the verbs with a feature; `governs:de` for one with this value."""
        key, _, value = feature.partition(":")
        verbs = {verb for verb, values in self.table.values(key).items() if value in values} if value else None
        return frozenset[str]().union(*(self.forms(verb) for verb in (verbs or self.table.words(key))))

    def _beginnings(self, feature: str) -> tuple[str, ...]:
        return tuple(form[:-1] for form in self.table.words(feature.partition(":")[0]) if form.endswith("-"))

    def _ending_shows(self, form: str, feature: str, shortest: int) -> bool:
        """Whether the form has an ending with this feature, and no longer one that denies it.

        Portuguese `-em = certainly-finite`, but `-gem = not-certainly-finite`.
        """
        endings, exceptions = self.table.words(feature), self.table.words(f"not-{feature}")
        for index in range(shortest, len(form)):
            if "-" + form[index:] in exceptions:
                return False
            if "-" + form[index:] in endings:
                return True
        return False

    def _regular_forms(self, infinitive: str, key: str) -> frozenset[str]:
        """The forms that the pattern of the infinitive's ending gives."""
        patterns = self.table.values(key)
        ending = next(
            (infinitive[index:] for index in range(1, len(infinitive)) if "-" + infinitive[index:] in patterns), ""
        )
        stem, endings = infinitive.removesuffix(ending), patterns.get("-" + ending, ())
        is_first = ending == self._first_conjugation
        return frozenset(self._spelled(stem, added, is_first=is_first) for added in endings)

    @cached_property
    def _first_conjugation(self) -> str:
        return next((form[1:] for form in self.table.entries if form in self.table.words("conjugation")), "")

    def _spelled(self, stem: str, ending: str, *, is_first: bool) -> str:
        """Stem and ending with the spelling that the sound needs: *ficar*, *fiquei*."""
        is_front = ending[0] in _FRONT
        if is_first != is_front:
            return stem + ending
        changes = self.table.values("before-front" if is_first else "before-back")
        for length in (2, 1):
            if "-" + stem[-length:] in changes:
                return stem[:-length] + changes["-" + stem[-length:]][0] + ending
        return stem + ending
