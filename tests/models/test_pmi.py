from math import log2

import pytest

from cases import listed
from corpus.count_making import counts_of
from winoglot.errors import InputError
from winoglot.languages.base import function_words
from winoglot.models.base import Options
from winoglot.models.pmi import load
from winoglot.runs.evaluate import evaluate
from winoglot.schemas.model import Collection
from winoglot.schemas.notation import parse_schema

TEXT = [
    ["the cow grazed in the meadow", "a cow grazed", "the car rusted", "an old car rusted in the rain", "car grazed"],
    ["the cow slept", "the car stood in the meadow", "rain fell"],
]
ENTRY = {
    "id": "meadow",
    "text": "The cow stood by the car while {it} [grazed|rusted|fell|sang].",
    "candidates": ["the cow", "the car"],
    "answers": [0, 1, 0, 0],
}


def collection(language="en", **more):
    schema = parse_schema({**ENTRY, **more}, function_words(language))
    return Collection(name="field", language=language, schemas=(schema,))


@pytest.fixture
def counts(tmp_path):
    return counts_of(tmp_path, TEXT, window=4).path


def run(counts, more=None, **entry):
    return evaluate(collection(**entry), f"pmi:{counts}", options=Options(more=more or {}))


def choices(run):
    return [outcome.choice for outcome in run.outcomes()]


def test_it_chooses_what_goes_with_the_segment_and_abstains_where_nothing_does(counts):
    made = run(counts)
    assert choices(made) == [0, 1, None, None]
    assert [outcome.note for outcome in made.outcomes()][2:] == ["never together", "not counted: sang"]


def test_a_pair_that_never_occurs_is_defined_once_something_is_added_or_only_positive_association_counts(counts):
    scores = run(counts, {"add": "0.1"}).outcomes()[2].scores
    assert None not in scores
    assert float("-inf") not in scores
    positive = run(counts, {"measure": "ppmi"}).outcomes()[:3]
    assert min(score for outcome in positive for score in outcome.scores) == 0


def test_what_is_within_the_threshold_is_an_abstention(counts):
    first, second, *_ = run(counts).outcomes()[0].scores
    assert choices(run(counts, {"threshold": f"{first - second - 0.01}"}))[0] == 0
    made = run(counts, {"threshold": f"{first - second + 0.01}"})
    assert choices(made)[0] is None
    assert "not more than" in made.outcomes()[0].note
    assert choices(made)[1] == 1  # the cow never rusted: no threshold is above that


def test_a_tie_is_an_abstention(counts):
    made = run(counts, terms={"candidates": ["cow", "Cow"], "segment": ["grazed"] * 4})
    assert choices(made) == [None] * 4
    assert None not in made.outcomes()[0].scores


def test_the_whole_text_is_asked_when_told_so(counts):
    assert choices(run(counts, {"against": "text"}))[3] == 1


def test_windows_that_contain_both_words_are_counted(tmp_path):
    """With a window of two words on either side, windows are three words long; two words apart share 3 − d of them."""
    counts = counts_of(tmp_path, TEXT, window=2, dynamic=True)
    scores = run(counts.path, {"events": "windows"}).outcomes()[0].scores
    tokens = sum(len(sentence.split()) + 1 for article in TEXT for sentence in article)  # each ends in <eos>

    def expected(both, times, other_times):
        return log2(both / tokens / (3 * times / tokens) / (3 * other_times / tokens))

    # "cow grazed" occurs twice, "car grazed" once; "grazed" and "cow" occur three times each, "car" four times.
    assert scores == (pytest.approx(expected(4, 3, 3)), pytest.approx(expected(2, 3, 4)))


def test_windows_need_distances(counts):
    with pytest.raises(InputError, match="Count with --dynamic"):
        run(counts, {"events": "windows"})


def test_chinese_is_answered_by_characters(tmp_path):
    counts = counts_of(tmp_path, [["大象 吃 香蕉", "老虎 咬 人"]], language="zh", window=2).path
    text = "小象看着虎，因为{它}在[吃|咬]。"
    entry = {"text": text, "candidates": ["小象", "虎"], "answers": [0, 1]}

    def asked(more=None):
        return choices(evaluate(collection("zh", **entry), f"pmi:{counts}", options=Options(more=more or {})))

    assert (asked(), asked({"by": "characters"})) == ([None, None], [0, 1])
    with pytest.raises(InputError, match="scripts without spaces"):
        run(counts_of(tmp_path / "en", TEXT).path, {"by": "characters"})


def test_names_are_used_only_when_told_so(tmp_path):
    counts = counts_of(tmp_path, [["Nora sang", "Petra slept"]]).path
    entry = {"text": "Nora met Petra when {she} [sang|slept].", "candidates": ["Nora", "Petra"], "answers": [0, 1]}
    assert choices(run(counts, **entry)) == [None, None]
    assert choices(run(counts, {"names": "use"}, **entry)) == [0, 1]


def test_everything_that_changes_a_score_is_in_the_signature(tmp_path, counts):
    signature = run(counts, {"smoothing": "0.75", "threshold": "1"}).signature
    for part in ("smoothing:0.75", "threshold:1.0", "measure:pmi", "against:segment", "names:abstain", "add:0.0"):
        assert part in signature
    other = counts_of(tmp_path / "other", TEXT, window=3).path
    marks = [load(str(folder), Options()).fingerprint for folder in (counts, other)]
    assert marks[0][:8] in signature
    assert marks[0] != marks[1]


@listed
def test_options_that_cannot_be_are_refused(counts, more, message):
    with pytest.raises(InputError, match=message):
        load(str(counts), Options(more=more))


def test_no_counts_and_those_of_another_language_are_an_error(tmp_path, counts):
    with pytest.raises(InputError, match="pmi needs a folder of counts"):
        load("", Options())
    with pytest.raises(InputError, match="no set of counts"):
        load(str(tmp_path), Options())
    text = "La vache regardait la chèvre quand {elle} [dormait|sautait]."
    french = collection("fr", text=text, candidates=["la vache", "la chèvre"], answers=[0, 1])
    with pytest.raises(InputError, match="the counts are for en, the collection is in fr"):
        evaluate(french, f"pmi:{counts}")
