# a window join
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
SELECT * FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 )

# keys of other names, on one side expressions
SELECT id, key1, s, price FROM window_join(TABLE(orders) PARTITION BY (id, upper(concat(name, CAST(n AS STRING))), a.s), TABLE payments PARTITION BY (order_id, lower(`left`), t.s), DESCRIPTOR(ts, `my ts`), SLIDING(INTERVAL 1 HOUR, slide => '10 minutes')) AS w WHERE w.price > 3
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.id AS windowed__join_key_0, upper(concat(`left`.name, CAST(`left`.n AS STRING))) AS windowed__join_key_1, `left`.a.s AS windowed__join_key_2, struct(`left`.*) AS `left`, NULL AS `right` FROM orders AS `left` UNION ALL SELECT 1, `right`.`my ts`, `right`.order_id, lower(`right`.`left`), `right`.t.s, NULL, struct(`right`.*) FROM payments AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__key_1 = windowed__join_key_1
--   windowed__key_2 = windowed__join_key_2
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.ts: orders
--     `right` at `right`.`my ts`: payments
--     `left`.id = `right`.order_id
--     upper(concat(`left`.name, CAST(`left`.n AS STRING))) = lower(`right`.`left`)
--     `left`.a.s = `right`.t.s
--     on `left`.id = `right`.order_id AND (upper(concat(`left`.name, CAST(`left`.n AS STRING)))) = (lower(`right`.`left`)) AND `left`.a.s = `right`.t.s
SELECT id, key1, s, price FROM (SELECT `left`.id AS `id`, upper(concat(`left`.name, CAST(`left`.n AS STRING))) AS `key1`, `left`.a.s AS `s`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`id`), `right`.* EXCEPT (`order_id`) FROM r0 ) AS w WHERE w.price > 3

# a LEFT join
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'LEFT')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join LEFT
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
SELECT * FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 )

# a right outer join
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'right outer')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join RIGHT
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
SELECT * FROM (SELECT `right`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 )

# a Full join
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'Full')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join FULL
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
SELECT * FROM (SELECT coalesce(`left`.k, `right`.k) AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 )

# a LEFT SEMI join
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'LEFT SEMI')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join SEMI
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
SELECT * FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`) FROM r0 )

# a anti join
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'anti')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join ANTI
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
SELECT * FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`) FROM r0 )

# all options
SELECT * FROM WINDOW_JOIN(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'INNER', trigger => ANY(COUNT(3), DELTA(coalesce(left.v, right.w), 5), WHEN(sum(right.w) > 3)), evictor => DELTA(LEFT.v, 3) AFTER, allowed_lateness => INTERVAL 5 MINUTES, state_ttl => '1 day')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   operand 0 = LEFT.v (DELTA, EXPRESSION)
--   operand 1 = coalesce(left.v, right.w) (DELTA, EXPRESSION)
--   windowed__trigger_aggregate_0 = sum(right.w) [SUM: right.w]
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
SELECT * FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 )

# arguments by name, in another order
SELECT * FROM co_group(window => TUMBLING('1 hour'), right => TABLE(b) PARTITION BY k, left => TABLE a PARTITION BY j, time => DESCRIPTOR(x, y))
----
-- r0: CO_GROUP
--   source   (SELECT 0 AS windowed__side, `left`.x AS windowed__join_time, `left`.j AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.y, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join co-group
--     `left` at `left`.x: a
--     `right` at `right`.y: b
--     `left`.j = `right`.k
SELECT * FROM (SELECT windowed__key_0 AS `j`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__left AS `left`, windowed__right AS `right` FROM r0 )

# a co-group
SELECT size(left) - size(right) AS d FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), SESSION(INTERVAL 10 MINUTES))
----
-- r0: CO_GROUP
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join co-group
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
SELECT size(left) - size(right) AS d FROM (SELECT windowed__key_0 AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__left AS `left`, windowed__right AS `right` FROM r0 )

# a co-group with a function
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), apply => 'PAIR_UP') g
----
-- r0: CO_GROUP
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join co-group
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
SELECT * FROM (SELECT `n`, `odd one` FROM r0 ) g

# processing time and a dynamic gap
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, PROCTIME(), SESSION(coalesce(left.gap, right.gap)))
----
-- r0: CO_GROUP
--   source   (SELECT 0 AS windowed__side, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   operand 0 = coalesce(left.gap, right.gap) (SESSION, GAP)
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join co-group
--     `left` at None: a
--     `right` at None: b
--     `left`.k = `right`.k
SELECT * FROM (SELECT windowed__key_0 AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__left AS `left`, windowed__right AS `right` FROM r0 )

# no time
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, COUNT(3)) JOIN window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, GLOBAL(), trigger => COUNT(2))
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at None: a
--     `right` at None: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
-- r1: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at None: a
--     `right` at None: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
SELECT * FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 ) JOIN (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r1 )

# a count with times
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), COUNT(3, 1))
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
SELECT * FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 )

# inside TABLE, beside other relations
SELECT * FROM c JOIN TABLE(window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))) AS w ON c.k = w.k, co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour')) AS g, (window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour')) AS h CROSS JOIN d)
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
-- r1: CO_GROUP
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join co-group
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
-- r2: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
SELECT * FROM c JOIN (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 ) AS w ON c.k = w.k, (SELECT windowed__key_0 AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__left AS `left`, windowed__right AS `right` FROM r1 ) AS g, ((SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r2 ) AS h CROSS JOIN d)

