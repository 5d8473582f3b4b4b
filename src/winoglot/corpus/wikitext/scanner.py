"""Templates, tables, links and elements of wikitext, removed in one pass over its special characters.

One regular expression splits the text at them. Constructs with nothing nested inside, which are nearly all, are handled
by the expression itself or by a lookup; the rest by a stack of what is open. Every character is read a bounded number
of times, whatever markup is left open or overlaps.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache

from winoglot.corpus.wikitext.templates import Templates, words_of
from winoglot.files import packaged_lines

GAP = "\0"  # marks where something was dropped from the text; no XML file can contain it
_DEEPEST = 40  # nested constructs; deeper ones are dropped, so that no text is copied more often than this
_TEMPLATE, _LINK, _TABLE, _ELEMENT = "{", "[", "|", "<"

# The first character is a set: that makes the search fast. The alternatives look back to see which one it was.
_SPECIAL = re.compile(
    r"[\[\]{}<\n](?:"
    # A link with a plain label: the label stays. A colon would mean a namespace.
    r"\[(?<=\[\[)(?:[^][{}<|:\n]*+\|)?([^][{}<|:\n]*+)\]\]"
    # A reference without elements inside: nothing stays, whatever braces and brackets it has.
    r"|ref(?<=<ref)(?![a-zA-Z])[^<>]*+>(?:(?<=/>)|[^<]*+</ref>)"
    r"|("
    r"\{(?<=\{\{)(?:\{[^{}<]*+\}\}\}|[^{}<]*+\}\})?"  # a template or parameter, complete if nothing is nested in it
    r"|\}(?<=\}\})"
    r"|\[(?<=\[\[)(?:[^][{}<\n]*+\]\])?"  # a link, likewise
    r"|\](?<=\]\])"
    r"|(?<=\])"
    r"|(?<=\[)(?:(?:(?:https?|ftps?|sftp|ircs?|gopher|telnet|git|svn|mms|nntp|ssh|xmpp):)?//|mailto:|news:|urn:|tel:)"
    r"(?:[^][{}<\n]*+\]|[^][{}<>|\s]*+)"
    r"|(?<=<)/?[a-zA-Z][^<>]*+>"
    r"|(?<=\n)[ \t:*#]*+\{\|(?!\})"
    r"|(?<=\n)[ \t:*#]*+\|\}(?!\})"
    r"))"
)
_TAG_NAME = re.compile(r"/?([a-zA-Z]+\d?)(?![^\s/>])")
_FORMULA = re.compile(r"[^\\{}^_<>|~]{1,40}")  # a formula that reads as text: x, n+1
_EXPONENT = re.compile(r"[-−+]?\d")


def flatten(wikitext: str, templates: Templates) -> str:
    """The text without templates, tables, links and elements; `GAP` where something in a sentence was dropped."""
    return _Flattening(wikitext, templates).text()


class _Flattening:
    """A text being flattened: `_parts` is what it was split into, `_out` what stays, `_stack` what is open in it."""

    def __init__(self, wikitext: str, templates: Templates) -> None:
        self._templates = templates
        self._parts: list[str | None] = _SPECIAL.split(wikitext)  # plain text, label or None, token or None, plain, …
        self._out: list[str | None] = []
        self._stack: list[tuple[str, int]] = []
        self._open = {_TEMPLATE: 0, _LINK: 0, _TABLE: 0, _ELEMENT: 0}
        self._external = 0
        self._next = 0  # the first part not yet in `_out`
        self._closers: dict[str, list[int]] | None = None

    def text(self) -> str:
        parts, out = self._parts, self._out
        for number, token in enumerate(parts[2::3]):
            if token is None:
                continue
            place = 3 * number + 2
            if place < self._next:  # inside an element that was dropped
                continue
            out += parts[self._next : place]
            self._next = place + 1
            self._take_token(token, place)
        out += parts[self._next :]
        self._drop_unclosed()
        return "".join(filter(None, out))

    def _take_token(self, token: str, place: int) -> None:
        first = token[:1]
        if first == "{" and len(token) > 1 and token[-1] == "}":
            self._out.append(GAP if token[1] == "{" else self._template(token[1:-2], flat=True))
        elif first == "{" and token != "{|":
            self._push(_TEMPLATE)
        elif first == "}":
            self._close_template()
        elif first == "[":
            if len(token) > 1:
                self._out.append(self._link(token[1:-2]))
            else:
                self._push(_LINK)
        elif first == "]":
            self._close_link()
        elif not token:
            self._close_bracket()
        elif token[-1] == ">":
            self._element(token, place)
        elif token.endswith("{|"):
            self._out.append("\n")
            self._push(_TABLE)
        elif token.endswith("|}"):
            self._drop(_TABLE)
        else:
            self._external_link(token)

    def _push(self, kind: str) -> None:
        self._stack.append((kind, len(self._out)))
        self._open[kind] += 1

    def _pop(self) -> tuple[str, int]:
        kind, start = self._stack.pop()
        self._open[kind] -= 1
        return kind, start

    def _innermost(self, kind: str) -> int | None:
        """Close the innermost construct of a kind and all that was left open inside it; where it began."""
        if not self._open[kind]:
            return None
        closed_kind, start = self._pop()
        while closed_kind != kind:
            closed_kind, start = self._pop()
        return start

    def _drop(self, kind: str) -> None:
        """Close a construct that is between paragraphs and leaves nothing."""
        start = self._innermost(kind)
        if start is not None:
            del self._out[start:]
            self._out.append("\n\n")

    def _close_template(self) -> None:
        start = self._innermost(_TEMPLATE)
        if start is None:
            return
        content = None if len(self._stack) >= _DEEPEST else "".join(filter(None, self._out[start:]))
        del self._out[start:]
        self._out.append(GAP if content is None else self._template(content, flat=False))

    def _close_link(self) -> None:
        """A link can only be closed if nothing was opened after it; a template or table in between prevents it."""
        if not self._stack or self._stack[-1][0] != _LINK:
            return
        _, start = self._pop()
        if len(self._stack) >= _DEEPEST:
            return
        content = "".join(filter(None, self._out[start:]))
        if "\n\n" in content and not is_file(content):  # no link spans paragraphs: an earlier one was left open
            self._drop_target(start)
            return
        del self._out[start:]
        self._out.append(self._link(content))

    def _close_bracket(self) -> None:
        if self._external:
            self._external -= 1
        else:
            self._out.append("]")

    def _external_link(self, token: str) -> None:
        """An address in brackets is dropped; the words after it stay."""
        if token[-1] == "]":
            self._out.append(token[:-1].partition(" ")[2] or GAP)
        else:
            self._external += 1

    def _link(self, link: str) -> str:
        words = label(link)
        return GAP if words is None else words

    def _template(self, call: str, *, flat: bool) -> str:
        """What a template call leaves; a flat one may still contain links and addresses."""
        pattern = self._templates[call.partition("|")[0]]
        if pattern is None:
            return GAP
        return words_of(pattern, flatten(call, self._templates) if flat and "[" in call else call) or GAP

    def _element(self, token: str, place: int) -> None:
        tag_name = _TAG_NAME.match(token)
        name = tag_name.group(1).lower() if tag_name else ""
        kind = _elements().get(name)
        if kind is None:
            self._out.append("<" + (flatten(token, self._templates) if "[" in token or "{" in token else token))
        elif kind == "break":
            self._out.append("\n\n")
        elif kind == "kept":
            if name == "sup" and _EXPONENT.match(self._parts[place + 1] or "") and self._ends_in_digit():
                self._out.append("^")  # 10<sup>6</sup> is not 106
        elif kind == "table":
            if token[0] == "/":
                self._drop(_ELEMENT)
            elif token[-2:] != "/>":
                self._push(_ELEMENT)
        elif token[0] != "/" and token[-2:] != "/>":
            self._drop_element(name, kind, place)

    def _drop_element(self, name: str, kind: str, place: int) -> None:
        """Continue after the end of an element; if it has none, drop only its tag."""
        if self._closers is None:
            self._closers = {}
            for number, token in enumerate(self._parts[2::3]):
                if token and token[0] == "/" and token[-1] == ">":
                    self._closers.setdefault(token[1:-1].strip().lower(), []).append(3 * number + 2)
        ends = self._closers.get(name, [])
        next_end = bisect_left(ends, place)
        if next_end == len(ends):
            return
        end = ends[next_end]
        self._next = end + 1
        if name in ("math", "chem", "ce"):
            last = (self._parts[end - 2] or "").rstrip()
            if end == place + 3 and _FORMULA.fullmatch(last):
                self._out.append(last)
            else:
                self._out += (GAP, last[-1:] if last.endswith((".", ",")) else "")  # the sentence's own punctuation
        elif kind != "note":
            self._out.append(GAP)

    def _ends_in_digit(self) -> bool:
        return next(filter(None, reversed(self._out)), "")[-1:].isdecimal()

    def _drop_unclosed(self) -> None:
        """Drop what was never closed up to the end of its line: the name of a template or file, a table's style."""
        out = self._out
        last_dropped = -1
        for kind, start in self._stack:
            if start <= last_dropped or kind == _ELEMENT or start == len(out):
                continue
            if kind == _LINK and not is_file(out[start] or ""):
                self._drop_target(start)
                continue
            last_dropped = start
            while last_dropped < len(out):
                _, end, after = (out[last_dropped] or "").partition("\n")
                out[last_dropped] = end + after
                if end:
                    break
                last_dropped += 1

    def _drop_target(self, start: int) -> None:
        """Keep only the label of a link that is not closed."""
        target, sign, link_label = (self._out[start] or "").partition("|")
        if sign and "\n" not in target:
            self._out[start] = link_label


