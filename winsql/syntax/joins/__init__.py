"""WINDOW JOIN, and the table functions window_join and co_group."""
