import numpy as np
import pytest

from winoglot.corpus.vocabulary import Vocabulary
from winoglot.models.context2vec import place_of, target_words
from winoglot.models.scoring.words import WordEncoder


@pytest.mark.parametrize(
    ("phrases", "language", "targets"),
    [
        (("la lampe", "le tiroir du bureau"), "fr", ["lampe", "tiroir"]),
        (("du jardinier", "à l'oncle"), "fr", ["jardinier", "oncle"]),  # a word of a closed class is no head
        (("la lampe verte", "la lampe rouge"), "fr", ["verte", "rouge"]),
        (("Mme Delorme", "Paul"), "fr", ["Mme", "Paul"]),  # several may be the head: the first
        (("Dr. Reed", "the old nurse"), "en", ["Dr.", "nurse"]),
        (("o irmão de Rui", "Rui"), "pt", ["irmão", "Rui"]),
        (("the dog", "the dogs"), "en", ["dog", "dogs"]),
        (("那只箱子", "那张桌子"), "zh", ["箱子", "桌子"]),
        (("a mala", "a mala azul"), "pt", ["", "azul"]),
        (("a mala", "A mala"), "pt", ["", ""]),
        (("ela", "a mala"), "pt", ["", "mala"]),
    ],
)
def test_the_word_that_stands_for_a_candidate(phrases, language, targets):
    assert target_words(phrases, language) == targets


def test_a_word_is_looked_for_between_two_characters_whatever_its_capitals():
    text = WordEncoder(Vocabulary(("<unk>", "<eos>"), np.array([0, 0])), "pt").encode("Gato viu gato e o Gato fugiu.")
    assert place_of("gato", text, 0, 4) == 0
    assert place_of("gato", text, 14, 22) == 5
    assert place_of("gato", text, 0, 29) == 5
    assert place_of("cão", text, 0, 29) is None
