"""Good schemas, written out with all they may have, and ways to spoil them."""

from dataclasses import replace
from functools import cache

from six_schemas import LANGUAGES, six
from winoglot.languages.base import function_words
from winoglot.schemas.model import Collection
from winoglot.schemas.notation import parse_schema
from winoglot.schemas.spans import Span

# id, text, candidates, who or what, what it does; the answers are 0 and 1
_WRITTEN = {
    "en": [
        ("jug-tap", "The jug would not go under the tap because {it} PREDICATE.", "the jug, the tap", "What",
         "was too [tall|low]"),
        ("hammer-hand", "Nora handed Petra the hammer because {she} PREDICATE.", "Nora, Petra", "Who",
         "[no longer needed it|had asked for it]"),
        ("twins-wait", "The twins waited for the cousins because {they} PREDICATE.", "the twins, the cousins", "Who",
         "had [arrived early|missed the bus]"),
        ("keeper-striker", "A goalkeeper was facing a striker, and then {he} PREDICATE.", "a goalkeeper, a striker",
         "Who", "[dived|shot]"),
        ("box-lamp", "This box could not hold the lamp because {it} PREDICATE.", "this box, the lamp", "What",
         "was too [small|big]"),
        ("postman-baker", "The postman waved to the baker while {he} PREDICATE.", "the postman, the baker", "Who",
         "was [handing out letters|kneading the dough]"),
    ],
    "pt": [
        ("jug-tap", "A jarra não coube debaixo da torneira porque {ela} PREDICATE.", "a jarra, a torneira",
         "Qual das duas", "era muito [alta|baixa]"),
        ("hammer-hand", "Nina entregou o martelo a Petra porque {ela} PREDICATE.", "Nina, Petra", "Quem",
         "[já não precisava dele|tinha pedido por ele]"),
        ("twins-wait", "Os gêmeos esperaram pelos primos porque {eles} PREDICATE.", "os gêmeos, os primos",
         "Quais deles", "[chegaram cedo|perderam o ônibus]"),
        ("keeper-striker", "Um goleiro encarou um atacante, e então {ele} PREDICATE.", "um goleiro, um atacante",
         "Quem", "[se jogou|chutou]"),
        ("nurse-patient", "A enfermeira acordou a paciente porque {} PREDICATE.", "a enfermeira, a paciente", "Quem",
         "precisava [medir a febre|tomar o remédio]"),
        ("postman-baker", "O carteiro acenou para o padeiro enquanto {ele} PREDICATE.", "o carteiro, o padeiro",
         "Quem", "[entregava as cartas|sovava a massa]"),
    ],
    "fr": [
        ("jug-tap", "La carafe ne passait pas sous la fontaine parce qu'{elle} PREDICATE.", "la carafe, la fontaine",
         "Laquelle", "était trop [haute|basse]"),
        ("hammer-hand", "Nina a tendu le marteau à Petra parce qu'{elle} PREDICATE.", "Nina, Petra", "Qui",
         "[n'en avait plus besoin|l'avait demandé]"),
        ("twins-wait", "Les jumeaux ont attendu les cousins parce qu'{ils} PREDICATE.", "les jumeaux, les cousins",
         "Lesquels", "[étaient arrivés tôt|avaient raté le bus]"),
        ("keeper-striker", "Le gardien a regardé l'attaquant, puis {il} PREDICATE.", "le gardien, l'attaquant", "Qui",
         "a [plongé|tiré]"),
        ("box-lamp", "La boîte ne pouvait pas contenir la lampe parce qu'{elle} PREDICATE.", "la boîte, la lampe",
         "Laquelle", "était trop [petite|grande]"),
        ("postman-baker", "Le facteur a salué le boulanger pendant qu'{il} PREDICATE.", "le facteur, le boulanger",
         "Qui", "[distribuait le courrier|sortait le pain du four]"),
    ],
    "zh": [
        ("jug-tap", "水壶放不到水龙头下面，因为{它}PREDICATE。", "水壶, 水龙头", "什么", "太[高|低]了"),
        ("hammer-hand", "小宁把锤子递给了阿珍，因为{她}PREDICATE。", "小宁, 阿珍", "谁", "[用完了|正要用]"),
        ("pupils-wait", "学生们等了老师们很久，因为{他们}PREDICATE。", "学生们, 老师们", "谁", "[来得太早|迟到了]"),
        ("keeper-striker", "守门员盯着前锋，接着{他}PREDICATE。", "守门员, 前锋", "谁", "[扑了出去|起脚射门]"),
        ("box-lamp", "盒子装不下那盏台灯，因为{它}PREDICATE。", "盒子, 那盏台灯", "什么", "太[小|大]了"),
        ("postman-baker", "邮递员向面包师挥手，那时{他}PREDICATE。", "邮递员, 面包师", "谁", "正在[送信|揉面]"),
    ],
}  # fmt: skip


def _build(language, written):
    name, text, candidates, asked, predicate = written
    candidates = candidates.split(", ")
    space, question_mark, stop = ("", "？", "。") if language == "zh" else (" ", "?", ".")
    entry = {
        "id": name,
        "text": text.replace("PREDICATE", predicate),
        "candidates": candidates,
        "answers": [0, 1],
        "question": asked + space + predicate + question_mark,
        "hypotheses": [c[0].upper() + c[1:] + space + predicate + stop for c in candidates],
    }
    return parse_schema(entry, function_words(language))


@cache
def own(language):
    """The six schemas written here."""
    return [_build(language, written) for written in _WRITTEN[language]]


@cache
def parallel(language):
    """Six more, the same in every language, without their variants, which rules do not look at."""
    return [replace(schema, variants=()) for schema in six(language).schemas]


def good_schemas():
    """Forty-eight pairs of a language and a schema that no rule has anything to say against."""
    return [(language, schema) for language in LANGUAGES for schema in (*own(language), *parallel(language))]


def good_collections():
    """The same, a collection a language."""
    schemas = good_schemas()
    return [collection_of(language, [s for of, s in schemas if of == language]) for language in LANGUAGES]


def collection_of(language, schemas):
    """A collection of these schemas."""
    return Collection(name="tried", language=language, schemas=tuple(schemas))


def with_items(schema, spoil):
    """The schema with its items spoilt by a function."""
    return replace(schema, items=tuple(spoil(item) for item in schema.items))


def with_second_item(schema, spoil):
    """The schema with only its second item spoilt."""
    first, second = schema.items
    return replace(schema, items=(first, spoil(second)))


def put(item, span, surface):
    """The item with other words in place of a span; marks after it move along, and those around it grow."""
    shift = len(surface) - (span.end - span.start)
    text = item.text[: span.start] + surface + item.text[span.end :]

    def moved(mark):
        start = mark.start + shift if mark.start >= span.end and mark != span else mark.start
        return Span(start, mark.end + shift if mark.end >= span.end else mark.end)

    return replace(
        item,
        text=text,
        pronoun=moved(item.pronoun),
        segment=tuple(moved(place) for place in item.segment),
        candidates=tuple(replace(c, mentions=tuple(moved(m) for m in c.mentions)) for c in item.candidates),
        phrase=None,
        readings=(),
    )


def one(text, candidates, answers=(0, 1), language="en", **more):
    """A collection of one schema."""
    entry = {"id": "one", "text": text, "candidates": candidates, "answers": list(answers), **more}
    return collection_of(language, [parse_schema(entry, function_words(language))])
