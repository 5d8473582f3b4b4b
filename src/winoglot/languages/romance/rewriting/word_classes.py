"""The words of a text, and the tests that tell their classes: by their form and by what stands beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.names import is_also_word, name_gender
from winoglot.languages.openings import split
from winoglot.languages.romance.grammar import is_word
from winoglot.languages.romance.words import compounds
from winoglot.languages.slots import opens_sentence
from winoglot.languages.substitution import Token
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.romance.rewriting.rules import Rules
    from winoglot.schemas.model import Item


class WordClasses:
    """The words of an item's text with the classes found so far; empty for a word that was not yet looked at."""

    def __init__(self, item: Item, rules: Rules) -> None:
        """Split the text into words."""
        self.item, self.rules, self.grammar = item, rules, rules.grammar
        self.text = item.text or ""
        self.words = tuple(self._split(compounds(self.text, 0, len(self.text), self.grammar)))
        self.classes = [""] * len(self.words)
        spans = [word.span for word in self.words]
        self.pronoun = next((n for n, span in enumerate(spans) if item.pronoun and span == item.pronoun), None)

    def _split(self, words: tuple[Token, ...]) -> list[Token]:
        """Clitics joined by a hyphen as words of their own: *levá-la* is *levar* and *la*."""
        tokens: list[Token] = []
        for word in words:
            verb, _, clitic = word.form.rpartition("-")
            if verb and clitic in self.grammar.small("clitic") and self.grammar.tag not in ("fr",):
                cut = word.span.end - len(clitic)
                inner = self.rules.before_clitic(verb, clitic)
                tokens += [
                    Token(inner, Span(word.span.start, cut - 1), word.is_capital),
                    Token(clitic, Span(cut, word.span.end)),
                ]
            else:
                tokens.append(word)
        return tokens

    def _form(self, number: int) -> str:
        return self.words[number].form if 0 <= number < len(self.words) else ""

    def _class(self, number: int) -> str:
        return self.classes[number] if 0 <= number < len(self.classes) else "sign"

    def _opens(self, number: int) -> bool:
        return opens_sentence(self.text, self.words[number].span.start)

    def _is_open(self, number: int) -> bool:
        form = self._form(number)
        if not form or not is_word(form) or self._class(number) or number == self.pronoun:
            return False
        return form not in self.grammar.closed and form not in self.rules.pronouns and not self.grammar.is_adverb(form)

    def _is_prenominal(self, number: int) -> bool:
        form = self._form(number)
        return form in self.grammar.prenominals or form in self.rules.determiners

    def _is_name(self, number: int) -> bool:
        """Whether a word with a capital is a name, also where a sentence begins."""
        word, language = self.words[number], self.item.language
        if not word.is_capital or not self._opens(number):
            return word.is_capital
        written = word.span.of(self.text)
        if written in {split(candidate.text, language)[1] for candidate in self.item.candidates}:
            return True
        is_listed = name_gender(written, language).value and not is_also_word(written, language)
        return bool(is_listed) and not self.rules.verbs.analyses(word.form)

    def _is_verb(self, number: int) -> bool:
        """Whether a word is a finite verb, by its form and by what comes before it."""
        form = self._form(number)
        if form in self.grammar.closed and form not in self.rules.sure_verbs:
            return False
        analyses = self.rules.verbs.finite(form)
        if not analyses or form in self.grammar.like("finite"):
            return False
        before = self._class(number - 1)
        form_before = self._form(number - 1)
        at = number - 1
        while self._class(at) == "adverb":
            at -= 1
        if self._form(at) in self.rules.perfect and self.rules.verbs.is_participle(form):
            return False  # "a dit"
        if form in self.rules.sure_verbs:
            return before != "preposition"  # "em vão"
        if form_before in self.rules.determiners and before != "clitic" and before not in ("pronoun",):
            if self.rules.listed(form) is not None:
                return False  # "a bateria"
            is_between = self._class(number - 2) in ("pronoun", "negation") and form_before in self.rules.object_clitics
            if is_between and self.rules.verbs.is_listed(form):
                return True  # "ela o admira"
            return self.classes[number - 1] == "" and form_before in self.rules.object_clitics and self._is_clear(form)
        if before == "preposition":
            return False
        if before in ("verb", "participle", "infinitive", "gerund") and not self._is_clear(form):
            return False
        is_listed = self.rules.verbs.is_listed(form)
        if self.rules.is_adjective(form) and not (self._is_clear(form) and is_listed):
            is_object = before == "pronoun" and self._class(number - 2) in ("infinitive", "verb", "gerund")
            return is_listed and not is_object and before in ("pronoun", "clitic", "negation", "relative")
        return True

    def _is_clear(self, form: str) -> bool:
        """Whether a finite form is not a noun or adjective as well, as many in -a and -e are."""
        tenses = {analysis.tense for analysis in self.rules.verbs.finite(form)}
        return not tenses <= {"present", "subjunctive", "future-subjunctive"} or form in self.rules.sure_verbs

    def _acts(self, number: int) -> bool:
        """Whether a word that may be an adjective after a noun is rather its verb."""
        following = self._form(number + 1)
        return following in self.rules.determiners or self._is_clear(self._form(number)) or following in ("se", "que")

    def _has_verb_beside(self, number: int) -> bool:
        """Whether a clitic stands before its verb, or hangs on it."""
        if number and self.words[number].span.start and self.text[self.words[number].span.start - 1] == "-":
            return True
        at = number + 1
        while self._form(at) in self.rules.clitics or self._form(at) in self.rules.object_clitics:
            at += 1
        is_finite = self._is_verb(at) or self.rules.verbs.first_person(self._form(at)) is not None
        if is_finite and self._class(number - 1) != "preposition":  # not "à l'opéra"
            return True
        if self._form(number - 1) in self.rules.perfect and self.rules.verbs.is_participle(self._form(at)):
            return True  # "havia a deixado"
        is_article_too = self._form(number) in self.rules.determiners and self.rules.drops_subjects
        before = self._class(number - 1)
        if is_article_too and before not in ("preposition", "negation"):
            return False  # "ensinou a avó a mandar", "adorar o suéter"
        is_noun = self.rules.listed(self._form(at)) is not None and not self._is_open(at + 1)  # "aimé le devoir"
        return self.rules.is_infinitive(self._form(at)) and not is_noun

    def _is_described(self, number: int) -> bool:
        """Whether a word is an adjective or participle and no noun."""
        form = self._form(number)
        is_adjective = self.rules.is_adjective(form) or self.rules.verbs.is_participle(form)
        return is_adjective and self.rules.listed(form) is None and not self._class(number)

    def _is_adjective_too(self, number: int) -> bool:
        """Whether a form in *-ant* is said of a subject: after a copula and what grades it."""
        at = number - 1
        while self._class(at) in ("adverb", "negation"):
            at -= 1
        forms = self.rules.verbs.finite(self._form(at))
        after_copula = self._class(at) == "verb" and any(
            analysis.infinitive in self.rules.copulas for analysis in forms
        )
        return after_copula and self._form(number).endswith(("ant", "ants"))

    def _opens_bare_phrase(self, number: int) -> bool:
        """Whether an adjective stands before a noun without determiner: *tinha boa dicção*."""
        following = self._form(number + 1)
        if self._form(number) not in self.grammar.prenominals or not self._is_open(number + 1):
            return False
        if self._is_verb(number + 1) or self.rules.verbs.nonfinite(following):
            return False
        return not self.rules.is_adjective(following) or self.grammar.is_noun_too(following)

    def _is_bare_noun(self, number: int) -> bool:
        """Whether a word that may be an adjective is rather a noun: *em voz alta*, *fazer cara de inocente*."""
        form = self._form(number)
        if not self.grammar.is_noun_too(form) and self.rules.listed(form) is None:
            return False
        if form in self.rules.verbs.infinitives:
            return False  # "cansada de ser ignorada"
        at = number - 1
        while self._class(at) == "adverb":
            at -= 1
        if self._class(at) == "preposition":
            return True
        if self.rules.verbs.is_participle(form) and self._form(at) in self.rules.sure_verbs:
            return False  # "a marché"
        verb = self.rules.verbs.nonfinite(self._form(at)) or next(
            (analysis.infinitive for analysis in self.rules.verbs.finite(self._form(at))), ""
        )
        return self._class(at) in ("verb", "infinitive", "gerund", "participle") and verb not in self.rules.copulas

    def _looks_participle(self, number: int) -> bool:
        """Whether a word that no table has is a participle by its ending, if need be after an auxiliary: *a tordu*."""
        form, at = self._form(number), number - 1
        if self._class(at) == "preposition":
            return False  # "de côté"
        if self.grammar.is_participle(form) and not self.grammar.is_listed_adjective(form):
            return True
        while self._class(at) in ("adverb", "negation"):
            at -= 1
        return (
            self.rules.listed(form) is None
            and self._form(at) in self.rules.perfect
            and form.endswith(self.rules.participle_endings)
        )

    def _agrees(self, adjective: str, gender: str | None) -> bool:
        """Whether an adjective may belong to a noun of this gender: not *um palmo mais baixa*."""
        return gender not in ("masculine", "feminine") or self.rules.in_gender(adjective, gender) in (adjective, None)
