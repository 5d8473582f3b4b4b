"""Models on any server that speaks the OpenAI protocol (vLLM, llama.cpp, hosted services): `remote:URL#MODEL`.

If the server echoes a text with the log probabilities of its tokens, readings are scored as a causal model would score
them; if it does not, and for instruction models, it is asked in words (scoring `answer`). A key comes from the
environment variable that was set for this server (`servers/client.py`), and is not stored anywhere.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from winoglot.errors import InputError, did_you_mean
from winoglot.files import parse_json
from winoglot.models.base import Options, Question, Scores, Solver, read_options
from winoglot.models.scoring.tokens import SCORINGS, Continuation, TokenScores, scores_of
from winoglot.models.servers.answers import REFUSED, Reply
from winoglot.models.servers.asking import Asking, AskingSolver, ChatRequest, Keep
from winoglot.models.servers.client import EXAMPLE, KEYS, Client, Failed, Serving
from winoglot.models.servers.echo import Echo, SpellingError, aligned, completion_request, echo_request, echoed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PROBE = "The lamp fell on the floor."
_NOTHING = TokenScores(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


@dataclass(frozen=True)
class Sending:
    """What is sent besides the text; each field is an option of this family."""

    start: str = ""  # sent before every text that is scored, such as <bos> for a server that adds nothing
    body: str = ""  # further fields of the request, in JSON; null removes a default one

    def fields(self) -> dict[str, Any]:
        """The further fields of a request, from JSON."""
        try:
            extra = parse_json(self.body or "{}")
        except ValueError:
            extra = None
        if not isinstance(extra, dict):
            raise InputError(f"body={self.body!r} is not a JSON object", remedy="""Write body='{"top_k": 1}'.""")
        return extra

    def settings(self) -> dict[str, object]:
        """The settings that were given."""
        extra = {"body": json.dumps(self.fields(), sort_keys=True)} if self.body else {}
        return {**({"start": self.start} if self.start else {}), **extra}


def check(location: str, options: Options) -> tuple[str, ...]:
    """Reject wrong options and a server that does not answer, or does not have the model, before anything is scored."""
    asking, serving, sending = read_options(options.more, Asking, Serving, Sending)
    sending.fields()
    asking.check_shots()
    if options.contact:
        _find_model(location, serving)
    else:
        Client(_address(location)[0], serving)
    return (*SCORINGS, *asking.scorings())


def load(location: str, options: Options) -> Solver:
    """The model of that name on the server; the name may be left out if the server has only one."""
    asking, serving, sending = read_options(options.more, Asking, Serving, Sending)
    asking.check_shots()
    client, model, served_models = _find_model(location, serving)
    echo = _probe(client, model, sending.start, served_models)
    return RemoteSolver(client, model, echo, options.seed, asking, sending)


class RemoteSolver(AskingSolver):
    """Asks a server.

    Its weights are not known: the fingerprint is that of the address, the name and the tokens of a short text.
    """

    sends_requests = True
    cacheable = False  # the same address may serve other weights tomorrow, and a failure may not last

    def __init__(
        self, client: Client, model: str, echo: Echo | None, seed: int, asking: Asking, sending: Sending
    ) -> None:
        """`echo` is what the server made of a short text, None if it does not echo."""
        super().__init__(asking, seed, sending.settings())
        self.name = f"remote:{client.url}#{model}"
        self.echoes = echo is not None
        if self.echoes:
            self.scorings = (*SCORINGS, *self.scorings)
        identity = (client.url, model, *(echo.tokens[: len(echo.tokens) - echo.written] if echo else ()))
        self.fingerprint = hashlib.sha256("\n".join(identity).encode()).hexdigest()[:16]
        self._client, self._model, self._sending = client, model, sending
        self.sends_away = not client.is_local

    @property
    def spent(self) -> Mapping[str, float]:
        """What all requests so far have used."""
        return self._client.spent

    def default_scorings(self, questions: Sequence[Question]) -> tuple[str, ...]:
        """Partial scores if the server echoes, otherwise every prompt that fits."""
        return SCORINGS[:1] if self.echoes else super().default_scorings(questions)

    def settings_for(self, scoring: str, language: str) -> dict[str, object]:
        """The settings that matter to one scoring in one language."""
        return self._sending.settings() if scoring in SCORINGS else super().settings_for(scoring, language)

    def score(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
        """Log probabilities and answers, each only if they are asked for."""
        by_tokens = [scoring for scoring in scorings if scoring in SCORINGS]
        by_answers = [scoring for scoring in scorings if scoring not in SCORINGS]
        texts = [reading.text for question in questions for reading in question.readings]
        echoed_scores = self._echoed(texts) if by_tokens else {}
        asked_scores: list[dict[str, Scores]] = (
            super().score(questions, by_answers) if by_answers else [{}] * len(questions)
        )
        return [
            {scoring: _scores(question, echoed_scores, scoring) for scoring in by_tokens} | answers
            for question, answers in zip(questions, asked_scores, strict=True)
        ]

    def prompts(self, questions: Sequence[Question], scorings: Sequence[str]) -> list[str]:
        """The texts that are to be echoed, each once, and the conversations."""
        by_answers = [scoring for scoring in scorings if scoring not in SCORINGS]
        texts = [reading.text for question in questions for reading in question.readings]
        echoed_texts = list(dict.fromkeys(texts)) if len(by_answers) < len(scorings) else []
        return [*echoed_texts, *(super().prompts(questions, by_answers) if by_answers else [])]

    def token_scores(self, texts: Sequence[str]) -> list[TokenScores] | None:
        """The token scores that the server echoes; None if it does not echo. A text that it refuses has no tokens."""
        if not self.echoes:
            return None
        scores_by_text = self._echoed(texts)
        return [scores if isinstance(scores := scores_by_text[text], TokenScores) else _NOTHING for text in texts]

    def continuations(self, texts: Sequence[str]) -> list[Continuation] | None:
        """What the server writes after the first half of each text, by the tokens that it echoes."""
        scored = self.token_scores(texts)
        if scored is None:
            return None
        spellings = [
            [text[start:end] for start, end in zip(text_scores.starts, text_scores.ends, strict=True)]
            for text, text_scores in zip(texts, scored, strict=True)
        ]
        halves = {
            text: (
                text[: text_scores.starts[len(text_scores.starts) // 2]],
                len(text_scores.starts) - len(text_scores.starts) // 2,
            )
            for text, text_scores in zip(texts, scored, strict=True)
            if len(text_scores.starts) > 1
        }
        bodies = [completion_request(self._model, self._sending.start + half, room) for half, room in halves.values()]
        answers = self._client.post_all("completions", bodies, echoed)
        written_tokens = {
            text: () if isinstance(answer, Failed) else answer.tokens
            for text, answer in zip(halves, answers, strict=True)
        }
        return [
            Continuation(tuple(map(str.strip, tokens[len(tokens) // 2 :])), tuple(map(str.strip, written_tokens[text])))
            if text in written_tokens
            else Continuation((), ())
            for text, tokens in zip(texts, spellings, strict=True)
        ]

    def _echoed(self, texts: Sequence[str]) -> dict[str, TokenScores | str]:
        """The token scores of each text, or why there are none."""
        distinct = list(dict.fromkeys(texts))
        bodies = [echo_request(self._model, self._sending.start + text) for text in distinct]
        scores: dict[str, TokenScores | str] = {}
        for text, echo in zip(distinct, self._client.post_all("completions", bodies, echoed), strict=True):
            try:
                scores[text] = echo.reason if isinstance(echo, Failed) else aligned(text, self._sending.start, echo)
            except SpellingError as error:
                scores[text] = str(error)
        return scores

    def replies(self, requests: list[ChatRequest], keep: Keep | None = None) -> list[Reply]:
        """The reply to each request."""
        bodies = [self._body(request) for request in requests]
        answers = self._client.post_all("chat/completions", bodies, _reply, keep)
        return [Reply("", failure=answer.reason) if isinstance(answer, Failed) else answer for answer in answers]

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        asking = self._asking
        body: dict[str, Any] = {"model": self._model, "messages": request.messages}
        body |= {"max_tokens": asking.thinking + asking.answer_tokens, "temperature": asking.temperature}
        if asking.temperature:
            body |= {"top_p": asking.top_p, "seed": request.seed}
        body |= self._sending.fields()
        return {name: value for name, value in body.items() if value is not None}


def _scores(question: Question, scores_by_text: Mapping[str, TokenScores | str], scoring: str) -> Scores:
    tokens = []
    for reading in question.readings:
        text_scores = scores_by_text[reading.text]
        if isinstance(text_scores, str):
            return Scores.undefined(question, text_scores)
        tokens.append(text_scores)
    scores = scores_of(question, tokens, scoring)
    if any(value is not None and np.isnan(value) for value in scores.values):
        if scoring != "partial":
            raise InputError(
                f"the server gives the first token no log probability, so there is no {scoring!r} score",
                remedy="Name the token that begins a text: --option start='<bos>' (as the model calls it).",
            )
        return Scores.undefined(question, "a token without log probability")
    return scores


def _reply(answer: Any) -> Reply:
    choice = answer["choices"][0]
    message = choice["message"]
    text = message.get("content") or ""
    if isinstance(text, list):  # some servers answer in parts
        text = "".join(part.get("text", "") for part in text)
    if not isinstance(text, str):
        raise TypeError("the content is not text")
    finish_reason = choice.get("finish_reason")
    is_refused = message.get("refusal") or finish_reason == "content_filter"
    return Reply(text, cut_off=finish_reason == "length", failure=REFUSED if is_refused else "")


def _find_model(location: str, serving: Serving) -> tuple[Client, str, list[str] | None]:
    """The server, the name of the model there, and the models that the server says it has."""
    url, model = _address(location)
    client = Client(url, serving)
    served_models = _served_models(client)
    if not model:
        if served_models is None or len(served_models) != 1:
            hint = (
                f"It has: {', '.join(served_models[:20])}." if served_models else "Its documentation says which it has."
            )
            raise InputError(f"no model is named after {url}", remedy=f"Write remote:{location}#MODEL. {hint}")
        model = served_models[0]
    return client, model, served_models


def _address(location: str) -> tuple[str, str]:
    """The address, with /v1 if it has no path, and the name of the model, perhaps empty.

    >>> _address("http://localhost:8000#tiny"), _address("https://example.org/api/v1/")
    (('http://localhost:8000/v1', 'tiny'), ('https://example.org/api/v1', ''))
    """
    url, _, model = location.partition("#")
    try:
        parts = urlsplit(url)
        secret = parts.username is not None or parts.password is not None or bool(parts.query)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        secret, usable = "@" in url, False
    if secret:  # it would be stored with every run
        remedy = f"{EXAMPLE} A key goes into WINOGLOT_API_KEY or, if the server is not on this machine, see {KEYS}."
        raise InputError("the address has a name, password or query", remedy=remedy)
    if not usable:
        remedy = EXAMPLE
        if re.fullmatch(r"[\w.-]+:\d+(/.*)?", url):
            remedy = f"Begin it with http:// or https://: remote:http://{location}."
        elif "://" not in url:
            remedy = f"{EXAMPLE} For a model on this machine write chat:{url} or causal:{url}."
        raise InputError(f"{url!r} is not the address of a server", remedy=remedy)
    path = parts.path.rstrip("/") or "/v1"
    return f"{parts.scheme}://{parts.netloc}{path}", model


def _served_models(client: Client) -> list[str] | None:
    """The names of the models that the server says it has; None if it does not say."""
    answer = client.get("models")
    if isinstance(answer, Failed):
        if answer.status in (400, 404, 405, 501):
            return None
        raise client.error_of(answer)
    try:
        return [str(model["id"]) for model in answer["data"]]
    except (KeyError, TypeError):
        return None


def _probe(client: Client, model: str, start: str, served_models: Sequence[str] | None) -> Echo | None:
    """What the server makes of a short text; None if it does not echo with log probabilities."""
    answer = client.post("completions", echo_request(model, start + _PROBE))
    if isinstance(answer, Failed):
        if answer.status == 404 and served_models is not None and model not in served_models:
            raise InputError(f"{client.url} has no model {model!r}", remedy=did_you_mean(model, served_models))
        status = answer.status or 0
        is_unsupported = any(
            word in answer.reason.lower() for word in ("echo", "logprob", "not supported", "unsupported")
        )
        if status in (400, 404, 405, 422, 501) or (status >= 500 and is_unsupported):
            return None
        raise client.error_of(answer)
    try:
        echo = echoed(answer)
        aligned(_PROBE, start, echo)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return None
    return echo
