"""Sinks into databases from the options of a statement."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial

from pyspark.sql.types import UserDefinedType

from winsql.model.nearest import nearest
from winsql.spark.runner import is_connect
from winsql.spark.tables.folders import found_in
from winsql.spark.tables.sinks.databases.dialect import Dialect
from winsql.spark.tables.sinks.databases.merge import ROW_KIND, Column, Target
from winsql.spark.tables.sinks.databases.postgres import Postgres
from winsql.spark.tables.sinks.databases.sink import DatabaseSink
from winsql.spark.tables.sinks.databases.sqlite import Sqlite
from winsql.spark.tables.sinks.databases.values import quoted
from winsql.spark.tables.sinks.on_server import call_on_server
from winsql.spark.tables.sinks.protocol import Request, Sink
from winsql.syntax.text.vocabulary import words

_OF_TABLES = ("table", "mode", "key", "create", "resume")


def sqlite(request: Request) -> Sink:
    """INTO sqlite OPTIONS (path, table, mode, key, create)."""
    _require_known(request, ("path", *_OF_TABLES))
    path = request.required("path", "/a/file.db")
    if path.strip() == ":memory:" or path.startswith("file:"):
        rule, hint = "each micro-batch opens the database", "write a file's path"
        raise request.refused(f"path {path} is no file", rule, hint, option="path")
    path = path if is_connect(request.spark) else _absolute(request, path)
    name = re.sub(r"[^\w.-]", "_", request.stream)
    checkpoint = found_in(request.spark, f"{path}.checkpoints", name)
    return _sink(request, Sqlite(path), {"path": path}, checkpoint)


def _absolute(request: Request, path: str) -> str:
    try:
        return os.path.abspath(path)
    except FileNotFoundError:
        rule = "a relative path begins at the folder in which this process runs, and that is gone"
        hint = "write an absolute path"
        raise request.refused(f"path {path} leads nowhere", rule, hint, option="path") from None


def postgres(request: Request) -> Sink:
    """INTO postgres OPTIONS (url or libpq's options, table, mode, key, create)."""
    given = {key.lower(): value for key, value in request.clause.options.items()}
    url = given.pop("url", "")
    if url.startswith("jdbc:"):
        rule, hint = "psycopg takes those of libpq", "write postgresql://host:port/database"
        raise request.refused("url is one of JDBC", rule, hint, option="url")
    if "database" in given:
        given["dbname"] = given.pop("database")
    options = {key: value for key, value in given.items() if key not in _OF_TABLES}
    for key in options:
        if key not in _LIBPQ:
            raise _unknown(request, key, ("url", *_LIBPQ, *_OF_TABLES))
    dialect = Postgres(url, options)
    return _sink(request, dialect, {}, None)


_LIBPQ = words(
    """
    host hostaddr port dbname user password passfile require_auth channel_binding connect_timeout options
    application_name keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout sslmode
    sslnegotiation sslcert sslkey sslpassword sslrootcert sslcrl krbsrvname gsslib gssencmode service
    target_session_attrs load_balance_hosts
    """
)


def _sink(request: Request, dialect: Dialect, fixed: dict[str, str], checkpoint: str | None) -> Sink:
    table = _table(request)
    keys = _keys(request)
    columns = []
    for column in request.schema:
        if isinstance(column.dataType, UserDefinedType):
            raise request.refused(
                f"{dialect.product} cannot hold column {column.name}", "it is of a type of the user's"
            )
        source = quoted(column.name)
        sent = f"{dialect.expression(source, column.dataType)} AS {source}"
        columns.append(Column(column.name, dialect.type_of(column.dataType), sent))
    mode = "upsert" if keys else "append"
    fixed = {"format": dialect.format, **fixed, "table": ".".join(table), "mode": mode, "key": ", ".join(keys)}
    target = Target(dialect, table, tuple(columns), keys)
    on_server, appends = _on_server(request), request.appends()
    return DatabaseSink(target, fixed, _creates(request), on_server, checkpoint, appends=appends)


def _on_server(request: Request) -> Callable[[Callable[[], None]], None] | None:
    """How to call a function where the sinks run, if that is a process of Spark Connect's server."""
    return partial(call_on_server, request.spark) if is_connect(request.spark) else None


def _table(request: Request) -> tuple[str, ...]:
    written = request.required("table", "name").strip()
    parts = _PARTS.findall(written) if _TABLE.fullmatch(written) else []
    names = tuple(p[1:-1].replace('""', '"') if p.startswith('"') else p.strip() for p in parts)
    most = 2 if request.clause.format.lower() != "sqlite" else 1
    if not 0 < len(names) <= most or not all(names) or "\0" in written:
        rule = "a table is [schema.]table, each part as it is, in double quotes where it has a point"
        hint = "write for instance table 'results'"
        raise request.refused(f"table {written!r} is no name", rule, hint, option="table")
    return names


_PART = r'\s*("(?:[^"]|"")+"|[^".]+)\s*'
_PARTS = re.compile(_PART)
_TABLE = re.compile(rf"{_PART}(\.{_PART})*")


def _keys(request: Request) -> tuple[str, ...]:
    """The columns of the key; none for a table that is appended to."""
    mode = (request.option("mode") or "append").strip().lower()
    kind = next((c.name for c in request.schema if c.name.lower() == ROW_KIND), None)
    if mode not in ("append", "upsert"):
        hint = "write mode 'append' or mode 'upsert'"
        rule = "modes are append and upsert"
        raise request.refused(f"{mode} is no mode of {request.clause.format}", rule, hint, option="mode")
    given = request.option("key")
    if mode == "append":
        if given is not None:
            raise request.refused(
                "a key is given and rows are appended",
                "rows with a key replace each other",
                "write mode 'upsert', or leave key out",
                option="key",
            )
        if kind is not None and request.what == "the result":
            raise request.refused(
                f"rows with the column {kind} cannot be appended",
                "it says which rows are taken back",
                "write mode 'upsert', or give the column another name to keep the changes",
            )
        return ()
    wanted = [name.strip().strip('"`') for name in given.split(",")] if given is not None else list(request.keys or ())
    if not wanted:
        raise request.refused(
            "mode 'upsert' needs the option key",
            f"the columns that tell rows of {request.what} apart cannot be told from the query: GROUP BY keys and "
            "window_start and window_end must be in the result",
            "write key 'a, b'",
        )
    known = {column.name.lower(): column.name for column in request.schema if column.name != kind}
    for name in wanted:
        if name.lower() not in known:
            near = nearest(name, known.values())
            hint = f"did you mean {near}?" if near else f"columns are {', '.join(known.values())}"
            problem = f"key has {name or 'an empty name'}, which is no column of {request.what}"
            raise request.refused(problem, None, hint, option="key")
    return tuple(dict.fromkeys(known[name.lower()] for name in wanted))


def _creates(request: Request) -> bool:
    given = (request.option("create") or "false").strip().lower()
    if given in ("true", "false"):
        return given == "true"
    rule, hint = "it is 'true' to have a missing table made", "write create 'true'"
    raise request.refused(f"create is {given}", rule, hint, option="create")


def _require_known(request: Request, known: tuple[str, ...]) -> None:
    for key in request.clause.options:
        if key.lower() not in known:
            raise _unknown(request, key, known)


def _unknown(request: Request, key: str, known: tuple[str, ...]) -> Exception:
    near = nearest(key.lower(), known)
    return request.refused(
        f"{request.clause.format} has no option {key}",
        f"options are {', '.join(name for name in _SHOWN if name in known)}",
        f"did you mean {near}?" if near else None,
        option=key,
    )


_SHOWN = ("path", "url", "host", "port", "dbname", "user", "password", "service", *_OF_TABLES)
