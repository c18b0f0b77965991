"""The window operator on whole Arrow batches: same firings and same state as the per-row operator, no loop per row.

`plan_of` gives the columnar form of a query, or the reason why the per-row operator must run it. What depends on data
rather than on the query (a sum near the end of 64 bits, two keys of one hash) shows as `Unfit` before anything has
changed; the caller then continues on the per-row operator with the same state.
"""

from winsql.runtime.columnar.codec import Header, decode_panes, encode_panes, is_columnar, require_kinds
from winsql.runtime.columnar.convert import decode_states, panes_from_states, states_from_panes
from winsql.runtime.columnar.engine import ColumnarEngine
from winsql.runtime.columnar.fit import Unfit
from winsql.runtime.columnar.panes import Panes
from winsql.runtime.columnar.partial import OfPartials, PartialRows, partial_rows
from winsql.runtime.columnar.plan import ColumnarPlan, plan_of, supports
from winsql.runtime.columnar.protocol import TIMINGS, Engine, FiringBlock, Portion

__all__ = [
    "TIMINGS",
    "ColumnarEngine",
    "ColumnarPlan",
    "Engine",
    "FiringBlock",
    "Header",
    "OfPartials",
    "Panes",
    "PartialRows",
    "Portion",
    "Unfit",
    "decode_panes",
    "decode_states",
    "encode_panes",
    "is_columnar",
    "panes_from_states",
    "partial_rows",
    "plan_of",
    "require_kinds",
    "states_from_panes",
    "supports",
]
