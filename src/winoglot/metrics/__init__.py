"""Metrics: each is a `Metric` (see base.py) in the table of its module; `metrics()` lists them all.

Built-in and outside metrics have the same standing: `Run.estimate`, the tables of `evaluate`, `--json`, `winoglot list
metrics` and the report go through the one list.
"""
