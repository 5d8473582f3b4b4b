"""Formulas into sentences and back: one writer and one parser, driven by one table per language."""
