"""Whether Japanese candidates stand in a pronoun's place as grammar wants them, and what is known of them."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from cases import listed
from items import item
from winoglot import InputError
from winoglot.examples import pronoun_type
from winoglot.languages import text as language_text
from winoglot.languages.ja.referent import gender, is_coordination, is_person, is_place, number
from winoglot.languages.readings import grammatical_readings
from winoglot.languages.text import sentences

PARTICLES = ("は", "が", "を", "に", "の", "と", "も", "から", "より", "しか", "だけが", "、", "だ。")
PRONOUNS = ("彼", "彼女", "彼ら", "彼女たち", "それ", "それら", "これ", "そこ", "自分", "あいつ")
CANDIDATES = ("健太", "花子", "林さん", "学生たち", "医者", "一人の男", "箱", "公園", "Tom", "太郎と次郎", "🐱", "誰か")


@pytest.mark.parametrize("phrase", ["健太", "林さん", "田中先生", "花子の父", "ジョン・スミス", "一人の男", "ある医者"])
def test_one_person_is_singular(phrase):
    assert number(phrase) == "singular"


@pytest.mark.parametrize("phrase", ["学生たち", "教師ら", "健太と陽介", "林さんと森さん", "父と母", "両親", "人々"])
def test_several_are_plural(phrase):
    assert number(phrase) == "plural"


@pytest.mark.parametrize("phrase", ["学生", "友達", "さくら", "子ども", "お客さん", "母と暮らす少年", "会社", "箱"])
def test_most_nouns_show_no_number(phrase):
    assert number(phrase) is None
    assert not is_coordination(phrase)


@listed
def test_gender_is_known_from_names_kin_and_words_for_men_and_women(phrase, expected):
    assert gender(phrase).value == expected


def test_people_and_places_are_told_apart():
    assert [is_person(phrase) for phrase in ("配達員", "隣の医者", "花子", "花瓶", "駅")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert [is_place(phrase) for phrase in ("駅前の喫茶店", "東京", "市立病院", "配達員", "花瓶")] == [True] * 3 + [
        False
    ] * 2


@listed
def test_the_particle_shows_the_type_of_the_pronoun(text, expected):
    assert pronoun_type(item(text, ["健太", "陽介"], "ja")) == expected


@listed
def test_a_refusal_names_the_true_reason(text, candidates, reason):
    reading = wg.readings(item(text, candidates, "ja"), "grammatical")[0]
    assert not reading.derived
    assert reason in reading.reason


@given(st.sampled_from(PRONOUNS), st.sampled_from(PARTICLES), st.sampled_from(CANDIDATES), st.sampled_from(CANDIDATES))
def test_everything_but_the_pronoun_stays(pronoun, particle, one, other):
    before, after = f"{one}は{other}を見た。昨日、", f"{particle}知っていた。"
    made = item(f"{before}{{{pronoun}}}{after}", [one, other + "の店"], "ja", mentions=[[f"{one}#1"], []])
    for reading in grammatical_readings(made, "ja"):
        assert reading.before == before
        assert reading.after == after
        assert "のの" not in reading.text


@listed
def test_what_belongs_to_one_noun_only_prevents_switching(text, candidates, reason):
    with pytest.raises(InputError, match=reason):
        wg.switch(item(text, candidates, "ja", answers=[0]))


def test_quotations_belong_to_the_sentence_that_reports_them():
    text = "「もう遅いよ。」と父は言った。「はい！」って答えた。彼は「なぜ？」を繰り返した。雨だ。"
    assert sentences(text, "ja") == [
        "「もう遅いよ。」と父は言った。",
        "「はい！」って答えた。",
        "彼は「なぜ？」を繰り返した。",
        "雨だ。",
    ]


def test_words_without_their_package_name_the_extra_and_readings_do_not_need_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "sudachipy", None)
    language_text._tokenizer.cache_clear()
    with pytest.raises(InputError, match=r"winoglot\[japanese\]"):
        language_text.words("雨だ。", "ja")
    assert all(
        one.derived for one in wg.readings(item("父は兄を待った。{彼}は来た。", ["父", "兄"], "ja"), "grammatical")
    )
