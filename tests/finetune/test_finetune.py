"""Fine-tuning from end to end, with tiny models of each family that learn twenty schemas by heart."""

import json
import math
import os
import shutil
import signal
from dataclasses import replace
from functools import partial

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

import winoglot as wg
from cases import for_each
from processes import PROCESSES
from questions import TWENTY
from waiting import MOST, has_lines, wait_until
from winoglot.errors import InputError
from winoglot.finetune.causal import CausalObjective, Recordings, _pack_rows
from winoglot.finetune.data import gather
from winoglot.finetune.losses import TrainingExample
from winoglot.finetune.recipes import find_finetune_recipe
from winoglot.finetune.tuning import FinetuneFolder, FinetuneTask
from winoglot.models.base import Options, load_model
from winoglot.runs.questions import asked
from winoglot.training.checkpoint import read_log, read_tensors
from winoglot.training.distributed import Process

BY_HEART = ("held_out=0", "batch=10", "patience=60")
FEW = ("batch=8", "rate=1e-3", "epochs=3", "patience=9")


def by_heart(address, twenty, folder, rate="2e-3", epochs=15, **more):
    settings = [*BY_HEART, f"rate={rate}", f"epochs={epochs}"]
    return wg.finetune(address, twenty, folder, settings=settings, device="cpu", allow_overlap=True, **more)


def few(folders, data, folder, **more):
    """Fine-tune the causal model in a few steps."""
    return wg.finetune(f"causal:{folders['causal']}", data, folder, **{"settings": FEW, "device": "cpu"} | more)


def ask(collection, address, **more):
    return wg.evaluate(collection, address, device="cpu", allow_overlap=True, **more)


def right(run):
    return sum(bool(one.right) for one in run) / len(run)


def scores(run):
    return [score for one in run.predictions for score in one.scores]


def weights(folder):
    return (folder / "model.safetensors").read_bytes()


@pytest.mark.parametrize(
    ("family", "name", "lora", "rate", "epochs"),
    [
        ("causal", "causal", False, "2e-3", 8),
        ("causal", "gpt2", True, "1e-2", 8),
        ("masked", "masked", False, "2e-3", 20),
        ("choice", "choice", False, "3e-3", 24),
    ],
)
def test_a_model_of_each_family_learns_twenty_schemas(family, name, lora, rate, epochs, folders, twenty, tmp_path):
    address = f"{family}:{folders[name]}"
    before = right(ask(twenty, address))
    made = by_heart(address, twenty, tmp_path / "m", rate, epochs, lora=lora, evaluate=twenty)
    assert made.address == f"{family}:{tmp_path / 'm'}"
    (run,) = made.runs
    assert right(run) >= 0.95 > before
    assert made.accuracy == right(run)  # what is validated is what is evaluated


@pytest.mark.parametrize(
    ("family", "rate", "epochs"),
    [("causal", "2e-3", 20), pytest.param("choice", "1e-3", 50, marks=pytest.mark.slow)],
)
def test_switched_forms_are_learnt_with_their_originals(family, rate, epochs, folders, twenty, tmp_path):
    """Words alone do not solve both: the same words have the other answer."""
    made = by_heart(f"{family}:{folders[family]}", twenty, tmp_path / "m", rate, epochs, kinds="switched")
    confirmed = [replace(s, items=tuple(replace(i, tags=("switchable",)) for i in s.items)) for s in twenty.schemas]
    run = ask(replace(twenty, schemas=tuple(confirmed)), made.address, kinds=["switched"])
    assert made.accuracy == right(run) >= 0.95
    assert run.estimate("consistency").value >= 0.9


def test_random_answers_teach_nothing_about_right_ones(folders, twenty, tmp_path):
    made = by_heart(f"causal:{folders['causal']}", twenty, tmp_path / "m", control="shuffled-labels")
    assert made.accuracy == 1.0  # it has learnt what it was given
    assert ask(twenty, made.address).accuracy().value < 0.8
    assert made.config["data"]["control"] == "shuffled-labels"


# What transformers and peft load


