"""A terminal of 100 columns and 40 lines with a program in it: keys go in, the screen is what a person would see."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping

import pexpect
import pyte

COLUMNS, LINES = 100, 40
PATIENCE = 120  # seconds; a busy machine is slow


class Terminal:
    """`screen()` is the text on it."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self._screen)
        self._child = pexpect.spawn(
            command[0],
            command[1:],
            env={**os.environ, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", **environment},
            dimensions=(LINES, COLUMNS),
            echo=False,
        )

    def type(self, keys: str) -> None:
        self._child.send(keys)

    def screen(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    @property
    def colours(self) -> set[str]:
        """Of the characters on the screen."""
        return {char.fg for line in self._screen.buffer.values() for char in line.values() if char.data.strip()}

    def wait_for(self, *texts: str) -> str:
        """The screen as soon as all the texts stand on it."""
        return self.wait_until(lambda screen: all(text in screen for text in texts), texts)

    def wait_until(
        self, holds: Callable[[str], bool], what: object = "what was waited for", patience: float = PATIENCE
    ) -> str:
        """The screen as soon as a condition holds."""
        deadline = time.monotonic() + patience
        while not holds(self.screen()):
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} did not appear:\n{self.screen()}")
            self._read()
        return self.screen()

    def exit_code(self) -> int | None:
        """Of the program, when it has ended."""
        deadline = time.monotonic() + PATIENCE
        while self._child.isalive() and time.monotonic() < deadline:
            self._read()
        self._child.close()
        return self._child.exitstatus

    def close(self) -> None:
        self._child.close(force=True)

    def _read(self) -> None:
        try:
            self._stream.feed(self._child.read_nonblocking(65536, timeout=0.2))
        except pexpect.TIMEOUT:
            pass
        except pexpect.EOF:
            time.sleep(0.05)
