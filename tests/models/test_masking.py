"""Which tokens are hidden: the candidate in its place, all that would give it away, and the rest of a word."""

import transformers
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import listed
from items import item
from questions import question
from tiny_models import byte_pieces, word_pieces
from winoglot import Reading
from winoglot.models.scoring.framing import Framer
from winoglot.models.scoring.masking import candidate_spans, word_ends

SPECIAL = {"bos": "<s>", "cls": "<s>", "pad": "<pad>", "eos": "</s>", "sep": "</s>", "unk": "<unk>", "mask": "<mask>"}


def framer(tokenizer):
    """The model only says how long a text may be."""
    config = transformers.BertConfig(vocab_size=400, hidden_size=8, num_hidden_layers=1, num_attention_heads=1)
    return Framer(tokenizer, transformers.BertForMaskedLM(config), "a model")


def across_words(texts, size):
    """Tokens that reach across words."""
    return byte_pieces(texts, size, special=SPECIAL, frame=("<s>", "</s>"), split=False)


def hidden_words(tokenizer, readings):
    """What each reading hides."""
    framed = framer(tokenizer).texts([reading.text for reading in readings])
    stretches = candidate_spans(readings, framed)
    return [
        reading.text[text.starts[start] : text.ends[stop - 1]].strip()
        for reading, text, (start, stop) in zip(readings, framed, stretches, strict=True)
    ]


@listed
def test_the_candidate_is_hidden_and_what_differs_with_it(text, candidates, language, expected):
    one = question(item(text, candidates, language), language)
    assert hidden_words(word_pieces([reading.text for reading in one.readings]), one.readings) == expected


def test_a_token_across_the_edge_of_the_insertion_is_hidden_whole():
    one = question(item("火车把{她}带走。", ["小玫", "丽娜"], "zh", mentions=[[], []]), "zh")
    texts = ["火车把小玫带走。"] * 9 + ["火车", "丽娜", "带走。"] * 3
    tokenizer = across_words(texts, 400)
    shown = [reading.text for reading in one.readings]
    assert len(tokenizer(shown[0])["input_ids"]) == 3  # the whole sentence is one token
    assert hidden_words(tokenizer, one.readings) == shown


def test_readings_without_a_marked_insertion_hide_where_they_differ():
    readings = [
        Reading("a.0", number, "", f"Rosa saw Ingrid when {name} left.", "", "naive", "given")
        for number, name in enumerate(["Rosa", "Ingrid"])
    ]
    assert hidden_words(word_pieces([]), readings) == ["Rosa", "Ingrid"]


TOKENIZERS = {}


def framers():
    """Two kinds of tokens over the letters below, made once."""
    if not TOKENIZERS:
        texts = ["ab ba aab bb c", "ba ab, c.", "aabb c ab. ba"] * 4
        TOKENIZERS.update(pieces=framer(word_pieces(texts)), across=framer(across_words(texts, 290)))
    return TOKENIZERS


LETTERS = st.text("ab c.,", max_size=8)
PARTS = st.tuples(LETTERS, st.text("abc", min_size=1, max_size=4), LETTERS)


@settings(max_examples=150)
@given(st.lists(PARTS, min_size=2, max_size=3), st.sampled_from(["pieces", "across"]))
def test_no_reading_shows_a_letter_of_its_candidate_or_anything_another_does_not(parts, kind):
    readings = [Reading("a.0", number, *part, "naive", "replace") for number, part in enumerate(parts)]
    framed = framers()[kind].texts([reading.text for reading in readings])
    stretches = candidate_spans(readings, framed)
    outside = {(text.ids[:start], text.ids[stop:]) for text, (start, stop) in zip(framed, stretches, strict=True)}
    assert len(outside) == 1
    for reading, text, (start, stop) in zip(readings, framed, stretches, strict=True):
        if reading.before or reading.after:
            assert all(end <= len(reading.before) for end in text.ends[:start])
            assert all(begin >= len(reading.before + reading.inserted) for begin in text.starts[stop:])
            assert start < stop


def test_the_words_of_a_text_are_the_languages_own():
    text = "小雯的扬声器坏了。"
    (tokens,) = framer(word_pieces([text])).texts([text])
    assert len(tokens.ids) == len(text)
    ends = word_ends(text, tokens, "zh")
    assert ends[text.index("扬")] == ends[text.index("器")] == text.index("器") + 1
    assert ends[-1] == len(text)


def test_words_of_many_pieces_are_hidden_from_the_piece_on():
    text, tokenizer = "abab, ba", word_pieces([",", "ba"])
    (tokens,) = framer(tokenizer).texts([text])
    pieces = tokenizer.convert_ids_to_tokens(tokens.ids)
    first = next(number for number, start in enumerate(tokens.starts) if text[start] == ",")
    assert first > 1, pieces
    assert word_ends(text, tokens, "en") == [first] * first + [first + 1] + [len(pieces)] * (len(pieces) - first - 1)
