"""A PostgreSQL server for tests: that of PGURL, or one of its own on a free loopback port in a folder of the test."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

PASSWORD = "geheim"


def binaries() -> Path | None:
    """Where Debian, or the path, has PostgreSQL's programs."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "postgres").exists()), None)


class Server:
    """A server that can be killed and started again. It refuses to run as root: then it runs as another user."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self.programs = programs
        self.user = _other_user()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        folder.mkdir(mode=0o700, parents=True)
        if self.user is not None:
            os.chown(folder, pwd.getpwnam(self.user).pw_uid, -1)
            for parent in folder.parents:
                if parent.stat().st_uid == os.getuid() and parent != Path("/"):
                    parent.chmod(parent.stat().st_mode | 0o011)
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

    def kill(self) -> None:
        """As the system does when memory is short: nothing is written down."""
        first = int((self.folder / "data" / "postmaster.pid").read_text().split("\n")[0])
        os.kill(first, signal.SIGQUIT)
        with contextlib.suppress(FileNotFoundError):
            while (self.folder / "data" / "postmaster.pid").exists():
                os.kill(first, 0)

    def stop(self) -> None:
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        if self.user is not None:
            command = ["runuser", "-u", self.user, "--", *command]
        subprocess.run(
            command, check=True, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )


def _other_user() -> str | None:
    if os.getuid():
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def server(folder: Path) -> Iterator[Server]:
    """A server while it is used."""
    programs = binaries()
    assert programs is not None
    running = Server(folder, programs)
    try:
        yield running
    finally:
        running.stop()
