"""The seven tasks of the published corpus (Salvatore, Finger and Hirata 2019), with proved labels.

Wording, columns, sizes and template families are those of the corpus; names are Winoglot's. The families keep the cues
of the corpus, which the tasks of `logic generate` without `--paper` are designed to avoid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Literal, get_args

from winoglot._version import __version__
from winoglot.errors import InputError, did_you_mean
from winoglot.files import as_csv, check_free, write_all
from winoglot.logic.dataset import Overlap
from winoglot.logic.interpretation import READINGS
from winoglot.logic.names import names as names_of
from winoglot.logic.pair import WordCounts, vocabulary
from winoglot.logic.prove import relation
from winoglot.logic.published import FILES, LANGUAGES, Amount, Fact, formulas, said

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from winoglot.logic.formulas import Sort

Split = Literal["train", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
COLUMNS = ("sentence1", "sentence2", "label", "label_form")
_SIZES: Mapping[Split, int] = {"train": 10_000, "test": 1_000}
_SIX = {"comparison": 6}  # its three families have both labels equally often: 9,996 and 996 pairs
_TRIES = 1_000  # draws of a pair before the names are judged too few


@dataclass(frozen=True)
class PaperPair:
    """A pair of sentences; `published` is the label that the published corpus gives to such a pair."""

    sentence1: str
    sentence2: str
    label: int
    label_form: str
    published: int

    def row(self) -> tuple[str, str, int, str]:
        """The cells of the file."""
        return self.sentence1, self.sentence2, self.label, self.label_form


@dataclass(frozen=True)
class PaperSet:
    """One task in one language."""

    task: str
    language: str
    seed: int
    proved: bool
    overlap: Overlap
    splits: Mapping[Split, tuple[PaperPair, ...]]

    def file(self, split: Split) -> str:
        """The name of the published file."""
        return _file(self.task, self.language, split)

    def corrected(self, split: Split) -> int:
        """How many pairs have another label in the published corpus."""
        return sum(pair.label != pair.published for pair in self.splits[split])


@dataclass(frozen=True)
class _Draft:
    """Facts and a hypothesis; `published` is their label in the published corpus, if it is not the proved one."""

    facts: list[Fact]
    hypothesis: Fact
    published: bool | None = None


@dataclass(frozen=True)
class _Names:
    """Draws names of one split without repetition; `women` are the names of women among the people."""

    rng: Random
    people: Sequence[str]
    places: Sequence[str]
    women: frozenset[str]

    def draw(self, sort: Sort, count: int) -> list[str]:
        return self.rng.sample(self.people if sort == "person" else self.places, count)


def build(
    task: str,
    language: str,
    *,
    train: int | None = None,
    test: int | None = None,
    seed: int = 0,
    proof: bool = True,
    overlap: Overlap = "none",
    progress: Callable[[int, int], None] | None = None,
) -> PaperSet:
    """Generate a task; the numbers of pairs are the published ones unless given. See `DataRecipe` on `overlap`."""
    sizes = check(task, language, train=train, test=test)
    written: set[tuple[str, str]] = set()
    splits: dict[Split, tuple[PaperPair, ...]] = {}
    for split, size in sizes.items():
        names = _names(language, split if overlap == "none" else None, Random(f"paper {seed} {task} {split}"))
        pairs = []
        for number in range(size):
            pairs.append(_pair(task, language, names, number, written, proof=proof))
            if progress:
                progress(len(pairs) + sum(map(len, splits.values())), sum(sizes.values()))
        names.rng.shuffle(pairs)
        splits[split] = tuple(pairs)
    return PaperSet(task, language, seed, proof, overlap, splits)


def check(task: str, language: str, *, train: int | None = None, test: int | None = None) -> dict[Split, int]:
    """The numbers of pairs, rounded down so that labels balance; an input error for an unknown task or language."""
    if task not in FILES:
        raise InputError(f"the published corpus has no task {task!r}", remedy=did_you_mean(task, FILES))
    if language not in LANGUAGES:
        raise InputError(
            f"the published corpus is not in {language!r}", remedy=f"Use --language {' or '.join(LANGUAGES)}."
        )
    requested: dict[Split, int | None] = {"train": train, "test": test}
    unit = _SIX.get(task, 2)
    sizes: dict[Split, int] = {}
    for split, size in requested.items():
        size_wanted = _SIZES[split] if size is None else size
        sizes[split] = size_wanted // unit * unit
        if size_wanted < 0 or (size_wanted and not sizes[split]):
            remedy = f"Ask for {unit} or more with --{split}, or for 0 to leave it out."
            raise InputError(f"{size_wanted} pairs of the task {task} cannot be balanced", remedy=remedy)
    return sizes


def write(sets: Sequence[PaperSet], folder: Path, *, force: bool = False) -> None:
    """Write the files of all tasks and a card, README.md; without `force`, nothing if one of them exists."""
    content: dict[Path, Callable[[], str | bytes]] = {folder / "README.md": lambda: card(sets)}
    for paper_set in sets:
        for split, pairs in paper_set.splits.items():
            content[folder / paper_set.file(split)] = partial(_csv, pairs)
    write_all(content, force=force)


def check_writable(folder: Path, tasks: Sequence[str], languages: Sequence[str], *, force: bool) -> None:
    """Refuse to overwrite files; call it before the work."""
    files = (_file(task, language, split) for language in languages for task in tasks for split in SPLITS)
    for name in ("README.md", *files):
        check_free(folder / name, force=force)


def _csv(pairs: Sequence[PaperPair]) -> str:
    return as_csv((dict(zip(COLUMNS, pair.row(), strict=True)) for pair in pairs), COLUMNS)


def _file(task: str, language: str, split: Split) -> str:
    return f"{FILES[task][0]}{'' if language == 'en' else f'_{language}'}_{split}.csv"


def card(sets: Sequence[PaperSet]) -> str:
    """The data card in Markdown."""
    lines = ["| file | pairs | labels | published label differs |", "| --- | --- | --- | --- |"]
    for paper_set in sets:
        for split in SPLITS:
            pairs = paper_set.splits[split]
            ones = sum(pair.label for pair in pairs)
            labels = f"{ones} of 1, {len(pairs) - ones} of 0"
            lines.append(f"| `{paper_set.file(split)}` | {len(pairs)} | {labels} | {paper_set.corrected(split)} |")
    lines += ["", "| task | words | in train and test | characters per pair | at most |", "| --- " * 5 + "|"]
    for paper_set in sets:
        texts = {
            split: [f"{pair.sentence1} {pair.sentence2}" for pair in pairs] for split, pairs in paper_set.splits.items()
        }
        if all_texts := [text for split_texts in texts.values() for text in split_texts]:
            counts, shared_words = WordCounts.of(all_texts), frozenset.intersection(*map(vocabulary, texts.values()))
            cells = (counts.different, len(shared_words), counts.mean_length, counts.longest)
            lines.append(f"| {paper_set.task}, {paper_set.language} | {' | '.join(map(str, cells))} |")
    origin_of_labels = (
        "proved by z3" if all(paper_set.proved for paper_set in sets) else "not proved: they are those of the templates"
    )
    tasks, languages = ([*dict.fromkeys(getattr(each, name) for each in sets)] for name in ("task", "language"))
    task = "all" if len(tasks) == len(FILES) else " --task ".join(tasks)
    command = f"winoglot logic generate --paper --task {task} --language {' --language '.join(languages)}"
    command += f" --seed {sets[0].seed}" + (" --overlap full" if sets[0].overlap == "full" else "")
    for split, size in _SIZES.items():
        largest = max(len(paper_set.splits[split]) for paper_set in sets)  # other tasks round it down as they did
        if largest != size - size % _SIX.get(task, 1):
            command += f" --{split} {largest}"
    if not all(paper_set.proved for paper_set in sets):
        command += " --no-proof"
    shared = "Train and test share no names." if sets[0].overlap == "none" else "Train and test draw on the same names."
    return _CARD.format(
        version=__version__, how=origin_of_labels, table="\n".join(lines), command=command, shared=shared
    )


_CARD = """# The tasks of the published contradiction corpus, with proved labels

