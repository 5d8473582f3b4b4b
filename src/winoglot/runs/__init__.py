"""Runs: models are asked, and what they answer is stored as it comes, compared and shown.

settings    how models are asked: one field per setting
spec        what is asked: models, collections and settings, checked
session     carries out a spec: the one place where models are loaded and asked
questions   what one pass of a solver asks, in batches
execute     one solver answers one set of questions; the cache of scores
evaluate    `wg.evaluate`
store       runs on disk, which grow and resume
probes      what a pass shows besides scores, on disk
run         a run in memory
references  runs that come with Winoglot, for others to stand beside
results     every number about runs, as a row
pairing     which items of two runs are the same
comparing   differences between runs
display     tables and data frames
importing   answers of other programs as runs
overlap     what a model was trained on must not be asked
held_out    parts of collections that share no schema, translation or near copy
"""
