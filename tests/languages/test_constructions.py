"""Passives and relative clauses are recognised: in our own texts, and where a variant brings them in."""

import pytest

import winoglot as wg
from winoglot.languages.rewriting import constructions

TEXTS = {
    "en": [
        ("The letter was written by Ann because she had time.", {"passive"}),
        ("Ann was bored because the film was long.", set()),
        ("The man who lives next door sold the car.", {"relative"}),
        ("Ben forgot who had sold the car.", set()),
        ("Ben heard of the fact that Ann had left.", set()),
        ("The vase that was stolen last night was blue.", {"passive", "relative"}),
    ],
    "pt": [
        ("A carta foi escrita por Ana.", {"passive"}),
        ("Ana estava cansada.", set()),
        ("O vaso que Rita comprou caiu.", {"relative"}),
    ],
    "fr": [
        ("La lettre a été écrite par Anne.", {"passive"}),
        ("Anne est partie hier.", set()),
        ("Le vase qui est tombé était bleu.", {"relative"}),
    ],
    "zh": [("小偷被警察抓住了。", {"passive"}), ("他盖着被子睡觉。", set())],
}


@pytest.mark.parametrize(("language", "text", "wanted"), [(tag, *one) for tag, own in TEXTS.items() for one in own])
def test_a_text(language, text, wanted):
    assert constructions(text, language) == wanted


def test_variants_have_what_their_kind_brings_in():
    collection = wg.load("winoglot-en")
    for kind, name, least in (("voice", "passive", 0.8), ("relative", "relative", 0.95)):
        made = [
            one for one in collection.variants(kind) if name not in constructions(collection[one.variant_of].text, "en")
        ]
        assert sum(name in constructions(one.text, "en") for one in made) >= least * len(made)
