"""What streams do with relations over windows: each rule finds SELECTs and binds them as windowed queries.

When the watermark passes the end of windows, all their rows are there. So these queries use windows that hold the last
instant of others: `TUMBLING(window_end - INTERVAL 1 MICROSECOND, INTERVAL 1 MICROSECOND)`.
"""
