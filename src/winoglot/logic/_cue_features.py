"""Surface features of a pair: what a classifier sees without understanding the sentences."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, pairwise
from math import log1p
from typing import TYPE_CHECKING

from winoglot.languages.text import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.logic.pair import Pair

Features = dict[str, float]
Tokens = tuple[str, ...]

# One word per negation: French "ne … pas" is its "ne", which "personne" and "aucun" also need.
_NEGATIONS = {
    "en": "not n't n’t never no nobody none neither nor nothing without false unless",
    "pt": "não nunca jamais nem ninguém nenhum nenhuma nada sem falso mentira",
    "fr": "ne n' n’ sans faux",
    "zh": "不 没 未 无 非 假",
}
_SENTENCE = re.compile(r"[^.!?。！？]+")
_COMMA = re.compile(r" ?[,，;；] ?")
_PLACEHOLDER = 0xE000  # the first of 6,400 characters that no text uses
_FOLLOWED = 3  # names of the hypothesis whose mentions are followed, in its order


@dataclass(frozen=True)
class Words:
    """The words of a pair in lower case and without punctuation; a name that the file states is one word.

    `names` are the names of the hypothesis, in its order, `others` those that occur only in the premise.
    """

    sentences: tuple[Tokens, ...]
    hypothesis: Tokens
    names: Tokens
    others: frozenset[str]
    denials: tuple[int, ...]  # the number of negations in each sentence
    denied: int  # in the hypothesis

    @cached_property
    def premise(self) -> Tokens:
        """All words of the premise."""
        return tuple(chain.from_iterable(self.sentences))

    @cached_property
    def nearest(self) -> list[tuple[int, int]]:
        """The sentences by the number of words that they share with the hypothesis: this number and the position."""
        hypothesis = set(self.hypothesis)
        shared = [len(hypothesis.intersection(sentence)) for sentence in self.sentences]
        return sorted(((count, index) for index, count in enumerate(shared)), key=lambda pair: (-pair[0], pair[1]))


def words_of(pair: Pair) -> Words:
    """Split a pair into sentences and words.

    The published corpus has commas between facts; there a fact begins where a word in lower case, the verb, recurs.
    """
    names = sorted(set(pair.names.values()), key=len, reverse=True)
    marks = {chr(_PLACEHOLDER + number): name.casefold() for number, name in enumerate(names)}
    premise, hypothesis = pair.premise, pair.hypothesis
    for mark, name in zip(marks, names, strict=True):
        premise, hypothesis = premise.replace(name, f" {mark} "), hypothesis.replace(name, f" {mark} ")
    parts = _SENTENCE.findall(premise)
    if sum(1 for part in parts if part.strip()) == 1:
        parts = _facts(premise)
    split = [_words(part, pair.language, marks) for part in parts]
    sentences, hypothesis_words = tuple(filter(None, split)), _words(hypothesis, pair.language, marks)
    spellings = (*words(hypothesis, pair.language), *words(premise, pair.language)[1:])  # the first may be "Everyone"
    name_words = set(marks.values()) or {word.casefold() for word in spellings if word[0].isupper()}
    return Words(
        sentences,
        hypothesis_words,
        tuple(dict.fromkeys(word for word in hypothesis_words if word in name_words)),
        frozenset(name_words.difference(hypothesis_words)),
        tuple(_negations(sentence, pair.language, name_words) for sentence in sentences),
        _negations(hypothesis_words, pair.language, name_words),
    )


def premise_words(pair: Words) -> Features:
    """Unigrams and bigrams of the premise."""
    return _counts(pair.premise)


def hypothesis_words(pair: Words) -> Features:
    """Unigrams and bigrams of the hypothesis."""
    return _counts(pair.hypothesis)


def all_words(pair: Words) -> Features:
    """Words of the pair, once as they are and once marked with their side."""
    unmarked = Counter((*pair.premise, *pair.hypothesis))
    sides = [(f"P {word}", count) for word, count in Counter(pair.premise).items()]
    sides += [(f"H {word}", count) for word, count in Counter(pair.hypothesis).items()]
    return {name: log1p(count) for name, count in (*unmarked.items(), *sides)}


def lengths(pair: Words) -> Features:
    """The number of sentences, words and letters on each side."""
    premise, hypothesis = len(pair.premise), len(pair.hypothesis)
    return {
        "sentences": len(pair.sentences),
        "premise words": premise,
        "hypothesis words": hypothesis,
        "premise letters": sum(map(len, pair.premise)),
        "hypothesis letters": sum(map(len, pair.hypothesis)),
        "difference": premise - hypothesis,
        "ratio": hypothesis / max(premise, 1),
    }


def overlap(pair: Words) -> Features:
    """How much of the hypothesis also occurs in the premise, in any position."""
    premise_counts = Counter(pair.premise)
    hypothesis = set(pair.hypothesis)
    shared = hypothesis & premise_counts.keys()
    counts = sorted(premise_counts[word] for word in shared)
    return {
        "shared": len(shared),
        "new": len(hypothesis) - len(shared),
        "share of hypothesis": len(shared) / max(len(hypothesis), 1),
        "share of both": len(shared) / max(len(hypothesis | premise_counts.keys()), 1),
        "least mentioned": counts[0] if counts else 0,
        "mentions": sum(counts),
    }


def shared_runs(pair: Words) -> Features:
    """How many sequences of two to four words both sides have, in the whole premise and in its nearest sentence."""
    features: Features = {}
    nearest = pair.sentences[pair.nearest[0][1]] if pair.nearest else ()
    for n in (2, 3, 4):
        hypothesis_runs = _runs(pair.hypothesis, n)
        times = Counter(run for sentence in pair.sentences for run in _runs(sentence, n) if run in hypothesis_runs)
        features[f"runs of {n}"] = len(times)
        features[f"occurrences of {n}"] = sum(times.values())
        features[f"nearest, {n}"] = len(hypothesis_runs & _runs(nearest, n))
    return features


def nearest_sentence(pair: Words) -> Features:
    """The two premise sentences with most words of the hypothesis: overlap, negations, names, position."""
    hypothesis, total = set(pair.hypothesis), len(pair.sentences)
    best = pair.nearest[0][0] if pair.nearest else 0
    tied = [index for count, index in pair.nearest if count == best]
    same_parity = sum((pair.denials[index] - pair.denied) % 2 == 0 for index in tied)
    features: Features = {
        "tied": len(tied),
        "tied, same parity": same_parity,
        "tied, other parity": len(tied) - same_parity,
        "denied": pair.denied,
        "denials": sum(pair.denials),
        "sentences denied": sum(map(bool, pair.denials)),
        "parity of all": (sum(pair.denials) - pair.denied) % 2,
    }
    for rank, (count, index) in enumerate(pair.nearest[:2]):
        sentence = pair.sentences[index]
        names = [word for word in sentence if word in pair.names]
        other_words = hypothesis.difference(pair.names)
        features |= {
            f"{rank} shared": count,
            f"{rank} share of both": count / len(hypothesis.union(sentence)),
            f"{rank} share of words other than names": len(other_words.intersection(sentence))
            / max(len(other_words), 1),
            f"{rank} new words": len(set(sentence) - hypothesis),
            f"{rank} longer": len(sentence) - len(pair.hypothesis),
            f"{rank} position": index,
            f"{rank} from the end": total - index,
            f"{rank} negations": pair.denials[index],
            f"{rank} same parity": (pair.denials[index] - pair.denied) % 2 == 0,
            f"{rank} names": len(set(names)),
            f"{rank} names in order": names == [name for name in pair.names if name in names],
            f"{rank} same first word": sentence[:1] == pair.hypothesis[:1],
            f"{rank} first is a name": sentence[0] in pair.names,
        }
    return features


def look_up(pair: Words) -> Features:
    """A rule: the premise sentence with most names of the hypothesis, and whether both have as many negations."""
    sizes = [len(set(pair.names).intersection(sentence)) for sentence in pair.sentences]
    most = max(sizes, default=0)
    with_most_names = [index for index, size in enumerate(sizes) if size == most] if most else []
    same_parity = [(pair.denials[index] - pair.denied) % 2 == 0 for index in with_most_names]
    return {
        "names found": most == len(pair.names) > 0,
        "none found": not with_most_names,
        "first has the same parity": bool(same_parity and same_parity[0]),
        "last has the same parity": bool(same_parity and same_parity[-1]),
        "equally many negations": bool(with_most_names and pair.denials[with_most_names[0]] == pair.denied),
    }


def mentions(pair: Words) -> Features:
    """Where the names of the hypothesis are mentioned, and which names stand between them."""
    features: Features = {"names": len(pair.names), "other names": len(pair.others)}
    places = [
        [sentence_indices for sentence_indices, sentence in enumerate(pair.sentences) if name in sentence]
        for name in pair.names[:_FOLLOWED]
    ]
    neighbours = []
    for rank, (name, sentence_indices) in enumerate(zip(pair.names, places, strict=False)):
        neighbours.append({word for index in sentence_indices for word in pair.sentences[index] if word in pair.others})
        features |= {
            f"name {rank}": len(sentence_indices),
            f"name {rank} denied": sum(pair.denials[index] % 2 for index in sentence_indices),
            f"name {rank} first": sentence_indices[0] if sentence_indices else -1,
            f"name {rank} last": sentence_indices[-1] if sentence_indices else -1,
            f"name {rank} opens": sum(pair.sentences[index][0] == name for index in sentence_indices),
            f"name {rank} company": len(neighbours[-1]),
        }
    if len(places) > 1:
        joint = [sentence_indices for sentence_indices in places[0] if sentence_indices in places[1]]
        order = [
            pair.sentences[sentence_indices].index(pair.names[0])
            < pair.sentences[sentence_indices].index(pair.names[1])
            for sentence_indices in joint
        ]
        features |= {
            "both": len(joint),
            "both denied": sum(pair.denials[sentence_indices] % 2 for sentence_indices in joint),
            "both in order": sum(order),
            "between": len(neighbours[0] & neighbours[1]),
        }
    return features


def everything(pair: Words) -> Features:
    """All features above, and which words other than names the hypothesis and the two nearest sentences have."""
    parts = (lengths, overlap, shared_runs, nearest_sentence, look_up, mentions)
    features = {f"{part.__name__}: {name}": value for part in parts for name, value in part(pair).items()}
    nearest = [pair.sentences[index] for _, index in pair.nearest[:2]]
    for rank, sentence in enumerate((pair.hypothesis, *nearest)):
        features |= {f"{rank} {word}": 1 for word in sentence if word not in pair.names and word not in pair.others}
    return features


def _facts(premise: str) -> list[str]:
    facts: list[str] = []
    for piece in _COMMA.split(premise):
        small = {word for word in piece.split() if word.islower()}
        if not facts or not small.intersection(facts[-1].split()):
            facts[-1:] = [", ".join((*facts[-1:], piece))]
        else:
            facts.append(piece)
    return facts


def _words(text: str, language: str, marks: dict[str, str]) -> Tokens:
    normalised = (marks.get(word) or word.casefold() for word in words(text, language))
    return tuple(word for word in normalised if any(map(str.isalnum, word)))


def _negations(sentence: Tokens, language: str, names: set[str]) -> int:
    negations = _denying(language)
    if language == "zh":
        return sum(letter in negations for word in sentence if word not in names for letter in word)
    return sum(word in negations for word in sentence)


@cache
def _denying(language: str) -> frozenset[str]:
    return frozenset(_NEGATIONS.get(language, "").split())


def _counts(tokens: Sequence[str]) -> Features:
    neighbours = (f"{first} {second}" for first, second in pairwise(tokens))
    return {name: log1p(count) for name, count in Counter((*tokens, *neighbours)).items()}


def _runs(tokens: Tokens, n: int) -> set[Tokens]:
    return {tokens[start : start + n] for start in range(len(tokens) - n + 1)}
