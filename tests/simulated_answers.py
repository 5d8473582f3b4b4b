"""Simulated answers to schemas of two items that depend on each other."""

import numpy as np


def ids(schemas):
    return np.repeat(np.arange(schemas), 2)


def tied(rng, schemas, accuracy, share):
    """Right or wrong, item by item; in this share of the schemas both items have the same outcome."""
    first, second = rng.random((2, schemas)) < accuracy
    second = np.where(rng.random(schemas) < share, first, second)
    return np.stack([first, second], axis=1).ravel().astype(float)


def one_sided(rng, schemas, accuracy, share):
    """In this share of the schemas the solver takes the same candidate twice, and is right exactly once."""
    right = (rng.random((schemas, 2)) < accuracy).astype(float)
    right[rng.random(schemas) < share] = [1.0, 0.0]
    return right.ravel()


def two_solvers(rng, schemas, discordance, difference, share):
    """Two solvers' outcomes, the first better by `difference`; in this share of schemas both items come out alike."""
    better, worse = (discordance + difference) / 2, (discordance - difference) / 2
    first = rng.choice(4, size=(schemas, 2), p=[better, worse, 0.6 * (1 - discordance), 0.4 * (1 - discordance)])
    first[:, 1] = np.where(rng.random(schemas) < share, first[:, 0], first[:, 1])
    outcome = first.ravel()
    return np.isin(outcome, (0, 2)).astype(float), np.isin(outcome, (1, 2)).astype(float)


def languages_and_variant(rng, schemas, known, copied):
    """Right or wrong in three languages and in a variant in the first of them, two items per schema.

    A schema is known in all languages or guessed in each, and the variant repeats the first language in this share.
    """
    is_known = np.repeat(rng.random(schemas) < known, 2)
    right = is_known | (rng.random((4, 2 * schemas)) < 0.5)
    *languages, again = right
    variant = np.where(rng.random(2 * schemas) < copied, languages[0], again)
    return [language.astype(float) for language in languages], variant.astype(float)
