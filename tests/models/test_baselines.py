import gzip
import subprocess
import sys
from dataclasses import replace
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from cases import for_each, listed
from items import item
from questions import question
from six_schemas import six, six_file
from strategies import some_collections
from winoglot import InputError
from winoglot.languages.base import language_module
from winoglot.languages.frequencies import ALL, content_words, frequencies
from winoglot.models.base import Options, check_model, check_options, load_model
from winoglot.runs.questions import asked
from winoglot.schemas.mentions import mention_order

BASELINES = ("chance", "first", "second", "longer", "frequent")
LAMP = ("The lamp hit the vase and {it} broke.", ["the lamp", "the vase"])


def scores(name, made, seed=0):
    return load_model(name, Options(seed=seed)).score([question(made, made.language, "naive")], ["choice"])[0]["choice"]


def choice(name, *text, **keys):
    return scores(name, item(*text, **keys)).choice(1e-6)


def between(candidates, language):
    """An item whose text mentions neither candidate."""
    return item("Then {it} went on.", candidates, language, mentions=[[] for _ in candidates])


@for_each(
    ("options", "message"),
    [
        (Options(precision="foo"), "Known: float32, bfloat16, int8"),
        (Options(device="tpu"), "no device 'tpu'. Known: auto, cpu, cuda"),
        (Options(more={"shots": "2"}), "no option 'shots'. Leave it out: first and longer take no options"),
        (Options(batch_tokens=-1), "-1 tokens"),
    ],
)
def test_baselines_alone_refuse_what_no_model_has(options, message):
    with pytest.raises(InputError, match=message):
        check_options(options, ["first", "longer"])
    with pytest.raises(InputError, match=message):
        check_model("ensemble:first+longer", options)
    for name in BASELINES:
        with pytest.raises(InputError, match=f"Write {name} alone"):
            load_model(f"{name}:somewhere", Options())


@for_each("device", ["auto", "cpu", "cuda", "cuda:1"])
def test_a_baseline_runs_beside_models_that_compute_elsewhere(device):
    assert load_model("first", Options(precision="bfloat16", device=device, batch_tokens=64)).name == "first"


def test_baselines_answer_or_abstain_on_every_collection():
    solvers = [load_model(name, Options()) for name in BASELINES]
    for collection in some_collections()[:30]:
        questions = [replace(one.question, language="pt") for one in asked(collection, (), "naive")]
        for solver in solvers:
            for one, made in zip(questions, solver.score(questions, ["choice"]), strict=True):
                assert len(made["choice"].values) == len(one.readings)


# chance


def test_a_guess_depends_on_the_item_and_the_seed_and_on_no_order():
    questions = [one.question for one in asked(six("en"), ("switched",), "naive")]

    def guesses(asked_now, seed=0):
        made = load_model("chance", Options(seed=seed)).score(asked_now, ["choice"])
        return dict(zip([one.item.id for one in asked_now], [one["choice"] for one in made], strict=True))

    assert guesses(questions) == guesses(questions[::-1]) == guesses(questions[:3]) | guesses(questions[3:])
    assert guesses(questions) != guesses(questions, seed=1)


def test_guesses_are_right_as_often_as_chance_has_it():
    made = item(*LAMP, language="en")
    found = [scores("chance", made, seed) for seed in range(2000)]
    assert mean(one.choice(1e-6) for one in found) == pytest.approx(0.5, abs=0.035)  # three standard deviations
    values = [value for one in found for value in one.values]
    assert min(values) >= 0
    assert max(values) < 1
    assert mean(values) == pytest.approx(0.5, abs=0.015)


def test_the_seed_of_chance_is_in_its_settings_and_not_in_its_fingerprint():
    one, other = (load_model("chance", Options(seed=seed)) for seed in (1, 2))
    assert (one.settings, other.settings) == ({"seed": 1}, {"seed": 2})
    assert one.fingerprint == other.fingerprint


# first and second


@listed
def test_first_and_second_go_by_the_places_of_mentions_wherever_the_pronoun_stands(text, candidates, language, first):
    assert choice("first", text, candidates, language) == first
    assert choice("second", text, candidates, language) == 1 - first


