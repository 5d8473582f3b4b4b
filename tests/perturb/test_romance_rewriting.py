"""Portuguese and French variants by rule: what is produced, proposed and refused, on sentences of our own."""

from dataclasses import replace
from functools import cache

import pytest

import winoglot as wg
from cases import for_each
from items import schema
from winoglot import registry
from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.perturb.base import Context, Proposed, derived_variants, with_variants
from winoglot.schemas.model import Collection

KINDS = ("adverb", "gender", "number", "relative", "synonym", "tense", "voice")
BUNDLED = ("winoglot-pt", "winoglot-fr")


def made(kind, language, text, candidates):
    """The variants of a schema, or what is proposed."""
    one = schema(text, candidates, language)
    whole = Collection(name="tests", language=language, schemas=(one,))
    return derived_variants(one, kind, registry.load("perturbations", kind).perturb, Context(whole))


def texts(found):
    """The text of each variant, with its pronoun marked."""
    return ["{}{{{}}}{}".format(*variant.parts) for variant in found]


@for_each(
    ("kind", "language", "text", "candidates", "expected"),
    [
        (
            "synonym",
            "pt",
            "Rita ligou para Vera porque {ela} estava [triste|ocupada].",
            ["Rita", "Vera"],
            [
                "Manuela ligou para Paula porque {ela} estava triste.",
                "Manuela ligou para Paula porque {ela} estava ocupada.",
            ],
        ),
        (
            "synonym",
            "pt",
            "O carro bateu na moto, e {ela} ficou amassada.",
            ["o carro", "a moto"],
            ["O automóvel bateu na motocicleta, e {ela} ficou amassada."],
        ),
        (
            "synonym",
            "fr",
            "Le roi a remercié l'enseignant, car {il} était content.",
            ["le roi", "l'enseignant"],
            ["Le souverain a remercié le professeur, car {il} était content."],
        ),
        (
            "synonym",
            "fr",
            "Le roi parle au professeur de l'accusé, car {il} est content.",
            ["le roi", "le professeur"],
            ["Le souverain parle à l'enseignant de l'accusé, car {il} est content."],
        ),
        (
            "synonym",
            "pt",
            "A cliente viu a motorista, e {ela} riu.",
            ["a cliente", "a motorista"],
            ["A freguesa viu a condutora, e {ela} riu."],
        ),
        (
            "gender",
            "fr",
            "La vieille avocate a vu la belle princesse, et {elle} a ri.",
            ["la vieille avocate", "la belle princesse"],
            ["Le vieil avocat a vu le beau prince, et {il} a ri."],
        ),
        (
            "number",
            "fr",
            "Les vieux avocats ont vu les nouveaux élèves, et {ils} se sont perdus.",
            ["les vieux avocats", "les nouveaux élèves"],
            ["Le vieil avocat a vu le nouvel élève, et {il} s'est perdu."],
        ),
        (
            "number",
            "pt",
            "Rui deixou Caio sair porque {ele} [tinha pressa|queria paz].",
            ["Rui", "Caio"],
            [
                "Rui e Flávio deixaram Caio e Alberto saírem porque {eles} tinham pressa.",
                "Rui e Flávio deixaram Caio e Alberto saírem porque {eles} queriam paz.",
            ],
        ),
        (
            "relative",
            "pt",
            "A Rita disse à Vera que {ela} estava cansada.",
            ["a Rita", "a Vera"],
            ["A Rita, que fazia aniversário em abril, disse à Vera que {ela} estava cansada."],
        ),
        (
            "relative",
            "pt",
            "O carro bateu na moto, e {ela} ficou amassada.",
            ["o carro", "a moto"],
            ["O carro, que tinha vindo de outra cidade, bateu na moto, e {ela} ficou amassada."],
        ),
        (
            "gender",
            "pt",
            "A Rita disse à Vera que {ela} estava [cansada|feliz].",
            ["a Rita", "a Vera"],
            ["O Flávio disse ao Marcos que {ele} estava cansado.", "O Flávio disse ao Marcos que {ele} estava feliz."],
        ),
        (
            "gender",
            "pt",
            "O médico não ouviu o advogado, e {ele} ficou bravo.",
            ["o médico", "o advogado"],
            ["A médica não ouviu a advogada, e {ela} ficou brava."],
        ),
        (
            "gender",
            "fr",
            "Luc a parlé à Marc ; {il} est sorti furieux.",
            ["Luc", "Marc"],
            ["Éloïse a parlé à Karine ; {elle} est sortie furieuse."],
        ),
        (
            "number",
            "pt",
            "A Rita disse à Vera que {ela} estava [cansada|feliz].",
            ["a Rita", "a Vera"],
            [
                "A Rita e a Manuela disseram à Vera e à Paula que {elas} estavam cansadas.",
                "A Rita e a Manuela disseram à Vera e à Paula que {elas} estavam felizes.",
            ],
        ),
        (
            "number",
            "pt",
            "O gato viu o cão e fugiu, porque {ele} é medroso.",
            ["o gato", "o cão"],
            ["Os gatos viram os cães e fugiram, porque {eles} são medrosos."],
        ),
        (
            "number",
            "pt",
            "As caixas caíram das mesas porque {elas} eram frágeis.",
            ["as caixas", "as mesas"],
            ["A caixa caiu da mesa porque {ela} era frágil."],
        ),
        (
            "number",
            "fr",
            "Anne a prêté son vélo à Zoé parce qu'{elle} était pressée.",
            ["Anne", "Zoé"],
            ["Anne et Éloïse ont prêté leur vélo à Zoé et à Karine parce qu'{elles} étaient pressées."],
        ),
        (
            "number",
            "fr",
            "Luc a demandé à Marc de {l'}aider.",
            ["Luc", "Marc"],
            ["Luc et Grégoire ont demandé à Marc et à Alain de {les} aider."],
        ),
        (
            "adverb",
            "pt",
            "Rita vendeu a moto a Vera porque {ela} precisava de dinheiro.",
            ["Rita", "Vera"],
            ["Rita finalmente vendeu a moto a Vera porque {ela} precisava de dinheiro."],
        ),
        (
            "adverb",
            "fr",
            "Luc a vendu la moto à Marc parce qu'{il} avait besoin d'argent.",
            ["Luc", "Marc"],
            ["Luc a finalement vendu la moto à Marc parce qu'{il} avait besoin d'argent."],
        ),
    ],
)
def test_rules_produce_variants(kind, language, text, candidates, expected):
    found = made(kind, language, text, candidates)
    assert not isinstance(found, Proposed), found.reason
    assert texts(found) == expected


