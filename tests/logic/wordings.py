"""The sentences that can be written for a formula."""

from random import Random

from winoglot.logic.formulas import parse
from winoglot.logic.wording.parse import parse_sentence
from winoglot.logic.wording.realise import Writer, WrittenName
from winoglot.logic.wording.table import table

MANY = 80  # draws, enough to see every wording of a short formula


def wordings_in(language, woman, man, other_woman, *places):
    """A function that words a formula about these people and places in every way; each is parsed back into it."""
    people = {"p0": WrittenName(woman, "f"), "p1": WrittenName(man, "m"), "p2": WrittenName(other_woman, "f")}
    names = people | {f"c{number}": WrittenName(place) for number, place in enumerate(places)}
    texts = {symbol: name.text for symbol, name in names.items()}

    def wordings(formula, *, nested=False):
        writer = Writer(table(language), names, Random(0))
        found = {writer.sentence(parse(formula), nested=nested) for _ in range(MANY)}
        assert {parse_sentence(text.removesuffix("."), language, texts) for text in found} == {parse(formula)}
        return found

    return wordings
