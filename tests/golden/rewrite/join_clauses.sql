# an inner join of two tables
SELECT o.id, p.amount, window_start FROM orders AS o WINDOW JOIN payments AS p ON o.id = p.order_id WINDOW ASSIGN TUMBLING((o.ts, p.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, o.ts AS windowed__join_time, o.id AS windowed__join_key_0, struct(o.*) AS o, NULL AS p FROM orders AS o UNION ALL SELECT 1, p.ts, p.order_id, NULL, struct(p.*) FROM payments AS p)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = o
--   windowed__right = p
--   join INNER
--     o at o.ts: orders
--     p at p.ts: payments
--     o.id = p.order_id
--     on o.id = p.order_id
SELECT o.id, p.amount, windowed__window_start AS `window_start` FROM r0

# every clause, the names of the tables themselves, times and keys the other way round
SELECT sum(a.v) AS total FROM db.a LEFT OUTER WINDOW JOIN b ON b.k = a.k WINDOW ASSIGN SLIDING((b.ts, a.ts), '1 hour', '10 minutes') TRIGGER WHEN(sum(b.w) > 10 AND a.v > 1) EVICT DELTA(coalesce(a.v, b.w), 3) AFTER ALLOWED LATENESS '5 minutes' LATE INTO late STATE TTL '1 day'
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, a.ts AS windowed__join_time, a.k AS windowed__join_key_0, struct(a.*) AS a, NULL AS b FROM db.a AS a UNION ALL SELECT 1, b.ts, b.k, NULL, struct(b.*) FROM b AS b)
--   windowed__key_0 = windowed__join_key_0
--   operand 0 = coalesce(a.v, b.w) (DELTA, EXPRESSION)
--   operand 1 = a.v > 1 (WHEN, PREDICATE)
--   windowed__trigger_aggregate_0 = sum(b.w) [SUM: b.w]
--   windowed__side = windowed__side
--   windowed__left = a
--   windowed__right = b
--   join LEFT
--     a at a.ts: db.a
--     b at b.ts: b
--     a.k = b.k
--     on b.k = a.k
SELECT sum(a.v) AS total FROM r0

# keys are found among the parts of ON, the rest of it stays
SELECT * FROM a x FULL WINDOW JOIN b y ON (x.k = y.k AND upper(y.j) == concat(x.i, 'x')) AND x.v > y.w AND x.t BETWEEN y.t AND y.u AND NOT x.n = y.n AND (x.o = y.o OR x.p = y.p) AND x.q <=> y.q AND x.r = 1 AND CASE WHEN x.s = y.s AND true THEN true END AND (x.l = y.l) IS NULL WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, x.ts AS windowed__join_time, x.k AS windowed__join_key_0, concat(x.i, 'x') AS windowed__join_key_1, x.q AS windowed__join_key_2, struct(x.*) AS x, NULL AS y FROM a AS x UNION ALL SELECT 1, y.ts, y.k, upper(y.j), y.q, NULL, struct(y.*) FROM b AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__key_1 = windowed__join_key_1
--   windowed__key_2 = windowed__join_key_2
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join FULL
--     x at x.ts: a
--     y at y.ts: b
--     x.k = y.k
--     concat(x.i, 'x') = upper(y.j)
--     x.q = y.q
--     on (x.k = y.k AND upper(y.j) == concat(x.i, 'x')) AND x.v > y.w AND x.t BETWEEN y.t AND y.u AND NOT x.n = y.n AND (x.o = y.o OR x.p = y.p) AND x.q <=> y.q AND x.r = 1 AND CASE WHEN x.s = y.s AND true THEN true END AND (x.l = y.l) IS NULL
SELECT x.*, y.* FROM r0

# a key that is equal where both sides are NULL
SELECT x.v, y.v AS w FROM a x LEFT WINDOW JOIN b y ON y.k IS NOT DISTINCT FROM x.k AND x.v IS NOT NULL AND NOT x.n IS NOT DISTINCT FROM y.n WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, x.ts AS windowed__join_time, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM a AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM b AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join LEFT
--     x at x.ts: a
--     y at y.ts: b
--     x.k = y.k
--     on y.k IS NOT DISTINCT FROM x.k AND x.v IS NOT NULL AND NOT x.n IS NOT DISTINCT FROM y.n
SELECT x.v, y.v AS w FROM r0

# a semi join returns its left side
SELECT *, window_end FROM a AS x LEFT SEMI WINDOW JOIN b AS y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, x.ts AS windowed__join_time, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM a AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM b AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join SEMI
--     x at x.ts: a
--     y at y.ts: b
--     x.k = y.k
--     on x.k = y.k
SELECT x.*, windowed__window_end AS `window_end` FROM r0

