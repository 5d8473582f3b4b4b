"""Examples that are no schema items, and runs over them."""

import random

from winoglot.examples import Example, ExampleSet
from winoglot.runs.run import Prediction, Run, Settings

LABELS = ("contradiction", "entailment", "neutral")


def logic_pairs(count=40):
    """Sentence pairs with three labels, two to a template, and for each a variant that negates the hypothesis."""
    made = []
    for number in range(count):
        own = {"tags": ("negation" if number % 4 else "counting",), "text": f"Premise {number}. Hypothesis {number}."}
        template, answer = f"template-{number // 2}", number % 3
        name = f"{template}.{number % 2}"
        made.append(Example(name, template, LABELS, answer, f"hash {number}", "template", own))
        changed = own | {"kind": "reworded", "variant_of": name, "effect": "keeps"}
        made.append(Example(f"{name}~reworded", template, LABELS, answer, f"hash {number}r", "template", changed))
    return ExampleSet("logic-en", tuple(made), language="en", version="1.0")


def run_over(source, model, share, seed, *, has_scores=False):
    """A solver that knows this share of the answers and abstains on one example in ten."""
    rng = random.Random(seed)
    predictions = []
    for example in source.examples:
        choice = example.answer if rng.random() < share else rng.randrange(3)
        choice = None if rng.random() < 0.1 else choice
        scores = tuple(-1.0 if option == choice else -2.5 for option in range(3)) if has_scores else ()
        predictions.append(Prediction(example.id, example.hash, choice, scores, "" if choice is not None else "tie"))
    settings = Settings(model, "choice", "none", "0123456789abcdef", kinds=("reworded",))
    return Run(source, settings, tuple(predictions))
