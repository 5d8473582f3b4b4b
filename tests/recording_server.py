"""A server that writes down what it is asked, headers and all, and answers every request in the same way."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def answer(self):
        self.server.requests.append((self.command, self.path, dict(self.headers)))
        self.send_response(self.server.status)
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST = do_HEAD = do_CONNECT = answer  # noqa: N815  # names that the library looks for


@contextmanager
def recording(status=200, **headers):
    """A server with `requests`, a list of (method, path, headers), and `url`, until the block ends."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.requests, server.status, server.headers = [], status, headers
        server.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
