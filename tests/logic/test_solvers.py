import gzip
import json
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import product

import pytest
import torch

import winoglot as wg
from cases import listed
from forking import MAIN
from logic.small_pairs import TASK, pairs_of, write_data
from openai_server import running
from tiny_models import bert, llama
from waiting import wait_until
from winoglot.errors import InputError
from winoglot.logic.dataset import DataRecipe, build
from winoglot.logic.pair import read_pairs, write_pairs
from winoglot.logic.solvers import evaluate, train
from winoglot.logic.solvers.data import example_set, published_pairs, sampled
from winoglot.logic.solvers.encoding import Encoding, tokens_in
from winoglot.logic.solvers.search import search
from winoglot.runs.importing import import_predictions

QUICK = ("epochs=12", "hidden=24", "embedding=24", "batch=16", "rate=0.01", "warmup=5")
FAMILIES = {
    "bag": ("trees=20",),
    "rnn": QUICK,
    "gru": QUICK,
    "bilstm": QUICK,
    "transformer": (*QUICK, "heads=2", "layers=1", "rate=0.005"),
}
pytestmark = pytest.mark.usefixtures("quick_training")


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    return write_data(tmp_path_factory.mktemp("pairs"))


@pytest.fixture(scope="session")
def texts():
    """What the tokenizers of tiny models are made from: with the names of all splits, or new ones would be longer."""
    pairs = [pair for split in ("train", "validation", "test") for pair in pairs_of(split, 40)]
    return [text for pair in pairs for text in (pair.premise, pair.hypothesis)] + ["Answer: yes no"]


def test_a_sample_separates_no_twins(tmp_path):
    pairs = build(DataRecipe("negation", train=16, validation=0, test=0, proof=False)).splits["train"]
    for size, seed in product(range(1, 9), range(20)):
        sample = sampled(pairs, size, seed, tmp_path)
        ids = {pair.id for pair in sample}
        assert len(ids) == len(sample) == size
        assert all(pair.twin in ids for pair in sample if pair.twin)
    twins = [pair for pair in pairs if pair.twin]
    assert len(sampled(twins, 3, 0, tmp_path)) == 3  # all the same: there is nothing else


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_learns_a_tiny_set_and_nothing_from_shuffled_labels(family, data, tmp_path):
    made = train(family, data, tmp_path / "model", settings=FAMILIES[family], device="cpu")
    (run,) = evaluate(made.address, data)
    assert run.accuracy().value > 0.95
    assert run.estimate("twin-accuracy").value > 0.9
    shuffled = {"settings": FAMILIES[family], "control": "shuffled-labels", "device": "cpu"}
    accuracies = []
    for seed in range(
        10 if family == "bag" else 1
    ):  # of the two bags of words here, a forest guesses both labels or not
        spoilt = train(family, data, tmp_path / f"spoilt-{seed}", seed=seed, **shuffled)
        (control,) = evaluate(spoilt.address, data)
        accuracies.append(control.accuracy().value)
        assert spoilt.config["data"]["control"] == "shuffled-labels"
    assert 0.3 < sum(accuracies) / len(accuracies) < 0.7


@pytest.mark.parametrize("control", ["premise-only", "hypothesis-only"])
def test_what_a_control_hides_in_training_stays_hidden_in_the_test(control, data, tmp_path):
    """The premise tells the label here, and the hypothesis alone tells nothing."""
    made = train("gru", data, tmp_path / "model", settings=QUICK, control=control, device="cpu")
    (run,) = evaluate(made.address, data)
    assert (run.accuracy().value > 0.95) is (control == "premise-only")


def test_names_become_slots_by_where_they_are_mentioned():
    (pair, *_) = pairs_of("test", 2)
    premise, hypothesis = tokens_in(pair)
    assert set(hypothesis) >= {"<a0>", "<P0>"} or set(hypothesis) >= {"<b0>", "<Q0>"}
    renamed = replace(
        pair,
        premise=pair.premise.replace(pair.names["a"], "Zed"),
        hypothesis=pair.hypothesis.replace(pair.names["a"], "Zed"),
        names={**pair.names, "a": "Zed"},
    )
    assert tokens_in(renamed) == (premise, hypothesis)


