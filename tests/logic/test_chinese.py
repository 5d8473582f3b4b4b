"""Chinese sentences as they are printed: particles in their places, nothing that reads as something else."""

import re
from importlib import import_module
from itertools import chain, permutations
from random import Random

import pytest

from winoglot.logic.formulas import Name, parse
from winoglot.logic.names import SPLITS, names
from winoglot.logic.wording.parse import parse_sentence
from winoglot.logic.wording.realise import Writer, WrittenName
from winoglot.logic.wording.table import table

NAMES = {"p0": "王芳", "p1": "李强", "p2": "周敏", "c0": "罗马", "c1": "长沙"}
TASKS = (
    "comparison",
    "conditional",
    "coordination",
    "counting",
    "description",
    "disjunction",
    "negation",
    "nested_negation",
    "quantification",
    "temporal",
)


def wordings(text, number=400):
    writer = Writer(table("zh"), {symbol: WrittenName(name) for symbol, name in NAMES.items()}, Random(3))
    return {writer.sentence(parse(text)) for _ in range(number)}


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        ("¬taller(p0,p1)", "王芳的身高不超过李强。"),  # not 不比李强高, which many read as "shorter"
        ("(swimmer(p0) → driver(p1))", "只有李强有驾照，王芳才可能学过游泳。"),  # 可能会游泳: may swim some day
        ("(swimmer(p0) → bank(p1,p2))", "要是王芳学过游泳，李强和周敏就一定住在河的同一岸。"),
        ("(visited(p0,c0) → ¬driver(p1))", "只要王芳去过罗马，李强就一定没有驾照。"),
        ("(visited(p0,c0) → doctor(p0))", "王芳如果去过罗马，就一定是医生。"),
        ("(employer(p0,p2) → ¬employer(p1,p2))", "周敏如果是王芳的雇员，就一定不是李强的雇员。"),
        ("(¬retired(p0) → visited(p0,c0))", "王芳除非已经退休了，否则一定去过罗马。"),
        ("(¬driver(p0) ∨ visited(p0,c0))", "“王芳没有驾照”和“王芳去过罗马”这两句话至少有一句是真的。"),
        (
            "(visited(p0,c0) ↔ ¬visited(p1,c0))",
            "如果王芳去过罗马，那么李强没去过罗马；反过来，如果李强没去过罗马，那么王芳去过罗马。",
        ),
        ("(born(p0,c0) ↔ ¬born(p1,c0))", "王芳和李强两人中，一个是在罗马出生的，另一个不是在罗马出生的。"),
        ("(¬doctor(p0) → ¬visited(p1,c0))", "除非王芳是医生，否则李强一定没去过罗马。"),
        ("(doctor(p0) ∧ doctor(p1))", "王芳是医生，李强也是医生。"),
        ("(¬retired(p0) ∧ ¬retired(p1))", "王芳和李强都还没退休。"),
        ("∀x (doctor(x) → visited(x,c0))", "医生都去过罗马。"),
        ("∀x (¬doctor(x) → visited(x,c0))", "谁不是医生，谁就一定去过罗马。"),
        ("∀x (teacher(x,p0) → ¬lives(x,c0))", "王芳的老师当中，没有一个住在罗马。"),
        ("∀x (visited(x,c0) → retired(x))", "谁去过罗马，谁就一定已经退休了。"),
        ("¬∀x (¬cousin(x,p0) → colleague(x,p1))", "并非所有不是王芳表亲的人都是李强的同事。"),
        ("¬∀x (¬teacher(x,p0) → driver(x))", "并非所有不是王芳的老师的人都有驾照。"),  # 王芳老师: a title
        ("∀x (¬driver(x) → visited(x,c0))", "只有去过罗马的人才可能没有驾照。"),
        ("∀x (taller(x,p0) → older(x,p1))", "比王芳高的人年纪都比李强大。"),
        ("∀x (retired(x) ↔ x = p0)", "除了王芳，没有人是退休人员。"),
        ("∃x (born(x,c0) ∧ ¬driver(x))", "在罗马出生的人当中，至少有一个没有驾照。"),
        ("∃≤2 x (guests(x) ∧ born(x,c0))", "客人里最多有两位是在罗马出生的。"),
        ("most x (judges(x) : employer(x,p0))", "超过半数的裁判都雇用了王芳。"),
        ("before(arrival(p0),departure(p1))", "李强离开之前，王芳就到了。"),
        ("¬before(departure(p0),arrival(p1))", "王芳至少待到了李强到达的时候。"),
        ("before(arrival(p0),arrival(p1))", "王芳到达的时间早于李强。"),
        ("ιx[mayor(x,c0)] = p0", "罗马市市长就是王芳。"),
        ("ιx[mayor(x,c0)] = ιx[library(x,c1)]", "罗马市市长兼任长沙市图书馆馆长。"),
    ],
)
def test_a_formula_can_be_worded_so(formula, sentence):
    assert sentence in wordings(formula)
    assert parse_sentence(sentence.removesuffix("。"), "zh", NAMES) == parse(formula)


