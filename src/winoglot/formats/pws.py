"""PWS: a table of parallel Winograd schemas in several languages.

Tab-separated with a header: one item per row, the languages side by side.

Columns are called `sentence_X`, `snippet_X`, `answer1_X`, `answer2_X` and `correct_answer_X` for each language X (the
published file has en, hu, fr, por, man, jap, rus; language tags work as well); `idx` numbers the rows and `orig_id` the
schemas; other columns are ignored. A second version X2 of a language, with names of that country, becomes the variant
`local-names`. Quotation marks do not protect tabs; cells that were quoted as in CSV are unquoted. Chinese, which comes
split into words, is joined.

No pronoun is marked: the snippet repeats the pronoun's clause, or asks for its referent, and is then the question. The
module `importing.pronoun_choice` finds the pronoun; unless it is the only one of a repeated clause, the choice is
reported. A row for which it isn't clear is skipped, as is a row whose cells have shifted: its sentence mentions neither
candidate.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.formats.importing.pronoun_choice import unmarked_pronoun
from winoglot.formats.importing.repairs import join_words
from winoglot.formats.importing.rows import SourceRow, SourceVariant, build_collection
from winoglot.formats.importing.snippets import (
    ParsedSnippet,
    alike,
    is_question,
    only_place,
    parse_snippet,
    prepositions,
    start_of_repetition,
)
from winoglot.formats.importing.sources import choose_language, header_cells, named_cells, split_cells
from winoglot.languages.base import function_words
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.mentions import find_mentions
from winoglot.schemas.spans import Span
from winoglot.schemas.text import counted, folded, is_unspaced, language_tag

if TYPE_CHECKING:
    from winoglot.formats.base import InputFile, Repaired
    from winoglot.schemas.model import Collection

SUFFIXES = (".tsv",)
_FIELDS = ("sentence", "snippet", "answer1", "answer2", "correct_answer")
_COLUMN = re.compile(rf"({'|'.join(_FIELDS)})_([a-z]{{2,3}}(?:-[A-Za-z0-9]{{2,8}})*)(2?)")
_LANGUAGES = {"eng": "en", "hun": "hu", "fra": "fr", "por": "pt", "man": "zh", "jap": "ja", "rus": "ru"}
_LOCAL_NAMES = "local-names"
Columns = dict[str, str]  # from a field to the name of its column


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
    rows: list[SourceRow] = []
    seen: set[str] = set()
    lines = [(number, {name: _unquoted(cell) for name, cell in cells.items()}) for number, cells in named_cells(file)]
    versions = [columns for (tag, _), columns in blocks.items() if tag == language]
    names = _answers(lines, versions)
    for columns in versions:
        _realign(lines, columns, names, language, file)
    for number, cells in lines:
        source_id, group = cells.get("idx") or f"line-{number}", cells.get("orig_id", "")
        if source_id in seen:
            file.repaired(number, f"row {source_id}", f"another row has this idx; this one is called line-{number}")
            source_id = f"line-{number}"
        seen.add(source_id)
        base = SourceRow(number, source_id, group=group or None, parallel_id=f"{group or 'row'}.{source_id}")
        with file.skipping(number, f"row {source_id}") as repaired:
            row = _row(base, cells, blocks[language, ""], names, language, repaired)
            if second and cells[second["sentence"]]:
                with file.skipping(number, f"{_LOCAL_NAMES} of row {source_id}") as repaired_in_second:
                    row = _local_names(row, _row(base, cells, second, names, language, repaired_in_second))
            rows.append(row)
    return build_collection(rows, file, language)


def _blocks(header: list[str]) -> dict[tuple[str, str], Columns]:
    """The columns of each language that has all of them, and of its second version."""
    blocks: dict[tuple[str, str], Columns] = {}
    for name in header:
        column = _COLUMN.fullmatch(name)
        if column:
            field, code, version = column.groups()
            blocks.setdefault((_LANGUAGES.get(code) or language_tag(code), version), {})[field] = name
    complete = {key: columns for key, columns in blocks.items() if len(columns) == len(_FIELDS)}
    return {key: columns for key, columns in complete.items() if (key[0], "") in complete}


def _answers(lines: list[tuple[int, dict[str, str]]], versions: list[Columns]) -> frozenset[str]:
    """Every answer of a language in the file."""
    fields = [columns[field] for columns in versions for field in ("answer1", "answer2")]
    return frozenset(join_words(cells[field]) for _, cells in lines for field in fields)


def _realign(
    lines: list[tuple[int, dict[str, str]]], columns: Columns, names: frozenset[str], language: str, file: InputFile
) -> None:
    """Move sentences up that stand some rows too low: from rows with no sentence to as many that have nothing else."""
    sentence, _, first_answer, second_answer, _ = (columns[field] for field in _FIELDS)
    rows = [cells for _, cells in lines]
    has = "".join("?SA="[bool(cells[sentence]) + 2 * bool(cells[first_answer])] for cells in rows)
    for shifted in re.finditer(r"(A+)=+(?=S)", has):
        first, end, count = shifted.start(), shifted.end(), len(shifted.group(1))
        texts = [join_words(cells[sentence]) for cells in rows[first : end + count]]
        answers = [[join_words(cells[name]) for name in (first_answer, second_answer)] for cells in rows[first:end]]
        fitting, fitting_above = (
            sum(
                any(answer and _is_mentioned(answer, text, names, language) for answer in pair)
                for pair, text in zip(answers, texts[offset:], strict=False)
            )
            for offset in (0, count)
        )
        if not has.startswith("S" * count, end) or fitting_above <= fitting:
            continue
        for cells, text in zip(rows[first : end + count], [*texts[count:], *[""] * count], strict=True):
            cells[sentence] = text
        what = f"rows {rows[first].get('idx')} to {rows[end + count - 1].get('idx')}"
        file.repaired(lines[first][0], what, f"{sentence!r} moved up by {counted(count, 'row')}")


def _unquoted(cell: str) -> str:
    """The cell without the quotation marks that CSV puts around it, and without extra spaces.

    >>> _unquoted('"He said ""no"" ."'), _unquoted('"Yes", he said')
    ('He said "no" .', '"Yes", he said')
    """
    quoted = re.fullmatch(r'"((?:[^"]|"")*)"', cell.strip())
    return " ".join((quoted.group(1).replace('""', '"') if quoted else cell).split())


def _row(
    base: SourceRow,
    cells: dict[str, str],
    columns: Columns,
    names: frozenset[str],
    language: str,
    repaired: Repaired,
) -> SourceRow:
    """One version of a row; `base` is what both versions share, `names` are the answers of the whole file."""
    sentence, snippet, *answers, gold = (join_words(cells[columns[field]]) for field in _FIELDS)
    empty = [field for field, cell in zip(_FIELDS, (sentence, snippet, *answers), strict=False) if not cell]
    if empty:
        raise InputError(f"it has no {' and no '.join(empty)} in {language}")
    parsed = parse_snippet(snippet, language)
    gold, *answers = (_without_of(answer, parsed, language) for answer in (gold, *answers))
    answer = _answer(gold, answers, repaired)
    if parsed.is_pair:
        answers = [_subject(answer, parsed) for answer in answers]
    if not any(_is_mentioned(answer, sentence, names, language) for answer in answers):
        raise InputError("its sentence mentions neither candidate: perhaps its cells have shifted")
    return replace(
        base,
        text=sentence,
        pronoun=unmarked_pronoun(sentence, snippet, answers, language, repaired),
        candidates=tuple(answers),
        answer=answer,
        question=snippet if is_question(snippet) else None,
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
    target, plain = _bare(gold), [_bare(answer) for answer in answers]
    if target in plain:
        return plain.index(target)
    like = [index for index, answer in enumerate(plain) if only_place(target, answer) or only_place(answer, target)]
    meant = like[0] if len(like) == 1 else None
    outcome = "kept without an answer" if meant is None else f"read as {answers[meant]!r}"
    repaired(f"its correct answer {gold!r} is neither of its answers; {outcome}")
    return meant


def _without_of(answer: str, parsed: ParsedSnippet, language: str) -> str:
    """A person without the 的 or preposition of an owner, asked for by "Whose …?": "le voisin" of "celui du voisin"."""
    if parsed.animacy != "human":
        return answer
    first, _, rest = answer.partition(" ")
    if folded(first) in lexicon(language, "determiners").words("predeterminer"):
        first, _, rest = rest.partition(" ")
    if folded(first) not in lexicon(language, "function_words").words("of"):
        return answer.removesuffix("的")
    article = function_words(language).contractions.get(folded(first), ("", ""))[1]
    return f"{article} {rest}".strip()


def _subject(answer: str, parsed: ParsedSnippet) -> str:
    """Who is the subject of an answer that repeats its question: 小雅 of 小雅敬佩小雯."""
    start = start_of_repetition(answer, parsed)
    if not start or answer[start] != parsed.predicate[0]:
        raise InputError("its question asks for two, and its answers do not repeat it")
    return answer[:start].strip()


def _is_mentioned(answer: str, sentence: str, names: frozenset[str], language: str) -> bool:
    """Whether the sentence has the answer as whole words, perhaps inflected or with other words around its head.

    A script without spaces shows no words, so 小李 must not be the beginning of another answer of the file, 小李子.
    """
    words = function_words(language)
    first, _, rest = answer.partition(" ")
    answer = rest if rest and folded(first) in prepositions(language) else answer
    if is_unspaced(answer[-1]):
        for name in names:
            if name.startswith(answer) and name != answer:
                sentence = sentence.replace(name, "。")
        return bool(find_mentions(sentence, answer, words, Span(0, 0))) or answer[-2:] in sentence
    if find_mentions(sentence, answer, words, Span(0, 0)):
        return True
    content = [word for word in re.findall(r"\w+", answer) if folded(word) not in words.closed]
    declines = words.inflected is not None  # names too: else Anna is not Ann
    mentions = [
        word
        for word in content
        if (declines or word.islower()) and any(alike(word, other) for other in re.findall(r"\w+", sentence))
    ]
    return len(mentions) * 2 >= len(content) > 0


def _bare(text: str) -> str:
    """In lower case and without punctuation and spaces at its ends, so that two spellings of an answer are equal."""
    return re.sub(r"^\W+|\W+$", "", folded(text))
