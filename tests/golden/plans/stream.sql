# the columnar engine
SELECT k, sum(v) AS total FROM ticks WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
Windowed query at line 1, column 1
  assigner:           TUMBLING(ts, INTERVAL 1 HOUR)
  trigger:            EVENT_TIME(), the default
  a firing returns:   one row of keys and aggregates
  strategy:           winsql's operator with one accumulator per aggregate and window
  because:            winsql has every accumulator
  not by Spark alone: on a stream Spark's windows judge late rows by the watermark of the micro-batch before
  keys:               k BIGINT
  time:               ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   accumulators of sum(v)
  engine:             columnar: all rows of a micro-batch at once; rows that come into the same windows are aggregated before the shuffle
  watermark:          of the relation
  woken by:           the watermark
  key groups:         16, 8 in each shuffle partition, fixed for the life of a checkpoint
  reads:
    SELECT k AS key_0, v AS value0, ts AS time
    FROM ticks

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS total FROM firings_0

# sessions
SELECT k, sum(v) AS total FROM ticks WINDOW ASSIGN SESSION(ts, '1 hour') GROUP BY k
----
Windowed query at line 1, column 1
  assigner:           SESSION(ts, INTERVAL 1 HOUR)
  trigger:            EVENT_TIME(), the default
  a firing returns:   one row of keys and aggregates
  strategy:           winsql's operator with one accumulator per aggregate and window
  because:            winsql has every accumulator
  not by Spark alone: on a stream Spark's windows judge late rows by the watermark of the micro-batch before
  keys:               k BIGINT
  time:               ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   accumulators of sum(v)
  engine:             columnar: all rows of a micro-batch at once
  watermark:          of the relation
  woken by:           the watermark
  key groups:         16, 8 in each shuffle partition, fixed for the life of a checkpoint
  reads:
    SELECT k AS key_0, v AS value0, ts AS time
    FROM ticks

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS total FROM firings_0

# state with a time to live
SELECT k, sum(v) AS total FROM ticks WINDOW ASSIGN TUMBLING(ts, '1 hour') STATE TTL '1 day' GROUP BY k
----
Windowed query at line 1, column 1
  assigner:           TUMBLING(ts, INTERVAL 1 HOUR)
  trigger:            EVENT_TIME(), the default
  a firing returns:   one row of keys and aggregates
  strategy:           winsql's operator with one accumulator per aggregate and window
  because:            winsql has every accumulator
  not by Spark alone: on a stream Spark's windows judge late rows by the watermark of the micro-batch before
  keys:               k BIGINT
  time:               ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   accumulators of sum(v)
  engine:             the per-row operator: STATE TTL has no columnar form
  watermark:          of the relation
  woken by:           the clock, which runs a micro-batch at every trigger
  key groups:         16, 8 in each shuffle partition, fixed for the life of a checkpoint
  state TTL:          INTERVAL 1 DAY
  reads:
    SELECT k AS key_0, v AS value0, ts AS time
    FROM ticks

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS total FROM firings_0

# Flink's window aggregation and the ranks of its windows
SELECT * FROM (
  SELECT *, RANK() OVER (PARTITION BY window_start, window_end ORDER BY total DESC) AS place
  FROM (SELECT k, window_start, window_end, sum(v) AS total FROM TABLE(TUMBLE(TABLE ticks, DESCRIPTOR(ts), '1 hour'))
        GROUP BY k, window_start, window_end)
) WHERE place <= 3
----
Windowed query at line 3, column 9
  assigner:           TUMBLING(ts, INTERVAL 1 HOUR)
  trigger:            EVENT_TIME(), the default
  a firing returns:   one row of keys and aggregates
  strategy:           winsql's operator with one accumulator per aggregate and window
  because:            winsql has every accumulator
  not by Spark alone: on a stream Spark's windows judge late rows by the watermark of the micro-batch before
  keys:               k BIGINT
  time:               ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   accumulators of sum(v)
  engine:             columnar: all rows of a micro-batch at once; rows that come into the same windows are aggregated before the shuffle
  watermark:          of the relation
  woken by:           the watermark
  key groups:         16, 8 in each shuffle partition, fixed for the life of a checkpoint
  reads:
    SELECT k AS key_0, v AS value0, ts AS time
    FROM ticks

