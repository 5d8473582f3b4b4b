import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from corpus.corpus_making import write_story
from winoglot.corpus.build import build
from winoglot.corpus.generate_items import ItemDraw, detokenised, generate
from winoglot.corpus.settings import CorpusSettings
from winoglot.errors import InputError
from winoglot.languages.readings import naive_readings
from winoglot.languages.text import words
from winoglot.loading import load, save
from winoglot.schemas.model import Candidate, Item
from winoglot.schemas.spans import Span


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    return write_story(tmp_path_factory.mktemp("story") / "story.txt")


@pytest.fixture(scope="module")
def made(story):
    return generate([story], "en", command="winoglot corpus schemas story.txt")


def test_half_of_the_items_have_the_first_candidate_right_and_read_as_the_text_did(made, story):
    items = made.collection.items
    assert len(items) == 12 == made.found
    assert sum(item.answer for item in items) == 6
    assert made.left_out == {}
    assert [schema.id for schema in made.collection] == [item.schema_id for item in items]
    lines = story.read_text().splitlines()
    assert {naive_readings(item)[item.answer].text for item in items} == set(lines)


def test_the_collection_says_how_it_was_made(made, story, tmp_path):
    first, second = made.collection.provenance
    assert first.endswith("winoglot corpus schemas story.txt")
    assert second.startswith("story.txt, SHA-256 ")
    for name in ("items.jsonl", "items.yaml"):
        save(made.collection, tmp_path / name)
        assert load(tmp_path / name) == made.collection


def test_a_seed_draws_the_same_items_whatever_the_file_and_the_processes(story, tmp_path, made):
    lines = story.read_text().splitlines()
    packed = tmp_path / "story.txt.gz"
    packed.write_bytes(gzip.compress("\n".join(reversed(lines)).encode()))
    few = generate([story], "en", limit=4, seed=1).collection.items
    assert generate([packed], "en", limit=4, seed=1).collection.items == few
    assert len(few) == 4
    assert sum(item.answer for item in few) == 2
    assert {item.id for item in few} < {item.id for item in made.collection.items}
    others = [generate([story], "en", limit=4, seed=seed).collection.items for seed in range(5)]
    assert len({tuple(item.id for item in items) for items in others}) > 1


@pytest.mark.slow
def test_several_processes_find_the_same(story, made):
    assert generate([story], "en", worker_count=2).collection.items == made.collection.items


def test_a_corpus_gives_the_items_of_its_training_text(story, tmp_path, made):
    build([str(story)], tmp_path / "c", CorpusSettings("en", min_count=1, held_out=0))
    found = generate([tmp_path / "c"], "en").collection
    assert {item.text for item in found.items} == {item.text for item in made.collection.items}
    assert "hash" in found.provenance[1]
    with pytest.raises(InputError, match="the corpus is in 'en', not in 'pt'"):
        generate([tmp_path / "c"], "pt")
    build([str(story)], tmp_path / "d", CorpusSettings("en", min_count=12, held_out=0))
    with pytest.raises(InputError, match=r"no item was found .* without unknown words"):
        generate([tmp_path / "d"], "en")


@listed
def test_what_cannot_be_made_is_said(story, language, options, said):
    with pytest.raises(InputError, match=said):
        generate([story], language, **options)


def test_bad_sources_are_said(story, tmp_path):
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(InputError, match="the text is empty"):
        generate([tmp_path / "empty.txt"], "en")
    with pytest.raises(InputError, match="cannot be read"):
        generate([tmp_path / "none.txt"], "en")
    with pytest.raises(InputError, match="mixed"):
        generate([story, tmp_path], "en")
    with pytest.raises(InputError, match="is the same file as"):
        generate([story, story], "en")
    (tmp_path / "one.txt").write_text(story.read_text().splitlines()[0])
    with pytest.raises(InputError, match="none is left when the answers are balanced"):
        generate([tmp_path / "one.txt"], "en")


def an_item(number, *, answer, text, candidates=("key", "lock")):
    gap, name = text.index("_"), f"i{number}"
    places = [Span(text.index(one), text.index(one) + len(one)) for one in candidates]
    named = tuple(Candidate(one, (place,)) for one, place in zip(candidates, places, strict=True))
    gap = Span(gap, gap + 1)
    return Item(f"{name}.0", name, text=text, pronoun=gap, candidates=named, answer=answer, language="en")


def test_a_pair_of_candidates_is_not_drawn_too_often():
    draw = ItemDraw(None, 0)
    for number in range(20):
        text = f"W{number} the key a{number} b{number} c{number} lock d{number} e{number} _ f{number}."
        draw.add(an_item(number, answer=number % 2, text=text))
    items, left_out = draw.items()
    assert len(items) <= 5
    assert left_out["same candidates as others"] == 15


def test_items_that_share_a_row_of_words_are_drawn_once():
    draw = ItemDraw(None, 0)
    shared = "so on the next day the wind blew harder than ever"
    for number in range(6):
        draw.add(
            an_item(number, answer=number % 2, text=f"N{number} the key, the lock, and the _ fell, {shared} {number}.")
        )
    items, left_out = draw.items()
    assert items == []  # one is left, and its answer has no counterpart
    assert left_out == {"shares words with another": 5, "not drawn": 1}


def test_the_same_text_counts_once():
    draw = ItemDraw(2, 0)
    for number in (1, 2, 1, 2, 1):
        draw.add(an_item(number, answer=number % 2, text=f"The key and lock {number}: _ at {number}."))
    assert draw.found == 5
    assert len({item.text for item in draw.items()[0]}) == len(draw.items()[0]) == 2


@given(st.lists(st.integers(0, 1), max_size=40), st.integers(2, 12), st.integers(0, 3))
def test_a_draw_is_balanced_and_independent_of_order(answers, limit, seed):
    def text(number):
        return " ".join([f"w{number}", "key", "lock", "_", *(f"{letter}{number}" for letter in "abcdef")])

    names = [(f"key{number}", f"lock{number}") for number in range(len(answers))]
    items = [
        an_item(
            number,
            answer=answer,
            text=f"{names[number][0]} {names[number][1]} {text(number)}",
            candidates=names[number],
        )
        for number, answer in enumerate(answers)
    ]
    drawn = []
    for ordered in (items, items[::-1]):
        draw = ItemDraw(limit, seed)
        for item in ordered:
            draw.add(item)
        drawn.append(draw.items()[0])
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == 2 * min(answers.count(0), answers.count(1), limit // 2)
    assert sum(item.answer for item in drawn[0]) * 2 == len(drawn[0])


@listed
def test_the_tokens_of_a_sentence_give_it_back(language, text):
    assert detokenised(words(text, language), language).replace(" ?", "?") == text.replace(" ?", "?")