def test_statements_about_different_people_and_places_are_not_alike():
    assert not any("也" in sentence for sentence in wordings("(visited(p0,c0) ↔ visited(p1,c1))"))


def test_no_wording_of_two_who_do_the_same_repeats_it_bare():
    for sentence in wordings("(driver(p0) ∧ driver(p1))"):
        assert "都" in sentence or "也" in sentence


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        ("(visited(p0,c0) → visited(p1,c0))", "要是王芳去过罗马，李强就一定也去过罗马。"),
        ("(visited(p0,c0) → visited(p1,c0))", "只有李强去过罗马，王芳才可能也去过罗马。"),
        ("(visited(p0,c0) → visited(p0,c1))", "王芳如果去过罗马，就一定也去过长沙。"),
        ("(cousin(p0,p2) ↔ cousin(p1,p2))", "王芳是周敏的表亲，当且仅当李强也是周敏的表亲。"),
        (
            "(driver(p0) ↔ driver(p1))",
            "如果王芳有驾照，那么李强也有驾照；反过来，如果李强有驾照，那么王芳也有驾照。",
        ),
        ("(driver(p0) ↔ driver(p1))", "如果王芳有驾照，那么李强也有驾照；如果王芳没有驾照，那么李强也没有驾照。"),
        ("(driver(p0) ↔ ¬driver(p1))", "如果王芳有驾照，那么李强没有驾照；如果王芳没有驾照，那么李强有驾照。"),
        ("∀x (visited(x,c0) → visited(x,c1))", "去过罗马的人也都去过长沙。"),
    ],
)
def test_the_second_of_two_like_statements_says_also(formula, sentence):
    assert sentence in wordings(formula)
    for one in wordings(formula):
        twice = re.search("(?:如果|要是).*(?:那么|就一定)|只有.*，.*才可能|当且仅当", one)
        assert not twice or ("¬" in formula) != ("也" in one), one


@pytest.mark.parametrize("formula", ["(driver(p0) ↔ ¬driver(p1))", "(visited(p0,c0) ↔ visited(p1,c0))"])
def test_an_equivalence_names_both_directions(formula):
    # 如果王芳有驾照，那么李强没有驾照，反之亦然: many would exchange the names, which says nothing new
    assert not any("反之" in sentence for sentence in wordings(formula))


@pytest.mark.parametrize("task", TASKS)
def test_sentences_of_a_task_read_well_and_are_parsed_back(task):
    rng = Random(task)
    drawn = import_module(f"winoglot.logic.tasks.{task}")
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


def test_every_split_has_enough_names_of_its_own():
    for split in SPLITS:
        sizes = names("zh", split).sizes
        assert sizes["people"] >= 400
        assert sizes["places"] >= 300
    for kind in ("feminine", "masculine", "surnames", "places"):
        parts = [set(getattr(names("zh", split), kind)) for split in SPLITS]
        assert sum(map(len, parts)) == len(set.union(*parts))
