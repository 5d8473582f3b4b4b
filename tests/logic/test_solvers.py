import json
import re
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
import torch

import winoglot as wg
from cases import listed
from logic.small_pairs import TASK, pairs_of, write_data
from openai_server import running
from tiny_models import bert, llama
from waiting import wait_until
from winoglot.errors import InputError
from winoglot.experiment.logic import configurations, read_logic_experiment
from winoglot.logic.dataset import DataRecipe, build
from winoglot.logic.pair import read_pairs, write_pairs
from winoglot.logic.solvers import evaluate, train
from winoglot.logic.solvers.data import example_set, published_pairs, sampled
from winoglot.logic.solvers.encoding import Encoding, tokens_in
from winoglot.logic.solvers.jobs import do_job
from winoglot.logic.solvers.search import search
from winoglot.report.logic import LogicReport
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


@pytest.mark.parametrize("size", range(1, 9))
def test_a_sample_separates_no_twins(size, tmp_path):
    pairs = build(DataRecipe("negation", train=16, validation=0, test=0, proof=False)).splits["train"]
    for seed in range(20):
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
    spoilt = train(
        family, data, tmp_path / "spoilt", settings=FAMILIES[family], control="shuffled-labels", device="cpu"
    )
    (control,) = evaluate(spoilt.address, data)
    assert 0.3 < control.accuracy().value < 0.7
    assert spoilt.config["data"]["control"] == "shuffled-labels"


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
    for stop in (3, 9):
        with pytest.raises(KeyboardInterrupt):
            train(
                "gru",
                data,
                tmp_path / "killed",
                settings=settings,
                device="cpu",
                checkpoint_minutes=0.0,
                resume=True,
                progress=lambda step, *_, stop=stop: _interrupt(step >= stop),
            )
    again = train("gru", data, tmp_path / "killed", settings=settings, device="cpu", resume=True)
    assert again.config["best_step"] == whole.config["best_step"]
    first, second = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "killed"))
    assert first == second


def _interrupt(now):
    if now:
        raise KeyboardInterrupt


@pytest.mark.slow
def test_a_killed_process_is_continued(data, tmp_path, run_winoglot):
    code = "from winoglot.cli.main import main; main()"
    sets = [word for one in (*QUICK, "epochs=6") for word in ("--set", one)]
    asked = ["logic", "train", "gru", "--data", str(data), *sets, "--checkpoint-minutes", "0", "-o"]
    process = subprocess.Popen([sys.executable, "-c", code, *asked, str(tmp_path / "killed")])
    state = tmp_path / "killed" / "checkpoints" / "last" / "state.json"
    wait_until(state.exists, "a checkpoint", process)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert run_winoglot(*asked, tmp_path / "killed", "--resume")[0] == 0
    assert run_winoglot(*asked, tmp_path / "whole")[0] == 0
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
    with pytest.raises(InputError, match="saw 1 item of negation-en in different versions"):
        wg.compare(run, evaluate(made.address, other)[0])


def test_an_outside_model_is_imported_and_compared(data, tmp_path, run_winoglot):
    made = train("gru", data, tmp_path / "model", settings=QUICK, device="cpu")
    (run,) = evaluate(f"ours={made.address}", data, folder=tmp_path / "runs")
    test = data / "en" / TASK / "test.jsonl"
    rows = [f"{pair.id},0" for pair in read_pairs(test)]  # always the label 0, which is the second
    table = tmp_path / "theirs.csv"
    table.write_text("item_id,choice\n" + "\n".join(rows) + "\n")
    code, out, _ = run_winoglot("runs", "import", table, "--collection", test, "-o", tmp_path / "theirs")
    assert code == 0, out
    theirs = wg.load_run(tmp_path / "theirs")
    assert theirs.accuracy().value == 0.5
    assert theirs.estimate("twin-accuracy").value == 0.0
    found = wg.compare(run, theirs)
    assert found.is_distinguishable
    assert found.items == len(rows)
    named = import_predictions(table, example_set(read_pairs(test)), "always no")
    assert named.run.settings.model == "always no"


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


