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


def test_it_is_as_long_as_it_has_schemas_and_gives_them_in_order():
    assert len(PT) == len(list(PT)) == len(PT.schemas)
    assert PT[0] is next(iter(PT)) is PT.schemas[0]
    assert PT[-1] is PT.schemas[-1]
    assert list(PT[0]) == list(PT[0].items)
    assert len(PT[0]) == 2


def test_a_slice_is_a_collection():
    part = PT[2:5]
    assert isinstance(part, wg.Collection)
    assert part.schemas == PT.schemas[2:5]
    assert part.name == PT.name


def test_ids_schemas_and_items_are_in_their_collection():
    other = wg.load("winoglot-fr")
    assert "piano-sale" in PT
    assert "piano-sale.1" in PT
    assert PT[0] in PT
    assert PT.items[1] in PT
    assert "piano" not in PT
    assert other[0] not in PT
    assert 3 not in PT


def test_a_frame_has_a_row_per_item_with_its_id_as_index():
    frame = PT.to_frame()
    item = PT["piano-sale.1"]
    row = frame.loc["piano-sale.1"]
    assert list(frame.index) == [one.id for one in PT.items]
    assert (row.text, row.answer, row.candidate_1) == (item.text, item.answer, item.candidates[1].text)
    assert row.pronoun == "dela"


def test_whole_numbers_stay_whole_where_answers_are_missing():
    variants = PT.to_frame(variants=True)
    assert len(variants) == len(PT.items) + len(PT.variants())
    assert str(variants.answer.dtype) == "Int64"
    unlabelled = wg.perturb(PT[:10], "segment-masked").to_frame(variants=True).query("kind == 'segment-masked'")
    assert unlabelled.answer.isna().all()
    assert set(unlabelled.effect) == {"removes"}


def test_perturb_adds_stored_variants_or_derives_them():
    both = wg.perturb(PT, ["tense", "after-only"])
    assert both.variants("tense") == PT.variants("tense")
    assert len(both.variants("after-only")) > 200
    assert PT.variants("after-only") == ()
    switched = wg.perturb(PT["piano-sale.0"], "switched")
    assert (switched.id, switched.answer) == ("piano-sale.0~switched", 1 - PT["piano-sale.0"].answer)
