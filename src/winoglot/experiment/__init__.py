"""Experiments: one file says what is made, asked and reported; a lock file says what came out, and with what.

keys             the keys of an experiment file
file             experiment files, read and checked
pairs            what they declare about logic pairs
plan             what an experiment will do: its collections, loaded, and its jobs
jobs             what all jobs share: their record, and how they are resumed and spread over workers
collection_jobs  models that are asked about collections, and perhaps fine-tuned first
pair_jobs        models that are asked about pairs, and perhaps trained first
running          jobs are done here or on a cluster; results, report and lock file follow
results          the table of results, comparisons, and seeds of fine-tuned models
locking          lock files, and how another time differs from one
demo             the demonstration, an experiment that comes with Winoglot
"""