def test_a_server_is_asked_in_words(data, texts, tmp_path):
    folder = llama(tmp_path / "llama", texts)
    with running(folder) as server:
        server.behave(echo=False, choose="may be true")
        (run,) = evaluate(f"remote:{server.location}", data, limit=6)
    assert run.settings.scoring == "answer"
    assert [made.choice for made in run.predictions] == [1] * 6
    assert run.spent["requests"] == 12


def test_a_context2vec_gives_the_words_their_vectors(data, tmp_path, run_winoglot):
    text = tmp_path / "text.txt"
    text.write_text("\n".join(f"Number {n} visited Rome . she did not visit Oslo ." for n in range(60)))
    assert (
        run_winoglot(
            "corpus",
            "build",
            text,
            "--language",
            "en",
            "--held-out",
            "0.2",
            "--document",
            "line",
            "-o",
            tmp_path / "corpus",
        )[0]
        == 0
    )
    sizes = ["--set", "embedding=12", "--set", "hidden=12", "--epochs", "1"]
    assert (
        run_winoglot("train", "context2vec", "--corpus", tmp_path / "corpus", *sizes, "-o", tmp_path / "vectors")[0]
        == 0
    )
    made = train(
        "gru", data, tmp_path / "model", start=tmp_path / "vectors", settings=[*QUICK, "epochs=1"], device="cpu"
    )
    assert made.config["recipe"]["embedding"] == 12
    other = write_data(tmp_path / "pt", language="pt")
    with pytest.raises(InputError, match="knows 1 of the 3 words"):
        train("gru", other, tmp_path / "other", start=tmp_path / "vectors", settings=QUICK, device="cpu")


def test_a_search_is_continued_and_sorted_by_validation_accuracy(data, tmp_path):
    space = ["hidden=4..16", "rate=1e-3..1e-1", "embedding=8,16", "epochs=1,2"]
    first = search("gru", data, tmp_path / "search", space=space, trials=2, size=80, device="cpu")
    more = search("gru", data, tmp_path / "search", space=space, trials=3, size=80, device="cpu")
    assert {one["trial"] for one in more} == {0, 1, 2}
    assert all(one in more for one in first)
    assert [one["accuracy"] for one in more] == sorted((one["accuracy"] for one in more), reverse=True)
    with pytest.raises(InputError, match="different space"):
        search("gru", data, tmp_path / "search", space=["hidden=4..8"], trials=1, size=80, device="cpu")


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


def test_a_missing_extra_is_named(data, tmp_path, monkeypatch):
    for module, family, extra in (("sklearn", "bag", "logic"), ("accelerate", "gru", "train")):
        monkeypatch.setattr("winoglot.errors.find_spec", lambda name, lacks=module: None if name == lacks else True)
        with pytest.raises(InputError) as caught:
            train(family, data, tmp_path / "model", device="cpu")
        assert caught.value.remedy == f'Run: pip install "winoglot[{extra}]"'


