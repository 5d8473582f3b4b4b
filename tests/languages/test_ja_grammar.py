"""Whether Japanese candidates stand in a pronoun's place as grammar wants them, and what is known of them."""

import sys

import pytest

import winoglot as wg
from cases import for_each, listed
from items import item
from winoglot import InputError
from winoglot.examples import pronoun_type
from winoglot.languages import text as language_text
from winoglot.languages.ja.referent import gender, is_coordination, is_person, is_place, number
from winoglot.languages.text import sentences

NUMBERS = {
    "singular": "健太 林さん 田中先生 花子の父 ジョン・スミス 一人の男 ある医者",
    "plural": "学生たち 教師ら 健太と陽介 林さんと森さん 父と母 両親 人々",
    None: "学生 友達 さくら 子ども お客さん 母と暮らす少年 会社 箱",  # most nouns show none
}


@for_each(("expected", "phrases"), NUMBERS.items())
def test_number_is_known_from_names_suffixes_and_coordinations(expected, phrases):
    assert {phrase: number(phrase) for phrase in phrases.split()} == dict.fromkeys(phrases.split(), expected)
    assert expected or not any(map(is_coordination, phrases.split()))


@listed
def test_gender_is_known_from_names_kin_and_words_for_men_and_women(phrase, expected):
    assert gender(phrase).value == expected


def test_people_and_places_are_told_apart():
    people = {"配達員": True, "隣の医者": True, "花子": True, "花瓶": False, "駅": False}
    assert {phrase: is_person(phrase) for phrase in people} == people
    places = {"駅前の喫茶店": True, "東京": True, "市立病院": True, "配達員": False, "花瓶": False}
    assert {phrase: is_place(phrase) for phrase in places} == places


@listed
def test_the_particle_shows_the_type_of_the_pronoun(text, expected):
    assert pronoun_type(item(text, ["健太", "陽介"], "ja")) == expected


@listed
def test_a_refusal_names_the_true_reason(text, candidates, reason):
    reading = wg.readings(item(text, candidates, "ja"), "grammatical")[0]
    assert not reading.derived
    assert reason in reading.reason


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
