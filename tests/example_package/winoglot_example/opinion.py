"""A measure: how often a model changes its mind from one item of a schema to the next."""

from winoglot.analysis.base import ORIGINAL, AnalysisMeasure, Measurement, QuantityInfo
from winoglot.statistics.intervals import bootstrap_ratio


def opinion(subject):
    for kind in (ORIGINAL, *subject.perturbations):
        choices = {}
        for outcome in subject.outcomes(kind):
            choices.setdefault(outcome.example.cluster, set()).add(outcome.choice)
        changed = [float(len(found) > 1) for found in choices.values()]
        yield Measurement("changed", bootstrap_ratio(changed, [1.0] * len(changed), list(choices)), kind)


PLUGINS = {
    "opinion": AnalysisMeasure(
        "Changes of mind",
        "Share of schemas whose items get different answers.",
        opinion,
        {"changed": QuantityInfo("schemas with different answers", "percent", 0.5)},
    )
}
