import numpy as np

from cases import listed
from winoglot.corpus.vocabulary import Vocabulary
from winoglot.models.context2vec import place_of, target_words
from winoglot.models.scoring.words import WordEncoder


@listed
def test_the_word_that_stands_for_a_candidate(phrases, language, targets):
    assert target_words(phrases, language) == targets


def test_a_word_is_looked_for_between_two_characters_whatever_its_capitals():
    text = WordEncoder(Vocabulary(("<unk>", "<eos>"), np.array([0, 0])), "pt").encode("Gato viu gato e o Gato fugiu.")
    assert place_of("gato", text, 0, 4) == 0
    assert place_of("gato", text, 14, 22) == 5
    assert place_of("gato", text, 0, 29) == 5
    assert place_of("cão", text, 0, 29) is None
