"""Parquet folders: read back with pyarrow, they give every field of every item; the card is what data hubs expect."""

import io
import sys
from dataclasses import replace

import pytest
import yaml
from pyarrow import parquet

import winoglot as wg
from cases import listed
from six_schemas import six
from strategies import some_collections
from winoglot.formats import parquet as parquet_format


def tables_of(files):
    return [parquet.read_table(io.BytesIO(content)) for name, content in files.items() if name.endswith(".parquet")]


def rows_of(files):
    return [row for table in tables_of(files) for row in table.to_pylist()]


def kinds_in_order(made):
    """The same collection; tables do not say in which order an author wrote the variants."""
    schemas = (replace(one, variants=sorted(one.variants, key=lambda variant: variant.kind)) for one in made.schemas)
    return replace(made, schemas=tuple(schemas))


def test_a_folder_gives_back_the_whole_collection(tmp_path):
    collections = [*map(wg.load, ("winoglot-en", "winoglot-pt", "winoglot-fr", "winoglot-zh")), *some_collections()]
    for number, collection in enumerate(collections):
        wg.save(collection, tmp_path / str(number), "parquet")
        originals = min((tmp_path / str(number)).glob("*.parquet"), key=lambda path: len(path.name))
        assert kinds_in_order(wg.load(originals)) == kinds_in_order(collection)


def test_originals_and_variants_are_rows_with_their_hashes_and_language():
    made = six("pt")
    rows = rows_of(parquet_format.write(made))
    every = [*made.items, *made.variants("relative"), *made.variants("switched")]
    assert [(row["id"], row["hash"], row["language"]) for row in rows] == [(one.id, one.hash, "pt-BR") for one in every]
    assert {row["kind"] for row in rows} == {"original", "relative", "switched"}


def test_columns_that_are_empty_throughout_keep_their_types():
    (table,) = tables_of(parquet_format.write(lone()))
    types = {name: str(table.schema.field(name).type) for name in ("text", "answer", "tags")}
    assert (types["text"], types["answer"], types["tags"][:5]) == ("string", "int32", "list<")
    assert table.column_names == tables_of(parquet_format.write(six("en")))[0].column_names


def front_matter(made):
    card = parquet_format.write(made)["README.md"]
    _, head, body = card.split("---\n", 2)
    return yaml.safe_load(head), body


def test_the_card_opens_with_what_data_hubs_read_and_explains_every_column():
    head, body = front_matter(six("pt"))
    assert head["license"] == "cc-by-4.0"
    assert (head["language"], head["language_bcp47"]) == (["pt"], ["pt-BR"])
    assert head["size_categories"] == ["n<1K"]
    assert [one["config_name"] for one in head["configs"]] == ["pt", "pt-relative", "pt-switched"]
    assert head["configs"][1]["data_files"] == [{"split": "test", "path": "pt-relative.parquet"}]
    for words in ("The Winoglot developers (2026)", "not translated from any published schema", "- items: 12"):
        assert words in body
    assert six("pt").hash in body
    for name in tables_of(parquet_format.write(six("pt")))[0].column_names:
        assert f"| `{name}` | " in body
    steps = {0: "n<1K", 999: "n<1K", 1000: "1K<n<10K", 10**5: "100K<n<1M", 10**7: "n>1M"}
    assert {rows: parquet_format._size(rows) for rows in steps} == steps


def lone(**fields):
    one = wg.Item("a.0", "a", inferences=(wg.Inference("Rain fell.", "It was wet."),))
    return wg.Collection("lone", "en", (wg.Schema("a", (one,)),), **fields)


@listed
def test_a_licence_gets_the_name_that_hubs_know_or_its_own(licence, told):
    head, _ = front_matter(lone(licence=licence))
    assert {key: value for key, value in head.items() if key.startswith("license")} == told


def test_marks_in_the_texts_of_a_collection_do_nothing_to_the_card():
    _, body = front_matter(lone(description="<script>x</script>\n# Not a *head*", citation="A [link](x) & more | less"))
    assert r"\<script\>x\</script\> \# Not a \*head\*" in body
    assert r"A \[link\](x) \& more \| less" in body


def test_without_pyarrow_the_error_gives_the_command_that_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(wg.InputError) as caught:
        parquet_format.write(six("en"))
    assert 'pip install "winoglot[corpus]"' in caught.value.remedy


def test_several_collections_share_a_folder_each_under_its_language():
    files = parquet_format.write_several([lone(licence="MIT"), six("pt"), six("zh"), six("en")])
    head = yaml.safe_load(files["README.md"].split("---\n")[1])
    assert (head["language"], {*head["language_bcp47"]}) == (["en", "pt", "zh"], {"en", "pt-BR", "zh"})
    assert (head["license"], head["license_name"]) == ("other", "MIT; CC-BY-4.0")
    assert {one["data_files"][0]["path"] for one in head["configs"]} == files.keys() - {"README.md"}
    assert {row["language"] for row in rows_of(files)} == {"en", "pt-BR", "zh"}
    assert {"lone.parquet", "six-en.parquet", "six-en-relative.parquet"} < files.keys()  # two of one language


def test_a_table_that_is_not_of_a_collection_is_refused(tmp_path):
    wg.save(six("pt"), tmp_path / "folder", "parquet")
    variants = next(path for path in (tmp_path / "folder").iterdir() if path.stem.startswith("pt-"))
    other = tmp_path / "other.parquet"
    parquet.write_table(parquet.read_table(variants).replace_schema_metadata({}), other)
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(variants.read_bytes()[:100])
    for path, why in (
        (variants, "the table holds variants"),
        (other, "does not say which collection it holds"),
        (broken, "this is not a Parquet table"),
    ):
        with pytest.raises(wg.InputError, match=why) as caught:
            wg.load(path)
        assert caught.value.file == str(path)
        assert caught.value.remedy
