"""No collection, and no other that it is compared with, makes a rule crash."""

import pytest

from strategies import some_collections
from winoglot import registry
from winoglot.checks.base import CheckContext, Selection, run_checks


@pytest.mark.parametrize("code", registry.names("checks"))
def test_no_rule_crashes_on_any_collection(code):
    made = some_collections()
    for collection, other in zip(made, [*made[1:], made[0]], strict=True):
        result = run_checks(collection, CheckContext(against=(other,)), Selection(select=[code]))
        ids = {item.id for item in collection.items} | {None}
        for finding in (*result.errors, *result.warnings):
            assert finding.message
            assert finding.remedy
            assert finding.item in ids
