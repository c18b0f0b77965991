# a CTE that reads another
WITH a AS (SELECT k, count(*) AS n, window_time FROM t WINDOW ASSIGN TUMBLING(ts, '1 minute') GROUP BY k), b (x) AS (SELECT n FROM a), c AS (SELECT max(n) AS m, sum(x) FROM a, b WINDOW ASSIGN TUMBLING(window_time, '1 hour')) SELECT * FROM c
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
-- r1: AGGREGATE
--   context  WITH a AS (SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS n, windowed__window_time AS `window_time` FROM r0), b (x) AS (SELECT n FROM a)
--   source   a, b
--   windowed__aggregate_0 = max(n) [MAX: n]
--   windowed__aggregate_1 = sum(x) [SUM: x]
WITH a AS (SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS n, windowed__window_time AS `window_time` FROM r0), b (x) AS (SELECT n FROM a), c AS (SELECT windowed__aggregate_0 AS m, windowed__aggregate_1 AS `sum(x)` FROM r1) SELECT * FROM c

# CTEs at several levels
WITH a AS (SELECT 1 AS x) SELECT * FROM (WITH b AS (SELECT 2 AS y) SELECT count(*) FROM a, b, t WINDOW ASSIGN TUMBLING(ts, '1 hour')) q, (SELECT max(v) FROM a, t WINDOW ASSIGN TUMBLING(ts, '1 hour')) r
----
-- r0: AGGREGATE
--   context  WITH a AS (SELECT 1 AS x), b AS (SELECT 2 AS y)
--   source   a, b, t
--   windowed__aggregate_0 = count(*) [COUNT: ]
-- r1: AGGREGATE
--   context  WITH a AS (SELECT 1 AS x)
--   source   a, t
--   windowed__aggregate_0 = max(v) [MAX: v]
WITH a AS (SELECT 1 AS x) SELECT * FROM (WITH b AS (SELECT 2 AS y) SELECT windowed__aggregate_0 AS `count(1)` FROM r0) q, (SELECT windowed__aggregate_0 AS `max(v)` FROM r1) r

# a CTE that hides another of its name
WITH a AS (SELECT 1 AS x), b AS (SELECT * FROM a) SELECT * FROM (WITH a AS (SELECT x + 1 AS x FROM a) SELECT count(*) FROM a, b, t WINDOW ASSIGN TUMBLING(ts, '1 hour'))
----
-- r0: AGGREGATE
--   context  WITH a AS ((WITH a AS (SELECT 1 AS x), b AS (SELECT * FROM a) (SELECT x + 1 AS x FROM a))), b AS ((WITH a AS (SELECT 1 AS x) (SELECT * FROM a)))
--   source   a, b, t
--   windowed__aggregate_0 = count(*) [COUNT: ]
WITH a AS (SELECT 1 AS x), b AS (SELECT * FROM a) SELECT * FROM (WITH a AS (SELECT x + 1 AS x FROM a) SELECT windowed__aggregate_0 AS `count(1)` FROM r0)

# recursive CTEs stay recursive
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i, count(*) FROM t, n WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY i
----
-- r0: AGGREGATE
--   context  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9)
--   source   t, n
--   windowed__key_0 = i
--   windowed__aggregate_0 = count(*) [COUNT: ]
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT windowed__key_0 AS `i`, windowed__aggregate_0 AS `count(1)` FROM r0

# recursive and other CTEs
WITH RECURSIVE n MAX RECURSION LEVEL 9 AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT * FROM (WITH m AS (SELECT max(i) AS i FROM n) SELECT i, count(*) FROM t, m WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY i)
----
-- r0: AGGREGATE
--   context  WITH RECURSIVE n MAX RECURSION LEVEL 9 AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9), m AS (SELECT max(i) AS i FROM n)
--   source   t, m
--   windowed__key_0 = i
--   windowed__aggregate_0 = count(*) [COUNT: ]
WITH RECURSIVE n MAX RECURSION LEVEL 9 AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT * FROM (WITH m AS (SELECT max(i) AS i FROM n) SELECT windowed__key_0 AS `i`, windowed__aggregate_0 AS `count(1)` FROM r0)

