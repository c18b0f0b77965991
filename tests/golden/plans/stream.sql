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
  engine:             columnar: all rows of a micro-batch at once
  watermark:          of the relation
  woken by:           the watermark
  key groups:         16, fixed for the life of a checkpoint
  reads:
    SELECT k AS __winsql_key_0, v AS __winsql_value0, ts AS __winsql_time
    FROM ticks

SQL handed to Spark:
SELECT __winsql_key_0 AS `k`, __winsql_aggregate_0 AS total FROM __winsql_relation0

# a window without a columnar form
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
  engine:             the per-row operator: SESSION has no columnar form
  watermark:          of the relation
  woken by:           the watermark
  key groups:         16, fixed for the life of a checkpoint
  reads:
    SELECT k AS __winsql_key_0, v AS __winsql_value0, ts AS __winsql_time
    FROM ticks

SQL handed to Spark:
SELECT __winsql_key_0 AS `k`, __winsql_aggregate_0 AS total FROM __winsql_relation0

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
  key groups:         16, fixed for the life of a checkpoint
  state TTL:          INTERVAL 1 DAY
  reads:
    SELECT k AS __winsql_key_0, v AS __winsql_value0, ts AS __winsql_time
    FROM ticks

SQL handed to Spark:
SELECT __winsql_key_0 AS `k`, __winsql_aggregate_0 AS total FROM __winsql_relation0
