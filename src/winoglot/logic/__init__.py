"""Sentence pairs whose relation is proved: formulas, tasks, realisers a language, prover, data sets, audit."""
