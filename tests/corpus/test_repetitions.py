from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from winoglot.corpus.nouns import Passage
from winoglot.corpus.repetitions import is_prose, items_in
from winoglot.languages.readings import naive_readings


@listed
def test_a_repeated_noun_is_the_gap(language, text, candidates, answer):
    [item] = items_in(text, language)
    assert [candidate.text for candidate in item.candidates] == candidates
    assert (item.answer, item.tags, item.pronoun_form) == (answer, ("generated",), "blank")
    assert naive_readings(item)[answer].text == text
    nouns = [candidate.text.split()[-1].removeprefix("l'") for candidate in item.candidates]
    for candidate, noun in zip(item.candidates, nouns, strict=True):
        assert [mention.of(item.text) for mention in candidate.mentions] == [noun]


@listed
def test_what_leaves_no_choice_is_left_out(text):
    assert list(items_in(text, "en")) == []


@listed
def test_what_another_language_shows_is_left_out(language, text):
    assert list(items_in(text, language)) == []


def test_two_sentences_must_follow_each_other():
    first, second = "The waiter spilled soup on the guest.", "Luckily the waiter found a clean cloth in the kitchen."
    assert len(list(items_in(f"{first} {second}", "en"))) == 1
    assert list(items_in(f"{first} It was {{late}}. {second}", "en")) == []
    assert list(items_in(f"{first}\n{second}", "en")) == []


def test_nouns_have_the_features_of_their_determiners():
    passage = Passage("Os meninos viram uma casa velha e o seu telhado no jardim de Marina.", "pt")
    found = {mention.word: (mention.kind.gender, mention.kind.number) for mention in passage.mentions}
    assert found == {
        "meninos": ("masculine", "plural"),
        "casa": ("feminine", "singular"),
        "telhado": ("masculine", "singular"),
        "jardim": ("masculine", "singular"),
        "Marina": ("feminine", "singular"),
    }


def test_an_object_before_its_verb_is_no_article():
    passage = Passage("Je le porte souvent et nous la regardons dans le jardin.", "fr")
    assert [mention.word for mention in passage.mentions] == ["jardin"]


_WORDS = ("the", "a", "this", "key", "lock", "old", "fell", "was", "and", "because", "of", "into", ",", "Anna", "Julia")


@given(st.lists(st.sampled_from(_WORDS), min_size=8, max_size=30))
def test_whatever_is_found_gives_back_its_sentence(words):
    text = ("So " + " ".join(words) + ".").replace(" ,", ",")
    for item in items_in(text, "en"):
        gap, right = item.pronoun, item.candidates[item.answer]
        assert item.text[gap.start : gap.end] == "_"
        assert naive_readings(item)[item.answer].text == text
        assert all(mention.end <= gap.start for one in item.candidates for mention in one.mentions)
        other = item.candidates[1 - item.answer]
        assert right.text != other.text
        assert other.text not in item.text[gap.end :].split()


@given(st.text(max_size=80))
def test_any_text_can_be_looked_at(text):
    assert all(is_prose(sentence) in (True, False) for sentence in text.splitlines() if sentence)
    assert list(items_in(text, "pt")) == list(items_in(text, "pt"))
