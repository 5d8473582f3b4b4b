import signal
import subprocess
import sys
import time

import pytest

from corpus.corpus_making import content, write_text
from waiting import MOST, wait_until
from winoglot.corpus import sources
from winoglot.corpus.build import build
from winoglot.corpus.reading import open_corpus
from winoglot.corpus.settings import CorpusSettings
from winoglot.errors import InputError
from winoglot.folders import lock

pytestmark = pytest.mark.slow  # processes are killed and started again
# Small batches, so that a build has many; the same in the process that is killed and in the one that goes on.
SMALL = 1 << 14
CODE = f"""
import sys
from pathlib import Path
from winoglot.corpus import sources
from winoglot.corpus.build import build
from winoglot.corpus.settings import CorpusSettings
if __name__ == "__main__":
    sources.CHUNK = {SMALL}
    build([sys.argv[1]], Path(sys.argv[2]), CorpusSettings("pt"), worker_count=int(sys.argv[3]))
"""


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "CHUNK", SMALL)
    return write_text(tmp_path / "a.txt", 6000)


def shards(folder):
    return sorted((folder / "building").glob("*.npz"))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_build_that_was_killed_goes_on_and_ends_with_the_same_bytes(tmp_path, source, workers):
    script, out = tmp_path / "build.py", tmp_path / "c"
    script.write_text(CODE)
    process = subprocess.Popen([sys.executable, str(script), source, str(out), str(workers)])
    wait_until(lambda: len(shards(out)) >= 5, "five shards", process)
    process.kill()
    assert process.wait(MOST) == -signal.SIGKILL, "it had ended before it could be killed"
    with pytest.raises(InputError, match="not finished"):
        open_corpus(out)
    time.sleep(0.3 * (workers > 1))  # its workers see that it is gone
    done = {path: path.stat().st_mtime_ns for path in shards(out)}
    assert len(done) >= 5
    kept: set[bool] = set()

    def look(what: str, *_: int) -> None:
        kept.add(all(path.stat().st_mtime_ns == time for path, time in done.items() if path.exists()))

    corpus = build([source], out, CorpusSettings("pt"), progress=look)
    assert kept == {True}, "a shard that was done was made again"
    assert content(corpus.path) == content(build([source], tmp_path / "d", CorpusSettings("pt")).path)
    assert not (out / "building").exists()


def killed_while(name, source, out, monkeypatch):
    """A build that ends when it comes to one of its steps."""
    import winoglot.corpus.build as module

    def stop(*arguments, **named):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module, name, stop)
        with pytest.raises(KeyboardInterrupt):
            build([source], out, CorpusSettings("pt"))


@pytest.mark.parametrize("step", ["make_vocabulary", "encode", "content_hash"])
def test_wherever_a_build_ends_no_corpus_is_there_and_it_goes_on(tmp_path, source, monkeypatch, step):
    out = tmp_path / "c"
    killed_while(step, source, out, monkeypatch)
    with pytest.raises(InputError, match="not finished"):
        open_corpus(out)
    expected = build([source], tmp_path / "d", CorpusSettings("pt"))
    assert content(build([source], out, CorpusSettings("pt")).path) == content(expected.path)


def test_a_build_of_something_else_is_not_gone_on_with(tmp_path, source, monkeypatch):
    out = tmp_path / "c"
    killed_while("encode", source, out, monkeypatch)
    with pytest.raises(InputError, match=r"started with document 'line', not 'file'.* --force"):
        build([source], out, CorpusSettings("pt", document="file"))
    other = write_text(tmp_path / "b.txt", 50)
    with pytest.raises(InputError, match="different sources"):
        build([other], out, CorpusSettings("pt"))
    with lock(out), pytest.raises(InputError, match="another process"):
        build([other], out, CorpusSettings("pt"))
    assert build([other], out, CorpusSettings("pt"), force=True).info["sources"][0]["name"] == "b.txt"


def test_other_text_on_a_pipe_is_seen(tmp_path, monkeypatch, source):
    import io

    def pipe(data):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    data = (tmp_path / "a.txt").read_bytes()
    pipe(data[:100_000] + b"\xff" + data[100_000:])
    with pytest.raises(InputError, match="not UTF-8"):
        build(["-"], tmp_path / "c", CorpusSettings("pt"))
    pipe(b"Outra coisa.\n" + data)
    with pytest.raises(InputError, match="has changed since"):
        build(["-"], tmp_path / "c", CorpusSettings("pt"))
    pipe(data)
    assert (
        build(["-"], tmp_path / "c", CorpusSettings("pt")).hash
        == build([source], tmp_path / "d", CorpusSettings("pt")).hash
    )
