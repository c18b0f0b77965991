"""The window operator on whole Arrow batches: same firings and same state as the per-row operator, no loop per row.

`plan_of` returns the columnar form of a query, or the reason why the per-row operator must run it. Where data does not
fit (a sum near the end of 64 bits, two keys of one hash), `Unfit` is raised before anything has changed, and the
caller continues on the per-row operator with the same state.
"""

from winsql.runtime.columnar.partial_rows import OfPartials, PartialRows, partial_rows
from winsql.runtime.columnar.planning import new_engine, plan_of
from winsql.runtime.columnar.reading import decode_states, read_states
from winsql.runtime.columnar.reduction import Reduction
from winsql.runtime.columnar.shared.codec import is_columnar
from winsql.runtime.columnar.shared.limits import Unfit
from winsql.runtime.columnar.shared.plan import ColumnarPlan
from winsql.runtime.columnar.shared.protocol import Portion
from winsql.runtime.columnar.top_rows import SortColumn, TopRows, top_rows

__all__ = [
    "ColumnarPlan",
    "OfPartials",
    "PartialRows",
    "Portion",
    "Reduction",
    "SortColumn",
    "TopRows",
    "Unfit",
    "decode_states",
    "is_columnar",
    "new_engine",
    "partial_rows",
    "plan_of",
    "read_states",
    "top_rows",
]
