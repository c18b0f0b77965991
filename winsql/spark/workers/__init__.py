"""Code that Spark's Python workers run on tables and streams. It imports neither PySpark nor the SQL parser."""
