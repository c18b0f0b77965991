"""A PostgreSQL server for tests: that of PGURL, or one of its own on a free loopback port in a folder of the test."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

PASSWORD = "geheim"


def binaries() -> Path | None:
    """Where Debian, or the path, has PostgreSQL's programs."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "postgres").exists()), None)


class Server:
    """A server that can be stopped and started again. It refuses to run as root: then it runs as another user."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self.programs = programs
        self.user = _other_user()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        if self.user is not None:
            os.chown(folder, pwd.getpwnam(self.user).pw_uid, -1)
        secret = folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        self._run("initdb", "-D", f"{folder}/data", "-U", "me", "-A", "scram-sha-256", f"--pwfile={secret}", "-N")
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://me:{PASSWORD}@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = f"-h 127.0.0.1 -p {self.port} -k '' -c fsync=off"
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-l", f"{self.folder}/log", "-o", options, "start")

    def stop(self) -> None:
        """Abort all of its processes; nothing is written down, and the next start recovers."""
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        if self.user is not None:
            command = ["runuser", "-u", self.user, "--", *command]
        with open(
            f"{self.folder}/commands", "a", encoding="utf-8"
        ) as log:  # a pipe would be open as long as the server
            done = subprocess.run(command, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
        assert done.returncode == 0, Path(f"{self.folder}/commands").read_text(encoding="utf-8")[-2000:]


def _other_user() -> str | None:
    if os.getuid():
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def server() -> Iterator[Server]:
    """A server while it is used, in a temporary folder: those of pytest are not open to another user."""
    programs = binaries()
    assert programs is not None
    with tempfile.TemporaryDirectory(prefix="postgres_") as folder:
        running = Server(Path(folder), programs)
        try:
            yield running
        finally:
            running.stop()
