"""How a windowed query runs on a relation: a plan record and the reason for it. Knows no Spark session."""
