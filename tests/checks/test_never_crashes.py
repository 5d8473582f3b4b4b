from contextlib import suppress

from hypothesis import given

from strategies import collections
from winoglot import registry
from winoglot.checks.base import Context, NotRun

RULES = [registry.load("checks", code) for code in registry.names("checks")]


@given(collections())
def test_no_rule_crashes_on_any_collection(collection):
    ids = {item.id for item in collection.items} | {None}
    for rule in RULES:
        with suppress(NotRun):
            for finding in rule.check(collection, Context()):
                assert finding.message
                assert finding.remedy
                assert finding.item in ids
