"""Statements about streams and their sources: text -> frozen records."""
