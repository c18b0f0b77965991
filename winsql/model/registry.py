"""The class that a policy's or function's name in SQL means; users add their own by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from winsql.errors import WindowSpecError
from winsql.model.assigners import (
    Assigner,
    CountWindows,
    CumulatingWindows,
    GlobalWindows,
    SessionWindows,
    SlidingWindows,
    TumblingWindows,
)
from winsql.model.emitting import EmitTrigger
from winsql.model.evictors import CountEvictor, DeltaEvictor, Evictor, TimeEvictor
from winsql.model.functions import Accumulating, AggregateFunction, ApplyFunction, CoGroupFunction
from winsql.model.nearest import nearest
from winsql.model.nested_triggers import AllTrigger, AnyTrigger, ProcessingTimeoutTrigger, PurgingTrigger
from winsql.model.triggers import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    CountTrigger,
    DeltaTrigger,
    EndOfStreamTrigger,
    EventTimeTrigger,
    NeverTrigger,
    ProcessingTimeTrigger,
    Trigger,
    WhenTrigger,
)

T = TypeVar("T")


class Registry(Generic[T]):
    """Names, case-insensitive, of one kind of thing (`noun` says which in errors).

    `meanings` says for words of other systems, in upper case, what to write here.
    """

    def __init__(
        self, noun: str, builtins: Iterable[tuple[str, T]] = (), meanings: Mapping[str, str] | None = None
    ) -> None:
        self.noun = noun
        self._meanings = meanings
        self._builtins = {name.upper(): value for name, value in builtins}
        self._users: dict[str, T] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({**self._builtins, **self._users}))

    def __contains__(self, name: str) -> bool:
        return self.find(name) is not None

    def find(self, name: str) -> T | None:
        """What the name means, or None."""
        upper = name.upper()
        return self._builtins.get(upper) or self._users.get(upper)

    def add(self, name: str, value: T) -> None:
        """Register a user's name; a user's earlier one of that name is replaced, a built-in one never."""
        if not name.isidentifier():
            raise WindowSpecError(f"{name!r} cannot name a {self.noun}", rule="a registered name is an identifier")
        if name.upper() in self._builtins:
            raise WindowSpecError(f"{name.upper()} is a built-in {self.noun}", hint="choose another name")
        self._users[name.upper()] = value

    def remove(self, name: str) -> None:
        """Forget a user's name; nothing happens when there is none."""
        self._users.pop(name.upper(), None)

    def nearest(self, name: str) -> str | None:
        """The registered name that was meant by another word, or what to write for it; None when nothing is near."""
        return nearest(name, self, self._meanings)


def _policies(*classes: type[Any]) -> list[tuple[str, type[Any]]]:
    return [(cls.NAME, cls) for cls in classes]


def _meanings(*phrases: tuple[str, str]) -> dict[str, str]:
    """Words of other systems, several to a phrase -> the phrase."""
    return {word: phrase for words, phrase in phrases for word in words.split()}


_EVERY = "COUNT(n) for every n rows, CONTINUOUS_EVENT_TIME(interval) for every interval"
_MEANT_ASSIGNERS = _meanings(
    ("TUMBLE FIXED TIME WINDOW", "TUMBLING"),
    ("HOP HOPPING SLIDE", "SLIDING"),
    ("CUMULATE", "CUMULATING"),
    ("SESSION_WINDOW GAP", "SESSION"),
    ("ROWS LAST", "COUNT"),
    ("ALL UNBOUNDED ENDLESS", "GLOBAL"),
)
_MEANT_TRIGGERS = _meanings(
    ("EVERY EACH PERIODIC INTERVAL REPEAT", _EVERY),
    ("CONTINUOUS EARLY", "CONTINUOUS_EVENT_TIME or CONTINUOUS_PROCESSING_TIME"),
    ("ROWS ELEMENTS", "COUNT"),
    ("WATERMARK ON_TIME END", "EVENT_TIME"),
    ("CLOCK PROCTIME", "PROCESSING_TIME"),
    ("TIMEOUT", "PROCESSING_TIMEOUT"),
    ("PURGE FIRE_AND_PURGE", "PURGING"),
    ("CHANGE MOVED", "DELTA"),
    ("IF CASE CONDITION", "WHEN"),
    ("OR", "ANY"),
    ("AND", "ALL"),
    ("END_OF_INPUT", "END_OF_STREAM"),
)
_MEANT_EVICTORS = _meanings(
    ("LAST ROWS LIMIT KEEP TOP", "COUNT"),
    ("AGE NEWER RECENT INTERVAL", "TIME"),
    ("CHANGE MOVED", "DELTA"),
)

ASSIGNERS: Registry[type[Assigner]] = Registry(
    "window assigner",
    _policies(TumblingWindows, SlidingWindows, CumulatingWindows, SessionWindows, CountWindows, GlobalWindows),
    _MEANT_ASSIGNERS,
)
TRIGGERS: Registry[type[Trigger]] = Registry(
    "trigger",
    _policies(
        EventTimeTrigger,
        ProcessingTimeTrigger,
        ContinuousEventTimeTrigger,
        ContinuousProcessingTimeTrigger,
        CountTrigger,
        DeltaTrigger,
        ProcessingTimeoutTrigger,
        PurgingTrigger,
        NeverTrigger,
        EndOfStreamTrigger,
        WhenTrigger,
        AnyTrigger,
        AllTrigger,
        EmitTrigger,
    ),
    _MEANT_TRIGGERS,
)
EVICTORS: Registry[type[Evictor]] = Registry(
    "evictor", _policies(CountEvictor, TimeEvictor, DeltaEvictor), _MEANT_EVICTORS
)
AGGREGATES: Registry[AggregateFunction] = Registry("aggregate function")
APPLY_FUNCTIONS: Registry[ApplyFunction] = Registry("apply function")
CO_GROUP_FUNCTIONS: Registry[CoGroupFunction] = Registry("co-group function")


