"""Failures of a stream that no row caused: damaged state, a file that cannot be read, a process that is gone.

Spark reports them in many lines, wrapped in those of the processes in between. Here each is one sentence that names the
file, its contents, whether rows are at risk, and what to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from glob import escape, glob
from zipfile import is_zipfile

from winsql.errors import WindowDataError
from winsql.spark.local_places import place_of


def damage_in(text: str, checkpoint: str, writer: str | None = None) -> WindowDataError | None:
    """The damage that a stream's error reports; None when it is none of these.

    text     the error, all of it
    writer   the process that has written the table last, where that is known
    """
    text = _FRAMES.sub("", text)
    matches = ((what, match) for pattern, what in _DAMAGE if (match := pattern.search(text)) is not None)
    found = next((one for one in matches if one[0] is not _closed or not _is_of_function(one[1], checkpoint)), None)
    if found is None:
        return None
    what, match = found
    return what(text[match.start() :], checkpoint, writer)


_FRAMES = re.compile(r'^  File ".*\n(?:    .*\n)*', re.MULTILINE)
"""Lines of Python's tracebacks: they show code, with any words."""
_SAFE = "what the table holds is whole: a micro-batch that did not end is not in it, and is repeated"
_COPY = "put the checkpoint back from a copy that is as new as the rows, or begin anew with CREATE OR REPLACE"


def _state(text: str, checkpoint: str, writer: str | None) -> WindowDataError:
    path = re.search(r"(?:\w+:)?/[^\s,'\"]*/state/\d+/\w+/[\w./-]*[\w-]", text)
    place = _broken_archive(checkpoint) or f"{checkpoint}/state" if path is None else path[0]
    problem = f"the state file {place} cannot be read: it held open windows and their timers"
    return WindowDataError(problem, rule=_SAFE, hint=_COPY)


_LOST_STATE = re.compile(
    r"\[(?:CANNOT_LOAD_STATE_STORE|STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY\]"
    r"|STDS_FAILED_TO_READ_OPERATOR_METADATA\])"
)


def _broken_archive(checkpoint: str) -> str | None:
    """A state file of a local checkpoint that is no whole archive: Spark does not name it."""
    archives = sorted(glob(f"{escape(place_of(checkpoint))}/state/*/*/**/*.zip", recursive=True))
    return next((path for path in archives if not is_zipfile(path)), None)


def _said(problem: str, *, rule: str = _SAFE, hint: str) -> _Told:
    """The same words each time, but for `{checkpoint}`."""
    return lambda text, checkpoint, writer: WindowDataError(problem.format(checkpoint=checkpoint), rule=rule, hint=hint)


_Told = Callable[[str, str, "str | None"], WindowDataError]

_log = _said(
    "a file of the checkpoint {checkpoint} cannot be read: it held what has been read, or where state is", hint=_COPY
)
_deleted = _said("the checkpoint {checkpoint}, or a folder of it, has been deleted while the stream ran", hint=_COPY)
_LOST_LOG = re.compile(
    r"(?:\bFile |cannot access ')\S*/(?:offsets|commits|sources/\d+)(?:/\S*?)?'?(?: does not exist|: No such file)"
    r"|CANNOT_WRITE_STATE_STORE\.CANNOT_COMMIT\][\s\S]*(?:\bFile |cannot access ')\S*/state/\d+\S*"
    r"(?: does not exist|: No such file)"
    r"|\[Errno 2\] No such file or directory: '\S*/\._winsql_newest'"
)


def _not_compact(text: str, checkpoint: str, writer: str | None) -> WindowDataError:
    found = _COMPACT.search(text)
    assert found is not None
    return WindowDataError(
        f"the checkpoint file {found[1]} is not there: it would hold which files have been read so far",
        rule=f"Spark writes one after as many micro-batches as {_INTERVAL} says, and looks for it by the same number",
        hint=f"SET {_INTERVAL} to what it was when the stream began, by default 10, and run the statement again; where "
        "it has not changed, put the file back from a copy",
    )


_COMPACT = re.compile(r"\bFile (\S*/sources/\d+/\d+\.compact) does not exist")
_INTERVAL = "spark.sql.streaming.fileSource.log.compactInterval"


_begun = _said(
    "the checkpoint {checkpoint} holds the beginning of a first micro-batch that was never recorded",
    rule="the stream was stopped or killed while it began: no row had been read or written",
    hint="begin anew with CREATE OR REPLACE",
)


