"""Names, texts, words, spaces and language tags: what the data model allows, and how scripts differ."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from math import ceil

from winoglot.errors import InputError, check_argument

# No published schema has a text of more than 330 characters, 5 candidates, 4 mentions of one, or 3 items. Work that
# compares every mention or word with every other one takes seconds at these limits, and hours far beyond them.
MAX_CHARACTERS = 5_000  # of a text, a reading, a candidate …
MAX_CANDIDATES = 100
MAX_MENTIONS = 1_000  # of all candidates together
MAX_PLACES = 100  # of a segment
MAX_ITEMS = 1_000  # of a schema
MAX_VARIANTS = 10_000  # of a schema, of all kinds together
_LONGEST_NAME = 100
_LONGEST_FOLDED = 100  # characters of what is worth keeping
_LONGEST_SHOWN = 400  # characters of a text in a message
_PLAIN_NAME = re.compile(r"[\w.+-]*")  # most names; marks that belong to letters are looked at one by one
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
OPENING = frozenset("¿¡«“‘„‹([{")
CLOSING = frozenset(".,;:!?)]}»”’›…%。，、；：！？）」』》\u00a0\u202f")


def check_name(name: str, what: str) -> str:
    """The name, which may become part of ids, file names and links: no spaces, slashes or `~` in it."""
    inner = _PLAIN_NAME.fullmatch(name) or all(
        is_word_character(character) or character in "_.-+" for character in name
    )
    if not inner or not name or not (name[0].isalnum() or name[0] == "_") or len(name) > _LONGEST_NAME:
        raise InputError(
            f"{name[:60]!r} cannot be {what}",
            remedy="Use letters, digits, '-', '_' and '.', beginning with a letter or digit; at most 100 characters.",
        )
    return name


def check_text(text: str, what: str) -> str:
    """The text, which is not empty and has only characters that every file format can hold."""
    if not text.strip():
        raise InputError(f"{what} is empty", remedy="Write it, or leave the key out.")
    if text != text.strip():
        raise InputError(f"{what} begins or ends with a space: {text[:60]!r}", remedy="Remove the space.")
    check_characters(text, what)
    return text


def check_length(text: str, what: str) -> str:
    """The text, which is not far longer than any schema's."""
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"{what} has {len(text)} characters; at most {MAX_CHARACTERS} are possible: {shown(text)}",
            remedy="Keep the sentences that are needed to understand the pronoun.",
        )
    return text


def check_number(number: int, most: int, what: str, remedy: str) -> None:
    """Refuse more of something than any schema has."""
    if number > most:
        raise InputError(f"there are {number} {what}; at most {most} are possible", remedy=remedy)


def shown(text: str) -> str:
    """A text in quotes for a message, without its end if it is long."""
    return repr(text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…")


def check_characters(text: str, what: str) -> None:
    """Refuse control characters and lone surrogates."""
    bad = _FORBIDDEN.search(text)
    if bad:
        character = bad.group()
        raise InputError(
            f"{what} contains the character U+{ord(character):04X} "
            f"({unicodedata.name(character, 'a control character')}) at position {bad.start()}",
            remedy="Remove it; the only control characters allowed are line feed and tab.",
        )


@cache  # of single characters, there are not many
def is_unspaced(character: str) -> bool:
    """Whether the character belongs to a script that is written without spaces between words.

    >>> is_unspaced("字"), is_unspaced("カ"), is_unspaced("ไ"), is_unspaced("é")
    (True, True, True, False)
    """
    point = ord(character)
    return point >= _UNSPACED[0][0] and any(low <= point <= high for low, high in _UNSPACED)


def word_count(text: str) -> int:
    """The length of a text in words: those between spaces or, in a script without spaces, two per three characters.

    Text with hiragana has a word for every two characters, because endings and particles are written out.

    >>> word_count("The lamp didn't fall."), word_count("小雯买了两件新衣服。"), word_count("花子は傘を貸した。")
    (4, 6, 4)
    """
    letters = [character for character in text if is_unspaced(character) and character.isalnum()]
    spaced = "".join(" " if is_unspaced(character) else character for character in text)
    per_word = 2 if any("\u3041" <= character <= "\u309f" for character in letters) else 1.5
    return ceil(len(letters) / per_word) + len(spaced.split())


# Thai, Lao, Myanmar, Khmer; kana and CJK ideographs with their punctuation and extensions.
_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x2E80, 0x2FDF),
    (0x3000, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF00, 0xFFEF),
    (0x20000, 0x323AF),
)


