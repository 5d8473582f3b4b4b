"""PWS: a table of parallel Winograd schemas in several languages.

Tab-separated with a header: one item per row, the languages side by side.

Columns are called `sentence_X`, `snippet_X`, `answer1_X`, `answer2_X` and `correct_answer_X` for each language X (the
published file has en, hu, fr, por, man, jap, rus; language tags work as well); `idx` numbers the rows and `orig_id` the
schemas; other columns are ignored. A second version X2 of a language, with names of that country, becomes the variant
`local-names`. Quotation marks do not protect tabs; cells that were quoted as in CSV are unquoted. Chinese, which comes
split into words, is joined.

No pronoun is marked: the snippet repeats the pronoun's clause, or asks for its referent, and is then the question. So
the pronoun is the one in the snippet; failing that, and reported, the one right before what the question repeats, or a
zero pronoun there, or the only pronoun of the sentence. A row with none of these is skipped, as is a row whose cells
have shifted: its sentence has neither its snippet nor a candidate. Not yet tried on the whole published file.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.formats.importing.repairs import describe_pronoun, pronouns_in
from winoglot.formats.importing.rows import SourceRow, SourceVariant, build_collection
from winoglot.formats.importing.sources import choose_language, header_cells, split_cells, tab_separated
from winoglot.languages.base import function_words
from winoglot.schemas.mentions import find_mentions, whole_words
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, is_unspaced, language_tag, primary

if TYPE_CHECKING:
    from winoglot.formats.base import InputFile, Repaired
    from winoglot.schemas.mentions import FunctionWords
    from winoglot.schemas.model import Collection

SUFFIXES = (".tsv",)
_FIELDS = ("sentence", "snippet", "answer1", "answer2", "correct_answer")
_COLUMN = re.compile(rf"({'|'.join(_FIELDS)})_([a-z]{{2,3}}(?:-[A-Za-z0-9]{{2,8}})*)(2?)")
_LANGUAGES = {"eng": "en", "hun": "hu", "fra": "fr", "por": "pt", "man": "zh", "jap": "ja", "rus": "ru"}
_LOCAL_NAMES = "local-names"
# How a question asks for the pronoun's referent; the rest of the question is the pronoun's clause.
_ASKING = {
    "fr": re.compile(r"(?:qu'est-ce qui|qui ou quoi|qui) (.+?) ?\?"),
    "hu": re.compile(r"(?:kik?|mik?) (.+?) ?\?"),
    "ja": re.compile(r"(.+?)のは(?:誰|何)か[？?]"),
    "zh": re.compile(r"(?:谁或者什么|什么东西|什么|谁)(.+?)[？?]"),
}
_MAY_BE_UNSPOKEN = ("hu", "ja", "zh")
ColumnNumbers = dict[str, int]


def sniff(head: str) -> bool:
    """A header with the columns of at least one language."""
    return bool(_blocks(split_cells(head.partition("\n")[0])))


def read(file: InputFile) -> Collection:
    """Read the items of one language; `file.language` says which if there are several."""
    header = header_cells(file)
    blocks = _blocks(header)
    if not blocks:
        raise InputError(
            "the header has no language's columns",
            remedy=f"The first line must name, for example, {', '.join(f'{field}_en' for field in _FIELDS)}.",
            file=file.label,
            line=1,
        )
    language = choose_language({tag for tag, _ in blocks}, file)
    second = blocks.get((language, "2"))
    numbers = {name: number for number, name in enumerate(header)}
    rows: list[SourceRow] = []
    seen: set[str] = set()
    for number, raw in tab_separated(file, len(header)):
        cells = [_unquoted(cell) for cell in raw]
        source_id, group = (cells[numbers[name]] if name in numbers else "" for name in ("idx", "orig_id"))
        source_id = source_id or f"line-{number}"
        if source_id in seen:
            file.repaired(number, f"row {source_id}", f"another row has this idx; this one is called line-{number}")
            source_id = f"line-{number}"
        seen.add(source_id)
        base = SourceRow(number, source_id, group=group or None, parallel_id=f"{group or 'row'}.{source_id}")
        with file.skipping(number, f"row {source_id}") as repaired:
            row = _row(base, cells, blocks[language, ""], language, repaired)
            if second and cells[second["sentence"]]:
                with file.skipping(number, f"{_LOCAL_NAMES} of row {source_id}") as repaired_in_second:
                    row = _local_names(row, _row(base, cells, second, language, repaired_in_second))
            rows.append(row)
    return build_collection(rows, file, language)


def _blocks(header: list[str]) -> dict[tuple[str, str], ColumnNumbers]:
    """The column numbers of each language that has all columns, and of its second version."""
    found: dict[tuple[str, str], ColumnNumbers] = {}
    for number, name in enumerate(header):
        column = _COLUMN.fullmatch(name)
        if column:
            field, code, version = column.groups()
            found.setdefault((_LANGUAGES.get(code) or language_tag(code), version), {})[field] = number
    whole = {key: columns for key, columns in found.items() if len(columns) == len(_FIELDS)}
    return {key: columns for key, columns in whole.items() if (key[0], "") in whole}


def _unquoted(cell: str) -> str:
    """The cell without the quotation marks that CSV puts around it, and without extra spaces.

    >>> _unquoted('"He said ""no"" ."'), _unquoted('"Yes", he said')
    ('He said "no" .', '"Yes", he said')
    """
    quoted = re.fullmatch(r'"((?:[^"]|"")*)"', cell.strip())
    return " ".join((quoted.group(1).replace('""', '"') if quoted else cell).split())


def _joined(words: str) -> str:
    """Without the spaces between words of a script that has none.

    >>> _joined("Ann 和 小雯 走 了 。"), _joined("Ann and Bea left.")
    ('Ann和小雯走了。', 'Ann and Bea left.')
    """
    kept = (
        "" if character == " " and (is_unspaced(words[at - 1]) or is_unspaced(words[at + 1])) else character
        for at, character in enumerate(words)
    )
    return "".join(kept)


def _row(base: SourceRow, cells: list[str], columns: ColumnNumbers, language: str, repaired: Repaired) -> SourceRow:
    """One version of a row; `base` is what both versions share."""
    words = function_words(language)
    sentence, snippet, *answers, gold = (_joined(cells[columns[field]]) for field in _FIELDS)
    empty = [field for field, cell in zip(_FIELDS, (sentence, snippet, *answers), strict=False) if not cell]
    if empty:
        raise InputError(f"it has no {' and no '.join(empty)} in {language}")
    is_question = snippet.endswith(("?", "？"))  # which has words of its own, so it shows no shift
    absent = not is_question and _bare(snippet) not in folded(sentence)
    if absent and not any(find_mentions(sentence, answer, words, Span(0, 0)) for answer in answers):
        raise InputError("its sentence has neither its snippet nor a candidate: its cells have shifted")
    return replace(
        base,
        text=sentence,
        pronoun=_pronoun(sentence, snippet, language, repaired),
        candidates=tuple(answers),
        answer=_answer(gold, answers, repaired),
        question=snippet if is_question else None,
    )


def _local_names(row: SourceRow, version: SourceRow) -> SourceRow:
    """The row with its second version as a variant."""
    if version.answer not in (None, row.answer):
        raise InputError("its correct answer is not that of the first version")
    return replace(row, variants=(SourceVariant(_LOCAL_NAMES, "keeps", replace(version, answer=row.answer)),))


def _answer(gold: str, answers: list[str], repaired: Repaired) -> int | None:
    """Which answer the text of the correct answer is; None if there is none."""
    if not gold:
        return None
    wanted, plain = _bare(gold), [_bare(answer) for answer in answers]
    if wanted in plain:
        return plain.index(wanted)
    like = [n for n, answer in enumerate(plain) if _only_place(wanted, answer) or _only_place(answer, wanted)]
    meant = like[0] if len(like) == 1 else None
    taken = "kept without an answer" if meant is None else f"read as {answers[meant]!r}"
    repaired(f"its correct answer {gold!r} is neither of its answers; {taken}")
    return meant


def _pronoun(sentence: str, snippet: str, language: str, repaired: Repaired) -> Span:
    words = function_words(language)
    repeated = _only_place(sentence, _bare(snippet))
    inside = pronouns_in(sentence, repeated, words) if repeated else []
    if len(inside) == 1:
        return inside[0]
    everywhere = pronouns_in(sentence, Span(0, len(sentence)), words, certain=True)
    if inside:
        pronoun, why = inside[0], f"the first of {len(inside)} pronouns in its snippet"
    elif (asked := _before_clause(sentence, snippet, language, words)) is not None:
        pronoun, why = asked, "what its question asks for"
    elif len(everywhere) == 1 and not repeated:  # a repeated clause without a pronoun has a zero pronoun
        pronoun, why = everywhere[0], "the only pronoun of its sentence"
    else:
        raise InputError("its snippet does not show which word is its pronoun")
    repaired(f"no pronoun is marked; read as {describe_pronoun(sentence, pronoun)}, {why}")
    return pronoun


def _before_clause(sentence: str, question: str, language: str, words: FunctionWords) -> Span | None:
    """The pronoun that a question asks about, if the sentence has the rest of the question in exactly one place."""
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
    """Where the sentence has this part as whole words; None if in several places."""
    places = whole_words(sentence, part)
    return places[0] if len(places) == 1 else None


def _bare(text: str) -> str:
    """In lower case and without punctuation and spaces at its ends, so that two spellings of an answer are equal."""
    return re.sub(r"^\W+|\W+$", "", folded(text))
