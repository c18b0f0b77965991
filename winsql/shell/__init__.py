"""Command-line surfaces of winsql."""
