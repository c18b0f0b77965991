"""A statement as text: tokens, extents of them, literals, and the words that Spark and winsql know."""
