"""Spark's errors in the words and places of the user's statement."""
