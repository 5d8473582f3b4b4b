"""A server of the OpenAI protocol that replies to conversations as a test says, and may stop answering."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAME = "drafter"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.answer(200, {"data": [{"id": NAME}]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/chat/completions":
            self.answer(404, {"error": {"message": "no such page"}})
            return
        server = self.server
        with server.lock:
            number = len(server.conversations)
            if server.stops_after is not None and number >= server.stops_after:
                self.answer(401, {"error": {"message": "closed for today"}})
                return
            server.conversations.append([message["content"] for message in body["messages"]])
        reply = server.reply([message["content"] for message in body["messages"]])
        text, reason = reply if isinstance(reply, tuple) else (reply, "stop")
        message = {"role": "assistant", "content": text}
        self.answer(200, {"choices": [{"index": 0, "message": message, "finish_reason": reason}]})

    def answer(self, status, content):
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def drafting_server(reply):
    """A server with `model`, its name for commands, and `conversations`, what it was asked.

    `reply` is given the messages of a conversation, and returns a text, or a text and why it ends. After `stops_after`
    conversations, if that is a number, all requests are refused.
    """
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.reply, server.conversations, server.stops_after = reply, [], None
        server.lock = threading.Lock()
        server.model = f"remote:http://127.0.0.1:{server.server_port}/v1#{NAME}"
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
