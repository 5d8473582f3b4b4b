"""The forms of verbs to write, not only to recognise: tense and number of the third person, participles.

`paradigms.txt` of a language has the forms by the ending of the infinitive (`-ar = present:a,am`), `actions.txt` its
common verbs. A form of any other verb is known only by an ending that no other word has (*-ou*, *-avam*).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from winoglot.languages.lexicon import lexicon

if TYPE_CHECKING:
    from collections.abc import Mapping

FINITE = (
    *("present", "imperfect", "preterite", "pluperfect", "future", "conditional", "subjunctive"),
    *("past-subjunctive", "future-subjunctive"),
)
_TENSES = (*FINITE, "infinitive")
_SHORTEST_STEM = 2


@dataclass(frozen=True)
class VerbForm:
    """A form of a verb with a third-person subject."""

    infinitive: str
    tense: str
    number: str


class Verbs:
    """The verbs of a language."""

    def __init__(self, tag: str) -> None:
        """Read `paradigms.txt` and `actions.txt`."""
        self.actions = lexicon(tag, "actions")
        self._paradigms = lexicon(tag, "paradigms")
        self._grammar = lexicon(tag, "verbs")

    @cached_property
    def infinitives(self) -> frozenset[str]:
        """All verbs of the tables."""
        whole = {verb for verb in self._paradigms.words() if not verb.startswith("-")}
        listed = self._grammar.values("third").keys() | self._grammar.words("clear") | self._grammar.words("giving")
        conjugated = {verb for verb in listed if not verb.startswith("-") and self.paradigm(verb)}
        return self.actions.words() | whole | conjugated

    def written(self, infinitive: str, tense: str, number: str) -> str | None:
        """The form of a verb; None if its paradigm lacks it."""
        forms = self._forms(infinitive).get(tense, ())
        return forms[number == "plural"] if len(forms) == 2 else None

    def participle(self, infinitive: str) -> str:
        """The past participle of a verb, masculine singular."""
        return next(iter(self._forms(infinitive).get("participle", ())), "")

    def analyses(self, form: str) -> tuple[VerbForm, ...]:
        """What a word may be as a finite form, or as an infinitive with its own subject; the usual one first."""
        analyses = self._analyses.get(form)
        return analyses if analyses is not None else self._by_ending(form)

    def first_person(self, form: str) -> VerbForm | None:
        """What a word may be with a subject like *eu*, if no third person has the same form.

        >>> verbs_of("pt").first_person("coloquei"), verbs_of("fr").first_person("mange")
        (VerbForm(infinitive='colocar', tense='preterite', number='singular'), None)
        """
        return None if form in self._analyses else self._first_persons.get(form)

    def is_listed(self, form: str) -> bool:
        """Whether the word is a form of a verb of the tables, not only by its ending."""
        return form in self._analyses

    def finite(self, form: str) -> tuple[VerbForm, ...]:
        """What a word may be as a finite form."""
        return tuple(analysis for analysis in self.analyses(form) if analysis.tense != "infinitive")

    def in_number(self, form: str, number: str) -> str | None:
        """A finite form of the same tense in the other number; None if it is not known, or several verbs share it.

        >>> pt = verbs_of("pt")
        >>> [pt.in_number(form, "plural") for form in ("foi", "tinha", "vendeu", "desviou", "mesa")]
        ['foram', 'tinham', 'venderam', 'desviaram', None]
        """
        forms = {
            self.written(analysis.infinitive, analysis.tense, number)
            for analysis in self.analyses(form)
            if analysis.number != number
        }
        forms |= {form for analysis in self.analyses(form) if analysis.number == number and not forms}
        return next(iter(forms)) if len(forms) == 1 else None

    def nonfinite(self, form: str) -> str | None:
        """The infinitive of a nonfinite form: a gerund, a participle in any gender and number, or an infinitive."""
        return self._nonfinite.get(form)

    def is_participle(self, form: str) -> bool:
        """Whether the word is a participle of a verb of the tables, in any gender and number."""
        return form in self._participles

    @cached_property
    def _participles(self) -> Mapping[str, str]:
        participles: dict[str, str] = {}
        for verb in self.infinitives:
            base = self.participle(verb)
            if base:
                stem = base[:-1] if base.endswith("o") else base
                forms = ("o", "a", "os", "as") if base.endswith("o") else ("", "e", "s", "es")
                participles |= {stem + ending: verb for ending in forms}
        return participles

    @cached_property
    def _nonfinite(self) -> Mapping[str, str]:
        infinitives = dict(self._participles)
        for verb in self.infinitives:
            infinitives |= dict.fromkeys((*self._forms(verb).get("gerund", ()), verb), verb)
        return infinitives

    @cached_property
    def _analyses(self) -> Mapping[str, tuple[VerbForm, ...]]:
        analyses: dict[str, list[VerbForm]] = {}
        for verb in sorted(self.infinitives):
            for tense in _TENSES:
                forms = self._forms(verb).get(tense, ())
                for form, number in zip(forms, ("singular", "plural"), strict=False):
                    analyses.setdefault(form, []).append(VerbForm(verb, tense, number))
        rank = {tense: number for number, tense in enumerate(_TENSES)}
        return {
            form: tuple(sorted(verb_forms, key=lambda verb_form: rank[verb_form.tense]))
            for form, verb_forms in analyses.items()
        }

    @cached_property
    def _first_persons(self) -> Mapping[str, VerbForm]:
        first_persons: dict[str, VerbForm] = {}
        for verb in sorted(self.infinitives):
            for tense in ("present", "imperfect", "preterite"):
                forms = self._forms(verb).get(f"first-{tense}", ())
                for form, number in zip(forms, ("singular", "plural"), strict=False):
                    first_persons[form] = VerbForm(verb, tense, number)
        return first_persons

    def _by_ending(self, form: str) -> tuple[VerbForm, ...]:
        """The analyses of an unlisted verb by its ending: *desviou* can only be a preterite in *-ar*."""
        for index in range(_SHORTEST_STEM, len(form)):
            for line in self._paradigms.entries.get("-" + form[index:], ()):
                for key in line.values.get("shows", ()):
                    ending, tense, number = key.split("/")
                    return (VerbForm(form[:index] + ending, tense, number),)
        return ()

    def _forms(self, infinitive: str) -> Mapping[str, tuple[str, ...]]:
        return _forms(self, infinitive)

    def paradigm(self, infinitive: str) -> dict[str, tuple[str, ...]]:
        """All forms of a verb, by tense."""
        for index in range(len(infinitive)):
            name = infinitive if index == 0 else "-" + infinitive[index:]
            for line in self._paradigms.entries.get(name, ()) or self._paradigms.entries.get("-" + name, ()):
                if "present" in line.values:
                    return {
                        tense: tuple(infinitive[:index] + end for end in ends) for tense, ends in line.values.items()
                    }
        return {}


@cache
def _forms(verbs: Verbs, infinitive: str) -> dict[str, tuple[str, ...]]:
    return verbs.paradigm(infinitive)


@cache
def verbs_of(tag: str) -> Verbs:
    """The verbs of a language, read once."""
    return Verbs(tag)