def capital(text: str) -> str:
    """The text with a capital first letter, unless that changes its length (*ß*)."""
    first = text[:1].upper()
    return first + text[1:] if len(first) == 1 else text


def needs_space(left: str, right: str) -> bool:
    """Whether two pieces of text, side by side, need a space between them.

    >>> needs_space("Rita", "estava"), needs_space("Rita", "."), needs_space("小雯", "太累")
    (True, False, False)
    """
    if not left or not right or left[-1].isspace() or right[0].isspace():
        return False
    before, after = left[-1], right[0]
    if is_unspaced(before) or is_unspaced(after) or before in OPENING or after in CLOSING:
        return False
    if after == '"':  # an opening quote if a word follows
        return right[1:2].isalnum()
    if before == '"':  # a closing quote if something precedes it
        return not (left[:-1] == "" or left[-2].isspace())
    return before not in "-'’" and after not in "-'’"


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "answer"), counted(2000, "hypothesis")
    ('1 answer', '2,000 hypotheses')
    """
    plural = noun[:-2] + "es" if noun.endswith("is") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


@cache
def is_word_character(character: str) -> bool:
    """Whether the character is a letter, a digit or a mark that belongs to one."""
    return character.isalnum() or unicodedata.category(character).startswith("M")


def straight(text: str) -> str:
    """The text with curly apostrophes made straight; its length stays."""
    return text.replace("’", "'")


def folded(text: str) -> str:
    """Straight apostrophes and lower case, character by character, so that positions stay (`İ` stays as it is)."""
    return _kept_folded(text) if len(text) <= _LONGEST_FOLDED else _folded(text)


def _folded(text: str) -> str:
    plain = straight(text)
    small = plain.lower()
    if len(small) == len(plain) and "Σ" not in plain:  # lower() treats a sigma at the end of a word differently
        return small
    return "".join(low if len(low := character.lower()) == 1 else character for character in plain)


_kept_folded = lru_cache(maxsize=20_000)(_folded)  # the same short words recur


def is_inside_word(text: str, start: int, end: int) -> bool:
    """Whether a span is part of a longer word; hyphens belong to words, and scripts without spaces have no words."""
    return not starts_word(text, start) or not ends_word(text, end)


def starts_word(text: str, index: int) -> bool:
    """Whether a word can begin at this position."""
    return index == 0 or not (_joins(text[index - 1]) and _joins(text[index]))


def ends_word(text: str, index: int) -> bool:
    """Whether a word can end at this position."""
    return index == len(text) or text[index - 1] in "'’" or not (_joins(text[index - 1]) and _joins(text[index]))


def _joins(character: str) -> bool:
    """Whether the character joins a word; hyphens do: "guarda-chuva" does not mention *chuva*."""
    return (is_word_character(character) or character in "-‐‑") and not is_unspaced(character)


_TAG = re.compile(r"([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|[0-9]{3}))?((?:-[a-z0-9]{2,8})*)", re.IGNORECASE)
_UNDERSTOOD = {"jp": "ja"}  # XWinograd's name for Japanese


def language_tag(tag: str) -> str:
    """The language tag in its usual spelling; anything else is an input error.

    >>> language_tag("PT_br"), language_tag("jp"), language_tag("zh-hans-CN")
    ('pt-BR', 'ja', 'zh-Hans-CN')
    """
    remedy = "Use a BCP 47 tag such as en, pt-BR, fr, zh or ja."
    check_argument(tag, str, "a language tag", remedy)
    parts = _TAG.fullmatch(tag.strip().replace("_", "-"))
    if not parts:
        raise InputError(f"{tag!r} is not a language tag", remedy=remedy)
    language, script, region, rest = parts.groups()
    language = _UNDERSTOOD.get(language.lower(), language.lower())
    return "-".join(filter(None, (language, script and script.title(), region and region.upper()))) + rest.lower()


def primary(tag: str) -> str:
    """The language alone: `pt` of `pt-BR`."""
    return tag.split("-", maxsplit=1)[0]
