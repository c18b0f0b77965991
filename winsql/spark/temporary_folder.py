"""A folder for temporary files that goes with its process, also with one that was killed.

Its process holds a lock on a file in it. Whoever makes the next folder deletes those whose lock nobody holds any more.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # a system without these locks
    fcntl = None  # type: ignore[assignment]

_PREFIX = "winsql-code-"
_LOCK = ".lock"
_GRACE = 3600.0
"""Seconds after which a folder without a process may go: its JVM may live a little longer than its Python."""


def temporary_folder() -> Path:
    """A new folder, for as long as this process lives; raises OSError where there can be none."""
    _delete_left_over()
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if fcntl is not None:
        file = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)  # stays open
        with suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return folder


def _delete_left_over() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError), _locked(folder) as is_left_over:
            if is_left_over:
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Whether this is a folder of this user whose process has ended; its lock is held meanwhile."""
    found = folder.lstat()
    is_own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    if fcntl is None or not is_own or time.time() - found.st_mtime < _GRACE:
        yield False
        return
    file = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    finally:
        os.close(file)
