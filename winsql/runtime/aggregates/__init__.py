"""Incremental aggregates: one accumulator per window instead of its rows, with the results Spark's own calls give.

`bind_aggregate` gives the accumulator for a call of Spark SQL, or None where winsql has no exact one; `SUPPORTED`
lists the names it knows. `bind_registered` does the same for a user's aggregate.
"""

from winsql.runtime.aggregates.base import Aggregate
from winsql.runtime.aggregates.binding import SUPPORTED, bind_aggregate
from winsql.runtime.aggregates.registered import bind_registered

__all__ = ["SUPPORTED", "Aggregate", "bind_aggregate", "bind_registered"]
