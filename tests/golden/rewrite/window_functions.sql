# the forms of a call
SELECT * FROM TABLE(TUMBLE(TABLE Bid, DESCRIPTOR(bidtime), INTERVAL '10' MINUTES)) AS b,
  HOP(DATA => TABLE db.`my bids`, TIMECOL => DESCRIPTOR(`ts`), SLIDE => INTERVAL '5' MINUTES, SIZE => INTERVAL '10' MINUTES)
----
-- r0: WINDOWED
--   source   Bid
--   windowed__row = struct(*)
-- r1: WINDOWED
--   source   db.`my bids`
--   windowed__row = struct(*)
SELECT * FROM (SELECT * FROM r0 ) AS b,
  (SELECT * FROM r1 )

# a stream with its watermark, and a session's keys
SELECT * FROM TABLE(SESSION(
  TABLE(STREAM Bid WATERMARK ts DELAY OF INTERVAL 1 SECOND) PARTITION BY (item, supplier), DESCRIPTOR(ts), INTERVAL '5' MINUTES))
----
-- r0: WINDOWED
--   source   STREAM Bid WATERMARK ts DELAY OF INTERVAL 1 SECOND
--   windowed__key_0 = item
--   windowed__key_1 = supplier
--   windowed__row = struct(*)
SELECT * FROM (SELECT * FROM r0 )

# one key without brackets, the clock
SELECT * FROM SESSION(TABLE Bid PARTITION BY item, DESCRIPTOR(PROCTIME()), GAP => INTERVAL '5' MINUTES)
----
-- r0: WINDOWED
--   source   Bid
--   windowed__key_0 = item
--   windowed__row = struct(*)
SELECT * FROM (SELECT * FROM r0 )

# a function over a function
WITH w AS (SELECT * FROM t WHERE a > ?)
SELECT window_start, count(*) FROM TABLE(TUMBLE(TABLE(TUMBLE(TABLE w, DESCRIPTOR(ts), '1 minute')), DESCRIPTOR(window_time), '1 hour')) GROUP BY ALL
----
-- r0: WINDOWED
--   context  WITH w AS (SELECT * FROM t WHERE a > :windowed__p0)
--   source   w
--   windowed__row = struct(*)
-- r1: WINDOWED
--   context  WITH w AS (SELECT * FROM t WHERE a > :windowed__p0)
--   source   (SELECT * FROM r0 )
--   windowed__row = struct(*)
WITH w AS (SELECT * FROM t WHERE a > :windowed__p0)
SELECT window_start, count(*) FROM (SELECT * FROM r1 ) GROUP BY ALL

# a windowed SELECT inside, and one outside
SELECT k, sum(s) FROM TABLE(TUMBLE(TABLE(SELECT k, sum(v) AS s FROM t WINDOW ASSIGN TUMBLING(ts, '1 minute') GROUP BY k), DESCRIPTOR(at), '1 hour'))
WINDOW ASSIGN COUNT(3) GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = sum(v) [SUM: v]
-- r1: WINDOWED
--   source   (SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS s FROM r0)
--   windowed__row = struct(*)
-- r2: AGGREGATE
--   source   (SELECT * FROM r1 )
--   windowed__key_0 = k
--   windowed__aggregate_0 = sum(s) [SUM: s]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `sum(s)` FROM r2

# other functions of these names
SELECT session(TABLE), tumble(a, b), hop(x) FROM cumulate(1, 2) JOIN s.tumble(TABLE(t), DESCRIPTOR(a)) JOIN TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')
----
-- r0: WINDOWED
--   source   t
--   windowed__row = struct(*)
SELECT session(TABLE), tumble(a, b), hop(x) FROM cumulate(1, 2) JOIN s.tumble(TABLE(t), DESCRIPTOR(a)) JOIN (SELECT * FROM r0 )
