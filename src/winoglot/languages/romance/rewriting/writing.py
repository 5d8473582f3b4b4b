"""Edits of single words, with the contraction, elision and capital that the new word needs.

*ao* becomes *à*, *do* *dos*; *l'avait* becomes *les avait*, *s'il* *si elle*, *de lui* *d'elle*.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from winoglot.languages.base import NotDerivedError, function_words
from winoglot.languages.romance.rewriting.clauses import Clauses
from winoglot.languages.substitution import apostrophe_of, fused, match_case, unelided
from winoglot.schemas.spans import Edit, Span, edited, shared_start


@dataclass
class Writing:
    """The edits made so far, and what a reader must look at."""

    clauses: Clauses
    edits: list[Edit] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def word(self, index: int, new: str, *, fuse: bool = True) -> None:
        """Write a word in place of another; without `fuse`, it does not contract with the word before (à les voir)."""
        span = self.clauses.words[index].span
        old = span.of(self.clauses.text)
        if self.has(index):
            return
        surface = match_case(old, new) if len(old) > 1 or old.isupper() else new
        if old.lower() == new:
            return
        if fuse:
            self.edits += self._joined(span, surface)
            return
        self.edits.append(Edit(span, surface))
        if old.endswith(("'", "’")) and not surface.endswith("'"):
            self.edits.append(Edit(Span(span.end, span.end), " "))

    def _joined(self, span: Span, new: str) -> list[Edit]:
        """The edit, and one of the word before it, as that is written before the new one."""
        text, tag = self.clauses.text, self.clauses.rules.tag
        left = text[: span.start]
        last_end = max((edit.span.end for edit in self.edits if edit.span.end <= span.start), default=0)
        new_left = fused(unelided(left, text[span.start :], tag), new, tag, apostrophe=apostrophe_of(text))
        start = shared_start(left, new_left[0])
        is_free = start >= last_end and new_left[0] + new_left[1] != left + new
        before = [Edit(Span(start, span.start), new_left[0][start:])] if is_free and start < len(left) else []
        new_text = (new_left[0][start:] if is_free and not before else "") + (new_left[1] if is_free else new)
        if span.of(text).endswith(("'", "’")) and not new_text.endswith(("'", "’")):
            new_text += " "
        return [*before, Edit(span, new_text)]

    def has(self, index: int) -> bool:
        """Whether a word has been written."""
        return any(edit.span.overlaps(self.clauses.words[index].span) for edit in self.edits)

    def pronoun(self, index: int, gender: str, count: str | None) -> None:
        """Write a pronoun in another gender, and number unless it is None."""
        clauses, form = self.clauses, self.clauses.form(index)
        shown_number = clauses.rules.shown_number(form)
        before = clauses.word_class(index - 1) == "preposition" or form == "eux"
        new = clauses.rules.pronoun(form, gender, count or shown_number, after_preposition=before)
        if new is None:
            raise NotDerivedError(f"the pronoun {form!r} has no listed form in the other gender or number")
        if form == "l'" and new in ("le", "la"):
            return
        following = clauses.form(index + 1)
        if new in ("le", "la") and clauses.rules.elides(following):
            new = "l'"
            span = clauses.words[index].span
            if clauses.text[span.end : span.end + 1] == " ":  # "les aider" → "l'aider"
                self.edits.append(Edit(Span(span.end, span.end + 1), ""))
        self.word(index, new, fuse=clauses.word_class(index) != "clitic")

    def determiner(self, index: int, gender: str, count: str) -> None:
        """Write a determiner, or the contraction that holds it, in another gender and number."""
        rules, form = self.clauses.rules, self.clauses.form(index)
        following = self.written_after(index)
        parts = function_words(rules.tag).contractions.get(form)
        if parts is None:
            new = rules.determiner(form, gender, count, following)
            self._write_spaced(index, new)
            return
        new = rules.determiner(parts[1], gender, count, following)
        contracted = "".join(fused(f"{parts[0]} ", f"{new} x", rules.tag, optional=True)).removesuffix("x").strip()
        self._write_spaced(index, contracted)

    def owner(self, index: int, gender: str, count: str) -> None:
        """Write a possessive whose owner changes in number like what is owned: *sa fille*, *leurs filles*."""
        self._write_spaced(index, self.clauses.rules.owned(gender, count, self.written_after(index)))

    def _write_spaced(self, index: int, new: str) -> None:
        """Write a determiner, with or without the space that an apostrophe needs."""
        span = self.clauses.words[index].span
        old = span.of(self.clauses.text)
        if new == "des" and self.clauses.form(index - 1) in ("de", "d'"):
            raise NotDerivedError("'de' and 'des' make 'de' alone")
        if new.endswith("'") and not old.endswith(("'", "’")):
            gap = self.clauses.text[span.end : span.end + 1] == " "
            self.edits.append(Edit(Span(span.start, span.end + gap), match_case(old, new)))
        elif old.lower() != new:
            self.edits += self._joined(span, match_case(old, new) if len(old) > 1 or old.isupper() else new)

    def written_after(self, index: int) -> str:
        """The next word, as it will be written."""
        if index + 1 >= len(self.clauses.words):
            return ""
        span = self.clauses.words[index + 1].span
        edit = next((edit for edit in self.edits if edit.span.overlaps(span)), None)
        return edit.new if edit else span.of(self.clauses.text)

    def text(self) -> str:
        """The text after the edits."""
        return edited(self.clauses.text, self.edits)
