"""Columnar forms of policies: the rules of `winsql.model`'s assigners and triggers, for all rows or panes at once.

A policy class names its own by `columnar()`; one without runs on the per-row operator.
"""

from winsql.model.columnar.assigners import Assigned, AssignerForm, Cumulating, Sliding, Tumbling
from winsql.model.columnar.columns import NO_TIME, Longs, form_of, spread
from winsql.model.columnar.triggers import TriggerForm

__all__ = [
    "NO_TIME",
    "Assigned",
    "AssignerForm",
    "Cumulating",
    "Longs",
    "Sliding",
    "TriggerForm",
    "Tumbling",
    "form_of",
    "spread",
]
