"""The clauses of a text while it is read: which subject a finite verb belongs to.

Clauses wait for their verbs on a stack, so that in *the toaster he had bought didn't work* the first verb belongs to
*he* and the second one to *toaster*.
"""

from __future__ import annotations

from winoglot.languages.en.rewriting.raw_text import ENDS, NOTHING, FiniteClause, Word, ends_before_name, is_period

_IN_PHRASE = ("determiner", "possessive", "adjective", "number", "noun", "genitive", "name", "adverb")


class ClauseStack:
    """The words read so far, the clauses that have their verb, and those that wait for one."""

    def __init__(self) -> None:
        """Begin with a main clause."""
        self.done: list[Word] = []
        self.clauses: list[FiniteClause] = []
        self.stack: list[FiniteClause] = [FiniteClause()]
        self.set_off: int | None = None  # a noun phrase before the last comma
        self.is_coordinated = False  # whether a conjunction came before it
        self.new_subject: int | None = None  # a noun phrase since the last comma or conjunction

    def last_word(self, index: int) -> Word:
        """The last token before this one that is neither an adverb nor *not*."""
        index -= 1
        while index >= 0 and self.done[index].tag in ("adverb", "not"):
            index -= 1
        return self.done[index] if index >= 0 else NOTHING

    def pause(self, mark: str) -> None:
        """Read a punctuation mark, which may end the sentence or set off the noun phrase before it."""
        if mark in ENDS or mark in (";", ":"):
            self.stack = [FiniteClause()]
        self.set_off = self.new_subject if mark == "," else None
        self.new_subject = None

    def open_clause(self, clause: FiniteClause) -> None:
        """Begin a clause that opens with a conjunction or relative word."""
        if self.set_off is not None and clause.opener in ("who", "whom", "which"):
            self.stack.append(FiniteClause(subject=self.set_off))  # Sue, who was ill, lost
        self.stack.append(clause)
        self.new_subject = None

    def needs_verb(self) -> bool:
        """Whether a clause has a subject and no verb yet, or a new subject follows a comma or conjunction."""
        return self.new_subject is not None or any(
            clause.verb is None and clause.subject is not None for clause in self.stack
        )

    def add_nominal(self, index: int) -> None:
        """Add a noun or name: the subject of its clause unless a preposition or verb governs it."""
        position = index - 1
        while position >= max(0, index - 7) and self.done[position].tag in _IN_PHRASE:
            word, following = self.done[position], self.done[position + 1]
            if word.tag in ("noun", "name") and following.tag in ("determiner", "possessive"):
                break
            before = self.done[position - 1] if position else NOTHING
            if following.tag == "name" and ends_before_name(word, before):
                break  # to this day Paul thanks
            position -= 1
        governor = self.done[position].tag if position >= 0 else "mark"
        if governor in ("preposition", "to", "verb", "aux"):
            return
        if self.stack[-1].verb is None and not self.stack[-1].waits_for_verb:
            last = self.stack[-1].subject
            is_replaced = last is None or last == index - 1 or is_period(self.done[last].form)
            if is_replaced or governor in ("mark", "conjunction"):
                self.stack[-1].subject = index
        elif self.stack[-1].verb is None and self.stack[-1].subject is not None and governor == "relative":
            self.stack[-1].subject = index  # which the man sold
        elif governor in ("mark", "conjunction") or self.new_subject == index - 1:
            self.is_coordinated = governor == "conjunction" or (governor != "mark" and self.is_coordinated)
            self.new_subject = index

    def add_subject(self, index: int) -> None:
        """Add a pronoun that can only be a subject; it opens a clause unless one is waiting for its subject."""
        top = self.stack[-1]
        if top.verb is None and (top.subject is None or top.waits_for_verb):
            top.subject = index
        else:
            is_contact = self.last_word(index).tag == "noun" and not self._boundary_since_verb(index)
            self.stack.append(FiniteClause(subject=index, kind="relative" if is_contact else "main"))
            self.new_subject = None

    def _boundary_since_verb(self, index: int) -> bool:
        """Whether there is a comma or conjunction between the last finite verb and this word."""
        for token in reversed(self.done[:index]):
            if token.is_finite:
                return False
            if token.tag in ("mark", "conjunction"):
                return True
        return False

    def add_finite(self, index: int, head: int | None) -> None:
        """Add a finite verb to the clause that is waiting for it."""
        last = self.last_word(index)
        if self.new_subject is not None:
            clause = FiniteClause(subject=self.new_subject)
            top = self.stack[-1]
            if (
                self.is_coordinated
                and top.kind == "subordinate"
                and all(stacked.verb is None for stacked in self.stack[:-1])
            ):
                clause.opener, clause.kind = top.opener, top.kind  # since Ann came and Beth left, …
            self.stack.append(clause)
        elif self.stack[-1].verb is None:
            clause = self.stack[-1]
        elif last.tag == "conjunction" or (
            last.form == "," and all(stacked.verb is not None for stacked in self.stack)
        ):
            before = self.stack[-1]
            clause = FiniteClause(before.opener, before.kind, before.subject, shares_subject=True)
            self.stack.append(clause)
        elif any(stacked.verb is None for stacked in self.stack):
            while self.stack[-1].verb is not None:
                self.stack.pop()
            clause = self.stack[-1]
        else:
            is_contact = last.tag == "name" and self.done[index - 2].tag not in ("preposition", "to")
            subject = index - 1 if is_contact else self._subject_before_contact()
            clause = FiniteClause(kind="relative" if is_contact else "main", subject=subject)
            self.stack.append(clause)
        clause.verb, clause.head = index, head
        self.clauses.append(clause)
        self.new_subject = None

    def _subject_before_contact(self) -> int | None:
        """The noun described by a clause without a relative word, if a second verb shows that there is such a clause.

        In *every photo Ann took was spoilt* the first verb does not belong to the photo.
        """
        for clause in reversed(self.stack):
            index = clause.subject
            if (
                index is not None
                and index > 0
                and self.done[index].tag == "name"
                and self.done[index - 1].tag == "noun"
            ):
                clause.kind = "relative"
                return index - 1
        return None