@pytest.mark.parametrize(("slots", "same"), [(1, True), (2, False)])
def test_with_one_slot_all_names_of_a_kind_look_the_same(slots, same):
    names = {"p0": "Ana", "p1": "Ben"}
    pair = replace(pairs_of("test", 2)[0], premise="Ana saw Ben.", hypothesis="Ben saw Ana.", names=names)
    both = [pair, replace(pair, hypothesis="Ana saw Ben.")]
    one, other = Encoding.of(both, "words", "premise-hypothesis", slots).encode(both).rows
    assert torch.equal(one, other) is same


def test_drawn_slots_stay_the_same_within_a_pair():
    pairs = pairs_of("train", 40)
    encoding = Encoding.of(pairs, "words", "premise-hypothesis", 8)
    rows = encoding.encode(pairs).rows.long()
    redrawn = encoding.redraw(rows)
    assert not torch.equal(rows, redrawn)
    for before, after in zip(rows.tolist(), redrawn.tolist(), strict=True):
        assert len(set(zip(before, after, strict=True))) == len(set(before))


def test_bytes_know_every_language(data, tmp_path):
    settings = (*QUICK, "tokens=bytes", "epochs=1")
    made = train("gru", data, tmp_path / "model", settings=settings, size=40, device="cpu")
    other = write_data(tmp_path / "pt", language="pt")
    assert len(evaluate(made.address, other)[0].predictions) == 60


@pytest.mark.parametrize("names", ["mention", "drawn"])
def test_a_training_that_is_killed_gives_the_same_weights(names, data, tmp_path):
    settings = ["epochs=3", "hidden=16", "embedding=16", "dropout=0.2", "batch=32", f"names={names}"]
    whole = train("gru", data, tmp_path / "whole", settings=settings, device="cpu")
    resumed = {"settings": settings, "device": "cpu", "resume": True}
    for stop in (3, 9):

        def interrupt(step, *_, stop=stop):
            if step >= stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            train("gru", data, tmp_path / "killed", checkpoint_minutes=0.0, progress=interrupt, **resumed)
    again = train("gru", data, tmp_path / "killed", **resumed)
    assert again.config["best_step"] == whole.config["best_step"]
    first, second = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "killed"))
    assert first == second


@pytest.mark.slow
def test_a_killed_process_is_continued(data, tmp_path, printed):
    sets = [word for one in (*QUICK, "epochs=6") for word in ("--set", one)]
    asked = ["logic", "train", "gru", "--data", str(data), *sets, "--checkpoint-minutes", "0", "-o"]
    process = subprocess.Popen([sys.executable, "-c", MAIN, *asked, str(tmp_path / "killed")])
    state = tmp_path / "killed" / "checkpoints" / "last" / "state.json"
    wait_until(state.exists, "a checkpoint", process)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    printed(*asked, tmp_path / "killed", "--resume")
    printed(*asked, tmp_path / "whole")
    first, second = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "killed"))
    assert first == second


def test_a_run_is_continued_and_refuses_another_version_of_the_data(data, tmp_path):
    made = train("gru", data, tmp_path / "model", settings=(*QUICK, "epochs=1"), size=40, device="cpu")
    (run,) = evaluate(made.address, data, folder=tmp_path / "runs")
    (again,) = evaluate(made.address, data, folder=tmp_path / "runs")
    assert again.predictions == run.predictions
    stored = wg.load_runs(tmp_path / "runs")
    assert stored[0].estimate("twin-accuracy") == run.estimate("twin-accuracy")
    assert stored[0].outcomes()[0].example.features["depth"] in (1, 2)
    other = write_data(tmp_path / "other")
    file = other / "en" / TASK / "test.jsonl"
    first, *rest = read_pairs(file)
    write_pairs(
        file, [replace(first, hypothesis=first.hypothesis.replace("visited", "did not visit")), *rest], force=True
    )
    with pytest.raises(InputError, match="started with"):
        evaluate(made.address, other, folder=tmp_path / "runs")
    compared = wg.compare(run, evaluate(made.address, other)[0])
    assert compared.items == run.accuracy().n - 1
    assert compared.left_out[0].startswith("1 that differ between versions ")


def test_an_outside_model_is_imported_and_compared(data, tmp_path, printed):
    made = train("gru", data, tmp_path / "model", settings=QUICK, device="cpu")
    (run,) = evaluate(f"ours={made.address}", data, folder=tmp_path / "runs")
    test = data / "en" / TASK / "test.jsonl"
    table = answers_in(tmp_path, test, lambda pair: "0")  # always the label 0, which is the second
    printed("runs", "import", table, "--collection", test, "-o", tmp_path / "theirs")
    theirs = wg.load_run(tmp_path / "theirs")
    assert (theirs.accuracy().value, theirs.estimate("twin-accuracy").value) == (0.5, 0.0)
    found = wg.compare(run, theirs)
    assert (found.is_distinguishable, found.items) == (True, 60)
    named = import_predictions(table, example_set(read_pairs(test)), "always no")
    assert named.run.settings.model == "always no"


