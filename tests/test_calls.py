"""What a caller gives by mistake is an input error that says what to give, not an error from somewhere inside."""

import pytest

import winoglot as wg
from cases import for_each
from winoglot.perturb.renamed import renamed

PT = wg.load("winoglot-pt")
ITEM = PT.items[0]


@for_each(
    ("call", "found"),
    [
        (lambda: wg.readings(None), "expected a collection, a schema or an item, found nothing"),
        (lambda: wg.readings("x"), "found 'x'"),
        (lambda: wg.readings([]), "found a list"),
        (lambda: wg.readings(PT.schemas[0].items), "found tuple"),
        (lambda: wg.perturb(None, "switched"), "expected a collection or an item, found nothing"),
        (lambda: wg.perturb(PT, None), "expected a kind of variant, found nothing"),
        (lambda: wg.perturb(PT, []), "expected a kind of variant, found a list"),
        (lambda: wg.perturb(PT, [PT]), "expected a kind of variant, found a list"),
        (lambda: wg.perturb(PT, "swiched"), "no variants of kind 'swiched'"),
        (lambda: wg.perturb(ITEM, "swiched"), "no perturbation 'swiched'"),
        (lambda: wg.perturb(ITEM, ["switched", "after-only"]), "expected one kind for one item, found 2"),
        (lambda: PT["piano-sal"], "no schema 'piano-sal'"),
        (lambda: PT["piano-sale.7"], "the schema piano-sale has no item 'piano-sale.7'"),
        (lambda: PT["piano-sale.0~swiched"], "no item 'piano-sale.0~swiched'"),
        (lambda: PT[PT], "expected an id, found Collection"),
        (lambda: PT[160], "has 160 schemas, none at place 160"),
        (lambda: PT[160:], "has no schemas"),
        (lambda: PT[0][PT], "expected an id, found Collection"),
        (lambda: wg.load("winoglot-pt", labels=PT), "expected paths as labels, found Collection"),
        (lambda: wg.load("winoglot-pt", overlay=[PT]), "expected paths as overlay, found Collection"),
        (lambda: wg.load_run(PT), "expected the folder of a run, found Collection"),
        (lambda: wg.load_runs(PT), "expected folders of runs, found Schema"),
        (lambda: wg.load_runs(None), "expected folders of runs, found nothing"),
        (lambda: wg.load_runs("nowhere"), "there is no run in nowhere"),
        (lambda: wg.evaluate([], "first"), "the list of collections is empty"),
        (lambda: wg.evaluate(PT, []), "the list of models is empty"),
        (lambda: wg.report("runs", "report.html"), "expected a run, found 'runs'"),
        (lambda: wg.evaluate(PT, "first", folder=PT), "expected a folder, found Collection"),
        (lambda: wg.evaluate(PT, "first", options={1: 2}), "expected names of options, found 1"),
        (lambda: wg.evaluate(PT, "first", limit=PT), "the limit Collection is not a whole number"),
        (lambda: wg.compare(PT, PT), "expected a run, found Collection"),
        (lambda: wg.compare_all(PT), "expected a run, found Schema"),
        (lambda: wg.compare_all([], difference=None), "expected a difference in accuracy, found nothing"),
        (lambda: wg.compare_all([], kind=PT), "expected a kind of variants, found Collection"),
        (lambda: PT[0][2], "has 2 items, none at place 2"),
        (lambda: wg.readings(PT, readings=None), "expected a style of readings, found nothing"),
        (lambda: wg.readings(PT, readings=3), "expected a style of readings, found 3"),
        (lambda: wg.readings(ITEM, "grammatical", language=3), "expected a language tag, found 3"),
        (lambda: wg.readings(ITEM, "grammatical", language="?"), "'?' is not a language tag"),
        (lambda: wg.switch(None), "expected an item, found nothing"),
        (lambda: wg.switch(PT), "expected an item, found Collection"),
        (lambda: wg.window(None, []), "expected an item, found nothing"),
        (lambda: wg.window(ITEM, 3), "expected the readings of the item, found 3"),
        (lambda: wg.window(ITEM, ["x"]), "not the readings of"),
        (lambda: wg.load(None), "expected a collection's name or a path, found nothing"),
        (lambda: wg.load(3), "found 3"),
        (lambda: wg.load(""), "no file ''"),
        (lambda: wg.load("winoglot-pt", language=3), "expected a language tag, found 3"),
        (lambda: wg.load("winoglot-pt", format=3), "expected the name of a format, found 3"),
        (lambda: wg.load_all(None), "expected the name of a family of collections, found nothing"),
        (lambda: wg.save(None, "mine.yaml"), "expected a collection, found nothing"),
        (lambda: wg.save(PT, None), "expected a path, found nothing"),
        (lambda: PT.schema(None), "expected a schema's id, found nothing"),
        (lambda: renamed(None, "pt-BR", 1), "expected a collection, found nothing"),
        (lambda: renamed(PT, None, 1), "expected a language tag, found nothing"),
        (lambda: renamed(PT, "pt-BR", None), "expected a whole number as seed, found nothing"),
        (lambda: renamed(PT, "pt-BR", 1, keep="Ana"), "expected a list of names to keep, found 'Ana'"),
        (lambda: renamed(PT, "pt-BR", 1, keep=None), "expected a list of names to keep, found nothing"),
        (lambda: renamed(PT, "pt-BR", 1, keep=[3]), "expected a name to keep, found 3"),
        (lambda: renamed(PT, "pt-BR", 1, keep=[" "]), "a name to keep is empty"),
    ],
)
def test_a_value_of_the_wrong_kind_is_an_input_error_with_a_remedy(call, found):
    with pytest.raises(wg.InputError) as caught:
        call()
    assert found in caught.value.message
    assert caught.value.remedy
    assert len(str(caught.value)) < 600  # never a whole collection


def test_the_public_names_alone_are_listed_and_all_of_them_exist():
    assert not [name for name in dir(wg) if name.startswith("_") and name != "__version__"]
    assert [getattr(wg, name) for name in dir(wg)]


def test_the_report_is_a_function_whatever_was_imported_before():
    import winoglot.report.page

    assert winoglot.report is wg.report
    assert not hasattr(wg.report, "__path__")


def test_perturb_is_a_function_whatever_was_imported_before():
    import winoglot.perturb.base

    assert winoglot.perturb is wg.perturb
    assert not hasattr(wg.perturb, "__path__")
