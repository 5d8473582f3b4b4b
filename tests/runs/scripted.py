"""A solver that follows a script, and collections for it to answer."""

from dataclasses import replace

from items import schema
from winoglot.models.base import Scores, Solver
from winoglot.schemas.model import Collection


class Scripted(Solver):
    """A solver that prefers the candidate whose text is longer, and remembers what it was asked."""

    name, scorings, fingerprint, settings = "scripted", ("partial", "full"), "0123", {}

    def __init__(self, scores=None):
        self.asked, self.scores = [], scores

    def score(self, questions, scorings):
        self.asked += [question.item.id for question in questions]
        found = []
        for question in questions:
            values = tuple(float(len(candidate.text)) for candidate in question.item.candidates)
            found.append({scoring: self.scores or Scores(values) for scoring in scorings})
        return found


def collection(count=40, language="pt"):
    one = schema("Rui viu o Caetano e {ele} [riu|chorou] na praça número 7.", ["Rui", "Caetano"], answers=[0, 1])
    made = []
    for number in range(count):
        name = f"s{number}"
        items = tuple(
            replace(
                part,
                id=f"{name}.{k}",
                schema_id=name,
                parallel_id=f"{name}.{k}",
                text=part.text.replace("7", str(number)),
            )
            for k, part in enumerate(one.items)
        )
        items = tuple(replace(part, tags=("switchable",)) for part in items)
        made.append(replace(one, id=name, parallel_id=name, items=items))
    return Collection(name="many", language=language, schemas=tuple(made))
