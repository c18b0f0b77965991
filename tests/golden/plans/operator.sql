# count
SELECT k, sum(v) FROM events WINDOW ASSIGN COUNT(100) GROUP BY k
----
Windowed query at line 1, column 1
  assigner:           COUNT(100)
  trigger:            PURGING(COUNT(100)), the default
  a firing returns:   one row of keys and aggregates
  strategy:           winsql's operator with one accumulator per aggregate and window
  because:            winsql has every accumulator
  not by Spark alone: Spark has no COUNT windows
  keys:               k STRING
  time:               none: rows come in the order in which Spark reads them
  state per window:   accumulators of sum(v)
  engine:             columnar: many rows at once; rows are shuffled and sorted in packs
  reads:
    SELECT k AS key_0, v AS value0
    FROM events

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS `sum(v)` FROM firings_0

# evictor
SELECT k, avg(x) FROM events WINDOW ASSIGN GLOBAL(ts) TRIGGER COUNT(10) EVICT TIME('1 hour') GROUP BY k
----
Windowed query at line 1, column 1
  assigner:           GLOBAL(ts)
  trigger:            COUNT(10)
  evictor:            TIME(INTERVAL 1 HOUR) before each firing
  a firing returns:   one row of keys and aggregates
  strategy:           winsql's operator over kept rows
  because:            the evictor needs the rows; winsql computes the aggregates from those that stay
  not by Spark alone: Spark has no GLOBAL windows
  keys:               k STRING
  time:               ts TIMESTAMP orders the rows, NULL first
  state per window:   rows: event time and what the query reads
  engine:             columnar: many rows at once; rows are shuffled and sorted in packs
  reads:
    SELECT k AS key_0, x AS value0, ts AS time
    FROM events

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS `avg(x)` FROM firings_0

# an aggregate that only Spark knows
SELECT k, histogram_numeric(x, 5), count(*) FROM events WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(10) GROUP BY k
----
Windowed query at line 1, column 1
  assigner:           TUMBLING(ts, INTERVAL 1 HOUR)
  trigger:            COUNT(10)
  a firing returns:   one row of keys and aggregates
  strategy:           winsql's operator over kept rows, Spark's aggregates per firing
  because:            winsql has no accumulator for histogram_numeric(x, 5), so Spark computes it over the rows of each firing
  not by Spark alone: Spark has no COUNT trigger
  keys:               k STRING
  time:               ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   rows: event time and operands in the operator, the other columns as Arrow batches beside it
  engine:             columnar: many rows at once; rows are shuffled and sorted in packs
  reads:
    SELECT k AS key_0, x AS value0, 5 AS value1, x AS carried0, ts AS time
    FROM events

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS `histogram_numeric(x, 5)`, aggregate_1 AS `count(1)` FROM firings_0

# rows
SELECT k, v, pane_index FROM events WINDOW ASSIGN SESSION(ts, '5 minutes') PARTITION BY k
----
Windowed query at line 1, column 1
  assigner:           SESSION(ts, INTERVAL 5 MINUTE)
  trigger:            EVENT_TIME(), the default
  a firing returns:   the rows of the window
  strategy:           winsql's operator, handing out the rows of its windows
  because:            each firing returns rows
  not by Spark alone: it returns the rows of the window
  keys:               k STRING
  time:               ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   rows: event time and operands in the operator, the other columns as Arrow batches beside it
  engine:             the per-row operator: SESSION that keeps rows has no columnar form; rows are shuffled and sorted in packs
  reads:
    SELECT k AS key_0, k AS column_0, v AS column_1, ts AS time
    FROM events

SQL handed to Spark:
SELECT column_0 AS `k`, column_1 AS `v`, pane_index AS `pane_index` FROM firings_0

# an apply function, on the clock
SELECT k, n FROM events WINDOW ASSIGN TUMBLING(PROCTIME(), '1 hour') PARTITION BY k APPLY profile
----
Windowed query at line 1, column 1
  assigner:           TUMBLING(PROCTIME(), INTERVAL 1 HOUR)
  trigger:            PROCESSING_TIME(), the default
  a firing returns:   what profile returns
  strategy:           winsql's operator and a registered apply function
  because:            each firing goes to profile
  not by Spark alone: it returns what a registered apply function returns
  keys:               k STRING
  time:               processing time: the moment at which the statement starts
  state per window:   rows: event time and operands in the operator, the other columns as Arrow batches beside it
  engine:             columnar: many rows at once; rows are shuffled and sorted in packs
  reads:
    SELECT k AS key_0, struct(*) AS row
    FROM events

SQL handed to Spark:
SELECT key_0 AS `k`, n AS `n` FROM firings_0

# distinct values in sessions
SELECT count(DISTINCT v) FROM events WINDOW ASSIGN SESSION(ts, '5 minutes')
----
Windowed query at line 1, column 1
  assigner:           SESSION(ts, INTERVAL 5 MINUTE)
  trigger:            EVENT_TIME(), the default
  a firing returns:   one row of keys and aggregates
  strategy:           winsql's operator with one accumulator per aggregate and window
  because:            winsql has every accumulator
  not by Spark alone: DISTINCT over session_window() can count a value of one session twice
  keys:               none: all rows are one group
  time:               ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   accumulators of count(DISTINCT v)
  engine:             the per-row operator: an aggregate (CountDistinct) has no columnar form; rows are shuffled and sorted in packs
  reads:
    SELECT v AS value0, ts AS time
    FROM events

