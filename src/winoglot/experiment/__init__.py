"""Experiments: one file says what is evaluated and reported; a lock file says what came out, and with what.

file     experiment files, read and checked
plan     what an experiment will do: its collections, loaded, and its tasks
tuning   the models that it fine-tunes
running  its tasks are run here or on a cluster; results, report and lock file follow
results  the table of results, comparisons, and seeds of fine-tuned models
locking  lock files, and how another time differs from one
logic    experiments with models for pairs
demo     the demonstration, an experiment that comes with Winoglot
"""