# a recursive CTE that an inner one hides
WITH RECURSIVE n MAX RECURSION LEVEL 9 AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9), o AS (SELECT * FROM n) SELECT * FROM (WITH n AS (SELECT max(i) AS i FROM n) SELECT n.i, count(*) FROM t, n, o WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY n.i)
----
-- r0: AGGREGATE
--   context  WITH n AS ((WITH RECURSIVE n MAX RECURSION LEVEL 9 AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9), o AS (SELECT * FROM n) (SELECT max(i) AS i FROM n))), o AS ((WITH RECURSIVE n MAX RECURSION LEVEL 9 AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) (SELECT * FROM n)))
--   source   t, n, o
--   windowed__key_0 = n.i
--   windowed__aggregate_0 = count(*) [COUNT: ]
WITH RECURSIVE n MAX RECURSION LEVEL 9 AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9), o AS (SELECT * FROM n) SELECT * FROM (WITH n AS (SELECT max(i) AS i FROM n) SELECT windowed__key_0 AS `i`, windowed__aggregate_0 AS `count(1)` FROM r0)

# branches of set operations
(SELECT k, count(*) FROM a WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) UNION ALL SELECT k, n FROM b EXCEPT SELECT k, sum(v) FROM c WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k ORDER BY k LIMIT 3
----
-- r0: AGGREGATE
--   source   a
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
-- r1: AGGREGATE
--   source   c
--   windowed__key_0 = k
--   windowed__aggregate_0 = sum(v) [SUM: v]
(SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `count(1)` FROM r0) UNION ALL SELECT k, n FROM b EXCEPT SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `sum(v)` FROM r1 ORDER BY k LIMIT 3

# a join of two windowed subqueries
SELECT * FROM (SELECT k, window_start, count(*) n FROM a WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) x JOIN (SELECT k, window_start, count(*) m FROM b WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) y USING (k, window_start)
----
-- r0: AGGREGATE
--   source   a
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
-- r1: AGGREGATE
--   source   b
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT * FROM (SELECT windowed__key_0 AS `k`, windowed__window_start AS `window_start`, windowed__aggregate_0 AS n FROM r0) x JOIN (SELECT windowed__key_0 AS `k`, windowed__window_start AS `window_start`, windowed__aggregate_0 AS m FROM r1) y USING (k, window_start)

# everything around stays as it is
/* a WINDOW ASSIGN in a comment */ WITH  x AS -- one
 ( SELECT 'WINDOW ASSIGN TUMBLING(ts)' AS s, "t" AS t )  /* no hint */
SELECT   `a`,  count( * )   -- two
  FROM   x  /* three */ , y
 WINDOW  ASSIGN /* four */ TUMBLING ( ts , '1 hour' )
  GROUP BY a -- five
 ;
----
-- r0: AGGREGATE
--   context  WITH x AS -- one
 ( SELECT 'WINDOW ASSIGN TUMBLING(ts)' AS s, "t" AS t )
--   source   x  /* three */ , y
--   windowed__key_0 = a
--   windowed__aggregate_0 = count( * ) [COUNT: ]
/* a WINDOW ASSIGN in a comment */ WITH  x AS -- one
 ( SELECT 'WINDOW ASSIGN TUMBLING(ts)' AS s, "t" AS t )  /* no hint */
SELECT windowed__key_0 AS `a`, windowed__aggregate_0 AS `count(1)` FROM r0 -- five
 ;

# CREATE VIEW
CREATE OR REPLACE GLOBAL TEMPORARY VIEW v (a COMMENT 'x', b) COMMENT 'y' AS SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
CREATE OR REPLACE GLOBAL TEMPORARY VIEW v (a COMMENT 'x', b) COMMENT 'y' AS SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `count(1)` FROM r0

# CREATE TABLE AS
CREATE TABLE db.x USING parquet PARTITIONED BY (k) AS SELECT k, count(*) n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
CREATE TABLE db.x USING parquet PARTITIONED BY (k) AS SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS n FROM r0

# INSERT
INSERT INTO x PARTITION (d = 1) (a, b) SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
INSERT INTO x PARTITION (d = 1) (a, b) SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `count(1)` FROM r0

# WITH before INSERT
WITH c AS (SELECT * FROM t) INSERT OVERWRITE x SELECT k, count(*) FROM c WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   context  WITH c AS (SELECT * FROM t)
--   source   c
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
WITH c AS (SELECT * FROM t) INSERT OVERWRITE x SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `count(1)` FROM r0

