import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from winoglot.errors import InputError
from winoglot.languages.names import (
    UNLISTED,
    famous_names,
    is_also_word,
    is_name,
    locales,
    name_gender,
    names,
)

ALL = ["de-DE", "en-US", "es-ES", "fr-FR", "it-IT", "ja-JP", "pt-BR", "pt-PT", "ru-RU", "zh-CN"]
UNSPACED = ["ja-JP", "zh-CN"]


@pytest.mark.parametrize("locale", ALL)
def test_a_list_offers_over_a_hundred_names_a_gender_and_says_where_they_come_from(locale):
    assert locales() == ALL
    listed, language = names(locale), locale[:2]
    for gender, group in (("masculine", listed.masculine), ("feminine", listed.feminine)):
        assert len(group) >= 100
        assert [name for name in group if name_gender(name, language).value != gender] == []
    assert all(words in listed.source for words in ("Faker", "MIT", "frozen 20"))
    groups = (listed.masculine, listed.feminine, listed.common, listed.known_masculine, listed.known_feminine)
    every = [name for group in groups for name in group]
    assert len(every) == len(set(every))  # no name stands under two genders


@pytest.mark.parametrize("locale", ALL)
def test_what_is_picked_is_one_composed_word_no_common_word_and_nobody_famous(locale):
    listed, famous = names(locale), famous_names()
    picked = {*listed.masculine, *listed.feminine}
    assert not picked & listed.also_words
    assert not picked & famous
    assert not [name for name in famous if name_gender(name, locale).evidence.startswith(f"name list {locale}")]
    for name in picked:
        assert name.isalpha()
        assert name == unicodedata.normalize("NFC", name)
        assert locale in UNSPACED or name.istitle()


def test_no_chinese_name_is_part_of_another():
    picked = [*names("zh-CN").masculine, *names("zh-CN").feminine]
    assert [(one, other) for one in picked for other in picked if one != other and one in other] == []
    assert {len(name) for name in picked} == {2, 3}


@listed
def test_the_gender_a_name_shows(name, language, gender):
    assert name_gender(name, language).value == gender


@listed
def test_what_shows_no_gender_by_name(phrase, language):
    assert name_gender(phrase, language) == UNLISTED
    assert not is_name(phrase, language)


def test_the_evidence_names_the_lists_and_a_name_may_also_be_a_word():
    assert name_gender("Maria", "pt-PT").evidence == "name list pt-PT 'Maria'"
    assert name_gender("Jean", "pt").evidence == "name lists en-US (feminine), fr-FR (masculine) 'Jean'"
    assert is_name("Rosa", "pt")
    assert (is_also_word("Rosa", "pt"), is_also_word("Rosa", "fr")) == (True, False)
    assert names("PT_br") == names("pt-BR")


def test_an_unknown_locale_is_an_input_error_that_lists_the_known_ones():
    with pytest.raises(InputError, match=r"no name list for 'pt-AO'.*") as caught:
        names("pt-AO")
    assert all(locale in str(caught.value) for locale in ALL)


@given(st.text(max_size=12), st.sampled_from(["pt", "en", "zh", "ja", "tlh"]))
def test_any_text_gets_an_answer(text, language):
    found = name_gender(text, language)
    assert found.value in {"masculine", "feminine", "common", None}
    assert (found == UNLISTED) == (found.value is None)


def test_importing_the_module_reads_no_list():
    code = "from winoglot.languages import names as n; print(n.names.cache_info().misses, n._files.cache_info().misses)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "0"]
