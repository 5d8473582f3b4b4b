"""Sentences of formulas and formulas of sentences: one realiser and one parser, driven by a table per language."""
