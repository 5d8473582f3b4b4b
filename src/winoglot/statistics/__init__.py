"""Intervals, tests, power, calibration and agreement, all of which treat the schema, not the item, as the unit.

The items of a schema share their text except for a word or two, so a solver's answers to them are not independent: the
correlation is positive when it knows the topic, negative when it picks the same candidate whatever the segment says and
so is right exactly once. Methods that assume independent items have the wrong error rate in both cases. Everything here
takes plain arrays, one value per item, and `clusters`, which says which items belong together.
"""
