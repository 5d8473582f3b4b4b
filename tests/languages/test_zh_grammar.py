"""Whether Chinese candidates stand in a pronoun's place as grammar wants them."""

from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from items import item
from winoglot.languages.readings import grammatical_readings
from winoglot.languages.zh.definite import taken_up
from winoglot.languages.zh.number import conjuncts
from winoglot.languages.zh.person import is_person
from winoglot.languages.zh.script import simplified

PRONOUNS = ("他", "她", "它", "牠", "他的", "她们", "它们的", "他們", "其", "自己", "对方")
CANDIDATES = (
    "小芹",
    "王丽萍",
    "医生",
    "一个男人",
    "孩子们",
    "卖菜的",
    "卡尔·马丁",
    "Tom",
    "兩個學生",
    "小明和小红",
    "🐱",
)


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


@given(
    st.sampled_from(["", "昨天", "“走吧！”😀", "阿坤弹吉他，"]),
    st.sampled_from(["因为", "把", "跟", "，", "Bob和"]),
    st.sampled_from(PRONOUNS),
    st.sampled_from(
        ["走了", "儿子病了", "的书", "家", "家客厅大", "那里", "俩", "作品好", "妈的", "", "🙂", "Tom", "們"]
    ),
    st.sampled_from(CANDIDATES),
)
def test_only_the_pronoun_is_touched(start, before, pronoun, after, candidate):
    made_item = item(f"{start}{before}{{{pronoun}}}{after}。", [candidate], "zh", mentions=[[]])
    (made,) = grammatical_readings(made_item, "zh")
    assert made.before + made.inserted + made.after == made.text
    assert made_item.text.endswith(made.after)
    assert made_item.text.startswith(made.before)
    assert not made.derived or "的的" not in made.text or "的的" in made_item.text
    assert made.derived == (not made.reason)
    assert grammatical_readings(made_item, "zh") == [made]
