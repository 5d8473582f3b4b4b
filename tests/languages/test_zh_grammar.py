"""Whether Chinese candidates stand in a pronoun's place as grammar wants them."""

from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from winoglot.languages.zh.definite import taken_up
from winoglot.languages.zh.number import conjuncts
from winoglot.languages.zh.person import is_person
from winoglot.languages.zh.script import simplified


@listed
def test_names_are_known(name):
    assert is_person(name)


@listed
def test_common_nouns_are_no_names(noun):
    assert not is_person(noun)


@listed
def test_what_is_new_is_taken_up_with_a_demonstrative(phrase, definite):
    assert taken_up(phrase) == definite


def test_coordinations_are_of_names_or_of_what_is_pointed_at():
    assert conjuncts("小明、小红和小刚")
    assert conjuncts("爸爸和媽媽")
    assert not conjuncts("和平鸽")
    assert not conjuncts("与会者")


@given(st.text(max_size=30))
def test_simplifying_keeps_positions(text):
    assert len(simplified(text)) == len(text)
