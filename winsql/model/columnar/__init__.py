"""Columnar forms of policies: the rules of `winsql.model`'s assigners and triggers, for all rows or panes at once.

A policy class names its own by `columnar()`; one without runs on the per-row operator.
"""

from winsql.model.columnar.assigners import Assigned, AssignerForm, Cumulating, SliceForm, Sliding
from winsql.model.columnar.columns import NO_TIME, Longs, form_of, spread
from winsql.model.columnar.global_window import Endless
from winsql.model.columnar.triggers import CountForm, DeltaForm, NeverForm, Runs, TimeForm, TriggerForm, Values
from winsql.model.columnar.values import VALUES, TriggerValue

__all__ = [
    "NO_TIME",
    "VALUES",
    "Assigned",
    "AssignerForm",
    "CountForm",
    "Cumulating",
    "DeltaForm",
    "Endless",
    "Longs",
    "NeverForm",
    "Runs",
    "SliceForm",
    "Sliding",
    "TimeForm",
    "TriggerForm",
    "TriggerValue",
    "Values",
    "form_of",
    "spread",
]
