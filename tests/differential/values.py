"""Types and values of the check: as Python objects, as SQL literals, and as the text that results are compared by.

The model of this folder knows nothing of winsql. Both kinds of timestamp are microseconds: of the epoch, or of a
clock without zone. Texts are those of Spark's CAST to STRING, but for TIMESTAMP (microseconds, so that no zone is in
them), DOUBLE (Python's repr) and BINARY (hexadecimal).
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

_EPOCH = datetime.datetime(1970, 1, 1)


@dataclass(frozen=True)
class Type:
    """A type by Spark's name for it."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class ArrayType(Type):
    item: Type


@dataclass(frozen=True)
class StructType(Type):
    fields: tuple[tuple[str, Type], ...]


STRING, BINARY, BOOLEAN = Type("string"), Type("binary"), Type("boolean")
INT, BIGINT, DOUBLE = Type("int"), Type("bigint"), Type("double")
DATE, TIMESTAMP, NTZ = Type("date"), Type("timestamp"), Type("timestamp_ntz")
DAY_TIME, YEAR_MONTH = Type("interval day to second"), Type("interval year to month")


def decimal(precision: int, scale: int) -> Type:
    return Type(f"decimal({precision},{scale})")


def array_of(item: Type) -> ArrayType:
    return ArrayType(f"array<{item}>", item)


def struct_of(*fields: tuple[str, Type]) -> StructType:
    return StructType(f"struct<{','.join(f'{name}:{kind}' for name, kind in fields)}>", fields)


MONEY = decimal(10, 2)
PAIR = struct_of(("a", INT), ("b", STRING))
NUMBERS = array_of(INT)


def wall(micros: int) -> datetime.datetime:
    """The reading of a clock without zone."""
    return _EPOCH + datetime.timedelta(microseconds=micros)


def micros_of(reading: datetime.datetime) -> int:
    return (reading - _EPOCH) // datetime.timedelta(microseconds=1)


def same(value: Any) -> Any:
    """Equal for values that GROUP BY has equal: NULLs, NaNs, and both zeros."""
    if isinstance(value, float):
        return "NaN" if value != value else value + 0.0
    return tuple(map(same, value)) if isinstance(value, tuple) else value


def normal(value: Any) -> Any:
    """A key as it comes out of GROUP BY: there is one zero."""
    return value + 0.0 if isinstance(value, float) else value


def rank(value: Any) -> Any:
    """Sorts as Spark does: NULL first, NaN last."""
    if value is None:
        return (0,)
    if isinstance(value, float) and value != value:
        return (2,)
    if isinstance(value, str):
        return (1, value.encode())
    return (1, tuple(map(rank, value)) if isinstance(value, tuple) else value)


def text(kind: Type, value: Any) -> str | None:
    """The form in which results are compared."""
    return None if value is None else _inner_text(kind, value)


def _inner_text(kind: Type, value: Any) -> str:
    if isinstance(kind, ArrayType):
        return f"[{', '.join('null' if v is None else _inner_text(kind.item, v) for v in value)}]"
    if isinstance(kind, StructType):
        parts = zip(kind.fields, value, strict=True)
        return f"{{{', '.join('null' if v is None else _inner_text(field[1], v) for field, v in parts)}}}"
    if isinstance(value, Decimal):
        value = value.quantize(Decimal(1).scaleb(-int(kind.name[:-1].split(",")[1])))
    return _TEXTS.get(kind, str)(value)


def _wall_text(micros: int) -> str:
    reading = wall(micros)
    fraction = f".{reading.microsecond:06}".rstrip("0") if reading.microsecond else ""
    return f"{reading:%Y-%m-%d %H:%M:%S}{fraction}"


def day_time(micros: int) -> str:
    days, rest = divmod(abs(micros), DAY)
    hours, rest = divmod(rest, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    seconds, fraction = divmod(rest, SECOND)
    ends = f".{fraction:06}".rstrip("0") if fraction else ""
    return f"INTERVAL '{'-' * (micros < 0)}{days} {hours:02}:{minutes:02}:{seconds:02}{ends}' DAY TO SECOND"


def year_month(months: int) -> str:
    years, rest = divmod(abs(months), 12)
    return f"INTERVAL '{'-' * (months < 0)}{years}-{rest}' YEAR TO MONTH"


_TEXTS: dict[Type, Callable[[Any], str]] = {
    BOOLEAN: lambda value: str(value).lower(),
    BINARY: lambda value: value.hex().upper(),
    DOUBLE: lambda value: repr(float(value)),
    DATE: lambda value: value.isoformat(),
    NTZ: _wall_text,
    DAY_TIME: day_time,
    YEAR_MONTH: year_month,
}


def literal(kind: Type, value: Any) -> str:
    """SQL for a value, of exactly this type and the same in every session."""
    if value is None:
        return f"CAST(NULL AS {kind})"
    if isinstance(kind, ArrayType):
        return f"CAST(array({', '.join(literal(kind.item, v) for v in value)}) AS {kind})"
    if isinstance(kind, StructType):
        parts = [f"'{n}', {literal(field, v)}" for (n, field), v in zip(kind.fields, value, strict=True)]
        return f"named_struct({', '.join(parts)})"
    if kind.name.startswith("decimal"):
        return f"CAST('{value}' AS {kind})"
    return _LITERALS[kind](value)


_LITERALS: dict[Type, Callable[[Any], str]] = {
    STRING: lambda value: f"'{value}'",
    BINARY: lambda value: f"X'{value.hex()}'",
    BOOLEAN: lambda value: str(value).lower(),
    INT: str,
    BIGINT: lambda value: f"{value}L",
    DOUBLE: lambda value: f"CAST('{'NaN' if value != value else value}' AS DOUBLE)",
    DATE: lambda value: f"DATE'{value}'",
    TIMESTAMP: lambda value: f"timestamp_micros({value}L)",
    NTZ: lambda value: f"TIMESTAMP_NTZ'{_wall_text(value)}'",
    DAY_TIME: day_time,
    YEAR_MONTH: year_month,
}


def quotient(total: Decimal, count: int, scale: int) -> Decimal:
    """Rounded half up, as Spark's decimals are."""
    from decimal import ROUND_HALF_UP

    return (total / count).quantize(Decimal(1).scaleb(-scale), ROUND_HALF_UP)
