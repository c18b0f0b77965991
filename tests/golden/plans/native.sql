# tumbling
SELECT k, sum(v) AS total FROM events WINDOW ASSIGN TUMBLING(ts, '1 hour', '15 minutes') GROUP BY k
----
Windowed query at line 1, column 1
  assigner:         TUMBLING(ts, INTERVAL 1 HOUR, INTERVAL 15 MINUTE)
  trigger:          EVENT_TIME(), the default
  a firing returns: one row of keys and aggregates
  strategy:         Spark's window()
  because:          default trigger, no evictor, and on a bounded table nothing is late: Spark's aggregation gives the same rows
  keys:             k STRING
  time:             ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window: one aggregation buffer per key and window, kept by Spark

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS total FROM (
SELECT key_0, aggregate_0, window.start AS window_start, window.`end` AS window_end, timestampadd(MICROSECOND, -1, window.`end`) AS window_time, 0L AS pane_index, 'ON_TIME' AS pane_timing
FROM (
SELECT k AS key_0, sum(v) AS aggregate_0, window(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL), '3600000000 microseconds', '3600000000 microseconds', '900000000 microseconds') AS window
FROM events
GROUP BY k, window(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL), '3600000000 microseconds', '3600000000 microseconds', '900000000 microseconds')
)
)

# sliding, lateness without effect
SELECT k, count(*) FROM events WINDOW ASSIGN SLIDING(ts, '1 hour', '10 minutes') ALLOWED LATENESS '5 minutes' WHERE v > 0 GROUP BY k
----
Windowed query at line 1, column 1
  assigner:         SLIDING(ts, INTERVAL 1 HOUR, INTERVAL 10 MINUTE)
  trigger:          EVENT_TIME(), the default
  allowed lateness: INTERVAL 5 MINUTE; on a bounded table nothing is late
  a firing returns: one row of keys and aggregates
  strategy:         Spark's window()
  because:          default trigger, no evictor, and on a bounded table nothing is late: Spark's aggregation gives the same rows
  keys:             k STRING
  time:             ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window: one aggregation buffer per key and window, kept by Spark

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS `count(1)` FROM (
SELECT key_0, aggregate_0, window.start AS window_start, window.`end` AS window_end, timestampadd(MICROSECOND, -1, window.`end`) AS window_time, 0L AS pane_index, 'ON_TIME' AS pane_timing
FROM (
SELECT k AS key_0, count(*) AS aggregate_0, window(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL), '3600000000 microseconds', '600000000 microseconds', '0 microseconds') AS window
FROM events
WHERE v > 0
GROUP BY k, window(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL), '3600000000 microseconds', '600000000 microseconds', '0 microseconds')
)
)

# sliding with gaps
SELECT count(*), window_end FROM events WINDOW ASSIGN SLIDING(day, '1 day', '7 days')
----
Windowed query at line 1, column 1
  assigner:         SLIDING(day, INTERVAL 1 DAY, INTERVAL 1 WEEK)
  trigger:          EVENT_TIME(), the default
  a firing returns: one row of keys and aggregates
  strategy:         Spark's window()
  because:          default trigger, no evictor, and on a bounded table nothing is late: Spark's aggregation gives the same rows
  keys:             none: all rows are one group
  time:             day DATE; rows where it is NULL are left out and counted
  state per window: one aggregation buffer per key and window, kept by Spark

SQL handed to Spark:
SELECT aggregate_0 AS `count(1)`, window_end AS `window_end` FROM (
SELECT aggregate_0, window.start AS window_start, timestampadd(MICROSECOND, 86400000000L, window.start) AS window_end, timestampadd(MICROSECOND, -1, timestampadd(MICROSECOND, 86400000000L, window.start)) AS window_time, 0L AS pane_index, 'ON_TIME' AS pane_timing
FROM (
SELECT count(*) AS aggregate_0, window(CAST(nvl2(day, greatest(least(day, DATE'100000-01-01'), DATE'-100000-01-01'), NULL) AS TIMESTAMP_NTZ), '604800000000 microseconds', '604800000000 microseconds', '0 microseconds') AS window
FROM events
WHERE pmod((((CAST(nvl2(day, greatest(least(day, DATE'100000-01-01'), DATE'-100000-01-01'), NULL) AS TIMESTAMP_NTZ)) - TIMESTAMP_NTZ'1970-01-01 00:00:00') div INTERVAL '0.000001' SECOND), 604800000000L) < 86400000000L
GROUP BY window(CAST(nvl2(day, greatest(least(day, DATE'100000-01-01'), DATE'-100000-01-01'), NULL) AS TIMESTAMP_NTZ), '604800000000 microseconds', '604800000000 microseconds', '0 microseconds')
)
)

