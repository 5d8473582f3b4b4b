"""The published corpus: its sentences, parsed and written, and its tasks, generated anew."""

import csv
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from winoglot.errors import InputError
from winoglot.logic.audit.report import audit
from winoglot.logic.formulas import parse
from winoglot.logic.paper import COLUMNS, build, card, check, write
from winoglot.logic.published import (
    FILES,
    Amount,
    Fact,
    NotPublished,
    facts,
    formulas,
    people_in,
    said,
    sorts_of,
)

NAMES = {
    "en": ["Ana", "Inês", "New Haven", "St. Ives", "Fond du Lac", "Coeur d’Alene", "Trinidad and Tobago", "29 Palms"],
    "pt": ["Ana", "Inês", "do Carmo", "Flor de Ceres", "Pau d'Alho", "São Tomé e Príncipe", "Abreu e Lima"],
}
AMOUNTS = [
    (Amount("person"),),
    (Amount("place"),),
    (Amount("person"), Amount("place")),
    (Amount("place", 1),),
    (Amount("person", 22),),
    (Amount("place", 3), Amount("person", 1)),
]


def facts_in(language):
    """Facts with one subject."""
    safe = [name for name in NAMES[language] if name != "Abreu e Lima"]  # ambiguous where a list may stand
    names = st.lists(st.sampled_from(safe), min_size=1, max_size=4, unique=True).map(tuple)
    name = st.sampled_from(NAMES[language]).map(lambda one: (one,))
    amounts = st.sampled_from(AMOUNTS)
    everybody = st.sampled_from([("everyone",), ("someone",)])
    return st.one_of(
        st.builds(Fact, name | everybody, st.just("visited"), names | amounts),
        st.builds(Fact, name, st.just("denied"), name),
        st.builds(Fact, name, st.just("taller"), names),
        st.builds(Fact, name, st.just("as tall as"), name),
        st.builds(Fact, name, st.just("the one who visited"), st.sampled_from(AMOUNTS[:2])),
    )


@pytest.mark.parametrize("language", ["en", "pt"])
@given(data=st.data(), feminine=st.booleans())
def test_what_is_said_is_parsed(language, data, feminine):
    some = data.draw(st.lists(facts_in(language), min_size=1, max_size=3))
    for comma in (", ", " , "):
        assert facts(comma.join(said(one, language, feminine=feminine) for one in some), language) == some


def test_several_people_may_visit_together_and_mistakes_of_the_published_files_are_parsed():
    assert facts("Ana, Trinidad Lopez and Rui have visited Trinidad and Tobago and Lima", "en") == [
        Fact(("Ana", "Trinidad Lopez", "Rui"), "visited", ("Trinidad and Tobago", "Lima"))
    ]
    assert facts("Ana visitou apenas vinte e dois pessoas", "pt")[0].objects == (Amount("person", 22),)
    assert facts("Ana has visited only one people", "en")[0].objects == (Amount("person", 1),)
    assert facts("Alguem visitou Roma", "pt")[0].subjects == ("someone",)
    assert facts("Ana é mais alto que Rui", "pt")[0].verb == "taller"


@listed
def test_the_wording(english, portuguese):
    (fact,) = facts(english, "en")
    assert facts(portuguese, "pt") == [fact]
    assert (said(fact, "en", feminine=True), said(fact, "pt", feminine=True)) == (english, portuguese)


@listed
def test_other_sentences_are_not_understood_rather_than_misunderstood(text):
    with pytest.raises(NotPublished):
        facts(text, "en")


@listed
def test_what_sentences_mean(text, formula):
    some = facts(text, "en")
    (meaning,), _ = formulas([some], sorts_of(some, ["Ida"]))
    assert meaning == parse(formula)


def test_a_list_has_names_of_one_sort():
    known = people_in(
        facts("Ana has visited Eva, Ida, Mia and Lia, Eva has visited Rome and Oslo, Ida has visited Rome", "en")
    )
    assert known == {"Ana", "Eva", "Ida", "Mia", "Lia"}
    some = facts("Rui has visited Mia, Lia and Charlotte", "en")
    assert sorts_of(some, known)["Charlotte"] == "person"


@pytest.fixture(scope="module")
def sets():
    made = {}
    for language in ("en", "pt"):
        for task in FILES:
            made[task, language] = build(task, language, train=36, test=12, seed=3)
    return made


@pytest.mark.parametrize("language", ["en", "pt"])
def test_generated_files_have_the_published_form_and_hold_in_the_audit(tmp_path, sets, language):
    few = {"counting", "mixed"}  # too few pairs to learn from them which names of a list are people
    write([made for (task, tag), made in sets.items() if tag == language and task not in few], tmp_path)
    with (tmp_path / sets["comparison", language].file("test")).open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert tuple(head) == COLUMNS
    assert Counter(row[2] for row in rows) == {"0": 6, "1": 6}
    assert {row[3] for row in rows} == {"comparative"}
    found = audit(sorted(tmp_path.glob("*.csv")), readings=["default"], with_cues=False)
    assert found.faults == []
    for one in found.files:
        assert (one.languages, one.labels.unread, one.labels.from_sentences) == ((language,), (), one.pairs)
    assert len(found.leakage) == len(FILES) - len(few)


def test_people_are_recognised_in_enough_counted_lists(tmp_path):
    write([build("counting", "en", train=0, test=160)], tmp_path)
    (found,) = audit([tmp_path / "counting_test.csv"], readings=["default"], with_cues=False).files
    assert (found.faults, found.labels.unread) == ([], ())


def test_the_card_says_how_many_published_labels_differ(sets):
    made = sets["comparison", "en"]
    wrong = [pair for pair in made.splits["train"] if pair.label != pair.published]
    assert wrong
    assert all((pair.label, pair.published) == (0, 1) and " and " in pair.sentence1 for pair in wrong)
    text = card([made])
    assert f"| `comparative_train.csv` | 36 | 18 of 1, 18 of 0 | {len(wrong)} |" in text
    assert "Labels are proved by z3" in text
    assert "--paper --task comparison --language en --seed 3 --train 36 --test " in text
    assert all(pair.label == pair.published for pair in sets["counting", "pt"].splits["train"])


def test_the_same_seed_gives_the_same_pairs_of_the_published_sizes_unless_others_are_asked_for(sets):
    again = [build("negation", "en", train=20, test=4, seed=seed, proof=False) for seed in (1, 1, 2)]
    assert again[0] == again[1] != again[2]
    assert "not proved" in card(again[:1])
    assert check("negation", "en") == {"train": 10_000, "test": 1_000}
    assert check("comparison", "pt") == {"train": 9_996, "test": 996}
    assert check("comparison", "pt", train=100, test=0) == {"train": 96, "test": 0}
    forms = Counter(pair.label_form for pair in sets["mixed", "pt"].splits["train"])
    assert forms == dict.fromkeys((form for _, form in FILES.values() if form), 6)


@listed
def test_what_the_published_corpus_does_not_have_is_refused(task, language, sizes, message):
    with pytest.raises(InputError) as error:
        build(task, language, **sizes)
    assert message in str(error.value)


def test_nothing_is_overwritten_or_half_written(tmp_path, sets):
    made = sets["negation", "en"]
    (tmp_path / made.file("test")).write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="exists"):
        write([made], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [made.file("test")]
    write([made], tmp_path, force=True)
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.slow
def test_every_published_sentence_is_parsed(public_data):
    for path in sorted((public_data / "logic").rglob("*.csv")):
        language = "pt" if "_pt_" in path.name else "en"
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                assert facts(row["sentence1"], language)
                assert len(facts(row["sentence2"], language)) == 1
