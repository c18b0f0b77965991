"""Whether a cell does something with what a magic returns: `df = %winsql ...` keeps it, `%winsql ...` only looks."""

from __future__ import annotations

import dis
import sys
from types import FrameType
from typing import Any

_DROPPED = frozenset({"POP_TOP", "PRINT_EXPR", "CALL_INTRINSIC_1"})
"""What follows a call in the code of a cell whose value nobody takes, or IPython shows."""


def is_assigned(names: dict[str, Any]) -> bool:
    """Whether the innermost code of the user's, whose global names these are, takes the value of the call it is in."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_globals is not names:
        frame = frame.f_back
    if frame is None:
        return False
    call = frame.f_lasti
    after = next((i for i in dis.get_instructions(frame.f_code) if i.offset > call and i.opname != "CACHE"), None)
    return after is not None and after.opname not in _DROPPED