def answers_in(folder, test, answer):
    """A table of another model's answers to a file of pairs."""
    table = folder / "theirs.csv"
    table.write_text("item_id,choice\n" + "".join(f"{pair.id},{answer(pair)}\n" for pair in read_pairs(test)))
    return table


@pytest.mark.parametrize("scoring", ["label", "therefore"])
def test_a_causal_model_is_asked_without_training(scoring, data, texts, tmp_path):
    folder = llama(tmp_path / "llama", texts)
    (run,) = evaluate(f"causal:{folder}", data, scoring=scoring)
    assert run.settings.scoring == scoring
    assert all(made.choice is not None and len(made.scores) == 2 for made in run.predictions)
    pair = read_pairs(data / "en" / TASK / "test.jsonl")[0]
    asked = {
        "label": f"{pair.premise}\nCan this be true, yes or no? {pair.hypothesis}\nAnswer: no",
        "therefore": f"{pair.premise} It follows that this is false: {pair.hypothesis}",
    }[scoring]
    scored = _log_probabilities(folder, asked)
    width = {"label": len(asked), "therefore": len(pair.hypothesis) + 1}[scoring]
    expected = sum(value for end, value in scored if end > len(asked) - width)
    assert run.predictions[0].scores[0] == pytest.approx(expected, abs=2e-3)


def _log_probabilities(folder, text):
    """Of each token of a text, where it ends and its log probability, by plain calls of transformers."""
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    made = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    ids = [tokenizer.bos_token_id, *made["input_ids"]]
    with torch.no_grad():
        logs = model(input_ids=torch.tensor([ids])).logits[0].double().log_softmax(-1)
    values = [logs[at, token].item() for at, token in enumerate(ids[1:])]
    return [(end, value) for (_, end), value in zip(made["offset_mapping"], values, strict=True)]


@pytest.mark.parametrize("lora", [False, True])
def test_a_causal_model_is_fine_tuned_on_the_words_of_labels(lora, data, texts, tmp_path):
    folder = llama(tmp_path / "llama", texts, initializer_range=0.05, hidden_size=64)
    settings = ["rate=0.003", "epochs=6", "batch=16"]
    made = train(f"causal:{folder}", data, tmp_path / "tuned", settings=settings, lora=lora, device="cpu")
    assert made.address == f"causal:{tmp_path / 'tuned'}"
    (run,) = evaluate(made.address, data)
    assert run.accuracy().value > 0.9
    three = write_data(tmp_path / "three", labels="nli")
    with pytest.raises(InputError, match="knows the labels 1, 0"):
        evaluate(made.address, three)


def test_an_encoder_is_fine_tuned_with_a_head(data, texts, tmp_path):
    three = write_data(tmp_path / "three", labels="nli")
    folder = bert(tmp_path / "bert", texts, initializer_range=0.05, hidden_size=64)
    made = train(f"masked:{folder}", three, tmp_path / "tuned", settings=["rate=0.0005", "epochs=8"], device="cpu")
    assert made.address == f"nli:{tmp_path / 'tuned'}"
    (run,) = evaluate(made.address, three)
    assert run.accuracy().value > 0.9
    assert run.outcomes()[0].example.options == ("contradiction", "entailment", "neutral")
    (two,) = evaluate(made.address, data)  # a model of inference answers two labels too
    assert two.accuracy().value > 0.9
    made = train(f"masked:{folder}", data, tmp_path / "two", settings=["epochs=1"], device="cpu")
    (run,) = evaluate(made.address, data)
    assert run.outcomes()[0].example.options == ("1", "0")


def test_a_server_is_asked_in_words_once_the_number_of_requests_is_known(data, texts, tmp_path, run_winoglot, caplog):
    folder = llama(tmp_path / "llama", texts)
    with running(folder) as server:
        server.behave(echo=False, choose="may be true")
        name = f"remote:{server.location}"
        code, out, _ = run_winoglot("logic", "evaluate", name, "--data", data, "--limit", "6", "--prompts", "1")
        assert (code, out.count("user: ")) == (0, 1)
        (run,) = evaluate(name, data, limit=6)
        assert f"{name} gets 12 requests." in caplog.messages
    assert run.settings.scoring == "answer"
    assert [made.choice for made in run.predictions] == [1] * 6
    assert run.spent["requests"] == 12


