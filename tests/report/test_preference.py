from metrics.made_runs import Made, pairs_of, run_of
from winoglot.report.sections import sections
from winoglot.report.summary import summarise


def test_the_preference_for_the_first_mention_is_shown_where_segments_were_masked():
    item = Made(variants=(("segment-masked", 0), ("tense", 0)))
    run = run_of([[item, item]] * 12, kinds=("segment-masked", "tense"))
    (section,) = [one for one in sections(summarise([run])) if one.id == "preference"]
    (table,) = section.tables
    assert table.rows == (("solver", run.position_preference()),)
    assert (table.rows[0][1].value, table.rows[0][1].n) == (1.0, 24)


def test_without_masked_segments_there_is_no_such_section():
    found = sections(summarise([run_of(pairs_of([(1, 0)] * 6))]))
    assert "preference" not in {one.id for one in found}
