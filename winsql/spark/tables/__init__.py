"""Streams by SQL alone: streaming tables, their files and their place in Spark's catalog."""
