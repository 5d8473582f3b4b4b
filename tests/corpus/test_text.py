import pytest

from winoglot.corpus.stretches import Stretch
from winoglot.corpus.text import articles

TEXT = "Chove\nmuito.\n\n  \nVenta.\r\nE neva.\n"


def read(document, *, tokenised=False, text=TEXT):
    return [
        article.text for article in articles(Stretch("a/chuva.txt", 1, text.encode()), document, tokenised=tokenised)
    ]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("line", ["Chove", "muito.", "Venta.", "E neva."]),
        ("blank-line", ["Chove muito.", "Venta. E neva."]),
        ("file", ["Chove muito.\nVenta. E neva."]),
    ],
)
def test_a_document_is_a_line_a_block_or_a_file(document, expected):
    assert read(document) == expected


def test_lines_of_a_tokenised_document_stay_apart():
    assert read("file", tokenised=True, text="Chove .\nVenta .\n") == ["Chove .\nVenta ."]


def test_a_file_without_text_has_no_articles():
    assert [read(document, text=" \n\n") for document in ("line", "blank-line", "file")] == [[], [], []]


def test_the_title_is_the_name_of_the_file():
    assert next(articles(Stretch("a/chuva.txt", 1, b"x"), "line", tokenised=False)).title == "chuva.txt"
