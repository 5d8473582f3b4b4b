"""Small corpora for tests."""

from winoglot.corpus.build import build
from winoglot.corpus.settings import CorpusSettings

SENTENCES = [
    "Chove muito em Lisboa.",
    "A Rita pediu ajuda à Clara.",
    "O gato dorme na caixa.",
    "Ninguém viu o gato?",
    "A caixa é pequena demais!",
]


def write_text(path, lines=60):
    """A text with an article a line, no two alike."""
    sentences = len(SENTENCES)
    text = "".join(
        f"Artigo {number}. {SENTENCES[number % sentences]} {SENTENCES[(number * 7 + 1) % sentences]}\n"
        for number in range(lines)
    )
    path.write_text(text, encoding="utf-8")
    return str(path)


def build_small(folder, **settings):
    """A corpus of such a text in `folder/corpus`."""
    source = write_text(folder / "texto.txt")
    return build([source], folder / "corpus", CorpusSettings("pt", **({"held_out": 0.1} | settings)))


def content(folder):
    """Everything in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
