"""An experiment file from somebody else: it learns nothing of the environment, and a dry run contacts nobody."""

import json
from itertools import permutations

import pytest

from cases import listed
from experiment.files import write
from logic.small_pairs import write_data
from model_questions import plain
from recording_server import recording
from tiny_models import llama
from winoglot import InputError
from winoglot.experiment.file import read_experiment
from winoglot.experiment.running import plan_experiment, run_experiment

SECRET = "hunter2-0123456789"
KEYS = ("OPENAI_API_KEY", "WINOGLOT_API_KEY", "WINOGLOT_STUDY_DB", "AWS_SECRET_ACCESS_KEY")
ADDRESS = "remote:{url}/v1#m"


@pytest.fixture
def server(monkeypatch):
    """A server that somebody else's file names; it is the hub, too."""
    for name in KEYS:
        monkeypatch.setenv(name, SECRET)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    with recording(404) as made:
        monkeypatch.setenv("HF_ENDPOINT", made.url)
        yield made


@listed
def test_no_variable_reaches_a_server(model, place, server, tmp_path, monkeypatch, run_winoglot):
    monkeypatch.setenv("WINOGLOT_MINE", "some/value")
    model = model.format(url=f"remote:{server.url}")
    path = write(tmp_path, f"collections: [winoglot-en]\nmodels: [{model}]\nlimit: 1")
    for more in (["--dry-run"], []):
        code, out, err = run_winoglot("run", path, *more)
        assert code == 2
        assert place in err
        assert SECRET not in out + err
    assert not server.requests
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", [*KEYS, "winoglot_api_key", "WINOGLOT_MY_TOKEN", "HOME", "WINOGLOT_A-B"])
def test_paths_take_only_variables_that_are_allowed(name, server, tmp_path, monkeypatch):
    for key in ("source", "labels", "overlay"):
        other = "" if key == "source" else "source: winoglot-en, "
        path = write(tmp_path, f"collections: [{{{other}{key}: '${{{name}}}/x'}}]\nmodels: [first]")
        said = rf"collections\[0\]\.{key}.*{name} may not be used.*WINOGLOT_EXPAND={name}"
        with pytest.raises(InputError, match=said) as caught:
            plan_experiment(path)
        assert SECRET not in str(caught.value)
    if name.isidentifier():
        monkeypatch.setenv("WINOGLOT_EXPAND", f"DATA, {name}")
        monkeypatch.setenv(name, str(tmp_path))
        with pytest.raises(InputError, match=f"{tmp_path}/x"):
            plan_experiment(path)


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_a_dry_run_contacts_nobody(as_json, server, tmp_path, run_winoglot):
    address = ADDRESS.format(url=server.url)
    models = f"['{address}', 'causal:some/model', 'chat:some/other', 'ensemble:causal:some/model+{address}']"
    path = write(tmp_path, f"collections: [winoglot-en]\nmodels: {models}\nlimit: 1")
    code, out, err = run_winoglot("run", path, "--dry-run", *as_json)
    assert (code, err) == (0, "")
    assert address in out
    assert not server.requests
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(InputError):  # a real run does, and is told that the model is not there
        plan_experiment(write(tmp_path, f"collections: [winoglot-en]\nmodels: ['remote:{server.url}']"))
    assert server.requests


def test_a_dry_run_with_pairs_contacts_nobody(server, tmp_path, run_winoglot):
    data = write_data(tmp_path / "data", train=8, validation=4, test=4)
    address = ADDRESS.format(url=server.url)
    text = f"""
        data: {data}
        seeds: 1
        models: [{{model: '{address}'}}, {{model: 'causal:some/model'}}, {{model: bag, train: {{}}}}]
    """
    path = write(tmp_path, text)
    code, out, err = run_winoglot("logic", "run", path, "--dry-run", "--json")
    assert (code, err) == (0, "")
    assert [job["model"] for job in json.loads(out)["jobs"]] == [address, "causal:some/model", "bag"]
    assert "3 jobs, 0 done" in run_winoglot("logic", "run", path, "--dry-run")[1]
    assert not server.requests
    assert {one.name for one in tmp_path.iterdir()} == {"data", "small.yaml"}