SQL handed to Spark:
SELECT aggregate_0 AS `count(DISTINCT v)` FROM firings_0

# a window over a window
SELECT max(total) FROM (SELECT k, window_time AS at, sum(v) AS total FROM events WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) WINDOW ASSIGN COUNT(24, time => at)
----
Windowed query at line 1, column 25
  assigner:         TUMBLING(ts, INTERVAL 1 HOUR)
  trigger:          EVENT_TIME(), the default
  a firing returns: one row of keys and aggregates
  strategy:         Spark's window()
  because:          default trigger, no evictor, and on a bounded table nothing is late: Spark's aggregation gives the same rows
  keys:             k STRING
  time:             ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window: one aggregation buffer per key and window, kept by Spark

Windowed query at line 1, column 1
  assigner:           COUNT(24, time => at)
  trigger:            PURGING(COUNT(24)), the default
  a firing returns:   one row of keys and aggregates
  strategy:           winsql's operator with one accumulator per aggregate and window
  because:            winsql has every accumulator
  not by Spark alone: Spark has no COUNT windows
  keys:               none: all rows are one group
  time:               at TIMESTAMP orders the rows, NULL first
  state per window:   accumulators of max(total)
  engine:             columnar: many rows at once; rows are shuffled and sorted in packs
  reads:
    SELECT total AS value0, at AS time
    FROM (SELECT key_0 AS `k`, window_time AS at, aggregate_0 AS total FROM (
    SELECT key_0, aggregate_0, window.start AS window_start, window.`end` AS window_end, timestampadd(MICROSECOND, -1, window.`end`) AS window_time, 0L AS pane_index, 'ON_TIME' AS pane_timing
    FROM (
    SELECT k AS key_0, sum(v) AS aggregate_0, window(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL), '3600000000 microseconds', '3600000000 microseconds', '0 microseconds') AS window
    FROM events
    GROUP BY k, window(nvl2(ts, greatest(least(ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL), '3600000000 microseconds', '3600000000 microseconds', '0 microseconds')
    )
    ))

SQL handed to Spark:
SELECT aggregate_0 AS `max(total)` FROM firings_1

# not a windowed query
SELECT k, count(*) FROM events GROUP BY k
----
no windowed query: the statement reaches Spark as it is

# windows that overlap much
SELECT k, max(v) FROM events WINDOW ASSIGN SLIDING(ts, '1 hour', '1 minute') GROUP BY k
----
Windowed query at line 1, column 1
  assigner:         SLIDING(ts, INTERVAL 1 HOUR, INTERVAL 1 MINUTE)
  trigger:          EVENT_TIME(), the default
  a firing returns: one row of keys and aggregates
  strategy:         winsql's operator with one accumulator per aggregate and window
  because:          a row is in up to 60 windows, and winsql adds it to one slice of them; Spark would to each window
  keys:             k STRING
  time:             ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window: accumulators of max(v)
  engine:           columnar: many rows at once; rows are shuffled and sorted in packs
  reads:
    SELECT k AS key_0, v AS value0, ts AS time
    FROM events

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS `max(v)` FROM firings_0

# session
SELECT k, max(v) FROM events WINDOW ASSIGN SESSION(ts, '30 minutes') GROUP BY k
----
Windowed query at line 1, column 1
  assigner:         SESSION(ts, INTERVAL 30 MINUTE)
  trigger:          EVENT_TIME(), the default
  a firing returns: one row of keys and aggregates
  strategy:         winsql's operator with one accumulator per aggregate and window
  because:          winsql finds the sessions of many keys at once, in packs of sorted rows; Spark sorts and merges row by row
  keys:             k STRING
  time:             ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window: accumulators of max(v)
  engine:           columnar: many rows at once; rows are shuffled and sorted in packs
  reads:
    SELECT k AS key_0, v AS value0, ts AS time
    FROM events

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS `max(v)` FROM firings_0

# session with a gap per row
SELECT k, max(v) FROM events WINDOW ASSIGN SESSION(ts, MAKE_DT_INTERVAL(0, 0, 0, seconds)) GROUP BY k
----
Windowed query at line 1, column 1
  assigner:         SESSION(ts, MAKE_DT_INTERVAL(0, 0, 0, seconds))
  trigger:          EVENT_TIME(), the default
  a firing returns: one row of keys and aggregates
  strategy:         winsql's operator with one accumulator per aggregate and window
  because:          winsql finds the sessions of many keys at once, in packs of sorted rows; Spark sorts and merges row by row
  keys:             k STRING
  time:             ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window: accumulators of max(v)
  engine:           columnar: many rows at once; rows are shuffled and sorted in packs
  reads:
    SELECT k AS key_0, MAKE_DT_INTERVAL(0, 0, 0, seconds) AS operand0, v AS value0, ts AS time
    FROM events

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS `max(v)` FROM firings_0
