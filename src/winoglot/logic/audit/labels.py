"""Do the labels of a file agree with what can be proved, and its formulas with its sentences?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError, did_you_mean
from winoglot.logic import published
from winoglot.logic.formulas import Formula, Name, Sort, Term, Var, children, parse, substituted, symbols
from winoglot.logic.interpretation import DEFAULT, READINGS, Interpretation, interpreted, presupposed
from winoglot.logic.names import known_names
from winoglot.logic.prove import InconsistentPremise, prove, relation
from winoglot.logic.wording.parse import NotUnderstood, parse_back

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from winoglot.logic.audit.files import PairFile
    from winoglot.logic.pair import Pair
    from winoglot.logic.published import Fact

QUICK = tuple(name for name, reading in READINGS.items() if reading.names == DEFAULT.names)  # others take minutes
_MOST_UNSURE = 3  # names; in a longer list the other names settle the sort

Formulas = tuple[Formula, Formula]


@dataclass(frozen=True)
class Meaning:
    """A pair as formulas; `names` are those in its sentences, with their symbols.

    `others` are the alternative meanings if a name could be either a person or a place: *Ana has not visited
    Victoria*. `differs` if the formulas beside the sentences do not say what the sentences say.
    """

    formulas: Formulas
    names: dict[str, Name]
    from_sentences: bool
    others: tuple[Formulas, ...] = ()
    differs: bool = False


@dataclass(frozen=True)
class Disagreement:
    """A label that differs from what is proved; `proved` is None if the premise cannot be true."""

    line: int
    label: str
    proved: str | None
    premise: str
    hypothesis: str


@dataclass(frozen=True)
class Reproved:
    """The result: how many pairs were understood (from their sentences or else from the formulas in the file).

    `readings` lists, for each named reading, every pair whose label disagrees with the proof. `unsure` are the lines of
    pairs whose label depends on whether a name is a person or a place; `unread` are those of pairs that could not be
    parsed or decided. Neither counts as a wrong label. `differing` are the lines whose formulas do not say what their
    sentences say, `misjudged` those whose depth is not the number of facts that decide.
    """

    pairs: int
    from_sentences: int
    from_formulas: int
    unsure: tuple[int, ...]
    unread: tuple[int, ...]
    differing: tuple[int, ...]
    misjudged: tuple[int, ...]
    readings: dict[str, tuple[Disagreement, ...]]


def check_readings(readings: Sequence[str]) -> None:
    """Refuse an unknown reading."""
    for name in readings:
        if name not in READINGS:
            raise InputError(f"unknown reading {name!r}", remedy=did_you_mean(name, READINGS))


def meanings(file: PairFile, progress: Callable[[int, int], None] | None = None) -> list[Meaning | None]:
    """What each pair means; None if neither its sentences nor its formulas can be parsed.

    Published sentences do not say whether a visited name is a person: one that does something in any sentence of the
    file, or is listed with such names, is a person throughout.
    """
    by_grammar = [_by_grammar(pair) for pair in file.pairs]
    published_facts = [
        None if meaning else _published_facts(pair) for pair, meaning in zip(file.pairs, by_grammar, strict=True)
    ]
    people = published.people_in(
        fact
        for facts_of_pair in published_facts
        if facts_of_pair
        for meaning_of_text in facts_of_pair
        for fact in meaning_of_text
    )
    results = []
    for number, (pair, meaning, facts_of_pair) in enumerate(
        zip(file.pairs, by_grammar, published_facts, strict=True), start=1
    ):
        meaning_of_text = meaning if facts_of_pair is None else _settle_sorts(pair, facts_of_pair, people)
        stated_meaning = _from_formulas(pair)
        if meaning_of_text and stated_meaning:
            meaning_of_text = replace(meaning_of_text, differs=not _say_the_same(meaning_of_text, stated_meaning))
        results.append(meaning_of_text or stated_meaning)
        if progress:
            progress(number, len(file.pairs))
    return results


def reproved(
    file: PairFile,
    understood: Sequence[Meaning | None],
    readings: Sequence[str] = QUICK,
    progress: Callable[[int, int], None] | None = None,
) -> Reproved:
    """Prove every pair again from the meaning of its sentences."""
    check_readings(readings)
    wrong: dict[str, list[Disagreement]] = {name: [] for name in readings}
    unsure: dict[int, None] = {}
    unread, misjudged = [], []
    for number, (pair, line, meaning) in enumerate(zip(file.pairs, file.lines, understood, strict=True), start=1):
        if progress:
            progress(number, len(file.pairs))
        if meaning is None:
            unread.append(line)
            continue
        try:
            for name in readings:
                proved_relation = _relation(meaning.formulas, READINGS[name])
                if _agrees(pair, proved_relation):
                    continue
                if any(_agrees(pair, _relation(other, READINGS[name])) for other in meaning.others):
                    unsure[line] = None
                else:
                    wrong[name].append(Disagreement(line, pair.label, proved_relation, pair.premise, pair.hypothesis))
            if pair.depth and _facts_used(meaning.formulas) not in {0, pair.depth}:
                misjudged.append(line)
        except InputError:  # z3 could not decide it
            unread.append(line)
    return Reproved(
        pairs=len(file.pairs),
        from_sentences=sum(meaning is not None and meaning.from_sentences for meaning in understood),
        from_formulas=sum(meaning is not None and not meaning.from_sentences for meaning in understood),
        unsure=tuple(unsure),
        unread=tuple(unread),
        differing=tuple(
            line for line, meaning in zip(file.lines, understood, strict=True) if meaning and meaning.differs
        ),
        misjudged=tuple(misjudged),
        readings={name: tuple(disagreements) for name, disagreements in wrong.items()},
    )


def _by_grammar(pair: Pair) -> Meaning | None:
    """The meaning by the grammar of the language, with the names that the file states or that Winoglot knows."""
    names = dict(pair.names) or known_names(f"{pair.premise}\n{pair.hypothesis}", pair.language)
    try:
        formulas = [parse_back(text, pair.language, names) for text in (pair.premise, pair.hypothesis)]
    except (NotUnderstood, InputError):
        return None
    return Meaning((formulas[0], formulas[1]), {name: Name(symbol) for symbol, name in names.items()}, True)


def _published_facts(pair: Pair) -> tuple[list[Fact], list[Fact]] | None:
    if pair.language not in published.LANGUAGES:
        return None
    try:
        return published.facts(pair.premise, pair.language), published.facts(pair.hypothesis, pair.language)
    except published.NotPublished:
        return None


def _settle_sorts(pair: Pair, facts_of_texts: tuple[list[Fact], list[Fact]], people: set[str]) -> Meaning:
    """The formulas of published sentences, and those they would have if an unsettled list were of the other sort."""
    stated_sorts: dict[str, Sort] = {name: "person" for key, name in pair.names.items() if key.startswith("p")}
    facts = [*facts_of_texts[0], *facts_of_texts[1]]
    sorts = published.sorts_of(facts, {*people, *stated_sorts})
    agents = {name for fact in facts for name in fact.people}
    names_of_known_sort = {*agents, *pair.names.values()}
    lists = {tuple(name for name in fact.visited if name not in names_of_known_sort) for fact in facts}
    (premise, hypothesis), names = published.formulas(facts_of_texts, sorts)
    other_meanings: list[Formulas] = []
    for unsure in sorted(filter(None, lists)):
        if len(unsure) <= _MOST_UNSURE:
            other: Sort = "place" if sorts[unsure[0]] == "person" else "person"
            other_premise, other_hypothesis = published.formulas(
                facts_of_texts, {**sorts, **dict.fromkeys(unsure, other)}
            )[0]
            other_meanings.append((other_premise, other_hypothesis))
    return Meaning((premise, hypothesis), names, True, tuple(other_meanings))


def _from_formulas(pair: Pair) -> Meaning | None:
    """The meaning by the formulas that the file states beside the sentences; None if there are none."""
    if not pair.formula_premise or not pair.formula_hypothesis:
        return None
    try:
        formulas = parse(pair.formula_premise), parse(pair.formula_hypothesis)
    except (InputError, ValueError):
        return None
    if any(map(_open, formulas)):
        return None
    symbols_by_text = {symbol.text: symbol for symbol in symbols(*formulas)}
    return Meaning(
        formulas, {name: symbols_by_text[key] for key, name in pair.names.items() if key in symbols_by_text}, False
    )


def _say_the_same(spoken: Meaning, stated: Meaning) -> bool:
    """Whether both say the same of the same names: literally, or by proof in both directions."""
    renaming: dict[Term, Term] = {
        symbol: spoken.names[name] for name, symbol in stated.names.items() if name in spoken.names
    }
    if renaming.keys() != set(symbols(*stated.formulas)) or any(old.sort != new.sort for old, new in renaming.items()):
        return False
    return all(
        first == second or _relation((first, second), DEFAULT) == _relation((second, first), DEFAULT) == "entailment"
        for first, second in zip(
            spoken.formulas, (substituted(formula, renaming) for formula in stated.formulas), strict=True
        )
    )


def _open(node: Formula | Term, bound: frozenset[Var] = frozenset()) -> bool:
    """Whether a variable occurs unbound by any quantifier or description."""
    if isinstance(node, Var):
        return node not in bound
    inner_bound = bound | {node.var} if hasattr(node, "var") else bound
    return any(_open(child, inner_bound) for child in children(node))


def _agrees(pair: Pair, proved_relation: str | None) -> bool:
    if pair.label in {"0", "1"}:
        return proved_relation is not None and (pair.label == "1") == (proved_relation == "contradiction")
    return pair.label == proved_relation


def _facts_used(formulas: Formulas) -> int:
    """The size of a smallest set of facts that decides the pair; 0 if none does."""
    try:
        return len(prove(*formulas).uses)
    except InconsistentPremise:
        return 0


def _relation(formulas: Formulas, reading: Interpretation) -> str | None:
    """The proved relation; a reading that changes nothing in the formulas is not proved again."""
    is_unchanged = all(
        interpreted(formula, reading) == interpreted(formula, DEFAULT) and not presupposed(formula, reading)
        for formula in formulas
    )
    try:
        return relation(*formulas, DEFAULT if is_unchanged and reading.names == DEFAULT.names else reading)
    except InconsistentPremise:
        return None
