"""A perturbation: the text in quotation marks, which changes nothing about the answer."""

from winoglot.perturb.base import marked_text, variant_of
from winoglot.schemas.spans import Edit, Span


def perturb(item):
    text, _ = marked_text(item)
    marks = [Edit(Span(0, 0), "“"), Edit(Span(len(text), len(text)), "”")]
    return variant_of(item, "quoted", "keeps", marks, question=item.question)
