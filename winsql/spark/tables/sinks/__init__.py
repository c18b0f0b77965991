"""Sinks of streams: CREATE STREAM name INTO format, through Spark's writers or into databases."""
