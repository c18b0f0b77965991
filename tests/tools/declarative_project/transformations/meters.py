from pyspark import pipelines as dp

import winsql

READINGS = "meter STRING, ts TIMESTAMP, value INT"


@dp.materialized_view
def pairs():
    return winsql.pipeline_sql(
        "SELECT meter, max(value) AS peak FROM checked WINDOW ASSIGN COUNT(2, time => ts) GROUP BY meter",
        checked=READINGS,
    )


@dp.materialized_view
def lasting():
    return winsql.pipeline_sql(
        "SELECT meter, pane_index, sum(value) AS total FROM checked "
        "WINDOW ASSIGN SESSION(ts, INTERVAL 1 HOUR) TRIGGER COUNT(2) EVICT COUNT(1) GROUP BY meter",
        checked=READINGS,
    )


@dp.materialized_view
def middle():
    return winsql.pipeline_sql(
        "SELECT meter, percentile(value, 0.5) AS middle FROM checked WINDOW ASSIGN COUNT(2, time => ts) GROUP BY meter",
        checked=READINGS,
    )


@dp.temporary_view
def peaks():
    return winsql.pipeline_sql(
        """
        SELECT meter, window_start, count(*) AS n
        FROM checked
        WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES)
        GROUP BY meter
        """,
        checked=READINGS,
    )


@dp.table
def firings():
    return winsql.pipeline_sql("""
        SELECT meter, pane_index, count(*) AS n
        FROM STREAM raw_readings WATERMARK ts DELAY OF INTERVAL 10 SECONDS
        WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR)
        TRIGGER COUNT(2)
        GROUP BY meter
    """)
