"""What an interactive shell knows while it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TextIO

from pyspark.sql import SparkSession

from winsql.shell.files import Unreadable, typed_path
from winsql.shell.interactive.names import Names
from winsql.shell.interactive.starting import Starting
from winsql.shell.run import Output


@dataclass(slots=True)
class Shell:
    """The state of an interactive shell.

    starting  where the session comes from: a command that needs one waits for it
    output    how results are printed
    history   what was typed, the oldest first
    execute   runs the statements of a text; returns whether none has failed
    last      the latest statement that was typed, for \\e, \\g and \\watch
    """

    starting: Starting
    output: Output
    execute: Callable[[Shell, str], bool]
    history: Callable[[], Sequence[str]] = list
    last: str = ""
    is_over: bool = False
    names: Names = field(init=False)
    _file: TextIO | None = None

    def __post_init__(self) -> None:
        self.names = Names(self.starting.found)

    @property
    def spark(self) -> SparkSession:
        """The session as soon as Spark has started."""
        return self.starting.session()

    def print_to(self, name: str | None) -> None:
        """Print results to a file, to the terminal again with None. Raises Unreadable."""
        try:
            new = None if name is None else typed_path(name).open("w", encoding="utf-8")
        except OSError as error:
            raise Unreadable(f"cannot write {name}: {error.strerror}") from None
        try:
            self.close()
        finally:
            self._file = new
            self.output = replace(self.output, out=new or sys.stdout)

    def close(self) -> None:
        """Close the file that results go to. Raises Unreadable where it has no room for the last ones."""
        file, self._file = self._file, None
        self.output = replace(self.output, out=sys.stdout)
        if file is None:
            return
        try:
            file.close()
        except OSError as error:
            raise Unreadable(f"cannot write {file.name}: {error.strerror}") from None