# queries and streams as tables
SELECT * FROM window_join(TABLE(STREAM a WATERMARK ts DELAY OF INTERVAL 5 SECONDS) PARTITION BY k, TABLE(WITH q AS (SELECT 1 AS k) SELECT * FROM q) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM STREAM a WATERMARK ts DELAY OF INTERVAL 5 SECONDS AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM (WITH q AS (SELECT 1 AS k) SELECT * FROM q) AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.ts: STREAM a WATERMARK ts DELAY OF INTERVAL 5 SECONDS
--     `right` at `right`.ts: (WITH q AS (SELECT 1 AS k) SELECT * FROM q)
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
SELECT * FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 )

# calls and windowed queries inside each other
SELECT k, count(*) AS n FROM window_join(TABLE(co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))) PARTITION BY k, TABLE(SELECT k, max(v) AS v, window_time AS ts FROM c WINDOW ASSIGN TUMBLING(ts, '1 minute') GROUP BY k) PARTITION BY k, DESCRIPTOR(window_end, ts), TUMBLING('1 hour')) WINDOW ASSIGN TUMBLING(window_time, '1 day') GROUP BY k
----
-- r0: CO_GROUP
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join co-group
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
-- r1: AGGREGATE
--   source   c
--   windowed__key_0 = k
--   windowed__aggregate_0 = max(v) [MAX: v]
-- r2: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.window_end AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM (SELECT windowed__key_0 AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__left AS `left`, windowed__right AS `right` FROM r0 ) AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM (SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS v, windowed__window_time AS ts FROM r1) AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.window_end: (SELECT windowed__key_0 AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__left AS `left`, windowed__right AS `right` FROM r0 )
--     `right` at `right`.ts: (SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS v, windowed__window_time AS ts FROM r1)
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
-- r3: AGGREGATE
--   source   (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r2 )
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS n FROM r3

# as a side of WINDOW JOIN
SELECT x.k FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour')) AS x WINDOW JOIN b AS y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.window_time, y.ts), '1 hour')
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
-- r1: JOIN
--   source   (SELECT 0 AS windowed__side, x.window_time AS windowed__join_time, x.k AS windowed__join_key_0, struct(x.*) AS x, NULL AS y FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 ) AS x UNION ALL SELECT 1, y.ts, y.k, NULL, struct(y.*) FROM b AS y)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = x
--   windowed__right = y
--   join INNER
--     x at x.window_time: (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 )
--     y at y.ts: b
--     x.k = y.k
--     on x.k = y.k
SELECT x.k FROM r1

# in CTEs, subqueries and set operations
WITH a AS (SELECT 1), w AS (SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))) SELECT * FROM w WHERE k IN (SELECT k FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))) UNION ALL SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
-- r0: JOIN
--   context  WITH a AS (SELECT 1)
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
-- r1: CO_GROUP
--   context  WITH a AS (SELECT 1), w AS (SELECT * FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 ))
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join co-group
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
-- r2: JOIN
--   context  WITH a AS (SELECT 1), w AS (SELECT * FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 ))
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
WITH a AS (SELECT 1), w AS (SELECT * FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 )) SELECT * FROM w WHERE k IN (SELECT k FROM (SELECT windowed__key_0 AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__left AS `left`, windowed__right AS `right` FROM r1 )) UNION ALL SELECT * FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r2 )

# as the text of a view
CREATE TEMPORARY VIEW v AS SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
CREATE TEMPORARY VIEW v AS SELECT * FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 )

# from first
FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour')) SELECT k
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.ts: a
--     `right` at `right`.ts: b
--     `left`.k = `right`.k
--     on `left`.k = `right`.k
FROM (SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`) FROM r0 ) SELECT k

# parameters
SELECT ? AS c FROM window_join(TABLE(SELECT * FROM a WHERE v > ?) PARTITION BY k % ?, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, `left`.ts AS windowed__join_time, `left`.k % :windowed__p2 AS windowed__join_key_0, struct(`left`.*) AS `left`, NULL AS `right` FROM (SELECT * FROM a WHERE v > :windowed__p1) AS `left` UNION ALL SELECT 1, `right`.ts, `right`.k, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at `left`.ts: (SELECT * FROM a WHERE v > :windowed__p1)
--     `right` at `right`.ts: b
--     `left`.k % :windowed__p2 = `right`.k
--     on (`left`.k % :windowed__p2) = `right`.k
SELECT :windowed__p0 AS c FROM (SELECT `left`.k % :windowed__p2 AS `key0`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.*, `right`.* EXCEPT (`k`) FROM r0 )

# keys with their side, and keys that read no column
SELECT * FROM window_join(TABLE(a) PARTITION BY (left.k, current_date), TABLE(b) PARTITION BY (right.k, right.d), COUNT(3))
----
-- r0: JOIN
--   source   (SELECT 0 AS windowed__side, left.k AS windowed__join_key_0, current_date AS windowed__join_key_1, struct(`left`.*) AS `left`, NULL AS `right` FROM a AS `left` UNION ALL SELECT 1, right.k, right.d, NULL, struct(`right`.*) FROM b AS `right`)
--   windowed__key_0 = windowed__join_key_0
--   windowed__key_1 = windowed__join_key_1
--   windowed__side = windowed__side
--   windowed__left = `left`
--   windowed__right = `right`
--   join INNER
--     `left` at None: a
--     `right` at None: b
--     left.k = right.k
--     current_date = right.d
--     on left.k = right.k AND current_date = right.d
SELECT * FROM (SELECT left.k AS `k`, current_date AS `current_date`, windowed__window_start AS window_start, windowed__window_end AS window_end, windowed__window_time AS window_time, `left`.* EXCEPT (`k`), `right`.* EXCEPT (`k`, `d`) FROM r0 )