def test_a_context2vec_gives_the_words_their_vectors(data, tmp_path, printed):
    text, corpus, vectors = (tmp_path / name for name in ("text.txt", "corpus", "vectors"))
    text.write_text("\n".join(f"Number {n} visited Rome . she did not visit Oslo ." for n in range(60)))
    printed("corpus", "build", text, "--language", "en", "--held-out", "0.2", "--document", "line", "-o", corpus)
    sizes = ["--set", "embedding=12", "--set", "hidden=12", "--epochs", "1"]
    printed("train", "context2vec", "--corpus", corpus, *sizes, "-o", vectors)
    made = train("gru", data, tmp_path / "model", start=vectors, settings=[*QUICK, "epochs=1"], device="cpu")
    assert made.config["recipe"]["embedding"] == 12
    other = write_data(tmp_path / "pt", language="pt")
    with pytest.raises(InputError, match="knows 1 of the 3 words"):
        train("gru", other, tmp_path / "other", start=vectors, settings=QUICK, device="cpu")


def test_word_vectors_may_be_a_text_file(data, tmp_path):
    words = ["number", "visited", "she", "did", "not", "visit", "Rome", "Oslo", ".", ",", "who", "has", "and"]
    lines = [f"{len(words)} 4", *(f"{word} {n} 0.5 -1 {n}e-1" for n, word in enumerate(words)), "a b 1 2 3 4"]
    vectors = tmp_path / "words.vec.gz"
    vectors.write_bytes(gzip.compress("\n".join(lines).encode()))
    made = train("gru", data, tmp_path / "model", start=vectors, settings=[*QUICK, "epochs=1"], device="cpu")
    assert made.config["recipe"]["embedding"] == 4
    for line, fault in (
        ("she 1 2 3", "expected 4 numbers after 'she'"),
        ("visited 1 2 3 x", "'visited' has no vector"),
    ):
        vectors.write_text("\n".join(["Number 1 2 3 4", line]))
        with pytest.raises(InputError, match=rf"words.vec.gz, line 2: {fault}"):
            train("gru", data, tmp_path / "other", start=vectors, settings=QUICK, device="cpu")


def test_a_search_is_continued_and_sorted_by_validation_accuracy(data, tmp_path):
    space = ["hidden=4..16", "rate=1e-3..1e-1", "embedding=8,16", "epochs=1,2"]
    options = {"size": 80, "device": "cpu"}
    first = search("gru", data, tmp_path / "search", space=space, trials=2, **options)
    more = search("gru", data, tmp_path / "search", space=space, trials=3, **options)
    assert {one["trial"] for one in more} == {0, 1, 2}
    assert all(one in more for one in first)
    assert [one["accuracy"] for one in more] == sorted((one["accuracy"] for one in more), reverse=True)
    with pytest.raises(InputError, match=r"started with a different space: hidden=4\.\.16"):
        search("gru", data, tmp_path / "search", space=["hidden=4..8"], trials=1, **options)


def test_a_search_tries_settings_of_an_encoder(data, texts, tmp_path, printed, refused):
    folder = bert(tmp_path / "bert", texts, initializer_range=0.05, hidden_size=64)
    asked = ["logic", "search", f"masked:{folder}", "--data", data, "--device", "cpu", "-o", tmp_path / "search"]
    refused(*asked, "--space", "hidden=8", says="recipes have no setting 'hidden'")
    refused(*asked, "--space", "rate=-1,-2", says="--space rate=…")
    refused("logic", "search", "gru", "--lora", *asked[3:], says="gru is trained as a whole")
    refused("logic", "search", "gruu", *asked[3:], says="cannot be trained on pairs")
    assert not (tmp_path / "search").exists()
    space = ["--space", "rate=0.0001..0.001", "--space", "batch=16,32"]
    shown = printed(*asked, *space, "--epochs", 3, "--trials", 2)
    assert shown == printed(*asked, *space, "--epochs", 3, "--trials", 2)  # nothing is trained again
    best = shown.rsplit("Best model: ", 1)[1].strip()
    assert best.startswith(f"nli:{tmp_path / 'search' / 'trial-'}")
    trials = json.loads(printed(*asked, *space, "--epochs", 3, "--trials", 2, "--json"))
    (run,) = evaluate(best, data, split="validation")
    assert run.accuracy().value == trials[0]["accuracy"]