@pytest.fixture(scope="module")
def tuned(folders, twenty, tmp_path_factory):
    """The folder of a causal model that was fine-tuned with an adapter; for reading only."""
    folder = tmp_path_factory.mktemp("lora") / "m"
    by_heart(f"causal:{folders['causal']}", twenty, folder, "1e-2", 3, lora=True)
    return folder


@pytest.fixture
def adapter(tuned, tmp_path):
    """A copy of its adapter alone."""
    return shutil.copytree(tuned / "adapter", tmp_path / "adapter")


def test_an_adapter_loads_in_plain_peft_and_equals_the_merged_model(folders, tuned):
    import peft

    base = transformers.AutoModelForCausalLM.from_pretrained(folders["causal"], dtype=torch.float32)
    tokens = torch.tensor([[5, 9, 30, 7]])
    with torch.no_grad():
        plain = base(tokens).logits
        adapted = peft.PeftModel.from_pretrained(base, tuned / "adapter").eval()(tokens).logits
        merged = transformers.AutoModelForCausalLM.from_pretrained(tuned, dtype=torch.float32)(tokens).logits
    assert torch.allclose(adapted, merged, atol=1e-4)
    assert not torch.allclose(plain, merged, atol=1e-2)


@pytest.mark.parametrize(("family", "name"), [("causal", "gpt2"), ("masked", "masked"), ("choice", "masked")])
def test_an_adapter_can_be_asked_by_itself(family, name, folders, twenty, tmp_path, monkeypatch):
    """Also with a head that is added to a masked model."""
    made = by_heart(f"{family}:{folders[name]}", twenty, tmp_path / "m", "1e-3", 2, lora=True)
    whole, alone = (ask(twenty, address) for address in (made.address, f"{made.address}/adapter"))
    assert whole.accuracy().value == made.accuracy
    assert scores(alone) == pytest.approx(scores(whole), abs=1e-5)
    assert scores(alone) != pytest.approx(scores(ask(twenty, f"causal:{folders['causal']}")), abs=1e-2)
    with pytest.raises(InputError, match="was trained on twenty-schemas, which overlaps with twenty-schemas: 40 of 40"):
        wg.evaluate(twenty, f"{made.address}/adapter", device="cpu")
    if family == "choice":  # its head is more than products
        lose_peft(monkeypatch)
        with pytest.raises(InputError, match=r"needs peft, which is not installed.*winoglot\[train\]"):
            _ = load_model(f"{made.address}/adapter", Options(device="cpu")).pretrained.model


def lose_peft(monkeypatch):
    monkeypatch.setattr("winoglot.errors.find_spec", lambda name: None if name == "peft" else True)


@for_each("numbers", [torch.float32, torch.bfloat16])
def test_an_adapter_is_added_without_peft_as_peft_adds_it(numbers, folders, adapter, monkeypatch):
    import peft

    lose_peft(monkeypatch)
    file = adapter / "adapter_model.safetensors"
    save_file({name: one.to(numbers) for name, one in load_file(file).items()}, file, {"format": "pt"})
    own = load_model(f"causal:{adapter}", Options(device="cpu")).pretrained.model.state_dict()
    base = transformers.AutoModelForCausalLM.from_pretrained(folders["causal"], dtype=torch.float32)
    plain = {name: one.clone() for name, one in base.state_dict().items()}
    by_peft = peft.PeftModel.from_pretrained(base, adapter).merge_and_unload().state_dict()
    assert own.keys() == by_peft.keys()
    assert all(torch.equal(one, by_peft[name]) for name, one in own.items())
    assert sum(not torch.equal(one, plain[name]) for name, one in own.items()) == len(load_file(file)) / 2


def test_a_model_with_an_adapter_can_have_a_name_of_its_own(folders, twenty, tuned, adapter):
    """As a packaged model would, whose adapter does not know where the weights are."""
    settings = json.loads((adapter / "adapter_config.json").read_bytes()) | {"base_model_name_or_path": "/gone"}
    (adapter / "adapter_config.json").write_text(json.dumps(settings))
    with pytest.raises(InputError, match="/gone is not the folder of a model"):
        load_model(f"causal:{adapter}", Options(device="cpu"))
    plain, named = (load_model(f"causal:{folders['causal']}", Options(device="cpu")) for _ in range(2))
    named.add_adapter(adapter)
    assert named.fingerprint != plain.fingerprint
    assert scores(ask(twenty, named)) == pytest.approx(scores(ask(twenty, f"causal:{tuned}")), abs=1e-5)
    with pytest.raises(InputError, match="was trained on twenty-schemas"):
        wg.evaluate(twenty, named, device="cpu")


