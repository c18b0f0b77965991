# aggregates and keys
SELECT carrier, sum(delay) AS total, COUNT(*) FROM flights WHERE delay > 0 WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) GROUP BY carrier
----
-- r0: AGGREGATE
--   source   flights
--   where    delay > 0
--   __winsql_key_0 = carrier
--   __winsql_aggregate_0 = sum(delay) [SUM: delay]
--   __winsql_aggregate_1 = COUNT(*) [COUNT: ]
SELECT __winsql_key_0 AS `carrier`, __winsql_aggregate_0 AS total, __winsql_aggregate_1 AS `count(1)` FROM r0

# window columns, bare and in expressions
SELECT window_start, window_end AS until, date_format(window_time, 'HH:mm'), pane_index + 1 AS pane, `PANE_TIMING` FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = k
SELECT __winsql_window_start AS `window_start`, __winsql_window_end AS until, date_format(__winsql_window_time, 'HH:mm') AS `date_format(window_time, 'HH:mm')`, __winsql_pane_index + 1 AS pane, __winsql_pane_timing AS `PANE_TIMING` FROM r0

# window columns in GROUP BY go without saying
SELECT carrier, window_start, window_end, avg(delay) FROM flights WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier, window_start, window_end
----
-- r0: AGGREGATE
--   source   flights
--   __winsql_key_0 = carrier
--   __winsql_aggregate_0 = avg(delay) [AVG: delay]
SELECT __winsql_key_0 AS `carrier`, __winsql_window_start AS `window_start`, __winsql_window_end AS `window_end`, __winsql_aggregate_0 AS `avg(delay)` FROM r0

# only window columns in GROUP BY
SELECT window_start, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY window_start, window_end
----
-- r0: AGGREGATE
--   source   t
--   __winsql_aggregate_0 = count(*) [COUNT: ]
SELECT __winsql_window_start AS `window_start`, __winsql_aggregate_0 AS `count(1)` FROM r0

# the same aggregate is computed once
SELECT sum(delay), SUM( Delay ) + 1 AS more, sum(/* sic */ delay) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') HAVING sum(delay) > 0 ORDER BY sum(delay)
----
-- r0: AGGREGATE
--   source   t
--   __winsql_aggregate_0 = sum(delay) [SUM: delay]
SELECT __winsql_aggregate_0 AS `sum(delay)`, __winsql_aggregate_0 + 1 AS more, __winsql_aggregate_0 AS `sum(delay)` FROM r0 WHERE __winsql_aggregate_0 > 0 ORDER BY __winsql_aggregate_0

