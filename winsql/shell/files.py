"""Reads the files that a command names."""

from __future__ import annotations

import glob
import shlex
import sys
from collections.abc import Collection, Iterable
from pathlib import Path

STDIN = "-"


class Unreadable(Exception):
    """A file cannot be read, or not be cut into statements; `str` says which and why."""


def read_text(name: str) -> str:
    """The text of a UTF-8 file, of standard input for `-`; line ends stay as they are. Raises Unreadable."""
    try:
        raw = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise Unreadable(f"cannot read {name}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise Unreadable(f"cannot read {name}: not UTF-8 text at byte {error.start}") from None


def typed_path(name: str) -> Path:
    """The file of a name that no shell has expanded: `~` is the home folder of a user. Raises Unreadable."""
    if "\0" in name:
        raise Unreadable("the name of a file has a NUL character in it")
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise Unreadable(f"{name}: no home folder is known for {name.partition('/')[0]}") from None


def command_words(command: str, source: str) -> list[str]:
    """The words of a command, one or more; `source` is the variable that has it. Raises Unreadable."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise Unreadable(f"{source} is no command: {error}: {command}") from None
    if not words:
        raise Unreadable(f"{source} is no command: it is blank")
    return words


def told(error: OSError) -> str:
    """What the system says: `No space left on device`."""
    said = error.strerror or str(error)
    return f"{error.filename}: {said}" if error.filename else said


def expanded(names: Iterable[str], suffixes: Collection[str]) -> list[str]:
    """The files that are meant: those of a folder and of the folders in it that end so, those that a pattern matches.

    Hidden folders, and what dbt makes of its models, are left out. Raises Unreadable where a pattern or a folder has
    no file, and for the empty name, which would be the current folder.
    """
    files: dict[str, None] = {}
    for name in names:
        if not name:
            raise Unreadable("the name of a file is empty")
        try:
            found = _found(name, suffixes)
        except OSError as error:  # a name that is too long, a folder that must not be read
            raise Unreadable(f"cannot read {name}: {error.strerror}") from None
        if not found:
            raise Unreadable(f"there is no file {name}" if glob.has_magic(name) else f"{name} has no {_ends(suffixes)}")
        files |= dict.fromkeys(found)
    return list(files)


def _found(name: str, suffixes: Collection[str]) -> list[str]:
    if name != STDIN and Path(name).is_dir():
        return [str(path) for path in sorted(Path(name).rglob("*")) if _is_meant(path, Path(name), suffixes)]
    if name != STDIN and glob.has_magic(name) and not Path(name).exists():
        return [path for path in sorted(glob.glob(name, recursive=True)) if Path(path).is_file()]
    return [name]


_MADE = frozenset({"target", "dbt_packages"})


def _is_meant(path: Path, root: Path, suffixes: Collection[str]) -> bool:
    if path.suffix.lower() not in suffixes or not path.is_file():
        return False
    for folder in path.relative_to(root).parents:
        is_made = folder.name in _MADE and (root / folder.parent / "dbt_project.yml").exists()
        if folder.name.startswith(".") or is_made:
            return False
    return True


def _ends(suffixes: Collection[str]) -> str:
    return " and no ".join(f"*{suffix}" for suffix in suffixes)


def shown_name(name: str) -> str:
    """The name that messages use."""
    return "<stdin>" if name == STDIN else name