def test_an_experiment_writes_tables_and_a_page_and_is_continued(data, tmp_path, run_winoglot):
    file = tmp_path / "small.yaml"
    file.write_text(
        f"description: Small\ndata: {data}\nseeds: 2\nmodels:\n"
        "  - model: bag\n    train: {tasks: each, languages: each, set: {trees: 5}}\n"
        "  - model: gru\n    train: {tasks: each, size: [40, 120], set: {epochs: 2, hidden: 16, batch: 16}}\n"
        "  - model: shallow:hypothesis-only\n"
        "  - model: gru\n    name: control\n    train: {control: shuffled-labels, set: {epochs: 1, hidden: 16}}\n"
        "published: [{label: a paper, set: negation-en, value: 99.8}]\nsource: a paper\n"
    )
    code, out, said = run_winoglot("logic", "run", file, "-o", tmp_path / "out", "--device", "cpu")
    assert code == 0, said
    assert "9 of 9 jobs done" in out
    page = (tmp_path / "out" / "report.html").read_text()
    for shown in ("Twin accuracy", "depth 2", "Learning curves", "gru 120", "a paper", "Against chance"):
        assert shown in page
    table = (tmp_path / "out" / "results.md").read_text()
    assert "| a paper | 99.8 |" in table
    answers = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "answers").iterdir()}
    assert run_winoglot("logic", "run", file, "-o", tmp_path / "out", "--device", "cpu")[0] == 0
    assert answers == {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "answers").iterdir()}
    write_data(data, seed=5, train=240)
    try:
        code, _, said = run_winoglot("logic", "run", file, "-o", tmp_path / "out", "--device", "cpu")
    finally:
        write_data(data)
    assert code == 2
    assert "these pairs have changed since the experiment was started" in said
    train = data / "en" / TASK / "train.jsonl"
    before = train.read_bytes()
    try:
        train.write_bytes(b"\n".join(before.splitlines()[:-1]) + b"\n")
        assert run_winoglot("logic", "run", file, "-o", tmp_path / "out", "--device", "cpu")[0] == 2
    finally:
        train.write_bytes(before)
    assert run_winoglot("logic", "run", file, "-o", tmp_path / "out", "--device", "cpu")[0] == 0


def test_a_diverged_training_is_named(data, tmp_path, run_winoglot):
    file = tmp_path / "wild.yaml"
    wild = "{model: gru, name: wild, train: {set: {rate: 1e30, clip: 0, epochs: 2, hidden: 8}}}"
    file.write_text(f"data: {data}\nseeds: 1\nmodels:\n  - {{model: bag, train: {{set: {{trees: 5}}}}}}\n  - {wild}\n")
    code, out, said = run_winoglot("logic", "run", file, "-o", tmp_path / "out", "--device", "cpu")
    assert code == 0
    assert "2 of 2 jobs done" in out
    assert "wild s0: diverged: all-en" in said
    for name in ("report.html", "results.md"):
        assert "diverged:" in (tmp_path / "out" / name).read_text()


def test_answers_of_an_experiment_are_compared_with_those_of_another_model(data, tmp_path, run_winoglot):
    file = tmp_path / "bag.yaml"
    file.write_text(f"data: {data}\nseeds: 2\nmodels:\n  - {{model: bag, train: {{set: {{trees: 5}}}}}}\n")
    more = ("-o", tmp_path / "out", "--runs", tmp_path / "runs", "--device", "cpu")
    assert run_winoglot("logic", "run", file, *more)[0] == 0
    test = data / "en" / TASK / "test.jsonl"
    theirs = tmp_path / "theirs.csv"
    theirs.write_text("item_id,choice\n" + "".join(f"{pair.id},{pair.label}\n" for pair in read_pairs(test)))
    where = tmp_path / "runs" / "theirs"
    assert run_winoglot("runs", "import", theirs, "--collection", test, "--model", "theirs", "-o", where)[0] == 0
    code, out, _ = run_winoglot("compare", tmp_path / "runs")
    assert code == 0
    assert all(name in out for name in ("bag all-en s0", "bag all-en s1", "theirs"))


