"""The key of a server: read from the environment, sent in one header, shown nowhere."""

from __future__ import annotations

import os

from winoglot.errors import InputError

KEYS = ("WINOGLOT_API_KEY", "OPENAI_API_KEY")


class Key:
    """What the first of these variables holds that is set; perhaps nothing."""

    def __init__(self) -> None:
        """Refuse what could not be sent, without saying what it is."""
        name = next((name for name in KEYS if os.environ.get(name, "").strip()), "")
        self._value = os.environ.get(name, "").strip()
        if not self._value.isascii() or not (self._value or "x").isprintable():
            raise InputError(f"the key in {name} holds characters that no key has", remedy="Set it anew.")

    def __repr__(self) -> str:
        """Whether there is one."""
        return "Key(set)" if self._value else "Key(none)"

    def headers(self) -> dict[str, str]:
        """The header that carries it."""
        return {"Authorization": f"Bearer {self._value}"} if self._value else {}

    def hidden(self, text: str) -> str:
        """A server's words without the key, should it repeat it."""
        return text.replace(self._value, "[key]") if self._value else text