@for_each(
    ("kind", "language", "text", "names", "expected"),
    [
        (
            "number", "pt", "Rita empurrou Vera, e {ela} ficou toda suja, molhada e triste.", "Rita Vera",
            "Rita e Manuela empurraram Vera e Paula, e {elas} ficaram todas sujas, molhadas e tristes.",
        ),
        (
            "gender", "pt", "Cansado, Rui disse a Caio que {ele} mesmo estava cansado de ser criticado.", "Rui Caio",
            "Cansada, Manuela disse a Vera que {ela} mesma estava cansada de ser criticada.",
        ),
        (
            "number", "pt", "A guarda pediu a Rui que saísse, mas Caio disse que {ele} podia ficar.", "Rui Caio",
            "A guarda pediu a Rui e Flávio que saíssem, mas Caio e Alberto disseram que {eles} podiam ficar.",
        ),
        (
            "number", "fr", "Le chien que tenait Luc a mordu Marc, et {il} a crié.", "Luc Marc",
            "Le chien que tenaient Luc et Grégoire a mordu Marc et Alain, et {ils} ont crié.",
        ),
        (
            "gender", "fr", "Luc a demandé à Marc s'{il} était prêt.", "Luc Marc",
            "Éloïse a demandé à Karine si {elle} était prête.",
        ),
        (
            "gender", "fr", "Anne a lu le texte de Zoé parce qu'{elle} était exigeante.", "Anne Zoé",
            "Grégoire a lu le texte de Raphaël parce qu'{il} était exigeant.",
        ),
        (
            "number", "fr", "Luc a battu Marc, mais {il} était le plus jeune.", "Luc Marc",
            "Luc et Grégoire ont battu Marc et Alain, mais {ils} étaient les plus jeunes.",
        ),
        (
            "adverb", "pt", "Rita não viu Vera porque {ela} saiu.", "Rita Vera",
            "Rita simplesmente não viu Vera porque {ela} saiu.",
        ),
        (
            "adverb", "pt", "Rita achou Vera em dez segundos porque {ela} riu.", "Rita Vera",
            "Rita realmente achou Vera em dez segundos porque {ela} riu.",
        ),
        (
            "adverb", "fr", "Luc n'a pas vu Marc parce qu'{il} dormait.", "Luc Marc",
            "Luc n'a tout simplement pas vu Marc parce qu'{il} dormait.",
        ),
    ],
)  # fmt: skip
def test_every_agreeing_word_of_a_chain_changes_and_adverbs_fit(kind, language, text, names, expected):
    found = made(kind, language, text, names.split())
    assert not isinstance(found, Proposed), found.reason
    assert texts(found) == [expected]


