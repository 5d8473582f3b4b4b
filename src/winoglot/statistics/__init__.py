"""Intervals, tests, power, calibration and agreement, all of which treat the schema, not the item, as the unit.

The items of a schema share their text except for a word or two, so a solver's answers to them are not independent: the
correlation is positive when it knows the topic, negative when it picks the same candidate whatever the segment says and
so is right exactly once. Methods that assume independent items have the wrong error rate in both cases. Most functions
take plain arrays, one value per item, and `clusters`, which says which items belong together.

| module | what it has |
| --- | --- |
| `resampling` | samples of schemas, drawn or all of them |
| `intervals` | `Estimate`, the cluster bootstrap, exact limits, Wilson's interval |
| `crossed` | estimates over people, or seeds, and schemas |
| `tally` | what a metric counts, case by case, and its estimates over schemas and over seeds |
| `significance` | permutation tests, McNemar's test, Holm's correction |
| `power` | what difference a number of schemas can detect |
| `calibration` | confidence and accuracy |
| `agreement` | Krippendorff's alpha |
| `formatting` | how estimates, points and p-values are written |
"""
