"""Windows over the result of windows in one stream, as Flink SQL writes them: GROUP BY and JOIN on window columns."""
