# rows of each window
SELECT * FROM t WINDOW ASSIGN GLOBAL(ts) PARTITION BY k TRIGGER COUNT(100) EVICT COUNT(10)
----
-- r0: ROWS
--   source   t
--   windowed__key_0 = k
--   windowed__column_0 = struct(*)
SELECT windowed__column_0.* FROM r0

# all rows, which is what SELECT returns anyway
SELECT ALL * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY k
----
-- r0: ROWS
--   source   t
--   windowed__key_0 = k
--   windowed__column_0 = struct(*)
SELECT ALL windowed__column_0.* FROM r0

# stars, columns and expressions
SELECT f.*, origin, upper(f.dest) AS d, f.s.x, * EXCEPT (a, b), 1 AS one, struct(*) AS whole, rand() FROM flights f WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
-- r0: ROWS
--   source   flights f
--   windowed__column_0 = struct(f.*)
--   windowed__column_1 = origin
--   windowed__column_2 = upper(f.dest)
--   windowed__column_3 = f.s.x
--   windowed__column_4 = struct(* EXCEPT (a, b))
--   windowed__column_5 = struct(*)
SELECT windowed__column_0.*, windowed__column_1 AS `origin`, windowed__column_2 AS d, windowed__column_3 AS `x`, windowed__column_4.*, 1 AS one, windowed__column_5 AS whole, rand() AS `rand()` FROM r0

# window columns beside columns of the source
SELECT k, window_start, ts - window_start AS age, concat(k, '/', pane_index), f.window_start AS theirs FROM t f WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
-- r0: ROWS
--   source   t f
--   windowed__column_0 = k
--   windowed__column_1 = ts
--   windowed__column_2 = f.window_start
SELECT windowed__column_0 AS `k`, windowed__window_start AS `window_start`, windowed__column_1 - windowed__window_start AS age, concat(windowed__column_0, '/', windowed__pane_index) AS `concat(k, '/', pane_index)`, windowed__column_2 AS theirs FROM r0

# a star and a window column in one expression
SELECT concat(*, window_start) AS c FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
-- r0: ROWS
--   source   t
--   windowed__column_0 = struct(*)
SELECT concat(windowed__column_0.*, windowed__window_start) AS c FROM r0

# window functions over the rows of the result
SELECT k, v, row_number() OVER (PARTITION BY k, window_start ORDER BY v DESC) AS rank, avg(v) OVER w FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY k QUALIFY rank <= 3 WINDOW w AS (PARTITION BY t.k)
----
-- r0: ROWS
--   source   t
--   windowed__key_0 = k
--   windowed__column_0 = k
--   windowed__column_1 = v
--   windowed__column_2 = t.k
SELECT windowed__column_0 AS `k`, windowed__column_1 AS `v`, row_number() OVER (PARTITION BY windowed__column_0, windowed__window_start ORDER BY windowed__column_1 DESC) AS rank, avg(windowed__column_1) OVER w AS `avg(v) OVER w` FROM r0 WINDOW w AS (PARTITION BY windowed__column_2) QUALIFY rank <= 3

# ordering by what is not selected
SELECT k AS key, v FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') ORDER BY key, t.v, ts DESC, window_end LIMIT 5
----
-- r0: ROWS
--   source   t
--   windowed__column_0 = k
--   windowed__column_1 = v
--   windowed__column_2 = t.v
--   windowed__column_3 = ts
SELECT windowed__column_0 AS key, windowed__column_1 AS `v` FROM r0 ORDER BY key, windowed__column_2, windowed__column_3 DESC, windowed__window_end LIMIT 5

# a column of the source comes before an alias where it filters
SELECT k AS v, v AS w, upper(j) AS j, 1 AS one FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') QUALIFY row_number() OVER (PARTITION BY v, j ORDER BY w, one) = 1 ORDER BY v, w
----
-- r0: ROWS
--   source   t
--   windowed__column_0 = k
--   windowed__column_1 = v
--   windowed__column_2 = upper(j)
--   windowed__column_3 = j
SELECT windowed__column_0 AS v, windowed__column_1 AS w, windowed__column_2 AS j, 1 AS one FROM r0 QUALIFY row_number() OVER (PARTITION BY windowed__column_1, windowed__column_3 ORDER BY w, one) = 1 ORDER BY v, w

