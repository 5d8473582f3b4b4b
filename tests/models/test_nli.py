"""Models of inference, against plain calls of the library, on items and on pairs as WNLI has them."""

import json
import math
from dataclasses import replace

import pytest
import torch
import transformers

import winoglot as wg
from cases import listed
from items import item
from questions import question
from six_schemas import six
from tiny_models import bert, roberta
from winoglot import Collection, InputError, Item, Schema, WrittenReading
from winoglot.models import nli
from winoglot.models.base import Options
from winoglot.runs.evaluate import evaluate
from winoglot.runs.store import find_runs, load_run

MNLI = ("contradiction", "ENTAILMENT", "neutral")
PAIRS = [
    ("Rita thanked Ann because she had helped.", "Ann had helped.", "1"),
    ("Rita thanked Ann because she had helped.", "Rita had helped.", "0"),
    ("The jug stood on the shelf until it gave way.", "The shelf gave way.", "1"),
    ("The lamp hit the vase and it broke.", "The lamp broke.", "0"),
    ("The vase stood near the lamp and it fell.", "The vase fell.", ""),
]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))


def texts():
    items = [*six("en").items, *six("pt").items]
    return [text for item in items for text in (item.text, *item.hypotheses)] + [
        text for *pair, _ in PAIRS for text in pair
    ]


def built(folder, texts, labels, build=bert):
    labels = dict(enumerate(labels))
    numbers = {label: number for number, label in labels.items()}
    return build(folder, texts, head="SequenceClassification", id2label=labels, label2id=numbers)


@pytest.fixture(scope="module", params=[bert, roberta], ids=lambda make: make.__name__)
def folder(request, tmp_path_factory):
    return built(tmp_path_factory.mktemp("nli"), texts(), MNLI, request.param)


@pytest.fixture
def wnli(tmp_path):
    rows = [f"{number}\t{premise}\t{hypothesis}\t{label}" for number, (premise, hypothesis, label) in enumerate(PAIRS)]
    (tmp_path / "pairs.tsv").write_text("\n".join(["index\tsentence1\tsentence2\tlabel", *rows]) + "\n")
    return str(tmp_path / "pairs.tsv")


