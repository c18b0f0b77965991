# a stream with its watermark
SELECT * FROM STREAM a WATERMARK ts DELAY OF INTERVAL 5 SECONDS AS x WINDOW JOIN STREAM b WATERMARK date_trunc('hour', ts) AS h DELAY OF INTERVAL '0 00:05' DAY TO MINUTE ON x.k = b.k WINDOW ASSIGN TUMBLING((x.ts, b.h), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, x.ts AS windowed__join_time, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS b FROM STREAM a WATERMARK ts DELAY OF INTERVAL 5 SECONDS AS x UNION ALL SELECT 1, b.h, b.k, NULL, struct(b.*) FROM STREAM b WATERMARK date_trunc('hour', ts) AS h DELAY OF INTERVAL '0 00:05' DAY TO MINUTE AS b)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = b
--   join INNER
--     x at x.ts: STREAM a WATERMARK ts DELAY OF INTERVAL 5 SECONDS
--     b at b.h: STREAM b WATERMARK date_trunc('hour', ts) AS h DELAY OF INTERVAL '0 00:05' DAY TO MINUTE
--     x.k = b.k
--     on x.k = b.k
SELECT x.*, b.* FROM r0

# subqueries, inline tables and functions
SELECT * FROM (SELECT * FROM a JOIN c USING (k)) x WINDOW JOIN VALUES (1, TIMESTAMP '2020-01-01'), (2, NULL) AS y(k, ts) ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, x.ts AS windowed__join_time, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM (SELECT * FROM a JOIN c USING (k)) AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM (SELECT * FROM VALUES (1, TIMESTAMP '2020-01-01'), (2, NULL) AS y(k, ts)) AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join INNER
--     x at x.ts: (SELECT * FROM a JOIN c USING (k))
--     y at y.ts: (SELECT * FROM VALUES (1, TIMESTAMP '2020-01-01'), (2, NULL) AS y(k, ts))
--     x.k = y.k
--     on x.k = y.k
SELECT x.*, y.* FROM r0

