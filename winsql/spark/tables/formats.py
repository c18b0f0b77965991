"""The file formats of streaming tables: the types they hold, and the options with which values are read as written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    MapType,
    StringType,
    StructType,
    VariantType,
)

from winsql.errors import Span, WindowPlanError
from winsql.model.query import INTERNAL_PREFIX
from winsql.spark.relation import types_in

DEFAULT_FORMAT = "parquet"


@dataclass(frozen=True, slots=True)
class Format:
    """A format: whether it holds a type (the parts of nested types are asked about too), and the options it needs."""

    name: str
    holds: Callable[[DataType], bool]
    options: Mapping[str, str] = field(default_factory=dict)

    def options_with(self, given: Mapping[str, str]) -> dict[str, str]:
        """The options of files: those that a statement gives, and those of the format beside them."""
        names = {key.lower() for key in given}
        if "timestampformat" in names:  # it may leave out the zone, and files that are there have that of the session
            names.add("timezone")
        return {**{key: value for key, value in self.options.items() if key.lower() not in names}, **given}


_AS_WRITTEN = {
    "columnNameOfCorruptRecord": f"{INTERNAL_PREFIX}corrupt_record",  # else a column _corrupt_record gets no values
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
    "timeZone": "UTC",  # zones had offsets with seconds, which the format leaves out
}
_CSV_AS_WRITTEN = {
    "multiLine": "true",
    "lineSep": "\n",  # else the first end of a line counts, also one in a value, and \r\n is read as \n
    "ignoreLeadingWhiteSpace": "false",
    "ignoreTrailingWhiteSpace": "false",
    "escape": '"',
    "nullValue": "\\N",  # without it NULL is '', and a line of one NULL is empty and skipped
}
_NESTED = (ArrayType, MapType, StructType)


def _json(data_type: DataType) -> bool:
    return not isinstance(data_type, MapType) or isinstance(data_type.keyType, StringType)


def _orc(data_type: DataType) -> bool:
    return not isinstance(data_type, VariantType) and " collate " not in data_type.simpleString()


def _csv(data_type: DataType) -> bool:
    return not isinstance(data_type, (*_NESTED, BinaryType, VariantType))


FORMATS = {
    "parquet": Format("parquet", lambda data_type: True),
    "orc": Format("orc", _orc),
    "json": Format("json", _json, _AS_WRITTEN),
    "csv": Format("csv", _csv, {**_AS_WRITTEN, **_CSV_AS_WRITTEN}),
}


def check_columns(schema: StructType, kept_as: Format, what: str, text: str, span: Span) -> None:
    """Raises WindowPlanError for columns that the table cannot hold; `what` names the rows they are of."""
    seen: set[str] = set()
    other = DEFAULT_FORMAT if kept_as.name != DEFAULT_FORMAT else "json"
    for column in schema:
        if column.name.lower() in seen:
            raise WindowPlanError(
                f"two columns of {what} are called {column.name}",
                rule="the columns of a table have names of their own",
                hint=f"give one of them another name: ... AS {column.name}_2",
                source=text,
                span=span,
            )
        seen.add(column.name.lower())
        is_unfit = any(_is_unfit(kind, kept_as) for kind in types_in(column.dataType))
        if is_unfit or (kept_as.name == "orc" and "`" in column.name):
            shown = column.dataType.simpleString().upper()
            raise WindowPlanError(
                f"{kept_as.name} cannot hold column {column.name} of {what}, {shown}",
                rule="values must come back from the table as they went in",
                hint=f"cast it, for instance to STRING, or choose USING {other}",
                source=text,
                span=span,
            )


def _is_unfit(data_type: DataType, kept_as: Format) -> bool:
    return type(data_type).__name__ in _NOWHERE or not kept_as.holds(data_type)


_NOWHERE = ("NullType", "CalendarIntervalType", "GeometryType", "GeographyType")
"""Types that no format has, or of which Spark keeps no micro-batch; 4.0 does not know them all."""
