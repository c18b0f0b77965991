"""Hooks into tools that run SQL on Spark: each teaches the tool's own session the language."""
