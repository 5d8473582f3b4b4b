"""Sentences: where each language's texts are cut, and what holds for any text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cases import for_each, listed
from winoglot.languages import text as language_text
from work import assert_linear, bounded

LANGUAGES = ("en", "pt-BR", "fr", "zh", "es", "ja", "de")
ENDS = '. |! |? |...|… |。|！|？|”|“|"| »|« |)|Dr. |etc. |J. |U.S. |M. |a.C. |p. 3|No. |он. |她说。|と|」|1. |, |— |A|a'
PIECES = st.sampled_from([*ENDS.split("|"), "\n", "\n\n", "\u00a0", "\u2029", "😀"])
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=14).map("".join)


@for_each(
    ("language", "expected"),
    [
        ("en", ["Dr. Lund met Mrs. Reis at 5 p.m. on Main St. in May.", "They talked."]),
        ("en", ["It closed at 5 p.m.", "Nobody came."]),
        ("ru", ["А. С. Орлов живёт на ул. Садовой.", "Он доц. Института леса и др.", "Все рады!", "См. рис. 5."]),
        ("en", ["He is in the U.S. Army.", "She left the U.S.", "He stayed.", "It was plan B.", "They lost."]),
        ("en", ["J. R. Lund, Ph.D., wrote it, e.g. for Ann.", "See Fig. 3 on p. 12.", "No.", "I won't."]),
        ("en", ['"Who is it?" she asked.', '"Me!"', "“Oh.”", "She sat (down.)", "He did not."]),
        ("en", ["Wait... what?", "Yes!!", "It cost 3.50...", "Fine."]),
        ("en", ["1. Open the box.", "2. Close it."]),
        ("en", ["It is at www.a.com.", "Look!", "😀 Nice."]),
        ("en", ["She wrote , `` it is done . ''", "He read it ."]),
        ("pt", ["O Sr. Lima e a Dra. Ana vieram em 610 a.C. a Roma.", "V. Exa. sabe.", "Cf. o art. 5 da lei."]),
        ("pt", ["— Quem é? — perguntou ela.", "— Sou eu!", "Ele foi... e voltou."]),
        ("pt", ["«Vem! » -- disse a mãe.", "Custa R$ 1.234,56.", "É caro."]),
        (
            "fr",
            [
                "M. Roux et MM. Petit sont là.",
                "«\u00a0Viens\u00a0!\u00a0» dit-elle.",
                "Il vient\u2026",
                "Puis il part.",
            ],
        ),
        ("fr", ["C’était en 52 av. J.-C. à Rome.", "Il court 100 m.", "Il gagne, etc.", "Voir p. 3."]),
        ("fr", ["Quoi ! ...", "Rien ?", "Si, c.-à-d. tout."]),
        ("es", ["¿Qué pasa?", "¡Hola!", "El Sr. Ruiz duerme.", "Yo no."]),
        ("de", ["Dr. Maier kam am 3. Oktober.", "Er ging."]),
    ],
)
@for_each("blank", [" ", "\n", "\n\n"])
def test_sentences_of_a_text(language, expected, blank):
    assert language_text.sentences(blank.join(expected), language) == expected


@listed
def test_sentences_without_blanks_between_them(language, expected):
    assert language_text.sentences("".join(expected), language) == [sentence.strip() for sentence in expected]


def test_a_blank_line_ends_a_sentence_and_a_line_break_does_not():
    text = "A heading\n\nShe was\nlate. and so on\n \nDr.\n\nEnd"
    assert language_text.sentences(text, "en") == ["A heading", "She was\nlate. and so on", "Dr.", "End"]


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=TEXTS)
@example("")
@example(" \n\n ")
@example(". . . x")
@example("A\u00a0.\u00a0B")
def test_only_blanks_lie_between_sentences(language, text):
    spans = language_text.sentence_spans(text, language)
    assert [span.of(text) for span in spans] == language_text.sentences(text, language)
    position = 0
    for span in spans:
        assert not text[position : span.start].strip()
        assert span.of(text) == span.of(text).strip() != ""
        position = span.end
    assert not text[position:].strip()


@pytest.mark.parametrize(
    "unit", ["x. ", "… ", '"', ". '", "。”", "「行くよ。」と。", "A. ", 'x. " ', "\n ", "1.", ".(", ". - "]
)
def test_long_repetitions_lose_nothing(unit):
    for language in ("en", "zh", "ja"):
        assert_linear(lambda text, language=language: language_text.sentences(text, language), lambda n: unit * n)
        text = unit * 20_000
        with bounded():
            assert "".join("".join(language_text.sentences(text, language)).split()) == "".join(text.split())
