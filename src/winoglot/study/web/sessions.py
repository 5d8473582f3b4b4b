"""Who sends a request: signed cookies, tokens in forms, and how often somebody may ask.

A cookie holds a value and its HMAC under the study's secret, so nobody can make one up. A form holds the HMAC of the
cookie's value, so a page of another site cannot send it. Of participants and visitors nothing more is stored on the
server; a researcher's session is, so that it can be ended.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

# Who a cookie is for. A visitor is nobody yet: the cookie only ties forms to a browser.
VISITOR, PARTICIPANT, RESEARCHER = ("visitor", "participant", "researcher")
HOURS = {VISITOR: 24, PARTICIPANT: 90 * 24, RESEARCHER: 12}
_LONGEST = 200  # of a cookie's value; ours are shorter
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_MOST_BUCKETS = 10_000


class Signer:
    """Signs and checks with the study's secret. What is signed for one purpose is not valid for another."""

    def __init__(self, secret: str) -> None:
        """Take the secret that the study was created with."""
        self._secret = secret.encode()

    def signature(self, purpose: str, value: str) -> str:
        """A value's HMAC."""
        return hmac.new(self._secret, f"{purpose}:{value}".encode(), "sha256").hexdigest()

    def signed(self, purpose: str, value: str) -> str:
        """The value with its HMAC, as a cookie holds it."""
        return f"{value}.{self.signature(purpose, value)}"

    def read(self, purpose: str, signed: str) -> str | None:
        """The value, if it was signed here for this purpose."""
        value, _, signature = signed.rpartition(".")
        if not value or len(value) > _LONGEST or not signature.isascii():
            return None
        return value if hmac.compare_digest(signature, self.signature(purpose, value)) else None

    def form_token(self, session: str) -> str:
        """What a form must contain, so that no other site can send it in a person's name."""
        return self.signature("form", session)

    def is_form_token(self, session: str, token: str) -> bool:
        """Whether a form holds the token of the person who sends it."""
        return token.isascii() and hmac.compare_digest(token, self.form_token(session))


def _is_secure(request: Request) -> bool:
    """Cookies travel over TLS only, unless the server is tried out on one's own machine."""
    return request.url.scheme == "https" or request.url.hostname not in LOOPBACK


def _name(request: Request, who: str) -> str:
    # A browser accepts the prefix only on a cookie that is Secure and for this host: no other site can set it.
    return f"__Host-winoglot-{who}" if _is_secure(request) else f"winoglot-{who}"


def read_cookie(request: Request, signer: Signer, who: str) -> str | None:
    """What the browser's cookie holds, if we signed it."""
    return signer.read(who, request.cookies.get(_name(request, who), ""))


def set_cookie(request: Request, response: Response, signer: Signer, who: str, value: str) -> None:
    """Let the browser remember a value."""
    response.set_cookie(
        _name(request, who),
        signer.signed(who, value),
        max_age=HOURS[who] * 3600,
        path="/",
        secure=_is_secure(request),
        httponly=True,
        samesite=_same_site(who),
    )


def forget_cookie(request: Request, response: Response, who: str) -> None:
    """Let the browser forget it."""
    response.delete_cookie(
        _name(request, who), path="/", secure=_is_secure(request), httponly=True, samesite=_same_site(who)
    )


def _same_site(who: str) -> Literal["lax", "strict"]:
    """A personal link in a message must work; a link to the dashboard may ask for the token again."""
    return "strict" if who == RESEARCHER else "lax"


@dataclass(frozen=True)
class Limit:
    """How often something may happen: `burst` times at once, then `per_minute`."""

    burst: int
    per_minute: float


@dataclass(frozen=True)
class Limits:
    """How often one person, or one address, may ask. A class of students behind one address must fit in."""

    answers: Limit = Limit(60, 300)  # forms of one person
    pages: Limit = Limit(120, 600)  # pages of one person
    joining: Limit = Limit(300, 60)  # from one address
    links: Limit = Limit(20, 10)  # unknown ones, from one address
    login: Limit = Limit(20, 10)  # wrong tokens, from one address


class RateLimiter:
    """Counts in memory, per process. Addresses are hashed with a key that this process alone knows, and soon forgotten.

    >>> limiter = RateLimiter()
    >>> [limiter.allows("ana", Limit(2, 1)) for _ in range(3)], limiter.allows("rui", Limit(2, 1))
    ([True, True, False], True)
    """

    def __init__(self) -> None:
        """Start with no requests."""
        self._key = secrets.token_bytes(32)
        self._lock = Lock()
        self._buckets: dict[bytes, tuple[float, float]] = {}  # how many are left, and when that was so

    def allows(self, who: str, limit: Limit) -> bool:
        """Whether `who` may go on; asking counts."""
        return self._take_from_bucket(who, limit, 1)

    def is_exhausted(self, who: str, limit: Limit) -> bool:
        """Whether `who` would have to wait; asking does not count."""
        return not self._take_from_bucket(who, limit, 0)

    def _take_from_bucket(self, who: str, limit: Limit, number: int) -> bool:
        key, now = hmac.digest(self._key, f"{limit}:{who}".encode(), "sha256"), monotonic()
        with self._lock:
            remaining, last_time = self._buckets.pop(key, (float(limit.burst), now))
            remaining = min(float(limit.burst), remaining + (now - last_time) * limit.per_minute / 60)
            is_allowed = remaining >= max(number, 1)
            self._buckets[key] = (remaining - number if is_allowed else remaining, now)
            while len(self._buckets) > _MOST_BUCKETS:  # those who have been silent longest are forgotten first
                self._buckets.pop(next(iter(self._buckets)))
        return is_allowed
