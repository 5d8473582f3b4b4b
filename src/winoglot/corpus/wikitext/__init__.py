"""Wikitext to clean prose with one paragraph per line: what a reader of the article would read aloud.

Templates, tables, references, pictures, categories and formulas are dropped; labels of links, list items and the words
of a few templates (`{{lang}}`, `{{convert}}` and others, listed in `markup/templates.txt`) stay. The steps: comments
and `<nowiki>` here, everything that nests in `scanner` (with the words of templates from `templates`), then lines and
characters in `paragraphs`.
"""

from __future__ import annotations

import re

from winoglot.corpus.wikitext.paragraphs import characters, paragraphs, plain_spaces
from winoglot.corpus.wikitext.scanner import GAP, flatten
from winoglot.corpus.wikitext.templates import templates
from winoglot.schemas.text import primary

COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_COMMENT_OR_LITERAL = re.compile(r"<!--.*?(?:-->|\Z)|<nowiki\s*+>(.*?)</nowiki\s*+>", re.DOTALL)
_LITERAL_END = "</nowiki"
_PAIRS = re.compile(r"\{\{+|\}\}+|\[\[+|\]\]+|''+")
_LITERAL = str.maketrans(
    {"[": "&lbrack;", "]": "&rbrack;", "{": "&lbrace;", "}": "&rbrace;", "|": "&vert;", "<": "&lt;", "=": "&equals;"}
)
_MAGIC_WORD = re.compile(r"__[^\W_]+__")
_VARIANTS = re.compile(r"-\{([^{}]*+)\}-")
_PREFERRED = ("zh-hans", "zh-cn", "zh-sg", "zh")  # the script that corpora are converted to
# A full stop after something that was dropped, usually a reference; an ellipsis of spaced full stops stays.
_LONELY_STOP = re.compile(r" \.(?<!\. \.)(?=[ \n][^.]|\Z)")
_UNSPACED = ("zh", "ja", "yue", "wuu", "th", "lo", "km", "my", "bo")


def prose(wikitext: str, *, headings: bool = False, language: str = "") -> str:
    """The prose of an article. `language` is that of its wiki: some templates mean something else elsewhere.

    >>> prose("'''Lisbon''' ({{lang-pt|Lisboa}}) is [[Capital city|the capital]] of [[Portugal]].<ref>A map.</ref>")
    'Lisbon (Lisboa) is the capital of Portugal.'
    >>> print(prose("== Rain ==\\n{|\\n| a || b\\n|}\\n* It rained {{convert|5|mm|in}}.", headings=True))
    Rain
    It rained 5 mm.
    """
    text = wikitext.replace(GAP, "")
    if "<!--" in text or _LITERAL_END in text:
        text = _without_comments(text)
    text = flatten("\n" + text, templates(language))
    if "__" in text:
        text = _MAGIC_WORD.sub("", text)
    if "-{" in text:
        text = _VARIANTS.sub(lambda match: _variant(match.group(1)), text)
    joint = "" if language and primary(language) in _UNSPACED else " "
    text = plain_spaces(characters("\n".join(paragraphs(text, headings=headings, joint=joint))))
    return _LONELY_STOP.sub(".", text.replace(" , ", ", "))


def _without_comments(text: str) -> str:
    """The text without comments, and with the content of <nowiki> written so that none of it is markup.

    After the last </nowiki> only comments are searched for: a <nowiki> there has no end, and looking for it at every
    position would take quadratic time.
    """
    end = text.rfind(_LITERAL_END)
    if end < 0:
        return COMMENT.sub("", text)
    end = text.find(">", end) + 1 or len(text)
    literal_part = _COMMENT_OR_LITERAL.sub(lambda match: _literal(match.group(1) or ""), text[:end])
    return literal_part + COMMENT.sub("", text[end:])


def _literal(text: str) -> str:
    return _PAIRS.sub("", text).translate(_LITERAL)


def _variant(rule: str) -> str:
    """What -{…}- shows: the simplified form, or the text itself; nothing for rules that only define a conversion.

    >>> _variant("zh-hans:计算机;zh-hant:電腦;"), _variant("H|zh-cn:甲;zh-tw:乙"), _variant("文")
    ('计算机', '', '文')
    """
    flags, sign, forms = rule.rpartition("|")
    if sign and any(flag.strip() in ("H", "T", "-", "D") for flag in flags.split(";")):
        return ""
    forms_by_code = dict(form.strip().split(":", 1) for form in forms.split(";") if ":" in form)
    if not forms_by_code or not any(
        code.strip() in (*_PREFERRED, "zh-hant", "zh-tw", "zh-hk") for code in forms_by_code
    ):
        return forms
    return next(
        (forms_by_code[code] for code in _PREFERRED if code in forms_by_code), next(iter(forms_by_code.values()))
    )
