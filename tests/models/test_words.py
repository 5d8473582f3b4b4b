import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from winoglot.corpus.vocabulary import Numbering, Vocabulary, tokenise
from winoglot.models.scoring.words import WordEncoder, differing

WORDS = ("<unk>", "<eos>", "Chove", "muito", ".", "hoje", "!")
KNOWN = Vocabulary(WORDS, np.array([5, 9, 2, 2, 9, 2, 3]))
UNMARKED = Vocabulary(WORDS, np.array([5, 1, 2, 2, 9, 2, 3]))  # one text a line, say, of several sentences each
texts = st.lists(st.sampled_from(["Chove", "muito", "hoje", "Zoé", "d'água", ".", "!", "?", ","]), max_size=14).map(
    " ".join
)


@given(texts)
def test_words_are_those_that_a_corpus_has_of_the_text(text):
    numbering = Numbering()
    words = ["<unk>", "<eos>"]
    numbers = tokenise(text, "pt", numbering)
    words += numbering.words()
    made = WordEncoder(KNOWN, "pt").encode(text)
    assert [*made.ids.tolist(), 1][: len(numbers)] == [KNOWN.id(words[number]) for number in numbers]
    assert len(made.ids) == max(0, len(numbers) - 1)  # no `<eos>` behind the last
    for place, number in enumerate(made.ids):
        assert made.word(place) == ("" if number == 1 else words[numbers[place]])


@given(texts)
def test_where_the_training_text_marks_no_sentences_there_are_the_same_words_and_no_end(text):
    marked, plain = (WordEncoder(known, "pt").encode(text) for known in (KNOWN, UNMARKED))
    inside = marked.ids != 1
    for name in ("ids", "starts", "ends", "sentences"):
        assert getattr(plain, name).tolist() == getattr(marked, name)[inside].tolist()
    assert plain.has_several_sentences == marked.has_several_sentences == (1 in marked.ids)


@given(texts, texts, texts, texts)
def test_what_differs_stands_between_the_longest_shared_beginning_and_end(before, one, other, after):
    encoder = WordEncoder(UNMARKED, "pt")
    made = [encoder.encode(f"{before} {middle} {after}") for middle in (one, other)]
    words = [[text.word(place) for place in range(len(text.ids))] for text in made]
    places = differing(made)
    inner = [[text[place] for place in range_] for text, range_ in zip(words, places, strict=True)]
    start = places[0].start
    behind = len(words[0]) - places[0].stop
    assert [w[:start] for w in words] == [words[0][:start]] * 2
    assert [w[len(w) - behind :] for w in words] == [words[0][len(words[0]) - behind :]] * 2
    assert not all(inner) or (inner[0][0] != inner[1][0] and inner[0][-1] != inner[1][-1])
    assert any(inner) == (words[0] != words[1])