# EXPLAIN stays, EXPLAIN WINDOW goes
EXPLAIN WINDOW EXPLAIN FORMATTED SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
-- r0: AGGREGATE
--   source   t
--   windowed__aggregate_0 = count(*) [COUNT: ]
EXPLAIN FORMATTED SELECT windowed__aggregate_0 AS `count(1)` FROM r0

# MERGE with a windowed source
MERGE INTO x USING (SELECT k, count(*) n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) s ON x.k = s.k WHEN MATCHED THEN UPDATE SET n = s.n
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
MERGE INTO x USING (SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS n FROM r0) s ON x.k = s.k WHEN MATCHED THEN UPDATE SET n = s.n

# a pipe after a windowed SELECT
SELECT k, count(*) AS n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k |> WHERE n > 3 |> ORDER BY n
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS n FROM r0 |> WHERE n > 3 |> ORDER BY n

# positional parameters get names
SELECT k, sum(v) FILTER (WHERE w > ?) AS s FROM t WHERE d = ? WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(v > ?) GROUP BY k HAVING s > ? LIMIT ?
----
-- r0: AGGREGATE
--   source   t
--   where    d = :windowed__p1
--   windowed__key_0 = k
--   operand 0 = v > :windowed__p2 (WHEN, PREDICATE)
--   windowed__aggregate_0 = sum(v) FILTER (WHERE w > :windowed__p0) [SUM: v filter w > :windowed__p0]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS s FROM r0 WHERE (windowed__aggregate_0) > :windowed__p3 LIMIT :windowed__p4

# named parameters and placeholders stay
SELECT k, sum(v) + :plus AS s FROM {df} WHERE d = :d WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k LIMIT :limit
----
-- r0: AGGREGATE
--   source   {df}
--   where    d = :d
--   windowed__key_0 = k
--   windowed__aggregate_0 = sum(v) [SUM: v]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 + :plus AS s FROM r0 LIMIT :limit

# keywords as names
SELECT t.order, offset, t.select, late, window.start AS w, trigger FROM kafka limit WHERE offset > 5 AND t.from = 1 WINDOW ASSIGN TUMBLING(timestamp, '1 hour') ORDER BY offset LIMIT 1 OFFSET 2
----
-- r0: ROWS
--   source   kafka limit
--   where    offset > 5 AND t.from = 1
--   windowed__column_0 = t.order
--   windowed__column_1 = offset
--   windowed__column_2 = t.select
--   windowed__column_3 = late
--   windowed__column_4 = window.start
--   windowed__column_5 = trigger
SELECT windowed__column_0 AS `order`, windowed__column_1 AS `offset`, windowed__column_2 AS `select`, windowed__column_3 AS `late`, windowed__column_4 AS w, windowed__column_5 AS `trigger` FROM r0 ORDER BY offset LIMIT 1 OFFSET 2

# aliases named like clauses
SELECT trigger.a, evict.b, apply.c FROM x trigger JOIN y AS evict ON trigger.k = evict.k, z apply WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
-- r0: ROWS
--   source   x trigger JOIN y AS evict ON trigger.k = evict.k, z apply
--   windowed__column_0 = trigger.a
--   windowed__column_1 = evict.b
--   windowed__column_2 = apply.c
SELECT windowed__column_0 AS `a`, windowed__column_1 AS `b`, windowed__column_2 AS `c` FROM r0

# IS DISTINCT FROM in the select list
SELECT a IS NOT DISTINCT FROM b AS same FROM t WHERE c IS DISTINCT FROM d WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
-- r0: ROWS
--   source   t
--   where    c IS DISTINCT FROM d
--   windowed__column_0 = a IS NOT DISTINCT FROM b
SELECT windowed__column_0 AS same FROM r0

# names in other scripts and quotes
SELECT `größe`, sum(`a.b`), `価格` AS `ü``x` FROM `my table` WINDOW ASSIGN TUMBLING(`zeit`, '1 hour') GROUP BY `GRößE`, `größe`, `価格`
----
-- r0: AGGREGATE
--   source   `my table`
--   windowed__key_0 = `GRößE`
--   windowed__key_1 = `価格`
--   windowed__aggregate_0 = sum(`a.b`) [SUM: `a.b`]
SELECT windowed__key_0 AS `größe`, windowed__aggregate_0 AS `sum(a.b)`, windowed__key_1 AS `ü``x` FROM r0