# a table function and a relation in brackets
SELECT * FROM range(5) AS x WINDOW JOIN (b JOIN c ON b.k = c.k) AS y ON x.id = y.k WINDOW ASSIGN TUMBLING((current_timestamp(), y.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, current_timestamp() AS windowed__join_time, x.id AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM range(5) AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM (b JOIN c ON b.k = c.k) AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join INNER
--     x at current_timestamp(): range(5)
--     y at y.ts: (b JOIN c ON b.k = c.k)
--     x.id = y.k
--     on x.id = y.k
SELECT x.*, y.* FROM r0

# what may stand between a table and its alias
SELECT * FROM a VERSION AS OF 3 TABLESAMPLE (10 PERCENT) REPEATABLE (7) x WINDOW JOIN db.b TIMESTAMP AS OF current_date() - INTERVAL 2 DAYS AS y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, x.ts AS windowed__join_time, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM a VERSION AS OF 3 TABLESAMPLE (10 PERCENT) REPEATABLE (7) AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM db.b TIMESTAMP AS OF current_date() - INTERVAL 2 DAYS AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join INNER
--     x at x.ts: a VERSION AS OF 3 TABLESAMPLE (10 PERCENT) REPEATABLE (7)
--     y at y.ts: db.b TIMESTAMP AS OF current_date() - INTERVAL 2 DAYS
--     x.k = y.k
--     on x.k = y.k
SELECT x.*, y.* FROM r0

# options and samples
SELECT * FROM a FOR SYSTEM_TIME AS OF '2020-01-01' WITH ('split-size' = 5) WINDOW JOIN b TABLESAMPLE (BUCKET 1 OUT OF 4) ON a.k = b.k WINDOW ASSIGN TUMBLING((a.ts, b.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, a.ts AS windowed__join_time, a.k AS windowed__join_key_0, struct(a.*) AS a, NULL AS b FROM a FOR SYSTEM_TIME AS OF '2020-01-01' WITH ('split-size' = 5) AS a UNION ALL SELECT 1, b.ts, b.k, NULL, struct(b.*) FROM b TABLESAMPLE (BUCKET 1 OUT OF 4) AS b)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = a
--   windowed__right = b
--   join INNER
--     a at a.ts: a FOR SYSTEM_TIME AS OF '2020-01-01' WITH ('split-size' = 5)
--     b at b.ts: b TABLESAMPLE (BUCKET 1 OUT OF 4)
--     a.k = b.k
--     on a.k = b.k
SELECT a.*, b.* FROM r0

# words that are names here
SELECT * FROM stream AS version WINDOW JOIN db.watermark ON version.k = watermark.k WINDOW ASSIGN TUMBLING((version.ts, watermark.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, version.ts AS windowed__join_time, version.k AS windowed__join_key_0, struct(version.*) AS version, NULL AS watermark FROM stream AS version UNION ALL SELECT 1, watermark.ts, watermark.k, NULL, struct(watermark.*) FROM db.watermark AS watermark)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = version
--   windowed__right = watermark
--   join INNER
--     version at version.ts: stream
--     watermark at watermark.ts: db.watermark
--     version.k = watermark.k
--     on version.k = watermark.k
SELECT version.*, watermark.* FROM r0

# windowed queries on both sides
SELECT * FROM (SELECT k, sum(v) AS s, window_time AS ts FROM a WINDOW ASSIGN TUMBLING(ts, '1 minute') GROUP BY k) x WINDOW JOIN (SELECT b.k, c.ts FROM b WINDOW JOIN c ON b.k = c.k WINDOW ASSIGN TUMBLING((b.ts, c.ts), '1 minute')) y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
-- r0: AGGREGATE
--   source   a
--   windowed__key_0 = k
--   windowed__aggregate_0 = sum(v) [SUM: v]
-- r1: JOIN
--   source   (SELECT 0 AS windowed__side, b.ts AS windowed__join_time, b.k AS windowed__join_key_0, struct(b.*) AS b, NULL AS c FROM b AS b UNION ALL SELECT 1, c.ts, c.k, NULL, struct(c.*) FROM c AS c)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = b
--   windowed__right = c
--   join INNER
--     b at b.ts: b
--     c at c.ts: c
--     b.k = c.k
--     on b.k = c.k
-- r2: JOIN
--   source   (SELECT 0 AS windowed__side, x.ts AS windowed__join_time, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM (SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS s, windowed__window_time AS ts FROM r0) AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM (SELECT b.k, c.ts FROM r1) AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join INNER
--     x at x.ts: (SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS s, windowed__window_time AS ts FROM r0)
--     y at y.ts: (SELECT b.k, c.ts FROM r1)
--     x.k = y.k
--     on x.k = y.k
SELECT x.*, y.* FROM r2

# CTEs
WITH a AS (SELECT * FROM t), j AS (SELECT a.k, b.v FROM a WINDOW JOIN b ON a.k = b.k WINDOW ASSIGN TUMBLING((a.ts, b.ts), '1 hour')) SELECT * FROM j
----
-- r0: JOIN
--   context  WITH a AS (SELECT * FROM t)
--   source   (SELECT 0 AS windowed__side, a.ts AS windowed__join_time, a.k AS windowed__join_key_0, struct(a.*) AS a, NULL AS b FROM a AS a UNION ALL SELECT 1, b.ts, b.k, NULL, struct(b.*) FROM b AS b)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = a
--   windowed__right = b
--   join INNER
--     a at a.ts: a
--     b at b.ts: b
--     a.k = b.k
--     on a.k = b.k
WITH a AS (SELECT * FROM t), j AS (SELECT a.k, b.v FROM r0) SELECT * FROM j

# positional parameters
SELECT x.k, ? AS c FROM (SELECT * FROM a WHERE v > ?) x WINDOW JOIN b y ON x.k = y.k AND y.v > ? WINDOW ASSIGN TUMBLING((x.ts + ?, y.ts), '1 hour') WHERE x.v < ?
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, x.ts + :windowed__p3 AS windowed__join_time, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM (SELECT * FROM a WHERE v > :windowed__p1) AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM b AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join INNER
--     x at x.ts + :windowed__p3: (SELECT * FROM a WHERE v > :windowed__p1)
--     y at y.ts: b
--     x.k = y.k
--     on x.k = y.k AND y.v > :windowed__p2
SELECT x.k, :windowed__p0 AS c FROM r0 WHERE x.v < :windowed__p4

# two joins in one statement
SELECT x.k FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') UNION ALL SELECT x.k FROM a x SEMI WINDOW JOIN c y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, x.ts AS windowed__join_time, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM a AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM b AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join INNER
--     x at x.ts: a
--     y at y.ts: b
--     x.k = y.k
--     on x.k = y.k
-- r1: JOIN
--   source   (SELECT 0 AS windowed__side, x.ts AS windowed__join_time, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM a AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM c AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join SEMI
--     x at x.ts: a
--     y at y.ts: c
--     x.k = y.k
--     on x.k = y.k
SELECT x.k FROM r0 UNION ALL SELECT x.k FROM r1
