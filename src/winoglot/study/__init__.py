"""People's answers: judgements of items, how far they agree, and studies in which people answer on web pages.

Blind checks and studies share the record of a judgement. A study is created (`create`), people get their problems
(`assignment`) and go through it step by step (`participation`) on pages (`web/`); its database (`storage`) is read as
plain records (`answers`), from which `results` are computed.
"""

from importlib.util import find_spec

from winoglot.errors import InputError

_NEEDED = {
    "sqlalchemy": "SQLAlchemy",
    "alembic": "alembic",
    "babel": "Babel",
    "fastapi": "fastapi",
    "uvicorn": "uvicorn",
    "jinja2": "Jinja2",
    "markdown_it": "markdown-it-py",
    "nh3": "nh3",
}


def need_study() -> None:
    """An input error with the command to run, if a library that studies need is not installed."""
    missing = [name for module, name in _NEEDED.items() if find_spec(module) is None]
    if missing:
        message = f"not installed: {', '.join(missing)}, which studies need"
        raise InputError(message, remedy="Run: pip install 'winoglot[study]'")
