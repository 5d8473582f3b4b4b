"""Word tokens: what each language's rules make of a text, and what holds for any text."""

import gzip
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cases import listed
from winoglot.errors import InputError
from winoglot.languages import text as language_text
from winoglot.languages.text import word_spans, words
from work import assert_linear, bounded

LANGUAGES = ("en", "pt-BR", "fr", "zh", "es", "ja", "de", "th")
WORD_PARTS = "l' qu’ -lo -se -a -a\u0301 -t-il n't ’s Dr. etc. J.-C. a.C. R$ 3.º 1.234,5 www.a.pt/x x@y.org <unk> dar"
OTHERS = "😀 👩\u200d👧 🇧🇷 1️⃣ 🏽 e\u0301 हिन्दी 汉字 𠮷 々 T恤 カナ かな ー ﾊﾟ ... … ' \" « » — -- _ \\"
UNSEEN = "\u200d\u200b\u00ad\ufeff\u00a0\u3000 \n"
PIECES = st.sampled_from([*WORD_PARTS.split(), *OTHERS.split(), *UNSEEN])
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=12).map("".join)


@listed
def test_tokens_of_a_sentence(language, text, expected):
    assert words(text, language) == expected.split()


@pytest.mark.parametrize("text", ["L'été qu'on a.", "tornar-se-á", "presqu'île", "Générale à côté"])
def test_accents_may_be_composed_or_not(text):
    for language in ("fr", "pt"):
        composed = [unicodedata.normalize("NFD", word) for word in words(text, language)]
        assert words(unicodedata.normalize("NFD", text), language) == composed


@pytest.mark.parametrize("language", ["PT_br", "pt-PT", "zh-Hans-CN", "jp", "tlh"])
def test_any_tag_has_tokens(language):
    assert words("a b", language) == ["a", "b"]


def test_what_is_no_tag_is_refused():
    with pytest.raises(InputError, match="not a language tag"):
        words("a", "not a tag")


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=TEXTS)
@example("")
@example("\n \u3000")
@example("a\u0301'\u0301-lo")
def test_tokens_and_blanks_give_the_text_back(language, text):
    spans = word_spans(text, language)
    assert [span.of(text) for span in spans] == words(text, language)
    position = 0
    for span in spans:
        assert not text[position : span.start].strip()
        assert span.start < span.end
        assert not any(character.isspace() for character in span.of(text))
        position = span.end
    assert not text[position:].strip()


@pytest.mark.parametrize("language", ["en", "pt", "fr", "es", "ja"])
@given(left=TEXTS, right=TEXTS)
def test_a_text_may_be_cut_at_any_blank(language, left, right):
    assert words(f"{left} {right}", language) == words(left, language) + words(right, language)


def test_stretches_met_before_do_not_pile_up(monkeypatch):
    monkeypatch.setattr(language_text, "_MOST_KEPT", 10)
    kept = language_text._Stretches("en")
    for number in range(100):
        assert kept[f"{number}!"] == (str(number), "!")
        assert len(kept) <= 10
    assert kept["x" * 1000] == ("x" * 1000,)
    assert "x" * 1000 not in kept


@pytest.mark.parametrize("unit", ["a..", "-lo", "l'", "a@", "a.", "a-", "e\u0301", "👩\u200d", "1.", "http://!", "中a"])
def test_long_repetitions_lose_nothing(unit):
    for language in ("en", "pt", "fr", "zh"):
        assert_linear(lambda text, language=language: words(text, language), lambda n: unit * n)
        with bounded():
            assert "".join(words(unit * 30_000, language)) == unit * 30_000


def test_the_segmenter_is_not_loaded_for_other_languages():
    code = "import sys; from winoglot.languages.text import words; words('a b', 'pt'); print('rjieba' in sys.modules)"
    outcome = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert outcome.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("language", "name"),
    [("fr", "frwiki_sample.txt.gz"), ("zh", "zhwiki_sample.txt.gz"), ("en", "wikitext2_valid.txt.gz")],
)
def test_real_text_comes_back_whole(public_data, language, name):
    path = public_data / "text" / name
    if not path.is_file():
        pytest.skip("absent: WINOGLOT_DATA")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        text = file.read(300_000)
    assert "".join(words(text, language)) == "".join(text.split())
