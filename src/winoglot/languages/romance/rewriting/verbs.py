"""The forms of verbs, to recognise and to write: third persons by tense and number, participles, gerunds.

`paradigms.txt` of a language has the forms by the ending of the infinitive (`-ar = present:a,am`), `actions.txt` its
common verbs. A form of any other verb is known only by an ending that no other word has (*-ou*, *-avam*).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from winoglot.languages.lexicon import lexicon

if TYPE_CHECKING:
    from collections.abc import Mapping

# In the order of use: of *fale*, the subjunctive comes after the present of another verb.
FINITE = (
    *("present", "imperfect", "preterite", "pluperfect", "future", "conditional", "subjunctive"),
    *("past-subjunctive", "future-subjunctive"),
)
_NONFINITE = ("participle", "gerund")
_SHORTEST_STEM = 2


@dataclass(frozen=True)
class VerbForm:
    """A form of a verb: with a third-person subject, or with another one (`first-present`), or none (`participle`)."""

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
        self._known_forms: dict[str, Mapping[str, tuple[str, ...]]] = {}

    @cached_property
    def infinitives(self) -> frozenset[str]:
        """All verbs of the tables."""
        whole = {verb for verb in self._paradigms.words() if not verb.startswith("-")}
        listed = self._grammar.values("third").keys() | self._grammar.words("clear") | self._grammar.words("giving")
        conjugated = {verb for verb in listed if not verb.startswith("-") and self._forms(verb)}
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
        known = self._with_tense(form, (*FINITE, "infinitive"))
        return known or self._by_ending(form)

    def finite(self, form: str) -> tuple[VerbForm, ...]:
        """What a word may be as a finite form."""
        return tuple(analysis for analysis in self.analyses(form) if analysis.tense != "infinitive")

    def is_listed(self, form: str) -> bool:
        """Whether the word is a form of a verb of the tables, not only by its ending."""
        return bool(self._with_tense(form, (*FINITE, "infinitive")))

    def first_person(self, form: str) -> VerbForm | None:
        """What a word may be with a subject like *eu*, if no third person has the same form.

        >>> verbs_of("pt").first_person("coloquei"), verbs_of("fr").first_person("mange")
        (VerbForm(infinitive='colocar', tense='first-preterite', number='singular'), None)
        """
        persons = self._with_tense(form, tuple(f"first-{tense}" for tense in FINITE))
        return None if self.is_listed(form) or not persons else persons[-1]

    def nonfinite(self, form: str) -> str | None:
        """The infinitive of a nonfinite form: a gerund, a participle in any gender and number, or an infinitive."""
        if form in self.infinitives:
            return form
        return next((analysis.infinitive for analysis in self._with_tense(form, _NONFINITE)), None)

    def is_participle(self, form: str) -> bool:
        """Whether the word is a participle of a verb of the tables, in any gender and number."""
        return bool(self._with_tense(form, ("participle",)))

    def _with_tense(self, form: str, tenses: tuple[str, ...]) -> tuple[VerbForm, ...]:
        analyses = [analysis for analysis in self._index.get(form, ()) if analysis.tense in tenses]
        return tuple(sorted(analyses, key=lambda analysis: tenses.index(analysis.tense)))

    @cached_property
    def _index(self) -> Mapping[str, list[VerbForm]]:
        index: dict[str, list[VerbForm]] = defaultdict(list)
        for verb in sorted(self.infinitives):
            for tense, forms in self._forms(verb).items():
                every = _inflected(forms[0]) if tense == "participle" else forms
                for form, number in zip(every, ("singular", "plural") * 2, strict=False):
                    index[form].append(VerbForm(verb, tense, number))
        return index

    def _by_ending(self, form: str) -> tuple[VerbForm, ...]:
        """The analyses of an unlisted verb by its ending: *desviou* can only be a preterite in *-ar*."""
        for index in range(_SHORTEST_STEM, len(form)):
            for line in self._paradigms.entries.get("-" + form[index:], ()):
                for key in line.values.get("shows", ()):
                    ending, tense, number = key.split("/")
                    return (VerbForm(form[:index] + ending, tense, number),)
        return ()

    def _forms(self, infinitive: str) -> Mapping[str, tuple[str, ...]]:
        """All forms of a verb, by tense."""
        if infinitive not in self._known_forms:
            names = {
                infinitive: "",
                **{"-" + infinitive[index:]: infinitive[:index] for index in range(len(infinitive))},
            }
            lines = ((stem, line) for name, stem in names.items() for line in self._paradigms.entries.get(name, ()))
            stem, values = next(((stem, line.values) for stem, line in lines if "present" in line.values), ("", {}))
            self._known_forms[infinitive] = {
                tense: tuple(stem + ending for ending in endings) for tense, endings in values.items()
            }
        return self._known_forms[infinitive]


def _inflected(participle: str) -> tuple[str, ...]:
    """A participle in both numbers of both genders: *visto*, *vistos*, *vista*, *vistas*."""
    feminine = participle[:-1] + "a" if participle.endswith("o") else participle + "e"
    return (participle, participle + "s", feminine, feminine + "s")


@cache
def verbs_of(tag: str) -> Verbs:
    """The verbs of a language, read once."""
    return Verbs(tag)