def test_with_three_labels_every_depth_is_tested_by_itself(tmp_path, run_winoglot):
    data = write_data(tmp_path / "data", labels="nli")
    file = tmp_path / "three.yaml"
    file.write_text(f"data: {data}\nseeds: 1\nmodels: [{{model: 'shallow:boosting'}}]\n")
    assert run_winoglot("logic", "run", file, "-o", tmp_path / "out", "--device", "cpu")[0] == 0
    experiment = read_logic_experiment(file)
    (one,) = configurations(experiment.jobs, data, tmp_path / "out")
    shown = LogicReport((one,))
    by_depth = [shown.p_value(one, shown.columns, depth=depth) for depth in (1, 2)]
    assert shown.p_value(one, shown.columns) < min(by_depth) < 1e-6  # of half as many pairs each


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ("[{model: gru}]", "gru has to be trained first"),
        ("[{model: gru, train: {lora: true}}]", "gru is trained as a whole"),
        ("[{model: gru, train: {size: 0}}]", "`size` is less than 1"),
        ("[{model: gemma-3-270m, test: {limit: 0}}]", "`limit` is less than 1"),
        ("[{model: gru, train: {depths: 3-1}}]", "'3-1' is not a range of depths"),
        ("[{model: gru, train: {}, test: {tasks: each}}]", "the data has no task 'each'"),
        ("[{model: 'shallow:boostin'}]", "Did you mean 'boosting'"),
        ("[{model: 'shallow:boosting', train: {}}]", "Leave out `train`"),
        ("[{model: bag, name: a/b, train: {}}, {model: gru, name: a b, train: {}}]", "two models are called 'a b'"),
        (
            "[{model: gru, train: {}, seeds: [0]}, {model: gru, train: {set: {hidden: 8}}, seeds: [1]}]",
            "two models are",
        ),
        ("[{model: gru, train: {}, test: {scoring: label}}]", "gru has no scoring 'label'. Did you mean 'labels'?"),
        ("[{model: gemma-3-270m, test: {scoring: labell}}]", "Did you mean 'label'?"),
        (
            "[{model: bag, train: {}}, {model: gru, train: {}, test: {limit: 5000}}]",
            "gru all-en s0: 5000 pairs asked for",
        ),
        ("[{model: gru, train: {}, test: {depths: 9}}]", "gru all-en s0: no pairs of depth 9 found"),
        ("[{model: gru, train: {size: 100000}}]", "100000 pairs asked for, but there are 240"),
        ("[{model: gru, train: {start: nowhere}}]", "there is no model to start from"),
        ("[{model: gruu, train: {}}]", "gruu all-en s0: "),
        ("[{model: gemma-3-270m, train: {set: {ratte: 1}}}]", "Did you mean 'rate'?"),
        (f"[{{model: gru, name: {'a' * 201}, train: {{}}}}]", "Give the model a shorter `name`"),
        ("[]", "there is no model, or no seed"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_trained(models, message, data, tmp_path, run_winoglot):
    file = tmp_path / "wrong.yaml"
    file.write_text(f"data: {data}\nmodels: {models}\n")
    code, _, said = run_winoglot("logic", "run", file, "-o", tmp_path / "out")
    assert code == 2
    assert message in " ".join(said.split())
    assert not (tmp_path / "out").exists()


def test_a_model_of_each_language_is_asked_in_both(tmp_path, run_winoglot):
    data = write_data(write_data(tmp_path / "data"), language="pt")
    file = tmp_path / "crossed.yaml"
    settings = "{tokens: bytes, epochs: 1, hidden: 8, embedding: 8}"
    train = f"{{languages: each, set: {settings}}}"
    name = "a name that says more than anybody would type on a command line, and needs no less room than this"
    one = f"{{model: gru, name: '{name}', train: {train}, test: {{languages: all}}}}"
    file.write_text(f"data: {data}\nseeds: 1\nmodels:\n  - {one}\n")
    code, _, said = run_winoglot("logic", "run", file, "-o", tmp_path / "out", "--device", "cpu")
    assert code == 0, said
    lines = (tmp_path / "out" / "results.md").read_text().splitlines()
    at = lines.index("## Accuracy in each test language, all tasks together, in percent")
    assert lines[at + 2] == "| model | en | pt |"
    assert all(line.count(" [") == 2 for line in lines[at + 4 : at + 6])
    assert 'id="transfer-figure"' in (tmp_path / "out" / "report.html").read_text()


def test_a_model_that_reads_words_is_not_trained_to_be_asked_in_another_language(tmp_path, run_winoglot):
    data = write_data(write_data(tmp_path / "data"), language="pt")
    file = tmp_path / "crossed.yaml"
    file.write_text(
        f"data: {data}\nmodels:\n  - {{model: gru, train: {{languages: each}}, test: {{languages: all}}}}\n"
    )
    code, _, said = run_winoglot("logic", "run", file, "-o", tmp_path / "out")
    assert code == 2
    assert "line 3" in said
    assert "gru reads only the words of en" in said
    assert not (tmp_path / "out").exists()


def test_a_job_that_was_interrupted_while_it_answered_is_not_trained_again(data, tmp_path, monkeypatch):
    file = tmp_path / "one.yaml"
    models = "[{model: gru, train: {set: {epochs: 1, hidden: 8}}}, {model: bag, train: {set: {trees: 5}}}]"
    file.write_text(f"data: {data}\nseeds: 1\nmodels: {models}\n")
    jobs, out = read_logic_experiment(file).jobs, tmp_path / "out"
    with monkeypatch.context() as broken:
        broken.setattr("winoglot.runs.session.answer", lambda *_, **__: 1 / 0)
        for job in jobs:
            with pytest.raises(ZeroDivisionError):
                do_job(job, data, out, device="cpu")
    trained = {path: path.stat().st_mtime_ns for path in (out / "models").glob("*/model.safetensors")}
    assert len(trained) == 2
    with monkeypatch.context() as once:
        once.setattr("winoglot.logic.solvers.train", lambda *_, **__: 1 / 0)
        made = [do_job(job, data, out, device="cpu") for job in jobs]
    assert [one["trained"]["pairs"] for one in made] == [240, 240]
    assert not list((out / "models").iterdir())


def test_answers_of_a_job_that_were_changed_are_refused(data, tmp_path):
    file, out = tmp_path / "one.yaml", tmp_path / "out"
    file.write_text(f"data: {data}\nseeds: 1\nmodels: [{{model: bag, train: {{set: {{trees: 5}}}}}}]\n")
    (job,) = read_logic_experiment(file).jobs
    made = do_job(job, data, out, device="cpu")
    assert do_job(job, data, out, device="cpu") == made
    stored = job.file(out).read_text()
    choices = next(iter(made["runs"].values()))["choices"]
    job.file(out).write_text(stored.replace(choices, ("1" if choices[0] == "0" else "0") + choices[1:]))
    with pytest.raises(InputError, match=r"they have changed since they were stored\. Remove it"):
        do_job(job, data, out, device="cpu")
    for damaged in ("[" * 100_000, "[]", json.dumps({"job": job.identity})):
        job.file(out).write_text(damaged)
        with pytest.raises(InputError, match="Remove it; the job will be run again"):
            do_job(job, data, out, device="cpu")
    before = {name: value for name, value in made.items() if name != "checksum"}
    job.file(out).write_text(json.dumps(before))  # as an earlier version stored it
    assert do_job(job, data, out, device="cpu") == before


def test_a_folder_of_another_training_is_not_taken_for_a_job(data, tmp_path):
    file, out = tmp_path / "one.yaml", tmp_path / "out"
    file.write_text(f"data: {data}\nseeds: 1\nmodels: [{{model: gru, train: {{set: {{epochs: 1, hidden: 8}}}}}}]\n")
    (job,) = read_logic_experiment(file).jobs
    folder = out / "models" / "gru_all-en_s0"
    few = ("epochs=1", "hidden=16")
    theirs = train("gru", data, folder, settings=few, device="cpu", checkpoint_epochs=False)
    note = folder.with_name(f"{folder.name}.json")
    note.write_text("{}")
    with pytest.raises(InputError, match="a job with other settings was begun here"):
        do_job(job, data, out, device="cpu")
    note.unlink()  # as an earlier version of Winoglot left it
    assert do_job(job, data, out, device="cpu")["trained"]["parameters"] < theirs.config["parameters"]
    note.write_text("{}")  # of a job that failed before its training began
    job.file(out).unlink()
    assert do_job(job, data, out, device="cpu")["runs"]


def test_an_experiment_asks_a_model_that_was_trained_before(data, tmp_path, run_winoglot):
    train("gru", data, tmp_path / "model", settings=("epochs=1", "hidden=8"), device="cpu")
    file = tmp_path / "asked.yaml"
    file.write_text(f"data: {data}\nmodels: [{{model: 'logic:{tmp_path}/model', test: {{scoring: labels}}}}]\n")
    assert run_winoglot("logic", "run", file, "-o", tmp_path / "out", "--device", "cpu")[0] == 0
    file.write_text(f"data: {data}\nmodels: [{{model: 'logic:{tmp_path}/none'}}]\n")
    assert run_winoglot("logic", "run", file, "-o", tmp_path / "other")[0] == 2
    assert not (tmp_path / "other").exists()


def test_answers_to_other_pairs_are_refused_before_more_are_trained(data, tmp_path, run_winoglot):
    file, out = tmp_path / "two.yaml", tmp_path / "out"
    file.write_text(f"data: {data}\nseeds: 2\nmodels: [{{model: bag, train: {{set: {{trees: 5}}}}}}]\n")
    assert run_winoglot("logic", "run", file, "-o", out)[0] == 0
    first, second = sorted((out / "answers").iterdir())
    answers = json.loads(re.sub("sha:[0-9a-f]{8}", "sha:00000000", first.read_text()))
    del answers["checksum"]  # as an earlier version stored them
    first.write_text(json.dumps(answers))
    second.unlink()
    code, _, said = run_winoglot("logic", "run", file, "-o", out)
    assert code == 2
    assert "answered another version of negation-en" in said
    assert not second.exists()


@pytest.mark.parametrize(("first", "second"), [("gru", "bag"), ("bag", "gru"), ("bag", "bag")])
def test_resuming_does_not_replace_a_finished_model(first, second, data, tmp_path):
    few = {"gru": ("epochs=1", "hidden=8"), "bag": ("trees=5",)}
    train(first, data, tmp_path / "model", settings=few[first], device="cpu")
    before = (tmp_path / "model" / "config.json").read_bytes()
    with pytest.raises(InputError, match=r"--force"):
        train(second, data, tmp_path / "model", settings=few[second], device="cpu", resume=True)
    assert (tmp_path / "model" / "config.json").read_bytes() == before


@pytest.mark.parametrize("changed", [{"names": {"a": "Zoe"}}, {"depth": 4}, {"family": "other"}, {"twin": ""}])
def test_answers_to_pairs_with_other_names_or_depths_are_not_continued(changed, tmp_path, run_winoglot):
    data = write_data(tmp_path / "data", train=40)
    train("bag", data, tmp_path / "model", settings=("trees=5",), device="cpu")
    asked = ("logic", "evaluate", f"bag=logic:{tmp_path / 'model'}", "--data", data, "-o", tmp_path / "runs")
    assert run_winoglot(*asked)[0] == 0
    test = data / "en" / TASK / "test.jsonl"
    first, *others = read_pairs(test)
    write_pairs(test, [replace(first, **changed), *others], force=True)
    code, _, said = run_winoglot(*asked)
    assert code == 2
    assert "negation-en@sha:" in said


def test_an_experiment_file_names_the_line_of_a_mistake(data, tmp_path, run_winoglot):
    file = tmp_path / "wrong.yaml"
    file.write_text(f"data: {data}\nmodels:\n  - model: gru\n    train: {{tasks: negatoin}}\n")
    code, _, said = run_winoglot("logic", "run", file)
    assert code == 2
    assert "line 4" in said
    assert "no task 'negatoin'" in said


def test_the_command_trains_and_evaluates(data, tmp_path, run_winoglot):
    sets = [word for one in QUICK for word in ("--set", one)]
    code, out, _ = run_winoglot(
        "logic", "train", "gru", "--data", data, *sets, "-o", tmp_path / "model", "--device", "cpu"
    )
    assert code == 0
    assert f"model: logic:{tmp_path / 'model'}" in out
    code, out, _ = run_winoglot("logic", "evaluate", f"mine=logic:{tmp_path / 'model'}", "--data", data, "--json")
    assert code == 0
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
