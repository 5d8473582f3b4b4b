"""Which verb belongs to which subject: clauses wait for their verbs on a stack.

In *the toaster he had bought didn't work* the first verb belongs to *he* and the second one to *toaster*.
"""

from __future__ import annotations

from winoglot.languages.en.rewriting.raw_text import (
    ENDS,
    NOTHING,
    FiniteClause,
    Word,
    ends_before_name,
    is_period,
)

_IN_PHRASE = ("determiner", "possessive", "adjective", "number", "noun", "genitive", "name", "adverb")


class Clauses:
    """The words read so far, the clauses that have their verb, and those that wait for one."""

    def __init__(self) -> None:
        """Begin with one clause that waits for its subject and verb."""
        self.done: list[Word] = []
        self.clauses: list[FiniteClause] = []
        self.stack: list[FiniteClause] = [FiniteClause()]
        self.set_off: int | None = None  # a noun phrase before the last comma
        self.new_subject: int | None = None  # a noun phrase since the last comma or conjunction

    def last_word(self, index: int) -> Word:
        """The last token before this one that is neither an adverb nor *not*."""
        return next((word for word in reversed(self.done[:index]) if word.tag not in ("adverb", "not")), NOTHING)

    def pause(self, mark: str) -> None:
        """Read a punctuation mark, which may end the sentence or set off the noun phrase before it."""
        if mark in ENDS or mark in ";:":
            self.stack = [FiniteClause()]
        self.set_off = self.new_subject
        self.new_subject = None

    def open_clause(self, clause: FiniteClause) -> None:
        """Begin a clause that opens with a conjunction or relative word."""
        if self.set_off is not None and clause.kind == "relative":
            self.stack.append(FiniteClause(subject=self.set_off))  # Sue, who was ill, lost
        self.stack.append(clause)
        self.new_subject = None

    def needs_verb(self) -> bool:
        """Whether a clause has a subject and no verb yet, or a new subject follows a comma or conjunction."""
        waiting = any(clause.verb is None and clause.subject is not None for clause in self.stack)
        return waiting or self.new_subject is not None

    def add_nominal(self, index: int) -> None:
        """Add a noun or name: the subject of its clause unless a preposition governs it."""
        position = index - 1
        while position >= max(0, index - 7) and self.done[position].tag in _IN_PHRASE:
            word, following = self.done[position], self.done[position + 1]
            if word.tag in ("noun", "name") and following.tag in ("determiner", "possessive"):
                break
            if following.tag == "name" and ends_before_name(word, self.done[position - 1]):
                break  # to this day Paul thanks
            position -= 1
        governor, top = self.done[position].tag if position >= 0 else "mark", self.stack[-1]
        if governor == "preposition":
            return
        if top.verb is None:
            is_replaced = top.subject in (None, index - 1) or is_period(self.done[top.subject].form)
            if is_replaced or governor in ("mark", "conjunction", "relative"):  # which the man sold
                top.subject = index
        elif governor in ("mark", "conjunction") or self.new_subject == index - 1:
            self.new_subject = index

    def add_subject(self, index: int) -> None:
        """Add a pronoun that can only be a subject; it opens a clause unless one is waiting for its subject."""
        top = self.stack[-1]
        if top.verb is None and (top.subject is None or top.waits_for_verb):
            top.subject = index
            return
        edges = (word for word in reversed(self.done[:index]) if word.is_finite or word.tag in ("mark", "conjunction"))
        is_contact = self.last_word(index).tag == "noun" and next(edges, NOTHING).is_finite  # bought the car he sold
        self.stack.append(FiniteClause(subject=index, kind="relative" if is_contact else "main"))
        self.new_subject = None

    def add_finite(self, index: int, head: int | None) -> None:
        """Add a finite verb to the clause that is waiting for it."""
        last, top = self.last_word(index), self.stack[-1]
        is_free = all(stacked.verb is not None for stacked in self.stack)
        if self.new_subject is not None:
            self.stack.append(FiniteClause(subject=self.new_subject))
        elif top.verb is not None and (last.tag == "conjunction" or (last.form == "," and is_free)):
            self.stack.append(FiniteClause(top.opener, top.kind, top.subject, shares_subject=True))
        elif is_free:
            is_contact = last.tag == "name" and self.done[index - 2].tag not in ("preposition", "to")
            subject = index - 1 if is_contact else self._subject_before_contact()
            self.stack.append(FiniteClause(kind="relative" if is_contact else "main", subject=subject))
        while self.stack[-1].verb is not None:
            self.stack.pop()
        clause = self.stack[-1]
        clause.verb, clause.head = index, head
        self.clauses.append(clause)
        self.new_subject = None

    def _subject_before_contact(self) -> int | None:
        """The noun described by a clause without a relative word, if a second verb shows that there is such a clause.

        In *every photo Ann took was spoilt* the first verb does not belong to the photo.
        """
        for clause in reversed(self.stack):
            index = clause.subject or 0
            if index > 0 and self.done[index].tag == "name" and self.done[index - 1].tag == "noun":
                clause.kind = "relative"
                return index - 1
        return None
