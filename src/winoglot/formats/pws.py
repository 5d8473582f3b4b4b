"""PWS, the parallel Winograd schemas: tab-separated with a header; an item a row, in several languages side by side.

Columns are called `sentence_X`, `snippet_X`, `answer1_X`, `answer2_X` and `correct_answer_X` for each language X (the
published file says en, hu, fr, por, man, jap, rus; language tags do as well); `idx` numbers the rows and `orig_id` the
schemas, and other columns are left alone. A second version X2 of a language, with names of that country, becomes the
variant `local-names`. Quotation marks mean nothing to the columns; cells that were quoted as in CSV are unquoted.
Chinese, which comes in words, is joined.

No pronoun is marked: the snippet repeats its clause, or asks for its referent, and is then the question. So a pronoun
is the one that the snippet holds; else, and then it is reported, the one right before what the question repeats, or a
zero pronoun there, or the only one of the sentence. A row with none of these is left out, and so is one whose cells are
shifted against each other: its sentence has neither its snippet nor a candidate.
Not yet tried on the whole published file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.formats._language import choose_language
from winoglot.formats._pronouns import pronouns_in
from winoglot.formats._rows import Row, RowVariant, build_collection
from winoglot.formats.base import InputFile
from winoglot.languages.base import function_words
from winoglot.schemas.mentions import find_mentions, whole_words
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, is_unspaced, language_tag, primary

if TYPE_CHECKING:
    from winoglot.schemas.mentions import FunctionWords
    from winoglot.schemas.model import Collection

SUFFIXES = (".tsv",)
_FIELDS = ("sentence", "snippet", "answer1", "answer2", "correct_answer")
_COLUMN = re.compile(rf"({'|'.join(_FIELDS)})_([a-z]{{2,3}}(?:-[A-Za-z0-9]{{2,8}})*)(2?)")
_LANGUAGES = {"eng": "en", "hun": "hu", "fra": "fr", "por": "pt", "man": "zh", "jap": "ja", "rus": "ru"}
_LOCAL_NAMES = "local-names"
# How a question asks for the pronoun's referent; what is left of it is the pronoun's clause.
_ASKING = {
    "fr": re.compile(r"(?:qu'est-ce qui|qui ou quoi|qui) (.+?) ?\?"),
    "hu": re.compile(r"(?:kik?|mik?) (.+?) ?\?"),
    "ja": re.compile(r"(.+?)のは(?:誰|何)か[？?]"),
    "zh": re.compile(r"(?:谁或者什么|什么东西|什么|谁)(.+?)[？?]"),
}
_MAY_BE_UNSPOKEN = ("hu", "ja", "zh")
_Columns = dict[str, int]


def sniff(head: str) -> bool:
    """A header with at least one language's columns."""
    return bool(_blocks(head.partition("\n")[0]))


def read(file: InputFile) -> Collection:
    """Read the items of one language; `file.language` says which where there are several."""
    header, *lines = file.text.split("\n")
    blocks = _blocks(header)
    if not blocks:
        raise InputError(
            "the header names no language's columns",
            remedy=f"Its first line should have {', '.join(f'{field}_en' for field in _FIELDS)}, or a like set.",
            file=file.label,
            line=1,
        )
    language = choose_language({tag for tag, _ in blocks}, file)
    width = header.count("\t") + 1
    names = {name.strip(): number for number, name in enumerate(header.split("\t"))}
    rows: list[Row] = []
    seen: set[str] = set()
    for number, line in enumerate(lines, 2):
        cells = [_unquoted(cell) for cell in line.rstrip("\r").split("\t")]
        if not line.strip():
            continue
        if len(cells) != width:
            file.skipped(number, "row", f"it has {len(cells)} columns instead of {width}")
            continue
        source_id = _cell(cells, names, "idx") or f"line-{number}"
        if source_id in seen:
            file.repaired(number, f"row {source_id}", f"another row has this idx; it is called line-{number}")
            source_id = f"line-{number}"
        seen.add(source_id)
        reader = _RowReader(file, language, number, source_id, _cell(cells, names, "orig_id") or None)
        row = reader.row(cells, blocks[language, ""], f"row {source_id}")
        if row is not None:
            rows.append(reader.with_local_names(row, cells, blocks.get((language, "2"), {})))
    return build_collection(rows, file, language)


def _blocks(header: str) -> dict[tuple[str, str], _Columns]:
    """For each language that has all it needs, and for its second version, where its columns stand."""
    found: dict[tuple[str, str], _Columns] = {}
    for number, name in enumerate(header.split("\t")):
        column = _COLUMN.fullmatch(name.strip())
        if column:
            field, code, version = column.groups()
            found.setdefault((_LANGUAGES.get(code) or language_tag(code), version), {})[field] = number
    whole = {key: columns for key, columns in found.items() if len(columns) == len(_FIELDS)}
    return {key: columns for key, columns in whole.items() if (key[0], "") in whole}


def _cell(cells: list[str], names: _Columns, name: str) -> str:
    return cells[names[name]] if name in names else ""


def _unquoted(cell: str) -> str:
    """The cell without the quotation marks that CSV puts around it, and without surplus blanks.

    >>> _unquoted('"He said ""no"" ."'), _unquoted('"Yes", he said')
    ('He said "no" .', '"Yes", he said')
    """
    quoted = re.fullmatch(r'"((?:[^"]|"")*)"', cell.strip())
    return " ".join((quoted.group(1).replace('""', '"') if quoted else cell).split())


