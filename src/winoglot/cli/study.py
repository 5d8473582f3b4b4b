"""`study`: let people answer a collection on web pages, and read what they answered."""

from __future__ import annotations

import os
import re
import socket
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winoglot.cli.completion import one_of, plugins, several_of, words
from winoglot.cli.console import emit
from winoglot.cli.options import Language, Source, split
from winoglot.errors import InputError, did_you_mean
from winoglot.files import decode
from winoglot.progress import wait_quietly
from winoglot.schemas.text import counted, primary
from winoglot.study import need_study
from winoglot.study.settings import FIRST
from winoglot.study.web.texts import PAGE_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import FastAPI

    from winoglot.study.create import Questionnaire
    from winoglot.study.settings import StudySettings
    from winoglot.study.storage import Storage

_DATABASE = "WINOGLOT_STUDY_DB"  # environment variable: addresses hold passwords, which a command line shows to others
_ADDRESS = "WINOGLOT_STUDY_URL"  # environment variable: where people reach the study
_MOST_CONNECTIONS = 1000  # a process may usually have 1024 files open
_CONSENT_BYTES = 64 * 2**10

group = typer.Typer(
    no_args_is_help=True,
    help="Let people answer a collection on web pages: create a study, serve it, read its results.\n\n"
    'Example: winoglot study create winoglot-pt --name "Pronomes" --db study.db',
)

Database = Annotated[
    str,
    typer.Option(
        "--db",
        metavar="URL",
        envvar=_DATABASE,
        help="The study's database: a SQLite file, or the address of a PostgreSQL database.",
    ),
]
Person = Annotated[str, typer.Argument(help="The participant's number, or their personal link.")]


# The options of published studies, by the names of the parameters of `create`; options given take precedence.
_STUDIES: dict[str, dict[str, Any]] = {
    # Bernard and Han, Mandarinograd (2020), section 3.3: four people, two of them for each version of all schemas.
    "mandarinograd": {
        "participants": 4,
        "judgements": 2,
        "problems": 1000,  # one of every schema that is not for training
        "training": 10,
        "training_items": [*FIRST],
        "checks": 0,
        "per_screen": 10,
        "forced_choice": True,
        "one_version": True,
        "disagreements_only": True,
    },
    # Abdou et al. (2020), section 3.2 and appendix B: the original and its perturbations, each judged by three people.
    "abdou": {
        "kinds": ["tense", "number", "gender", "voice", "relative", "adverb", "synonym"],
        "judgements": 3,
        "training": 0,
        "checks": 0,
        "forced_choice": True,
        "no_verification": True,
    },
}
_NOBODY_LEFT_OUT = {"failed_checks": 0, "min_seconds": 0.0, "min_answered": 0.0}  # by either of them


def _follow(context: typer.Context, name: str | None) -> str | None:
    """Make the options of a published study the defaults of this command."""
    if name is not None:
        if name not in _STUDIES:
            raise InputError(f"there is no study {name!r} to follow", remedy=did_you_mean(name, _STUDIES))
        context.default_map = _NOBODY_LEFT_OUT | _STUDIES[name]
    return name


