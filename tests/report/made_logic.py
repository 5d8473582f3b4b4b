"""Models for pairs whose answers are made by hand: a rule says which are right."""

from logic.small_pairs import pairs_of
from winoglot.finetune.seeds import Configuration, TunedSeed
from winoglot.logic.solvers.data import example_set
from winoglot.runs.run import Prediction, Run, Settings

SETS = {language: example_set(pairs_of("test", 60, language=language)) for language in ("en", "pt")}


def run(model, language, is_right):
    """The answers of a model, right where `is_right(number)`."""
    source = SETS[language]
    predictions = tuple(
        Prediction(one.id, one.hash, one.answer if is_right(number) else 1 - one.answer)
        for number, one in enumerate(source.examples)
    )
    return Run(source, Settings(model, "labels", "pairs", "0" * 16), predictions)


def model(name, *rules, languages="en", validation=0.9, size=None, control="", entry=""):
    """A configuration with one seed per rule; a rule says which answers are right."""
    seeds = tuple(
        TunedSeed(
            f"{name} s{seed}",
            seed,
            tuple(run(name, language, rule) for language in languages.split()),
            items=size or 240,
            held_out=60,
            accuracy=validation,
            steps=10,
        )
        for seed, rule in enumerate(rules)
    )
    return Configuration(name, entry or name, ("all",), seeds, size, control)


def good(number):
    return number % 10 != 0


def better(number):
    return number % 15 != 0


def coin(number):
    return number % 4 in (0, 3)  # one of each twin group
