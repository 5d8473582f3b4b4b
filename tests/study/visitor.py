"""Somebody who takes part without JavaScript: reads pages, fills in their forms, presses buttons."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import uvicorn
from starlette.testclient import TestClient

import winoglot as wg
from winoglot.study.create import create_study
from winoglot.study.settings import StudySettings
from winoglot.study.storage import Storage
from winoglot.study.web.app import make_app

HOME = "https://study.example"


def a_study(database: str, language: str = "en", **settings: Any) -> Storage:
    """A small study: two texts for practice, four to test, one attention check."""
    settings = {"training": 2, "problems": 4, "checks": 1, "page_language": language, **settings}
    return create_study(wg.load(f"winoglot-{language}")[:12], "Pronouns", database, StudySettings(**settings))[0]


@dataclass
class WebForm:
    action: str
    fields: dict[str, str] = field(default_factory=dict)  # what is sent if nothing is changed
    tasks: list[str] = field(default_factory=list)  # a field that is there once for each problem
    options: dict[str, list[str]] = field(default_factory=dict)  # of radio buttons and boxes, in their order


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[WebForm] = []
        self.ids: list[str] = []
        self.area = ""
        self.inside: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.inside.append(tag)
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "form":
            self.forms.append(WebForm(given["action"]))
        elif tag == "input":
            form, name, value = self.forms[-1], given["name"], given.get("value", "on")
            if given["type"] in ("radio", "checkbox"):
                form.options.setdefault(name, []).append(value)
            if given["type"] not in ("radio", "checkbox") or "checked" in given:
                form.fields[name] = value
                form.tasks += [value] * (name == "task")
        elif tag == "textarea":
            self.area = given["name"]
            self.forms[-1].fields[self.area] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            del self.inside[len(self.inside) - 1 - self.inside[::-1].index(tag) :]
        if tag == "textarea":
            self.area = ""

    def handle_data(self, data: str) -> None:
        if self.area:
            self.forms[-1].fields[self.area] += data
        if not {"script", "style", "head"} & set(self.inside):
            self.texts.append(data)


class Visitor:
    """A browser with its cookies, on one page."""

    def __init__(self, storage: Storage, base_url: str = HOME, **options: Any) -> None:
        self.app = make_app(storage, **options)
        self.client = TestClient(self.app, base_url=base_url, raise_server_exceptions=False)
        self.status = 0
        self.html = self.url = ""

    def open(self, path: str) -> "Visitor":
        return self._at(self.client.get(path))

    def _at(self, response: Any) -> "Visitor":
        self.status, self.html, self.url = response.status_code, response.text, str(response.url).removeprefix(HOME)
        self.response = response
        self.page = _Reader()
        self.page.feed(response.text)
        return self

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.page.texts).split())

    def form(self, action: str) -> WebForm:
        return next(form for form in self.page.forms if form.action == action)

    def send(self, action: str, **changed: str) -> "Visitor":
        """Press the button of a form, after changing some fields."""
        form = self.form(action)
        fields: dict[str, Any] = form.fields | {name.replace("__", "-"): value for name, value in changed.items()}
        if form.tasks:
            fields["task"] = form.tasks
        return self._at(self.client.post(action, data=fields))

    def signed_form_token(self) -> str:
        """What a form on a page for this visitor would contain."""
        cookie = self.client.cookies["__Host-winoglot-participant"]
        signer = self.app.state.site.signer
        return signer.form_token(signer.read("participant", cookie))

    def begin(self) -> "Visitor":
        """Join an open study and agree."""
        self.open("/").send("/join")
        return self.send("/consent", able="yes", agreed="yes")

    def choices(self) -> dict[str, list[str]]:
        """The radio buttons on the page: their names and values."""
        options = self.form("/answer").options
        return {name: values for name, values in options.items() if name.startswith(("answer", "again"))}

    def answer(self, at: int = 0, **changed: str) -> "Visitor":
        """Choose the answer at this place in every problem on the page, and go on."""
        chosen = {name: values[at] for name, values in self.choices().items()}
        return self.send("/answer", **(chosen | changed))

    @property
    def asks(self) -> bool:
        return any(form.action == "/answer" for form in self.page.forms)

    def finish(self, until: str = "Thank you. Your answers are saved.") -> list[str]:
        """Answer everything; the titles of all pages on the way."""
        titles = []
        while until not in self.text:
            titles.append(self.title)
            if self.asks:
                self.answer()
            else:
                self.open("/study")
            assert self.status == 200, (self.status, self.text)
        return titles

    @property
    def title(self) -> str:
        return self.html.partition("<title>")[2].partition(" – ")[0]


@contextmanager
def served(application: Any, **options: Any) -> Iterator[tuple[uvicorn.Server, tuple[str, int]]]:
    """A server and its address, as long as the block runs."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application, log_level="warning", access_log=False, **options))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield server, listening.getsockname()
    finally:
        server.should_exit = True
        thread.join()
