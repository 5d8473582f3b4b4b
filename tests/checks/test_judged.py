from dataclasses import replace

import winoglot as wg
from winoglot.checks.base import CheckContext, Selection, run_checks
from winoglot.schemas.model import Made

DRAFTED = Made("model", model="chat:tiny")


def warnings(**changes):
    collection = wg.load("winoglot-en")[:1]
    schema = replace(collection.schemas[0], **changes)
    outcome = run_checks(replace(collection, schemas=(schema,)), CheckContext(), Selection(select=["judged"]))
    return [finding.message for finding in outcome.warnings]


def test_drafts_of_a_model_that_nobody_has_judged():
    assert warnings(made=DRAFTED) == ["chat:tiny drafted the schema, and nobody has judged the draft"]
    tense = tuple(variant for variant in wg.load("winoglot-en").schemas[0].variants if variant.kind == "tense")
    drafted = tuple(replace(variant, made=DRAFTED) for variant in tense)
    assert warnings(variants=drafted) == ["chat:tiny drafted the variant 'tense', and nobody has judged the draft"]


def test_what_was_judged_or_is_no_draft():
    assert warnings(made=replace(DRAFTED, judged_by=("Eva",))) == []
    assert warnings(made=Made("rule")) == warnings(made=Made("person")) == warnings() == []
