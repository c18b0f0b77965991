"""Windowed queries on Spark: the only layer that imports PySpark (its worker modules do not)."""
