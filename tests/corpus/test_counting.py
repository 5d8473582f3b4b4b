import errno
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import listed
from corpus.corpus_making import content
from corpus.count_making import corpus_of, counts_of, drawn_articles, raw_corpus, slow_counts
from waiting import MOST, wait_until
from winoglot.corpus import counting as module
from winoglot.corpus.counting import Counting, count
from winoglot.corpus.counts import open_counts
from winoglot.corpus.reading import open_corpus
from winoglot.errors import InputError
from winoglot.memory import used_memory

WAYS = [
    (False, False, "sentence", 1),
    (True, False, "article", 4),
    (True, True, "sentence", 4),
    (False, True, "article", 1),
]


@pytest.mark.parametrize(("dynamic", "positional", "borders", "least"), WAYS)
def test_counts_are_those_of_a_slow_loop(tmp_path, dynamic, positional, borders, least):
    articles = drawn_articles(3)
    way = {"dynamic": dynamic, "positional": positional, "borders": borders, "min_count": least}
    counts = counts_of(tmp_path, articles, window=4, **way)
    slow = slow_counts(articles, 4, dynamic=dynamic, borders=borders, least=least)
    words = [counts.words.word(number) for number in range(len(counts.words))]
    together, totals = Counter(), Counter()
    for (word, other, _), value in slow.items():
        together[word, other] += value
        totals[word] += value
    for word, other in product(words, words):
        assert counts.cooccurrence(word, other) == pytest.approx(together[word, other])
        if positional:
            for offset in counts.offsets:
                assert counts.cooccurrence(word, other, offset) == pytest.approx(slow[word, other, offset])
    for word in words:
        assert counts.total(word) == pytest.approx(totals[word])
    assert counts.sum == pytest.approx(sum(slow.values()))
    assert counts.all_totals.sum() == pytest.approx(counts.sum)


def test_totals_of_an_offset_are_sums_over_the_words_it_is_seen_from(tmp_path):
    articles = drawn_articles(5)
    counts = counts_of(tmp_path, articles, window=2, positional=True)
    slow = slow_counts(articles, 2)
    for word, offset in product(["w1", "w2", "w7"], counts.offsets):
        assert counts.total(word, offset) == sum(
            value for (_, other, at), value in slow.items() if (other, at) == (word, offset)
        )


