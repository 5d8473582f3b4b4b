from hypothesis import given
from hypothesis import strategies as st

from winoglot.corpus.vocabulary import END_ID, Numbering, take_tokens, tokenise
from winoglot.languages.sentences import sentences
from winoglot.languages.tokens import words

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


def test_an_unknown_word_of_a_tokenised_text_stays_unknown():
    assert take_tokens("o <unk> dorme", Numbering()) == [2, 0, 3, END_ID]


def test_a_mark_in_prose_ends_no_sentence():
    assert tokenise("o <eos> dorme", "pt", Numbering()) == [2, 0, 3, END_ID]
