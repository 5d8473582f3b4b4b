"""Whatever a file holds, what comes out is a collection or an input error with its place and a remedy."""

import json
import tracemalloc
from contextlib import suppress

import pytest

import winoglot as wg
from cases import listed
from format_samples import sample
from six_schemas import six, six_file
from winoglot.loading import dump, load_with_report
from work import assert_linear, bounded

YAML = sample("yaml")


def load(tmp_path, content, name="file.yaml"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return wg.load(path)


def refused(tmp_path, content, name="file.yaml"):
    with pytest.raises(wg.InputError) as caught:
        load(tmp_path, content, name)
    error = caught.value
    assert error.file.endswith(name)
    assert error.remedy
    return error


@pytest.mark.parametrize(
    "content", [YAML, YAML.replace("\n", "\r\n"), "\ufeff" + YAML, "---\n" + YAML + "...\n"], ids=repr
)
def test_line_ends_byte_order_marks_and_document_marks_do_no_harm(tmp_path, content):
    assert [schema.id for schema in load(tmp_path, content).schemas] == ["call", "door"]
    assert load(tmp_path, content) == load(tmp_path, YAML)


@listed
def test_a_fault_is_named_with_line_column_and_schema(tmp_path, old, new, message, line, column, schema):
    error = refused(tmp_path, YAML.replace(old, new, 1))
    assert message in error.message
    assert (error.line, error.schema) == (line, schema)
    assert column in (None, error.column)
    assert "Did you mean 'candidates'?" in error.remedy or "unknown key" not in message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"# only a comment\n", "empty"),
        (b"\x7fELF\0\0\0", "binary"),
        (YAML.encode("utf-16"), "UTF-16"),
        (YAML.encode().replace(b"Clara porque", b"Clar\xe3 porque"), "0xE3 is not UTF-8"),
        (b"a: &a [x, x]\n" + b"".join(b"b%d: &b%d [*a, *a]\n" % (n, n) for n in range(1000)), "anchors"),
        (b"collection: a\nlanguage: en\nschemas: []\n", "has no schemas"),
        (b"collection: a\nlanguage: en\nschemas:\n", "expected a list"),
        (b"- 1\n- 2\n", "expected a mapping"),
        (b"just words\n", "expected a mapping"),
        (b"{{{{\n", "a key is not a word"),
        (b"? [complex, key]\n: 1\n", "a key is not a word"),
        ((YAML + "---\n" + YAML).encode(), "second document"),
        (YAML[:200].encode(), ""),
    ],
)
def test_files_that_hold_no_collection_are_refused(tmp_path, content, message):
    error = refused(tmp_path, content)
    assert message in error.message
    assert "0xE3" not in message or (error.line, error.column) == (5, 32)


def test_a_huge_file_and_a_device_are_refused_at_once_and_large_yaml_is_pointed_to_json_lines(tmp_path):
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        file.truncate(513 * 2**20)
    for source in (path, "yaml:/dev/zero"):
        with pytest.raises(wg.InputError, match="larger than 512 MiB"):
            wg.load(source)
    assert "JSON Lines" in refused(tmp_path, YAML + "# " + "x" * 17 * 2**20).remedy


def test_small_files_that_once_took_minutes(tmp_path):
    """A search was repeated for every mention or candidate."""
    head = "collection: a\nlanguage: en\nschemas:\n  - id: a\n    answers: [0]\n"

    def mentions(number):
        return head + f"    text: '{'a ' * number}and {{it}}.'\n    candidates: [a]\n"

    def candidates(number):
        names = [f"n{one}" for one in range(number)]
        return head + f"    text: '{' '.join(names)} and {{it}}.'\n    candidates: [{', '.join(names)}]\n"

    def load_it(text):
        with suppress(wg.InputError):
            load(tmp_path, text)

    assert_linear(load_it, mentions, 100)
    assert_linear(load_it, candidates, 20)
    with bounded():
        refused(tmp_path, mentions(1500))
        load(tmp_path, candidates(100))
        refused(tmp_path, "schemas: [" + "a," * 100_000 + "]\n# " + "x" * 1_000_000)


LONG = "collection: a\nlanguage: en\nschemas:\n  - id: a\n    answers: [0]\n"


