"""Chinese sentences as they are printed: particles in their places, nothing that reads as something else."""

import re
from itertools import chain, permutations
from random import Random

import pytest

from cases import listed
from winoglot import registry
from winoglot.logic.formulas import Name, parse
from winoglot.logic.names import SPLITS, names
from winoglot.logic.wording.parse import parse_sentence
from winoglot.logic.wording.realise import Writer, WrittenName
from winoglot.logic.wording.table import table

NAMES = {"p0": "王芳", "p1": "李强", "p2": "周敏", "c0": "罗马", "c1": "长沙"}
TASKS = [name for name in registry.names("logic-tasks") if name != "mixed"]


def wordings(text, number=400):
    writer = Writer(table("zh"), {symbol: WrittenName(name) for symbol, name in NAMES.items()}, Random(3))
    return {writer.sentence(parse(text)) for _ in range(number)}


@listed
def test_a_formula_can_be_worded_so(formula, sentence):
    assert sentence in wordings(formula)
    assert parse_sentence(sentence.removesuffix("。"), "zh", NAMES) == parse(formula)


def test_what_people_share_is_said_to_be_shared_and_nothing_else():
    assert not any("也" in sentence for sentence in wordings("(visited(p0,c0) ↔ visited(p1,c1))"))
    for sentence in wordings("(driver(p0) ∧ driver(p1))"):
        assert "都" in sentence or "也" in sentence
    # 如果王芳有驾照，那么李强没有驾照，反之亦然: many would exchange the names, which says nothing new
    for formula in ("(driver(p0) ↔ ¬driver(p1))", "(visited(p0,c0) ↔ visited(p1,c0))"):
        assert not any("反之" in sentence for sentence in wordings(formula))


@listed
def test_the_second_of_two_like_statements_says_also(formula, sentence):
    assert sentence in wordings(formula)
    for one in wordings(formula):
        twice = re.search("(?:如果|要是).*(?:那么|就一定)|只有.*，.*才可能|当且仅当", one)
        assert not twice or ("¬" in formula) != ("也" in one), one


@pytest.mark.parametrize("task", TASKS)
def test_sentences_of_a_task_read_well_and_are_parsed_back(task):
    rng = Random(task)
    drawn = registry.load("logic-tasks", task)
    skeletons = set()
    for family, depth in ((family, depth) for family, depths in drawn.FAMILIES.items() for depth in depths):
        for split in SPLITS:
            situation = drawn.draw(rng, family, depth)
            formulas = [*situation.facts, *situation.altered, situation.entailed, situation.contradicted]
            symbols = sorted({symbol for one in formulas for symbol in re.findall(r"\b[pc]\d+\b", str(one))})
            named = names("zh", split).choose([Name(symbol) for symbol in symbols], rng)
            called = {symbol: name.text for symbol, name in named.items()}
            writer = Writer(table("zh"), named, rng)
            for formula in formulas:
                sentence = writer.sentence(formula, nested=situation.nested)
                assert re.fullmatch(r"[\u4e00-\u9fff“”，；：、]+。", sentence), sentence
                skeleton = re.sub("|".join(called.values()), "某", sentence)
                assert not re.search(
                    "不比|是不是|是是|的的|都都|都从来|一定从来|可能从来|[就能]会|才不|人家|出生的时|没[^，；”人]*了",
                    skeleton,
                ), sentence
                assert parse_sentence(sentence.removesuffix("。"), "zh", called) == formula, sentence
                skeletons.add(skeleton)
    assert len(skeletons) >= 20


def test_no_name_is_part_of_another_or_makes_a_word_with_what_follows():
    known = names("zh")
    words = [*known.feminine, *known.masculine, *known.surnames]
    for short, long in chain(permutations(words, 2), permutations(known.places, 2)):
        assert short not in long, (short, long)
    assert "程" not in known.surnames  # 不超过程佳怡
    for given in (*known.feminine, *known.masculine):
        assert not any(given in place or place in given for place in known.places), given
        # 国会, 峰会, 刚才, 明年, 健身, 杰出, 静坐, 远去: 王志刚才到, 赵建国会开车
        assert given[-1] not in "国峰刚天明青新成健杰静远飞清群龙", given
