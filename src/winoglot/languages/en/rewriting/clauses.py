"""The clauses of a text while it is read: which subject a finite verb belongs to.

Clauses wait for their verbs on a stack, so that in *the toaster he had bought didn't work* the first verb belongs to
*he* and the second one to *toaster*.
"""

from __future__ import annotations

from winoglot.languages.en.rewriting.raw_text import ENDS, NOTHING, FiniteClause, Word, ends_before_name, is_period


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

    def last_word(self, number: int) -> Word:
        """The last token before this one that is neither an adverb nor *not*."""
        number -= 1
        while number >= 0 and self.done[number].tag in ("adverb", "not"):
            number -= 1
        return self.done[number] if number >= 0 else NOTHING

    def pause(self, mark: str) -> None:
        """A punctuation mark: it may end the sentence, or set off the noun phrase before it."""
        if mark in ENDS or mark in (";", ":"):
            self.stack = [FiniteClause()]
        self.set_off = self.new_subject if mark == "," else None
        self.new_subject = None

    def open_clause(self, clause: FiniteClause) -> None:
        """A clause that begins with its conjunction or relative word."""
        if self.set_off is not None and clause.opener in ("who", "whom", "which"):
            self.stack.append(FiniteClause(subject=self.set_off))  # Sue, who was ill, lost
        self.stack.append(clause)
        self.new_subject = None

    def needs_verb(self) -> bool:
        """Whether a clause has a subject and no verb yet, or a new subject follows a comma or conjunction."""
        return self.new_subject is not None or any(
            clause.verb is None and clause.subject is not None for clause in self.stack
        )

    def add_nominal(self, number: int) -> None:
        """A noun or name: the subject of its clause unless a preposition or verb governs it."""
        at = number - 1
        while at >= 0 and self.done[at].tag in ("determiner", "possessive", "adjective", "number", "noun", "genitive",
                                                "name", "adverb") and at > number - 8:  # fmt: skip
            if self.done[at].tag in ("noun", "name") and self.done[at + 1].tag in ("determiner", "possessive"):
                break
            if self.done[at + 1].tag == "name" and ends_before_name(
                self.done[at], self.done[at - 1] if at else NOTHING
            ):
                break  # to this day Paul thanks
            at -= 1
        governor = self.done[at].tag if at >= 0 else "mark"
        if governor in ("preposition", "to", "verb", "aux"):
            return
        if self.stack[-1].verb is None and not self.stack[-1].waits_for_verb:
            last = self.stack[-1].subject
            is_replaced = last is None or last == number - 1 or is_period(self.done[last].form)
            if is_replaced or governor in ("mark", "conjunction"):
                self.stack[-1].subject = number
        elif self.stack[-1].verb is None and self.stack[-1].subject is not None and governor == "relative":
            self.stack[-1].subject = number  # which the man sold
        elif governor in ("mark", "conjunction") or self.new_subject == number - 1:
            self.is_coordinated = governor == "conjunction" or (governor != "mark" and self.is_coordinated)
            self.new_subject = number

    def add_subject(self, number: int) -> None:
        """A pronoun that can only be a subject opens a clause unless one waits for it."""
        top = self.stack[-1]
        if top.verb is None and (top.subject is None or top.waits_for_verb):
            top.subject = number
        else:
            is_contact = self.last_word(number).tag == "noun" and not self._boundary_since_verb(number)
            self.stack.append(FiniteClause(subject=number, kind="relative" if is_contact else "main"))
            self.new_subject = None

    def _boundary_since_verb(self, number: int) -> bool:
        """Whether a comma or conjunction stands between the last finite verb and here."""
        for token in reversed(self.done[:number]):
            if token.is_finite:
                return False
            if token.tag in ("mark", "conjunction"):
                return True
        return False

    def add_finite(self, number: int, head: int | None) -> None:
        """Give a finite verb to the clause that waits for it."""
        last = self.last_word(number)
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
            is_contact = last.tag == "name" and self.done[number - 2].tag not in ("preposition", "to")
            subject = number - 1 if is_contact else self._subject_before_contact()
            clause = FiniteClause(kind="relative" if is_contact else "main", subject=subject)
            self.stack.append(clause)
        clause.verb, clause.head = number, head
        self.clauses.append(clause)
        self.new_subject = None

    def _subject_before_contact(self) -> int | None:
        """The noun that a clause without relative word describes, if a second verb shows that one does.

        In *every photo Ann took was spoilt* the first verb does not belong to the photo.
        """
        for clause in reversed(self.stack):
            at = clause.subject
            if at is not None and at > 0 and self.done[at].tag == "name" and self.done[at - 1].tag == "noun":
                clause.kind = "relative"
                return at - 1
        return None