def mentioning(number):
    """A schema whose text mentions a candidate so many times, with all of them listed."""
    mentions = ", ".join(f'"he#{one}"' for one in range(1, number + 1))
    text = f"    text: '{'he ' * number}and Ann because {{she}} won.'\n"
    return LONG + text + f"    candidates: [he, Ann]\n    mentions: [[{mentions}], [Ann]]\n"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (mentioning(1001), "there are 1002 mentions; at most 1000"),
        (LONG + f"    text: '{'word ' * 60_000}and {{it}}.'\n    candidates: [a]\n", "characters; at most 5000"),
        (LONG + f"    text: '{'[a|b] ' * 101}{{it}}.'\n    candidates: [a]\n", "there are 101 groups"),
        (LONG + f"    text: '[a{'|a' * 1000}] {{it}}'\n    candidates: [a]\n", "there are 1001 alternatives"),
        (LONG + f"    text: '{' {}' * 100_000}'\n    candidates: [a]\n", "there are 100000 pronouns"),
        (LONG + f"    text: 'a {{it}}'\n    candidates: [{'a, ' * 100}a]\n", "there are 101 candidates"),
        (LONG.replace("[0]", f"[{'0, ' * 1000}0]") + "    candidates: [a, b]\n", "there are 1001 alternatives"),
        (LONG + "    text: '{}'\n    candidates: [a]\n", "does not occur"),
    ],
    ids=["mentions", "characters", "groups", "alternatives", "pronouns", "candidates", "answers", "zero pronoun"],
)
def test_what_is_far_larger_than_any_schema_is_refused_at_once(tmp_path, entry, message):
    with bounded(5):
        error = refused(tmp_path, entry)
    assert message in error.message
    assert len(str(error)) < 1000
    assert error.schema == "a"


def test_a_text_at_the_limit_can_be_written_and_read_back(tmp_path):
    """The notation may have a space more, beside a pronoun that is not spoken."""
    start = "Rita viu Ana porque {} ria e "
    text = start + "a" * (5000 - len(start.replace("{} ", "")) - 1) + "."
    collection = load(tmp_path, LONG.replace(": en", ": pt") + f"    text: '{text}'\n    candidates: [Rita, Ana]\n")
    assert len(collection.items[0].text) == 5000
    assert load(tmp_path, dump([collection], "yaml")) == collection


def test_large_schemas_in_json_lines_are_refused_with_their_line(tmp_path, good):
    def changed(**fields):
        schema = json.loads(good[1])
        schema["items"][0] |= fields
        return "\n".join([good[0], json.dumps(schema), *good[2:]])

    spans = [[at, at + 1] for at in range(1001)]
    for fields, message in (
        ({"text": "a" * 300_000}, "the text has 300000 characters; at most 5000"),
        ({"candidates": [{"text": "a", "mentions": spans}, {"text": "b"}]}, "there are 1001 mentions"),
        ({"candidates": [{"text": f"c{number}"} for number in range(101)]}, "there are 101 candidates"),
        ({"segment": spans}, "there are 1001 places"),
    ):
        error = refused(tmp_path, changed(**fields), "file.jsonl")
        assert message in error.message
        assert error.line == 2
    schema = json.loads(good[1])
    schema["items"] = [schema["items"][0] | {"id": f"{schema['id']}.{number}"} for number in range(1001)]
    assert "1001 items" in refused(tmp_path, "\n".join([good[0], json.dumps(schema), *good[2:]]), "file.jsonl").message


def test_work_and_memory_grow_with_the_number_of_mentions_only(tmp_path):
    """Each mention was searched for in the whole text, and each beginning of the text was kept."""
    assert_linear(lambda text: dump([load(tmp_path, text)], "yaml"), mentioning, 150)
    assert_linear(lambda text: dump([load(tmp_path, text)], "html"), mentioning, 150)
    text = mentioning(990)
    load(tmp_path, text)
    tracemalloc.start()
    try:
        collection = load(tmp_path, text)
        assert load(tmp_path, dump([collection], "yaml")) == collection
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()


def test_work_grows_with_the_number_of_alternatives_and_kinds_only(tmp_path):
    def alternatives(number):
        words = "|".join(f"w{one}" for one in range(number))
        text = f"    text: 'Rob met Ann and {{she}} was [{words}].'\n    candidates: [Rob, Ann]\n"
        terms = f"    terms: {{candidates: [Rob, Ann], segment: '[{words}]'}}\n"
        return LONG.replace("[0]", f"[{', '.join('1' * number)}]") + text + terms

    def kinds(number):
        text = "    text: 'Rob met Ann and {she} won.'\n    candidates: [Rob, Ann]\n    variants:\n"
        return (
            LONG + text + "".join(f"      k{one}: {{text: 'Rob met Ann, so {{she}} won.'}}\n" for one in range(number))
        )

    def write_and_read(text):
        assert load(tmp_path, dump([load(tmp_path, text)], "yaml"))

    assert_linear(write_and_read, alternatives, 50)
    assert_linear(write_and_read, kinds, 50)
    with bounded(20):
        write_and_read(alternatives(400))


