import bz2
import gzip
import io
import json
import os
import resource
import subprocess
import sys
from collections import Counter

import pytest

from corpus.corpus_making import build_small, content, write_text
from winoglot.corpus.build import build
from winoglot.corpus.reading import open_corpus, show_articles
from winoglot.corpus.settings import CorpusSettings
from winoglot.errors import InputError
from winoglot.languages.text import sentences, words


def texts_of(corpus, split):
    """The articles of a split as tokens with blanks between."""
    return [" ".join(map(corpus.vocabulary.word, article.tolist())) for article in corpus.split(split).articles()]


def expected(line):
    return " ".join(word for sentence in sentences(line, "pt") for word in [*words(sentence, "pt"), "<eos>"])


def test_every_article_is_in_one_split_word_by_word(tmp_path):
    corpus = build_small(tmp_path, min_count=1, held_out=0.2)
    lines = (tmp_path / "texto.txt").read_text(encoding="utf-8").splitlines()
    train = texts_of(corpus, "train")
    assert set(train) < set(map(expected, lines))
    known = {word for text in train for word in text.split()}
    masked = [" ".join(w if w in known else "<unk>" for w in expected(line).split()) for line in lines]
    assert Counter(train + texts_of(corpus, "valid") + texts_of(corpus, "test")) == Counter(masked)
    assert [len(corpus.split(split)) for split in ("train", "valid", "test")] == [36, 12, 12]


def test_the_description_counts_what_is_there(tmp_path):
    corpus = build_small(tmp_path, min_count=2)
    for split, counts in corpus.info["splits"].items():
        tokens = " ".join(texts_of(corpus, split)).split()
        found = Counter(tokens)
        assert counts == {
            "articles": len(corpus.split(split)),
            "sentences": found["<eos>"],
            "tokens": len(tokens),
            "types": len(found),
            "unknown_share": round(found["<unk>"] / (len(tokens) - found["<eos>"]), 6),
        }
    train = Counter(" ".join(texts_of(corpus, "train")).split())
    assert dict(zip(corpus.vocabulary.words, corpus.vocabulary.counts.tolist(), strict=True)) == dict(train)
    assert corpus.info["vocabulary"] == len(train)


def test_words_of_valid_and_test_are_not_counted(tmp_path):
    source = write_text(tmp_path / "a.txt")
    (tmp_path / "valid.txt").write_text("Zebra zebra zebra Chove\n", encoding="utf-8")
    (tmp_path / "test.txt").write_text("Zebra zebra zebra zebra Chove\n", encoding="utf-8")
    held_out = {split: [str(tmp_path / f"{split}.txt")] for split in ("valid", "test")}
    corpus = build([source], tmp_path / "c", CorpusSettings("pt", min_count=1), **held_out)
    assert corpus.info["splits"]["train"]["articles"] == 60
    assert texts_of(corpus, "valid") == ["<unk> <unk> <unk> Chove <eos>"]
    assert corpus.info["warnings"] == [
        f"{share}% of the words of {split} are unknown: is it the same language, tokenised alike?"
        for split, share in (("valid", "75.0"), ("test", "80.0"))
    ]


def test_a_tokenised_source_keeps_its_tokens(tmp_path):
    source = tmp_path / "a.txt"
    source.write_text("O gato <unk> . <eos> Sim\nO gato ! <eos>\n", encoding="utf-8")
    corpus = build([str(source)], tmp_path / "c", CorpusSettings("pt", tokenised=True, min_count=1))
    assert texts_of(corpus, "train") == ["O gato <unk> . <eos> Sim <eos>", "O gato ! <eos>"]


def test_jsonl_keeps_titles_and_ids_for_attribution_but_none_as_a_formula(tmp_path):
    source = tmp_path / "a.jsonl"
    articles = [{"title": "=1+1", "text": "Outro.", "id": 0}]
    articles += [{"title": f"T\t{at}", "text": f"Texto {at}.", "id": at, "revision": "r"} for at in range(1, 6)]
    source.write_text("\n".join(map(json.dumps, articles)), encoding="utf-8")
    corpus = build([str(source)], tmp_path / "c", CorpusSettings("pt", kind="jsonl", min_count=1, held_out=0))
    rows = gzip.decompress((corpus.path / "attribution.tsv.gz").read_bytes()).decode().splitlines()
    assert (rows[0], rows[2]) == ("split\ttitle\tid\trevision", "train\tT 1\t1\tr")
    assert len(rows) == 7
    assert rows[1].startswith("train\t'=1+1\t0")
    assert show_articles(corpus, "train")[0].title == "=1+1"  # it is read back


def test_a_source_gives_the_same_corpus_from_standard_input_and_compressed(tmp_path, monkeypatch):
    named = build([write_text(tmp_path / "a.txt")], tmp_path / "named", CorpusSettings("pt"))
    data = (tmp_path / "a.txt").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    piped = build(["-"], tmp_path / "piped", CorpusSettings("pt"))
    assert piped.hash == named.hash
    assert piped.info["sources"][0]["sha256"] == named.info["sources"][0]["sha256"]
    assert [source["name"] for source in named.info["sources"]] == ["a.txt"]
    for number, pack in enumerate((gzip.compress, bz2.compress)):
        (tmp_path / "packed").write_bytes(pack(data))
        again = build([str(tmp_path / "packed")], tmp_path / str(number), CorpusSettings("pt"))
        assert again.hash == named.hash