@group.command()
def create(
    source: Source,
    name: Annotated[str, typer.Option(help="The study's title, which participants see.")],
    db: Database = "study.db",
    like: Annotated[  # noqa: ARG001 (its callback has done everything)
        str | None,
        typer.Option(
            metavar="STUDY",
            callback=_follow,
            is_eager=True,
            help=f"Ask as a published study did: {' or '.join(_STUDIES)}. Options that you give take precedence.",
            autocompletion=one_of(words(*_STUDIES)),
        ),
    ] = None,
    kinds: Annotated[
        list[str] | None,
        typer.Option(
            help="Variants to ask besides the originals, such as tense,switched.",
            autocompletion=several_of(plugins("perturbations")),
        ),
    ] = None,
    participants: Annotated[int, typer.Option(min=1, help="How many people you expect.")] = 30,
    judgements: Annotated[int, typer.Option(min=1, help="Answers that every item gets, from each panel.")] = 3,
    problems: Annotated[int, typer.Option(min=1, help="Test problems per person, at most.")] = 60,
    training: Annotated[
        int, typer.Option(min=0, help="Practice problems, from schemas that are then not tested.")
    ] = 10,
    training_items: Annotated[
        list[str] | None,
        typer.Option(
            metavar="IDS", help="The practice problems, by their ids, or `first`; by default, they are drawn."
        ),
    ] = None,
    page_language: Annotated[
        str | None,
        typer.Option(
            help=f"Language of the pages: {', '.join(PAGE_LANGUAGES)}; by default the collection's, or English.",
            autocompletion=one_of(words(*PAGE_LANGUAGES)),
        ),
    ] = None,
    per_screen: Annotated[int, typer.Option(help="Test problems per screen: 1 or 10.")] = 1,
    panels: Annotated[
        int,
        typer.Option(
            min=1, max=2, help="2: two groups judge every original, to measure how stable people's answers are."
        ),
    ] = 1,
    checks: Annotated[int, typer.Option(min=0, help="Attention checks per person.")] = 3,
    forced_choice: Annotated[
        bool, typer.Option("--forced-choice", help="Make people choose a candidate: no “I can't say”.")
    ] = False,
    one_version: Annotated[
        bool, typer.Option("--one-version", help="Ask each person the same version of all schemas.")
    ] = False,
    no_verification: Annotated[
        bool, typer.Option("--no-verification", help="Do not show people some of their answers again at the end.")
    ] = False,
    disagreements_only: Annotated[
        bool,
        typer.Option(
            "--disagreements-only",
            help="Show again all answers that differ from the key and no others; people correct or explain each.",
        ),
    ] = False,
    invited_only: Annotated[
        bool, typer.Option("--invited-only", help="Let only people with a personal link take part.")
    ] = False,
    pilot: Annotated[
        bool, typer.Option("--pilot", help="Start with a pilot, whose answers stay out of the results.")
    ] = False,
    consent: Annotated[Path | None, typer.Option(help="Markdown file with the text that people agree to.")] = None,
    contact: Annotated[str, typer.Option(help="Whom participants can write to.")] = "",
    no_ask_language: Annotated[
        bool, typer.Option("--no-ask-language", help="Do not ask for the native language.")
    ] = False,
    ask: Annotated[
        list[str] | None,
        typer.Option(
            metavar="QUESTION",
            help="Another optional question; repeat for more: age, or your own with its answers, "
            "'Where did you grow up? | north | south'.",
        ),
    ] = None,
    questions: Annotated[
        list[str] | None,
        typer.Option(
            help="What to ask about every problem besides the answer, such as confidence.",
            autocompletion=several_of(plugins("study-questions")),
        ),
    ] = None,
    completion_code: Annotated[
        bool, typer.Option("--completion-code", help="Show a code at the end, for recruitment sites.")
    ] = False,
    failed_checks: Annotated[
        int, typer.Option(min=0, help="Leave out people who fail at least this many attention checks; 0: nobody.")
    ] = 2,
    min_seconds: Annotated[
        float, typer.Option(min=0, help="Leave out people whose median time per problem is below this.")
    ] = 2.0,
    min_answered: Annotated[
        float, typer.Option(min=0, max=1, help="Leave out people who answer less than this share of their problems.")
    ] = 0.5,
    seed: Annotated[
        int, typer.Option(help="Random seed: which schemas are for training, and who gets which problems.")
    ] = 0,
    language: Language = None,
) -> None:
    """Create a study of a collection: one database, one study.

    All options are fixed once the study exists. Prints the researcher's token, which is stored nowhere.

    Example: winoglot study create winoglot-pt --name "Pronomes" --db study.db --kinds tense --participants 40
    """
    need_study()
    from winoglot.loading import load
    from winoglot.study.create import create_study, questionnaire
    from winoglot.study.settings import NATIVE_LANGUAGE, Exclusions, StudySettings
    from winoglot.study.storage import OPEN, PILOT

    collection = load(source, language=language)
    training_ids = tuple(split(*(training_items or [])))
    language_code = primary(collection.language)
    settings = StudySettings(
        page_language=page_language or (language_code if language_code in PAGE_LANGUAGES else "en"),
        kinds=tuple(split(*(kinds or []))),
        participants=participants,
        judgements=judgements,
        problems=problems,
        training=len(training_ids) if training_ids not in ((), FIRST) else training,
        training_items=training_ids,
        checks=checks,
        per_screen=per_screen,
        forced_choice=forced_choice,
        one_version=one_version,
        verification=not no_verification,
        disagreements_only=disagreements_only,
        panels=panels,
        open=not invited_only,
        consent=_read_consent(consent) if consent else "",
        contact=contact,
        background=(*(() if no_ask_language else (NATIVE_LANGUAGE,)), *(ask or [])),
        questions=tuple(split(*(questions or []))),
        completion_code=completion_code,
        exclusions=Exclusions(failed_checks, min_seconds, min_answered),
        seed=seed,
    )
    prepared = questionnaire(collection, settings)
    storage, token = create_study(collection, name, db, settings, state=PILOT if pilot else OPEN, prepared=prepared)
    storage.engine.dispose()
    _print_created(name, prepared, settings)
    emit(f"\nResearcher's token: {token}")
    emit("It opens the dashboard. Keep it: it will not be shown again.", style="dim")
    where = f" --db {db}" if "@" not in db and not os.environ.get(_DATABASE) else ""
    emit(f"\nNext: winoglot study serve{where}")
    if invited_only:
        emit(f"      winoglot study invite{where} --count {participants}")


