import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from winoglot.corpus.vocabulary import END_ID, Numbering, Vocabulary, read_vocabulary, take_tokens, tokenise
from winoglot.errors import InputError
from winoglot.languages.text import sentences, words

WORDS = st.text(st.characters(exclude_categories=("Z", "Cc", "Cs")), min_size=1)


@given(st.dictionaries(WORDS, st.integers(0, 2**40), max_size=20))
def test_what_is_written_is_read(tmp_path_factory, counted):
    counted = {word: count for word, count in counted.items() if word not in ("<unk>", "<eos>")}
    words = Vocabulary(("<unk>", "<eos>", *counted), np.array([1, 2, *counted.values()], dtype=np.uint64))
    path = tmp_path_factory.mktemp("v") / "vocabulary.txt"
    path.write_text(words.to_text(), encoding="utf-8", newline="\n")
    again = read_vocabulary(path)
    assert again.words == words.words
    assert again.counts.tolist() == words.counts.tolist()
    assert again.ids(words.words).tolist() == list(range(len(words)))
    assert (words.id("two words"), "two words" in words) == (words.unk, False)


@listed
def test_a_file_that_was_changed_is_refused(content, tmp_path):
    path = tmp_path / "vocabulary.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="build the corpus again"):
        read_vocabulary(path)


TEXT = st.lists(st.sampled_from([*"abA.!? \n", "<eos>", "<unk>", "é"]), max_size=60).map("".join)


@given(TEXT)
def test_prose_is_cut_by_the_language_packs(text):
    numbering = Numbering()
    expected = []
    for paragraph in text.split("\n"):
        for sentence in sentences(paragraph, "pt"):
            expected += [*words(sentence, "pt"), None]
    tokens = tokenise(text, "pt", numbering)
    names = dict(enumerate(numbering.words(), start=2))
    marks = ("<unk>", "<eos>")
    assert [None if token == END_ID else names.get(token, "<unk>") for token in tokens] == [
        "<unk>" if word in marks else word for word in expected
    ]


@given(TEXT)
def test_every_sentence_of_tokens_ends_once_and_none_is_empty(text):
    numbering = Numbering()
    tokens = take_tokens(text, numbering)
    assert not tokens or tokens[-1] == END_ID
    assert all(not (one == other == END_ID) for one, other in zip([END_ID, *tokens], tokens, strict=False))
    assert len([token for token in tokens if token != END_ID]) == len([w for w in text.split() if w != "<eos>"])
    assert tokens.count(0) == text.split().count("<unk>")  # what is unknown stays so