def test_train_is_reduced_to_about_so_many_tokens_or_until_its_vocabulary_fits(tmp_path):
    source = write_text(tmp_path / "texto.txt")

    def info(**more):
        settings = CorpusSettings("pt", held_out=0.1, min_count=1, **more)
        return build([source], tmp_path / f"c{len(list(tmp_path.iterdir()))}", settings).info

    for tokens in (200, 400):
        splits = info(tokens=tokens)["splits"]
        assert abs(splits["train"]["tokens"] - tokens) < 20
        assert splits["valid"]["articles"] == 6
    assert 36 <= info(types=40)["vocabulary"] <= 40 < info()["vocabulary"]


def test_sources_that_cannot_be_used_leave_nothing_behind(tmp_path):
    text, more = write_text(tmp_path / "a.txt", 20), write_text(tmp_path / "b.txt", 21)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty.txt").write_text("\n \n")
    (tmp_path / "a.jsonl").write_text('{"tokens": ["Chove", "."]}\n')
    for source, settings, others, message in (
        ("pipe", {}, {}, r"pipe: .* only be read once.*name - as the source"),
        ("empty.txt", {}, {}, "no article"),
        ("a.jsonl", {"kind": "jsonl"}, {}, "Add --tokenised"),
        ("a.txt", {}, {"test": [more]}, "no article with text for training: 20 duplicates"),
        ("a.txt", {}, {"valid": [text]}, "same file"),
    ):
        with pytest.raises(InputError, match=message):
            build([str(tmp_path / source)], tmp_path / "c", CorpusSettings("pt", **settings), **others)
        assert not (tmp_path / "c" / "corpus.json").exists()
    with pytest.raises(InputError, match=r"other than a corpus: a\.jsonl"):
        build([text], tmp_path, CorpusSettings("pt"))
    with pytest.raises(InputError, match="this is a file, not a folder"):
        build([text], tmp_path / "b.txt", CorpusSettings("pt"))


def test_a_limit_of_the_vocabulary_that_leaves_too_much_unknown_is_refused_and_nothing_is_read_again(tmp_path):
    source = write_text(tmp_path / "a.txt")
    with pytest.raises(InputError, match=r"--max-vocab 1 leaves 8\d\.\d% of the \d+ training words unknown\. Raise it"):
        build([source], tmp_path / "c", CorpusSettings("pt", max_vocab=1))
    with pytest.raises(InputError, match="not finished"):
        open_corpus(tmp_path / "c")
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "c" / "building").glob("*.npz")}
    assert made
    with pytest.raises(InputError, match="--min-count 1000 leaves 100"):
        build([source], tmp_path / "c", CorpusSettings("pt", min_count=1000))
    assert made == {path: path.stat().st_mtime_ns for path in (tmp_path / "c" / "building").glob("*.npz")}
    assert build([source], tmp_path / "c", CorpusSettings("pt")).info["vocabulary"] > 20
    assert not (tmp_path / "c" / "building").exists()


def test_a_corpus_is_replaced_only_by_force_and_stays_until_the_new_one_is_whole(tmp_path):
    old = build_small(tmp_path)
    source = write_text(tmp_path / "b.txt", 20)
    with pytest.raises(InputError, match="--force"):
        build([source], old.path, CorpusSettings("pt"))
    with pytest.raises(InputError, match="unknown"):
        build([source], old.path, CorpusSettings("pt", max_vocab=1), force=True)
    open_corpus(old.path).verify()
    new = build([source], old.path, CorpusSettings("pt"), force=True)
    assert new.hash != old.hash
    new.verify()


def test_a_full_disk_is_an_error_that_says_so_and_the_build_goes_on_afterwards(tmp_path):
    source = write_text(tmp_path / "a.txt", 20_000)
    code = (
        "import sys; from pathlib import Path; from winoglot.corpus.build import build\n"
        "from winoglot.corpus.settings import CorpusSettings\n"
        "build([sys.argv[1]], Path(sys.argv[2]), CorpusSettings('pt'))"
    )

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    command = [sys.executable, "-c", code, source, str(tmp_path / "c")]
    ended = subprocess.run(command, preexec_fn=limit, capture_output=True, text=True, check=False)
    assert "InputError" in ended.stderr
    assert "cannot be written: File too large" in ended.stderr
    assert "run the command again" in ended.stderr
    with pytest.raises(InputError, match="no corpus"):
        open_corpus(tmp_path / "c")
    going_on = build([source], tmp_path / "c", CorpusSettings("pt"))
    assert content(going_on.path) == content(build([source], tmp_path / "d", CorpusSettings("pt")).path)
