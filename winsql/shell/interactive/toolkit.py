"""The editor of the shell, made of prompt_toolkit: several lines, history, completion, colours."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import has_completions, is_searching
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.styles import Style

from winsql.shell.interactive.colours import STYLES, coloured
from winsql.shell.interactive.completion import complete
from winsql.shell.interactive.editor import CONTINUATION, PROMPT, history_path, is_complete
from winsql.shell.interactive.names import Names


class ToolkitEditor:
    """Reads from a terminal; Enter runs what is complete and begins a new line in what is not."""

    advice = ""

    def __init__(self, names: Names) -> None:
        self._is_over = False
        self._output = create_output(always_prefer_tty=True)  # `winsql >rows.txt` still talks on the terminal
        self._session: PromptSession[str] = PromptSession(
            PROMPT,
            multiline=True,
            prompt_continuation=lambda width, number, is_soft: "" if is_soft else CONTINUATION,
            history=_history(),
            lexer=_Colours(),
            style=Style.from_dict(STYLES),
            completer=_Completion(names),
            complete_while_typing=False,
            complete_in_thread=True,
            enable_open_in_editor=True,
            key_bindings=_keys(),
            output=self._output,
            color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None,
        )

    def read(self) -> str:
        with (
            create_app_session(output=self._output),
            patch_stdout(raw=True),
        ):  # what Spark says meanwhile is printed above the prompt
            return self._session.prompt(pre_run=self._leave)

    def stop(self) -> None:
        self._is_over = True
        app = self._session.app
        if app.loop is not None:
            with suppress(RuntimeError):  # has just ended
                app.loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        app = self._session.app
        if self._is_over and app.is_running and not app.is_done:
            app.exit(exception=EOFError)

    def history(self) -> Sequence[str]:
        return list(self._session.history.load_history_strings())[::-1]


class _LastingHistory(FileHistory):
    """A disk that is full costs the history, not the statement."""

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)


def _history() -> History:
    path = history_path()
    return InMemoryHistory() if path is None else _LastingHistory(str(path))


class _Colours(Lexer):
    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        lines: list[StyleAndTextTuples] = [[]]
        for style, text in coloured(document.text):
            first, *others = text.split("\n")
            lines[-1].append((style, first))
            lines += [[(style, other)] for other in others]
        return lambda number: lines[number] if number < len(lines) else []


class _Completion(Completer):
    def __init__(self, names: Names) -> None:
        self._names = names

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        for found in complete(document.text_before_cursor, document.text, self._names):
            yield Completion(found.text, -found.replaces, display_meta=found.what)


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter", filter=~is_searching)
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.complete_state is not None and buffer.complete_state.current_completion is not None:
            buffer.complete_state = None
        elif is_complete(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    @keys.add("escape", filter=has_completions, eager=True)
    def _(event: Any) -> None:
        event.current_buffer.cancel_completion()

    return keys
