import bz2
import json

import pytest

from corpus.corpus_making import write_story, write_text


@pytest.fixture
def built(tmp_path, printed):
    source = write_text(tmp_path / "texto.txt")
    assert "48 " in printed("corpus", "build", source, "--language", "pt", "--held-out", 0.1, "-o", tmp_path / "c")
    return tmp_path / "c"


def test_stats_are_counted_by_split(built, printed):
    found = json.loads(printed("corpus", "stats", built, "--json", "--verify"))
    keys = {"articles", "sentences", "tokens", "types", "unknown_share"}
    assert set(found["splits"]) == {"train", "valid", "test"}
    assert all(set(counts) == keys for counts in found["splits"].values())
    assert found["articles"] == sum(counts["articles"] for counts in found["splits"].values()) == 60
    assert found["types"] == found["vocabulary"]


def test_show_prints_articles_as_a_model_sees_them(built, printed):
    out = printed("corpus", "show", built, "--split", "valid", "--limit", 1, "--sentences", 2)
    first, second, *_, last = out.splitlines()
    assert (first, second, last) == ("valid 0: texto.txt", "  Artigo <unk> .", "  … 1 more")
    shown = json.loads(printed("corpus", "show", built, "--json", "--article", 47))
    assert [article["number"] for article in shown] == [47]


def test_what_cannot_be_shown_is_said(built, refused):
    refused("corpus", "show", built, "--article", 48, says="there is no article 48")
    for option in ("--limit", "--sentences"):
        refused("corpus", "show", built, option, -1, says=f"{option} is -1")
    assert "Errno" not in refused("corpus", "stats", built / "corpus.json", says="this is a file, not the folder")
    file = built / "train.tokens"
    file.write_bytes(b"\xff" * 4 + file.read_bytes()[4:])
    refused("corpus", "show", built, says=["the file does not match corpus.json", "train.tokens"])


def test_the_kind_is_recognised_and_an_existing_corpus_kept(built, tmp_path, run_winoglot, refused):
    source = tmp_path / "a.jsonl"
    source.write_text('{"text": "Chove."}\n')
    arguments = ("corpus", "build", source, "--language", "pt", "--min-count", 1, "-o", built)
    refused(*arguments, says="add --force")
    code, out, err = run_winoglot(*arguments, "--force", "--json")
    assert (code, json.loads(out)["articles"]) == (0, 1)
    assert err.splitlines() == ["Warning: valid is empty", "Warning: test is empty"]


def test_given_splits_are_taken_and_a_vocabulary_that_is_too_small_is_refused(tmp_path, printed, refused):
    source, output = write_text(tmp_path / "texto.txt"), tmp_path / "c"
    for name, text in (("valid", "Chove muito.\n"), ("test", "O gato dorme.\nChove!\n")):
        (tmp_path / name).write_text(text)
    splits = ("--valid", tmp_path / "valid", "--test", tmp_path / "test")
    arguments = ("corpus", "build", source, *splits, "--language", "pt", "-o", output)
    refused(*arguments, "--max-vocab", 1, says="--max-vocab 1 leaves")
    found = json.loads(printed(*arguments, "--max-vocab", 20, "--json"))["splits"]
    assert [found[split]["articles"] for split in ("train", "valid", "test")] == [60, 1, 2]


@pytest.mark.parametrize(
    ("place", "content", "kind"),
    [
        ((), bz2.compress(b"<mediawiki></mediawiki>"), "dump"),
        (("--valid",), b'{"text": "Chove."}\n', "jsonl"),
        (("--test",), b'{"text": "Chove."}\n', "jsonl"),
    ],
    ids=["dump", "valid", "test"],
)
def test_sources_of_different_kinds_are_refused_unless_the_kind_is_said(
    tmp_path, printed, refused, place, content, kind
):
    source, other = write_text(tmp_path / "texto.txt"), tmp_path / "other"
    other.write_bytes(content)
    arguments = ("corpus", "build", source, *place, other, "--language", "pt", "-o", tmp_path / "c")
    refused(*arguments, says=f"{source} looks like text, {other} like {kind}")
    assert not (tmp_path / "c").exists()
    printed(*arguments, "--from", "text")


def test_schemas_are_made_from_text(tmp_path, printed, refused):
    source, target = write_story(tmp_path / "story.txt"), tmp_path / "story.jsonl"
    arguments = ("corpus", "schemas", source, "--limit", 6, "-o", target, "--language")
    refused(*arguments, "tlh", says="there are no rules for that language")
    assert not target.exists()
    out = printed(*arguments, "en")
    assert out.splitlines() == [f"6 items of 12 found in 320 words, in {target}", "left out: 6 not drawn"]
    assert '"generated": 6' in printed("stats", target, "--json")
    refused(*arguments, "en", says="--force")
    assert json.loads(printed(*arguments, "en", "--force", "--json"))["items"] == 6
