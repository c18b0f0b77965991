"""Teaches sessions that somebody else has built: their `spark.sql`, their parser, their functions."""
