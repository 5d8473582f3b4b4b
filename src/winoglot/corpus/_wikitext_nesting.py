"""Templates, tables, links and elements of wikitext, in one pass over its special characters.

One expression cuts the text at them. Constructs with nothing nested inside, which are nearly all, are dealt with by the
expression itself or looked up; the rest go over a stack of what is open. Every character is looked at a bounded number
of times, whatever is left open or crosses.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache

from winoglot.corpus._wikitext_links import is_file, label
from winoglot.corpus._wikitext_templates import Templates, words_of
from winoglot.languages.base import read_words

GAP = "\0"  # stands where something was dropped from the text; no XML file can hold it
_DEEPEST = 40  # constructs in each other; what is deeper is dropped, so that no text is copied more often
_TEMPLATE, _LINK, _TABLE, _ELEMENT = "{", "[", "|", "<"

# The first character is a set of its own: that makes the search fast. What follows says by looking back which it was.
_SPECIAL = re.compile(
    r"[\[\]{}<\n](?:"
    # A link with a plain label: the label stays. The colon would show a namespace.
    r"\[(?<=\[\[)(?:[^][{}<|:\n]*+\|)?([^][{}<|:\n]*+)\]\]"
    # A reference without elements inside: nothing stays, whatever its braces and brackets.
    r"|ref(?<=<ref)(?![a-zA-Z])[^<>]*+>(?:(?<=/>)|[^<]*+</ref>)"
    r"|("
    r"\{(?<=\{\{)(?:\{[^{}<]*+\}\}\}|[^{}<]*+\}\})?"  # a template or parameter, whole where nothing is nested in it
    r"|\}(?<=\}\})"
    r"|\[(?<=\[\[)(?:[^][{}<\n]*+\]\])?"  # a link, whole likewise
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
_FORMULA = re.compile(r"[^\\{}^_<>|~]{1,40}")  # one that reads as text: x, n+1
_EXPONENT = re.compile(r"[-−+]?\d")


def flatten(wikitext: str, templates: Templates) -> str:
    """The text without templates, tables, links and elements; `GAP` where something in a sentence was dropped."""
    return _Flattening(wikitext, templates).text()


class _Flattening:
    """A text under way: `_parts` is what it was cut into, `_out` what stays, `_stack` what is open in `_out`."""

    def __init__(self, wikitext: str, templates: Templates) -> None:
        self._templates = templates
        self._parts: list[str | None] = _SPECIAL.split(wikitext)  # plain text, label or None, token or None, plain, …
        self._out: list[str | None] = []
        self._stack: list[tuple[str, int]] = []
        self._open = {_TEMPLATE: 0, _LINK: 0, _TABLE: 0, _ELEMENT: 0}
        self._external = 0
        self._next = 0  # the first part that is not in `_out` yet
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
            self._take(token, place)
        out += parts[self._next :]
        self._give_up()
        return "".join(filter(None, out))

    def _take(self, token: str, place: int) -> None:
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
        """Where the innermost construct of a kind began; it is closed, and with it what was left open inside."""
        if not self._open[kind]:
            return None
        closed, start = self._pop()
        while closed != kind:
            closed, start = self._pop()
        return start

    def _drop(self, kind: str) -> None:
        """Close a construct that stood between paragraphs and leaves nothing."""
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
        """A link closes only what is open right before it; a template or table in between stands against it."""
        if not self._stack or self._stack[-1][0] != _LINK:
            return
        _, start = self._pop()
        if len(self._stack) >= _DEEPEST:
            return
        content = "".join(filter(None, self._out[start:]))
        if "\n\n" in content and not is_file(content):  # no link goes over paragraphs: one was left open before
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
        """An address in brackets goes; the words after it stay."""
        if token[-1] == "]":
            self._out.append(token[:-1].partition(" ")[2] or GAP)
        else:
            self._external += 1

    def _link(self, link: str) -> str:
        words = label(link)
        return GAP if words is None else words

    def _template(self, call: str, *, flat: bool) -> str:
        """What a call leaves; a flat one may still hold links and addresses."""
        pattern = self._templates[call.partition("|")[0]]
        if pattern is None:
            return GAP
        return words_of(pattern, flatten(call, self._templates) if flat and "[" in call else call) or GAP

    def _element(self, token: str, place: int) -> None:
        found = _TAG_NAME.match(token)
        name = found.group(1).lower() if found else ""
        kind = _elements().get(name)
        if kind is None:
            self._out.append("<" + (flatten(token, self._templates) if "[" in token or "{" in token else token))
        elif kind == "break":
            self._out.append("\n\n")
        elif kind == "kept":
            if name == "sup" and _EXPONENT.match(self._parts[place + 1] or "") and self._ends_in_digit():
                self._out.append("^")  # 10<sup>6</sup> is no 106
        elif kind == "table":
            if token[0] == "/":
                self._drop(_ELEMENT)
            elif token[-2:] != "/>":
                self._push(_ELEMENT)
        elif token[0] != "/" and token[-2:] != "/>":
            self._drop_element(name, kind, place)

    def _drop_element(self, name: str, kind: str, place: int) -> None:
        """Go on behind the end of an element; where it has none, only its tag goes."""
        if self._closers is None:
            self._closers = {}
            for number, token in enumerate(self._parts[2::3]):
                if token and token[0] == "/" and token[-1] == ">":
                    self._closers.setdefault(token[1:-1].strip().lower(), []).append(3 * number + 2)
        ends = self._closers.get(name, [])
        following = bisect_left(ends, place)
        if following == len(ends):
            return
        end = ends[following]
        self._next = end + 1
        if name in ("math", "chem", "ce"):
            last = (self._parts[end - 2] or "").rstrip()
            if end == place + 3 and _FORMULA.fullmatch(last):
                self._out.append(last)
            else:
                self._out += (GAP, last[-1:] if last.endswith((".", ",")) else "")  # the sentence's own point
        elif kind != "note":
            self._out.append(GAP)

    def _ends_in_digit(self) -> bool:
        return next(filter(None, reversed(self._out)), "")[-1:].isdecimal()

    def _give_up(self) -> None:
        """What was never closed goes up to its line's end: the name of a template or file, a table's style."""
        out = self._out
        done = -1
        for kind, start in self._stack:
            if start <= done or kind == _ELEMENT or start == len(out):
                continue
            if kind == _LINK and not is_file(out[start] or ""):
                self._drop_target(start)
                continue
            done = start
            while done < len(out):
                _, end, after = (out[done] or "").partition("\n")
                out[done] = end + after
                if end:
                    break
                done += 1

    def _drop_target(self, start: int) -> None:
        """Of a link that is not closed, the label alone is text."""
        target, sign, rest = (self._out[start] or "").partition("|")
        if sign and "\n" not in target:
            self._out[start] = rest


@cache
def _elements() -> dict[str, str]:
    lines = (line.partition(" = ") for line in read_words("winoglot.corpus", "markup/elements.txt"))
    return {name: kind for kind, _, names in lines for name in names.split()}
