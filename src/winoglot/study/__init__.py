"""People's answers: judgements of items, how far they agree, and studies in which people answer on web pages.

Blind checks and studies share the record of a judgement. A study is created (`create`), people get their problems
(`assignment`) and go through it step by step (`participation`) on pages (`web/`); its database (`storage`) is read as
plain records (`answers`), from which `results` are computed.
"""

from winoglot.errors import require_extra

_NEEDED = ("sqlalchemy", "alembic", "babel", "fastapi", "uvicorn", "jinja2", "markdown_it", "nh3")


def need_study() -> None:
    """An input error with the command to run, if a package is missing."""
    require_extra("studies need", *_NEEDED, extra="study")
