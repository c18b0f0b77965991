"""dbt: models with windows, by the session method of dbt-spark.

The profile's `server_side_parameters` say `spark.winsql.register: "true"`; then the session is registered before a
statement of dbt. Sessions of other profiles are as without winsql.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from winsql.errors import WinsqlError

_NEEDED = ("dbt", "dbt.adapters", "dbt.adapters.spark", "pyspark")
_MARK = "of_winsql"


def install() -> None:
    """Let the cursors of dbt-spark register their session. Nothing happens where its session method is not there."""
    if any(find_spec(name) is None for name in _NEEDED):
        return
    from dbt.adapters.spark.session import Cursor

    if not hasattr(Cursor.execute, _MARK):
        Cursor.execute = _registering(Cursor.execute)


def _registering(execute: Callable[..., None]) -> Callable[..., None]:
    def registering(cursor: Any, sql: str, *parameters: Any) -> None:
        from dbt_common.exceptions import DbtRuntimeError

        from winsql.tools.registered import register_if_wanted

        try:
            register_if_wanted(_session(cursor))
            execute(cursor, sql, *parameters)
        except WinsqlError as error:  # of this class dbt shows the text, of others a traceback
            raise DbtRuntimeError(str(error)) from error

    setattr(registering, _MARK, True)
    return registering


def _session(cursor: Any) -> Any:
    """The session of a cursor, which it makes in the same way at each statement."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.enableHiveSupport()
    for name, value in cursor.server_side_parameters.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()