def _input(text: str, checkpoint: str, writer: str | None) -> WindowDataError:
    path = re.search(r"file ((?:\w+:)?/\S+?)\.?(?:\s|$)", text)
    file = f"the file {'of a source' if path is None else path[1]}"
    if "[MALFORMED_RECORD_IN_PARSING" in text:
        return WindowDataError(
            f"{file} has a row that cannot be read as its columns",
            rule=_SAFE,
            hint="mend the row and run the statement again, or read the source with another mode: 'PERMISSIVE' gives "
            "NULL for what cannot be read, 'DROPMALFORMED' leaves the row out",
        )
    other = _OTHER_TYPE.search(text)
    if other is not None:
        name, declared, found = other[1].replace(", ", "."), other[2].upper(), other[3]
        return WindowDataError(
            f"{file} has {name} as {found}, which Parquet cannot give as {declared}",
            rule=_SAFE,
            hint=f"declare {name} with the type that the files have, and cast it in the query; or write the file anew",
        )
    return WindowDataError(
        f"{file} cannot be read: it held rows for the stream",
        rule=_SAFE,
        hint="put the file back and run the statement again, or SET spark.sql.files.ignoreCorruptFiles = true "
        "(ignoreMissingFiles for one that is gone) to go on without its rows",
    )


_OTHER_TYPE = re.compile(r"Parquet column \[(.+?)\]\. Expected Spark type (.+?), actual Parquet type (\w+)")


_worker = _said(
    "a process that worked for the stream has ended: killed, or out of memory",
    hint="run the statement again; where memory was short, give the processes more or the stream smaller "
    "micro-batches, such as maxFilesPerTrigger does",
)
_ENDED = re.compile(
    r"Python worker exited unexpectedly|ExecutorLostFailure|EOFException occurred while reading the port number from "
    r"|IOException: (?:Stream closed|Broken pipe)\s*\n(?:\s+at [^\n]*\n){0,12}\s+at \S*\bPythonWorkerFactory\b"
)
"""Also the process that starts the workers in Python."""
_slow = _said(
    "a Python process of the stream has not answered within the ten seconds that Spark waits for one to start",
    hint="run the statement again, while the machine has less to do or after fewer streams at a time; "
    "if it comes again, the log of that machine says what keeps Python from starting",
)
_sources = _said(
    "these are not the sources that the checkpoint {checkpoint} is of",
    rule="a checkpoint counts what has been read of each source: their number, order, kinds and folders stay",
    hint="read the sources as before, or begin anew with CREATE OR REPLACE",
)
_OTHER_SOURCES = re.compile(
    r"There are \[\d+\] sources in the checkpoint offsets"
    r"|Wrong basePath \S+ for the root path"  # a source of files
    r"|For input string: \"\{"  # one that counts, with the offset of another kind
    r"|No usable value for (?:path|offset)\n"  # others with such an offset
)


def _folder(text: str, checkpoint: str, writer: str | None) -> WindowDataError:
    folders = " or ".join(sorted(set(_READ_FOLDER.findall(text))))
    named = f"the folder {folders}" if folders else "a folder that the stream reads"
    return WindowDataError(
        f"{named} is gone: it held rows for the stream",
        rule=_SAFE,
        hint="put the folder back, with the files that are not read yet, and run the statement again",
    )


_READ_FOLDER = re.compile(r"FileStreamSource\[([^\]]+)\]")


def _second(text: str, checkpoint: str, writer: str | None) -> WindowDataError:
    other = "another process" if writer is None else f"another process ({writer})"
    return WindowDataError(
        f"{other} runs this stream too, and has been faster",
        rule="one process runs a stream; what the table holds is whole",
        hint="leave it to that process, or stop it there and run the statement again",
    )


def _full(text: str, checkpoint: str, writer: str | None) -> WindowDataError:
    named = _FULL.match(text)
    path = None if named is None else named[1] or named[2] or named[3]
    place = path or f"the files of the stream, its table and its checkpoint {checkpoint}, or for Spark's temporary ones"
    return WindowDataError(
        f"there is no room for {place}: no space left on the device, or a quota or limit of the user's is used up",
        rule=_SAFE,
        hint="make room there, and run the statement again",
    )


_FULL = re.compile(
    r"(?:(/[^\s:]+)(?:: | \())?(?:No space left on device|Disk quota exceeded|"
    r"\[Errno 27\] File too large|IOException: File too large|SystemException: (/[^\s:]+): File too large)"
    r"(?:: '([^']+)')?"
)


