"""Tokens that a server shows, laid along the text they came from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import for_each, listed
from winoglot.models.servers.echo import Echo, SpellingError, aligned


def places(text, tokens, start="", written=0):
    found = aligned(text, start, Echo(tuple(tokens), tuple(-1.0 for _ in tokens), written))
    return list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))


@given(st.data(), st.text(st.sampled_from("ab é字🎒的�\n"), min_size=1, max_size=12))
def test_no_boundary_is_claimed_that_is_none(data, text):
    """Whatever the cuts between bytes, a token covers at least the characters it has bytes of."""
    whole = text.encode()
    cuts = sorted(data.draw(st.sets(st.integers(1, max(1, len(whole) - 1)), max_size=len(whole)))) if whole[1:] else []
    edges = list(zip([0, *cuts], [*cuts, len(whole)], strict=True))
    tokens = [whole[start:end].decode(errors="replace") for start, end in edges]
    character = [number for number, one in enumerate(text) for _ in one.encode()]
    for (start, end), (claimed_start, claimed_end) in zip(edges, places(text, tokens), strict=True):
        assert claimed_start <= character[start]
        assert character[end - 1] < claimed_end


@given(st.lists(st.text(st.sampled_from("ab 字é"), min_size=1, max_size=3), min_size=1, max_size=6))
def test_whole_characters_are_placed_exactly(tokens):
    ends = np.cumsum([len(token) for token in tokens]).tolist()
    assert places("".join(tokens), tokens) == list(zip([0, *ends[:-1]], ends, strict=True))


@listed
def test_servers_show_tokens_in_many_ways(tokens, start, written):
    assert places("The old lamp", tokens, start, written) == [(0, 3), (3, 7), (7, 12)]


@for_each("tokens", [["�", "�", "了"], ["<0xE5>", "<0x9D>", "<0x8F>", "了"], ["bytes:\\xe5\\x9d", "bytes:\\x8f", "了"]])
def test_parts_of_a_character_share_its_place(tokens):
    assert places("坏了", tokens) == [(0, 1)] * (len(tokens) - 1) + [(1, 2)]


def test_a_new_token_is_not_taken_for_the_text_and_a_first_one_may_have_no_log_probability():
    found = aligned("坏", "", Echo(("�", "�", "了"), (-1.0, -2.0, -9.0), 1))
    assert found.logprobs.tolist() == [-1.0, -2.0]
    found = aligned("a b", "", Echo(("a", " b"), (None, -1.0), 0))
    assert np.isnan(found.logprobs[0])


@for_each("tokens", [["the", " lamp"], ["The", " la"], [], ["The", " lamp", " fell", " down"]])
def test_tokens_that_spell_something_else_are_refused(tokens):
    with pytest.raises(SpellingError):
        aligned("The lamp", "", Echo(tuple(tokens), (-1.0,) * len(tokens), 0))