Pairs of sentences with the wording, columns, sizes and template families of Salvatore, Finger and Hirata (2019), *A
logical-based corpus for cross-lingual evaluation*. Generated by Winoglot {version} with its own names: no sentence is
taken from the corpus. To generate them again:

    {command} -o FOLDER

{table}

A word is what stands between spaces; lengths are those of both sentences, in characters.

- `label` is 1 if the second sentence contradicts the first, else 0. Labels are {how}.
- `label_form` is the task; in `mixed`, whose published files lack this column, the task that the pair comes from.
- {shared}
- The families keep the cues of the corpus: see *Check logic data* in Winoglot's documentation.

## Where published labels are wrong

The paper defines "as tall as" as ≥, at least as tall. Under that reading (the default here) one family of comparisons
is labelled wrongly in the published files: if A is taller than B, C and D, and A is as tall as E, it does not follow
that B is not taller than E, since E may be shorter than A and than B. The published label is 1, contradiction; the
proved one is 0. If "as tall as" means equal height, the published label is right. This concerns 93 of 996 rows of the
published English test file of comparisons and 71 of 996 of the Portuguese one, and 20 and 17 of 1,000 rows of the
mixed ones. The last column above says how many rows here have such sentences; their label is 0.
"""


def _names(language: str, split: Split | None, rng: Random) -> _Names:
    """First names, as in the published corpus, and cities."""
    pool = names_of(language, split)
    return _Names(rng, (*pool.feminine, *pool.masculine), pool.places, frozenset(pool.feminine))


def _pair(
    task: str, language: str, names: _Names, number: int, written: set[tuple[str, str]], *, proof: bool
) -> PaperPair:
    """The pair with this number: labels alternate, and families of comparisons and tasks of the mixture take turns."""
    turn, contradiction, origin = number // 2, number % 2 == 0, task
    if task == "mixed":
        turn, index = divmod(turn, len(_FAMILIES))
        origin = list(_FAMILIES)[index]
    for _ in range(_TRIES):
        draft = _FAMILIES[origin](names, contradiction, turn)
        facts, hypothesis = draft.facts, draft.hypothesis
        sentences = [said(fact, language, feminine=fact.subjects[0] in names.women) for fact in (*facts, hypothesis)]
        comma = " , " if origin == "comparison" else ", "
        texts = comma.join(sentences[:-1]), sentences[-1]
        if texts not in written:
            written.add(texts)
            break
    else:
        raise InputError("there are too few names for that many different pairs", remedy="Ask for fewer pairs.")
    if proof:
        _check(draft, contradiction, names)
    published = contradiction if draft.published is None else draft.published
    return PaperPair(*texts, int(contradiction), FILES[origin][1], int(published))


def _check(draft: _Draft, contradiction: bool, names: _Names) -> None:
    """Prove the label, and the published one under the reading that makes it right."""
    sorts: dict[str, Sort] = dict.fromkeys(names.people, "person")
    (premise, hypothesis), _ = formulas([draft.facts, [draft.hypothesis]], sorts)
    expected = {"default": contradiction} | ({} if draft.published is None else {"as-tall-as=equal": draft.published})
    for reading, label in expected.items():
        proved_relation = relation(premise, hypothesis, READINGS[reading])
        if (proved_relation == "contradiction") != label:
            raise ValueError(f"proved {proved_relation}, but the template says {label}: {premise} / {hypothesis}")


def _negation(names: _Names, contradiction: bool, _: int) -> _Draft:
    """Two to twelve visits; one of them is denied, or a visit to another place."""
    count = names.rng.randint(2, 12)
    people, places = names.draw("person", count), names.draw("place", count + 1)
    index = names.rng.randrange(count)
    facts = [Fact((person,), "visited", (place,)) for person, place in zip(people, places, strict=False)]
    return _Draft(facts, Fact((people[index],), "denied", (places[index if contradiction else count],)))


def _coordination(names: _Names, contradiction: bool, _: int) -> _Draft:
    """A list of people has visited a place, or a person a list of places; a member of the list, or a stranger."""
    count = names.rng.randint(2, 20)
    list_sort: Sort = names.rng.choice(("person", "place"))
    single: Sort = "place" if list_sort == "person" else "person"
    members, heads = names.draw(list_sort, count + 1), names.draw(single, 2)
    stranger = 0 if contradiction else names.rng.choice((1, 2))
    pair = {
        single: heads[stranger == 1],
        list_sort: members[count] if stranger == 2 else names.rng.choice(members[:count]),
    }
    names_by_sort = {single: (heads[0],), list_sort: tuple(members[:count])}
    fact = Fact(names_by_sort["person"], "visited", names_by_sort["place"])
    return _Draft([fact], Fact((pair["person"],), "denied", (pair["place"],)))


def _quantification(names: _Names, contradiction: bool, turn: int) -> _Draft:
    """Everyone or someone has visited everyone, every place, both, or a list of places."""
    person, other = names.draw("person", 2)
    places = names.draw("place", 21)
    subject, target = "everyone", names.rng.choice((other, places[0]))
    objects: tuple[Amount, ...] = (Amount("person"), Amount("place"))
    match turn % 4:
        case 0:
            objects, target = (Amount("person"),), other if contradiction else places[0]
        case 1:
            objects, target = (Amount("place"),), places[0] if contradiction else other
        case 2:
            count = names.rng.randint(2, 20)
            place_index = names.rng.randrange(count) if contradiction else count
            return _Draft(
                [Fact((subject,), "visited", tuple(places[:count]))], Fact((person,), "denied", (places[place_index],))
            )
        case _:
            subject = "everyone" if contradiction else "someone"
    return _Draft([Fact((subject,), "visited", objects)], Fact((person,), "denied", (target,)))


def _description(names: _Names, contradiction: bool, _: int) -> _Draft:
    """The one who has visited everyone or every place visits somebody or is visited; either is asked about."""
    sort: Sort = names.rng.choice(("person", "place"))
    one_described, other, third = names.draw("person", 3)
    visit = names.rng.choice(((one_described, other), (other, one_described)))
    facts = [
        Fact((one_described,), "the one who visited", (Amount(sort),)),
        Fact((visit[0],), "visited", (visit[1],)),
    ]
    names.rng.shuffle(facts)
    target = third if sort == "person" else names.draw("place", 1)[0]
    return _Draft(facts, Fact((one_described if contradiction else other,), "denied", (target,)))


def _comparison(names: _Names, contradiction: bool, turn: int) -> _Draft:
    """A chain of taller, one of as tall with a taller at its end, or a list of people who are shorter than one."""
    count = names.rng.randint(4, 10)
    people = names.draw("person", count + 2)
    if turn % 3 == 0:
        facts = [Fact((people[index],), "taller", (people[index + 1],)) for index in range(count)]
        higher, lower = sorted(names.rng.sample(range(count + 1), 2))
    elif turn % 3 == 1:
        facts = [Fact((people[index],), "as tall as", (people[index + 1],)) for index in range(count)]
        facts.append(Fact((people[count],), "taller", (people[count + 1],)))
        higher, lower = names.rng.randrange(count + 1), count + 1
    else:
        return _shorter_list(names, contradiction, people)
    order = (lower, higher) if contradiction else (higher, lower)
    return _Draft(facts, Fact((people[order[0]],), "taller", (people[order[1]],)))


def _shorter_list(names: _Names, contradiction: bool, people: list[str]) -> _Draft:
    """A list of people shorter than one, and somebody who is as tall as that one, which means at least as tall."""
    tallest, *shorter, other = people
    member = names.rng.choice(shorter)
    is_below = contradiction or names.rng.random() < 1 / 3  # three kinds of pairs are no contradictions
    pair = (other, tallest) if is_below else (tallest, other)
    facts = [Fact((tallest,), "taller", tuple(shorter)), Fact((pair[0],), "as tall as", (pair[1],))]
    is_mislabelled = not is_below and names.rng.random() < 1 / 2
    order = (member, other) if contradiction or is_mislabelled else (other, member)
    return _Draft(facts, Fact((order[0],), "taller", (order[1],)), True if is_mislabelled else None)


def _counting(names: _Names, contradiction: bool, _: int) -> _Draft:
    """A person has visited only n places, or people, or both; the list in question has one more, or at most n."""
    person = names.draw("person", 1)[0]
    both_sorts: tuple[Sort, Sort] = ("place", "person")
    sorts = both_sorts if names.rng.random() < 1 / 2 else (names.rng.choice(both_sorts),)
    amounts = tuple(Amount(sort, names.rng.randint(1, 30)) for sort in sorts)
    amount = names.rng.choice(amounts)
    assert amount.n is not None
    count = amount.n + 1 if contradiction else names.rng.randint(1, amount.n)
    visited = [name for name in names.draw(amount.sort, count + 1) if name != person][:count]
    return _Draft([Fact((person,), "visited", amounts)], Fact((person,), "visited", tuple(visited)))


_FAMILIES: Mapping[str, Callable[[_Names, bool, int], _Draft]] = {
    "negation": _negation,
    "coordination": _coordination,
    "quantification": _quantification,
    "description": _description,
    "comparison": _comparison,
    "counting": _counting,
}
