"""A model family: the candidate that comes first in the alphabet."""

from winoglot.models.base import Scores, Solver


class Alphabet(Solver):
    name = "alphabet"
    scorings = ("choice",)
    fingerprint = "alphabet-1"

    def score(self, questions, scorings):
        results = []
        for question in questions:
            texts = [candidate.text for candidate in question.item.candidates]
            scores = Scores(tuple(float(text == min(texts)) for text in texts))
            results.append(dict.fromkeys(scorings, scores))
        return results


def load(location, options):
    return Alphabet()