@listed
def test_a_training_that_cannot_be_is_refused(change, message, data, tmp_path):
    with pytest.raises(InputError, match=message):
        train("gru", data, tmp_path / "model", device="cpu", **change)
    assert not (tmp_path / "model").exists()


def test_a_model_of_words_refuses_another_language_and_other_labels(data, tmp_path):
    made = train("gru", data, tmp_path / "model", settings=(*QUICK, "epochs=1"), size=40, device="cpu")
    with pytest.raises(InputError, match=r"% of the words of these pairs \(pt\) are unknown"):
        evaluate(made.address, write_data(tmp_path / "pt", language="pt"))
    with pytest.raises(InputError, match="knows the labels 1, 0; these pairs have contradiction"):
        evaluate(made.address, write_data(tmp_path / "three", labels="nli"))


def test_a_file_needs_validation_pairs_with_the_same_labels(data, tmp_path):
    own = data / "en" / TASK
    with pytest.raises(InputError, match="no validation pairs"):
        train("gru", own / "train.jsonl", tmp_path / "model", device="cpu")
    three = tmp_path / "three.jsonl"
    write_pairs(three, pairs_of("validation", 10, labels="nli"))
    with pytest.raises(InputError, match="the training pairs have the labels 1, 0"):
        train("gru", own / "train.jsonl", tmp_path / "model", validation=three, device="cpu")


@pytest.mark.parametrize(("first", "second"), [("gru", "bag"), ("bag", "gru"), ("bag", "bag")])
def test_resuming_does_not_replace_a_finished_model(first, second, data, tmp_path):
    few = {"gru": ("epochs=1", "hidden=8"), "bag": ("trees=5",)}
    train(first, data, tmp_path / "model", settings=few[first], device="cpu")
    before = (tmp_path / "model" / "config.json").read_bytes()
    with pytest.raises(InputError, match=r"--force"):
        train(second, data, tmp_path / "model", settings=few[second], device="cpu", resume=True)
    assert (tmp_path / "model" / "config.json").read_bytes() == before


def test_answers_to_pairs_with_other_names_or_depths_are_not_continued(tmp_path, printed, refused):
    data = write_data(tmp_path / "data", train=40)
    train("bag", data, tmp_path / "model", settings=("trees=5",), device="cpu")
    asked = ("logic", "evaluate", f"bag=logic:{tmp_path / 'model'}", "--data", data, "-o", tmp_path / "runs")
    printed(*asked)
    test = data / "en" / TASK / "test.jsonl"
    first, *others = read_pairs(test)
    for changed in ({"names": {"a": "Zoe"}}, {"depth": 4}, {"family": "other"}, {"twin": ""}):
        write_pairs(test, [replace(first, **changed), *others], force=True)
        refused(*asked, says="negation-en@sha:")


def test_the_command_trains_and_evaluates(data, tmp_path, printed):
    sets = [word for one in QUICK for word in ("--set", one)]
    out = printed("logic", "train", "gru", "--data", data, *sets, "-o", tmp_path / "model", "--device", "cpu")
    assert f"model: logic:{tmp_path / 'model'}" in out
    out = printed("logic", "evaluate", f"mine=logic:{tmp_path / 'model'}", "--data", data, "--json")
    assert json.loads(out)[0]["twin_accuracy"]["value"] > 0.9


def test_published_pairs_have_the_names_that_their_grammar_finds():
    rows = [
        ("Ana has visited Rome, Ben has visited Oslo", "Ben didn't visit Oslo", "1"),
        ("Something else.", "No.", "0"),
    ]
    first, second = published_pairs(rows, "negation", "en", "test")
    assert sorted(first.names.values()) == ["Ana", "Ben", "Oslo", "Rome"]
    assert {symbol[0] for symbol, name in first.names.items() if name in ("Ana", "Ben")} == {"p"}
    assert second.names == {}
    assert (first.id, first.label, first.twin) == ("negation-test-0", "1", "")


def test_a_curriculum_begins_with_the_least_depth(data, tmp_path):
    seen = []
    settings = ("epochs=3", "hidden=8", "embedding=8", "batch=20", "curriculum=1")
    train("gru", data, tmp_path / "model", settings=settings, device="cpu", progress=lambda step, *_: seen.append(step))
    assert len(seen) == 6 + 12 + 12  # of 240 pairs, half have depth 1
