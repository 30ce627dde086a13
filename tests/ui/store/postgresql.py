"""A PostgreSQL of its own for the tests: a cluster in a new folder, on a socket in that folder."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PLACES = ["/usr/local/bin", *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin")))]
_PATH = os.pathsep.join([os.environ.get("PATH", ""), *_PLACES])
_SETTINGS = "-c listen_addresses= -c fsync=off -c unix_socket_directories="


def missing() -> str | None:
    if not all(shutil.which(program, path=_PATH) for program in ("initdb", "pg_ctl")):
        return "no PostgreSQL is installed"
    if os.geteuid() == 0 and _owner() is None:
        return "PostgreSQL does not run as root, and there is no user postgres"
    return None


def _owner() -> str | None:
    """The user that the server runs as, where that can't be the present one."""
    if os.geteuid() != 0:
        return None
    return "postgres" if "postgres" in {user.pw_name for user in pwd.getpwall()} else None


class Cluster:
    def __init__(self, folder: str) -> None:
        self.url = f"postgresql+psycopg://tester@/postgres?host={folder}"
        self.folder = folder

    def start(self) -> None:
        log, options = f"{self.folder}/log", _SETTINGS + self.folder
        self._call("-l", log, "-o", options, "-w", "start")

    def stop(self) -> None:
        self._call("-m", "immediate", "stop")

    def _call(self, *arguments: str) -> None:
        _call("pg_ctl", "-D", f"{self.folder}/data", *arguments)


@contextmanager
def cluster() -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if (owner := _owner()) is not None:
            shutil.chown(folder, owner)
        options = ["-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync"]
        _call("initdb", "-D", f"{folder}/data", *options)
        made = Cluster(folder)
        made.start()
        try:
            yield made
        finally:
            made.stop()


def _call(program: str, *arguments: str) -> None:
    command = [str(shutil.which(program, path=_PATH)), *arguments]
    done = subprocess.run(
        command,
        check=False,
        cwd="/",
        user=_owner(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert done.returncode == 0, done.stderr.decode()