def test_capitals_are_no_other_word_and_unknown_words_keep_their_place(tmp_path):
    corpus = corpus_of(tmp_path, [["The lamp fell", "the Lamp rare fell", "the lamp"]])
    counts = count(corpus, tmp_path / "counts", Counting(2, min_count=2))
    assert (counts.times("lamp"), counts.times("LAMP"), counts.times("rare")) == (3, 3, 0)
    assert counts.cooccurrence("lamp", "the") == 3
    assert counts.cooccurrence("lamp", "fell") == 2
    assert counts.cooccurrence("the", "fell") == 1  # "rare" stands between them in the other sentence


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_counts_are_those_of_a_dictionary_however_the_text_is_cut(tmp_path_factory, data):
    tokens = data.draw(st.lists(st.integers(0, 7), min_size=1, max_size=60))
    starts = sorted({0, *data.draw(st.sets(st.integers(0, len(tokens) - 1), max_size=4))})
    way = Counting(
        window=data.draw(st.integers(1, 6)),
        dynamic=data.draw(st.booleans()),
        positional=data.draw(st.booleans()),
        min_count=data.draw(st.integers(1, 3)),
        borders=data.draw(st.sampled_from(["sentence", "article"])),
    )
    times = Counter(tokens)
    kept = [number for number in range(2, 8) if times[number] >= way.min_count]
    expected = Counter()
    for place, distance in product(range(len(tokens)), range(1, way.window + 1)):
        span = range(place, place + distance + 1)
        if span[-1] >= len(tokens) or not {tokens[span[0]], tokens[span[-1]]} <= set(kept):
            continue
        if any(start in span[1:] for start in starts) or (
            way.borders == "sentence" and 1 in [tokens[at] for at in span]
        ):
            continue
        weight = (way.window - distance + 1) / way.window if way.dynamic else 1
        expected[tokens[span[0]], tokens[span[-1]], distance] += weight
        expected[tokens[span[-1]], tokens[span[0]], -distance] += weight
    folder = tmp_path_factory.mktemp("counts")
    corpus = raw_corpus(folder / "corpus", tokens, starts, 6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK", data.draw(st.integers(1, 20)))
        patch.setattr(module, "_SHARD", data.draw(st.integers(1, 40)))
        if not expected:
            with pytest.raises(InputError, match=r"no two counted words|no word occurs"):
                count(corpus, folder / "counts", way)
            return
        counts = count(corpus, folder / "counts", way)
    for word, other in product(kept, kept):
        near = {offset: expected[word, other, offset] for offset in range(-way.window, way.window + 1) if offset}
        assert counts.cooccurrence(f"w{word - 2}", f"w{other - 2}") == pytest.approx(sum(near.values()))
        if way.positional:
            found = {offset: counts.cooccurrence(f"w{word - 2}", f"w{other - 2}", offset) for offset in near}
            assert found == pytest.approx(near)
    for word in kept:
        total = sum(weight for (first, _, _), weight in expected.items() if first == word)
        assert counts.total(f"w{word - 2}") == pytest.approx(total)
    assert counts.sum == pytest.approx(sum(expected.values()))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A corpus whose pairs do not fit into the least memory."""
    draw = np.random.default_rng(1)
    words = 60_000
    tokens = (draw.beta(0.5, 2, 400_000) * words).astype("<u4") + 2
    tokens[19::20] = 1
    return raw_corpus(tmp_path_factory.mktemp("large") / "corpus", tokens, range(0, 400_000, 1000), words + 1)


@pytest.mark.parametrize("way", [{}, {"dynamic": True, "positional": True}], ids=str)
def test_the_bytes_do_not_depend_on_memory(tmp_path, monkeypatch, large, way):
    shards = []
    monkeypatch.setattr(
        module, "count_shard", lambda task, count_shard=module.count_shard: shards.append(task) or count_shard(task)
    )
    counting = Counting(10, **way)
    much = count(large, tmp_path / "much", counting, memory=2**40)
    assert len(shards) == 1
    least = used_memory() + module._LEAST_MEMORY + 2**22  # the first count has loaded what it needs
    little = count(large, tmp_path / "little", counting, memory=least)
    assert len(shards) > 4
    assert content(little.path) == content(much.path)


def test_the_bytes_do_not_depend_on_workers(tmp_path, monkeypatch, large):
    counting = Counting(4, dynamic=True, positional=True)
    alone = count(large, tmp_path / "alone", counting)
    monkeypatch.setattr(module, "_SHARD", 90_000)
    parted = count(large, tmp_path / "parted", counting, worker_count=2, memory=2**40)
    assert content(parted.path) == content(alone.path)


@pytest.mark.parametrize("workers", [1, 2])
def test_less_memory_than_the_processes_hold_by_themselves_is_refused(tmp_path, large, workers):
    enough = used_memory() + module._LEAST_MEMORY
    with pytest.raises(InputError, match=r"--memory gives \d+ MB; a process needs \d+ MB before it counts"):
        count(large, tmp_path / "counts", Counting(2), memory=enough - 2**22, worker_count=workers)
    assert not (tmp_path / "counts").exists()


def test_all_splits_are_counted_when_asked_for(tmp_path):
    corpus = corpus_of(tmp_path, drawn_articles(2, articles=40), held_out=0.2)
    train, every = (count(corpus, tmp_path / split, Counting(2, split=split)) for split in ("train", "all"))
    assert every.sum > train.sum
    assert every.info["tokens"] == sum(part["tokens"] for part in corpus.info["splits"].values())


def test_counts_are_never_overwritten_unasked(tmp_path):
    articles = drawn_articles(1)
    first = counts_of(tmp_path, articles)
    corpus = open_corpus(tmp_path / "corpus")
    with pytest.raises(InputError, match="already exists"):
        count(corpus, first.path, Counting(2))
    assert count(corpus, first.path, Counting(2), force=True).window == 2
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").touch()
    with pytest.raises(InputError, match=r"other than a set of counts: thesis\.txt"):
        count(corpus, tmp_path / "mine", Counting(2), force=True)


def test_a_count_that_fails_leaves_nothing_and_keeps_what_was_there(tmp_path):
    before = content(counts_of(tmp_path, drawn_articles(1)).path)
    corpus = open_corpus(tmp_path / "corpus")
    for name in ("counts", "new"):
        with pytest.raises(InputError, match="no word occurs 99999 times"):
            count(corpus, tmp_path / name, Counting(2, min_count=99_999), force=True)
    assert content(tmp_path / "counts") == before
    alone = corpus_of(tmp_path / "alone", [["one"], ["two"]])
    with pytest.raises(InputError, match="no two counted words occur near each other"):
        count(alone, tmp_path / "new", Counting(2))
    tokens = np.fromfile(corpus.path / "train.tokens", "<u4")
    (corpus.path / "train.tokens").write_bytes(tokens[::-1].tobytes())
    with pytest.raises(InputError, match="do not match"):
        count(corpus, tmp_path / "new", Counting(2))
    assert not (tmp_path / "new").exists()


def test_a_full_disk_is_an_error_that_says_so(tmp_path, large):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, before[1]))
    try:
        with pytest.raises(InputError, match=os.strerror(errno.EFBIG)):
            count(large, tmp_path / "counts", Counting(3))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert not (tmp_path / "counts").exists()


def test_a_count_that_was_killed_is_no_counts_and_can_be_made_again(tmp_path, large):
    out = tmp_path / "counts"
    program = (
        "import sys, time; from pathlib import Path; from winoglot.corpus.counting import Counting, count;"
        "from winoglot.corpus.reading import open_corpus;"
        "count(open_corpus(sys.argv[1]), Path(sys.argv[2]), Counting(10), progress=lambda *_: time.sleep(60))"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(large.path), str(out)])
    wait_until((out / "counting" / "numbers").exists, "numbers were written", process)
    process.kill()
    process.wait(MOST)
    with pytest.raises(InputError, match="not finished"):
        open_counts(out)
    again = count(large, out, Counting(3))
    assert content(again.path) == content(count(large, tmp_path / "other", Counting(3)).path)
    assert not (out / "counting").exists()


@listed
def test_what_cannot_be_counted_is_refused(settings, message):
    with pytest.raises(InputError, match=message):
        Counting(**settings)


def test_a_corpus_replaced_while_it_is_counted_is_noticed_and_progress_ends_where_it_said(tmp_path):
    corpus, told = corpus_of(tmp_path, drawn_articles(1)), []
    count(corpus, tmp_path / "counts", Counting(2), progress=lambda *what: told.append(what))
    assert {what for what, _, _ in told} == {"counting", "merging"}
    assert all(done <= total for _, done, total in told)
    assert told[-1][1] == told[-1][2]

    def replace(what, done, total):
        info = json.loads((corpus.path / "corpus.json").read_bytes())
        (corpus.path / "corpus.json").write_text(json.dumps(info | {"hash": "0" * 64}))

    with pytest.raises(InputError, match="changed while it was counted"):
        count(corpus, tmp_path / "others", Counting(2), progress=replace)
