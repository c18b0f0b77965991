# aggregates and keys
SELECT carrier, sum(delay) AS total, COUNT(*) FROM flights WHERE delay > 0 WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) GROUP BY carrier
----
-- r0: AGGREGATE
--   source   flights
--   where    delay > 0
--   windowed__key_0 = carrier
--   windowed__aggregate_0 = sum(delay) [SUM: delay]
--   windowed__aggregate_1 = COUNT(*) [COUNT: ]
SELECT windowed__key_0 AS `carrier`, windowed__aggregate_0 AS total, windowed__aggregate_1 AS `count(1)` FROM r0

# window columns, bare and in expressions
SELECT window_start, window_end AS until, date_format(window_time, 'HH:mm'), pane_index + 1 AS pane, `PANE_TIMING` FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
SELECT windowed__window_start AS `window_start`, windowed__window_end AS until, date_format(windowed__window_time, 'HH:mm') AS `date_format(window_time, 'HH:mm')`, windowed__pane_index + 1 AS pane, windowed__pane_timing AS `PANE_TIMING` FROM r0

# window columns in GROUP BY go without saying
SELECT carrier, window_start, window_end, avg(delay) FROM flights WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier, window_start, window_end
----
-- r0: AGGREGATE
--   source   flights
--   windowed__key_0 = carrier
--   windowed__aggregate_0 = avg(delay) [AVG: delay]
SELECT windowed__key_0 AS `carrier`, windowed__window_start AS `window_start`, windowed__window_end AS `window_end`, windowed__aggregate_0 AS `avg(delay)` FROM r0

# only window columns in GROUP BY
SELECT window_start, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY window_start, window_end
----
-- r0: AGGREGATE
--   source   t
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__window_start AS `window_start`, windowed__aggregate_0 AS `count(1)` FROM r0

# the same aggregate is computed once
SELECT sum(delay), SUM( Delay ) + 1 AS more, sum(/* sic */ delay) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') HAVING sum(delay) > 0 ORDER BY sum(delay)
----
-- r0: AGGREGATE
--   source   t
--   windowed__aggregate_0 = sum(delay) [SUM: delay]
SELECT windowed__aggregate_0 AS `sum(delay)`, windowed__aggregate_0 + 1 AS more, windowed__aggregate_0 AS `sum(delay)` FROM r0 WHERE windowed__aggregate_0 > 0 ORDER BY windowed__aggregate_0

