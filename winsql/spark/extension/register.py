"""winsql.register and winsql.unregister: teach a session that somebody else has built, and make it forget."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import RLock
from typing import TYPE_CHECKING

from pyspark.sql import SparkSession

from winsql.spark.extension.function_pack import drop_own_functions, install_functions
from winsql.spark.extension.session_sql import SessionSql
from winsql.spark.runner import is_connect
from winsql.spark.versions.classic import session_id
from winsql.spark.versions.stopped import is_stopped
from winsql.spark.versions.supported import require_session

if TYPE_CHECKING:
    from winsql.spark.extension.parser_hook import ParserHook


@dataclass(slots=True)
class _Registration:
    """What a session has been given.

    hook       its parser; None on Spark Connect, whose parser is on the server
    functions  names of the functions of the pack
    spoken     by id of the session object: Python may have several for one session
    """

    hook: ParserHook | None
    functions: list[str] = field(default_factory=list)
    spoken: dict[int, SessionSql] = field(default_factory=dict)


_REGISTERED: dict[str, _Registration] = {}
_LOCK = RLock()
"""Held while sessions are registered or not any longer, which threads may ask for at once."""


def register(spark: SparkSession) -> None:
    """Teach a session the language: its `sql`, on a classic session all that uses its parser, and the function pack.

    spark   a classic or Connect session; one that is registered stays as it is

    A session made from it with `newSession` is another one. Functions of the session that have a name of the pack
    stay as they are, with a warning. Raises WindowPlanError, and changes nothing, when Spark does not let its parser
    be extended; `winsql.sql(spark, text)` works all the same.
    """
    require_session(spark)
    with _LOCK:
        _register(spark)


def _register(spark: SparkSession) -> None:
    key = _key(spark)
    registration = _REGISTERED.get(key)
    if registration is None:
        registration = _Registration(None if is_connect(spark) else _hooked(spark))
        _REGISTERED[key] = registration
        try:
            registration.functions += install_functions(spark)
        except BaseException:
            _unregister(spark)
            raise
    if id(spark) not in registration.spoken:
        registration.spoken[id(spark)] = SessionSql(spark)


def unregister(spark: SparkSession) -> None:
    """Undo `register`: parser, functions and `sql` are as before. Nothing happens to a session that is not registered.

    Views and tables made meanwhile stay, and can be read, and so do functions in SQL that took the place of the pack's.
    A session that has been stopped has lost parser and functions already.
    """
    with _LOCK:
        _unregister(spark)


def _unregister(spark: SparkSession) -> None:
    registration = _REGISTERED.pop(_key(spark), None)
    if registration is None:
        return
    for spoken in registration.spoken.values():
        spoken.remove()
    if is_stopped(spark):
        return
    if registration.hook is not None:
        registration.hook.remove()
    drop_own_functions(spark, registration.functions)


def _hooked(spark: SparkSession) -> ParserHook:
    from winsql.spark.extension.parser_hook import ParserHook  # it needs py4j, which a client of Connect may not have

    return ParserHook(spark)


def _key(spark: SparkSession) -> str:
    if is_connect(spark):
        return spark.session_id  # type: ignore[attr-defined,no-any-return]
    return session_id(spark)
