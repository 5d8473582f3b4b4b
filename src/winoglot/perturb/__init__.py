"""Perturbations: variants of an item that keep, flip or remove its answer. `base` describes what a kind offers."""
