# inner join
SELECT x.k, y.v, window_start FROM events x WINDOW JOIN events y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour', '15 minutes')
----
Windowed query at line 1, column 1
  join:             INNER WINDOW JOIN
  left:             x: events
  right:            y: events
  condition:        x.k = y.k
  assigner:         TUMBLING((x.ts, y.ts), INTERVAL 1 HOUR, INTERVAL 15 MINUTE)
  trigger:          EVENT_TIME(), the default
  a firing returns: the pairs of rows of both sides that match
  strategy:         Spark's join on keys and windows
  because:          default trigger, no evictor, and on a bounded table nothing is late: a join of Spark's on keys and windows gives the same rows
  keys:             x.k = y.k STRING
  time:             (x.ts, y.ts) TIMESTAMP; rows where it is NULL are left out and counted
  state per window: what Spark's join keeps

SQL handed to Spark:
SELECT x.k, y.v, window_start AS `window_start` FROM (events AS x CROSS JOIN LATERAL (SELECT unix_micros(nvl2(x.ts, greatest(least(x.ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - pmod(unix_micros(nvl2(x.ts, greatest(least(x.ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - 900000000L, 3600000000L) AS left_window)) JOIN (events AS y CROSS JOIN LATERAL (SELECT unix_micros(nvl2(y.ts, greatest(least(y.ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - pmod(unix_micros(nvl2(y.ts, greatest(least(y.ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - 900000000L, 3600000000L) AS right_window)) ON (x.k = y.k) AND left_window = right_window
CROSS JOIN LATERAL (SELECT timestamp_micros(left_window) AS window_start, timestamp_micros(left_window + 3600000000L) AS window_end, timestamp_micros(left_window + 3600000000L - 1L) AS window_time, 0L AS pane_index, 'ON_TIME' AS pane_timing)

# full join with a residual condition in sliding windows
SELECT x.k, `the other`.* FROM events x FULL WINDOW JOIN (SELECT * FROM events WHERE v > 0) AS `the other` ON x.k = `the other`.k AND x.v < `the other`.v WINDOW ASSIGN SLIDING((x.ts, `the other`.ts), '1 hour', '10 minutes')
----
Windowed query at line 1, column 1
  join:             FULL WINDOW JOIN
  left:             x: events
  right:            `the other`: (SELECT * FROM events WHERE v > 0)
  condition:        x.k = `the other`.k AND x.v < `the other`.v
  assigner:         SLIDING((x.ts, `the other`.ts), INTERVAL 1 HOUR, INTERVAL 10 MINUTE)
  trigger:          EVENT_TIME(), the default
  a firing returns: the pairs of rows that match, and the rows of both sides without a match
  strategy:         Spark's join on keys and windows
  because:          default trigger, no evictor, and on a bounded table nothing is late: a join of Spark's on keys and windows gives the same rows
  keys:             x.k = `the other`.k STRING
  time:             (x.ts, `the other`.ts) TIMESTAMP; rows where it is NULL are left out and counted
  state per window: what Spark's join keeps

SQL handed to Spark:
SELECT x.k, `the other`.* FROM (events AS x CROSS JOIN LATERAL explode(sequence(unix_micros(nvl2(x.ts, greatest(least(x.ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - pmod(unix_micros(nvl2(x.ts, greatest(least(x.ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)), 600000000L), (unix_micros(nvl2(x.ts, greatest(least(x.ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - 3600000000L) - pmod((unix_micros(nvl2(x.ts, greatest(least(x.ts, TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - 3600000000L), 600000000L) + 600000000L, -600000000L)) AS left_window_list(left_window)) FULL JOIN ((SELECT * FROM events WHERE v > 0) AS `the other` CROSS JOIN LATERAL explode(sequence(unix_micros(nvl2((`the other`.ts), greatest(least((`the other`.ts), TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - pmod(unix_micros(nvl2((`the other`.ts), greatest(least((`the other`.ts), TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)), 600000000L), (unix_micros(nvl2((`the other`.ts), greatest(least((`the other`.ts), TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - 3600000000L) - pmod((unix_micros(nvl2((`the other`.ts), greatest(least((`the other`.ts), TIMESTAMP_LTZ'100000-01-01 00:00:00Z'), TIMESTAMP_LTZ'-100000-01-01 00:00:00Z'), NULL)) - 3600000000L), 600000000L) + 600000000L, -600000000L)) AS right_window_list(right_window)) ON (x.k = `the other`.k AND x.v < `the other`.v) AND left_window = right_window
CROSS JOIN LATERAL (SELECT timestamp_micros(coalesce(left_window, right_window)) AS window_start, timestamp_micros(coalesce(left_window, right_window) + 3600000000L) AS window_end, timestamp_micros(coalesce(left_window, right_window) + 3600000000L - 1L) AS window_time, 0L AS pane_index, 'ON_TIME' AS pane_timing)

# anti join in cumulating windows of dates
SELECT x.* FROM events x ANTI WINDOW JOIN events y ON x.k = y.k WINDOW ASSIGN CUMULATING((x.day, y.day), '4 days', '1 day')
----
Windowed query at line 1, column 1
  join:             ANTI WINDOW JOIN
  left:             x: events
  right:            y: events
  condition:        x.k = y.k
  assigner:         CUMULATING((x.day, y.day), INTERVAL 4 DAY, INTERVAL 1 DAY)
  trigger:          EVENT_TIME(), the default
  a firing returns: the rows of the left side without a match
  strategy:         Spark's join on keys and windows
  because:          default trigger, no evictor, and on a bounded table nothing is late: a join of Spark's on keys and windows gives the same rows
  keys:             x.k = y.k STRING
  time:             (x.day, y.day) DATE; rows where it is NULL are left out and counted
  state per window: what Spark's join keeps

SQL handed to Spark:
SELECT x.* FROM (events AS x CROSS JOIN LATERAL explode(sequence((((CAST(nvl2(x.day, greatest(least(x.day, DATE'100000-01-01'), DATE'-100000-01-01'), NULL) AS TIMESTAMP_NTZ)) - TIMESTAMP_NTZ'1970-01-01 00:00:00') div INTERVAL '0.000001' SECOND) - pmod((((CAST(nvl2(x.day, greatest(least(x.day, DATE'100000-01-01'), DATE'-100000-01-01'), NULL) AS TIMESTAMP_NTZ)) - TIMESTAMP_NTZ'1970-01-01 00:00:00') div INTERVAL '0.000001' SECOND), 86400000000L) + 86400000000L, (((CAST(nvl2(x.day, greatest(least(x.day, DATE'100000-01-01'), DATE'-100000-01-01'), NULL) AS TIMESTAMP_NTZ)) - TIMESTAMP_NTZ'1970-01-01 00:00:00') div INTERVAL '0.000001' SECOND) - pmod((((CAST(nvl2(x.day, greatest(least(x.day, DATE'100000-01-01'), DATE'-100000-01-01'), NULL) AS TIMESTAMP_NTZ)) - TIMESTAMP_NTZ'1970-01-01 00:00:00') div INTERVAL '0.000001' SECOND), 345600000000L) + 345600000000L, 86400000000L)) AS left_window_list(left_window)) LEFT ANTI JOIN (events AS y CROSS JOIN LATERAL explode(sequence((((CAST(nvl2(y.day, greatest(least(y.day, DATE'100000-01-01'), DATE'-100000-01-01'), NULL) AS TIMESTAMP_NTZ)) - TIMESTAMP_NTZ'1970-01-01 00:00:00') div INTERVAL '0.000001' SECOND) - pmod((((CAST(nvl2(y.day, greatest(least(y.day, DATE'100000-01-01'), DATE'-100000-01-01'), NULL) AS TIMESTAMP_NTZ)) - TIMESTAMP_NTZ'1970-01-01 00:00:00') div INTERVAL '0.000001' SECOND), 86400000000L) + 86400000000L, (((CAST(nvl2(y.day, greatest(least(y.day, DATE'100000-01-01'), DATE'-100000-01-01'), NULL) AS TIMESTAMP_NTZ)) - TIMESTAMP_NTZ'1970-01-01 00:00:00') div INTERVAL '0.000001' SECOND) - pmod((((CAST(nvl2(y.day, greatest(least(y.day, DATE'100000-01-01'), DATE'-100000-01-01'), NULL) AS TIMESTAMP_NTZ)) - TIMESTAMP_NTZ'1970-01-01 00:00:00') div INTERVAL '0.000001' SECOND), 345600000000L) + 345600000000L, 86400000000L)) AS right_window_list(right_window)) ON (x.k = y.k) AND left_window = right_window
CROSS JOIN LATERAL (SELECT timestampadd(MICROSECOND, left_window - 1L - pmod(left_window - 1L, 345600000000L), TIMESTAMP_NTZ'1970-01-01 00:00:00') AS window_start, timestampadd(MICROSECOND, left_window, TIMESTAMP_NTZ'1970-01-01 00:00:00') AS window_end, timestampadd(MICROSECOND, left_window - 1L, TIMESTAMP_NTZ'1970-01-01 00:00:00') AS window_time, 0L AS pane_index, 'ON_TIME' AS pane_timing)

# inner join in sessions
SELECT x.v, y.v AS w FROM events x WINDOW JOIN events y ON x.k = y.k WINDOW ASSIGN SESSION((x.ts, y.ts), '10 minutes')
----
Windowed query at line 1, column 1
  join:               INNER WINDOW JOIN
  left:               x: events
  right:              y: events
  condition:          x.k = y.k
  assigner:           SESSION((x.ts, y.ts), INTERVAL 10 MINUTE)
  trigger:            EVENT_TIME(), the default
  a firing returns:   the pairs of rows of both sides that match
  strategy:           winsql's operator over both inputs, handing out the rows of each side
  because:            each firing hands out the rows of both sides, and Spark pairs them
  not by Spark alone: Spark has no sessions over two inputs
  keys:               x.k = y.k STRING
  time:               (x.ts, y.ts) TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   rows: event time and operands in the operator, the other columns as Arrow batches beside it
  engine:             the per-row operator: SESSION that keeps rows has no columnar form; rows are shuffled and sorted in packs
  reads:
    SELECT join_key_0 AS key_0, side AS side, x AS left, y AS right, join_time AS time
    FROM (SELECT 0 AS side, x.ts AS join_time, x.k AS join_key_0, struct(x.*) AS x, NULL AS y FROM events AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM events AS y)

SQL handed to Spark:
SELECT x.v, y.v AS w FROM firings_0 AS firings LATERAL VIEW inline(left) x LATERAL VIEW inline(CASE WHEN key_0 IS NOT NULL THEN right END) y

# full join with a trigger and an evictor
SELECT x.v, y.v AS w, pane_index FROM events x FULL WINDOW JOIN events y ON x.k = y.k AND x.v < y.v WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') TRIGGER COUNT(3) EVICT DELTA(coalesce(x.x, y.x), 2.5)
----
Windowed query at line 1, column 1
  join:               FULL WINDOW JOIN
  left:               x: events
  right:              y: events
  condition:          x.k = y.k AND x.v < y.v
  assigner:           TUMBLING((x.ts, y.ts), INTERVAL 1 HOUR)
  trigger:            COUNT(3)
  evictor:            DELTA(coalesce(x.x, y.x), 2.5) before each firing
  a firing returns:   the pairs of rows that match, and the rows of both sides without a match
  strategy:           winsql's operator over both inputs, handing out the rows of each side
  because:            each firing hands out the rows of both sides, and Spark pairs them
  not by Spark alone: Spark has no COUNT trigger
  keys:               x.k = y.k STRING
  time:               (x.ts, y.ts) TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   rows: event time and operands in the operator, the other columns as Arrow batches beside it
  engine:             columnar: many rows at once; rows are shuffled and sorted in packs
  reads:
    SELECT join_key_0 AS key_0, coalesce(x.x, y.x) AS operand0, side AS side, x AS left, y AS right, join_time AS time
    FROM (SELECT 0 AS side, x.ts AS join_time, x.k AS join_key_0, struct(x.*) AS x, NULL AS y FROM events AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM events AS y)

SQL handed to Spark:
SELECT x.v, y.v AS w, pane_index AS `pane_index` FROM firings_0 AS firings LATERAL VIEW inline(concat(transform(left, x -> struct(x AS match_left, filter(right, y -> (x.k = y.k AND x.v < y.v)) AS match_right)), filter(array(struct(get(left, -1) AS match_left, filter(right, y -> NOT exists(left, x -> coalesce(x.k = y.k AND x.v < y.v, false))) AS match_right)), match -> size(match.match_right) > 0))) match AS match_left, match_right LATERAL VIEW OUTER inline(match_right) y LATERAL VIEW inline(array(match_left)) x

# co-group
SELECT k, size(left) AS n FROM co_group(TABLE(events) PARTITION BY k, TABLE(SELECT * FROM events) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
Windowed query at line 1, column 32
  join:               co_group
  left:               `left`: events
  right:              `right`: (SELECT * FROM events)
  assigner:           TUMBLING((left.ts, right.ts), INTERVAL 1 HOUR)
  trigger:            EVENT_TIME(), the default
  a firing returns:   the rows of both sides, as one array each
  strategy:           winsql's operator over both inputs, handing out the rows of each side
  because:            each firing hands out the rows of both sides
  not by Spark alone: it returns the rows of both sides, as one array each
  keys:               `left`.k = `right`.k STRING
  time:               (left.ts, right.ts) TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   rows: event time and operands in the operator, the other columns as Arrow batches beside it
  engine:             columnar: many rows at once; rows are shuffled and sorted in packs
  reads:
    SELECT join_key_0 AS key_0, side AS side, `left` AS left, `right` AS right, join_time AS time
    FROM (SELECT 0 AS side, `left`.ts AS join_time, `left`.k AS join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM events AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM (SELECT * FROM events) AS `right`)

SQL handed to Spark:
SELECT k, size(left) AS n FROM (SELECT key_0 AS `k`, window_start AS window_start, window_end AS window_end, left AS `left`, right AS `right` FROM firings_0 )

# left join of streams
SELECT x.v, y.v AS w FROM ticks x LEFT WINDOW JOIN ticks y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 minute') ALLOWED LATENESS '10 seconds'
----
Windowed query at line 1, column 1
  join:               LEFT WINDOW JOIN
  left:               x: ticks
  right:              y: ticks
  condition:          x.k = y.k
  assigner:           TUMBLING((x.ts, y.ts), INTERVAL 1 MINUTE)
  trigger:            EVENT_TIME(), the default
  allowed lateness:   INTERVAL 10 SECOND
  a firing returns:   the pairs of rows that match, and the rows of the left side without a match
  strategy:           winsql's operator over both inputs, handing out the rows of each side
  because:            each firing hands out the rows of both sides, and Spark pairs them
  not by Spark alone: on a stream Spark's windows judge late rows by the watermark of the micro-batch before
  keys:               x.k = y.k BIGINT
  time:               (x.ts, y.ts) TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   rows: event time and operands in the operator, the other columns as Arrow batches beside it
  engine:             columnar: all rows of a micro-batch at once
  watermark:          the smaller one of both sides
  woken by:           the watermark
  key groups:         16, 8 in each shuffle partition, fixed for the life of a checkpoint
  reads:
    SELECT join_key_0 AS key_0, side AS side, x AS left, y AS right, join_time AS time
    FROM (SELECT 0 AS side, x.ts AS join_time, x.k AS join_key_0, struct(x.*) AS x, NULL AS y FROM ticks AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM ticks AS y)

SQL handed to Spark:
SELECT x.v, y.v AS w FROM firings_0 AS firings LATERAL VIEW inline(left) x LATERAL VIEW OUTER inline(CASE WHEN key_0 IS NOT NULL THEN right END) y

# the query of a streaming table
EXPLAIN WINDOW CREATE STREAMING TABLE per_minute OPTIONS (trigger '10 seconds') LATE INTO too_late AS
SELECT k, count(*) AS n FROM ticks WINDOW ASSIGN TUMBLING(ts, '1 minute') GROUP BY k
----
Windowed query at line 2, column 1
  assigner:           TUMBLING(ts, INTERVAL 1 MINUTE)
  trigger:            EVENT_TIME(), the default
  late rows:          into `too_late`
  a firing returns:   one row of keys and aggregates
  strategy:           winsql's operator with one accumulator per aggregate and window
  because:            winsql has every accumulator
  not by Spark alone: on a stream Spark's windows judge late rows by the watermark of the micro-batch before
  keys:               k BIGINT
  time:               ts TIMESTAMP; rows where it is NULL are left out and counted
  state per window:   accumulators of count(*)
  engine:             columnar: all rows of a micro-batch at once
  watermark:          of the relation
  woken by:           the watermark
  key groups:         16, 8 in each shuffle partition, fixed for the life of a checkpoint
  reads:
    SELECT k AS key_0, ts AS time
    FROM ticks

SQL handed to Spark:
SELECT key_0 AS `k`, aggregate_0 AS n FROM firings_0
