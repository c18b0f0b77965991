"""Counts the rows of event-time windows that have no event time."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from pyspark.sql import DataFrame, Observation

from winsql.spark.runner import Runner
from winsql.spark.versions.classic import observed


@dataclass(slots=True, weakref_slot=True)
class NullTimes:
    """The counters of one statement.

    is_event_time  whether a window of it needs event times at all
    observations   filled by Spark while the first action runs (operator plans)
    queries        count when asked (native plans, which stay pure SQL and pay nothing for a count nobody wants, and
                   plans on Spark Connect, whose clients cannot observe)
    """

    is_event_time: bool
    observations: tuple[Observation, ...]
    queries: tuple[tuple[Runner, str], ...]
    _counted: int | None = field(default=None)

    def count(self) -> int | None:
        """The number of rows; None when there is nothing to count or an observation has no number.

        Never waits for an action.
        """
        if not self.is_event_time:
            return None
        if self._counted is None:
            known = [rows for rows in map(_observed, self.observations) if rows is not None]
            if len(known) < len(self.observations):
                return None
            self._counted = sum(known) + sum(int(runner.sql(sql).collect()[0][0]) for runner, sql in self.queries)
        return self._counted


_NOTED: WeakKeyDictionary[DataFrame, NullTimes] = WeakKeyDictionary()


def note(frame: DataFrame, null_times: NullTimes) -> None:
    """Keep the counters for as long as the DataFrame lives."""
    _NOTED[frame] = null_times


def noted(frame: DataFrame) -> NullTimes | None:
    """The counters of a DataFrame that `note` has been given."""
    return _NOTED.get(frame)


def _observed(observation: Observation) -> int | None:
    """The observed number; None where it is not known."""
    values = observed(observation)
    return int(next(iter(values.values()))) if values else None