@for_each(
    ("kind", "language", "text", "names", "expected"),
    [
        (
            "gender", "fr", "Luc a parlé à son frère Marc parce qu'{il} était triste.", "Luc Marc",
            "Éloïse a parlé à sa sœur Karine parce qu'{elle} était triste.",
        ),
        (
            "number", "pt", "Rita falou com Vera, mas as duas brigaram porque {ela} riu.", "Rita Vera",
            "Rita e Manuela falaram com Vera e Paula, mas as quatro brigaram porque {elas} riram.",
        ),
        (
            "number", "pt", "Rui pegou o ônibus e Caio o trem, e {ele} chegou antes.", "Rui Caio",
            "Rui e Flávio pegaram o ônibus, e Caio e Alberto o trem, e {eles} chegaram antes.",
        ),
        (
            "relative", "pt", "As fotos que Rita tirou de Vera sumiram, e {ela} riu.", "Rita Vera",
            "As fotos que Rita, que fazia aniversário em abril, tirou de Vera sumiram, e {ela} riu.",
        ),
    ],
)  # fmt: skip
def test_drafts_show_what_is_likely(kind, language, text, names, expected):
    found = made(kind, language, text, names.split())
    assert isinstance(found, Proposed)
    assert texts(found.variants) == [expected]


@for_each(
    ("kind", "language", "text", "candidates", "doubt"),
    [
        (
            "gender",
            "fr",
            "Anne a vu l'amie de Zoé, et {elle} a ri.",
            ["Anne", "Zoé"],
            "is 'amie' one of the candidates?",
        ),
        (
            "gender",
            "pt",
            "Ana viu o tio de Rita, e {ela} riu.",
            ["Ana", "Rita"],
            "may the pronoun then refer to 'tio'?",
        ),
        (
            "number",
            "pt",
            "Rui deu o livro dele a Caio, e {ele} riu.",
            ["Rui", "Caio"],
            "does 'dele' refer to a candidate?",
        ),
        (
            "number",
            "pt",
            "Rita viu Vera com o tio quando saiu, e {ela} riu.",
            ["Rita", "Vera"],
            "the subject of 'saiu'?",
        ),
        ("number", "fr", "Luc a vu le frère de Marc, et il a ri ; {il} est gai.", ["Luc", "Marc"], "does 'il' refer"),
    ],
)
def test_what_is_unsure_is_proposed(kind, language, text, candidates, doubt):
    found = made(kind, language, text, candidates)
    assert isinstance(found, Proposed)
    assert doubt in found.reason