def _read_consent(file: Path) -> str:
    try:
        text = file.read_bytes()
    except OSError as error:
        remedy = "Name a Markdown file with --consent."
        raise InputError(f"cannot be read: {error.strerror}", remedy=remedy, file=str(file)) from error
    if len(text) > _CONSENT_BYTES:
        raise InputError("the text is longer than 64 KiB", remedy="Shorten it: people have to read it.", file=str(file))
    return decode(text, str(file))


def _print_created(name: str, prepared: Questionnaire, settings: StudySettings) -> None:
    parts = {
        part: [problem for problem in prepared.problems if problem.part == part]
        for part in ("training", "test", "check")
    }
    schemas = {problem.schema_id for problem in parts["test"]}
    per_person = min(settings.problems, len(schemas))
    languages = f"pages in {settings.page_language}, problems in {prepared.collection.language}"
    emit(f"{name}: {prepared.collection.name}, {languages}", style="bold")
    emit(
        f"{counted(len(parts['test']), 'item')} of {counted(len(schemas), 'schema')} to test, "
        f"{settings.judgements} answers each{' from each of two panels' if settings.panels == 2 else ''}"
    )
    emit(
        f"{per_person} problems per person, after {settings.training} for training; {settings.checks} attention checks"
    )
    unexplained = sum(not problem.explanation for problem in parts["training"])
    if unexplained:
        emit(f"{counted(unexplained, 'practice problem')} without an explanation: add one to the schema")
    if prepared.left_out:
        emit(f"{counted(len(prepared.left_out), 'item')} left out: no text, no answer or only one candidate")
    few = prepared.people_needed > settings.participants
    advice = ". Find more, ask for fewer answers, or give each person more problems." if few else ""
    emit(f"People who must finish: {prepared.people_needed}; expected: {settings.participants}{advice}")


