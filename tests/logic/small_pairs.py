"""Small data sets of pairs, written by hand: contradicted by one word, which any model can learn in seconds."""

import random

from winoglot.logic.pair import Pair, write_pairs

NAMES = {
    "train": (("Ana", "Ben", "Carla", "Dora"), ("Lima", "Oslo", "Rome")),
    "validation": (("Edda", "Finn", "Gala"), ("Bonn", "Cork")),
    "test": (("Hugo", "Ines", "Jorge"), ("Kyiv", "Nice")),
}
VERBS = {"en": ("visited", "did not visit"), "pt": ("visitou", "não visitou")}
TASK = "negation"


def pairs_of(split, count, *, language="en", labels="cd", seed=0):
    """Pairs and their twins: by the premise somebody visited a place, or did not; by the hypothesis they did."""
    draw = random.Random(f"{split} {seed}")
    people, places = NAMES[split]
    made = []
    for number in range(count // 2):
        person, other = draw.sample(people, 2)
        place, elsewhere = draw.sample(places, 2)
        ids = [f"{TASK}-{split}-{number}{letter}" for letter in "ab"]
        for at, verb in enumerate(VERBS[language]):
            facts = [f"{person} {verb} {place}.", f"{other} {VERBS[language][0]} {elsewhere}."]
            draw.shuffle(facts)
            named = {"a": person, "b": other, "P": place, "Q": elsewhere}
            decided = ("entailment", "contradiction")[at]
            label = decided if labels == "nli" else str(at)
            depth, family = 1 + number % 2, ("stated", "denied")[number % 2]
            hypothesis = f"{person} {VERBS[language][0]} {place}."
            texts = (" ".join(facts), hypothesis)
            made.append(Pair(ids[at], TASK, language, *texts, label, depth, family, ids[1 - at], "", "", "", named))
    return made


def write_data(folder, *, language="en", labels="cd", train=240, validation=60, test=60, seed=0):
    """A data set's folder with one task."""
    own = folder / language / TASK
    own.mkdir(parents=True, exist_ok=True)
    for split, count in (("train", train), ("validation", validation), ("test", test)):
        made = pairs_of(split, count, language=language, labels=labels, seed=seed)
        write_pairs(own / f"{split}.jsonl", made, force=True)
    return folder
