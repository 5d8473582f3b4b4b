import bz2
import json

import pytest

from corpus.corpus_making import write_story, write_text


@pytest.fixture
def built(tmp_path, run_winoglot):
    source = write_text(tmp_path / "texto.txt")
    code, out, err = run_winoglot(
        "corpus", "build", source, "--language", "pt", "--held-out", 0.1, "-o", tmp_path / "c"
    )
    assert (code, err) == (0, "")
    assert "48 " in out
    return tmp_path / "c"


def test_stats_are_counted_by_split(built, run_winoglot):
    code, out, _ = run_winoglot("corpus", "stats", built, "--json", "--verify")
    found = json.loads(out)
    keys = {"articles", "sentences", "tokens", "types", "unknown_share"}
    assert code == 0
    assert set(found["splits"]) == {"train", "valid", "test"}
    assert all(set(counts) == keys for counts in found["splits"].values())
    assert found["articles"] == sum(counts["articles"] for counts in found["splits"].values()) == 60
    assert found["types"] == found["vocabulary"]


def test_show_prints_articles_as_a_model_sees_them(built, run_winoglot):
    code, out, _ = run_winoglot("corpus", "show", built, "--split", "valid", "--limit", 1, "--sentences", 2)
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "valid 0: texto.txt"
    assert lines[1] == "  Artigo <unk> ."
    assert lines[-1] == "  … 1 more"
    _, out, _ = run_winoglot("corpus", "show", built, "--json", "--article", 47)
    assert [article["number"] for article in json.loads(out)] == [47]


def test_what_cannot_be_shown_is_said(built, run_winoglot):
    code, _, err = run_winoglot("corpus", "show", built, "--article", 48)
    assert (code, "there is no article 48" in err) == (2, True)
    code, _, err = run_winoglot("corpus", "stats", built / "none")
    assert (code, "no corpus" in err) == (2, True)


def test_the_kind_is_recognised_and_an_existing_corpus_kept(built, tmp_path, run_winoglot):
    source = tmp_path / "a.jsonl"
    source.write_text('{"text": "Chove."}\n')
    arguments = ("corpus", "build", source, "--language", "pt", "--min-count", 1, "-o", built)
    code, _, err = run_winoglot(*arguments)
    assert (code, "add --force" in err) == (2, True)
    code, out, err = run_winoglot(*arguments, "--force", "--json")
    assert code == 0
    assert json.loads(out)["articles"] == 1
    assert err.splitlines() == ["Warning: valid is empty", "Warning: test is empty"]


def test_given_splits_are_taken_and_a_vocabulary_that_is_too_small_is_refused(tmp_path, run_winoglot):
    source = write_text(tmp_path / "texto.txt")
    for name, text in (("valid", "Chove muito.\n"), ("test", "O gato dorme.\nChove!\n")):
        (tmp_path / name).write_text(text)
    arguments = (
        "corpus", "build", source, "--valid", tmp_path / "valid", "--test", tmp_path / "test", "--language", "pt",
        "-o", tmp_path / "c",
    )  # fmt: skip
    code, _, err = run_winoglot(*arguments, "--max-vocab", 1)
    assert code == 2
    assert "--max-vocab 1 leaves" in err
    code, out, _ = run_winoglot(*arguments, "--max-vocab", 20, "--json")
    found = json.loads(out)["splits"]
    assert [found[split]["articles"] for split in ("train", "valid", "test")] == [60, 1, 2]


@pytest.mark.parametrize("place", [(), ("--valid",), ("--test",)])
@pytest.mark.parametrize(
    ("content", "kind"),
    [(bz2.compress(b"<mediawiki></mediawiki>"), "dump"), (b'{"text": "Chove."}\n', "jsonl")],
    ids=["dump", "jsonl"],
)
def test_sources_of_different_kinds_are_refused_unless_the_kind_is_said(tmp_path, run_winoglot, place, content, kind):
    source, other = write_text(tmp_path / "texto.txt"), tmp_path / "other"
    other.write_bytes(content)
    arguments = ("corpus", "build", source, *place, other, "--language", "pt", "-o", tmp_path / "c")
    code, _, err = run_winoglot(*arguments)
    assert code == 2
    assert f"{source} looks like text, {other} like {kind}" in " ".join(err.split())
    assert not (tmp_path / "c").exists()
    assert run_winoglot(*arguments, "--from", "text")[0] == 0


def test_a_token_beyond_the_vocabulary_is_said_to_be_damage(built, run_winoglot):
    file = built / "train.tokens"
    file.write_bytes(b"\xff" * 4 + file.read_bytes()[4:])
    code, _, err = run_winoglot("corpus", "show", built)
    assert code == 2
    assert "the file does not match corpus.json" in err
    assert "train.tokens" in err


@pytest.mark.parametrize("option", ["--limit", "--sentences"])
def test_fewer_than_none_cannot_be_shown(built, run_winoglot, option):
    code, _, err = run_winoglot("corpus", "show", built, option, -1)
    assert (code, f"{option} is -1" in err) == (2, True)


def test_a_file_is_no_corpus(built, run_winoglot):
    code, _, err = run_winoglot("corpus", "stats", built / "corpus.json")
    assert code == 2
    assert "this is a file, not the folder of a corpus" in err
    assert "Errno" not in err


def test_schemas_are_made_from_text(tmp_path, run_winoglot):
    source, target = write_story(tmp_path / "story.txt"), tmp_path / "story.jsonl"
    arguments = ("corpus", "schemas", source, "--language", "en", "--limit", 6, "-o", target)
    code, out, err = run_winoglot(*arguments)
    assert (code, err) == (0, "")
    assert out.splitlines() == [f"6 items of 12 found in 320 words, in {target}", "left out: 6 not drawn"]
    code, out, _ = run_winoglot("stats", target, "--json")
    assert (code, '"generated": 6' in out) == (0, True)
    code, _, err = run_winoglot(*arguments)
    assert (code, "--force" in err) == (2, True)
    code, out, _ = run_winoglot(*arguments, "--force", "--json")
    assert (code, json.loads(out)["items"]) == (0, 6)


def test_schemas_in_a_language_without_rules_are_refused(tmp_path, run_winoglot):
    source, target = write_story(tmp_path / "story.txt"), tmp_path / "story.jsonl"
    code, _, err = run_winoglot("corpus", "schemas", source, "--language", "tlh", "-o", target)
    assert (code, "there are no rules for that language" in err, target.exists()) == (2, True, False)
