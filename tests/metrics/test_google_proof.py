from corpus.count_making import counts_of
from winoglot import load, save
from winoglot.corpus.association import open_association
from winoglot.languages.base import function_words
from winoglot.metrics.google_proof import association_labels, google_proof
from winoglot.schemas.model import Collection
from winoglot.schemas.notation import parse_schema

TEXT = [["the cow grazed in the meadow", "the car rusted", "the cow slept", "rain fell"]]


def test_every_item_is_decided_or_has_a_reason(tmp_path):
    schema = parse_schema(
        {
            "id": "s",
            "text": "The cow stood by the car while {it} [grazed|rusted|slept|fell|sang|].",
            "candidates": ["the cow", "the car"],
            "answers": [0, 0, None, 1, 1, 0],
        },
        function_words("en"),
    )
    collection = Collection(name="field", language="en", schemas=(schema,))
    counts = counts_of(tmp_path, TEXT, window=3)
    found = google_proof(collection, open_association(counts.path))
    assert (found.items, found.decided, found.counts) == (6, 3, counts.hash)
    assert (found.right, found.wrong, found.unlabelled) == (("s.0",), ("s.1",), ("s.2",))
    assert found.abstained == {"never together": 1, "not counted": 1, "the segment has no content word": 1}
    assert (found.share.value, found.share.n) == (0.5, 2)
    assert found.described()["decided"] == 3


def test_what_association_solves_becomes_labels_that_fit_again(tmp_path):
    entry = {
        "id": "s",
        "text": "大象看着老虎，因为{它}在[吃|咬]。",
        "candidates": ["大象", "老虎"],
        "answers": [0, 1],
    }
    schema = parse_schema(entry, function_words("zh"))
    collection, file = Collection(name="zoo", language="zh", schemas=(schema,)), tmp_path / "zoo.yaml"
    save(collection, file)
    counts = counts_of(tmp_path, [["大象 吃 香蕉", "老虎 跑"]], language="zh", window=2)
    labels = association_labels(collection, google_proof(collection, open_association(counts.path)))
    (tmp_path / "labels.json").write_text(labels, encoding="utf-8")
    assert [item.tags for item in load(file, labels=tmp_path / "labels.json").items] == [("associative",), ()]
