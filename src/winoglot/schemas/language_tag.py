"""Language tags (BCP 47), as people write them."""

from __future__ import annotations

import re

from winoglot.errors import InputError

_TAG = re.compile(r"([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|[0-9]{3}))?((?:-[a-z0-9]{2,8})*)", re.IGNORECASE)
_UNDERSTOOD = {"jp": "ja"}  # XWinograd's name for Japanese


def language_tag(tag: str) -> str:
    """The tag in its usual spelling; what is no tag is an input error.

    >>> language_tag("PT_br"), language_tag("jp"), language_tag("zh-hans-CN")
    ('pt-BR', 'ja', 'zh-Hans-CN')
    """
    parts = _TAG.fullmatch(tag.strip().replace("_", "-")) if isinstance(tag, str) else None
    if not parts:
        raise InputError(f"{tag!r} is not a language tag", remedy="Use a BCP 47 tag such as en, pt-BR, fr, zh or ja.")
    language, script, region, rest = parts.groups()
    language = _UNDERSTOOD.get(language.lower(), language.lower())
    return "-".join(filter(None, (language, script and script.title(), region and region.upper()))) + rest.lower()


def primary(tag: str) -> str:
    """The language alone: `pt` of `pt-BR`."""
    return tag.split("-", maxsplit=1)[0]