# aggregates with everything after them
SELECT count(DISTINCT a), sum(x) FILTER (WHERE y > 1) AS s, percentile_cont(0.5) WITHIN GROUP (ORDER BY x DESC), first(x) IGNORE NULLS, listagg(DISTINCT a, ',') WITHIN GROUP (ORDER BY a) FILTER (WHERE b), count(a, b), max_by(a, b), sum(ALL x), builtin.sum(x), count(t.*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
-- r0: AGGREGATE
--   source   t
--   windowed__aggregate_0 = count(DISTINCT a) [COUNT: distinct a]
--   windowed__aggregate_1 = sum(x) FILTER (WHERE y > 1) [SUM: x filter y > 1]
--   windowed__aggregate_2 = percentile_cont(0.5) WITHIN GROUP (ORDER BY x DESC) [PERCENTILE_CONT: 0.5, not plain]
--   windowed__aggregate_3 = first(x) IGNORE NULLS [FIRST: x | TRUE]
--   windowed__aggregate_4 = listagg(DISTINCT a, ',') WITHIN GROUP (ORDER BY a) FILTER (WHERE b) [LISTAGG: distinct a | ',' filter b, not plain]
--   windowed__aggregate_5 = count(a, b) [COUNT: a | b]
--   windowed__aggregate_6 = max_by(a, b) [MAX_BY: a | b]
--   windowed__aggregate_7 = sum(ALL x) [SUM: x]
--   windowed__aggregate_8 = builtin.sum(x) [SUM: x]
--   windowed__aggregate_9 = count(t.*) [COUNT: t.*, not plain]
SELECT windowed__aggregate_0 AS `count(DISTINCT a)`, windowed__aggregate_1 AS s, windowed__aggregate_2 AS `percentile_cont(0.5) WITHIN GROUP (ORDER BY x DESC)`, windowed__aggregate_3 AS `first(x) IGNORE NULLS`, windowed__aggregate_4 AS `listagg(DISTINCT a, ',') WITHIN GROUP (ORDER BY a) FILTER (WHERE b)`, windowed__aggregate_5 AS `count(a, b)`, windowed__aggregate_6 AS `max_by(a, b)`, windowed__aggregate_7 AS `sum(ALL x)`, windowed__aggregate_8 AS `sum(x)`, windowed__aggregate_9 AS `count(t.*)` FROM r0

# registered and session aggregates
SELECT k, geometric_mean(v) AS g, my_udaf(v, 2), other(k) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = geometric_mean(v) [GEOMETRIC_MEAN: v]
--   windowed__aggregate_1 = my_udaf(v, 2) [MY_UDAF: v | 2]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS g, windowed__aggregate_1 AS `my_udaf(v, 2)`, other(windowed__key_0) AS `other(k)` FROM r0

# window functions over the results
SELECT carrier, sum(count(*)) OVER (PARTITION BY carrier ORDER BY window_start ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS running, rank() OVER w, lag(sum(delay)) IGNORE NULLS OVER (w) FROM flights WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier WINDOW w AS (ORDER BY sum(delay) DESC), v AS (w)
----
-- r0: AGGREGATE
--   source   flights
--   windowed__key_0 = carrier
--   windowed__aggregate_0 = count(*) [COUNT: ]
--   windowed__aggregate_1 = sum(delay) [SUM: delay]
SELECT windowed__key_0 AS `carrier`, sum(windowed__aggregate_0) OVER (PARTITION BY windowed__key_0 ORDER BY windowed__window_start ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS running, rank() OVER w AS `rank() OVER w`, lag(windowed__aggregate_1) IGNORE NULLS OVER (w) AS `lag(sum(delay)) IGNORE NULLS OVER (w)` FROM r0 WINDOW w AS (ORDER BY windowed__aggregate_1 DESC), v AS (w)

# names that Spark would give
SELECT f.carrier, sum(f.delay), COUNT( DISTINCT f.delay ), Count(1), sum(delay + 1), sum(delay)/2, upper(carrier), 1 + 1, window_start, max(s.a.b), - sum(x) FROM flights f WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier
----
-- r0: AGGREGATE
--   source   flights f
--   windowed__key_0 = carrier
--   windowed__aggregate_0 = sum(f.delay) [SUM: f.delay]
--   windowed__aggregate_1 = COUNT( DISTINCT f.delay ) [COUNT: distinct f.delay]
--   windowed__aggregate_2 = Count(1) [COUNT: 1]
--   windowed__aggregate_3 = sum(delay + 1) [SUM: delay + 1]
--   windowed__aggregate_4 = sum(delay) [SUM: delay]
--   windowed__aggregate_5 = max(s.a.b) [MAX: s.a.b]
--   windowed__aggregate_6 = sum(x) [SUM: x]
SELECT windowed__key_0 AS `carrier`, windowed__aggregate_0 AS `sum(delay)`, windowed__aggregate_1 AS `count(DISTINCT delay)`, windowed__aggregate_2 AS `count(1)`, windowed__aggregate_3 AS `sum(delay + 1)`, windowed__aggregate_4/2 AS `sum(delay)/2`, upper(windowed__key_0) AS `upper(carrier)`, 1 + 1 AS `1 + 1`, windowed__window_start AS `window_start`, windowed__aggregate_5 AS `max(s.a.b)`, - windowed__aggregate_6 AS `- sum(x)` FROM r0

# aliases of every kind
SELECT sum(a) x, sum(b) AS `a b`, CASE WHEN max(a) > 1 THEN 'y' END label, CASE max(a) WHEN 1 THEN 2 END, INTERVAL 1 DAY d, INTERVAL '1 02:00:00' DAY TO SECOND, max(a) IS NULL isnull, first(a) IGNORE NULLS, max(a)::INT, max(a) :: DECIMAL(10, 2) dec, CAST(max(a) AS STRUCT<x: INT, y: MAP<STRING, INT>>) AS st, `k` FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = sum(a) [SUM: a]
--   windowed__aggregate_1 = sum(b) [SUM: b]
--   windowed__aggregate_2 = max(a) [MAX: a]
--   windowed__aggregate_3 = first(a) IGNORE NULLS [FIRST: a | TRUE]
SELECT windowed__aggregate_0 AS x, windowed__aggregate_1 AS `a b`, CASE WHEN windowed__aggregate_2 > 1 THEN 'y' END AS label, CASE windowed__aggregate_2 WHEN 1 THEN 2 END AS `CASE max(a) WHEN 1 THEN 2 END`, INTERVAL 1 DAY AS d, INTERVAL '1 02:00:00' DAY TO SECOND AS `INTERVAL '1 02:00:00' DAY TO SECOND`, windowed__aggregate_2 IS NULL AS isnull, windowed__aggregate_3 AS `first(a) IGNORE NULLS`, windowed__aggregate_2::INT AS `max(a)::INT`, windowed__aggregate_2 :: DECIMAL(10, 2) AS dec, CAST(windowed__aggregate_2 AS STRUCT<x: INT, y: MAP<STRING, INT>>) AS st, windowed__key_0 AS `k` FROM r0

# keys by position, alias, expression and qualified name
SELECT upper(carrier) AS c, date_trunc('day', f.ts) AS day, origin, DATE_TRUNC('day', ts) AS again, f.dest FROM flights f WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY 1, day, f.origin, dest
----
-- r0: AGGREGATE
--   source   flights f
--   windowed__key_0 = upper(carrier)
--   windowed__key_1 = date_trunc('day', f.ts)
--   windowed__key_2 = f.origin
--   windowed__key_3 = dest
SELECT windowed__key_0 AS c, windowed__key_1 AS day, windowed__key_2 AS `origin`, windowed__key_1 AS again, windowed__key_3 AS `dest` FROM r0

# keys after the names of a LATERAL VIEW, a function and a join in brackets
SELECT x, v.c, y, k, count(*) FROM (f(1) JOIN b USING (id)) LATERAL VIEW explode(a) v AS c WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY f.x, c, b.y, v.k
----
-- r0: AGGREGATE
--   source   (f(1) JOIN b USING (id)) LATERAL VIEW explode(a) v AS c
--   windowed__key_0 = f.x
--   windowed__key_1 = c
--   windowed__key_2 = b.y
--   windowed__key_3 = v.k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `x`, windowed__key_1 AS `c`, windowed__key_2 AS `y`, windowed__key_3 AS `k`, windowed__aggregate_0 AS `count(1)` FROM r0

# columns after a name and a dot that are called like directions of a sort key
SELECT k, max(t.last), min(s.desc), listagg(t.first, ',') WITHIN GROUP (ORDER BY t.asc DESC NULLS LAST, last) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = max(t.last) [MAX: t.last]
--   windowed__aggregate_1 = min(s.desc) [MIN: s.desc]
--   windowed__aggregate_2 = listagg(t.first, ',') WITHIN GROUP (ORDER BY t.asc DESC NULLS LAST, last) [LISTAGG: t.first | ',', not plain]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `max(last)`, windowed__aggregate_1 AS `min(s.desc)`, windowed__aggregate_2 AS `listagg(first, ',') WITHIN GROUP (ORDER BY t.asc DESC NULLS LAST, last)` FROM r0

# an alias that names its own column is the column
SELECT upper(carrier) AS carrier, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = carrier
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT upper(windowed__key_0) AS carrier, windowed__aggregate_0 AS `count(1)` FROM r0

# a constant's alias is the column
SELECT 'x' AS carrier, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = carrier
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT 'x' AS carrier, windowed__aggregate_0 AS `count(1)` FROM r0

# GROUP BY ALL
SELECT carrier, upper(origin) AS o, window_start, 'x' AS c, concat(dest, window_end) AS w, count(*) AS n, n / 2 AS half FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY ALL
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = carrier
--   windowed__key_1 = upper(origin)
--   windowed__key_2 = dest
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `carrier`, windowed__key_1 AS o, windowed__window_start AS `window_start`, 'x' AS c, concat(windowed__key_2, windowed__window_end) AS w, windowed__aggregate_0 AS n, n / 2 AS half FROM r0

# a key expression inside larger ones
SELECT arr, a + b, (a + b) * 2 AS x, a + b - 1 AS y, -(a + b) AS z, f(a + b, arr[a + b]) AS w, a + b > 3 AS v FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY a + b, arr
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = a + b
--   windowed__key_1 = arr
SELECT windowed__key_1 AS `arr`, windowed__key_0 AS `a + b`, windowed__key_0 * 2 AS x, windowed__key_0 - 1 AS y, -windowed__key_0 AS z, f(windowed__key_0, windowed__key_1[windowed__key_0]) AS w, windowed__key_0 > 3 AS v FROM r0

# struct fields of a key, and a key that is a field
SELECT s.x.y, s, t.r.z, r.z FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY s, r.z
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = s
--   windowed__key_1 = r.z
SELECT windowed__key_0.x.y AS `y`, windowed__key_0 AS `s`, windowed__key_1 AS `z`, windowed__key_1 AS `z` FROM r0

# two keys of the same name
SELECT a.k, b.k AS bk FROM a JOIN b ON a.id = b.id WINDOW ASSIGN TUMBLING(a.ts, '1 hour') GROUP BY a.k, b.k
----
-- r0: AGGREGATE
--   source   a JOIN b ON a.id = b.id
--   windowed__key_0 = a.k
--   windowed__key_1 = b.k
SELECT windowed__key_0 AS `k`, windowed__key_1 AS bk FROM r0

# PARTITION BY alone and with the same GROUP BY
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY k UNION ALL SELECT t.k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY t.k GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
-- r1: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `count(1)` FROM r0 UNION ALL SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `count(1)` FROM r1

# HAVING, QUALIFY, ORDER BY, LIMIT, OFFSET
SELECT carrier AS c, sum(delay) AS total FROM flights f WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier HAVING total > 10 AND c <> 'x' AND count(*) > 1 QUALIFY row_number() OVER (PARTITION BY carrier ORDER BY total) = 1 ORDER BY total DESC, f.carrier, max(delay), window_start LIMIT 10 OFFSET 5
----
-- r0: AGGREGATE
--   source   flights f
--   windowed__key_0 = carrier
--   windowed__aggregate_0 = sum(delay) [SUM: delay]
--   windowed__aggregate_1 = count(*) [COUNT: ]
--   windowed__aggregate_2 = max(delay) [MAX: delay]
SELECT windowed__key_0 AS c, windowed__aggregate_0 AS total FROM r0 WHERE (windowed__aggregate_0) > 10 AND (windowed__key_0) <> 'x' AND windowed__aggregate_1 > 1 QUALIFY row_number() OVER (PARTITION BY windowed__key_0 ORDER BY total) = 1 ORDER BY total DESC, windowed__key_0, windowed__aggregate_2, windowed__window_start LIMIT 10 OFFSET 5

# an alias comes before a key where it sorts, after it where it filters
SELECT upper(carrier) AS carrier, count(*) AS n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier HAVING carrier = 'x' AND n > 1 QUALIFY row_number() OVER w = 1 AND carrier = 'x' AND n > 1 WINDOW w AS (ORDER BY carrier, n) ORDER BY carrier, n
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = carrier
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT upper(windowed__key_0) AS carrier, windowed__aggregate_0 AS n FROM r0 WHERE windowed__key_0 = 'x' AND (windowed__aggregate_0) > 1 WINDOW w AS (ORDER BY windowed__key_0, n) QUALIFY row_number() OVER w = 1 AND windowed__key_0 = 'x' AND n > 1 ORDER BY carrier, n

# sorting a DISTINCT result
SELECT DISTINCT carrier, sum(delay) AS s, count(*) FROM flights f WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier ORDER BY sum(delay) DESC NULLS LAST, f.carrier, count(*)
----
-- r0: AGGREGATE
--   source   flights f
--   windowed__key_0 = carrier
--   windowed__aggregate_0 = sum(delay) [SUM: delay]
--   windowed__aggregate_1 = count(*) [COUNT: ]
SELECT DISTINCT windowed__key_0 AS `carrier`, windowed__aggregate_0 AS s, windowed__aggregate_1 AS `count(1)` FROM r0 ORDER BY `s` DESC NULLS LAST, `carrier`, `count(1)`

# generators over aggregates
SELECT k, explode(collect_list(v)) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k ORDER BY ALL
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = collect_list(v) [COLLECT_LIST: v]
SELECT windowed__key_0 AS `k`, explode(windowed__aggregate_0) FROM r0 ORDER BY ALL

# CLUSTER BY, DISTRIBUTE BY and SORT BY
SELECT k, count(*) n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k DISTRIBUTE BY k SORT BY n, max(v) LIMIT ALL
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
--   windowed__aggregate_1 = max(v) [MAX: v]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS n FROM r0 DISTRIBUTE BY k SORT BY n, windowed__aggregate_1 LIMIT ALL

# lateral aliases
SELECT sum(v) AS total, total / 2 AS half, k AS total2, sum(v) AS k, k FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = sum(v) [SUM: v]
SELECT windowed__aggregate_0 AS total, total / 2 AS half, windowed__key_0 AS total2, windowed__aggregate_0 AS k, windowed__key_0 AS `k` FROM r0

# lambda variables, named arguments, units and types are no columns
SELECT transform(collect_list(v), v -> v + 1) AS a, filter(collect_list(v), (x, i) -> x > i AND k > 0) AS b, extract(YEAR FROM window_start) AS y, dateadd(DAY, 1, window_start) AS d, trim(BOTH 'x' FROM k) AS s, mask(k, lowerChar => 'q') AS m, cast(k AS DATE) AS e, timestamp '2020-01-01' AS f, :param AS p, k COLLATE UTF8_LCASE AS g, current_date AS h, position('a' IN k) AS i FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = collect_list(v) [COLLECT_LIST: v]
SELECT transform(windowed__aggregate_0, v -> v + 1) AS a, filter(windowed__aggregate_0, (x, i) -> x > i AND windowed__key_0 > 0) AS b, extract(YEAR FROM windowed__window_start) AS y, dateadd(DAY, 1, windowed__window_start) AS d, trim(BOTH 'x' FROM windowed__key_0) AS s, mask(windowed__key_0, lowerChar => 'q') AS m, cast(windowed__key_0 AS DATE) AS e, timestamp '2020-01-01' AS f, :param AS p, windowed__key_0 COLLATE UTF8_LCASE AS g, current_date AS h, position('a' IN windowed__key_0) AS i FROM r0

# subqueries in the select list
SELECT k, (SELECT max(x) FROM u) AS m, (SELECT name FROM names n WHERE n.k = t.k) AS name, exists(SELECT 1 FROM t WHERE t.k = 1) AS e FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k HAVING count(*) > (SELECT avg(c) FROM stats) AND k IN (SELECT k FROM allowed)
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, (SELECT max(x) FROM u) AS m, (SELECT name FROM names n WHERE n.k = windowed__key_0) AS name, exists(SELECT 1 FROM t WHERE t.k = 1) AS e FROM r0 WHERE windowed__aggregate_0 > (SELECT avg(c) FROM stats) AND windowed__key_0 IN (SELECT k FROM allowed)

# ANY and SOME after LIKE
SELECT k, any(v > 1), some(v > 2), k LIKE ANY ('a%', 'b%') AS l, k NOT ILIKE SOME ('x') AS m FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = any(v > 1) [ANY: v > 1]
--   windowed__aggregate_1 = some(v > 2) [SOME: v > 2]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `any(v > 1)`, windowed__aggregate_1 AS `some(v > 2)`, windowed__key_0 LIKE ANY ('a%', 'b%') AS l, windowed__key_0 NOT ILIKE SOME ('x') AS m FROM r0

# fields named after expressions
SELECT struct(k, K AS x, (t.k), s.a, sum(v), window_start), (k, 1) AS row, (k, 1) IN ((k, 2), ('a', sum(v))) AS i, arrays_zip(k, collect_list(v)), transform(array(1), x -> struct(x, k)), named_struct('a', k), coalesce(k, 'x') FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k, s.a
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__key_1 = s.a
--   windowed__aggregate_0 = sum(v) [SUM: v]
--   windowed__aggregate_1 = collect_list(v) [COLLECT_LIST: v]
SELECT struct(windowed__key_0 AS `k`, windowed__key_0 AS x, windowed__key_0 AS `k`, windowed__key_1 AS `a`, windowed__aggregate_0 AS col5, windowed__window_start AS `window_start`) AS `struct(k, K AS x, (t.k), s.a, sum(v), window_start)`, (windowed__key_0 AS `k`, 1) AS row, (windowed__key_0, 1) IN ((windowed__key_0 AS `k`, 2), ('a', windowed__aggregate_0 AS col2)) AS i, arrays_zip(struct(windowed__key_0 AS `k`).`k`, coalesce(windowed__aggregate_1)) AS `arrays_zip(k, collect_list(v))`, transform(array(1), x -> struct(x, windowed__key_0 AS `k`)) AS `transform(array(1), x -> struct(x, k))`, named_struct('a', windowed__key_0) AS `named_struct('a', k)`, coalesce(windowed__key_0, 'x') AS `coalesce(k, 'x')` FROM r0

# positions and aliases in brackets
SELECT k, upper(name) AS n, count(*) AS c FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY (1), ((n))
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__key_1 = upper(name)
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, windowed__key_1 AS n, windowed__aggregate_0 AS c FROM r0

# ALL in brackets
SELECT k, count(*) AS c FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY (ALL)
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__aggregate_0 = count(*) [COUNT: ]
SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS c FROM r0

# ~ binds more closely than the operator of a key
SELECT ~a + b AS x, ~a & b AS y, ~(a + b) AS z FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY a + b, a & b, a, b
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = a + b
--   windowed__key_1 = a & b
--   windowed__key_2 = a
--   windowed__key_3 = b
SELECT ~windowed__key_2 + windowed__key_3 AS x, ~windowed__key_2 & windowed__key_3 AS y, ~windowed__key_0 AS z FROM r0

# ESCAPE belongs to the LIKE before it
SELECT a LIKE 'x' AS x, a LIKE 'x' ESCAPE '!' AS y FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY a LIKE 'x', a
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = a LIKE 'x'
--   windowed__key_1 = a
SELECT windowed__key_0 AS x, windowed__key_1 LIKE 'x' ESCAPE '!' AS y FROM r0

# aggregates and functions by IDENTIFIER
SELECT IDENTIFIER('k'), IDENTIFIER('sum')(v) FILTER (WHERE v > 1) AS s, IDENTIFIER('Count')(*) AS n, IDENTIFIER('upper')(k) AS u FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(IDENTIFIER('max')(v) > 3) GROUP BY k, IDENTIFIER('k') HAVING IDENTIFIER('min')(v) > 0
----
-- r0: AGGREGATE
--   source   t
--   windowed__key_0 = k
--   windowed__key_1 = IDENTIFIER('k')
--   windowed__aggregate_0 = IDENTIFIER('sum')(v) FILTER (WHERE v > 1) [SUM: v filter v > 1]
--   windowed__aggregate_1 = IDENTIFIER('Count')(*) [COUNT: ]
--   windowed__aggregate_2 = IDENTIFIER('min')(v) [MIN: v]
--   windowed__trigger_aggregate_0 = IDENTIFIER('max')(v) [MAX: v]
SELECT windowed__key_1 AS `IDENTIFIER('k')`, windowed__aggregate_0 AS s, windowed__aggregate_1 AS n, IDENTIFIER('upper')(windowed__key_0) AS u FROM r0 WHERE windowed__aggregate_2 > 0