def test_rows_with_very_long_cells_are_skipped(tmp_path):
    path = tmp_path / "long.tsv"
    head, first, *rest = sample("wnli").split("\n")
    path.write_text("\n".join([head, first.replace("\t", "\t" + "a " * 100_000, 1), *rest]), "utf-8")
    _, report = load_with_report(f"wnli:{path}")
    assert "characters; at most 5000 are possible" in report.skipped[0].why


def test_what_cannot_be_opened_is_an_input_error(tmp_path):
    with pytest.raises(wg.InputError, match=r"is a folder, not a collection\. Name a file"):
        wg.load(tmp_path)
    with pytest.raises(wg.InputError, match=r"there is no format 'yml'\. Did you mean 'yaml'"):
        wg.load(f"yml:{six_file('pt')}")
    with pytest.raises(wg.InputError, match="no bundled collection and no file"):
        wg.load(tmp_path / "absent.yaml")
    for name in (f"yaml:{tmp_path}/absent.yaml", f"yaml:{'a' * 300}"):
        with pytest.raises(wg.InputError, match="cannot be read"):
            wg.load(name)


@pytest.mark.parametrize("name", ["../../etc/passwd", "winoglot-pt/../winoglot-en", "/etc/passwd\0", "winoglot-xx"])
def test_names_lead_nowhere_else(name):
    with pytest.raises(wg.InputError):
        wg.load(name)


def lines(collection):
    return dump([collection], "jsonl").splitlines()


@pytest.fixture(scope="module")
def good():
    return lines(six("pt"))


@pytest.mark.parametrize(
    ("change", "message", "line"),
    [
        (lambda rows: rows[:-1], "announces 6 schemas, 5 follow", 6),
        (lambda rows: [*rows[:-1], rows[-1][:-20]], "not JSON", 7),
        (lambda rows: rows[1:], "does not describe a collection", 1),
        (lambda rows: [*rows, rows[1]], "announces 6 schemas", 8),
        (lambda rows: [*rows[:2], rows[1], *rows[3:]], "the same id", 3),
        (lambda rows: [rows[0], "[" * 100_000, *rows[2:]], "nested too deeply", 2),
        (lambda rows: [rows[0], "9" * 10_000, *rows[2:]], "a number that is too long", 2),
        (lambda rows: [rows[0], "null", *rows[2:]], "expected a mapping, found nothing", 2),
    ],
)
def test_lines_that_are_too_few_too_many_or_no_schemas_are_named(tmp_path, good, change, message, line):
    error = refused(tmp_path, "\n".join(change(list(good))) + "\n", "file.jsonl")
    assert (message in error.message, error.line) == (True, line)


@listed
def test_faults_in_json_lines_are_named_with_their_line(tmp_path, good, line, old, new, message):
    rows = list(good)
    rows[line - 1] = rows[line - 1].replace(old, new, 1)
    error = refused(tmp_path, "\n".join(rows) + "\n", "file.jsonl")
    assert (message in error.message, error.line) == (True, line)


def in_language(row, *tags):
    """The line of a schema whose items name their languages."""
    schema = json.loads(row)
    for item, tag in zip(schema["items"], tags, strict=True):
        item["language"] = tag
    return json.dumps(schema, ensure_ascii=False)


def test_an_item_in_json_lines_may_name_the_language_of_its_collection_and_no_other(tmp_path, good):
    path = tmp_path / "file.jsonl"
    path.write_text("\n".join([good[0], in_language(good[1], "pt-BR", "PT_br"), *good[2:]]), "utf-8")
    assert wg.load(path) == six("pt")
    error = refused(tmp_path, "\n".join([*good[:2], in_language(good[2], "pt-BR", "pt"), *good[3:]]), "file.jsonl")
    assert (error.line, error.schema) == (3, "train-wave")
    assert "items[1].language: the language is 'pt', that of the collection 'pt-BR'" in str(error)
