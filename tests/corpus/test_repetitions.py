import pytest
from hypothesis import given
from hypothesis import strategies as st

from winoglot.corpus.nouns import Passage
from winoglot.corpus.repetitions import is_prose, items_in
from winoglot.languages.readings import naive_readings

RUST = "The key would not turn in the lock, because the lock was old and full of rust."

FOUND = {
    "en": [
        (RUST, ("key", "lock"), 1),
        (
            "The waiter spilled soup on the guest. Luckily the waiter found a clean cloth in the kitchen.",
            ("waiter", "guest"),
            0,
        ),
        (
            "The bridge was closed after the flood, and repairing this bridge took the town three months.",
            ("bridge", "flood"),
            0,
        ),
    ],
    "pt": [
        (
            "A chave não girava na fechadura, porque a fechadura estava velha e cheia de ferrugem.",
            ("chave", "fechadura"),
            1,
        ),
        (
            "O barco encalhou perto do farol. Durante a noite o farol avisou os outros navios do perigo.",
            ("barco", "farol"),
            1,
        ),
    ],
    "fr": [
        (
            "La clé ne tournait pas dans la serrure, parce que la serrure était vieille et pleine de rouille.",
            ("clé", "serrure"),
            1,
        ),
        (
            "Le colonel cherchait l'avocat dans toute la ville, mais l'avocat dormait tranquillement chez sa mère.",
            ("le colonel", "l'avocat"),
            1,
        ),
    ],
    "es": [
        (
            "El barco chocó contra el muelle, y desde entonces el muelle tiene una grieta muy larga.",
            ("barco", "muelle"),
            1,
        ),
    ],
    "it": [
        (
            "Anna ha prestato il libro a Giulia, ma purtroppo ieri Giulia ha perso tutto sul treno.",
            ("Anna", "Giulia"),
            1,
        ),
    ],
    "zh": [
        ("老师把钥匙放进抽屉，可是后来抽屉打不开了，大家都很着急。", ("钥匙", "抽屉"), 1),
        ("王芳请李娜帮忙搬家，可是那天李娜生病了，只好在家休息。", ("王芳", "李娜"), 1),
    ],
    "de": [
        ("Anna wollte Julia besuchen, aber leider war Julia schon lange nicht mehr zu Hause.", ("Anna", "Julia"), 1),
    ],
}


@pytest.mark.parametrize(
    ("language", "text", "candidates", "answer"),
    [(language, *case) for language, cases in FOUND.items() for case in cases],
)
def test_a_repeated_noun_is_the_gap(language, text, candidates, answer):
    [item] = items_in(text, language)
    assert tuple(candidate.text for candidate in item.candidates) == candidates
    assert (item.answer, item.tags, item.pronoun_form) == (answer, ("generated",), "blank")
    assert naive_readings(item)[answer].text == text
    nouns = [candidate.text.split()[-1].removeprefix("l'") for candidate in item.candidates]
    for candidate, noun in zip(item.candidates, nouns, strict=True):
        assert [mention.of(item.text) for mention in candidate.mentions] == [noun]


@pytest.mark.parametrize(
    "text",
    [
        "The key would not turn in the lock, because it was old and full of rust.",  # nothing is repeated
        "The key would not turn in the lock, because the lock of the door was full of rust.",  # another lock, perhaps
        "The keys would not turn in the lock, because the lock was old and full of rust.",  # another number
        "The nurse would not look at the lock, because the lock was old and full of rust.",  # a person and a thing
        "The key would not turn in the lock, because the lock was older than the key itself.",  # both are repeated
        "The key and the lock were lost for years, because the lock was never used by anyone.",  # the same role
        "He said that the key was in the lock before the lock broke.",  # no choice: too short a clause
        "The lock of that day was new, and on the day of the fair the lock broke into many pieces.",  # a day is no lock
        "The visit became the trial of the year for all of us, but soon the trial was over for everybody.",  # one thing
        "The car stood right behind the truck all day, but after an hour the truck was gone.",  # vehicles are alike
        "That morning Anna, Maria and Julia met behind the school, but at noon Julia went home alone.",  # the same role
        '"The key would not turn in the lock," he said, "because the lock was old and full of rust."',
        "| The key would not turn in the lock, because the lock was old and full of rust.",
    ],
)
def test_what_leaves_no_choice_is_left_out(text):
    assert list(items_in(text, "en")) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("pt", "A chave não girava no cadeado, porque o cadeado estava velho e cheio de ferrugem."),  # another gender
        ("fr", "Il ouvrit la porte de la cave, car il la ferme toujours quand il la porte lui pèse trop."),  # a verb
        ("fr", "Le ministre reçut le préfet, puis tout le monde applaudit car le monde aime les fêtes."),
        ("pt", "A empresa trabalhou na ponte e cresceu em, mas hoje a ponte está fechada ao público."),  # a lost number
        ("zh", "孙权和刘备在荆州打了一仗，可是后来刘备失败了，只好退回北方。"),  # the same role
        ("zh", "他在研究中心工作，后来研究中心搬走了，他只好换一个单位。"),
    ],
)
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
