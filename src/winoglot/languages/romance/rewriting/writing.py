"""Edits of single words, with the contraction, elision and capital that the new word needs.

*ao* becomes *à*, *do* *dos*; *l'avait* becomes *les avait*, *s'il* *si elle*, *de lui* *d'elle*.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.romance.rewriting.clauses import Clauses
from winoglot.languages.substitution import apostrophe_of, fused, match_case, unelided
from winoglot.schemas.spans import Edit, Span, shared_start

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass
class Writing:
    """The edits made so far, and what a reader must look at."""

    clauses: Clauses
    edits: list[Edit] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    @property
    def contractions(self) -> Mapping[str, tuple[str, str]]:
        """The contractions of the language, with their two parts."""
        return function_words(self.clauses.rules.tag).contractions

    def word(self, index: int, new: str, *, fuse: bool = True) -> None:
        """Write a word in place of another; without `fuse`, it does not contract with the word before (à les voir)."""
        span = self.clauses.words[index].span
        old = span.of(self.clauses.text)
        if self.has(index) or old.lower() == new:
            return
        surface = match_case(old, new) if len(old) > 1 or old.isupper() else new
        if fuse:
            self.edits += self._joined(span, surface)
            return
        self.edits.append(Edit(span, surface))
        if old.endswith(("'", "’")) and not surface.endswith("'"):  # a space that is no part of a pronoun
            self.edits.append(Edit(Span(span.end, span.end), " "))

    def _joined(self, span: Span, new: str) -> list[Edit]:
        """The edit, and one of the word before it, as that is written before the new one."""
        text, tag = self.clauses.text, self.clauses.rules.tag
        left = text[: span.start]
        last_end = max((edit.span.end for edit in self.edits if edit.span.end <= span.start), default=0)
        new_left, joined = fused(unelided(left, text[span.start :], tag), new, tag, apostrophe=apostrophe_of(text))
        start = shared_start(left, new_left)
        before: list[Edit] = []
        if start >= last_end and new_left + joined != left + new:
            new = joined
            if start < len(left):
                before = [Edit(Span(start, span.start), new_left[start:])]
            else:
                new = new_left[start:] + joined
        gap = " " if span.of(text).endswith(("'", "’")) and not new.endswith(("'", "’")) else ""
        return [*before, Edit(span, new + gap)]

    def has(self, index: int) -> bool:
        """Whether a word has been written."""
        return any(edit.span.overlaps(self.clauses.words[index].span) for edit in self.edits)

    def pronoun(self, index: int, gender: str, count: str | None) -> None:
        """Write a pronoun in another gender, and number unless it is None."""
        clauses, rules, form = self.clauses, self.clauses.rules, self.clauses.form(index)
        is_stressed = clauses.word_class(index - 1) == "preposition"
        new = rules.pronoun(form, gender, count or rules.shown_number(form), after_preposition=is_stressed)
        if new is None:
            raise NotDerivedError(f"the pronoun {form!r} has no listed form in the other gender or number")
        end = clauses.words[index].span.end
        if new in ("le", "la") and rules.elides(clauses.form(index + 1)):
            if form == "l'":
                return
            new = "l'"
            self.edits.append(Edit(Span(end, end + 1), ""))  # "les aider" → "l'aider"
        self.word(index, new, fuse=clauses.word_class(index) != "clitic")

    def determiner(
        self, index: int, gender: str, count: str, inflected: Callable[[str, str, str, str], str] | None = None
    ) -> None:
        """Write a determiner, or the contraction that holds it, in another gender and number."""
        rules, form, text = self.clauses.rules, self.clauses.form(index), self.clauses.text
        preposition, article = self.contractions.get(form, ("", form))
        new = (inflected or rules.determiner)(article, gender, count, self.written_after(index))
        if preposition:
            new = "".join(fused(f"{preposition} ", f"{new} x", rules.tag, optional=True)).removesuffix("x").strip()
        if new == "des" and self.clauses.form(index - 1) in ("de", "d'"):
            raise NotDerivedError("'de' and 'des' make 'de' alone")
        span = self.clauses.words[index].span
        old = span.of(text)
        if new.endswith("'") and not old.endswith(("'", "’")):
            gap = text[span.end : span.end + 1] == " "
            self.edits.append(Edit(Span(span.start, span.end + gap), match_case(old, new)))
        elif old.lower() != new:
            self.edits += self._joined(span, match_case(old, new) if len(old) > 1 or old.isupper() else new)

    def written_after(self, index: int) -> str:
        """The next word, as it will be written."""
        following = self.clauses.words[index + 1 : index + 2]
        edits = (edit.new for word in following for edit in self.edits if edit.span.overlaps(word.span))
        return next(edits, following[0].span.of(self.clauses.text) if following else "")
