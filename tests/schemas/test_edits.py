from hypothesis import given
from hypothesis import strategies as st

from winoglot.schemas.spans import Edit, Span, edited, moved, shared_end, shared_start


@st.composite
def texts_and_edits(draw):
    text = draw(st.text("abc ", min_size=1, max_size=30))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6, unique=True)))
    places = [Span(start, end) for start, end in zip(cuts[::2], cuts[1::2], strict=False)]
    return text, [Edit(place, draw(st.text("xyz", max_size=4))) for place in places]


@given(texts_and_edits())
def test_what_no_edit_touches_moves_with_its_words(drawn):
    text, edits = drawn
    new = edited(text, edits)
    for start in range(len(text)):
        span = Span(start, start + 1)
        if not any(edit.span.overlaps(span) or edit.span.start == edit.span.end for edit in edits):
            assert moved(span, edits).of(new) == span.of(text)


@given(texts_and_edits())
def test_an_edited_place_is_found_again(drawn):
    text, edits = drawn
    new = edited(text, edits)
    assert all(moved(edit.span, edits).of(new) == edit.new for edit in edits)


def test_a_span_takes_along_an_edit_that_reaches_out_of_it():
    edits = [Edit(Span(0, 1), "AAA"), Edit(Span(4, 8), "B")]
    text = "a bcdefgh i"
    assert edited(text, edits) == "AAA bcBh i"
    assert moved(Span(6, 9), edits).of(edited(text, edits)) == "Bh"
    assert moved(Span(2, 6), edits).of(edited(text, edits)) == "bcB"


def test_shared_ends():
    assert (shared_start("porta", "porco"), shared_end("vaga", "maga"), shared_start("a", "ab")) == (3, 3, 1)