# brackets around a whole query are no struct
((SELECT k, window_start, count(*) AS n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k))
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
((SELECT windowed__key_0 AS `k`, windowed__window_start AS `window_start`, windowed__aggregate_0 AS n FROM r0))

# FROM first
FROM flights AS f JOIN carriers c ON c.id = f.carrier SELECT c.name, count(*) AS n WHERE f.delay > 0 WINDOW ASSIGN TUMBLING(f.ts, '1 hour') GROUP BY c.name HAVING n > 1
----
-- r0: AGGREGATE
--   source   flights AS f JOIN carriers c ON c.id = f.carrier
--   where    f.delay > 0
--   windowed__key_0 = c.name
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `name`, windowed__aggregate_0 AS n FROM r0 WHERE (windowed__aggregate_0) > 1

# FROM first in a subquery, beside a WITH list and a set operation
WITH late AS (FROM flights SELECT * WHERE delay > 0) SELECT * FROM (FROM late SELECT carrier, count(*) AS n WINDOW ASSIGN COUNT(3) GROUP BY carrier LIMIT 3)
UNION ALL FROM flights SELECT carrier, max(delay) WINDOW ASSIGN COUNT(2) GROUP BY carrier
----
-- r0: AGGREGATE
--   context  WITH late AS (FROM flights SELECT * WHERE delay > 0)
--   source   late
--   windowed__key_0 = carrier
--   windowed__aggregate_0 = count(*) [COUNT: ]
-- r1: AGGREGATE
--   context  WITH late AS (FROM flights SELECT * WHERE delay > 0)
--   source   flights
--   windowed__key_0 = carrier
--   windowed__aggregate_0 = max(delay) [MAX: delay]
WITH late AS (FROM flights SELECT * WHERE delay > 0) SELECT * FROM (SELECT windowed__key_0 AS `carrier`, windowed__aggregate_0 AS n FROM r0 LIMIT 3)
UNION ALL SELECT windowed__key_0 AS `carrier`, windowed__aggregate_0 AS `max(delay)` FROM r1

# FROM first, with another FROM in it
FROM a JOIN b ON a.x IS NOT DISTINCT FROM b.x AND a.y IS DISTINCT FROM b.y SELECT a.k, count(*) WINDOW ASSIGN TUMBLING(a.ts, '1 hour') GROUP BY a.k
----
-- r0: AGGREGATE
--   source   a JOIN b ON a.x IS NOT DISTINCT FROM b.x AND a.y IS DISTINCT FROM b.y
--   windowed__key_0 = a.k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `count(1)` FROM r0

# a length in brackets
SELECT k, count(*) AS c FROM t WINDOW ASSIGN TUMBLING(ts, ((INTERVAL '30' SECONDS))) GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS c FROM r0

# parameters right before words
SELECT k, count(*) + ?AS n FROM t WHERE v > ?AND w < ?or v IS NULL WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   where    v > :windowed__p1 AND w < :windowed__p2 or v IS NULL
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 + :windowed__p0  AS n FROM r0

# EMIT right after FROM, in words that follow an alias too
SELECT k, count(*) FROM e EMIT LATE ON ROW WINDOW ASSIGN TUMBLING(ts, '1 minute') ALLOWED LATENESS '1 minute' GROUP BY k
----
-- r0: AGGREGATE
--   source   e
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `count(1)` FROM r0

# AS right after EMIT
SELECT k, count(*) FROM e EMIT AS UPSERT WINDOW ASSIGN TUMBLING(ts, '1 minute') GROUP BY k
----
-- r0: AGGREGATE
--   source   e
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `count(1)`
, windowed__row_kind AS row_kind FROM r0

# ON TIME of EMIT after an alias
SELECT k, count(*) FROM e x EMIT ON TIME WINDOW ASSIGN TUMBLING(ts, '1 minute') GROUP BY k
----
-- r0: AGGREGATE
--   source   e x
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `count(1)` FROM r0

# an alias EMIT before ON
SELECT emit.k, count(*) FROM e JOIN f EMIT ON time = e.time WINDOW ASSIGN TUMBLING(ts, '1 minute') GROUP BY emit.k
----
-- r0: AGGREGATE
--   source   e JOIN f EMIT ON time = e.time
--   windowed__key_0 = emit.k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `count(1)` FROM r0

# the trigger EMIT right after FROM
SELECT k, count(*) FROM e TRIGGER EMIT(early_rows => 1) WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   e
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `count(1)` FROM r0
