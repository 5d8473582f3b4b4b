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


def test_every_promised_locale_has_a_list():
    assert locales() == ALL


@pytest.mark.parametrize("locale", ALL)
def test_a_list_offers_over_a_hundred_names_a_gender_and_says_where_they_come_from(locale):
    listed = names(locale)
    assert min(len(listed.masculine), len(listed.feminine)) >= 100
    assert "Faker" in listed.source
    assert "MIT" in listed.source
    assert "frozen 20" in listed.source


@pytest.mark.parametrize("locale", ALL)
def test_no_name_stands_under_two_genders_and_none_twice(locale):
    listed = names(locale)
    groups = (listed.masculine, listed.feminine, listed.common, listed.known_masculine, listed.known_feminine)
    every = [name for group in groups for name in group]
    assert sorted(every) == sorted(set(every))


@pytest.mark.parametrize("locale", ALL)
def test_what_is_picked_is_one_composed_word_no_common_word_and_nobody_famous(locale):
    listed = names(locale)
    picked = {*listed.masculine, *listed.feminine}
    assert not picked & listed.also_words
    assert not picked & famous_names()
    for name in picked:
        assert name.isalpha()
        assert name == unicodedata.normalize("NFC", name)
        assert locale in UNSPACED or name.istitle()


@pytest.mark.parametrize("locale", ALL)
def test_what_is_picked_shows_its_gender_in_its_own_language(locale):
    listed, language = names(locale), locale[:2]
    for gender, group in (("masculine", listed.masculine), ("feminine", listed.feminine)):
        assert [name for name in group if name_gender(name, language).value != gender] == []


def test_no_chinese_name_is_part_of_another():
    picked = [*names("zh-CN").masculine, *names("zh-CN").feminine]
    assert [(one, other) for one in picked for other in picked if one != other and one in other] == []
    assert {len(name) for name in picked} == {2, 3}


@pytest.mark.parametrize("locale", ALL)
def test_nobody_famous_is_on_a_list(locale):
    assert [
        name for name in famous_names() if name_gender(name, locale).evidence.startswith("name list " + locale)
    ] == []


@listed
def test_the_gender_a_name_shows(name, language, gender):
    assert name_gender(name, language).value == gender


@listed
def test_what_shows_no_gender_by_name(phrase, language):
    assert name_gender(phrase, language) == UNLISTED
    assert not is_name(phrase, language)


def test_the_evidence_names_the_lists():
    assert name_gender("Maria", "pt-PT").evidence == "name list pt-PT 'Maria'"
    assert name_gender("Jean", "pt").evidence == "name lists en-US (feminine), fr-FR (masculine) 'Jean'"


def test_a_name_that_is_also_a_word_is_still_a_name():
    assert is_name("Rosa", "pt")
    assert is_also_word("Rosa", "pt")
    assert not is_also_word("Rosa", "fr")


def test_an_unknown_locale_is_an_input_error_that_lists_the_known_ones():
    with pytest.raises(InputError, match=r"no name list for 'pt-AO'.*") as caught:
        names("pt-AO")
    assert all(locale in str(caught.value) for locale in ALL)


def test_the_spelling_of_a_locale_does_not_matter():
    assert names("PT_br") == names("pt-BR")


@given(st.text(max_size=12), st.sampled_from(["pt", "en", "zh", "ja", "tlh"]))
def test_any_text_gets_an_answer(text, language):
    found = name_gender(text, language)
    assert found.value in {"masculine", "feminine", "common", None}
    assert (found == UNLISTED) == (found.value is None)


def test_importing_the_module_reads_no_list():
    code = "from winoglot.languages import names as n; print(n.names.cache_info().misses, n._files.cache_info().misses)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "0"]
