"""Window clauses as records; times and lengths are in microseconds."""

from __future__ import annotations

from dataclasses import dataclass

from differential.expressions import Expression

Window = tuple[int, int]


@dataclass(frozen=True)
class Tumbling:
    time: Expression
    size: int
    offset: int = 0


@dataclass(frozen=True)
class Sliding:
    time: Expression
    size: int
    slide: int
    offset: int = 0


@dataclass(frozen=True)
class Cumulating:
    time: Expression
    size: int
    step: int
    offset: int = 0


@dataclass(frozen=True)
class Session:
    """A gap, or a column with one per row."""

    time: Expression
    gap: int | Expression


@dataclass(frozen=True)
class Count:
    n: int
    slide: int | None
    time: Expression


@dataclass(frozen=True)
class Global:
    time: Expression


Assigner = Tumbling | Sliding | Cumulating | Session | Count | Global


@dataclass(frozen=True)
class EventTime:
    pass


@dataclass(frozen=True)
class EndOfStream:
    pass


@dataclass(frozen=True)
class CountTrigger:
    n: int


@dataclass(frozen=True)
class Continuous:
    interval: int


@dataclass(frozen=True)
class Delta:
    of: Expression
    threshold: int


@dataclass(frozen=True)
class When:
    condition: Expression


@dataclass(frozen=True)
class Purging:
    trigger: Trigger


@dataclass(frozen=True)
class AnyOf:
    triggers: tuple[Trigger, ...]


Trigger = EventTime | EndOfStream | CountTrigger | Continuous | Delta | When | Purging | AnyOf


@dataclass(frozen=True)
class KeepLast:
    n: int


@dataclass(frozen=True)
class KeepNewest:
    age: int


@dataclass(frozen=True)
class KeepNear:
    of: Expression
    threshold: int


Evictor = KeepLast | KeepNewest | KeepNear


@dataclass(frozen=True)
class Windowing:
    """The window clauses; no trigger is the default one."""

    assigner: Assigner
    trigger: Trigger | None = None
    evictor: Evictor | None = None
    after: bool = False
    lateness: int | None = None

    @property
    def is_default(self) -> bool:
        """Whether nothing but the end of a window fires it, once."""
        return self.has_time and self.trigger in (None, EventTime()) and self.evictor is None

    @property
    def has_time(self) -> bool:
        return not isinstance(self.assigner, (Count, Global))