def test_a_broken_adapter_is_an_input_error(adapter):
    for name, content, message in (
        ("adapter_model.safetensors", b"cut", "does not fit the model"),
        ("adapter_model.safetensors", None, r"has no adapter_model\.safetensors"),
        ("adapter_config.json", b"{}", "`base_model_name_or_path` names no model"),
    ):
        whole = (adapter / name).read_bytes()
        (adapter / name).unlink() if content is None else (adapter / name).write_bytes(content)
        with pytest.raises(InputError, match=message):
            _ = load_model(f"causal:{adapter}", Options(device="cpu")).pretrained.model
        (adapter / name).write_bytes(whole)


# What it was trained on


def test_what_was_learnt_and_held_out_is_not_asked_again(folders, twenty, tmp_path):
    part = replace(twenty, schemas=twenty.schemas[:10], name="ten")
    rest = replace(twenty, schemas=twenty.schemas[10:], name="rest")
    settings = [*FEW, "held_out=0.3"]
    made = few(folders, part, tmp_path / "m", settings=settings)
    assert made.config["data"]["held_out"] >= 6
    with pytest.raises(InputError, match="was trained on ten, which overlaps with twenty-schemas: 20 of 40 items"):
        wg.evaluate(twenty, made.address, device="cpu")
    assert not wg.evaluate(rest, made.address, device="cpu").settings.overlap
    again = few({"causal": tmp_path / "m"}, rest, tmp_path / "again", settings=settings)  # the first is not forgotten
    with pytest.raises(InputError, match="was trained on ten and rest, which overlaps with twenty-schemas: 40 of 40"):
        wg.evaluate(twenty, again.address, device="cpu")


def test_what_will_be_asked_is_not_learnt_from(folders, twenty, tmp_path):
    asked_for = replace(twenty, schemas=twenty.schemas[:4], name="four")
    said = []
    more = {"settings": FEW, "device": "cpu", "evaluate": asked_for, "note": said.append}
    made = wg.finetune(f"causal:{folders['causal']}", twenty, tmp_path / "m", size=40, **more)  # 40 are at hand
    assert said == ["8 items not learnt from: overlapping with what is evaluated."]
    assert made.config["data"]["items"] + made.config["data"]["held_out"] == 32
    assert made.config["data"]["collections"] == ["twenty-schemas 1.0"]
    assert (made.config["family"], made.config["recipe"]["language"], made.config["seed"]) == ("causal", 0.3, 0)
    assert not made.runs[0].settings.overlap
    with pytest.raises(InputError, match=r"every schema of four overlaps .*"):
        wg.finetune(f"causal:{folders['causal']}", asked_for, tmp_path / "n", **more)
    rest = replace(twenty, schemas=twenty.schemas[10:], name="rest")
    with pytest.raises(InputError, match="was trained on twenty-schemas, which overlaps with rest"):
        wg.finetune(made.address, asked_for, tmp_path / "n", **more | {"evaluate": rest})
    assert not (tmp_path / "n").exists()


# The loss, against plain calls of the library


def plain_loss(folder, collection, numbers):
    """The ratio loss and 0.3 of the language-model loss, one padding-free call per reading."""
    solver = load_model(f"causal:{folder}", Options(device="cpu"))
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    questions = [one.question for one in asked(collection, (), "grammatical")]
    losses = []
    for question in (questions[number] for number in numbers):
        scores, language = [], None
        for reading in question.readings:
            (text,) = solver.encoder.encode([reading.text])
            ids = torch.tensor([[solver.encoder.start, *text.ids]])
            logs = model(ids).logits[0, :-1].log_softmax(-1).gather(1, ids[0, 1:, None])[:, 0]
            inside = torch.from_numpy(text.starts >= len(reading.text) - len(question.window.text))
            scores.append(logs[inside].sum())
            if reading.candidate == question.item.answer:
                right, language = scores[-1], -logs.mean()
        wrong = next(score for score in scores if score is not right)
        losses.append(-torch.nn.functional.logsigmoid(right - wrong) + 0.3 * language)
    loss = torch.stack(losses).mean()
    loss.backward()
    return loss.detach(), dict(model.named_parameters())


