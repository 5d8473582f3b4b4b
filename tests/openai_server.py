"""A server of the OpenAI protocol over plain `transformers` calls, none of them ours; it can be told to misbehave.

A POST to /control changes how it behaves from then on, a GET of it says what it has seen:

    start       "bos": a text begins with the model's own token; "none": with nothing
    echo        false: log probabilities of a text are not given
    reply       what every question is answered with; null: what the model writes
    choose      a word: questions are answered with the label of the option that holds it
    delay       seconds before every answer
    key         what requests must carry
    faults      [{"kind": …, "times": 2, "containing": "…"}]: what goes wrong, how often, with which requests
"""

import json
import re
import threading
import time
import urllib.request
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USUAL = {"start": "bos", "echo": True, "reply": None, "choose": None, "delay": 0, "key": None, "faults": []}
NAME = "tiny"
PATIENCE = 30  # seconds that a silent answer lasts


class Model:
    """Tokens, log probabilities and replies, one request after the other."""

    def __init__(self, folder):
        import torch
        import transformers

        self.torch = torch
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
        self.lock = threading.Lock()

    def echo(self, text, begin):
        """The tokens of the text and one more, as text, with their log probabilities."""
        ids = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        start = self.tokenizer.bos_token_id
        if begin == "bos" and ids[:1] != [start]:
            ids = [start, *ids]
        with self.lock, self.torch.no_grad():
            logs = self.model(input_ids=self.torch.tensor([ids])).logits[0].double().log_softmax(-1)
        following = int(logs[-1].argmax())
        scores = [None, *(logs[at, token].item() for at, token in enumerate([*ids[1:], following]))]
        tokens = [self.tokenizer.decode([token]) for token in [*ids, following]]
        return tokens, scores

    def continued(self, text, begin, room):
        """The likeliest tokens after the text, one at a time, as text, with their log probabilities."""
        ids = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        ids = [self.tokenizer.bos_token_id, *ids] if begin == "bos" else ids
        scores = []
        for _ in range(room):
            with self.lock, self.torch.no_grad():
                logs = self.model(input_ids=self.torch.tensor([ids])).logits[0, -1].double().log_softmax(-1)
            ids.append(int(logs.argmax()))
            scores.append(logs.max().item())
        return [self.tokenizer.decode([token]) for token in ids[len(ids) - room :]], scores

    def reply(self, messages, room):
        """What the model writes after a conversation, and why it stopped."""
        text = self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        ids = self.torch.tensor([self.tokenizer(text, add_special_tokens=False)["input_ids"]])
        with self.lock:
            made = self.model.generate(
                ids, attention_mask=self.torch.ones_like(ids), max_new_tokens=room, do_sample=False, pad_token_id=0
            )
        new = made[0, ids.shape[1] :].tolist()
        ended = "stop" if self.tokenizer.eos_token_id in new else "length"
        return self.tokenizer.decode(new, skip_special_tokens=True), ended