# aggregates with everything behind them
SELECT count(DISTINCT a), sum(x) FILTER (WHERE y > 1) AS s, percentile_cont(0.5) WITHIN GROUP (ORDER BY x DESC), first(x) IGNORE NULLS, listagg(DISTINCT a, ',') WITHIN GROUP (ORDER BY a) FILTER (WHERE b), count(a, b), max_by(a, b), sum(ALL x), builtin.sum(x), count(t.*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
-- r0: AGGREGATE
--   source   t
--   __winsql_aggregate_0 = count(DISTINCT a) [COUNT: distinct a]
--   __winsql_aggregate_1 = sum(x) FILTER (WHERE y > 1) [SUM: x filter y > 1]
--   __winsql_aggregate_2 = percentile_cont(0.5) WITHIN GROUP (ORDER BY x DESC) [PERCENTILE_CONT: 0.5, not plain]
--   __winsql_aggregate_3 = first(x) IGNORE NULLS [FIRST: x, not plain]
--   __winsql_aggregate_4 = listagg(DISTINCT a, ',') WITHIN GROUP (ORDER BY a) FILTER (WHERE b) [LISTAGG: distinct a | ',' filter b, not plain]
--   __winsql_aggregate_5 = count(a, b) [COUNT: a | b]
--   __winsql_aggregate_6 = max_by(a, b) [MAX_BY: a | b]
--   __winsql_aggregate_7 = sum(ALL x) [SUM: x]
--   __winsql_aggregate_8 = builtin.sum(x) [SUM: x]
--   __winsql_aggregate_9 = count(t.*) [COUNT: t.*, not plain]
SELECT __winsql_aggregate_0 AS `count(DISTINCT a)`, __winsql_aggregate_1 AS s, __winsql_aggregate_2 AS `percentile_cont(0.5) WITHIN GROUP (ORDER BY x DESC)`, __winsql_aggregate_3 AS `first(x) IGNORE NULLS`, __winsql_aggregate_4 AS `listagg(DISTINCT a, ',') WITHIN GROUP (ORDER BY a) FILTER (WHERE b)`, __winsql_aggregate_5 AS `count(a, b)`, __winsql_aggregate_6 AS `max_by(a, b)`, __winsql_aggregate_7 AS `sum(ALL x)`, __winsql_aggregate_8 AS `sum(x)`, __winsql_aggregate_9 AS `count(t.*)` FROM r0

# registered and session aggregates
SELECT k, geometric_mean(v) AS g, my_udaf(v, 2), other(k) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = k
--   __winsql_aggregate_0 = geometric_mean(v) [GEOMETRIC_MEAN: v]
--   __winsql_aggregate_1 = my_udaf(v, 2) [MY_UDAF: v | 2]
SELECT __winsql_key_0 AS `k`, __winsql_aggregate_0 AS g, __winsql_aggregate_1 AS `my_udaf(v, 2)`, other(__winsql_key_0) AS `other(k)` FROM r0

# window functions over the results
SELECT carrier, sum(count(*)) OVER (PARTITION BY carrier ORDER BY window_start ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS running, rank() OVER w, lag(sum(delay)) IGNORE NULLS OVER (w) FROM flights WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier WINDOW w AS (ORDER BY sum(delay) DESC), v AS (w)
----
-- r0: AGGREGATE
--   source   flights
--   __winsql_key_0 = carrier
--   __winsql_aggregate_0 = count(*) [COUNT: ]
--   __winsql_aggregate_1 = sum(delay) [SUM: delay]
SELECT __winsql_key_0 AS `carrier`, sum(__winsql_aggregate_0) OVER (PARTITION BY __winsql_key_0 ORDER BY __winsql_window_start ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS running, rank() OVER w AS `rank() OVER w`, lag(__winsql_aggregate_1) IGNORE NULLS OVER (w) AS `lag(sum(delay)) IGNORE NULLS OVER (w)` FROM r0 WINDOW w AS (ORDER BY __winsql_aggregate_1 DESC), v AS (w)

# names that Spark would give
SELECT f.carrier, sum(f.delay), COUNT( DISTINCT f.delay ), Count(1), sum(delay + 1), sum(delay)/2, upper(carrier), 1 + 1, window_start, max(s.a.b), - sum(x) FROM flights f WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier
----
-- r0: AGGREGATE
--   source   flights f
--   __winsql_key_0 = carrier
--   __winsql_aggregate_0 = sum(f.delay) [SUM: f.delay]
--   __winsql_aggregate_1 = COUNT( DISTINCT f.delay ) [COUNT: distinct f.delay]
--   __winsql_aggregate_2 = Count(1) [COUNT: 1]
--   __winsql_aggregate_3 = sum(delay + 1) [SUM: delay + 1]
--   __winsql_aggregate_4 = sum(delay) [SUM: delay]
--   __winsql_aggregate_5 = max(s.a.b) [MAX: s.a.b]
--   __winsql_aggregate_6 = sum(x) [SUM: x]
SELECT __winsql_key_0 AS `carrier`, __winsql_aggregate_0 AS `sum(delay)`, __winsql_aggregate_1 AS `count(DISTINCT delay)`, __winsql_aggregate_2 AS `count(1)`, __winsql_aggregate_3 AS `sum(delay + 1)`, __winsql_aggregate_4/2 AS `sum(delay)/2`, upper(__winsql_key_0) AS `upper(carrier)`, 1 + 1 AS `1 + 1`, __winsql_window_start AS `window_start`, __winsql_aggregate_5 AS `max(s.a.b)`, - __winsql_aggregate_6 AS `- sum(x)` FROM r0

# aliases of every kind
SELECT sum(a) x, sum(b) AS `a b`, CASE WHEN max(a) > 1 THEN 'y' END label, CASE max(a) WHEN 1 THEN 2 END, INTERVAL 1 DAY d, INTERVAL '1 02:00:00' DAY TO SECOND, max(a) IS NULL isnull, first(a) IGNORE NULLS, max(a)::INT, max(a) :: DECIMAL(10, 2) dec, CAST(max(a) AS STRUCT<x: INT, y: MAP<STRING, INT>>) AS st, `k` FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = k
--   __winsql_aggregate_0 = sum(a) [SUM: a]
--   __winsql_aggregate_1 = sum(b) [SUM: b]
--   __winsql_aggregate_2 = max(a) [MAX: a]
--   __winsql_aggregate_3 = first(a) IGNORE NULLS [FIRST: a, not plain]
SELECT __winsql_aggregate_0 AS x, __winsql_aggregate_1 AS `a b`, CASE WHEN __winsql_aggregate_2 > 1 THEN 'y' END AS label, CASE __winsql_aggregate_2 WHEN 1 THEN 2 END AS `CASE max(a) WHEN 1 THEN 2 END`, INTERVAL 1 DAY AS d, INTERVAL '1 02:00:00' DAY TO SECOND AS `INTERVAL '1 02:00:00' DAY TO SECOND`, __winsql_aggregate_2 IS NULL AS isnull, __winsql_aggregate_3 AS `first(a) IGNORE NULLS`, __winsql_aggregate_2::INT AS `max(a)::INT`, __winsql_aggregate_2 :: DECIMAL(10, 2) AS dec, CAST(__winsql_aggregate_2 AS STRUCT<x: INT, y: MAP<STRING, INT>>) AS st, __winsql_key_0 AS `k` FROM r0

# keys by position, alias, expression and qualified name
SELECT upper(carrier) AS c, date_trunc('day', f.ts) AS day, origin, DATE_TRUNC('day', ts) AS again, f.dest FROM flights f WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY 1, day, f.origin, dest
----
-- r0: AGGREGATE
--   source   flights f
--   __winsql_key_0 = upper(carrier)
--   __winsql_key_1 = date_trunc('day', f.ts)
--   __winsql_key_2 = f.origin
--   __winsql_key_3 = dest
SELECT __winsql_key_0 AS c, __winsql_key_1 AS day, __winsql_key_2 AS `origin`, __winsql_key_1 AS again, __winsql_key_3 AS `dest` FROM r0

# an alias that names its own column is the column
SELECT upper(carrier) AS carrier, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = carrier
--   __winsql_aggregate_0 = count(*) [COUNT: ]
SELECT upper(__winsql_key_0) AS carrier, __winsql_aggregate_0 AS `count(1)` FROM r0

# a constant's alias is the column
SELECT 'x' AS carrier, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = carrier
--   __winsql_aggregate_0 = count(*) [COUNT: ]
SELECT 'x' AS carrier, __winsql_aggregate_0 AS `count(1)` FROM r0

# GROUP BY ALL
SELECT carrier, upper(origin) AS o, window_start, 'x' AS c, concat(dest, window_end) AS w, count(*) AS n, n / 2 AS half FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY ALL
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = carrier
--   __winsql_key_1 = upper(origin)
--   __winsql_key_2 = dest
--   __winsql_aggregate_0 = count(*) [COUNT: ]
SELECT __winsql_key_0 AS `carrier`, __winsql_key_1 AS o, __winsql_window_start AS `window_start`, 'x' AS c, concat(__winsql_key_2, __winsql_window_end) AS w, __winsql_aggregate_0 AS n, n / 2 AS half FROM r0

# a key expression inside larger ones
SELECT arr, a + b, (a + b) * 2 AS x, a + b - 1 AS y, -(a + b) AS z, f(a + b, arr[a + b]) AS w, a + b > 3 AS v FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY a + b, arr
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = a + b
--   __winsql_key_1 = arr
SELECT __winsql_key_1 AS `arr`, __winsql_key_0 AS `a + b`, __winsql_key_0 * 2 AS x, __winsql_key_0 - 1 AS y, -__winsql_key_0 AS z, f(__winsql_key_0, __winsql_key_1[__winsql_key_0]) AS w, __winsql_key_0 > 3 AS v FROM r0

# struct fields of a key, and a key that is a field
SELECT s.x.y, s, t.r.z, r.z FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY s, r.z
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = s
--   __winsql_key_1 = r.z
SELECT __winsql_key_0.x.y AS `y`, __winsql_key_0 AS `s`, __winsql_key_1 AS `z`, __winsql_key_1 AS `z` FROM r0

# two keys of the same name
SELECT a.k, b.k AS bk FROM a JOIN b ON a.id = b.id WINDOW ASSIGN TUMBLING(a.ts, '1 hour') GROUP BY a.k, b.k
----
-- r0: AGGREGATE
--   source   a JOIN b ON a.id = b.id
--   __winsql_key_0 = a.k
--   __winsql_key_1 = b.k
SELECT __winsql_key_0 AS `k`, __winsql_key_1 AS bk FROM r0

# PARTITION BY alone and with the same GROUP BY
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY k UNION ALL SELECT t.k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY t.k GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = k
--   __winsql_aggregate_0 = count(*) [COUNT: ]
-- r1: AGGREGATE
--   source   t
--   __winsql_key_0 = k
--   __winsql_aggregate_0 = count(*) [COUNT: ]
SELECT __winsql_key_0 AS `k`, __winsql_aggregate_0 AS `count(1)` FROM r0 UNION ALL SELECT __winsql_key_0 AS `k`, __winsql_aggregate_0 AS `count(1)` FROM r1

# HAVING, QUALIFY, ORDER BY, LIMIT, OFFSET
SELECT carrier AS c, sum(delay) AS total FROM flights f WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier HAVING total > 10 AND c <> 'x' AND count(*) > 1 QUALIFY row_number() OVER (PARTITION BY carrier ORDER BY total) = 1 ORDER BY total DESC, f.carrier, max(delay), window_start LIMIT 10 OFFSET 5
----
-- r0: AGGREGATE
--   source   flights f
--   __winsql_key_0 = carrier
--   __winsql_aggregate_0 = sum(delay) [SUM: delay]
--   __winsql_aggregate_1 = count(*) [COUNT: ]
--   __winsql_aggregate_2 = max(delay) [MAX: delay]
SELECT __winsql_key_0 AS c, __winsql_aggregate_0 AS total FROM r0 WHERE (__winsql_aggregate_0) > 10 AND (__winsql_key_0) <> 'x' AND __winsql_aggregate_1 > 1 QUALIFY row_number() OVER (PARTITION BY __winsql_key_0 ORDER BY total) = 1 ORDER BY total DESC, __winsql_key_0, __winsql_aggregate_2, __winsql_window_start LIMIT 10 OFFSET 5

# an alias comes before a key where it sorts, behind it where it filters
SELECT upper(carrier) AS carrier, count(*) AS n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier HAVING carrier = 'x' AND n > 1 QUALIFY row_number() OVER w = 1 AND carrier = 'x' AND n > 1 WINDOW w AS (ORDER BY carrier, n) ORDER BY carrier, n
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = carrier
--   __winsql_aggregate_0 = count(*) [COUNT: ]
SELECT upper(__winsql_key_0) AS carrier, __winsql_aggregate_0 AS n FROM r0 WHERE __winsql_key_0 = 'x' AND (__winsql_aggregate_0) > 1 WINDOW w AS (ORDER BY __winsql_key_0, n) QUALIFY row_number() OVER w = 1 AND __winsql_key_0 = 'x' AND n > 1 ORDER BY carrier, n

# sorting a DISTINCT result
SELECT DISTINCT carrier, sum(delay) AS s, count(*) FROM flights f WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier ORDER BY sum(delay) DESC NULLS LAST, f.carrier, count(*)
----
-- r0: AGGREGATE
--   source   flights f
--   __winsql_key_0 = carrier
--   __winsql_aggregate_0 = sum(delay) [SUM: delay]
--   __winsql_aggregate_1 = count(*) [COUNT: ]
SELECT DISTINCT __winsql_key_0 AS `carrier`, __winsql_aggregate_0 AS s, __winsql_aggregate_1 AS `count(1)` FROM r0 ORDER BY `s` DESC NULLS LAST, `carrier`, `count(1)`

# generators over aggregates
SELECT k, explode(collect_list(v)) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k ORDER BY ALL
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = k
--   __winsql_aggregate_0 = collect_list(v) [COLLECT_LIST: v]
SELECT __winsql_key_0 AS `k`, explode(__winsql_aggregate_0) FROM r0 ORDER BY ALL

# CLUSTER BY, DISTRIBUTE BY and SORT BY
SELECT k, count(*) n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k DISTRIBUTE BY k SORT BY n, max(v) LIMIT ALL
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = k
--   __winsql_aggregate_0 = count(*) [COUNT: ]
--   __winsql_aggregate_1 = max(v) [MAX: v]
SELECT __winsql_key_0 AS `k`, __winsql_aggregate_0 AS n FROM r0 DISTRIBUTE BY k SORT BY n, __winsql_aggregate_1 LIMIT ALL

# lateral aliases
SELECT sum(v) AS total, total / 2 AS half, k AS total2, sum(v) AS k, k FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = k
--   __winsql_aggregate_0 = sum(v) [SUM: v]
SELECT __winsql_aggregate_0 AS total, total / 2 AS half, __winsql_key_0 AS total2, __winsql_aggregate_0 AS k, __winsql_key_0 AS `k` FROM r0

# lambda variables, named arguments, units and types are no columns
SELECT transform(collect_list(v), v -> v + 1) AS a, filter(collect_list(v), (x, i) -> x > i AND k > 0) AS b, extract(YEAR FROM window_start) AS y, dateadd(DAY, 1, window_start) AS d, trim(BOTH 'x' FROM k) AS s, mask(k, lowerChar => 'q') AS m, cast(k AS DATE) AS e, timestamp '2020-01-01' AS f, :param AS p, k COLLATE UTF8_LCASE AS g, current_date AS h, position('a' IN k) AS i FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = k
--   __winsql_aggregate_0 = collect_list(v) [COLLECT_LIST: v]
SELECT transform(__winsql_aggregate_0, v -> v + 1) AS a, filter(__winsql_aggregate_0, (x, i) -> x > i AND __winsql_key_0 > 0) AS b, extract(YEAR FROM __winsql_window_start) AS y, dateadd(DAY, 1, __winsql_window_start) AS d, trim(BOTH 'x' FROM __winsql_key_0) AS s, mask(__winsql_key_0, lowerChar => 'q') AS m, cast(__winsql_key_0 AS DATE) AS e, timestamp '2020-01-01' AS f, :param AS p, __winsql_key_0 COLLATE UTF8_LCASE AS g, current_date AS h, position('a' IN __winsql_key_0) AS i FROM r0

# subqueries in the select list
SELECT k, (SELECT max(x) FROM u) AS m, (SELECT name FROM names n WHERE n.k = t.k) AS name, exists(SELECT 1 FROM t WHERE t.k = 1) AS e FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k HAVING count(*) > (SELECT avg(c) FROM stats) AND k IN (SELECT k FROM allowed)
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = k
--   __winsql_aggregate_0 = count(*) [COUNT: ]
SELECT __winsql_key_0 AS `k`, (SELECT max(x) FROM u) AS m, (SELECT name FROM names n WHERE n.k = __winsql_key_0) AS name, exists(SELECT 1 FROM t WHERE t.k = 1) AS e FROM r0 WHERE __winsql_aggregate_0 > (SELECT avg(c) FROM stats) AND __winsql_key_0 IN (SELECT k FROM allowed)

# ANY and SOME behind LIKE
SELECT k, any(v > 1), some(v > 2), k LIKE ANY ('a%', 'b%') AS l, k NOT ILIKE SOME ('x') AS m FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = k
--   __winsql_aggregate_0 = any(v > 1) [ANY: v > 1]
--   __winsql_aggregate_1 = some(v > 2) [SOME: v > 2]
SELECT __winsql_key_0 AS `k`, __winsql_aggregate_0 AS `any(v > 1)`, __winsql_aggregate_1 AS `some(v > 2)`, __winsql_key_0 LIKE ANY ('a%', 'b%') AS l, __winsql_key_0 NOT ILIKE SOME ('x') AS m FROM r0

# fields named after expressions
SELECT struct(k, K AS x, (t.k), s.a, sum(v), window_start), (k, 1) AS row, (k, 1) IN ((k, 2), ('a', sum(v))) AS i, arrays_zip(k, collect_list(v)), transform(array(1), x -> struct(x, k)), named_struct('a', k), coalesce(k, 'x') FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k, s.a
----
-- r0: AGGREGATE
--   source   t
--   __winsql_key_0 = k
--   __winsql_key_1 = s.a
--   __winsql_aggregate_0 = sum(v) [SUM: v]
--   __winsql_aggregate_1 = collect_list(v) [COLLECT_LIST: v]
SELECT struct(__winsql_key_0 AS `k`, __winsql_key_0 AS x, __winsql_key_0 AS `k`, __winsql_key_1 AS `a`, __winsql_aggregate_0 AS col5, __winsql_window_start AS `window_start`) AS `struct(k, K AS x, (t.k), s.a, sum(v), window_start)`, (__winsql_key_0 AS `k`, 1) AS row, (__winsql_key_0, 1) IN ((__winsql_key_0 AS `k`, 2), ('a', __winsql_aggregate_0 AS col2)) AS i, arrays_zip(struct(__winsql_key_0 AS `k`).`k`, coalesce(__winsql_aggregate_1)) AS `arrays_zip(k, collect_list(v))`, transform(array(1), x -> struct(x, __winsql_key_0 AS `k`)) AS `transform(array(1), x -> struct(x, k))`, named_struct('a', __winsql_key_0) AS `named_struct('a', k)`, coalesce(__winsql_key_0, 'x') AS `coalesce(k, 'x')` FROM r0