@pytest.mark.parametrize("tokens", [8192, 60])
@pytest.mark.parametrize("name", ["causal", "gpt2"])
def test_packed_loss_and_gradients_equal_plain_calls(name, tokens, folders, twenty, tmp_path, monkeypatch):
    seen = {}
    train = FinetuneTask.train

    def first(self, step, state):
        result = train(self, step, state)
        model = self.objective.model
        seen.setdefault("step", step)
        seen.setdefault("loss", result.loss.clone())
        grads = {key: one.grad.clone() for key, one in model.named_parameters()}
        seen.setdefault("gradients", grads)
        return result

    monkeypatch.setattr(FinetuneTask, "train", first)
    settings = ["held_out=0", "batch=6", "epochs=1", f"batch_tokens={tokens}"]
    wg.finetune(f"causal:{folders[name]}", twenty, tmp_path / "m", settings=settings, device="cpu")
    loss, parameters = plain_loss(folders[name], twenty, seen["step"])
    assert torch.allclose(seen["loss"], loss, atol=1e-5)
    for key, gradient in seen["gradients"].items():
        assert torch.allclose(gradient, parameters[key].grad, atol=1e-5), key


def test_without_language_loss_only_windows_are_scored_with_the_same_loss_and_gradients(folders, twenty):
    solver = load_model(f"causal:{folders['causal']}", Options(device="cpu"))
    objective = CausalObjective(solver, solver.pretrained.model)
    recipe = find_finetune_recipe("causal", ["language=0"])
    examples, _ = objective.examples(gather([twenty], held_out=0.0).training)
    found = {}
    for whole in (True, False):
        objective.learns_language = whole
        objective.model.zero_grad()
        loss = objective.add_gradients(examples, 1 / len(examples), recipe, torch.float32)
        gradients = [one.grad.clone() for one in objective.model.parameters()]
        found[whole] = objective._arrange(examples).shape, loss, gradients
    assert found[False][0].rights == 0
    assert found[False][0].scored < found[True][0].scored
    assert torch.allclose(found[False][1], found[True][1], atol=1e-6)
    assert all(torch.allclose(*both, atol=1e-6) for both in zip(found[False][2], found[True][2], strict=True))


@pytest.mark.parametrize("language", [0.3, 0.0])
def test_rounded_shapes_give_the_same_loss_and_gradients(language, folders, twenty):
    solver = load_model(f"causal:{folders['causal']}", Options(device="cpu"))
    objective = CausalObjective(solver, solver.pretrained.model)
    objective.learns_language = language > 0
    recipe = find_finetune_recipe("causal", [f"language={language}"])
    examples, left_out = objective.examples(gather([twenty], held_out=0.0).training)
    assert (len(examples), left_out) == (40, 0)
    recordings = Recordings(objective)
    for some in (examples[:5], examples[3:20], examples):
        rounded = objective._arrange(some).rounded()
        shape = rounded.shape
        assert (shape.rows % 2, shape.scored % 512, shape.examples % 16) == (0, 0, 0)
        share = 1 / len(some)
        objective.model.zero_grad()
        loss = objective.add_gradients(some, share, recipe, torch.float32)
        numbers = torch.from_numpy(rounded.numbers())
        torch._foreach_zero_(recordings.gradients)
        again = recordings._add(shape, numbers, torch.tensor(share), recipe, torch.float32)
        assert torch.allclose(again, loss, atol=1e-6)
        for parameter, gradient in zip(recordings.parameters, recordings.gradients, strict=True):
            assert torch.allclose(gradient, parameter.grad, atol=1e-6)


def test_rows_are_filled_to_the_length_of_the_longest_schema():
    examples = [TrainingExample(0, str(size), ((tuple(range(size)), 1),), size) for size in (300, 100, 150, 60, 250)]
    assert [[one.size for one in row] for row in _pack_rows(examples)] == [[300], [250, 60], [150, 100]]
    assert [[one.size for one in row] for row in _pack_rows(examples[1:])] == [[250], [150, 100], [60]]