class Server(ThreadingHTTPServer):
    """What is served, how, and what was seen."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.model = Model(folder)
        self.lock = threading.Lock()
        self.reset()

    def reset(self):
        self.how = dict(USUAL)
        self.seen = {"requests": 0, "most_at_once": 0, "bodies": []}
        self.under_way = 0

    def fault(self, body):
        """The fault that meets this request, if any."""
        with self.lock:
            for one in self.how["faults"]:
                if one.get("times", 1) != 0 and one.get("containing", "") in json.dumps(body, ensure_ascii=False):
                    one["times"] = one.get("times", 1) - 1
                    return one
        return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        if self.path == "/control":
            self.answer(200, self.server.seen)
        elif self.path == "/v1/models":
            self.guarded({}, lambda: {"object": "list", "data": [{"id": NAME, "object": "model"}]})
        else:
            self.answer(404, {"error": {"message": "no such page"}})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/control":
            if not body:
                self.server.reset()
            self.server.how |= body
            self.answer(200, {})
            return
        pages = {"/v1/completions": self.completion, "/v1/chat/completions": self.chat}
        if self.path not in pages:
            self.answer(404, {"error": {"message": "no such page"}})
            return
        server = self.server
        with server.lock:
            server.under_way += 1
            server.seen["requests"] += 1
            server.seen["most_at_once"] = max(server.seen["most_at_once"], server.under_way)
            server.seen["bodies"].append(body)
        try:
            time.sleep(server.how["delay"])
            self.guarded(body, lambda: pages[self.path](body))
        finally:
            with server.lock:
                server.under_way -= 1

    def guarded(self, body, make):
        """The answer, unless the key is wrong or a fault is due."""
        key, sent = self.server.how["key"], self.headers.get("Authorization", "")
        fault = self.server.fault(body)
        if key and sent != f"Bearer {key}":
            self.answer(401, {"error": {"message": f"Incorrect API key provided: {sent}"}})
        elif fault:
            getattr(self, f"fault_{fault['kind']}")(fault, sent)
        elif body and body["model"] != NAME:
            self.answer(404, {"error": {"message": f"The model `{body['model']}` does not exist."}})
        else:
            self.answer(200, make())

    def completion(self, body):
        how = self.server.how
        if not how["echo"]:
            return {"choices": [{"text": " and", "logprobs": None}]}
        if body.get("echo"):
            tokens, scores = self.server.model.echo(body["prompt"], how["start"])
        else:
            tokens, scores = self.server.model.continued(body["prompt"], how["start"], body["max_tokens"])
        offsets = [sum(map(len, tokens[:number])) for number in range(len(tokens))]
        logprobs = {"tokens": tokens, "token_logprobs": scores, "text_offset": offsets, "top_logprobs": None}
        choice = {"index": 0, "text": "".join(tokens), "logprobs": logprobs, "finish_reason": "length"}
        return {"choices": [choice], "usage": {"prompt_tokens": len(tokens) - 1, "completion_tokens": 1}}

    def chat(self, body):
        how = self.server.how
        text, ended = how["reply"], "stop"
        if how["choose"]:
            asked = body["messages"][-1]["content"]
            text = re.search(rf"^(\w+)\) .*{re.escape(how['choose'])}", asked, re.MULTILINE)[1]
        elif isinstance(text, dict):
            text, ended = text["text"], text["finish_reason"]
        elif text is None:
            text, ended = self.server.model.reply(body["messages"], body["max_tokens"])
        message = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        return {"choices": [{"index": 0, "message": message, "finish_reason": ended}], "usage": usage}

    def fault_429(self, fault, sent):
        self.answer(429, {"error": {"message": "slow down"}}, {"Retry-After": fault.get("retry_after", "0")})

    def fault_500(self, fault, sent):
        """As a careless server might, it shows what it was sent."""
        self.answer(500, {"error": {"message": f"{'x' * fault.get('padding', 0)} headers were {sent}"}})

    def fault_400(self, fault, sent):
        self.answer(400, {"error": {"message": "too long"}})

    def fault_shape(self, fault, sent):
        self.answer(200, {"choices": [{"message": 5}], "usage": fault.get("usage")})

    def fault_garbage(self, fault, sent):
        self.raw(b"<html>Bad gateway</html>")

    def fault_silence(self, fault, sent):
        time.sleep(PATIENCE)

    def fault_trickle(self, fault, sent):
        self.send_response(200)
        self.end_headers()
        end = time.monotonic() + PATIENCE
        try:
            while time.monotonic() < end:
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.02)
        except OSError:
            pass
        self.close_connection = True

    def answer(self, status, content, headers=()):
        self.raw(json.dumps(content).encode(), status, headers)

    def raw(self, data, status=200, headers=()):
        try:
            self.send_response(status)
            for name, value in dict(headers).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:  # the client has hung up
            self.close_connection = True


class Running:
    """A server as a test sees it."""

    def __init__(self, port):
        self._root = f"http://127.0.0.1:{port}"

    @property
    def url(self):
        return f"{self._root}/v1"

    @property
    def location(self):
        return f"{self.url}#{NAME}"

    def behave(self, **how):
        """From now on like this; as usual where nothing is given."""
        for body in ({}, how):
            request = urllib.request.Request(f"{self._root}/control", json.dumps(body).encode())
            urllib.request.urlopen(request).close()

    def seen(self):
        with urllib.request.urlopen(f"{self._root}/control") as response:
            return json.load(response)


@contextmanager
def running(folder):
    """Serve the model in a folder until the block ends, from threads of this process: torch is imported already."""
    with Server(folder) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield Running(server.server_port)
        finally:
            server.shutdown()
