"""Good schemas in four languages, and ways to spoil them."""

from dataclasses import replace

from six_schemas import LANGUAGES, six
from winoglot.languages.base import function_words
from winoglot.schemas.model import Collection
from winoglot.schemas.notation import parse_schema
from winoglot.schemas.spans import Span

# text, candidates, answers, tags
_WRITTEN = {
    "en": [
        (
            "Tomas held the ladder for Bruno while {he} [painted the ceiling|kept it from slipping].",
            "Tomas, Bruno",
            [1, 0],
        ),
        (
            "Marta lent Elisa the umbrella because {she} [was staying indoors|had to walk home in the rain].",
            "Marta, Elisa",
            [0, 1],
        ),
        (
            "The kite dragged the toy boat across the pond because {it} was [caught by the wind|so light].",
            "the kite, the toy boat",
            [0, 1],
        ),
        (
            "Nadia showed Vera the way to the clinic because {she} had [been there before|never been there].",
            "Nadia, Vera",
            [0, 1],
        ),
        (
            "The bread took longer to bake than the pie because {it} was [thicker|thinner].",
            "the bread, the pie",
            [0, 1],
        ),
    ],
    "pt": [
        (
            "Tomás segurou a escada para Bruno enquanto {ele} [pintava o teto|cuidava da segurança].",
            "Tomás, Bruno",
            [1, 0],
        ),
        (
            "Marta emprestou o casaco a Elisa porque {ela} [ia ficar em casa|tinha de voltar a pé no frio].",
            "Marta, Elisa",
            [0, 1],
        ),
        (
            "A pipa puxou a lancha de brinquedo pelo lago porque {ela} [pegou um vento forte|pesava pouco].",
            "a pipa, a lancha de brinquedo",
            [0, 1],
        ),
        (
            "Nádia mostrou a Vera o caminho da clínica porque {ela} [já tinha|nunca tinha] estado lá.",
            "Nádia, Vera",
            [0, 1],
        ),
        ("O pão demorou mais para assar do que o bolo porque {ele} era mais [grosso|fino].", "o pão, o bolo", [0, 1]),
    ],
    "fr": [
        (
            "Thomas tenait l'échelle pour Bruno pendant qu'{il} [peignait le plafond|veillait à sa sécurité].",
            "Thomas, Bruno",
            [1, 0],
        ),
        (
            "Marthe a prêté le parapluie à Élise parce qu'{elle} [restait à la maison|devait rentrer à pied].",
            "Marthe, Élise",
            [0, 1],
        ),
        (
            "La tarte a cuit plus longtemps que la brioche car {elle} était plus [épaisse|mince].",
            "la tarte, la brioche",
            [0, 1],
        ),
        (
            "Nadia a montré à Véra le chemin de la clinique, puisqu'{elle} [le connaissait|l'ignorait].",
            "Nadia, Véra",
            [0, 1],
        ),
        ("La corde a mieux tenu que la ficelle, tant {elle} était [solide|usée].", "la corde, la ficelle", [0, 1]),
    ],
    "zh": [
        ("建国扶着梯子，大勇站在上面，因为{他}[要刷天花板|怕梯子会滑]。", "建国, 大勇", [1, 0]),
        ("玛莎把雨伞借给了小丽，因为{她}[今天不出门|要冒雨走回家]。", "玛莎, 小丽", [0, 1]),
        ("面包比馅饼烤得久，因为{它}更[厚|薄]。", "面包, 馅饼", [0, 1]),
        ("娜娜给小薇指了去诊所的路，因为{她}[以前去过|从来没去过]那里。", "娜娜, 小薇", [0, 1]),
        ("麻绳比棉线耐用，因为{它}[编得很紧|太容易断]。", "麻绳, 棉线", [0, 1]),
    ],
}


def good_schemas(language):
    """Eleven good schemas: six that are parallel and some more."""
    written = [
        parse_schema(
            {
                "id": f"more-{number}",
                "text": text,
                "candidates": candidates.split(", "),
                "answers": answers,
                "tags": ["switchable", "subject", "physical"],
            },
            function_words(language),
        )
        for number, (text, candidates, answers) in enumerate(_WRITTEN[language])
    ]
    return [*six(language).schemas, *written]


ALL = [(language, schema) for language in LANGUAGES for schema in good_schemas(language)]


def collection_of(language, schemas, name="made"):
    return Collection(name=name, language=language, schemas=tuple(schemas))


def good_collections():
    return [collection_of(language, good_schemas(language)) for language in LANGUAGES]


def with_items(schema, change, new_id=None):
    """The schema with each item changed; its variants are left out."""
    new_id = new_id or schema.id
    items = [
        replace(change(item), id=f"{new_id}.{number}", schema_id=new_id, parallel_id="")
        for number, item in enumerate(schema.items)
    ]
    return replace(schema, id=new_id, items=tuple(items), variants=(), parallel_id="")


def single(schema, answer, new_id):
    """Only the schema's first item, with the answer given."""
    item = replace(schema.items[0], id=f"{new_id}.0", schema_id=new_id, answer=answer, parallel_id="")
    return replace(schema, id=new_id, items=(item,), variants=(), parallel_id="")


def insert(item, at, words, *, into_segment=False):
    """The item with words put in at a position; spans behind it move, and a segment may take them in."""

    def moved(span, *, grows=False):
        by = len(words)
        if span.start >= at and not (grows and span.end == at):
            return Span(span.start + by, span.end + by)
        return Span(span.start, span.end + by) if span.end > at or grows else span

    candidates = [replace(c, mentions=tuple(map(moved, c.mentions))) for c in item.candidates]
    segment = [moved(place, grows=into_segment and place.end == at) for place in item.segment]
    return replace(
        item,
        text=item.text[:at] + words + item.text[at:],
        pronoun=moved(item.pronoun),
        candidates=tuple(candidates),
        segment=tuple(segment),
        readings=(),
    )
