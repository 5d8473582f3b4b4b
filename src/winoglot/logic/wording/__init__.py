"""Formulas into sentences and back: one writer and one parser, driven by one table per language.

table    a language's table: patterns for relations, descriptions, events and sentences
forms    the forms of sentences, independent of any language
realise  formulas into words
parse    sentences back into formulas
"""
