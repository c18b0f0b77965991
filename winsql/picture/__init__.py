"""The timeline picture: what the window operator does with a small sample of rows, drawn along the time axis."""
