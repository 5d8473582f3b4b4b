"""Collections and schemas as containers: by id, by place, by slice; and as data frames."""

import winoglot as wg

PT = wg.load("winoglot-pt")


def test_a_collection_gives_schemas_items_and_variants_by_their_id():
    variant = PT.variants()[0]
    assert PT["piano-sale"] is PT.schema("piano-sale")
    assert PT["piano-sale.1"] is PT["piano-sale"][1] is PT["piano-sale"]["1"]
    assert PT[variant.id] is variant
    assert PT.get("piano-sale.1") is PT["piano-sale.1"]
    assert PT.get("nothing") is None


def test_it_is_a_sequence_of_schemas_and_a_slice_is_a_collection():
    assert len(PT) == len(list(PT)) == len(PT.schemas)
    assert PT[0] is next(iter(PT)) is PT.schemas[0]
    assert PT[-1] is PT.schemas[-1]
    assert (list(PT[0]), len(PT[0])) == (list(PT[0].items), 2)
    part = PT[2:5]
    assert isinstance(part, wg.Collection)
    assert (part.schemas, part.name) == (PT.schemas[2:5], PT.name)
    assert all(one in PT for one in ("piano-sale", "piano-sale.1", PT[0], PT.items[1]))
    assert not any(one in PT for one in ("piano", wg.load("winoglot-fr")[0], 3))


def test_a_frame_has_a_row_per_item_with_its_id_as_index():
    frame = PT.to_frame()
    item = PT["piano-sale.1"]
    row = frame.loc["piano-sale.1"]
    assert list(frame.index) == [one.id for one in PT.items]
    assert (row.text, row.answer, row.candidate_1) == (item.text, item.answer, item.candidates[1].text)
    assert row.pronoun == "dela"
    masked = wg.perturb(PT[:10], "segment-masked").to_frame(variants=True)
    assert str(masked.answer.dtype) == "Int64"  # whole numbers stay whole where answers are missing
    masked = masked.query("kind == 'segment-masked'")
    assert (masked.answer.isna().all(), set(masked.effect)) == (True, {"removes"})


def test_perturb_adds_stored_variants_or_derives_them():
    both = wg.perturb(PT, ["tense", "after-only"])
    assert both.variants("tense") == PT.variants("tense")
    assert len(both.variants("after-only")) > 200
    assert PT.variants("after-only") == ()
    switched = wg.perturb(PT["piano-sale.0"], "switched")
    assert (switched.id, switched.answer) == ("piano-sale.0~switched", 1 - PT["piano-sale.0"].answer)
