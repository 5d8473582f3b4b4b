import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from metrics.made_runs import Made, collection_of, pairs_of, run_of
from winoglot import Candidate, Collection, InputError, Item, Schema, Span
from winoglot.report import report
from winoglot.report.again import commands
from winoglot.report.items import PRONOUN, items_data, pieces
from winoglot.report.page import default_title
from winoglot.report.sections import sections
from winoglot.report.summary import summarise
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.runs.store import save_run

GOOD, BAD = [(1, 1)] * 12, [(0, 1)] * 12


def page_of(runs, tmp_path, **keys):
    report(runs, tmp_path / "report.html", **keys)
    return (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page_of_one(tmp_path_factory):
    """The page of one good run, for tests that only read it."""
    return page_of([run_of(pairs_of(GOOD), "one")], tmp_path_factory.mktemp("one"))


@pytest.fixture(scope="module")
def page_of_two(tmp_path_factory):
    """The page of a good and a bad run."""
    return page_of([run_of(pairs_of(GOOD), "one"), run_of(pairs_of(BAD), "two")], tmp_path_factory.mktemp("two"))


def one_item_run(text, pronoun, candidates, language="en", choice=0):
    start = text.index(pronoun)
    parts = tuple(Candidate(name, (Span(text.index(name), text.index(name) + len(name)),)) for name in candidates)
    item = Item("s.0", "s", text=text, pronoun=Span(start, start + len(pronoun)), candidates=parts, answer=0)
    collection = Collection("one", language, (Schema("s", (item,)),))
    settings = Settings("model", "partial", "naive", "0" * 16)
    return Run(collection, settings, (Prediction("s.0", item.hash, choice, (-1.5, -2.25)),))


def test_the_sections_come_in_order(tmp_path):
    runs = [run_of(pairs_of(GOOD), "model", readings=style) for style in ("naive", "grammatical")]
    page = page_of(runs, tmp_path)
    order = ["finding", "accuracy", "robustness", "readings", "gaps", "calibration", "comparisons", "items", "again"]
    places = [page.index(f'id="{name}"') for name in order if f'id="{name}"' in page]
    assert len(places) >= len(order) - 1
    assert places == sorted(places)


def test_nothing_is_fetched(page_of_two):
    assert "default-src 'none'" in page_of_two
    assert not re.search(r"""(?:src|href)=["'](?!#)""", page_of_two)
    assert not re.search(r"@import|url\((?!#)", page_of_two)


def test_the_same_runs_make_the_same_page(page_of_two, tmp_path):
    runs = [run_of(pairs_of(GOOD), "one"), run_of(pairs_of(BAD), "two")]
    assert page_of(runs, tmp_path) == page_of_two


def test_an_existing_file_is_kept_unless_forced(tmp_path):
    (tmp_path / "report.html").write_text("mine")
    with pytest.raises(InputError, match="exists already") as caught:
        report([run_of(pairs_of(GOOD))], tmp_path / "report.html")
    assert "force=True" in caught.value.remedy
    assert (tmp_path / "report.html").read_text() == "mine"


def test_markup_in_texts_and_names_stays_text(tmp_path):
    text = "<b>Ana</b> met </script><script>alert(1)</script> Bea & she left."
    run = one_item_run(text, "she", ("Ana", "Bea"))
    run = replace(run, settings=replace(run.settings, model="<img src=x onerror=alert(2)>"))
    page = page_of([run], tmp_path, title="<i>T</i>")
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "<i>T" not in page
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert "".join(data["items"][0]["t"][::2]) == text


def test_pieces_join_to_the_text_and_mark_the_pronoun():
    for item in collection_of([[Made(), Made(candidates=3)]]).items:
        made = pieces(item)
        assert "".join(made[::2]) == item.text
        marked = [piece for piece, bits in zip(made[::2], made[1::2], strict=True) if bits & PRONOUN]
        assert marked == [item.pronoun.of(item.text)]


def test_a_pronoun_that_is_not_spoken_has_its_place_at_the_end_too():
    for text, at in (("Ana saw Bea and left", 16), ("Ana saw Bea", 11), ("saw Ana, Bea", 0)):
        names = tuple(Candidate(name) for name in ("Ana", "Bea"))
        item = Item("s.0", "s", text=text, pronoun=Span(at, at), candidates=names)
        made = pieces(item)
        before = "".join(made[: 2 * made[1::2].index(PRONOUN)][::2])
        assert (before, "".join(made[::2])) == (text[:at], text)


def test_an_item_has_both_readings_and_both_scores():
    run = one_item_run("Ana met Bea and she left.", "she", ("Ana", "Bea"))
    (item,) = items_data(summarise([run]))["items"]
    assert item["r"] == [["naive", [[0, "Ana", 0], [0, "Bea", 0]]]]
    assert item["o"] == [[0, 0, [-1.5, -2.25]]]


def test_scores_that_json_lacks_are_words():
    run = run_of([[Made(scores=(float("-inf"), float("nan")))]])
    assert items_data(summarise([run]))["items"][0]["o"][0][2] == ["−∞", None]


def test_a_run_of_abstentions_only_makes_a_page(tmp_path):
    page = page_of([run_of(pairs_of([(None, None)] * 3))], tmp_path)
    assert "solver answered none of 6 items (English).</p>" in page


def test_one_single_item_makes_a_page(tmp_path):
    page = page_of([run_of([[Made()]])], tmp_path)
    assert "There is only one run" in page
    assert "Fewer than 20 items" in page


def test_unlabelled_items_make_a_page(tmp_path):
    assert "no labelled items" in page_of([run_of([[Made(answer=None), Made(answer=None)]])], tmp_path)


@pytest.mark.parametrize(
    ("text", "pronoun", "candidates", "language"),
    [
        ("رأت سلمى ليلى لأن هي وصلت.", "هي", ("سلمى", "ليلى"), "ar"),
        ("小明看见小红,因为他来了。", "他", ("小明", "小红"), "zh"),
        ("Ana " + "very " * 400 + "much liked Bea and she left.", "she", ("Ana", "Bea"), "en"),
        ("𝒜na 😀 met Bea and she left.", "she", ("𝒜na", "Bea"), "en"),
    ],
)
def test_any_script_and_length_is_kept(text, pronoun, candidates, language, tmp_path):
    page = page_of([one_item_run(text, pronoun, candidates, language)], tmp_path)
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert "".join(data["items"][0]["t"][::2]) == text
    assert data["columns"][0]["lang"] == language


def test_what_rests_on_little_is_grey_with_the_reason(tmp_path):
    page = page_of([run_of(pairs_of(GOOD[:3]))], tmp_path)
    assert 'class="few" title="n = 6: fewer than 20"' in page
    assert 'class="few"' not in page_of([run_of(pairs_of(GOOD * 4))], tmp_path, force=True)


def test_what_may_not_be_compared_is_said(tmp_path):
    runs = [run_of(pairs_of(GOOD), name=name, prefix=name) for name in ("apples", "pears")]
    page = page_of(runs, tmp_path)
    assert "No two runs can be compared: apples and pears share no items" in page


def test_the_title_asks_about_the_models():
    assert default_title(summarise([run_of(pairs_of(GOOD), "m"), run_of(pairs_of(BAD), "chance")])) == (
        "How well does m resolve Winograd schemas?"
    )
    assert "simple rules" in default_title(summarise([run_of(pairs_of(GOOD), "first")]))
    assert "people" in default_title(summarise([], [run_of(pairs_of(GOOD), "readers")]))


def test_figures_and_tables_are_written_beside_the_page(tmp_path):
    runs = [run_of(pairs_of(GOOD), "one"), run_of(pairs_of(BAD), "two")]
    page_of(runs, tmp_path, figures=tmp_path / "figures", tables=tmp_path / "tables")
    assert {path.suffix for path in (tmp_path / "figures").iterdir()} == {".svg", ".pdf", ".png"}
    assert {path.suffix for path in (tmp_path / "tables").iterdir()} == {".md", ".tex", ".csv"}
    assert (tmp_path / "tables" / "accuracy.csv").is_file()


def test_windows_are_spoken_of_only_where_they_are_scored():
    made = [[Made(window="punctuation")]]
    runs = [run_of(made, "model"), run_of(made, "first", scoring="choice")]
    found = summarise(runs)
    assert [one.gaps.punctuation_window for one in found.runs] == [1, None]
    answers = items_data(found)["items"][0]["o"]
    assert [len(answer) for answer in answers] == [4, 3]


def test_unknown_tokens_and_skipped_characters_are_told_where_there_are_any():
    def told(run):
        (table,) = next(one for one in sections(summarise([run])) if one.id == "gaps").tables
        return dict(zip(table.columns, table.texts()[0], strict=True))

    run = run_of(pairs_of(GOOD))
    first, second, *rest = run.predictions
    first, second = replace(first, tokens=60, unknown=3, skipped=2), replace(second, tokens=60, skipped=5)
    found = told(replace(run, predictions=(first, second, *rest)))
    assert found["unknown tokens, percent"] == "2.5"
    assert (found["window begins late"], found["characters skipped"]) == ("2", "7")
    none = told(replace(run, predictions=(replace(first, unknown=0, skipped=0), *run.predictions[1:])))
    assert not {"unknown tokens, percent", "window begins late", "characters skipped"} & none.keys()


def test_the_command_writes_the_page_and_prints_the_table(tmp_path, run_winoglot):
    save_run(run_of(pairs_of(GOOD), "one"), tmp_path / "runs" / "one")
    save_run(run_of(pairs_of(BAD), "readers"), tmp_path / "people")
    target = tmp_path / "report.html"
    code, out, _ = run_winoglot(
        "report", tmp_path / "runs", "-o", target, "--title", "Mine", "--human", tmp_path / "people"
    )
    assert code == 0
    assert "100.0 [" in out
    assert "people (readers)" in out
    assert "<title>Mine</title>" in target.read_text(encoding="utf-8")
    assert run_winoglot("report", tmp_path / "runs", "-o", target)[0] == 2
    assert run_winoglot("report", tmp_path / "runs", "-o", target, "--force")[0] == 0


def test_the_piped_table_has_a_line_a_run_however_long_the_names(tmp_path, run_winoglot, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    long = "causal:/models/" + "a-long-name/" * 14
    save_run(run_of(pairs_of([(1, None)] * 12), long), tmp_path / "runs" / "one")
    save_run(run_of(pairs_of(BAD), "first"), tmp_path / "runs" / "two")
    _, out, _ = run_winoglot("report", tmp_path / "runs", "-o", tmp_path / "report.html")
    lines = out.splitlines()[:3]
    assert [re.sub(r" \[[^]]*\]", "", line).split() for line in lines] == [
        ["solver", "collection", "accuracy", "n", "abstained"],
        [long, "English", "50.0", "24", "12"],
        ["first", "English", "50.0", "24", "0"],
    ]
    assert "Guessing gives 50.0." in out
    assert len({line.index("English") for line in lines[1:]}) == 1


def test_the_table_keeps_to_columns_where_they_are_given(tmp_path, run_winoglot, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    save_run(run_of(pairs_of(GOOD), "a-model-of-a-name"), tmp_path / "runs" / "one")
    _, out, _ = run_winoglot("report", tmp_path / "runs", "-o", tmp_path / "report.html")
    assert all(len(line) <= 40 for line in out.partition("Accuracy in")[0].splitlines())


def test_a_folder_without_runs_is_bad_input(tmp_path, run_winoglot):
    code, _, error = run_winoglot("report", tmp_path, "-o", tmp_path / "report.html")
    assert code == 2
    assert "there is no run in" in error


def test_people_alone_are_what_the_page_speaks_of(tmp_path):
    said = page_of([], tmp_path, human=[run_of(pairs_of([(1, 0), (1, 1)]))])
    assert "People answer 75.0% (" in said
    assert "no labelled items" not in said


def test_nothing_is_written_where_one_of_the_outputs_is_taken(tmp_path):
    run = run_of(pairs_of([(1, 0), (1, 1)]))
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "accuracy.md").write_text("mine")
    with pytest.raises(InputError, match=r"accuracy\.md.*exists already"):
        report([run], tmp_path / "report.html", figures=tmp_path / "figures", tables=tmp_path / "tables")
    assert [path.name for path in tmp_path.iterdir()] == ["tables"]


def test_the_numbers_of_a_figure_are_numbers(page_of_one):
    assert "Number(value" not in page_of_one
    assert '<td class="number">50.0</td>' in page_of_one


def test_a_table_is_called_by_its_collection_with_the_whole_version(tmp_path):
    item = Made(tags=("social",))
    runs = [run_of([[item, item]] * 12), run_of([[replace(item, answer=1), item]] * 12)]
    sha = runs[0].collection.hash[:8]
    page = page_of(runs, tmp_path)
    assert f"<summary>Subsets in made@1.0 sha:{sha}</summary>" in page
    assert f'aria-label="Table: Subsets in made@1.0 sha:{sha}"' in page


def test_runs_may_come_one_by_one_or_alone(page_of_one, page_of_two, tmp_path):
    runs = [run_of(pairs_of(GOOD), "one"), run_of(pairs_of(BAD), "two")]
    assert page_of((run for run in runs), tmp_path) == page_of_two
    assert page_of(runs[0], tmp_path, force=True) == page_of_one
    people = page_of(runs[0], tmp_path, human=(run for run in runs[1:]), force=True)
    assert people.count("--human HUMAN_RUN") == 1


@pytest.mark.parametrize("given", ["runs", b"runs", Path("runs"), ["runs"], None, {"one": 1}, 3])
def test_what_is_no_run_is_an_input_error_that_says_what_to_pass(given, tmp_path):
    with pytest.raises(InputError, match="expected a run, found") as caught:
        report(given, tmp_path / "report.html")
    assert "winoglot.evaluate" in caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_the_commands_name_the_language_of_a_file_that_may_hold_several(tmp_path):
    runs = [run_of(pairs_of(GOOD), name=f"mine-{tag}", language=tag) for tag in ("ja", "pt-BR")]
    assert commands(runs)[:2] == [
        f"winoglot evaluate mine-{tag} --model solver --scoring partial --readings naive --language {tag} -o runs"
        for tag in ("ja", "pt-BR")
    ]
    assert "--language ja" in page_of(runs, tmp_path)


def test_the_commands_name_what_made_imported_predictions():
    keys = {"scoring": "imported", "readings": "imported"}
    tags = ("en", "fr")
    runs = [run_of(pairs_of(GOOD), "org/my model", name=f"mine-{tag}", language=tag, **keys) for tag in tags]
    assert commands(runs)[:2] == [
        f"winoglot runs import FILE --collection mine-{tag} --language {tag} --model 'org/my model' "
        f"-o runs/mine-{tag}.org_my_model"
        for tag in tags
    ]


def test_the_commands_repeat_a_title_that_was_given(page_of_one, tmp_path):
    run = run_of(pairs_of(GOOD))
    assert commands([run], title="It’s mine")[-1] == "winoglot report runs -o report.html --title 'It’s mine'"
    assert "--title &#39;My own&#39;" in page_of([run], tmp_path, title="My own")
    assert "--title" not in page_of_one


def test_the_command_to_run_again_names_the_options_a_model_was_given():
    run = replace(run_of(pairs_of([(1, 0)])), options={"prompt": "two words"})
    assert "--option 'prompt=two words' -o runs" in commands([run])[0]