def test_held_out_schemas_are_scored_in_full_precision(folders, twenty):
    solver = load_model(f"causal:{folders['causal']}", Options(device="cpu"))
    objective = CausalObjective(solver, solver.pretrained.model)
    examples, _ = objective.examples(gather([twenty], held_out=0.0).training)
    recipe, process = find_finetune_recipe("causal", []), Process()
    low, full = (
        FinetuneTask(objective, recipe, examples, examples, 0, process, precision, print)
        for precision in (torch.bfloat16, torch.float32)
    )
    with torch.no_grad():
        assert low.validate() == full.validate()


def test_the_most_accurate_weights_are_kept_and_of_these_the_ones_with_the_best_brier_score(folders, twenty, tmp_path):
    settings = ["epochs=8", "patience=8", "batch=4", "rate=0.005", "held_out=0.5"]
    made = few(folders, twenty, tmp_path / "m", settings=settings)
    checks = [line for line in read_log(FinetuneFolder(tmp_path / "m").log) if "accuracy" in line]
    best = max(checks, key=lambda line: (line["accuracy"], -line["brier"]))
    assert (made.config["best_step"], made.accuracy) == (best["step"], best["accuracy"])
    calmest = min(checks, key=lambda line: line["brier"])
    assert calmest["step"] != best["step"]  # or this would not show which of the two decides


# Interruptions


def tune_slowly(address, folder):
    """With a checkpoint after every step."""
    torch.set_num_threads(1)
    more = {"settings": FEW, "device": "cpu", "log_every": 1, "checkpoint_minutes": 0, "resume": True}
    wg.finetune(address, wg.load(TWENTY), folder, **more)


@pytest.mark.parametrize("lora", [False, True])
def test_a_time_limit_after_every_step_changes_nothing_of_the_result(lora, folders, twenty, tmp_path):
    address = f"causal:{folders['causal']}"
    more = {"settings": FEW, "device": "cpu", "lora": lora, "log_every": 1}
    whole = wg.finetune(address, twenty, tmp_path / "whole", **more)
    for step in range(1, 5):
        part = wg.finetune(address, twenty, tmp_path / "parts", resume=True, max_minutes=0, **more)
        assert (part.why, part.steps) == ("minutes", step)
    last = wg.finetune(address, twenty, tmp_path / "parts", resume=True, **more)
    assert (last.steps, last.accuracy) == (whole.steps, whole.accuracy)
    assert weights(tmp_path / "whole") == weights(tmp_path / "parts")
    curves = [read_log(FinetuneFolder(tmp_path / name).log) for name in ("whole", "parts")]
    for line in (line for curve in curves for line in curve):
        del line["seconds"]
    assert curves[0] == curves[1]


def test_stopped_by_a_signal_at_the_end_of_an_epoch_and_logged_less_often_later(folders, twenty, tmp_path):
    def stop(step, *_):
        if step == 5:  # the last of the first epoch
            os.kill(os.getpid(), signal.SIGTERM)

    stopped = few(folders, twenty, tmp_path / "stopped", log_every=1, progress=stop)
    assert (stopped.why, stopped.steps, stopped.address) == ("signal", 5, "")
    few(folders, twenty, tmp_path / "stopped", resume=True)
    few(folders, twenty, tmp_path / "whole")
    assert weights(tmp_path / "whole") == weights(tmp_path / "stopped")


@pytest.mark.slow
def test_twenty_kills_change_nothing_of_the_result(folders, twenty, tmp_path):
    address = f"causal:{folders['causal']}"
    wg.finetune(address, twenty, tmp_path / "whole", settings=FEW, device="cpu")
    log = FinetuneFolder(tmp_path / "killed").log
    for lines in (*range(1, 19), 18, 18):  # fifteen steps and three validations; then while the model is written
        process = PROCESSES.Process(target=tune_slowly, args=(address, tmp_path / "killed"))
        process.start()
        wait_until(partial(has_lines, log, lines), f"{lines} lines", process)
        process.kill()
        process.join(MOST)
        assert process.exitcode == -signal.SIGKILL
    wg.finetune(address, twenty, tmp_path / "killed", settings=FEW, device="cpu", resume=True)
    assert weights(tmp_path / "whole") == weights(tmp_path / "killed")
    trained_on = [(tmp_path / name / "trained_on.json").read_bytes() for name in ("whole", "killed")]
    assert trained_on[0] == trained_on[1]


