"""What counts as an answer in a reply, and what does not."""

from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from winoglot.models.servers.answers import CUT_OFF, REFUSED, UNCLEAR, Reply, answer_in
from winoglot.models.servers.prompts import FOLDER, prompts_for

LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.yaml"))


def read(text, options=("the vase", "the lamp"), language="en", **ended):
    prompts = prompts_for(language)
    labels = prompts.labels[: len(options)]
    return answer_in(Reply(text, **ended), labels, options, prompts.leads, prompts.refusals)


@listed
def test_a_reply_that_names_one_option_is_an_answer(text):
    assert read(text).place == 1


@listed
def test_nothing_is_guessed(text):
    found = read(text)
    assert (found.place, found.note) == (None, UNCLEAR)


def test_an_article_is_no_label():
    assert read("A maleta", ("o carro", "a maleta"), "pt").place == 1
    assert read("A mala", ("o carro", "a maleta"), "pt").place is None


@listed
def test_a_lead_in_the_prompts_language_is_understood(language, text):
    assert read(text, ("x", "y"), language).place == 1


@listed
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
