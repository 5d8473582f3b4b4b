"""Audit a file of pairs, generated here or elsewhere: one module per question.

files    files of pairs as they come, read and checked
labels   whether the labels agree with what can be proved
leakage  what occurs more than once, within a file and in train and test
report   the full audit
"""