# session
SELECT k, histogram_numeric(v, 2) FROM events WINDOW ASSIGN SESSION(ts, '30 minutes') GROUP BY k
----
Windowed query at line 1, column 1
  assigner:         SESSION(ts, INTERVAL 30 MINUTE)
  trigger:          EVENT_TIME(), the default
  a firing returns: one row of keys and aggregates
  strategy:         Spark's session_window()
  because:          default trigger, no evictor, and on a bounded table nothing is late: Spark's aggregation gives the same rows
  keys:             k STRING
  time:             ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window: one aggregation buffer per key and window, kept by Spark

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS `histogram_numeric(v, 2)` FROM (
SELECT key_0, aggregate_0, session.start AS window_start, session.`end` AS window_end, timestampadd(MICROSECOND, -1, session.`end`) AS window_time, 0L AS pane_index, 'ON_TIME' AS pane_timing
FROM (
SELECT k AS key_0, histogram_numeric(v, 2) AS aggregate_0, session_window(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL), '1800000000 microseconds') AS window
FROM events
GROUP BY k, session_window(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL), '1800000000 microseconds')
)
LATERAL VIEW explode(array(window)) sessions AS session
)

# session with a gap per row
SELECT k, histogram_numeric(v, 2) FROM events WINDOW ASSIGN SESSION(ts, MAKE_DT_INTERVAL(0, 0, 0, seconds)) GROUP BY k
----
Windowed query at line 1, column 1
  assigner:         SESSION(ts, MAKE_DT_INTERVAL(0, 0, 0, seconds))
  trigger:          EVENT_TIME(), the default
  a firing returns: one row of keys and aggregates
  strategy:         Spark's session_window()
  because:          default trigger, no evictor, and on a bounded table nothing is late: Spark's aggregation gives the same rows
  keys:             k STRING
  time:             ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window: one aggregation buffer per key and window, kept by Spark

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS `histogram_numeric(v, 2)` FROM (
SELECT key_0, aggregate_0, session.start AS window_start, session.`end` AS window_end, timestampadd(MICROSECOND, -1, session.`end`) AS window_time, 0L AS pane_index, 'ON_TIME' AS pane_timing
FROM (
SELECT k AS key_0, histogram_numeric(v, 2) AS aggregate_0, session_window(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL), make_interval(0, 0, 0, 0, 0, 0, CAST(CAST(CASE WHEN (MAKE_DT_INTERVAL(0, 0, 0, seconds)) > INTERVAL '0' SECOND AND (MAKE_DT_INTERVAL(0, 0, 0, seconds)) <= make_dt_interval(10000000) OR (nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) IS NULL THEN (MAKE_DT_INTERVAL(0, 0, 0, seconds)) WHEN (MAKE_DT_INTERVAL(0, 0, 0, seconds)) > make_dt_interval(10000000) THEN raise_error(concat('WindowDataError: SESSION: the gap MAKE_DT_INTERVAL(0, 0, 0, seconds) of a row is longer than 10,000,000 days', ' (key: k = ', coalesce(CAST(k AS STRING), 'NULL'), ', time: ', coalesce(CAST(ts AS STRING), 'NULL'), concat(')', char(10), '  at line 1, column 73:', char(10), '    SELECT k, histogram_numeric(v, 2) FROM events WINDOW ASSIGN SESSION(ts, MAKE_DT_INTERVAL(0, 0, 0, seconds)) GROUP BY k', char(10), '                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^', char(10), '  rule: a dynamic session gap must be positive for every row, and 10,000,000 days at most', char(10), '  hint: give a smallest gap with GREATEST, or leave such rows out with WHERE'))) ELSE raise_error(concat('WindowDataError: SESSION: the gap MAKE_DT_INTERVAL(0, 0, 0, seconds) of a row is NULL or not positive', ' (key: k = ', coalesce(CAST(k AS STRING), 'NULL'), ', time: ', coalesce(CAST(ts AS STRING), 'NULL'), concat(')', char(10), '  at line 1, column 73:', char(10), '    SELECT k, histogram_numeric(v, 2) FROM events WINDOW ASSIGN SESSION(ts, MAKE_DT_INTERVAL(0, 0, 0, seconds)) GROUP BY k', char(10), '                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^', char(10), '  rule: a dynamic session gap must be positive for every row, and 10,000,000 days at most', char(10), '  hint: give a smallest gap with GREATEST, or leave such rows out with WHERE'))) END AS INTERVAL SECOND) AS DECIMAL(18, 6)))) AS window
FROM events
GROUP BY k, session_window(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL), make_interval(0, 0, 0, 0, 0, 0, CAST(CAST(CASE WHEN (MAKE_DT_INTERVAL(0, 0, 0, seconds)) > INTERVAL '0' SECOND AND (MAKE_DT_INTERVAL(0, 0, 0, seconds)) <= make_dt_interval(10000000) OR (nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) IS NULL THEN (MAKE_DT_INTERVAL(0, 0, 0, seconds)) WHEN (MAKE_DT_INTERVAL(0, 0, 0, seconds)) > make_dt_interval(10000000) THEN raise_error(concat('WindowDataError: SESSION: the gap MAKE_DT_INTERVAL(0, 0, 0, seconds) of a row is longer than 10,000,000 days', ' (key: k = ', coalesce(CAST(k AS STRING), 'NULL'), ', time: ', coalesce(CAST(ts AS STRING), 'NULL'), concat(')', char(10), '  at line 1, column 73:', char(10), '    SELECT k, histogram_numeric(v, 2) FROM events WINDOW ASSIGN SESSION(ts, MAKE_DT_INTERVAL(0, 0, 0, seconds)) GROUP BY k', char(10), '                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^', char(10), '  rule: a dynamic session gap must be positive for every row, and 10,000,000 days at most', char(10), '  hint: give a smallest gap with GREATEST, or leave such rows out with WHERE'))) ELSE raise_error(concat('WindowDataError: SESSION: the gap MAKE_DT_INTERVAL(0, 0, 0, seconds) of a row is NULL or not positive', ' (key: k = ', coalesce(CAST(k AS STRING), 'NULL'), ', time: ', coalesce(CAST(ts AS STRING), 'NULL'), concat(')', char(10), '  at line 1, column 73:', char(10), '    SELECT k, histogram_numeric(v, 2) FROM events WINDOW ASSIGN SESSION(ts, MAKE_DT_INTERVAL(0, 0, 0, seconds)) GROUP BY k', char(10), '                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^', char(10), '  rule: a dynamic session gap must be positive for every row, and 10,000,000 days at most', char(10), '  hint: give a smallest gap with GREATEST, or leave such rows out with WHERE'))) END AS INTERVAL SECOND) AS DECIMAL(18, 6))))
)
LATERAL VIEW explode(array(window)) sessions AS session
)

