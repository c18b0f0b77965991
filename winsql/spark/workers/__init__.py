"""What Spark's Python workers run, on bounded tables and streams. Neither PySpark nor the SQL parser is imported."""
