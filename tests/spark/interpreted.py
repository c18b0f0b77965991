"""Spark does not compile expressions: where a statement reads a few rows once, compiling takes a fifth of its time."""

from __future__ import annotations

INTERPRETED = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