def test_it_stops_when_held_out_schemas_get_no_better_and_keeps_the_best(folders, twenty, tmp_path):
    settings = ["held_out=0.3", "batch=8", "rate=3e-3", "epochs=40", "patience=2"]
    made = few(folders, twenty, tmp_path / "m", settings=settings)
    checks = [line for line in read_log(FinetuneFolder(tmp_path / "m").log) if "valid_loss" in line]
    best = min(checks, key=lambda line: line["valid_loss"])
    assert (made.why, len(checks), checks.index(best)) == ("patience", len(checks), len(checks) - 3)
    assert len(checks) < 40
    assert (made.config["best_step"], made.accuracy) == (best["step"], best["accuracy"])


def test_a_checkpoint_of_other_data_is_refused(folders, twenty, tmp_path):
    few(folders, twenty, tmp_path / "m", max_minutes=0)
    fewer = replace(twenty, schemas=twenty.schemas[1:])
    for model, data, seed, message in (
        ("causal", fewer, 0, "the data has changed since the fine-tuning was started"),
        ("gpt2", twenty, 0, "the model that the fine-tuning started from has changed"),
        ("causal", twenty, 1, r"started with seed 0, not 1|the data has changed"),
    ):
        with pytest.raises(InputError, match=message):
            few({"causal": folders[model]}, data, tmp_path / "m", seed=seed, resume=True)


# What goes wrong


def test_when_memory_runs_out_parts_are_halved_and_it_is_said(folders, twenty, tmp_path, monkeypatch):
    few(folders, twenty, tmp_path / "whole")
    forward = transformers.LlamaModel.forward

    def small_memory(self, input_ids, **rest):
        if torch.is_grad_enabled() and input_ids.shape[1] > 100:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")
        return forward(self, input_ids=input_ids, **rest)

    monkeypatch.setattr(transformers.LlamaModel, "forward", small_memory)
    said = []
    made = few(folders, twenty, tmp_path / "m", note=said.append)
    assert made.config["batch_tokens"] < 200
    fewest = made.config["batch_tokens"]
    assert f"The device is out of memory: for the rest of this epoch, {fewest} tokens at once." in said
    whole_parts = said.count("The device is out of memory: for the rest of this epoch, 4096 tokens at once.")
    assert whole_parts == made.config["epochs"]  # each begins with the recipe's number
    whole, halved = (read_tensors(tmp_path / name / "model.safetensors") for name in ("whole", "m"))
    assert all(torch.allclose(whole[key], halved[key], atol=1e-3) for key in whole)


def test_if_one_item_does_not_fit_it_is_an_input_error(folders, twenty, tmp_path, monkeypatch):
    def no_memory(self, step, state):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")

    monkeypatch.setattr(FinetuneTask, "_add_gradients", no_memory)
    with pytest.raises(InputError, match="the device is out of memory"):
        few(folders, twenty, tmp_path / "m")


def test_a_loss_that_is_not_a_number_stops_and_the_last_checkpoint_is_good(folders, twenty, tmp_path, monkeypatch):
    whole = few(folders, twenty, tmp_path / "whole", log_every=1)
    losses, called = CausalObjective.losses, []

    def broken(self, *arguments):
        called.append(arguments)
        return losses(self, *arguments) * (math.nan if len(called) > 8 else 1)

    with monkeypatch.context() as patch:
        patch.setattr(CausalObjective, "losses", broken)
        message = r"the loss is not a number at step 9; the checkpoint of step 5 is kept\. .* a lower learning rate"
        with pytest.raises(InputError, match=message):
            few(folders, twenty, tmp_path / "m", log_every=1)
    assert not (tmp_path / "m" / "finetune.json").exists()
    assert few(folders, twenty, tmp_path / "m", resume=True, log_every=1).steps == whole.steps
    assert weights(tmp_path / "m") == weights(tmp_path / "whole")


