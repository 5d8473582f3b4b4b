"""A study question: how hard the text is to read."""

from winoglot.study.questions.base import QuestionType, mean_over_answers


class Difficulty(QuestionType):
    name = "difficulty"
    description = "How hard the text is to read."
    label = "How hard is this text to read?"
    options = (("1", "easy"), ("2", "fair"), ("3", "hard"))
    required = True
    dtype = int
    meaning = "how hard the text is to read, from 1 to 3"

    def summarise(self, answers):
        return {"difficulty": mean_over_answers(answers, [(one.further["difficulty"] - 1) / 2 for one in answers])}


PLUGINS = {"difficulty": Difficulty()}
