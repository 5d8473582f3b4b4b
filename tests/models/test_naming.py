import json
import re
import socket
import threading
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from cases import for_each, listed
from six_schemas import six, six_file
from tiny_models import bert, llama
from winoglot import InputError
from winoglot.models import causal
from winoglot.models.base import Options, check_model
from winoglot.models.naming import ModelName, family_of, model_name
from winoglot.report.reproduce import commands
from winoglot.runs.evaluate import evaluate
from winoglot.runs.store import find_runs, load_run


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "tiny"
    texts = [reading.text for item in six("en").items for reading in wg.readings(item)]
    llama(folder, texts)
    return folder


@given(
    st.text("abc.-_ 9é图", min_size=1).filter(lambda text: text == text.strip() and text.strip(".")),
    st.text("abc:/=+#?", min_size=1),
)
def test_a_name_is_what_comes_before_the_first_equals_sign_and_can_be_typed_again(name, location):
    asked = model_name(f"{name}=causal:{location}")
    assert asked == ModelName(name, f"causal:{location}")
    assert (asked.family, asked.location) == ("causal", location)
    assert model_name(str(asked)) == asked
    assert model_name(str(model_name(f"causal:{location}"))) == ModelName(f"causal:{location}", f"causal:{location}")


@listed
def test_a_name_that_cannot_be_used_is_refused_with_what_to_write(models, message):
    with pytest.raises(InputError) as error:
        evaluate([six("en")], models)
    assert message in str(error.value)


def test_the_name_is_in_folders_tables_and_runs_and_the_address_is_stored(tmp_path, run_winoglot, tiny):
    address = f"causal:{tiny}"
    named = ("--model", f"tiny={address}", "--model", "left=first")
    code, out, _ = run_winoglot("evaluate", six_file("en"), *named, "-o", str(tmp_path / "runs"), "--json")
    assert code == 0
    assert [row["model"] for row in json.loads(out)] == ["tiny", "left"]
    runs = {run.settings.model: run for run in map(load_run, find_runs(tmp_path / "runs"))}
    assert {folder.name for folder in find_runs(tmp_path / "runs")} == {
        "six-en.tiny.partial.grammatical",
        "six-en.left.choice.grammatical",
    }
    assert {name: run.settings.address for name, run in runs.items()} == {"tiny": address, "left": "first"}
    assert runs["left"].is_baseline
    assert not runs["tiny"].is_baseline
    assert f"|tiny={address} sha:" in runs["tiny"].signature
    _, listed, _ = run_winoglot("runs", "list", str(tmp_path / "runs"))
    assert "six-en.tiny.partial.grammatical" in listed
    assert str(tiny) not in listed
    _, compared, _ = run_winoglot("compare", str(tmp_path / "runs"))
    assert [line.split()[0] for line in compared.splitlines()[:2]] == ["left,", "tiny,"]
    typed = "\n".join(commands(list(runs.values())))
    assert f"--model tiny={address}" in typed
    assert "--model left=first" in typed


def test_a_named_model_scores_as_it_does_without_a_name_also_in_an_ensemble(tiny):
    named, plain = evaluate([six("en")], [f"tiny=causal:{tiny}", f"causal:{tiny}"])
    assert named.predictions == plain.predictions
    assert (named.settings.model, plain.settings.model) == ("tiny", f"causal:{tiny}")
    assert named.settings.address == plain.settings.address == f"causal:{tiny}"
    run = evaluate(six("en"), f"both=ensemble:small=causal:{tiny}+causal:{tiny}", scoring="full")
    assert (run.settings.model, run.settings.address) == ("both", f"ensemble:small=causal:{tiny}+causal:{tiny}")
    assert run.predictions


def test_a_named_run_is_resumed_though_its_weights_have_moved_but_not_with_other_weights(tmp_path, tiny):
    first = evaluate(six("en"), f"tiny=causal:{tiny}", folder=tmp_path / "run")
    moved = tmp_path / "moved"
    moved.symlink_to(tiny)
    again = evaluate(six("en"), f"tiny=causal:{moved}", folder=tmp_path / "run")
    assert again.predictions == first.predictions
    assert again.settings.address == f"causal:{tiny}"
    with pytest.raises(InputError, match="this run was started with"):
        evaluate(six("en"), "tiny=first", folder=tmp_path / "run", scoring="choice")


@listed
def test_a_hub_id_without_a_family_is_told_what_to_write(given, message):
    with pytest.raises(InputError) as error:
        check_model(given, Options())
    assert "there is no model family" in str(error.value)
    assert message in str(error.value)


def test_a_folder_or_file_without_a_family_is_told_its_own(tmp_path, tiny):
    folders = {"causal": str(tiny)}
    folders["masked"] = bert(tmp_path / "m", ["a b"])
    folders["choice"] = bert(tmp_path / "c", ["a b"], head="MultipleChoice")
    folders["next-sentence"] = bert(tmp_path / "n", ["a b"], head="NextSentencePrediction")
    (tmp_path / "lm").mkdir()
    (tmp_path / "lm" / "config.json").write_text('{"recipe": {}, "kind": "lstm"}')
    (tmp_path / "a.gguf").write_bytes(b"GGUF")
    folders |= {"lm": str(tmp_path / "lm"), "gguf": str(tmp_path / "a.gguf")}
    for family, folder in folders.items():
        with pytest.raises(InputError) as error:
            check_model(f"mine={folder}", Options())
        assert f"is a model of the family {family}, " in str(error.value)
        assert f"Write mine={family}:{folder}." in str(error.value)
    with pytest.raises(
        InputError, match=f"was not trained with a next-sentence head.* write masked:{folders['masked']}"
    ):
        evaluate(six("en"), f"next-sentence:{folders['masked']}")
    with pytest.raises(InputError, match="'my model' is neither a folder nor a hub id"):
        causal.check("my model", Options())


@for_each("content", ["", "[]", '{"architectures": null}', '{"architectures": ["T5Model"]}', '{"recipe": 1}'])
def test_a_folder_that_does_not_say_its_family_is_not_guessed(tmp_path, content):
    (tmp_path / "config.json").write_text(content)
    assert family_of(tmp_path) is None


def test_a_hub_behind_a_proxy_that_refuses_it_is_unreachable(monkeypatch):
    """A connection is accepted, but no answer comes from the hub: the library itself would try for a minute."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def refuse():
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    connection.recv(4096)
                    connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                    connection.close()

        threading.Thread(target=refuse, daemon=True).start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.getsockname()[1]}")
        with pytest.raises(InputError, match="'some/model' is not on this machine, and the hub cannot be reached"):
            causal.check("some/model", Options())


@for_each(
    ("address", "says"),
    [
        ("gemma-3-270", "Did you mean 'gemma-3-270m'? Otherwise write causal:gemma-3-270 for"),
        ("chat:http://localhost:8000/v1", "is an address. A server is asked with remote:URL#MODEL."),
        ("causal:https://huggingface.co/google/gemma-3-270m/tree/main", "Write FAMILY:google/gemma-3-270m."),
        ("remote:models/tiny", "For a model on this machine write chat:models/tiny or causal:models/tiny."),
    ],
)
def test_what_was_meant_is_said(address, says):
    with pytest.raises(InputError, match=re.escape(says)):
        check_model(address, Options(contact=False))