@group.command()
def serve(
    db: Database = "study.db",
    host: Annotated[str, typer.Option(help="Address to listen on; keep 127.0.0.1 behind a TLS proxy.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, help="Server processes; more than one needs PostgreSQL.")] = 1,
    base_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar=_ADDRESS,
            help="Public address of the study, for personal links; by default, the one that the browser used.",
        ),
    ] = None,
    trusted_proxy: Annotated[
        str, typer.Option(help="Proxies whose X-Forwarded-For header is trusted: addresses separated by commas.")
    ] = "127.0.0.1,::1",
) -> None:
    """Serve a study's pages until Ctrl-C. You can stop it at any time: every acknowledged answer is stored.

    Behind a TLS proxy, give the public address with --base-url.

    Example: winoglot study serve --db study.db --port 8000 --base-url https://study.example.org
    """
    need_study()
    import uvicorn

    from winoglot.study.web.connections import TimedProtocol
    from winoglot.study.web.sessions import LOOPBACK

    with open_study(db) as storage:
        if workers > 1 and storage.engine.dialect.name != "postgresql":
            raise InputError(
                f"a study in a SQLite file is served by one process, not by {workers}",
                remedy="Leave out --workers, or keep the study in PostgreSQL.",
            )
        with storage.reading() as session:
            study = storage.study(session)
            name, state = study.name, study.state
    public = _checked_address(base_url) if base_url else ""
    _check_port(host, port)
    shown = public or f"http://{f'[{host}]' if ':' in host else host}:{port}"
    emit(f"{name} ({state}): {shown}", style="bold")
    emit(f"Researchers: {shown}/researcher. Stop with Ctrl-C.")
    if not public and host not in LOOPBACK:
        emit("Cookies need TLS on this address: put a TLS proxy in front (docs/study-security.md) and give --base-url.")
    wait_quietly()
    os.environ |= {_DATABASE: db, _ADDRESS: public}  # the workers are processes of their own
    uvicorn.run(
        "winoglot.cli.study:application",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        log_level="warning",
        access_log=False,  # addresses of pages hold personal links
        server_header=False,
        forwarded_allow_ips=trusted_proxy,
        limit_concurrency=_MOST_CONNECTIONS,
        http=TimedProtocol,
    )


def application() -> FastAPI:
    """The web application of the study that the environment names; every worker makes its own."""
    from winoglot.study.database import open_storage
    from winoglot.study.web.app import make_app

    return make_app(open_storage(os.environ[_DATABASE]), base_url=os.environ.get(_ADDRESS) or None)


def _checked_address(base_url: str) -> str:
    """Where people reach the study, without a slash at the end."""
    from winoglot.study.web.sessions import LOOPBACK

    match = re.fullmatch(r"(https?)://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?/?", base_url.lower(), re.ASCII)
    if match is None:
        raise InputError(
            f"{base_url!r} is not the address of a site",
            remedy="Give scheme and host, as in --base-url https://study.example.org.",
        )
    if match[1] == "http" and match[2].strip("[]") not in LOOPBACK:
        raise InputError(
            f"{base_url!r} is not protected by TLS, so browsers would keep no cookies",
            remedy="Give an address that begins with https://.",
        )
    return match[0].rstrip("/")


def _check_port(host: str, port: int) -> None:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except OSError as error:
        raise InputError(
            f"cannot listen on {host}, port {port}: {error.strerror}", remedy="Give another --port or --host."
        ) from error


@group.command()
def invite(
    count: Annotated[int, typer.Option(min=1, max=10_000, help="Number of links.")],
    db: Database = "study.db",
    expert: Annotated[
        bool,
        typer.Option("--expert", help="For experts, who judge the items that the majority missed in a closed study."),
    ] = False,
    base_url: Annotated[
        str, typer.Option(metavar="URL", envvar=_ADDRESS, help="Public address of the study.")
    ] = "http://127.0.0.1:8000",
) -> None:
    """Print personal links, one per line. Each is for one person, who can stop and use it to continue later.

    Example: winoglot study invite --db study.db --count 20 --base-url https://study.example.org
    """
    need_study()
    from winoglot.study.create import invite as invited

    address = _checked_address(base_url)
    with open_study(db) as storage:
        for token in invited(storage, count, expert=expert):
            typer.echo(f"{address}/p/{token}")


