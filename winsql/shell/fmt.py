"""`winsql fmt FILE...`: window clauses laid out, one per line in the order of the language reference, in place.

All else stays byte for byte, but for white space beside a clause; so do clauses with a comment in them, and those with
a template or variable that may write more than an argument.

Exit code 0: done. 1: --check or --diff found something to lay out, or a file has mistakes (it stays as it is). 2: the
command line is wrong, or a file cannot be read or written.
"""

from __future__ import annotations

import argparse
import difflib
import errno
import os
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from winsql.errors import WinsqlError
from winsql.shell.check import check_text, import_modules
from winsql.shell.files import STDIN, Unreadable, expanded, read_text, shown_name
from winsql.shell.script import split
from winsql.shell.script_settings import ScriptSettings
from winsql.shell.shown import without_secrets
from winsql.shell.sources import SCRIPT, SqlText
from winsql.shell.templates import unrendered
from winsql.spark.variable_values import REFERENCE
from winsql.syntax.layout import lay_out


def main(argv: Sequence[str]) -> int:
    """Entry point of the command; returns the exit code."""
    options = _parser().parse_args(argv)
    try:
        import_modules(options.imports)
        names = expanded(options.files, (SCRIPT,))
    except Unreadable as error:
        print(f"winsql fmt: {error}", file=sys.stderr)
        return 2
    return max(_format(name, options) for name in names)


def format_script(text: str) -> str:
    """The script with the window clauses of its statements laid out.

    Raises WindowSyntaxError, with its place in the script, where a statement cannot be read. One with placeholders,
    which may be valid when they are filled in, stays as it is then.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    parts, position = [], 0
    lead = ""  # what is before a statement in its line, with which its lines are aligned
    settings = ScriptSettings()
    rendered = unrendered(text)
    holes = deque(sorted(rendered.unknown, key=lambda hole: hole.start))
    for statement in split(rendered.text):
        parts.append(text[position : statement.start])
        lead = _last_line(lead, parts[-1])
        position = max(position, statement.end)
        while holes and holes[0].start < statement.end:
            position = max(position, holes.popleft().end)
        written = text[statement.start : position]
        try:
            laid_out = lay_out(written, lead, newline, settings.parser, _readable)
        except WinsqlError as error:
            if not rendered.anything and REFERENCE.search(written) is None:
                if error.span is not None:
                    error.source, error.span = without_secrets(text, rendered.text), statement.place(error.span)
                raise
            laid_out = written
        parts.append(laid_out)
        lead = _last_line(lead, laid_out)
        settings.read(statement)
    return "".join(parts) + text[position:]


def _last_line(lead: str, part: str) -> str:
    """The last line of a text that ends with the line `lead`, with another part after it."""
    _, newline, last = part.rpartition("\n")
    return last if newline else lead + last


def _readable(text: str) -> str:
    """With names and blanks in the place of templates and variables."""
    return REFERENCE.sub(lambda match: "_" * len(match[0]), unrendered(text).text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="winsql fmt",
        description="Lay out the window clauses of SQL files, in place. Nothing else is touched; a clause with a "
        "comment in it stays as it is.",
        epilog="Exit code 0: done; 1: --check or --diff found something, or a file has mistakes; "
        "2: wrong command line, or a file that cannot be read or written.",
    )
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+",
        help="SQL file, folder of such files, or pattern (- is standard input and output)")  # fmt: skip
    add("--check", action="store_true", help="write nothing, only say which files would change")
    add("--diff", action="store_true", help="write nothing, print what would change")
    add("--import", dest="imports", metavar="MODULE", action="append", default=[],
        help="a Python module that registers policies and functions; may be repeated")  # fmt: skip
    return parser


def _format(name: str, options: argparse.Namespace) -> int:
    try:
        return _format_file(name, options)
    except WinsqlError as error:
        print(f"winsql fmt: {shown_name(name)} stays as it is: {error}", file=sys.stderr)
        return 1
    except Unreadable as error:
        print(f"winsql fmt: {error}", file=sys.stderr)
        return 2


def _format_file(name: str, options: argparse.Namespace) -> int:
    text = read_text(name)
    _refuse_mistakes(name, text)
    laid_out = format_script(text)
    if options.check or options.diff:
        return _report(name, text, laid_out, options)
    if name == STDIN:
        sys.stdout.buffer.write(laid_out.encode())
    elif laid_out != text:
        _write(Path(name), laid_out)
        print(f"laid out {name}", file=sys.stderr)
    return 0


def _refuse_mistakes(name: str, text: str) -> None:
    """Raises the first mistake; what a variable would write, as what a template does, is not known."""
    for mistake in check_text(SqlText(shown_name(name), None, text, unrendered(text)), {}):
        raise mistake


def _report(name: str, before: str, after: str, options: argparse.Namespace) -> int:
    if before == after:
        return 0
    shown = shown_name(name)
    if options.diff:
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), shown, f"{shown} laid out", lineterm="")
        print("\n".join(lines))
    if options.check:
        print(f"would lay out {shown}", file=sys.stderr)
    return 1


def _write(path: Path, text: str) -> None:
    """All of the file or nothing: a full disk must not cost the user's SQL. A link stays a link."""
    target = path.resolve()
    try:
        if not os.access(target, os.W_OK):  # a file in its place would not ask
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        mark = b"\xef\xbb\xbf" if target.read_bytes().startswith(b"\xef\xbb\xbf") else b""
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".winsql-fmt-") as folder:
            new = Path(folder, target.name)
            new.write_bytes(mark + text.encode())
            new.chmod(target.stat().st_mode)
            new.replace(target)
    except OSError as error:
        raise Unreadable(f"cannot write {path}: {error.strerror}") from None