@listed
def test_an_experiment_with_pairs_has_variables_in_paths_only(entry, place, tmp_path, monkeypatch):
    data = write_data(tmp_path / "data", train=8, validation=4, test=4)
    monkeypatch.setenv("WINOGLOT_MINE", str(data))
    entry = entry.format(url="remote:http://127.0.0.1:9")
    path = write(tmp_path, f"data: ${{WINOGLOT_MINE}}\nmodels: [{entry}]")
    with pytest.raises(InputError) as caught:
        read_experiment(path)
    assert place in str(caught.value)
    path = write(tmp_path, "data: ${HOME}\nmodels: [{model: bag, train: {}}]")
    with pytest.raises(InputError, match="HOME may not be used"):
        read_experiment(path)


# Models in folders that a variable names.

MODEL = """collections: [winoglot-en]
models:
- causal:{folder}/tiny
- {{name: mine, model: "causal:{folder}/tiny"}}
"""
TUNED = """- name: tuned
  model: causal:{folder}/tiny
  finetune: {{data: [own.yaml], seeds: 1, set: {{epochs: "1"}}}}
"""
LEARNT = "collection: own\nlanguage: en\nschemas:\n" + "".join(
    f"- {{id: s{number}, text: 'The {one} fell on the {other} because {{it}} was [weak|wide].',"
    f" candidates: [the {one}, the {other}], answers: [0, 1]}}\n"
    for number, (one, other) in enumerate(permutations(("cup", "jug", "box", "pan"), 2))
)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    llama(folder / "tiny", plain())
    return folder


def texts(folder):
    return {file: file.read_bytes().decode(errors="replace") for file in folder.rglob("*") if file.is_file()}


def test_what_is_stored_is_the_text_as_written(models, tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WINOGLOT_MODELS", str(models))
    write(tmp_path, LEARNT, "own.yaml")
    path = write(tmp_path, (MODEL + TUNED).format(folder="${WINOGLOT_MODELS}") + "limit: 1")
    made = run_experiment(path)
    written = "causal:${WINOGLOT_MODELS}/tiny"
    named = [(run.settings.model, run.settings.address) for run in made.runs]
    assert named[:2] == [(written, written), ("mine", written)]
    assert not [file for file, text in texts(made.folder).items() if str(models) in text]
    before = texts(made.folder)
    again = run_experiment(made.folder / "experiment.lock.json")
    assert again.differences == ()
    monkeypatch.delenv("WINOGLOT_MODELS")
    with pytest.raises(InputError, match="WINOGLOT_MODELS is not set"):
        run_experiment(path)
    assert texts(made.folder) == before


def test_what_was_stored_with_the_path_itself_is_continued(models, tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WINOGLOT_MODELS", str(models))
    path = write(tmp_path, (MODEL + TUNED).format(folder=models) + "limit: 1")
    write(tmp_path, LEARNT, "own.yaml")
    old = run_experiment(path)  # earlier versions stored the same from a file with variables
    lock = json.loads((old.folder / "experiment.lock.json").read_bytes())
    text = (MODEL + TUNED).format(folder="${WINOGLOT_MODELS}") + "limit: 1"
    lock["experiment"]["text"] = text
    write(tmp_path, text)
    (tmp_path / "old.lock.json").write_text(json.dumps(lock | {"experiment": lock["experiment"] | {"folder": "."}}))
    runs = texts(old.folder / "runs")
    made = run_experiment(path)
    assert made.lock["results"] == old.lock["results"]
    assert texts(made.folder / "runs") == runs  # nothing was asked again
    assert run_experiment(tmp_path / "old.lock.json", tmp_path / "again").differences == ()
