import pytest

from cases import listed
from winoglot.corpus.settings import CorpusSettings
from winoglot.errors import InputError


@listed
def test_settings_that_do_not_fit_are_refused(given, message):
    with pytest.raises(InputError, match=message):
        CorpusSettings("pt", **given)


def test_only_what_decides_the_words_ties_a_build():
    assert CorpusSettings("pt").reading() == CorpusSettings("pt", seed=4, min_count=9, held_out=0.1).reading()
    assert CorpusSettings("pt").reading() != CorpusSettings("pt", tokenised=True).reading()
