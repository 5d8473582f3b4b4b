import pytest

from winoglot.corpus.settings import CorpusSettings
from winoglot.errors import InputError


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kind": "txt"}, "--from is 'txt'"),
        ({"document": "page"}, "--document is 'page'"),
        ({"min_count": 0}, "--min-count is 0"),
        ({"min_count": 2, "max_vocab": 5}, "--min-count and --max-vocab"),
        ({"tokens": 5, "types": 5}, "--tokens and --types"),
        ({"types": 5, "max_vocab": 5}, "--types works with --min-count"),
        ({"held_out": 0.5}, "--held-out is 0.5"),
        ({"kind": "dump", "tokenised": True}, "--tokenised is given for a dump"),
        ({"kind": "dump", "templates": ("artigo bom", " ")}, "--template is empty"),
        ({"quality": ("good",)}, "are for dumps"),
    ],
)
def test_settings_that_do_not_fit_are_refused(given, message):
    with pytest.raises(InputError, match=message):
        CorpusSettings("pt", **given)


def test_words_seen_less_than_three_times_are_unknown_unless_something_is_said():
    assert (CorpusSettings("pt").min_count, CorpusSettings("pt", max_vocab=9).min_count) == (3, None)


def test_only_what_decides_the_words_ties_a_build():
    assert CorpusSettings("pt").reading() == CorpusSettings("pt", seed=4, min_count=9, held_out=0.1).reading()
    assert CorpusSettings("pt").reading() != CorpusSettings("pt", tokenised=True).reading()
