"""What a template leaves in the text: the words that `markup/templates.txt` lists for it, else nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from winoglot.files import packaged_lines
from winoglot.schemas.text import primary

_LANGUAGE = re.compile(r"([a-z]{2,3}): (.*)")
_PIECES = re.compile(r"\{([^{}]*)\}|([<>])|([^{}<>]+)")
_QUANTITY = "quantity"
_NUMBER = re.compile(r"[-−–+±~]?\s*[\d.,/+⁄ ]*\d")
_BETWEEN = {"-": "–", "–": "–", "to(-)": "to", "x": "×", "×": "×", "xx": "×", "*": "×", "+/-": "±", "and(-)": "and"}
_BETWEEN |= {word: word for word in ("to", "and", "or", "by", "±", "+", "e", "a", "à", "et", "ou", "y", "bis", "und")}
_MOST_KEPT = 20_000  # cached names: the cache is cleared when it has more


@dataclass(frozen=True)
class _Slot:
    """Arguments of which the first one given is shown; `*`: all numbered ones, joined."""

    keys: tuple[str, ...]
    joint: str = ""


# What a pattern is made of: words, slots, and optional parts that are left out if a slot in them is empty.
_Part = str | _Slot | tuple["_Part", ...]
Pattern = tuple[_Part, ...]


class Templates(dict[str, Pattern | None]):
    """The patterns of a language's wiki, by template name as written; None for a template that is dropped."""

    def __init__(self, language: str) -> None:
        """Read the table's lines for this language and those for any."""
        super().__init__()
        self._listed: dict[str, Pattern] = {}
        self._beginnings: list[tuple[str, Pattern]] = []
        of_language, common = [], []
        for line in packaged_lines("winoglot.corpus.wikitext", "markup/templates.txt"):
            prefix = _LANGUAGE.match(line)
            if prefix is None:
                common.append(line)
            elif prefix.group(1) == language:
                of_language.append(prefix.group(2))
        for line in (*of_language, *common):
            names, _, pattern = line.partition(" = ")
            parsed_pattern = _parse(pattern.replace("\\n", "\n\n"))
            for name in names.split(", "):
                if name.endswith("*"):
                    self._beginnings.append((name[:-1], parsed_pattern))
                else:
                    self._listed.setdefault(name, parsed_pattern)

    def __missing__(self, name: str) -> Pattern | None:
        """Look up a name when this spelling of it is first met."""
        usual_name = " ".join(name.replace("_", " ").split()).lower()
        pattern = self._listed.get(usual_name)
        if pattern is None and (":" in usual_name):  # {{formatnum:1234}} has its first argument after the colon
            pattern = self._listed.get(usual_name.partition(":")[0])
        if pattern is None:
            pattern = next((parsed for start, parsed in self._beginnings if usual_name.startswith(start)), None)
        if len(self) >= _MOST_KEPT:
            self.clear()
        self[name] = pattern
        return pattern


@cache
def templates(language: str) -> Templates:
    """The table for the wiki of a language; without a language, the lines for any."""
    return Templates(primary(language) if language else "")


def words_of(pattern: Pattern, call: str) -> str:
    """What a template call shows by its pattern; links and templates inside must already be words.

    >>> words_of(templates("en")["nihongo"], "nihongo|Mount Fuji|富士山")
    'Mount Fuji (富士山)'
    >>> words_of(templates("en")["convert"], "convert|6|ft|2|in|m|abbr=on")
    '6 ft 2 in'
    >>> words_of(templates("fr")["formatnum:1789"], "formatnum:1789")
    '1789'
    """
    name, *arguments = call.split("|")
    if ":" in name:
        name, _, first = name.partition(":")
        arguments.insert(0, first)
    parameters = {"0": name.strip()}
    count = 0
    for argument in arguments:
        key, sign, value = argument.partition("=")
        if not sign or "\n" in key.strip():
            count += 1
            key, value = str(count), argument
        parameters[key.strip()] = value.strip()
    by_number = [parameters[str(number)] for number in range(1, count + 1)]
    if count == 0 and "1" in parameters:  # {{lang|1=fr|2=pluie}}: numbers may be written out
        by_number = [
            parameters[key] for key in sorted((key for key in parameters if key.isdecimal() and key != "0"), key=int)
        ]
    if by_number:
        parameters["-1"] = by_number[-1]
    text = _quantity(by_number) if pattern == (_QUANTITY,) else (_fill(pattern, parameters, by_number) or "")
    return text[:1].lower() + text[1:] if parameters.get("lc") else text


def _fill(pattern: Pattern, parameters: dict[str, str], by_number: list[str], *, optional: bool = False) -> str | None:
    """The pattern with its arguments filled in; None for an optional part that lacks one."""
    result: list[str] = []
    for part in pattern:
        if isinstance(part, str):
            result.append(part)
            continue
        if isinstance(part, tuple):
            result.append(_fill(part, parameters, by_number, optional=True) or "")
            continue
        if part.keys == ("*",):
            value = part.joint.join(filter(None, by_number))
        else:
            value = next((parameters[key] for key in part.keys if parameters.get(key)), "")
        if optional and not value:
            return None
        result.append(value)
    return "".join(result)


def _quantity(arguments: list[str]) -> str:
    """Numbers and units in order, up to the unit to convert to: 5|to|10|km|mi is "5 to 10 km"."""
    words: list[str] = []
    units = _units()
    want_number = True
    for argument in arguments:
        is_number = _NUMBER.fullmatch(argument) is not None
        if want_number:
            words.append(argument)
            want_number = False
        elif argument in _BETWEEN and _NUMBER.fullmatch(words[-1]):
            words.append(_BETWEEN[argument])
            want_number = True
        elif is_number != (_NUMBER.fullmatch(words[-1]) is not None):
            words.append(argument if is_number else units.get(argument.lower(), argument))
        else:
            break
    if len(words) > 2 and _NUMBER.fullmatch(words[-1]):  # the precision of the conversion: 100|km|2
        words.pop()
    return " ".join(words)


@cache
def _units() -> dict[str, str]:
    lines = (line.partition(" = ") for line in packaged_lines("winoglot.corpus.wikitext", "markup/units.txt"))
    return {code: unit for code, _, unit in lines}


def _parse(pattern: str) -> Pattern:
    open_parts: list[list[_Part]] = [[]]
    for slot, bracket, text in _PIECES.findall(pattern):
        if bracket == "<":
            open_parts.append([])
        elif bracket == ">":
            closed_part = tuple(open_parts.pop())
            open_parts[-1].append(closed_part)
        elif text:
            open_parts[-1].append(text)
        elif slot == " ":
            open_parts[-1].append(" ")
        elif slot.startswith("*"):
            open_parts[-1].append(_Slot(("*",), slot[1:]))
        else:
            open_parts[-1].append(_Slot(tuple(slot.split("|"))))
    return tuple(open_parts[0])
