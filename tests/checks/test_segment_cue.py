from cases import for_each
from checks.good import TAGGED, collection_of, insert, with_items
from winoglot.checks.base import CheckContext
from winoglot.checks.segment_cue import check
from winoglot.languages.base import function_words
from winoglot.schemas.notation import parse_schema


def found(*schemas, language="en"):
    return list(check(collection_of(language, schemas), CheckContext()))


def one(text, candidates, answers=(0,), **more):
    entry = {"id": "one", "text": text, "candidates": candidates, "answers": list(answers), **more}
    return parse_schema(entry, function_words("en"))


@for_each(("language", "schema"), TAGGED)
@for_each("number", [0, 1])
def test_a_candidate_s_word_in_the_segment_is_found(language, schema, number):
    def spoil(item):
        core = function_words(language).without_determiner(item.candidates[number].text)
        head = core[-2:] if language == "zh" else core.split()[0]
        return insert(item, item.segment[-1].end, head if language == "zh" else f" {head}", into_segment=True)

    findings = found(with_items(schema, spoil), language=language)
    assert [finding.item for finding in findings] == [item.id for item in schema.items]
    assert all(schema.items[0].candidates[number].text in finding.message for finding in findings)


@for_each(
    ("text", "candidates", "keys"),
    [
        ("The red bus hit the blue bus as {it} left the [bus stop|kerb].", ["the red bus", "the blue bus"], {}),
        ("[Rita told Ana|Ana told Rita] that {she} had won.", ["Rita", "Ana"], {}),
        ("The man with the hat waved to Ian while {he} ran [with his dog|home].", ["the man with the hat", "Ian"], {}),
        (
            "Rita met Ana. Since {she} [always sings|wore a bell], Rita heard her.",
            ["Rita", "Ana"],
            {"mentions": [["Rita#1"], ["Ana"]]},
        ),
    ],
)
def test_what_both_candidates_or_both_items_share_and_small_words_are_no_cue(text, candidates, keys):
    assert not found(one(text, candidates, [0, 1], **keys))
    buses = ["the red bus", "the blue bus"]
    assert found(one("The red bus hit the blue bus as {it} left the [red line|kerb].", buses, [0, 1]))


def test_a_first_mention_in_the_segment_is_no_cue_and_a_second_one_is():
    names = ["Lea", "Amy"]
    assert not found(one("Lea [gave Amy a map|got a map from Amy] when {she} left.", names, [0, 1]))
    again = "Lea gave Amy a map when {she} left [Amy's house|home]."
    (finding,) = found(one(again, names, [0, 1], mentions=[["Lea"], ["Amy#1"]]))
    assert "the segment \"Amy's house\" has 'amy', which only the candidate 'Amy' has" in finding.message


def test_in_a_single_item_the_rest_of_the_sentence_counts():
    mentions = [["The baker"], ["the guest"]]
    text = "The baker thanked the guest because {he} was a friend of the baker's wife."
    (finding,) = found(one(text, ["the baker", "the guest"], mentions=mentions))
    assert "'baker', which only the candidate 'the baker' has" in finding.message
    marked = [["The baker", "the baker"], ["the guest"]]
    assert not found(one(text, ["the baker", "the guest"], mentions=marked))
    later = "The baker thanked the guest and {he} left. Nobody knew the baker."
    assert not found(one(later, ["the baker", "the guest"], mentions=mentions))


def test_a_single_character_is_also_a_part_of_other_words():
    schema = one("猫怕狗，因为{它}[见过熊猫|很凶]。", ["猫", "狗"], [0, 1], mentions=[["猫#1"], ["狗"]])
    assert not found(schema, language="zh")


def test_unspoken_pronouns_blanks_and_single_candidates_are_no_trouble():
    names = ["Rita", "Ana"]
    assert not found(one("Rita saw Ana and {} [sang|cried].", names, [0, 1]))
    blank = "Rita saw Ana because {_} knew [Ana's voice|songs]."
    assert found(one(blank, names, [0, 1], mentions=[["Rita"], ["Ana#1"]]))
    alone = "Rita sang because {she} liked [Rita's songs|songs]."
    assert not found(one(alone, ["Rita"], [0, 0], mentions=[["Rita#1"]]))
