"""A small collection and a file of predictions for it, from which tests recompute every measure by hand."""

from winoglot import Collection
from winoglot.analysis.base import Subject
from winoglot.languages.base import function_words
from winoglot.runs.importing import import_predictions
from winoglot.schemas.notation import parse_schema

VERBS = ("thanked", "hugged", "praised", "pushed", "teased")
NAMES = (("Ana", "Bea"), ("Cleo", "Dora"), ("Eva", "Fay"), ("Gia", "Hilda"), ("Ida", "Joan"))
MEN = (("Abel", "Bert"), ("Carl", "Dirk"))
PRESENT = {"thanked": "thanks", "hugged": "hugs", "praised": "praises", "pushed": "pushes", "teased": "teases"}
# Of each schema the scores in its items .0 (the first candidate is right) and .1 (the second is); then those of its
# variants, and of the masked ones, where both items have the same text.
ORIGINALS = [
    ((-1, -4), (-1, -3.5)),
    ((-2, -4.5), (-4.2, -2)),
    ((-5, -3.1), (-6.1, -5)),
    ((-3, -2), (-2, -1.5)),
    ((-4, -5.9), (-3, -3.8)),
]
TENSE = [
    ((-2, -4), (-1, -3.2)),
    ((-3, -2), (-4, -1)),
    ((-3, -5.1), (-6, -4.3)),
    ((-3, -1), (-1, -1.5)),
    ((-4, -5.2), (-3, -3.9)),
]
GENDER = [((-4, -1), (-3, -1)), ((-2, -3), (-2, -4))]
MASKED = [(-1, -2), (-1, -3), (-2, -1), (-3, -1), (-1, -4)]
MASKED_SWITCHED = [(-2, -1), (-3, -1), (-2, -1), (-1, -3)]  # Ida and Joan are not to be switched
TENSE_MASKED = [(-1, -2), (-3, -1), (-2, -1), (-3, -1), (-1, -4)]


def collection() -> Collection:
    """Five schemas; all have a variant of kind tense, two one of kind gender, and four may be switched."""
    return Collection(name="hand", language="en", schemas=tuple(_schema(place) for place in range(5)))


def _schema(place):
    (one, other), verb = NAMES[place], VERBS[place]
    variants = {"tense": {"text": f"{one} {PRESENT[verb]} {other} because {{she}} [is proud|is kind]."}}
    if place < len(MEN):
        he, him = MEN[place]
        variants["gender"] = {
            "text": f"{he} {verb} {him} because {{he}} [was proud|was kind].",
            "candidates": [he, him],
        }
    entry = {
        "id": f"s{place}",
        "text": f"{one} {verb} {other} because {{she}} [was proud|was kind].",
        "candidates": [one, other],
        "answers": [0, 1],
        "roles": ["subject", "object" if place < 4 else "oblique"],
        "tags": ["switchable"] * (place < 4) + ["associative"] * (place < 2),
        "variants": variants,
    }
    return parse_schema(entry, function_words("en"))


def lines():
    """The lines of the file: an id and two scores."""
    for kind, scores in (("", ORIGINALS), ("~tense", TENSE), ("~gender", GENDER)):
        for place, pair in enumerate(scores):
            for number, (first, second) in enumerate(pair):
                yield f"s{place}.{number}{kind},{first},{second}"
    for kind, masked in (
        ("segment-masked", MASKED),
        ("switched+segment-masked", MASKED_SWITCHED),
        ("tense+segment-masked", TENSE_MASKED),
    ):
        for place, (first, second) in enumerate(masked):
            for number in (0, 1):
                yield f"s{place}.{number}~{kind},{first},{second}"


def subject(folder, **keys) -> Subject:
    """What is analysed: the predictions, read from a file."""
    file = folder / "made-model.csv"
    file.write_text("\n".join(["item_id,score_0,score_1", *lines()]) + "\n", encoding="utf-8")
    return Subject(import_predictions(file, collection()).run, **keys)