@cache
def _elements() -> dict[str, str]:
    lines = (line.partition(" = ") for line in packaged_lines("winoglot.corpus.wikitext", "markup/elements.txt"))
    return {name: kind for kind, _, names in lines for name in names.split()}


_LONGEST_PREFIX = 24


def label(link: str) -> str | None:
    """The words that a link shows; None for pictures, categories and links to other languages, which show none.

    >>> label("Lisbon|the capital"), label("Mercury: a novel"), label("wikt:rain|rain")
    ('the capital', 'Mercury: a novel', 'rain')
    >>> label("Ficheiro:Chuva.jpg|thumb|Chuva"), label("fr:Pluie"), label(":fr:Pluie|Pluie")
    (None, None, 'Pluie')
    """
    target, sign, text = link.partition("|")
    if ":" in target:
        if is_hidden(target):
            return None
        target = target.lstrip().removeprefix(":")
    if not sign:
        return target
    # [[Rain|]] shows its target without namespace and parenthesis; the wiki expands that when a page is saved.
    return text.replace("|", "&vert;") if text.strip() else target.partition(" (")[0].rpartition(":")[2]


def is_hidden(target: str) -> bool:
    """Whether a target's prefix is one whose links are not shown.

    >>> is_hidden("Category:Rain"), is_hidden(":Category:Rain"), is_hidden("Star Trek: Picard")
    (True, False, False)
    """
    prefix, colon, _ = target[:_LONGEST_PREFIX].partition(":")
    return bool(colon) and prefix.replace("_", " ").strip().lower() in _hidden_prefixes()


def is_file(target: str) -> bool:
    """Whether a target's prefix is that of pictures and other files."""
    prefix, colon, _ = target[:_LONGEST_PREFIX].partition(":")
    return bool(colon) and prefix.replace("_", " ").strip().lower() in _namespaces("file")


@cache
def _namespaces(kind: str) -> frozenset[str]:
    lines = (line.partition(" = ") for line in packaged_lines("winoglot.corpus.wikitext", "markup/namespaces.txt"))
    return frozenset(name for line_kind, _, names in lines if line_kind == kind for name in names.split(", "))


@cache
def _hidden_prefixes() -> frozenset[str]:
    codes = " ".join(packaged_lines("winoglot.corpus.wikitext", "markup/interlanguage.txt")).split()
    return frozenset((*codes, *_namespaces("file"), *_namespaces("category")))
