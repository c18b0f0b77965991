"""What a stream makes of relations over windows: each rule finds SELECTs and binds them, as windows of their own.

All rows of windows that end at one moment are there when the watermark passes it. So what is done with them is done in
windows that hold that moment alone: `TUMBLING(window_end - INTERVAL 1 MICROSECOND, INTERVAL 1 MICROSECOND)`.
"""