def _closed(text: str, checkpoint: str, writer: str | None) -> WindowDataError:
    said = re.match(_UNWRITTEN, text)
    path = re.search(r"(?:\w+:)?/[^\s'\"(),:;]+", text)
    place = f"a file of the stream, its table or its checkpoint {checkpoint}" if path is None else path[0]
    use = _use("" if said is None else said[0], checkpoint)
    if use == "written":
        why = "its folder, or the file system, is read-only for this process, or it is no folder"
        hint = f"let this process write where the table and {checkpoint} are"
    else:
        why = "this process has no permission, or a file is in place of a folder"
        hint = "let this process read it" if use == "read" else "let this process read its sources, and write its table"
    return WindowDataError(f"{place} cannot be {use}: {why}", rule=_SAFE, hint=f"{hint}, and run the statement again")


def _use(said: str, checkpoint: str) -> str:
    """What a file system has refused: of a file that is not known to be the stream's own it may be either."""
    access = re.search(r"access=(\w+)", said)
    if access is not None:
        reads, writes = "READ" in access[1], "WRITE" in access[1] or access[1] == "ALL"
        return "written" if writes else "read" if reads else "read or written"
    is_unclear = re.search(r"Permission denied|(?:Not|Is) a directory|AccessDeniedException", said) is not None
    return "read or written" if is_unclear and not _is_own(said, checkpoint) else "written"


def _is_own(said: str, checkpoint: str) -> bool:
    """Whether a file of the checkpoint, or of the table around it, is named, or a folder that these are in."""
    own = place_of(checkpoint).removesuffix("/_checkpoint") + "/"
    named = re.search(r"/[^\s'\"(),:;]+", said)
    return own in said or (named is not None and own.startswith(f"{named[0]}/"))


def _is_of_function(match: re.Match[str], checkpoint: str) -> bool:
    """Whether a user's function has raised it: it comes after the words for that, and is not about state."""
    line = match.string[match.start() :].partition("\n")[0]
    before = match.string[: match.start()]
    is_of_state = "RocksDB" in before.rpartition("\n")[2] or _is_own(line, checkpoint)
    return _FUNCTION.search(before) is not None and not is_of_state


_FUNCTION = re.compile(
    r"from the Python worker|python\.PythonException: (?![^\n]* Python process)"  # the sink on Spark Connect
    r"|\[FAILED_EXECUTE_UDF|\[PYTHON_(?:STREAMING_)?DATA_SOURCE"
)
_REASON = "(?:Permission denied|Operation not permitted|Read-only file system|Not a directory|Is a directory)"
_UNWRITTEN = "|".join(
    (
        rf"(?:\w+:)?/\S+ \({_REASON}\)",  # Java's streams
        rf"(?:\w+:)?/\S+: {_REASON}",  # Java's file systems
        rf"\[Errno \d+\] {_REASON}: '[^']+'",  # Python
        r"(?:Mkdirs failed to create|Failed to create checkpoint path|AccessDeniedException:) \S+",
        r"(?:Destination exists and|Parent path) is not a directory: \S+",
        r"(?:Failed|Unable) to (?:rename|delete) (?:\w+\{path=)?\S*/\S+",  # what Hadoop's committer moves
        r"Could not (?:rename|delete) (?:\w+\{path=)?\S*/\S+",
        r"Unable to clear (?:output|partition) directory \S+",
        r"Permission denied: user=[^,]+, access=\w+, inode=\"[^\"]+",  # HDFS
        "Read-only file system",
    )
)
_DAMAGE: tuple[tuple[re.Pattern[str], _Told], ...] = (
    (re.compile(r"CONCURRENT_STREAM_LOG_UPDATE|Multiple streaming (?:queries are|jobs detected)"), _second),
    (_OTHER_SOURCES, _sources),
    (re.compile(r"Option 'basePath' not found"), _folder),
    (_FULL, _full),
    (re.compile(r"\[FAILED_READ_FILE"), _input),
    (re.compile(_UNWRITTEN), _closed),
    (_COMPACT, _not_compact),
    (_LOST_LOG, _deleted),
    (_LOST_STATE, _state),
    (re.compile(r"\[STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY\]"), _begun),
    (re.compile(r"\[MALFORMED_LOG_FILE\]|\A[^\n]*\n at \[Source: "), _log),
    (re.compile(r"Python worker failed to connect"), _slow),
    (_ENDED, _worker),
)
