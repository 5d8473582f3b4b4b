"""Databases for tests of the study: SQLite files, and a PostgreSQL server that lives as long as the test session."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def postgres_program(name: str) -> Path | None:
    """One of PostgreSQL's programs. Debian keeps them off the path."""
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = shutil.which(name)
    return installed[-1] if installed else Path(found) if found else None


@contextmanager
def postgres_server() -> Iterator[str]:
    """The address of a server of its own, without a database name."""
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name  # it refuses to run as root
    with tempfile.TemporaryDirectory(prefix="winoglot-pg-") as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        if os.geteuid() == 0:
            shutil.chown(folder, user)
        data = f"{folder}/data"

        def run(program: str, *arguments: str) -> None:
            command = [str(postgres_program(program)), *arguments]
            as_user = {"user": user} if os.geteuid() == 0 else {}
            subprocess.run(command, check=True, capture_output=True, cwd=folder, **as_user)

        run("initdb", "--no-sync", "--auth=trust", "--username=winoglot", "--encoding=UTF8", "-D", data)
        free.close()
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c max_connections=200 -c fsync=off"
        run("pg_ctl", "start", "-w", "-D", data, "-l", f"{folder}/log", "-o", options)
        try:
            yield f"postgresql://winoglot@127.0.0.1:{port}"
        finally:
            run("pg_ctl", "stop", "-D", data, "-m", "immediate")
