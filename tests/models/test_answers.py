"""What counts as an answer in a reply, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import for_each
from winoglot.models.servers.answers import CUT_OFF, REFUSED, UNCLEAR, Reply, answer_in
from winoglot.models.servers.prompts import FOLDER, prompts_for

LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.yaml"))


def read(text, options=("the vase", "the lamp"), language="en", **ended):
    prompts = prompts_for(language)
    labels = prompts.labels[: len(options)]
    return answer_in(Reply(text, **ended), labels, options, prompts.leads, prompts.refusals)


@for_each(
    "text",
    [
        "B",
        "b",
        "(B)",
        "**B**",
        "B.",
        "B)",
        "Ｂ",
        " B \n",
        "B) the lamp",
        "B: The lamp.",
        "**B)** the lamp",
        "The lamp",
        '"the lamp"',
        "Answer: B",
        "Answer: **B) the lamp**",
        "The answer is B.",
        "The correct answer is (B) the lamp.",
        "B\n\nA lamp can break and a vase cannot shine.",
        "The lamp shines, so it was switched on.\n\nAnswer: B",
        "A) the vase\nB) the lamp\nThe answer is B",
        "<think>A? No.\nA\n</think>\n\nB",
        "thoughts that the template began: A\n</think>B",
        "[THINK]A[/THINK]B",
    ],
)
def test_a_reply_that_names_one_option_is_an_answer(text):
    assert read(text).place == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "C",
        "AB",
        "A or B",
        "A\nB",
        "A) the lamp",
        "Both",
        "I think it is the lamp because it fell.",
        "The answer is A or B.",
        "The answer is A.\nThe answer is B.",
        "A lamp",
        "Because A is not B",
        "<think></think>",
        "lamp",
    ],
)
def test_nothing_is_guessed(text):
    found = read(text)
    assert (found.place, found.note) == (None, UNCLEAR)


def test_an_article_is_no_label():
    assert read("A maleta", ("o carro", "a maleta"), "pt").place == 1
    assert read("A mala", ("o carro", "a maleta"), "pt").place is None


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("pt", "A resposta correta é B."),
        ("fr", "La bonne réponse est : B"),
        ("es", "Respuesta: B"),
        ("zh", "答案是Ｂ。"),
        ("zh", "选B"),
        ("ja", "答えはBです".removesuffix("です")),
        ("ru", "Правильный ответ: 2."),
    ],
)
def test_a_lead_in_the_prompts_language_is_understood(language, text):
    assert read(text, ("x", "y"), language).place == 1


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I'm sorry, but I can't help with that."),
        ("en", "I’m sorry, I can’t."),
        ("pt", "Desculpe, não posso responder."),
        ("fr", "Désolé, je ne peux pas répondre."),
        ("es", "Lo siento, no puedo."),
        ("zh", "抱歉，我无法回答。"),
        ("ru", "Извините, я не могу."),
        ("ja", "申し訳ありませんが、お答えできません。"),
    ],
)
def test_refusals_are_told_from_other_replies(language, text):
    assert read(text, language=language).note == REFUSED


def test_of_a_reply_cut_off_only_whole_lines_count():
    assert read("B\nThe lamp is", cut_off=True).place == 1
    assert read("B", cut_off=True).note == CUT_OFF  # it might have gone on: "B or A"
    assert read("<think>A\nB\n", cut_off=True).note == CUT_OFF


def test_what_the_server_says_of_a_failure_is_kept():
    assert read("", failure="the server answers 400").note == "the server answers 400"


@given(st.text(max_size=80), st.sampled_from(LANGUAGES))
def test_any_reply_is_read(text, language):
    found = read(text, language=language)
    assert (found.place is None) == bool(found.note)


@given(st.sampled_from(LANGUAGES), st.integers(0, 1))
def test_labels_and_options_are_answers_in_every_language(language, place):
    prompts = prompts_for(language)
    options = ("Rita", "Clara")
    for text in (prompts.labels[place], options[place], f"{prompts.labels[place]}) {options[place]}"):
        assert read(text, options, language).place == place
        for lead in prompts.leads:
            assert read(f"{lead}: {text}", options, language).place == place
