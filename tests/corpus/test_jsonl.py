import json

import pytest

from winoglot.corpus.article import Article
from winoglot.corpus.jsonl import articles
from winoglot.corpus.stretches import Stretch
from winoglot.errors import InputError


def read(*lines, tokenised=False):
    data = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines).encode()
    return list(articles(Stretch("a.jsonl", 11, data), tokenised=tokenised))


def test_text_title_and_ids_are_read():
    assert read(
        {"text": "Chove.\nMuito.", "title": "Chuva", "id": 7, "revision": None, "url": "u"}, "", {"text": "b"}
    ) == [
        Article("Chuva", "Chove.\nMuito.", "7"),
        Article("", "b"),
    ]


def test_tokens_may_be_one_list_or_one_a_sentence():
    assert read({"tokens": ["Chove", "."]}, tokenised=True)[0].text == "Chove ."
    assert read({"tokens": [["Chove", "."], ["Sim"]]}, tokenised=True)[0].text == "Chove .\nSim"
    assert read({"text": "Chove ."}, tokenised=True)[0].text == "Chove ."


@pytest.mark.parametrize(
    ("line", "tokenised", "message"),
    [
        ("{", False, "not JSON"),
        ("[1]", False, "not an object"),
        ({"body": "x"}, False, "no text; the keys are 'body'"),
        ({"text": 3}, False, "a number where text belongs"),
        ({"tokens": ["a"]}, False, "Add --tokenised"),
        ({"tokens": "a b"}, True, "no list"),
        ({"tokens": ["10 000"]}, True, "'10 000' is not a token"),
        ({"tokens": [["a"], "b"]}, True, "mixed"),
    ],
)
def test_a_line_that_is_no_article_is_named(line, tokenised, message):
    with pytest.raises(InputError, match=message) as caught:
        read({"text": "fine", "tokens": ["fine"]}, line, tokenised=tokenised)
    assert (caught.value.file, caught.value.line) == ("a.jsonl", 12)
