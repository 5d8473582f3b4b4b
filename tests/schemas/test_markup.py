import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from strategies import pronouns_and_segments, texts
from winoglot.errors import InputError
from winoglot.schemas.markup import Marked, escape, parse, print_marked
from winoglot.schemas.spans import Span


def alternatives(string):
    markup = parse(string)
    return [markup.alternative(number) for number in range(markup.count or 1)]


def test_linked_groups_vary_together():
    first, second = alternatives("Dora [sold|bought] it [to|from] Mara.")
    assert (first.text, second.text) == ("Dora sold it to Mara.", "Dora bought it from Mara.")
    assert [span.of(second.text) for span in second.segment] == ["bought", "from"]
    assert [one.text for one in alternatives("[a|b|c] x")] == ["a x", "b x", "c x"]
    first, second = alternatives("Vi {[ele|ela]} ontem.")
    assert first.braces == first.segment
    assert second.braces[0].of(second.text) == "ela"


def test_groups_may_stand_inside_words_and_hold_the_pronoun():
    first, second = alternatives("O livro era [{dela}|para {ela}] e foi [li|vendi]do.")
    assert first.text == "O livro era dela e foi lido."
    assert first.braces[0].of(first.text) == "dela"
    assert second.text == "O livro era para ela e foi vendido."
    assert second.braces[0].of(second.text) == "ela"
    assert [span.of(second.text) for span in second.segment] == ["para ela", "vendi"]


@listed
def test_a_word_that_is_not_there_takes_one_of_its_spaces_along(string, text):
    assert alternatives(string)[1].text == text


@listed
def test_a_zero_pronoun_is_an_empty_span_and_leaves_no_double_space(string, text, place):
    (only,) = alternatives(string)
    assert only == Marked(text, (Span(place, place),))


@pytest.mark.parametrize("string", ["porque {} estava", "{} Estava só.", "¿{} Contestó?", "因为{}太累", "Viu-{} o."])
def test_a_zero_pronoun_is_printed_as_people_write_it(string):
    (only,) = alternatives(string)
    assert alternatives(print_marked(only)) == [only]
    assert print_marked(only) == string


def test_marks_can_be_meant_as_text():
    (only,) = alternatives(r"set \{1\} \[a\|b\] \\ {it}")
    assert only.text == r"set {1} [a|b] \ it"
    marked = Marked("000{0", (Span(0, 4),), ())
    assert alternatives(print_marked(marked)) == [marked]


@listed
def test_what_is_not_well_formed_is_refused_with_its_offset(string, message, offset):
    with pytest.raises(InputError, match=message.replace("[", r"\[").replace("{", r"\{").replace("|", r"\|")) as caught:
        alternatives(string)
    assert caught.value.offset == offset
    assert caught.value.remedy


@given(texts)
def test_escaped_text_parses_to_itself(text):
    assert alternatives(escape(text)) == [Marked(text)]


@given(st.data())
def test_any_marks_on_any_text_print_and_parse_back(data):
    text = data.draw(texts)
    pronoun, segment = data.draw(pronouns_and_segments(text))
    marked = Marked(text, (pronoun,), segment)
    assert alternatives(print_marked(marked)) == [marked]


@given(st.text(st.sampled_from("ab {}[]|\\."), max_size=20))
def test_any_string_parses_or_is_refused_with_a_remedy(string):
    refused = None
    try:
        found = alternatives(string)
    except InputError as error:
        found, refused = [], error
    assert refused is None or (refused.remedy and 0 <= refused.offset < len(string))
    assert all(span.end <= len(marked.text) for marked in found for span in (*marked.braces, *marked.segment))
