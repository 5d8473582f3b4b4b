"""The tasks: one module each, found by its name.

A task has `FAMILIES`, the kinds of situations it draws and the depths each can have, and `draw(rng, family, depth)`,
which returns a `Situation`. `situation` describes what that is, `chains` and `rules` are what several tasks share.
"""
