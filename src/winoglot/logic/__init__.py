"""Sentence pairs with proved labels: formulas, tasks, one realiser per language, prover, data sets, audit."""