@for_each(
    ("kind", "language", "text", "candidates", "expected"),
    [
        (
            "tense",
            "pt",
            "Rita vendeu a moto a Vera porque {ela} precisava de dinheiro.",
            ["Rita", "Vera"],
            "Rita vende a moto a Vera porque {ela} precisa de dinheiro.",
        ),
        (
            "tense",
            "pt",
            "O gato tinha visto o cão, e {ele} fugia.",
            ["o gato", "o cão"],
            "O gato viu o cão, e {ele} foge.",
        ),
        (
            "tense",
            "pt",
            "A mala não cabe no carro porque {ela} é grande.",
            ["a mala", "o carro"],
            "A mala não cabia no carro porque {ela} era grande.",
        ),
        (
            "tense",
            "fr",
            "Luc a vendu la moto à Marc parce qu'{il} n'avait pas payé.",
            ["Luc", "Marc"],
            "Luc vend la moto à Marc parce qu'{il} n'a pas payé.",
        ),
        (
            "tense",
            "fr",
            "Anne s'est levée quand Zoé l'a vue, et {elle} est sortie.",
            ["Anne", "Zoé"],
            "Anne se lève quand Zoé la voit, et {elle} sort.",
        ),
        (
            "voice",
            "pt",
            "A Rita chamou a Vera porque {ela} estava triste.",
            ["a Rita", "a Vera"],
            "A Vera foi chamada pela Rita porque {ela} estava triste.",
        ),
        (
            "voice",
            "pt",
            "Rui vendeu a Caio uma moto, e {ele} riu.",
            ["Rui", "Caio"],
            "Uma moto foi vendida por Rui a Caio, e {ele} riu.",
        ),
        (
            "voice",
            "pt",
            "Rui abriu a porta e chamou Caio; {ele} riu.",
            ["Rui", "Caio"],
            "A porta foi aberta por Rui, que chamou Caio; {ele} riu.",
        ),
        (
            "voice",
            "fr",
            "Anne n'a pas invité l'amie de Zoé, mais {elle} est venue.",
            ["Anne", "Zoé"],
            "L'amie de Zoé n'a pas été invitée par Anne, mais {elle} est venue.",
        ),
        (
            "voice",
            "pt",
            "O gato foi perseguido pelo cão até {ele} cansar.",
            ["o gato", "o cão"],
            "O cão perseguiu o gato até {ele} cansar.",
        ),
        (
            "voice",
            "pt",
            "O bule foi levado ao bar com o copo; {ele} era caro.",
            ["o bule", "o copo"],
            "Levaram o bule ao bar com o copo; {ele} era caro.",
        ),
        (
            "voice",
            "pt",
            "Rui saiu com Caio porque {ele} foi demitido.",
            ["Rui", "Caio"],
            "Rui saiu com Caio porque {o} demitiram.",
        ),
        (
            "voice",
            "pt",
            "Eu coloquei o livro na caixa, pois {ela} é nova.",
            ["o livro", "a caixa"],
            "O livro foi colocado na caixa, pois {ela} é nova.",
        ),
        (
            "voice",
            "pt",
            "Rui mora com Caio, e o médico {o} chamou.",
            ["Rui", "Caio"],
            "Rui mora com Caio, e {ele} foi chamado pelo médico.",
        ),
        (
            "voice",
            "fr",
            "Luc vit avec Marc, mais {il} a vendu la moto.",
            ["Luc", "Marc"],
            "Luc vit avec Marc, mais la moto a été vendue par {lui}.",
        ),
        (
            "voice",
            "fr",
            "Anne parle à Zoé, puis on {lui} a donné le livre.",
            ["Anne", "Zoé"],
            "Anne parle à Zoé, puis le livre {lui} a été donné.",
        ),
        (
            "voice",
            "fr",
            "Luc vit avec Marc parce qu'{il} a été renvoyé.",
            ["Luc", "Marc"],
            "Luc vit avec Marc parce qu'on {l'}a renvoyé.",
        ),
    ],
)
def test_tense_and_voice_are_proposed(kind, language, text, candidates, expected):
    found = made(kind, language, text, candidates)
    assert isinstance(found, Proposed)
    assert texts(found.variants) == [expected]