def probability(folder, premise, hypothesis):
    """That the label is entailment, by one plain call."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    types = model.config.type_vocab_size > 1
    inputs = tokenizer(premise, hypothesis, return_tensors="pt", return_token_type_ids=types)
    with torch.no_grad():
        return model(**inputs).logits[0].double().softmax(-1)[1].item()


def test_a_candidate_is_scored_by_the_probability_that_its_hypothesis_is_entailed(folder):
    collection = six("en")
    run = evaluate(collection, f"nli:{folder}")
    assert run.settings.scoring == "hypothesis"
    for one, made in zip(collection.items, run.predictions, strict=True):
        expected = [math.log(probability(folder, one.text, hypothesis)) for hypothesis in one.hypotheses]
        assert made.scores == pytest.approx(expected, abs=1e-5)
        assert made.choice == expected.index(max(expected))


def test_a_whole_reading_may_be_the_hypothesis(folder):
    one = question(six("pt").items[0], "pt-BR")
    (found,) = nli.load(folder, Options()).score([one], ["reading"])
    expected = [math.log(probability(folder, one.item.text, reading.text)) for reading in one.readings]
    assert found["reading"].values == pytest.approx(expected, abs=1e-5)


def test_hypotheses_that_nobody_wrote_are_derived_from_the_text(folder):
    solver = nli.load(folder, Options())
    jug = question(item("The jug stood beside the cup until {it} broke.", ["the jug", "the cup"], "en"), "en")
    assert solver.pairs(jug, "hypothesis") == [(jug.item.text, "The jug broke."), (jug.item.text, "The cup broke.")]
    wave = question(item("Nina waved to Vera, and Ted laughed at {her}.", ["Nina", "Vera"], "en"), "en")
    assert [hypothesis for _, hypothesis in solver.pairs(wave, "hypothesis")] == [
        "Nina waved to Vera, and Ted laughed at Nina.",
        "Nina waved to Vera, and Ted laughed at Vera.",
    ]


def test_pairs_as_wnli_has_them_are_entailed_or_not(folder, wnli, tmp_path):
    collection = wg.load(f"wnli:{wnli}")
    run = evaluate(collection, f"nli:{folder}", folder=tmp_path / "run")
    assert len(run.predictions) == len(PAIRS)
    for made, (premise, hypothesis, _) in zip(run.predictions, PAIRS, strict=True):
        entailed = probability(folder, premise, hypothesis)
        assert made.choice == int(entailed > 0.5)
        assert made.scores == pytest.approx(
            [math.log(1 - entailed) + math.log(2), math.log(entailed) + math.log(2)], abs=1e-5
        )
    right = [int(made.choice == int(label)) for made, (*_, label) in zip(run.predictions, PAIRS, strict=True) if label]
    assert (run.accuracy().value, run.accuracy().n) == (sum(right) / 4, 4)
    again = load_run(tmp_path / "run")
    assert set(again.predictions) == set(run.predictions)
    assert again.outcomes()[0].example.options == ("not entailed", "entailed")
    assert len({outcome.example.cluster for outcome in again.outcomes()}) == 4  # pairs of one premise go together


def test_the_threshold_moves_the_border(folder, wnli):
    collection = wg.load(f"wnli:{wnli}")
    found = [probability(folder, premise, hypothesis) for premise, hypothesis, _ in PAIRS]
    for threshold in (0.05, 0.3, 0.9):
        run = evaluate(collection, f"nli:{folder}", options={"threshold": threshold})
        assert [made.choice for made in run.predictions] == [int(share > threshold) for share in found]
        assert f"|threshold:{threshold}|" in run.signature


def test_our_own_export_to_wnli_is_answered_and_reported(folder, tmp_path, run_winoglot):
    wg.save(six("en"), tmp_path / "six.tsv", format="wnli")
    named = ("--model", f"tiny=nli:{folder}")
    code, out, _ = run_winoglot(
        "evaluate", f"wnli:{tmp_path / 'six.tsv'}", *named, "-o", str(tmp_path / "runs"), "--json"
    )
    (row,) = json.loads(out)
    assert (code, row["model"], row["accuracy"]["n"]) == (0, "tiny", 24)
    (stored,) = find_runs(tmp_path / "runs")
    hypotheses = [text for item in six("en").items for text in item.hypotheses]
    assert [one.example.features["text"].split(" ⇒ ")[1] for one in load_run(stored).outcomes()] == hypotheses
    code, _, err = run_winoglot("report", str(tmp_path / "runs"), "-o", str(tmp_path / "report.html"))
    assert (code, err) == (0, "")


def test_a_pair_on_the_threshold_and_equal_hypotheses_are_a_tie(tmp_path, wnli):
    folder = built(tmp_path / "even", texts(), ("not_entailment", "entailment"))
    same = replace(six("en").items[0], hypotheses=("It is so.", "It is so."))
    (found,) = nli.load(folder, Options()).score([question(same, "en")], ["hypothesis"])
    assert (found["hypothesis"].choice(1e-6), found["hypothesis"].abstention) == (None, "tie")
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder)
    with torch.no_grad():
        model.classifier.weight.zero_()
        model.classifier.bias.zero_()
    model.save_pretrained(folder)
    run = evaluate(wg.load(f"wnli:{wnli}"), f"nli:{folder}")
    assert {(made.choice, made.note) for made in run.predictions} == {(None, "tie")}


def test_the_label_of_entailment_is_found_by_name_or_given(tmp_path):
    plain = built(tmp_path / "plain", ["a b"], ("LABEL_0", "LABEL_1"))
    with pytest.raises(InputError) as error:
        nli.check(plain, Options())
    assert "do not say which means entailment: 0 (LABEL_0), 1 (LABEL_1). Give its name or number" in str(error.value)
    for given in ("1", "LABEL_1"):
        assert nli.load(plain, Options(more={"entailment": given})).entailment == (1, "LABEL_1")
    with pytest.raises(InputError, match=r"has no label 'LABEL_3'.*number: 0"):
        nli.check(plain, Options(more={"entailment": "LABEL_3"}))
    two = built(tmp_path / "two", ["a b"], ("not_entailment", "entailment"))
    assert nli.load(two, Options()).entailment == (1, "entailment")


@listed
def test_options_that_make_no_sense_are_refused(folder, more, message):
    with pytest.raises(InputError, match=message):
        nli.check(folder, Options(more=more))


def test_what_does_not_fit_is_refused(folder, wnli, tmp_path):
    readings = tuple(WrittenReading(f"The jug hit the cup, and {one} broke.") for one in ("the jug", "the cup"))
    schema = Schema("jug", (Item("jug.0", "jug", readings=readings, answer=0),))
    with pytest.raises(InputError, match=r"neither hypotheses nor a text.*causal:"):
        evaluate(Collection("own", "en", (schema,)), f"nli:{folder}")
    with pytest.raises(InputError, match=r"has inference pairs only, and first scores readings.*nli:"):
        evaluate(wg.load(f"wnli:{wnli}"), "first")
    masked = bert(tmp_path / "m", texts())
    with pytest.raises(InputError, match=r"was not trained with a classification head.*write masked:"):
        evaluate(six("en"), f"nli:{masked}", options={"entailment": "1"})


def test_other_hypotheses_are_another_run(folder):
    collection = six("en")
    first, *rest = collection.schemas
    items = tuple(replace(item, hypotheses=("One.", "Two.")) for item in first.items)
    other = replace(collection, schemas=(replace(first, items=items), *rest))
    one, two = (evaluate(each, f"nli:{folder}") for each in (collection, other))
    assert one.predictions[0].scores != two.predictions[0].scores
    assert one.settings.model_settings["hypotheses"] != two.settings.model_settings["hypotheses"]