# cumulating
SELECT k, sum(v) FROM events WINDOW ASSIGN CUMULATING(ts, '1 day', '4 hours') GROUP BY k HAVING sum(v) > 1
----
Windowed query at line 1, column 1
  assigner:         CUMULATING(ts, INTERVAL 1 DAY, INTERVAL 4 HOUR)
  trigger:          EVENT_TIME(), the default
  a firing returns: one row of keys and aggregates
  strategy:         Spark's aggregation over exploded windows
  because:          default trigger, no evictor, and on a bounded table nothing is late: Spark's aggregation gives the same rows
  keys:             k STRING
  time:             ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window: one aggregation buffer per key and window, kept by Spark

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS `sum(v)` FROM (
SELECT key_0, aggregate_0, timestamp_micros(window - 1L - pmod(window - 1L, 86400000000L)) AS window_start, timestamp_micros(window) AS window_end, timestampadd(MICROSECOND, -1, timestamp_micros(window)) AS window_time, 0L AS pane_index, 'ON_TIME' AS pane_timing
FROM (
SELECT k AS key_0, sum(v) AS aggregate_0, window_end AS window
FROM events
LATERAL VIEW explode(sequence(unix_micros(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - pmod(unix_micros(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)), 14400000000L) + 14400000000L, unix_micros(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - pmod(unix_micros(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)), 86400000000L) + 86400000000L, 14400000000L)) window_ends AS window_end
GROUP BY k, window_end
)
) WHERE aggregate_0 > 1
