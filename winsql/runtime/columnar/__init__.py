"""The window operator on whole Arrow batches: same firings and same state as the per-row operator, no loop per row.

`plan_of` gives the columnar form of a query, or the reason why the per-row operator must run it. What depends on data
rather than on the query (a sum near the end of 64 bits, two keys of one hash) shows as `Unfit` before anything has
changed; the caller then continues on the per-row operator with the same state.
"""

from winsql.runtime.columnar.panes.engine import PanesEngine
from winsql.runtime.columnar.partial_rows import OfPartials, PartialRows, partial_rows
from winsql.runtime.columnar.planning import new_engine, plan_of, supports
from winsql.runtime.columnar.reading import decode_states, read_states
from winsql.runtime.columnar.reduction import Reduction
from winsql.runtime.columnar.shared.codec import Header, decode_panes, encode_panes, is_columnar, require_kinds
from winsql.runtime.columnar.shared.limits import Unfit
from winsql.runtime.columnar.shared.panes import Panes
from winsql.runtime.columnar.shared.per_row_state import panes_from_states, states_from_panes
from winsql.runtime.columnar.shared.plan import ColumnarPlan
from winsql.runtime.columnar.shared.protocol import TIMINGS, Engine, FiringBlock, Portion
from winsql.runtime.columnar.top_rows import SortColumn, TopRows, top_rows

__all__ = [
    "TIMINGS",
    "ColumnarPlan",
    "Engine",
    "FiringBlock",
    "Header",
    "OfPartials",
    "Panes",
    "PanesEngine",
    "PartialRows",
    "Portion",
    "Reduction",
    "SortColumn",
    "TopRows",
    "Unfit",
    "decode_panes",
    "decode_states",
    "encode_panes",
    "is_columnar",
    "new_engine",
    "panes_from_states",
    "partial_rows",
    "plan_of",
    "read_states",
    "require_kinds",
    "states_from_panes",
    "supports",
    "top_rows",
]
