"""Passives and relative clauses are recognised: in our own texts, and where a variant brings them in."""

import winoglot as wg
from cases import listed
from winoglot.languages.rewriting import constructions


@listed
def test_constructions_of_a_text(language, text, wanted):
    assert constructions(text, language) == set(wanted)


def test_variants_have_what_their_kind_brings_in():
    collection = wg.load("winoglot-en")
    for kind, name, least in (("voice", "passive", 0.8), ("relative", "relative", 0.95)):
        made = [
            one for one in collection.variants(kind) if name not in constructions(collection[one.variant_of].text, "en")
        ]
        assert sum(name in constructions(one.text, "en") for one in made) >= least * len(made)
