"""Metrics: each is a `Metric` (see base.py) in the table of its module; `metrics()` lists them all.

Built-in and outside metrics are treated alike: `Run.estimate`, the tables of `evaluate`, `--json`, `winoglot list
metrics` and the report all use this list.
"""