def _joined(words: str) -> str:
    """Without the blanks that part the words of a script that has none.

    >>> _joined("Ann 和 小雯 走 了 。"), _joined("Ann and Bea left.")
    ('Ann和小雯走了。', 'Ann and Bea left.')
    """
    kept = (
        "" if blank == " " and (is_unspaced(words[at - 1]) or is_unspaced(words[at + 1])) else blank
        for at, blank in enumerate(words)
    )
    return "".join(kept)


@dataclass(frozen=True)
class _RowReader:
    """What is the same for both versions of a row."""

    file: InputFile
    language: str
    line: int
    source_id: str
    group: str | None

    @property
    def words(self) -> FunctionWords:
        return function_words(self.language)

    def row(self, cells: list[str], columns: _Columns, name: str) -> Row | None:
        sentence, snippet, *answers, gold = (_joined(cells[columns[field]]) for field in _FIELDS)
        fault = self._fault(sentence, snippet, answers)
        pronoun = None if fault else self._pronoun(sentence, snippet, name)
        if pronoun is None:
            self.file.skipped(self.line, name, fault or "which word is its pronoun cannot be told from its snippet")
            return None
        return Row(
            line=self.line,
            source_id=self.source_id,
            candidates=tuple(answers),
            answer=self._answer(gold, answers, name),
            text=sentence,
            pronoun=pronoun,
            question=snippet if _is_question(snippet) else None,
            group=self.group,
            parallel_id=f"{self.group or 'row'}.{self.source_id}",
        )

    def with_local_names(self, row: Row, cells: list[str], columns: _Columns) -> Row:
        """The row with its second version as a variant, where there is one."""
        name = f"{_LOCAL_NAMES} of row {self.source_id}"
        variant = self.row(cells, columns, name) if columns and cells[columns["sentence"]] else None
        if variant is None:
            return row
        if variant.answer not in (None, row.answer):
            self.file.skipped(self.line, name, "its correct answer is not the one of the first version")
            return row
        return replace(row, variants=(RowVariant(_LOCAL_NAMES, "keeps", replace(variant, answer=row.answer)),))

    def _fault(self, sentence: str, snippet: str, answers: list[str]) -> str | None:
        """Why a row cannot be read; a question has other words than the sentence, so it tells nothing of a shift."""
        empty = [field for field, cell in zip(_FIELDS, (sentence, snippet, *answers), strict=False) if not cell]
        if empty:
            return f"it has no {' and no '.join(empty)} in {self.language}"
        if _is_question(snippet) or _bare(snippet) in folded(sentence):
            return None
        if any(find_mentions(sentence, answer, self.words, Span(0, 0)) for answer in answers):
            return None
        return "its sentence has neither its snippet nor a candidate: its cells are shifted against each other"

    def _answer(self, gold: str, answers: list[str], name: str) -> int | None:
        """Which answer the string of the correct one is; without one the item is unlabelled."""
        if not gold:
            return None
        wanted, plain = _bare(gold), [_bare(answer) for answer in answers]
        if wanted in plain:
            return plain.index(wanted)
        like = [n for n, answer in enumerate(plain) if _only_place(wanted, answer) or _only_place(answer, wanted)]
        meant = like[0] if len(like) == 1 else None
        taken = "kept unlabelled" if meant is None else f"taken to be {answers[meant]!r}"
        self.file.repaired(self.line, name, f"its correct answer {gold!r} is neither of its answers; {taken}")
        return meant

    def _pronoun(self, sentence: str, snippet: str, name: str) -> Span | None:
        repeated = _only_place(sentence, _bare(snippet))
        inside = pronouns_in(sentence, repeated, self.words) if repeated else []
        if len(inside) == 1:
            return inside[0]
        if inside:
            return self._reported(sentence, inside[0], f"the first of {len(inside)} pronouns of its snippet", name)
        asked = _before_clause(sentence, snippet, self.language, self.words)
        if asked is not None:
            return self._reported(sentence, asked, "what its question asks for", name)
        everywhere = pronouns_in(sentence, Span(0, len(sentence)), self.words, surely=True)
        if len(everywhere) == 1 and not repeated:  # a clause without a pronoun has one that is not spoken
            return self._reported(sentence, everywhere[0], "the only pronoun of its sentence", name)
        return None

    def _reported(self, sentence: str, pronoun: Span, why: str, name: str) -> Span:
        meant = repr(pronoun.of(sentence)) if pronoun.of(sentence) else "a zero pronoun"
        self.file.repaired(
            self.line, name, f"no pronoun is marked; taken to be {meant} at character {pronoun.start}, {why}"
        )
        return pronoun


def _before_clause(sentence: str, question: str, language: str, words: FunctionWords) -> Span | None:
    """The pronoun in whose place a question asks, where the sentence has the rest of the question in one place."""
    asking = _ASKING.get(primary(language))
    asked = asking.fullmatch(folded(question)) if asking else None
    clause = _only_place(sentence, asked.group(1)) if asked else None
    if clause is None:
        return None
    before = pronouns_in(sentence, Span(0, clause.start), words)
    if before and not sentence[before[-1].end : clause.start].strip():
        return before[-1]
    return Span(clause.start, clause.start) if primary(language) in _MAY_BE_UNSPOKEN else None


def _only_place(sentence: str, part: str) -> Span | None:
    """Where the sentence has this part as whole words; nowhere if in several places."""
    places = whole_words(sentence, part)
    return places[0] if len(places) == 1 else None


def _is_question(snippet: str) -> bool:
    return snippet.endswith(("?", "？"))


def _bare(text: str) -> str:
    """In small letters and without marks and blanks at its ends: two strings that mean the same answer are the same."""
    return re.sub(r"^\W+|\W+$", "", folded(text))
