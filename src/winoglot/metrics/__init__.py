"""Metrics: each is a `Metric` in the table of its module; `metrics()` lists them all.

Built-in and outside metrics are treated alike: `Run.estimate`, the tables of `evaluate`, `--json`, `winoglot list
metrics`, experiments, also over seeds, and the report all use this list.

| module | what it has |
| --- | --- |
| `base` | what a metric is, the list of all, and what metrics are written with |
| `accuracy` | accuracy, quality, success, pairs, and the test against guessing |
| `robustness` | consistency, stability, the change of accuracy on variants, preferences for a position |
| `twins` | examples that differ in one fact |
| `renaming` | accuracy over draws of other names |
| `calibration` | whether the margin between two scores says how likely the choice is to be right |
| `subsets` | the parts of a run that are reported separately |
| `google_proof` | whether co-occurrence counts solve a collection |
"""
