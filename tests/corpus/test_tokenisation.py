import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import for_each, listed
from corpus.corpus_making import build_small
from training.training_making import small
from winoglot.corpus.build import build
from winoglot.corpus.settings import CorpusSettings
from winoglot.corpus.tokenisation import RULES, SPACES, Tokenisation
from winoglot.corpus.vocabulary import Vocabulary
from winoglot.errors import InputError
from winoglot.languages.text import words
from winoglot.models.base import Options, load_model
from winoglot.training.generate import generate
from winoglot.training.loop import train
from winoglot.training.trained import load_trained


def vocabulary_of(corpus):
    counts = {word: corpus.split().count(word) for word in dict.fromkeys(corpus.split())}
    return Vocabulary(("<unk>", "<eos>", *counts), np.array([1, 1, *counts.values()], dtype=np.uint64))


@listed
def test_texts_are_cut_as_the_corpus_was(language, corpus, text, words):
    cut = Tokenisation(SPACES, vocabulary_of(corpus), language).words(text)
    assert " ".join(word.form for word in cut) == words


@for_each("language", ["pt", "en", "fr", "zh"])
@given(corpus=st.text("aA'’-.\" n两件@", max_size=30), text=st.text("aA'’-.\" n两件é`", max_size=30))
def test_every_character_is_in_one_word(language, corpus, text):
    known = vocabulary_of(corpus.replace("<unk>", "").replace("<eos>", ""))
    cut = Tokenisation(SPACES, known, language).words(text)
    places = [place for word in cut for place in range(word.start, word.end)]
    assert places == [place for place, character in enumerate(text) if not character.isspace()]
    by_rules = Tokenisation(RULES, known, language).words(text)
    assert [word.form for word in by_rules] == words(text, language)


def test_a_corpus_says_how_it_was_cut(tmp_path):
    for tokenised, kind in ((False, RULES), (True, SPACES)):
        (tmp_path / kind).mkdir()
        assert build_small(tmp_path / kind, tokenised=tokenised).tokenisation == kind


def test_a_model_is_asked_with_the_tokens_of_its_corpus(tmp_path):
    (tmp_path / "text.txt").write_text("Ana tornou-se rica . Eva tornou-se `` rei '' .\n" * 40, encoding="utf-8")
    settings = CorpusSettings("pt", tokenised=True, min_count=1, keep_duplicates=True, held_out=0.2)
    corpus = build([str(tmp_path / "text.txt")], tmp_path / "corpus", settings)
    train(small("lstm-small", "epochs=1"), corpus, tmp_path / "model")
    text = 'Ana tornou-se "rei".'
    [count] = load_model(f"lm:{tmp_path / 'model'}", Options()).count_tokens([text])
    assert (count.tokens, count.unknown) == (6, 0)
    config = json.loads((tmp_path / "model/config.json").read_text())
    assert config.pop("tokenisation") == SPACES
    assert generate(load_trained(tmp_path / "model"), 3, prompt=text)

    (tmp_path / "model/config.json").write_text(json.dumps(config))  # as earlier versions left it
    [count] = load_model(f"lm:{tmp_path / 'model'}", Options()).count_tokens([text])
    assert (count.tokens, count.unknown) == (7, 4)
    (tmp_path / "model/config.json").write_text(json.dumps(config | {"tokenisation": "moses"}))
    with pytest.raises(InputError, match=r"the tokenisation is 'moses', expected 'rules' or 'spaces'"):
        load_model(f"lm:{tmp_path / 'model'}", Options()).count_tokens([text])
