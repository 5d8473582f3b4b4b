"""Which pronoun is meant in a sentence that marks none: by the snippet, the candidates and the role asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import for_each, listed
from winoglot.errors import InputError
from winoglot.formats.importing.pronoun_choice import agreeing_pronouns, choose_pronoun
from winoglot.formats.importing.snippets import what_is_asked
from winoglot.schemas.spans import Span

# Language, sentence with its pronoun in braces, snippet, candidates.
SENTENCES = [
    # Other pronouns can't be meant: expletives, y, en, s', articles.
    (
        "fr",
        "Il y a deux ans, Rose a prêté sa tente à Anne parce qu'{elle} partait.",
        "Qui partait ?",
        ("Rose", "Anne"),
    ),
    (
        "fr",
        "Le plombier a rappelé le client, car {il} en avait besoin.",
        "Qui en avait besoin ?",
        ("le plombier", "le client"),
    ),
    ("fr", "Sophie évite Inès, car {elle} s'y plaint toujours.", "Qui se plaint toujours ?", ("Sophie", "Inès")),
    (
        "fr",
        "La lampe est dans la caisse, mais {elle} est trop haute.",
        "Qu'est-ce qui est trop haut ?",
        ("la lampe", "la caisse"),
    ),
    ("en", "It was late when Carol rang Diane, as {she} had overslept.", "Who had overslept?", ("Carol", "Diane")),
    ("en", "It rained when Al met Bert, and {he} got wet.", "he got wet", ("Al", "Bert")),
    ("pt", "A Rita ligou à Sónia porque {ela} se atrasou.", "Quem se atrasou?", ("a Rita", "a Sónia")),
    ("zh", "老师批评了学生，其他人都看着，因为{他}迟到了。", "谁迟到了？", ("老师", "学生")),
    ("ja", "社長は部長に電話したが、自分の席に{彼}はいなかった。", "席にいなかったのは誰か？", ("社長", "部長")),
    # The role that is asked for.
    (
        "fr",
        "Le tapis est plus large que le couloir : il faudra {le} couper.",
        "Qu'est-ce qu'il faudra couper ?",
        ("le tapis", "le couloir"),
    ),
    ("fr", "Jeanne a aidé Irène, qui {l'}a remerciée.", "Qui Irène a-t-elle remercié ?", ("Jeanne", "Irène")),
    ("fr", "Le maire a vu le juge ; on {l'}a salué quand il partait.", "Qui a-t-on salué ?", ("le maire", "le juge")),
    ("fr", "Marc craint Louis depuis qu'{il} l'a battu aux échecs.", "Qui a battu l'autre ?", ("Marc", "Louis")),
    (
        "fr",
        "Quand Julien a cassé le vase de Hugo, {sa} mère a crié.",
        "La mère de qui a crié ?",
        ("Julien", "Hugo"),
    ),
    ("en", "Oscar told Ned that his uncle had praised {him}.", "Whom had the uncle praised?", ("Oscar", "Ned")),
    ("en", "Ruth met Nancy as she brushed {her} coat.", "Whose coat was being brushed?", ("Ruth", "Nancy")),
    (
        "en",
        "The farmer sold the mule and the cart when he needed {it} least.",
        "What did he need least?",
        ("the mule", "the cart"),
    ),
    ("pt", "A mesa não cabe na sala, por isso vamos vendê-{la}.", "O que vamos vender?", ("a mesa", "a sala")),
    ("pt", "O Rui deu ao Nuno o livro que {lhe} pertencia.", "A quem pertencia o livro?", ("o Rui", "o Nuno")),
    ("pt", "Pedro viu Paulo quando a casa {dele} ardeu.", "De quem era a casa que ardeu?", ("Pedro", "Paulo")),
    ("es", "Elena vio a Sara cuando se rompió {su} vaso.", "¿De quién era el vaso?", ("Elena", "Sara")),
    ("es", "La caja no cabe en la maleta; hay que vaciar{la}.", "¿Qué hay que vaciar?", ("la caja", "la maleta")),
    ("ru", "Анна позвонила Ольге, когда {её} поезд опоздал.", "Чей поезд опоздал?", ("Анна", "Ольга")),
    ("ru", "Вера спросила Нину, почему мать {её} ругала.", "Кого ругала мать?", ("Вера", "Нина")),
    ("ru", "Врач позвал гостя, и {ему} дали воды.", "Кому дали воды?", ("врач", "гость")),
    ("zh", "志强骂了建国，因为{他}把他的自行车弄坏了。", "谁把自行车弄坏了？", ("志强", "建国")),
    ("zh", "国栋给立民写信，后来{他的}信丢了。", "谁的信丢了？", ("国栋", "立民")),
    ("zh", "小猫追小狗，于是主人把{它}抱走了。", "主人把什么抱走了？", ("小猫", "小狗")),
    ("ja", "先生は生徒を叱った。{彼}の声が大きかったからだ。", "誰の声が大きかったか？", ("先生", "生徒")),
    ("ja", "母は姉に手紙を書いた。父が{彼女}を心配していたからだ。", "父は誰を心配していたか？", ("母", "姉")),
    ("de", "Peter bat Max, dass man {ihm} hilft.", "Wem soll man helfen?", ("Peter", "Max")),
    ("de", "Es regnete, als Jonas Emil traf, und {sein} Hut wurde nass.", "Wessen Hut wurde nass?", ("Jonas", "Emil")),
    ("de", "Anna rief Lena an, weil {sie} sich langweilte.", "Wer langweilte sich?", ("Anna", "Lena")),
    # Agreement with the candidates.
    (
        "de",
        "Es war spät, und der Koffer drückte den Schrank, weil {er} wackelte.",
        "Was wackelte?",
        ("der Koffer", "der Schrank"),
    ),
    ("en", "The nurses paid Ann before {they} left, so she ran.", "Who left?", ("the nurses", "the pilots")),
    ("fr", "Les chats ont vu Léa, mais {ils} dormaient et elle aussi.", "Qui dormait ?", ("les chats", "les chiens")),
    ("pt", "Os pais ouviram a filha, mas {eles} tinham medo.", "Quem tinha medo?", ("os pais", "os tios")),
    ("ru", "Ящик не влезает в шкаф, потому что {он} слишком большой.", "Что слишком большое?", ("ящик", "шкаф")),
    # What the question keeps is not asked for.
    ("en", "Dan paints up high and Ed below. When they swap, {he} bends.", "Who bends when they swap?", ("Dan", "Ed")),
    # Not spoken, and no spoken pronoun in the same clause.
    ("zh", "玉兰请秀英帮忙，可是{}没有时间。", "谁没有时间？", ("玉兰", "秀英")),
    ("ja", "{}怒っていたので、山羊は鶏を追いかけた。", "怒っていたのは誰ですか？", ("山羊", "鶏")),
    ("ja", "箱は棚に入らない。{}大きすぎるからだ。", "大きすぎるのは何か？", ("箱", "棚")),
    ("pt", "O gato fugiu do cão porque {}estava assustado.", "Quem estava assustado?", ("o gato", "o cão")),
    ("es", "Pedro saludó a Juan porque {}estaba contento.", "¿Quién estaba contento?", ("Pedro", "Juan")),
    ("zh", "一小时后，{他}就开着车走了。国强和永刚都累了。", "谁开着车走了？", ("国强", "永刚")),
    ("ja", "健太は次郎を呼んだ。それで{彼}は急いで来た。", "急いで来たのは誰か？", ("健太", "次郎")),
]


def split(marked):
    start, end = marked.index("{"), marked.index("}") - 1
    return marked.replace("{", "").replace("}", ""), Span(start, end)


@for_each(("language", "marked", "snippet", "candidates"), SENTENCES)
def test_the_snippet_and_the_candidates_show_the_pronoun(language, marked, snippet, candidates):
    text, pronoun = split(marked)
    assert choose_pronoun(text, snippet, candidates, language).pronoun == pronoun
    assert choose_pronoun(text, snippet, candidates[::-1], language).pronoun == pronoun


@listed
def test_what_is_unsure_is_refused_with_a_reason_for_each_pronoun(language, text, snippet, why):
    with pytest.raises(InputError) as caught:
        choose_pronoun(text, snippet, ("Luc", "Max"), language)
    assert why in caught.value.message


@pytest.mark.parametrize(
    ("language", "question", "roles", "animacy", "predicate"),
    [
        ("fr", "Qu'est-ce qui est tombé ?", {"subject"}, "thing", "est tombé"),
        ("fr", "Qu'est-ce que Léa a vu ?", {"object"}, "thing", "Léa a vu"),
        ("fr", "Qui le chien a-t-il mordu ?", {"subject", "object", "after-preposition", "possessive"}, None, None),
        ("fr", "À qui parle-t-elle ?", {"object", "after-preposition", "possessive"}, None, "parle-t-elle"),
        ("en", "Who fell?", {"subject"}, "human", "fell"),
        ("en", "What did Ann see?", {"object", "after-preposition"}, "thing", "did Ann see"),
        ("en", "Whose hat fell?", {"possessive"}, "human", "hat fell"),
        ("pt", "Quem caiu?", {"subject"}, "human", "caiu"),
        ("ru", "Кого он видел?", {"object", "after-preposition"}, "human", "он видел"),
        ("zh", "谁的帽子掉了？", {"possessive"}, None, "帽子掉了"),
        ("ja", "誰を見ましたか？", {"object"}, None, "見ました"),
        ("ja", "来たのは誰ですか？", {"subject", "object", "after-preposition", "possessive"}, None, "来た"),
    ],
)
def test_a_question_word_asks_for_a_role(language, question, roles, animacy, predicate):
    asked = what_is_asked(question, language)
    assert (asked.roles, asked.animacy) == (roles, animacy)
    assert predicate is None or asked.predicate == predicate


@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES))
def test_a_snippet_of_another_sentence_never_leads_outside_the_pronouns(one, other):
    """Whatever the snippet, the choice is a listed pronoun, a zero pronoun of a language that has them, or an error."""
    language, marked, _, candidates = one
    text, _ = split(marked)
    try:
        span = choose_pronoun(text, other[2], candidates, language).pronoun
    except InputError:
        return
    assert span.of(text).casefold() not in {"y", "en", "s'", "se", "c'", "isso", "自己", "自分"}
    assert span.of(text) or language in {"es", "ja", "pt", "zh"}


def test_agreeing_pronouns_are_those_of_both_candidates():
    text = "Ann saw the tram when it passed, and she waved at them."
    assert [span.of(text) for span in agreeing_pronouns(text, ("Ann", "Bea"), "en")] == ["she", "them"]
