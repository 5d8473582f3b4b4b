import pytest

from winoglot.corpus.build import build
from winoglot.corpus.settings import CorpusSettings
from winoglot.corpus.shards import simplifier
from winoglot.errors import InputError

LINES = "他兒子的書在這裡。\n我們喝了頭髮水。\n他兒子喜歡書。\n"


def text_of(corpus):
    return "".join(map(corpus.vocabulary.word, corpus.split("train").tokens.tolist())).replace("<eos>", "")


@pytest.fixture
def source(tmp_path):
    (tmp_path / "a.txt").write_text(LINES, encoding="utf-8")
    return str(tmp_path / "a.txt")


def test_chinese_becomes_simplified_unless_that_is_not_wanted(tmp_path, source):
    pytest.importorskip("opencc")
    made = build([source], tmp_path / "c", CorpusSettings("zh", min_count=1, held_out=0))
    assert text_of(made) == "他儿子的书在这里。我们喝了头发水。他儿子喜欢书。"
    for number, settings in enumerate(
        (
            CorpusSettings("zh-TW", min_count=1, held_out=0),
            CorpusSettings("zh", simplified=False, min_count=1, held_out=0),
        )
    ):
        kept = build([source], tmp_path / str(number), settings)
        assert text_of(kept) == LINES.replace("\n", "")


def test_without_the_library_the_error_says_how_to_get_it(tmp_path, source, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "opencc", None)
    simplifier.cache_clear()
    with pytest.raises(InputError, match=r'pip install "winoglot\[corpus\]"'):
        build([source], tmp_path / "c", CorpusSettings("zh"))
    simplifier.cache_clear()
    assert not (tmp_path / "c").exists()