def with_items(collection, change):
    """The collection, its schemas without variants and with what becomes of their items."""
    schemas = (replace(schema, items=tuple(change(schema.items)), variants=()) for schema in collection.schemas)
    return replace(collection, schemas=tuple(schemas))


@for_each(
    ("address", "change", "message"),
    [
        ("causal:{masked}", None, "a model of the family masked, not causal"),
        ("masked:{causal}", None, "a model of the family causal, not masked"),
        ("choice:{causal}", None, "a model of the family causal, not choice"),
        ("first", None, "first cannot be fine-tuned"),
        (
            "causal:{causal}",
            lambda items: (item for item in items if item.answer == 0),
            "the first candidate is right in all",
        ),
        (
            "causal:{causal}",
            lambda items: (replace(item, answer=None) for item in items),
            "no schema of twenty-schemas says which candidates are right",
        ),
    ],
)
def test_models_and_data_that_do_not_fit_are_refused(address, change, message, folders, twenty, tmp_path):
    data = with_items(twenty, change) if change else twenty
    with pytest.raises(InputError, match=message):
        wg.finetune(address.format(**folders), data, tmp_path / "m", device="cpu")
    assert not (tmp_path / "m").exists()


def test_a_folder_that_is_in_use_or_full_of_other_things_is_left_alone(folders, twenty, tmp_path):
    from winoglot.folders import lock

    address = f"causal:{folders['causal']}"
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match=r"something other than a fine-tuned model: letter\.txt"):
        wg.finetune(address, twenty, tmp_path / "other", device="cpu")
    with lock(tmp_path / "busy"), pytest.raises(InputError, match=f"another process is working here .*{os.getpid()}"):
        wg.finetune(address, twenty, tmp_path / "busy", settings=FEW, device="cpu")
    wg.finetune(address, twenty, tmp_path / "m", settings=[*FEW, "epochs=1"], device="cpu")
    with pytest.raises(InputError, match="this fine-tuned model already exists"):
        wg.finetune(address, twenty, tmp_path / "m", device="cpu")


def test_a_full_disk_keeps_the_checkpoint_and_says_what_to_do(folders, twenty, tmp_path, monkeypatch):
    def full(self, *_, **__):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(transformers.LlamaForCausalLM, "save_pretrained", full)
        with pytest.raises(InputError, match=r"No space left on device.*continue with --resume"):
            few(folders, twenty, tmp_path / "m", settings=[*FEW, "epochs=1"])
    assert not (tmp_path / "m" / "finetune.json").exists()
    assert few(folders, twenty, tmp_path / "m", resume=True, settings=[*FEW, "epochs=1"]).why == "epochs"


def test_a_family_of_another_package_says_how_it_is_fine_tuned(outside, folders, tmp_path):
    outside(
        "models",
        "mine",
        "from winoglot.finetune.causal import CausalObjective\n"
        "from winoglot.models.base import Finetuning\n"
        "from winoglot.models.causal import CausalSolver\n"
        "class Objective(CausalObjective):\n"
        "    def losses(self, scored, recipe):\n"
        "        return super().losses(scored, recipe) * 0 + scored.scores.sum() * 0 + 7.0\n"
        "class Mine(CausalSolver):\n"
        "    family = 'mine'\n"
        "check, load = CausalSolver.check, Mine\n"
        "RECIPE = {'batch': 8, 'epochs': 1, 'rate': 1e-4}\n"
        "FINETUNING = Finetuning('mine', __name__ + ':Objective', RECIPE, ('causal',))\n",
    )
    tuned = wg.finetune(f"mine:{folders['causal']}", wg.load(TWENTY), tmp_path / "tuned")
    assert tuned.address == f"mine:{tmp_path / 'tuned'}"
    assert (tuned.config["family"], tuned.config["recipe"]["batch"]) == ("mine", 8)
    log = [json.loads(line) for line in (tmp_path / "tuned" / "log.jsonl").read_text().splitlines()]
    assert log[0]["loss"] == pytest.approx(7.0)
    with pytest.raises(InputError, match="first cannot be fine-tuned"):
        wg.finetune("first", wg.load(TWENTY), tmp_path / "other")
