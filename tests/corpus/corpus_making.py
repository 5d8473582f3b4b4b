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

THINGS = "lamp kettle basket violin mirror ladder helmet blanket camera bottle drum tent".split()  # noqa: SIM905
PLACES = ["garden", "kitchen", "attic", "harbour", "market", "library", "stable", "chapel", "tower", "cellar"]
REASONS = ["too heavy for the old man", "covered with wet green paint", "worth more than they had thought"]


def write_text(path, lines=60):
    """A text with an article a line, no two alike."""
    sentences = len(SENTENCES)
    pairs = ((SENTENCES[number % sentences], SENTENCES[(number * 7 + 1) % sentences]) for number in range(lines))
    text = "".join(f"Artigo {number}. {one} {other}\n" for number, (one, other) in enumerate(pairs))
    path.write_text(text, encoding="utf-8")
    return str(path)


def build_small(folder, **settings):
    """A corpus of such a text in `folder/corpus`."""
    source = write_text(folder / "texto.txt")
    return build([source], folder / "corpus", CorpusSettings("pt", **({"held_out": 0.1} | settings)))


def content(folder):
    """Everything in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def write_story(path):
    """A text in which half of the sentences repeat the first noun and half the second; no two are alike."""
    lines = []
    for number, thing in enumerate(THINGS):
        other = THINGS[(number + 5) % len(THINGS)]
        place, reason = PLACES[number % len(PLACES)], REASONS[number % len(REASONS)]
        again = (thing, other)[number % 2]
        lines.append(
            f"On day {number} somebody in our {place} knocked the {thing} against the {other}, "
            f"because the {again} from {place} number {number} was {reason}."
        )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