@for_each(
    ("kind", "language", "text", "candidates", "reason"),
    [
        ("synonym", "pt", "O jarro quebrou o prato; {ele} caiu.", ["o jarro", "o prato"], "no synonym of 'jarro'"),
        ("voice", "pt", "Cansada, Ana abriu a porta a Rita, e {ela} riu.", ["Ana", "Rita"], "may lean on the subject"),
        ("gender", "pt", "A faca riscou a mesa; {ela} é nova.", ["a faca", "a mesa"], "no noun of the other gender"),
        ("gender", "pt", "Ana disse a Rita que {ela} estava grávida.", ["Ana", "Rita"], "'grávida' may depend on"),
        ("relative", "pt", "A árvore alta caiu no muro; {ela} é velha.", ["a árvore", "o muro"], "goes on"),
        ("number", "pt", "O leite molhou o pão; {ele} esfriou.", ["o leite", "o pão"], "'leite' is not counted"),
        ("number", "pt", "Os gatos viram o cão; {ele} saiu.", ["os gatos", "o cão"], "not of one number"),
        ("number", "pt", "O gato de Rui viu o de Caio; {ele} riu.", ["o gato de Rui", "o de Caio"], "not spoken"),
        ("adverb", "fr", "Anne n'a cessé de servir Zoé ; {elle} rit.", ["Anne", "Zoé"], "no main verb is listed"),
        ("adverb", "pt", "Rita nunca viu Vera; {ela} quase não sai.", ["Rita", "Vera"], "no main verb is listed"),
        ("tense", "pt", "Eu vi Rita quando Vera saiu, e {ela} riu.", ["Rita", "Vera"], "verb of 'eu'"),
        ("voice", "fr", "Luc dort et Marc rit ; {il} est gai.", ["Luc", "Marc"], "not a verb with a plain passive"),
    ],
)
def test_what_the_rules_cannot_do_is_refused(kind, language, text, candidates, reason):
    with pytest.raises(NotDerivedError, match=reason):
        made(kind, language, text, candidates)


@for_each("language", ["pt", "fr"])
def test_synonyms_keep_the_gender_and_counterparts_change_it(language):
    table = lexicon(language, "vocabulary")
    genders = {noun: shown.gender for noun, shown in table.features().items()}
    for noun, synonyms in table.values("synonym").items():
        assert noun not in synonyms
        assert all(genders[one] in (genders[noun], "common") for one in synonyms), noun
    for noun, others in table.values("counterpart").items():
        assert all({genders[noun], genders[one]} == {"masculine", "feminine"} for one in others), noun


def is_whole(text, place):
    """Whether a place begins and ends where words do."""
    edges = (text[place.start - 1 : place.start + 1], text[place.end - 1 : place.end + 1])
    is_cut = any(len(edge) == 2 and edge.isalpha() for edge in edges)
    return not is_cut and place.of(text) == place.of(text).strip().lstrip("'’")


@cache
def bundled(name):
    """A bundled collection without its variants."""
    whole = wg.load(name)
    return replace(whole, schemas=tuple(replace(one, variants=(), impossible=()) for one in whole.schemas))


@for_each(("name", "kind"), [(name, kind) for name in BUNDLED for kind in KINDS])
def test_variants_of_the_bundled_collections_hold_together(name, kind):
    whole = replace(bundled(name), schemas=bundled(name).schemas[::8])
    perturb = registry.load("perturbations", kind).perturb
    among = {one.id for one in whole.schemas}
    found = with_variants(whole, kind, perturb, among, seed=3)
    again = with_variants(whole, kind, perturb, among, seed=3)
    assert found.collection == again.collection
    proposed = [(found.proposed[one.id].variants, one) for one in whole.schemas if one.id in found.proposed]
    for variants, one in (*((made.variants, made) for made in found.collection.schemas), *proposed):
        for variant, item in zip(variants, one.items, strict=False):
            assert variant.text != item.text
            assert variant.pronoun.of(variant.text)
            assert [bool(place.of(variant.text)) for place in variant.segment] == [
                bool(place.of(item.text)) for place in item.segment
            ]
            for place in (variant.pronoun, *(one for found in variant.candidates for one in found.mentions)):
                assert is_whole(variant.text, place), place.of(variant.text)
            for candidate in variant.candidates:
                noun = candidate.text.split()[-1].split("'")[-1]
                assert all(noun in mention.of(variant.text) for mention in candidate.mentions)