@group.command()
def token(db: Database = "study.db") -> None:
    """Replace the researcher's token, if it was lost or seen by others.

    Example: winoglot study token --db study.db
    """
    need_study()
    from winoglot.study.create import renew_token

    with open_study(db) as storage:
        new_token = renew_token(storage)
    emit(f"Researcher's token: {new_token}")
    emit("The old token no longer works, and everybody is logged out. Keep this one: it will not be shown again.")


@group.command()
def revoke(person: Person, db: Database = "study.db") -> None:
    """Make a personal link invalid. The answers given with it are kept; to delete them too, use delete.

    Example: winoglot study revoke 7KQM3XWA --db study.db
    """
    need_study()
    from winoglot.study.create import find_person
    from winoglot.study.create import revoke as revoked

    with open_study(db) as storage:
        revoked(storage, find_person(storage, person))
    emit("The link no longer works. The answers given with it are kept.")


@group.command()
def delete(
    person: Person,
    db: Database = "study.db",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Delete a participant and everything about them: answers, comments, times and the link.

    Example: winoglot study delete 7KQM3XWA --db study.db
    """
    need_study()
    from winoglot.study.create import find_person
    from winoglot.study.participation import delete_person

    with open_study(db) as storage:
        person_id = find_person(storage, person)
        if not yes:
            typer.confirm("Delete this participant and all their answers? This cannot be undone", abort=True)
        delete_person(storage, person_id)
    emit("Deleted.")


@group.command()
def codes(db: Database = "study.db") -> None:
    """Print the completion codes that were shown, one per line, to check those that people enter on a recruitment site.

    They are sorted and do not say whose answers they belong to.

    Example: winoglot study codes --db study.db
    """
    need_study()
    from winoglot.study.create import completion_codes

    with open_study(db) as storage:
        if not storage.settings.completion_code:
            raise InputError(
                "this study shows no completion codes", remedy="Create a study with --completion-code to have them."
            )
        for code in completion_codes(storage):
            typer.echo(code)


@group.command()
def pilot(
    db: Database = "study.db",
    robots: Annotated[int, typer.Option(min=0, max=1000, help="Let N robots answer, to try the dashboard.")] = 0,
) -> None:
    """Make the study a pilot: people who start from now on stay out of the results.

    Example: winoglot study pilot --db study.db --robots 20
    """
    _set_state(
        db,
        "pilot",
        "The study is now a pilot: people who start stay out of the results. To end it: winoglot study open",
    )
    if robots:
        from winoglot.study.participation import rehearse

        with open_study(db) as storage:
            rehearse(storage, robots)
        emit(f"{counted(robots, 'robot')} took part. The dashboard shows their answers as those of the pilot.")


@group.command("open")
def open_(db: Database = "study.db") -> None:
    """Open the study after a pilot, or again after it was closed.

    Example: winoglot study open --db study.db
    """
    _set_state(db, "open", "The study is open: people can start and continue.")


@group.command()
def close(db: Database = "study.db") -> None:
    """Close the study: nobody can start or continue. Experts can then be invited.

    Example: winoglot study close --db study.db
    """
    _set_state(db, "closed", "The study is closed: nobody can start or continue. All answers are kept.")


def _set_state(db: str, state: str, message: str) -> None:
    need_study()
    from winoglot.study.create import set_state

    with open_study(db) as storage:
        set_state(storage, state)
    emit(message)


@contextmanager
def open_study(db: str) -> Iterator[Storage]:
    """The study's database, for one command: one that fails is no traceback."""
    from sqlalchemy.exc import DBAPIError

    from winoglot.study.database import open_storage, unusable

    with open_storage(db) as storage:
        try:
            yield storage
        except DBAPIError as error:
            raise unusable(storage.engine.url, error) from error
