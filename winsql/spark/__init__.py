"""Windowed queries on Spark: the only layer that imports PySpark (its worker modules do not)."""

from winsql.spark.versions.supported import require_pyspark

require_pyspark()  # before a module of it meets what another version does not have
