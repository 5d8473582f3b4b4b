"""Put formulas into words: choose a form, then wordings for what fills its slots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from winoglot.logic.formulas import Event, Formula, Name, Not, Rel, The, atom_of, negation
from winoglot.logic.wording.forms import OF_TWO, Fragment, X, fragments, is_person
from winoglot.logic.wording.table import Gap, Gender, Pattern, Varying, WordingTable, WordPlace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

_SHAPES = 50_000  # formulas whose forms are remembered
_STATEMENT, _OPEN = frozenset("ABC"), frozenset("PQR")


@dataclass(frozen=True)
class WrittenName:
    """A name as a language writes it, with its gender."""

    text: str
    gender: Gender = "m"


class Writer:
    """Writes sentences of one language; `names` says what the symbols are called."""

    def __init__(self, table: WordingTable, names: Mapping[str, WrittenName], rng: Random) -> None:
        """Take a table, the names, and the generator that chooses among wordings."""
        self._table = table
        self._names = names
        self._choose = rng.choice
        self._alone: Any = None  # whom the sentence has named so far, if nobody else
        self._worded: dict[tuple[str, int], int] = {}  # how the sentence has worded each relation so far
        self._alike = False  # whether the sentence says the same of two people
        self._last: tuple[Pattern, Rel] | None = None  # the last statement in the sentence, and its wording

    def sentence(self, formula: Formula, *, nested: bool = False) -> str:
        """One sentence that says the formula; `nested` allows *it is not true that*."""
        fragment, pattern = self._choose(_wordings(self._table, formula, nested))
        place = WordPlace(self._subject_gender(fragment.slots))
        self._alone = None
        relations = [atom_of(filler).name for name, filler in fragment.slots.items() if name in _STATEMENT]
        self._alike = len(set(relations)) < len(relations)
        self._worded.clear()
        self._last = None
        text = self._table.finish(self._fill(pattern, fragment.slots, place) + self._table.stop)
        return text[0].upper() + text[1:]

    def _fill(self, pattern: Pattern, slots: Mapping[str, Any], place: WordPlace) -> str:
        parts = []
        for token in pattern:
            if isinstance(token, str):
                parts.append(token)
            elif isinstance(token, Varying):
                parts.append(token.choices[place.gender, place.plural, place.mood])
            else:
                parts.append(self._slot(token, slots, place))
        return "".join(parts)

    def _slot(self, gap: Gap, slots: Mapping[str, Any], place: WordPlace) -> str:
        filler = slots[gap.slot]
        if gap.slot in _OPEN:
            subject = self._gender(slots[gap.key]) if gap.key in slots else self._subject_gender(slots)
            gender = gap.gender or subject
            return self._open(negation(filler) if gap.negated else filler, gap.place(gender), gap.key == "echo")
        if gap.slot in _STATEMENT:
            mood = gap.mood or place.mood
            return self._clause(negation(filler) if gap.negated else filler, mood, gap.key == "echo")
        if isinstance(filler, Name):
            return self._names[filler.text].text
        if isinstance(filler, The):
            return self._describe(filler, gap, self._subject_gender(slots))
        if isinstance(filler, Event):
            key = gap.key or ("not" if gap.negated else "past")
            pattern = self._table.events[filler.kind, key]
            return self._fill(pattern, {"s": filler.of}, WordPlace(self._gender(filler.of)))
        if gap.slot == "G":
            return self._table.groups[filler.name][gap.key or "pl"]
        if gap.slot == "n":
            return self._fill(self._table.numbers[filler], {}, WordPlace(self._subject_gender(slots)))
        if gap.slot == "L":
            words = [self._names[name.text].text for name in filler]
            between, last = self._table.list_
            return last.join((between.join(words[:-1]), words[-1]))
        return filler  # type: ignore[no-any-return]  # words that are put together already

    def _clause(self, statement: Formula, mood: str, echo: bool) -> str:
        """A statement about names: from either end, or of both together."""
        atom = statement.body if isinstance(statement, Not) else statement
        assert isinstance(atom, Rel)
        ends = ("direct",) if self._alike or atom.args[0] == self._alone else _ends(atom)
        options = _clauses(self._table, atom.name, not isinstance(statement, Not), ends)
        position, pattern = options[self._choose_wording(atom.name, len(options))]
        mood = self._mood(pattern, atom, mood, echo)
        if position == "both":
            first, second = atom.args
            genders = {self._gender(first), self._gender(second)}
            place = WordPlace("f" if genders == {"f"} else "m", True, mood)
            phrase = self._fill(pattern, {}, place)
            return self._fill(self._table.both, {"s": first, "o": second, "vp": phrase}, place)
        subject, other = atom.args[:: -1 if position == "inverse" else 1] if len(atom.args) == 2 else (*atom.args, None)
        place = WordPlace(self._gender(subject), False, mood)
        phrase = self._fill(pattern, {"o": other}, place)
        is_pronoun = self._table.pronoun and subject == self._alone
        subject_text = self._fill(self._table.pronoun, {}, place) if is_pronoun else subject
        self._alone = subject if not is_person(other) else None
        return self._fill(self._table.clause, {"s": subject_text, "vp": phrase}, place)

    def _open(self, statement: Formula, place: WordPlace, echo: bool) -> str:
        """A statement about x, without its subject."""
        atom = statement.body if isinstance(statement, Not) else statement
        assert isinstance(atom, Rel)
        position = "direct" if atom.args[0] == X else "inverse"
        options = self._table.statements[atom.name, position, not isinstance(statement, Not)]
        pattern = options[self._choose_wording(atom.name, len(options))]
        other = next((arg for arg in atom.args if arg != X), None)
        return self._fill(pattern, {"o": other}, replace(place, mood=self._mood(pattern, atom, place.mood, echo)))

    def _mood(self, pattern: Pattern, atom: Rel, mood: str, echo: bool) -> str:
        """The mood of a statement. With `echo`, that of *also* if only one name differs from the last statement."""
        last, self._last = self._last, (pattern, atom)
        if not echo or not last or last[0] != pattern:
            return mood
        if sum(previous != other for previous, other in zip(last[1].args, atom.args, strict=True)) != 1:
            return mood
        return "also" if mood == "indicative" else f"{mood}-also"

    def _choose_wording(self, relation: str, options: int) -> int:
        """Which of the wordings: one sentence does not say *lives in* and *has a home in* as if they differed."""
        key = relation, options
        if key not in self._worded:
            self._worded[key] = self._choose(range(options))
        return self._worded[key]

    def _describe(self, description: The, gap: Gap, subject: Gender) -> str:
        role = description.body
        assert isinstance(role, Rel)
        patterns, gender = self._table.roles[role.name]
        if gap.key in ("", "np"):
            wording = patterns["np"][self._choose_wording("np", len(patterns["np"]))]
            return self._fill(wording, {"o": role.args[1]}, WordPlace(gender))
        wordings = patterns[f"{gap.key}-not" if gap.negated else gap.key]
        return self._fill(self._choose(wordings), {"o": role.args[1]}, gap.place(subject))

    def _gender(self, term: Any) -> Gender:
        if isinstance(term, Name):
            return self._names[term.text].gender
        return self._table.roles[atom_of(term.body).name][1] if isinstance(term, The) else "m"

    def _subject_gender(self, slots: Mapping[str, Any]) -> Gender:
        if "G" in slots:
            return self._table.groups[slots["G"].name]["gender"]  # type: ignore[return-value]
        subjects = [self._gender(slots[name]) for name in "ab" if name in slots]
        return "f" if subjects and set(subjects) == {"f"} else "m"


@lru_cache(maxsize=_SHAPES)
def _wordings(table: WordingTable, formula: Formula, nested: bool) -> list[tuple[Fragment, Pattern]]:
    """The forms that the language has for the formula, with each pattern of each."""
    candidates = fragments(formula, nested=nested, forms=table.forms)
    usable = [fragment for fragment in candidates if _writable(table, fragment)]
    if any(fragment.form in OF_TWO for fragment in usable):  # rather than the same words twice
        usable = [fragment for fragment in usable if fragment.form not in table.repeating]
    wordings = [
        (fragment, pattern)
        for fragment in usable
        for pattern in table.forms[fragment.form]
        if _suits_pattern(table, pattern, fragment)
    ]
    if not wordings:
        raise ValueError(f"{table.language} has no sentence for {formula}")
    same_forms = [(fragment, pattern) for fragment, pattern in wordings if fragment.form.endswith("-same")]
    clear = [wording for wording in wordings if table.pronoun and wording not in same_forms and _clear(*wording)]
    return clear or same_forms or wordings  # rather than the same name twice


def _clear(fragment: Fragment, pattern: Pattern) -> bool:
    """Whether a pronoun in the second clause, if there is one, can mean only one person."""
    atoms = [atom_of(fragment.slots[gap.slot]) for gap in pattern if isinstance(gap, Gap) and gap.slot in _STATEMENT]
    if len(atoms) < 2 or atoms[0].name == atoms[1].name:
        return True
    first, second = ({arg for arg in atom.args if is_person(arg)} for atom in atoms)
    return len(first) == 1 or not first & second


def _suits_pattern(table: WordingTable, pattern: Pattern, fragment: Fragment) -> bool:
    """Whether the fragment has what the pattern's slots ask for."""
    for gap in pattern:
        if isinstance(gap, Gap) and (gap.key or gap.needs):
            filler = fragment.slots[gap.slot]
            if isinstance(filler, Event) and (filler.kind, gap.key) not in table.events:
                return False
            if gap.slot in "ab" and isinstance(filler, Name) != (gap.key == "name"):
                return False
            if ("affirmed" if isinstance(filler, Not) else "denied") in gap.needs:
                return False
            if gap.needs & {"solo", "joint"}:
                names_nobody = not any(is_person(arg) for arg in atom_of(filler).args)
                if ("joint" if names_nobody else "solo") in gap.needs:
                    return False
    return True


def _writable(table: WordingTable, fragment: Fragment) -> bool:
    """Whether the language has words for every statement about x in the fragment."""
    for name, filler in fragment.slots.items():
        if name in _OPEN:
            atom = atom_of(filler)
            position = "direct" if atom.args[0] == X else "inverse"
            if (atom.name, position, True) not in table.statements:
                return False
    return True


@cache
def _clauses(table: WordingTable, relation: str, affirmed: bool, ends: tuple[str, ...]) -> list[tuple[str, Pattern]]:
    clauses = [
        (position, pattern) for position in ends for pattern in table.statements.get((relation, position, affirmed), ())
    ]
    if not clauses:
        raise ValueError(f"{table.language} has no words for {relation}")
    return clauses


def _ends(atom: Rel) -> tuple[str, ...]:
    """The ends from which a statement can be worded: a description is always its subject."""
    if len(atom.args) == 1 or isinstance(atom.args[0], The):
        return ("direct",)
    return ("direct", "inverse", "both")
