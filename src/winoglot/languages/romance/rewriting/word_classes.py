"""The words of a text, and tests for their word classes: by their forms and by the words beside them."""

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
    """The words of an item's text with the classes found so far; a word not yet classified has an empty one."""

    def __init__(self, item: Item, rules: Rules) -> None:
        """Split the text into words."""
        self.item, self.rules, self.grammar = item, rules, rules.grammar
        self.text = item.text or ""
        self.words = tuple(self._split(compounds(self.text, 0, len(self.text), self.grammar)))
        self.classes = [""] * len(self.words)
        spans = [word.span for word in self.words]
        self.pronoun = next((index for index, span in enumerate(spans) if item.pronoun and span == item.pronoun), None)

    def _split(self, words: tuple[Token, ...]) -> list[Token]:
        """Clitics joined by a hyphen as words of their own: *levá-la* is *levar* and *la*."""
        tokens: list[Token] = []
        for word in words:
            verb, _, clitic = word.form.rpartition("-")
            if verb and clitic in self.grammar.words("clitic") and self.grammar.tag not in ("fr",):
                clitic_start = word.span.end - len(clitic)
                inner = self.rules.before_clitic(verb, clitic)
                tokens += [
                    Token(inner, Span(word.span.start, clitic_start - 1), word.is_capital),
                    Token(clitic, Span(clitic_start, word.span.end)),
                ]
            else:
                tokens.append(word)
        return tokens

    def _form(self, index: int) -> str:
        return self.words[index].form if 0 <= index < len(self.words) else ""

    def _class(self, index: int) -> str:
        return self.classes[index] if 0 <= index < len(self.classes) else "punctuation"

    def _opens(self, index: int) -> bool:
        return opens_sentence(self.text, self.words[index].span.start)

    def _is_open(self, index: int) -> bool:
        form = self._form(index)
        if not form or not is_word(form) or self._class(index) or index == self.pronoun:
            return False
        return (
            form not in self.grammar.closed
            and form not in self.rules.words("stressed-pronoun")
            and not self.grammar.is_adverb(form)
        )

    def _is_prenominal(self, index: int) -> bool:
        form = self._form(index)
        return form in self.grammar.prenominals or form in self.rules.determiners

    def _is_name(self, index: int) -> bool:
        """Whether a word with a capital is a name, even at the start of a sentence."""
        word, language = self.words[index], self.item.language
        if not word.is_capital or not self._opens(index):
            return word.is_capital
        surface = word.span.of(self.text)
        if surface in {split(candidate.text, language)[1] for candidate in self.item.candidates}:
            return True
        is_listed = name_gender(surface, language).value and not is_also_word(surface, language)
        return bool(is_listed) and not self.rules.verbs.analyses(word.form)

    def _is_verb(self, index: int) -> bool:
        """Whether a word is a finite verb, by its form and by what comes before it."""
        form = self._form(index)
        if form in self.grammar.closed and form not in self.rules.words("sure-verb"):
            return False
        analyses = self.rules.verbs.finite(form)
        if not analyses or form in self.grammar.lookalikes("finite"):
            return False
        before = self._class(index - 1)
        form_before = self._form(index - 1)
        position = index - 1
        while self._class(position) == "adverb":
            position -= 1
        if self._form(position) in self.rules.words("perfect-form") and self.rules.verbs.is_participle(form):
            return False  # "a dit"
        if form in self.rules.words("sure-verb"):
            return before != "preposition"  # "em vão"
        if form_before in self.rules.determiners and before != "clitic" and before not in ("pronoun",):
            if self.rules.listed(form) is not None:
                return False  # "a bateria"
            is_between = self._class(index - 2) in ("pronoun", "negation") and form_before in self.rules.words(
                "object-clitic"
            )
            if is_between and self.rules.verbs.is_listed(form):
                return True  # "ela o admira"
            return (
                self.classes[index - 1] == ""
                and form_before in self.rules.words("object-clitic")
                and self._is_clear(form)
            )
        if before == "preposition":
            return False
        if before in ("verb", "participle", "infinitive", "gerund") and not self._is_clear(form):
            return False
        is_listed = self.rules.verbs.is_listed(form)
        if self.rules.is_adjective(form) and not (self._is_clear(form) and is_listed):
            is_object = before == "pronoun" and self._class(index - 2) in ("infinitive", "verb", "gerund")
            return is_listed and not is_object and before in ("pronoun", "clitic", "negation", "relative")
        return True

    def _is_clear(self, form: str) -> bool:
        """Whether a finite form is not a noun or adjective as well, as many in -a and -e are."""
        tenses = {analysis.tense for analysis in self.rules.verbs.finite(form)}
        return not tenses <= {"present", "subjunctive", "future-subjunctive"} or form in self.rules.words("sure-verb")

    def _acts_as_verb(self, index: int) -> bool:
        """Whether a word after a noun that may be its adjective is really its verb."""
        following = self._form(index + 1)
        return following in self.rules.determiners or self._is_clear(self._form(index)) or following in ("se", "que")

    def _has_verb_beside(self, index: int) -> bool:
        """Whether a clitic comes before its verb or is attached to it."""
        if index and self.words[index].span.start and self.text[self.words[index].span.start - 1] == "-":
            return True
        position = index + 1
        while self._form(position) in self.rules.words("other-clitic") or self._form(position) in self.rules.words(
            "object-clitic"
        ):
            position += 1
        is_finite = self._is_verb(position) or self.rules.verbs.first_person(self._form(position)) is not None
        if is_finite and self._class(index - 1) != "preposition":  # not "à l'opéra"
            return True
        if self._form(index - 1) in self.rules.words("perfect-form") and self.rules.verbs.is_participle(
            self._form(position)
        ):
            return True  # "havia a deixado"
        is_article_too = self._form(index) in self.rules.determiners and self.rules.drops_subjects
        before = self._class(index - 1)
        if is_article_too and before not in ("preposition", "negation"):
            return False  # "ensinou a avó a mandar", "adorar o suéter"
        form = self._form(position)
        is_noun = self.rules.listed(form) is not None and not self._is_open(position + 1)  # "aimé le devoir"
        return self.rules.is_infinitive(form) and not is_noun

    def _is_described(self, index: int) -> bool:
        """Whether a word is an adjective or participle and no noun."""
        form = self._form(index)
        is_adjective = self.rules.is_adjective(form) or self.rules.verbs.is_participle(form)
        return is_adjective and self.rules.listed(form) is None and not self._class(index)

    def _is_adjective_too(self, index: int) -> bool:
        """Whether a form in *-ant* is a predicate adjective: after a copula, perhaps with adverbs between."""
        position = index - 1
        while self._class(position) in ("adverb", "negation"):
            position -= 1
        forms = self.rules.verbs.finite(self._form(position))
        after_copula = self._class(position) == "verb" and any(
            analysis.infinitive in self.rules.words("linking-verb") for analysis in forms
        )
        return after_copula and self._form(index).endswith(("ant", "ants"))

    def _opens_bare_phrase(self, index: int) -> bool:
        """Whether an adjective begins a noun phrase without a determiner: *tinha boa dicção*."""
        following = self._form(index + 1)
        if self._form(index) not in self.grammar.prenominals or not self._is_open(index + 1):
            return False
        if self._is_verb(index + 1) or self.rules.verbs.nonfinite(following):
            return False
        return not self.rules.is_adjective(following) or self.grammar.is_noun_too(following)

    def _is_bare_noun(self, index: int) -> bool:
        """Whether a word that may be an adjective is really a noun: *em voz alta*, *fazer cara de inocente*."""
        form = self._form(index)
        if not self.grammar.is_noun_too(form) and self.rules.listed(form) is None:
            return False
        if form in self.rules.verbs.infinitives:
            return False  # "cansada de ser ignorada"
        position = index - 1
        while self._class(position) == "adverb":
            position -= 1
        if self._class(position) == "preposition":
            return True
        if self.rules.verbs.is_participle(form) and self._form(position) in self.rules.words("sure-verb"):
            return False  # "a marché"
        analyses = self.rules.verbs.finite(self._form(position))
        verb = self.rules.verbs.nonfinite(self._form(position)) or next((finite.infinitive for finite in analyses), "")
        return self._class(position) in ("verb", "infinitive", "gerund", "participle") and verb not in self.rules.words(
            "linking-verb"
        )

    def _looks_participle(self, index: int) -> bool:
        """Whether an unlisted word has the ending of a participle, or follows an auxiliary as one would: *a tordu*."""
        form, position = self._form(index), index - 1
        if self._class(position) == "preposition":
            return False  # "de côté"
        if self.grammar.is_participle(form) and not self.grammar.is_listed_adjective(form):
            return True
        while self._class(position) in ("adverb", "negation"):
            position -= 1
        return (
            self.rules.listed(form) is None
            and self._form(position) in self.rules.words("perfect-form")
            and form.endswith(self.rules.participle_endings)
        )

    def _agrees(self, adjective: str, gender: str | None) -> bool:
        """Whether an adjective may belong to a noun of this gender: not *um palmo mais baixa*."""
        return gender not in ("masculine", "feminine") or self.rules.in_gender(adjective, gender) in (adjective, None)