def register_trigger(name: str, trigger: type[Trigger]) -> None:
    """Make a Trigger class usable in SQL as `TRIGGER name(...)`.

    `trigger` is a frozen dataclass deriving from `Trigger`; fields made with `parameter(Kind...)` become its SQL
    parameters. Raises WindowSpecError for a built-in or invalid name and for a class that is no Trigger.
    """
    TRIGGERS.add(name, _subclass(name, trigger, Trigger))


def register_evictor(name: str, evictor: type[Evictor]) -> None:
    """Make an Evictor class usable in SQL as `EVICT name(...)`; as `register_trigger`."""
    EVICTORS.add(name, _subclass(name, evictor, Evictor))


def register_aggregate(name: str, function: Accumulating, returns: str) -> None:
    """Make an aggregate usable in the select list of windowed queries.

    `function` has `create_accumulator()`, `add(accumulator, *values)`, `get_result(accumulator)` and
    `merge(accumulator, other)`; `add` and `merge` return the new accumulator, which must consist of None, bool, int,
    float, str, bytes, Decimal, date, datetime, list, tuple, set or dict. `returns` is the Spark SQL type of its result.
    """
    methods = ("create_accumulator", "add", "get_result", "merge")
    missing = [method for method in methods if not callable(getattr(function, method, None))]
    if missing:
        rule = f"a registered aggregate has the methods {', '.join(methods)}"
        raise WindowSpecError(f"aggregate {name} lacks {', '.join(missing)}", rule=rule)
    AGGREGATES.add(name, AggregateFunction(function, _type(name, returns)))


def register_apply_function(name: str, function: Callable[..., Any], returns: str) -> None:
    """Make `function(key, window, rows) -> pandas.DataFrame` usable as `APPLY name`.

    `key` is a tuple of the key values, `window` a pair of start and end (None for GLOBAL and COUNT), `rows` a
    pandas.DataFrame of the firing's rows; `returns` is the Spark SQL schema of the result (`'a INT, b STRING'`).
    """
    if not callable(function):
        raise WindowSpecError(f"apply function {name} is not callable")
    APPLY_FUNCTIONS.add(name, ApplyFunction(function, _type(name, returns)))


def register_co_group_function(name: str, function: Callable[..., Any], returns: str) -> None:
    """Make `function(key, window, left, right) -> pandas.DataFrame` usable as `co_group(..., apply => 'name')`.

    `key` and `window` are as for an apply function; `left` and `right` are pandas.DataFrames of the rows of each input
    in the firing, one of which may be empty. `returns` is the Spark SQL schema of the result (`'a INT, b STRING'`).
    """
    if not callable(function):
        raise WindowSpecError(f"co-group function {name} is not callable")
    CO_GROUP_FUNCTIONS.add(name, CoGroupFunction(function, _type(name, returns)))


def _type(name: str, returns: str) -> str:
    if isinstance(returns, str) and returns.strip():
        return returns
    hint = "write it as in SQL, 'DOUBLE', or 'a INT, b STRING' for a function that returns columns"
    raise WindowSpecError(f"{name} is registered with {returns!r}, which is no type", hint=hint)


def _subclass(name: str, cls: type[T], base: type[T]) -> type[T]:
    if isinstance(cls, type) and issubclass(cls, base):
        _freeze(name, cls, base)
        if "NAME" not in vars(cls):
            cls.NAME = name.upper()  # type: ignore[attr-defined]
        return cls
    raise WindowSpecError(f"{name} is not a subclass of {base.__name__}", hint=f"derive it from winsql.{base.__name__}")


def _freeze(name: str, cls: type, base: type) -> None:
    """One object decides for all keys and windows: what it kept in itself would be mixed up.

    A class without parameters of its own need be no dataclass.
    """
    for own in (own for own in cls.__mro__ if own not in base.__mro__):
        parameters = vars(own).get("__dataclass_params__")
        if not (parameters.frozen if parameters else "__init__" not in vars(own)):
            hint = f"write @dataclass(frozen=True) above class {own.__name__}, and no __init__"
            raise WindowSpecError(f"{name} is not a frozen dataclass", rule=_PARAMETERS_ONLY, hint=hint)
    if "__dataclass_params__" not in vars(cls):
        cls.__setattr__ = _refuse  # type: ignore[assignment]


def _refuse(policy: object, name: str, value: object) -> None:
    """In the place of `__setattr__`; raises WindowSpecError."""
    hint = "keep it with ctx.put"
    raise WindowSpecError(f"{type(policy).__name__} keeps {name} in itself", rule=_PARAMETERS_ONLY, hint=hint)


_PARAMETERS_ONLY = "triggers and evictors hold parameters only; a trigger keeps the values of a window by ctx.put"