# DISTINCT rows
SELECT DISTINCT f.carrier, f.dest AS d FROM flights f WINDOW ASSIGN TUMBLING(ts, '1 hour') ORDER BY f.carrier, dest, d
----
-- r0: ROWS
--   source   flights f
--   windowed__column_0 = f.carrier
--   windowed__column_1 = f.dest
SELECT DISTINCT windowed__column_0 AS `carrier`, windowed__column_1 AS d FROM r0 ORDER BY `carrier`, `d`, d

# DISTINCT star
SELECT DISTINCT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') ORDER BY v
----
-- r0: ROWS
--   source   t
--   windowed__column_0 = struct(*)
SELECT DISTINCT windowed__column_0.* FROM r0 ORDER BY v

# operands of policies share slots
SELECT * FROM t WINDOW ASSIGN SESSION(ts, gap) TRIGGER ANY(WHEN(v > 1), WHEN(V > 1), COUNT(3)) EVICT DELTA(v, 3)
----
-- r0: ROWS
--   source   t
--   operand 0 = gap (SESSION, GAP)
--   operand 1 = v (DELTA, EXPRESSION)
--   operand 2 = v > 1 (WHEN, PREDICATE)
--   windowed__column_0 = struct(*)
SELECT windowed__column_0.* FROM r0

# WHEN: operators above aggregates, operands below
SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(a + b + sum(v) > 3 AND c LIKE 'x%' AND d OR NOT (max(v) BETWEEN e AND f * 2) OR CASE WHEN count(*) > 2 THEN g ELSE 0 END = 1 OR coalesce(min(v), h(i)) IN (1, -j) OR sum(v) IS NOT DISTINCT FROM k)
----
-- r0: ROWS
--   source   t
--   operand 0 = a + b (WHEN, EXPRESSION)
--   operand 1 = c LIKE 'x%' AND d (WHEN, PREDICATE)
--   operand 2 = e (WHEN, EXPRESSION)
--   operand 3 = f * 2 (WHEN, EXPRESSION)
--   operand 4 = g (WHEN, EXPRESSION)
--   operand 5 = h(i) (WHEN, EXPRESSION)
--   operand 6 = -j (WHEN, EXPRESSION)
--   operand 7 = k (WHEN, EXPRESSION)
--   windowed__trigger_aggregate_0 = sum(v) [SUM: v]
--   windowed__trigger_aggregate_1 = max(v) [MAX: v]
--   windowed__trigger_aggregate_2 = count(*) [COUNT: ]
--   windowed__trigger_aggregate_3 = min(v) [MIN: v]
--   windowed__column_0 = struct(*)
SELECT windowed__column_0.* FROM r0

# generators multiply the rows of the result, not those of the window
SELECT k, explode(xs), posexplode(ys) AS (p, y), inline(zs), explode(v) AS w FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
-- r0: ROWS
--   source   t
--   windowed__column_0 = k
--   windowed__column_1 = xs
--   windowed__column_2 = ys
--   windowed__column_3 = zs
--   windowed__column_4 = v
SELECT windowed__column_0 AS `k`, explode(windowed__column_1), posexplode(windowed__column_2) AS (p, y), inline(windowed__column_3), explode(windowed__column_4) AS w FROM r0

# columns by IDENTIFIER
SELECT IDENTIFIER(:c) AS c, IDENTIFIER('f')(x) AS y, k FROM IDENTIFIER('t') WINDOW ASSIGN TUMBLING(ts, '1 hour') ORDER BY ALL DESC
----
-- r0: ROWS
--   source   IDENTIFIER('t')
--   windowed__column_0 = IDENTIFIER(:c)
--   windowed__column_1 = IDENTIFIER('f')(x)
--   windowed__column_2 = k
SELECT windowed__column_0 AS c, windowed__column_1 AS y, windowed__column_2 AS `k` FROM r0 ORDER BY ALL DESC

# APPLY
SELECT k, window_start, slope, slope * 2 AS s2, points.x, *, upper(k) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY k APPLY fit ORDER BY slope, k
----
-- r0: APPLY
--   source   t
--   windowed__key_0 = k
--   windowed__row = struct(*)
SELECT windowed__key_0 AS `k`, windowed__window_start AS `window_start`, slope AS `slope`, slope * 2 AS s2, points.x AS `x`, `slope`, `points`, upper(windowed__key_0) AS `upper(k)` FROM r0 ORDER BY slope, k