@for_each("name", ["first", "second"])
def test_without_an_order_of_mentions_first_and_second_abstain(name):
    for text, mentions in (
        ("The lamp hit something and {it} broke.", [["The lamp"], []]),
        ("Rita's aunt was cross because {she} was late.", [["Rita"], ["Rita's aunt"]]),
    ):
        found = scores(name, item(text, ["one", "another"], "en", mentions=mentions))
        assert (found.choice(1e-6), found.note) == (None, "not mentioned in an order")


def test_second_of_three_is_neither_the_first_nor_the_last():
    assert choice("second", "Ann met Bea and Cleo; {she} smiled.", ["Cleo", "Ann", "Bea"], "en") == 2


def test_the_order_of_mentions_does_not_depend_on_indices():
    for collection in some_collections()[:30]:
        for made in (made for made in collection.items if made.text is not None):
            rest = {"answer": None, "hypotheses": (), "readings": (), "terms": wg.Terms()}
            order = mention_order(made)
            last = len(made.candidates) - 1
            turned = order and tuple(last - index for index in order)
            assert mention_order(replace(made, candidates=made.candidates[::-1], **rest)) == turned


# longer


@listed
def test_longer_counts_characters_without_the_determiner(candidates, language, expected):
    assert scores("longer", between(candidates, language)).choice(1e-6) == expected


def test_longer_goes_by_readings_where_candidates_are_not_named():
    readings = tuple(map(wg.WrittenReading, ("Rita rang.", "Clara rang.")))
    made = wg.Item("a.0", "a", readings=readings, language="en")
    assert scores("longer", made).choice(1e-6) == 1


# frequent


def test_frequent_takes_the_mean_log_frequency_of_the_content_words():
    made = between(["the white house", "the garden of the king"], "en")
    table = frequencies("en")

    def expected(*words):
        return mean(map(table.log_frequency, words))

    values = scores("frequent", made).values
    assert values == pytest.approx((expected("white", "house"), expected("garden", "king")))


def test_an_unknown_word_makes_frequent_abstain_and_is_named():
    for candidate, unknown in (("the xqzzy", "xqzzy"), ("the other xqzzy house", "xqzzy"), ("they", "they")):
        found = scores("frequent", between(["the house", candidate], "en"))
        assert (found.choice(1e-6), found.note) == (None, f"unknown: {unknown}")
    with pytest.raises(InputError, match=r"no word frequencies for ja.*en, es, fr, pt, zh"):
        scores("frequent", between(["猫", "犬"], "ja"))


@listed
def test_tables_know_common_words_from_rarer_ones(language, common, rare):
    table = frequencies(language)
    assert table.log_frequency(common) > table.log_frequency(rare)
    assert scores("frequent", between([rare, common], language)).choice(1e-6) == 1


@for_each("language", ["en", "es", "fr", "pt", "zh"])
def test_a_table_is_small_sorted_and_says_where_its_counts_come_from(language):
    [folder] = language_module(language).__path__
    with gzip.open(f"{folder}/frequencies.txt.gz", "rt", encoding="utf-8") as file:
        lines = file.read().splitlines()
    head = [line for line in lines if line.startswith("#")]
    assert any("CC BY-SA" in line or "public domain" in line for line in head)
    total, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    counts = [int(count) for _, count in rows]
    assert total[0] == ALL
    assert 10_000 < len(rows) <= 40_000
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) <= int(total[1])
    assert len({word for word, _ in rows}) == len(rows)


@given(st.text(max_size=30), st.sampled_from(["en", "fr", "pt", "zh", "tlh"]))
def test_content_words_are_words_of_the_phrase(text, language):
    assert all(word in text for word in content_words(text, language))


def test_listing_and_asking_baselines_needs_no_torch():
    code = (
        "import sys, winoglot as wg; from winoglot import registry; from winoglot.runs.evaluate import evaluate\n"
        "assert 'chance' in registry.names('models')\n"
        "pt = wg.load(sys.argv[1])\n"
        "for name in ('chance', 'first', 'second', 'longer', 'frequent'): evaluate(pt, name)\n"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code, six_file("pt")], check=False).returncode == 0
