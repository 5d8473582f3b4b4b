import re

from transcripts import ROOT
from winoglot.languages.base import function_words

NAMES = {"en": "English", "es": "Spanish", "fr": "French", "ja": "Japanese", "pt": "Portuguese", "ru": "Russian"}
NAMES |= {"de": "German", "zh": "Chinese"}


def test_the_guide_names_the_languages_whose_determiners_are_known():
    page = (ROOT / "docs" / "write.md").read_text(encoding="utf-8")
    said = re.search(r"It knows the determiners and contractions of ([^;]+);", page).group(1)
    folders = (ROOT / "src" / "winoglot" / "languages").glob("*/__init__.py")
    known = {NAMES[path.parent.name] for path in folders if function_words(path.parent.name).determiners}
    assert set(re.findall(r"[A-Z]\w+", said)) == known