Windowed query at line 2, column 3
  assigner:         TUMBLING(window_end - INTERVAL 1 MICROSECOND, INTERVAL 1 MICROSECOND)
  trigger:          EVENT_TIME(), the default
  a firing returns: the rows of the window
  then:             RANK within window_start, window_end, in the micro-batch that ends the window
  strategy:         Spark's own expressions, row by row
  because:          its rows come together, when the watermark passes them
  keys:             none: all rows are one group
  time:             window_end - INTERVAL 1 MICROSECOND TIMESTAMP; rows where it is NULL are left out and counted
  state per window: none
  watermark:        that of the windows it reads, whose rows come before it

SQL handed to Spark:
SELECT * FROM (
  SELECT column_0.*, rank_0 AS place FROM firings_1
) WHERE place <= 3

# rows of a window table function on a stream
SELECT k, window_end FROM HOP(TABLE ticks, DESCRIPTOR(ts), '1 hour', '90 minutes')
----
Windowed query at line 1, column 27
  assigner:         SLIDING(ts, INTERVAL 90 MINUTE, INTERVAL 1 HOUR)
  trigger:          EVENT_TIME(), the default
  a firing returns: the rows of the table, each with its windows
  strategy:         Spark's own expressions, row by row
  because:          which windows a row belongs to, its time alone says
  keys:             none: all rows are one group
  time:             ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window: none

SQL handed to Spark:
SELECT k, window_end FROM (SELECT * FROM (
SELECT * EXCEPT (edge), timestamp_micros(edge) AS window_start, timestamp_micros(edge + 5400000000L) AS window_end, timestamp_micros(edge + 5400000000L - 1L) AS window_time
FROM ticks
LATERAL VIEW explode(sequence(unix_micros(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - pmod(unix_micros(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)), 3600000000L), (unix_micros(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - 5400000000L) - pmod((unix_micros(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - 5400000000L), 3600000000L) + 3600000000L, -3600000000L)) edges AS edge
) )

# groups of one moment over the results of windows
SELECT window_end, max(total) AS top
FROM (SELECT k, window_end, sum(v) AS total FROM ticks WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k)
GROUP BY window_end
----
Windowed query at line 2, column 7
  assigner:           TUMBLING(ts, INTERVAL 1 HOUR)
  trigger:            EVENT_TIME(), the default
  a firing returns:   one row of keys and aggregates
  strategy:           winsql's operator with one accumulator per aggregate and window
  because:            winsql has every accumulator
  not by Spark alone: on a stream Spark's windows judge late rows by the watermark of the micro-batch before
  keys:               k BIGINT
  time:               ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   accumulators of sum(v)
  engine:             columnar: all rows of a micro-batch at once; rows that come into the same windows are aggregated before the shuffle
  watermark:          of the relation
  woken by:           the watermark
  key groups:         16, 8 in each shuffle partition, fixed for the life of a checkpoint
  reads:
    SELECT k AS key_0, v AS value0, ts AS time
    FROM ticks

Windowed query at line 1, column 1
  assigner:           TUMBLING(window_end - INTERVAL 1 MICROSECOND, INTERVAL 1 MICROSECOND)
  trigger:            EVENT_TIME(), the default
  a firing returns:   one row of keys and aggregates
  strategy:           winsql's operator with one accumulator per aggregate and window
  because:            winsql has every accumulator
  not by Spark alone: on a stream Spark's aggregations and joins would keep what comes in one micro-batch as state
  keys:               none: all rows are one group
  time:               window_end - INTERVAL 1 MICROSECOND TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   none: its rows come in one micro-batch
  engine:             columnar: all rows of a micro-batch at once; rows that come into the same windows are aggregated before the shuffle
  watermark:          that of the windows it reads, whose rows come before it
  woken by:           rows only: all of a window come together
  reads:
    SELECT total AS value0, window_end - INTERVAL 1 MICROSECOND AS time
    FROM (SELECT key_0 AS `k`, window_end AS `window_end`, aggregate_0 AS total FROM firings_0)

SQL handed to Spark:
SELECT window_end AS `window_end`, aggregate_0 AS top FROM firings_1
