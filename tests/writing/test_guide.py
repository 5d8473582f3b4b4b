import re

from transcripts import ROOT
from winoglot.languages.base import function_words
from winoglot.report.columns import language_name


def test_the_guide_names_the_languages_in_which_mentions_are_found_in_other_forms():
    page = (ROOT / "docs" / "write.md").read_text(encoding="utf-8")
    said = re.search(r"It knows the determiners and contractions of (.+?)\. In Japanese", page, re.DOTALL).group(1)
    folders = (ROOT / "src" / "winoglot" / "languages").glob("*/__init__.py")
    words = {path.parent.name: function_words(path.parent.name) for path in folders}
    known = {language_name(code) for code, known in words.items() if known.determiners or known.inflected}
    assert set(re.findall(r"[A-Z]\w+", said)) == known