# names that need quotes
SELECT `my a`.*, `from`.k FROM `my a` ANTI WINDOW JOIN b `b``c` ON `my a`.k = `B``c`.k WINDOW ASSIGN TUMBLING((`my a`.ts, `b``c`.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `my a`.ts AS windowed__join_time, `my a`.k AS windowed__join_key_0, struct(`my a`.*) AS `my a`, NULL AS `b``c` FROM `my a` AS `my a` UNION ALL SELECT 1, `b``c`.ts, `B``c`.k, NULL, struct(`b``c`.*) FROM b AS `b``c`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `my a`
--   windowed__right = `b``c`
--   join ANTI
--     `my a` at `my a`.ts: `my a`
--     `b``c` at `b``c`.ts: b
--     `my a`.k = `B``c`.k
--     on `my a`.k = `B``c`.k
SELECT `my a`.*, `from`.k FROM r0

# clauses after the window are Spark's own but for window columns and stars
SELECT /*+ COALESCE(1) */ DISTINCT x.k, date(window_start), max(window_end) FILTER (WHERE pane_timing = 'LATE'), count(*), count(DISTINCT *), row_number() OVER (PARTITION BY window_start ORDER BY x.v), count(*) FILTER (WHERE window_start > x.ts) AS c, pane_index AS n, explode(array(window_start)), x.window_start, transform(y.a, window_start -> window_start + 1), struct(*) AS s FROM a x RIGHT WINDOW JOIN b y ON x.k = y.k WHERE x.v > 1 AND window_time < now() WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') GROUP BY GROUPING SETS ((x.k, window_start), ()) HAVING max(window_end) > '2020-01-01' QUALIFY rank() OVER w = 1 WINDOW w AS (ORDER BY window_end), w2 AS w ORDER BY window_start, n, pane_index LIMIT 3 OFFSET 1
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, x.ts AS windowed__join_time, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM a AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM b AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join RIGHT
--     x at x.ts: a
--     y at y.ts: b
--     x.k = y.k
--     on x.k = y.k
SELECT /*+ COALESCE(1) */ DISTINCT x.k, date(windowed__window_start) AS `date(window_start)`, max(windowed__window_end) FILTER (WHERE windowed__pane_timing = 'LATE') AS `max(window_end) FILTER (WHERE pane_timing = 'LATE')`, count(*), count(DISTINCT x.*, y.*), row_number() OVER (PARTITION BY windowed__window_start ORDER BY x.v) AS `row_number() OVER (PARTITION BY window_start ORDER BY x.v)`, count(*) FILTER (WHERE windowed__window_start > x.ts) AS c, windowed__pane_index AS n, explode(array(windowed__window_start)), x.window_start, transform(y.a, window_start -> window_start + 1), struct(x.*, y.*) AS s FROM r0 WHERE x.v > 1 AND windowed__window_time < now() GROUP BY GROUPING SETS ((x.k, windowed__window_start), ()) HAVING max(windowed__window_end) > '2020-01-01' WINDOW w AS (ORDER BY windowed__window_end), w2 AS w QUALIFY rank() OVER w = 1 ORDER BY windowed__window_start, n, windowed__pane_index LIMIT 3 OFFSET 1

# an alias comes before a window column where it sorts
SELECT x.v AS window_start, window_end FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') ORDER BY window_start, window_end
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
SELECT x.v AS window_start, windowed__window_end AS `window_end` FROM r0 ORDER BY window_start, window_end

# processing time
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN SESSION(PROCTIME(), coalesce(x.gap, y.gap))
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM a AS x UNION ALL SELECT 1, y.k, NULL, struct(y.*) FROM b AS y)
--   windowed__key_0 = windowed__join_key_0
--   operand 0 = coalesce(x.gap, y.gap) (SESSION, GAP)
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join INNER
--     x at None: a
--     y at None: b
--     x.k = y.k
--     on x.k = y.k
SELECT x.*, y.* FROM r0

# no time
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN COUNT(3)
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM a AS x UNION ALL SELECT 1, y.k, NULL, struct(y.*) FROM b AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join INNER
--     x at None: a
--     y at None: b
--     x.k = y.k
--     on x.k = y.k
SELECT x.*, y.* FROM r0

# a count with times
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN COUNT(3, 1, time => (x.ts, y.ts))
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
SELECT x.*, y.* FROM r0

# a time that reads no column belongs to its place
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((TIMESTAMP '2020-01-01', x.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, x.ts AS windowed__join_time, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM a AS x UNION ALL SELECT 1, TIMESTAMP '2020-01-01', y.k, NULL, struct(y.*) FROM b AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join INNER
--     x at x.ts: a
--     y at TIMESTAMP '2020-01-01': b
--     x.k = y.k
--     on x.k = y.k
SELECT x.*, y.* FROM r0

# brackets around all of FROM
SELECT * FROM (a x WINDOW JOIN b y ON x.k = y.k) WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
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
SELECT x.*, y.* FROM r0

# a table called window, and a plain join
SELECT * FROM window JOIN b ON window.k = b.k JOIN window WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
-- r0: ROWS
--   source   window JOIN b ON window.k = b.k JOIN window
--   windowed__column_0 = struct(*)
SELECT windowed__column_0.* FROM r0

# a table called window after a comma or a dot
SELECT * FROM a, window JOIN db.window JOIN b WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
-- r0: ROWS
--   source   a, window JOIN db.window JOIN b
--   windowed__column_0 = struct(*)
SELECT windowed__column_0.* FROM r0

# tables called left and right
SELECT left.k FROM left LEFT WINDOW JOIN right ON left.k = right.k WINDOW ASSIGN TUMBLING((left.ts, right.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, left.ts AS windowed__join_time, left.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM left AS `left` UNION ALL SELECT 1, right.ts, right.k, NULL, struct(`right`.*) FROM right AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join LEFT
--     `left` at left.ts: left
--     `right` at right.ts: right
--     left.k = right.k
--     on left.k = right.k
SELECT left.k FROM r0

# FROM first
FROM a x LEFT WINDOW JOIN b y ON x.k = y.k SELECT x.k, y.v WHERE y.v > 1 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 minute')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, x.ts AS windowed__join_time, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM a AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM b AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join LEFT
--     x at x.ts: a
--     y at y.ts: b
--     x.k = y.k
--     on x.k = y.k
SELECT x.k, y.v FROM r0 WHERE y.v > 1
