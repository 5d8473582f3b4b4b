"""People's answers: judgements of items, how far they agree, and studies in which people answer on web pages.

Blind checks and studies share the record of a judgement:

- `judgements.py`: what one reader answered, read from files
- `agreement.py`: how far readers agree with the answers and with each other

A study on web pages, from its settings to its results:

- `settings.py`: what is fixed when a study is created
- `planning.py`: how many people a study needs
- `questions/`: what is asked about a problem; one class per question type
- `storage.py`: tables and transactions
- `database.py`: SQLite or PostgreSQL, created or brought up to date with `migrations/`
- `create.py`: a study from a collection; links, states and tokens
- `assignment.py`: which problems a person gets
- `steps.py`: what a person sees next
- `participation.py`: what a person does, and how it is stored
- `web/`: the pages
- `answers.py`: the database as plain records
- `results.py`: estimates from these
- `issues.py`: items to look at, and what the researcher decided about them
- `export.py`: tables, judgements and runs for other programs
- `platforms.py`: the same study for jsPsych and PCIbex
"""

from winoglot.errors import require_extra

_NEEDED = ("sqlalchemy", "alembic", "babel", "fastapi", "uvicorn", "jinja2", "markdown_it", "nh3")


def need_study() -> None:
    """Raise an input error that says what to install if a package is missing."""
    require_extra("studies need", *_NEEDED, extra="study")
