# aggregation: plain
SELECT k, window_start, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k

# aggregation: renamed twice through nested SELECTs with a computed column and a WHERE
SELECT b.name, b.s, b.e, sum(b.w) AS total
FROM (SELECT a.key AS name, a.ws AS s, a.we AS e, a.v2 + 1 AS w FROM
  (SELECT k AS key, window_start AS ws, window_end AS we, v * 2 AS v2, n FROM T) a WHERE a.n % 3 <> 0) b
GROUP BY b.s, b.e, b.name

# aggregation: CTE with a column list
WITH w(key, at, value, number, s, e, m) AS (SELECT k, ts, v, n, window_start, window_end, window_time FROM T)
SELECT key, s, e, count(*) AS c, max(value) AS top FROM w GROUP BY s, e, key

# aggregation: CTE over a CTE of the same name, GROUP BY ALL
WITH w AS (WITH w AS (SELECT * FROM T WHERE v > 2) SELECT *, upper(k) AS big FROM w)
SELECT window_start, window_end, big, sum(v) AS total FROM w GROUP BY ALL

# aggregation: window columns as GROUP BY ordinals
SELECT window_start, window_end, k, avg(v) AS mean FROM T GROUP BY 1, 2, 3

# aggregation: aliases in backquotes, other case
SELECT `X`.`K`, X.Window_Start AS `The Start`, `x`.`WINDOW_END`, COUNT(*) AS `how many` FROM T AS `x`
GROUP BY x.WINDOW_START, `X`.window_end, K

# aggregation: aliases of window columns in GROUP BY
SELECT window_start AS s, window_end AS e, k AS name, count(*) AS c FROM T GROUP BY s, e, name

# aggregation: * EXCEPT (window_start)
SELECT window_end, k, count(*) AS c FROM (SELECT * EXCEPT (window_start) FROM T) GROUP BY window_end, k

# aggregation: UNION ALL of two under a GROUP BY
SELECT window_start, window_end, k, count(*) AS c, sum(v) AS s
FROM (SELECT * FROM T UNION ALL SELECT * FROM U) GROUP BY window_start, window_end, k

# aggregation: UNION ALL of a renamed one and a CTE
WITH u AS (SELECT k AS name, window_start AS a, window_end AS b, n AS x FROM U)
SELECT z.a, z.b, count(*) AS c, max(x) AS m
FROM (SELECT k AS name, window_start AS a, window_end AS b, n + 1 AS x FROM T UNION ALL SELECT * FROM u) AS z GROUP BY z.a, z.b

# aggregation: a filter on window_start between function and GROUP BY
SELECT k, window_start, window_end, sum(v) AS s FROM (SELECT * FROM T WHERE window_start >= TIMESTAMP'2024-01-01 00:01:00') GROUP BY window_start, window_end, k

# aggregation: a filter on window_start beside GROUP BY
SELECT k, window_start, window_end, sum(v) AS s FROM T WHERE window_start >= TIMESTAMP'2024-01-01 00:01:00' GROUP BY window_start, window_end, k

# aggregation: a filter on the row's place in its window
SELECT k, window_end, count(*) AS c FROM T WHERE ts < window_start + INTERVAL 10 SECONDS GROUP BY window_start, window_end, k

# aggregation: a computed column of the window
SELECT k, window_end, max(age) AS oldest FROM (SELECT *, unix_timestamp(window_end) - unix_timestamp(ts) AS age FROM T) GROUP BY window_start, window_end, k

# aggregation: LATERAL VIEW explode after
SELECT x, window_start, window_end, count(*) AS c FROM T LATERAL VIEW explode(array(n % 2, n % 3)) e AS x GROUP BY window_start, window_end, x

# aggregation: LATERAL explode
SELECT x, window_start, window_end, count(*) AS c FROM T, LATERAL explode(array(n % 2, n % 3)) AS e(x) GROUP BY window_start, window_end, x

# aggregation: by window_end alone
SELECT window_end, count(*) AS c FROM T GROUP BY window_end

# aggregation: by window_time
SELECT window_time, k, count(*) AS c FROM T GROUP BY window_time, k

# aggregation: an alias with columns
SELECT g.key, g.s, g.e, count(*) AS c FROM (SELECT k, window_start, window_end FROM T) AS g(key, s, e) GROUP BY g.s, g.e, g.key

# aggregation: HAVING and ORDER BY window inside a subquery in brackets
((SELECT k, window_start, window_end, sum(v) AS total FROM ((SELECT * FROM T)) GROUP BY (window_start), (window_end), k HAVING sum(v) > 4))

# aggregation: DISTINCT over the windows
SELECT DISTINCT k, window_start, window_end FROM T

# aggregation: DISTINCT over a subquery
SELECT DISTINCT s, e FROM (SELECT window_start AS s, window_end AS e, k FROM T)

# aggregation: a joined lookup table after
SELECT d.label, window_start, window_end, count(*) AS c FROM T JOIN names d ON k = d.id GROUP BY window_start, window_end, d.label

# aggregation: a lookup table first in FROM
SELECT d.label, w.window_start, w.window_end, count(*) AS c FROM names d JOIN T w ON w.k = d.id GROUP BY w.window_start, w.window_end, d.label

# sets: ROLLUP beside the windows
SELECT window_start, window_end, k, count(*) AS c FROM T GROUP BY window_start, window_end, ROLLUP(k)

# sets: GROUPING SETS that hold the windows
SELECT window_start, window_end, k, n % 2 AS odd, count(*) AS c FROM T
GROUP BY GROUPING SETS ((window_start, window_end, k), (window_start, window_end, n % 2), (window_start, window_end))

# sets: CUBE before the windows, GROUPING_ID
SELECT window_start, window_end, k, grouping_id(k) AS g, sum(v) AS s FROM T GROUP BY CUBE(k), window_start, window_end

# rank: Top-N of groups as Flink writes it
SELECT * FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY total DESC, k) AS place FROM
  (SELECT window_start, window_end, k, sum(v) AS total FROM T GROUP BY window_start, window_end, k)) WHERE place <= 2

# rank: deduplication, the last row of a key
SELECT k, n, window_start FROM (
  SELECT k, n, window_start, window_end, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY ts DESC, n) AS r FROM T
) AS d WHERE d.r = 1

# join: ON with subqueries
SELECT L.k, L.n, R.n AS m, L.window_end FROM (SELECT * FROM T) L JOIN (SELECT * FROM U) R
ON L.k = R.k AND L.window_start = R.window_start AND L.window_end = R.window_end

# join: USING
SELECT k, window_start, window_end, l.n, r.n AS m FROM T l JOIN U r USING (window_start, window_end, k)

# join: NATURAL
SELECT k, a, b, window_end FROM (SELECT k, n AS a, window_start, window_end FROM T) NATURAL JOIN (SELECT k, n AS b, window_start, window_end FROM U)

# join: a comma and WHERE
SELECT l.k, l.n, r.n AS m, r.window_end FROM T l, U r WHERE l.k = r.k AND l.window_start = r.window_start AND (r.window_end = l.window_end)

# join: CROSS JOIN and WHERE
SELECT l.k, l.n, r.n AS m, r.window_end FROM T l CROSS JOIN U r WHERE l.k = r.k AND l.window_end = r.window_end AND r.window_start = l.window_start

# join: LEFT with a residual condition
SELECT L.k, L.n, R.n AS m, L.window_end FROM T L LEFT OUTER JOIN U R
ON L.window_end = R.window_end AND L.window_start = R.window_start AND L.k = R.k AND L.n < R.n

# join: RIGHT
SELECT R.k, L.n, R.n AS m, R.window_end FROM T L RIGHT JOIN U R ON L.window_end = R.window_end AND L.window_start = R.window_start AND L.k = R.k

# join: FULL with coalesced windows
SELECT coalesce(L.k, R.k) AS key, L.n, R.n AS m, coalesce(L.window_end, R.window_end) AS e FROM T L FULL OUTER JOIN U R
ON L.window_end = R.window_end AND L.window_start = R.window_start AND L.k = R.k

# join: LEFT SEMI and renamed windows
SELECT l.k, l.n, l.e FROM (SELECT k, n, window_start AS s, window_end AS e FROM T) l LEFT SEMI JOIN
  (SELECT k AS key, window_start AS a, window_end AS b FROM U) r ON l.k = r.key AND l.s = r.a AND l.e = r.b

# join: LEFT ANTI
SELECT l.k, l.n, l.window_end FROM T l LEFT ANTI JOIN U r ON l.k = r.k AND l.window_start = r.window_start AND l.window_end = r.window_end

# join: keys that may be NULL
SELECT l.k, l.n, r.n AS m, l.window_end FROM T l JOIN U r ON l.k IS NOT DISTINCT FROM r.k AND l.window_start = r.window_start AND l.window_end = r.window_end

# join: of two grouped subqueries with bare names in ON
SELECT a, b, c, d, e FROM (SELECT k AS a, count(*) AS c, window_start AS s, window_end AS e FROM T GROUP BY k, window_start, window_end)
JOIN (SELECT k AS b, max(v) AS d, window_start AS s2, window_end AS e2 FROM U GROUP BY k, window_start, window_end) ON a = b AND s = s2 AND e = e2

# join: of two grouped CTEs by USING
WITH x AS (SELECT k, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k),
     y AS (SELECT k, window_end, max(v) AS m FROM U GROUP BY window_start, window_end, k)
SELECT k, c, m, window_end FROM x JOIN y USING (k, window_end)

# join: a groups' maximum beside its groups
SELECT g.k, g.c, g.e FROM (SELECT k, count(*) AS c, window_start AS s, window_end AS e FROM T GROUP BY k, window_start, window_end) g
JOIN (SELECT max(c) AS most, s, e FROM (SELECT count(*) AS c, window_start AS s, window_end AS e FROM T GROUP BY k, window_start, window_end) GROUP BY s, e) m
ON g.s = m.s AND g.e = m.e AND g.c = m.most

# semi: EXISTS with extra conditions
SELECT l.k, l.n, l.window_end FROM T l WHERE l.v > 1 AND EXISTS
(SELECT 1 FROM U r WHERE r.k = l.k AND r.window_start = l.window_start AND r.window_end = l.window_end AND r.n > l.n)

# semi: NOT EXISTS
SELECT k, n, window_end FROM T l WHERE NOT EXISTS
(SELECT * FROM U r WHERE r.k = l.k AND r.window_start = l.window_start AND r.window_end = l.window_end)

# semi: IN
SELECT l.k, l.n, l.window_end FROM T l WHERE l.k IN (SELECT k FROM U r WHERE r.window_start = l.window_start AND r.window_end = l.window_end)

# semi: NOT IN over function rows
SELECT l.k, l.n, l.window_end FROM T l WHERE l.n + 1 NOT IN (SELECT n FROM U r WHERE r.window_start = l.window_start AND r.window_end = l.window_end)

# semi: EXISTS between two grouped windows
SELECT * FROM (SELECT k, count(*) AS c, window_start, window_end FROM T GROUP BY k, window_start, window_end) L WHERE EXISTS
(SELECT * FROM (SELECT k, window_start, window_end FROM U GROUP BY k, window_start, window_end) R
 WHERE L.k = R.k AND L.window_start = R.window_start AND L.window_end = R.window_end)

# semi: NOT EXISTS between two grouped windows
SELECT * FROM (SELECT k, count(*) AS c, window_start, window_end FROM T GROUP BY k, window_start, window_end) L WHERE NOT EXISTS
(SELECT * FROM (SELECT k, window_start, window_end FROM U GROUP BY k, window_start, window_end) R
 WHERE L.k = R.k AND L.window_start = R.window_start AND L.window_end = R.window_end)

# semi: IN between two grouped windows
SELECT * FROM (SELECT k, count(*) AS c, window_start, window_end FROM T GROUP BY k, window_start, window_end) L WHERE L.k IN
(SELECT k FROM (SELECT k, window_start, window_end FROM U GROUP BY k, window_start, window_end) R
 WHERE L.window_start = R.window_start AND L.window_end = R.window_end)

# semi: NOT IN between two grouped windows
SELECT * FROM (SELECT k, count(*) AS c, window_start, window_end FROM T GROUP BY k, window_start, window_end) L WHERE L.c NOT IN
(SELECT d FROM (SELECT count(*) AS d, window_start, window_end FROM U GROUP BY k, window_start, window_end) R
 WHERE L.window_start = R.window_start AND L.window_end = R.window_end)

# cascade: a WINDOW ASSIGN query in brackets grouped by its renamed window_end
SELECT max(c) AS most, e FROM (SELECT k, count(*) AS c, window_end AS e FROM E WINDOW ASSIGN TUMBLING(ts, '30 seconds') GROUP BY k) GROUP BY e

# cascade: grouped twice
SELECT sum(most) AS s, z FROM (SELECT max(c) AS most, odd, e AS z FROM
  (SELECT k, n % 2 AS odd, count(*) AS c, window_end AS e FROM E WINDOW ASSIGN TUMBLING(ts, '30 seconds') GROUP BY k, n % 2) GROUP BY odd, e) GROUP BY z

# cascade: longer windows over window_time
SELECT window_start, window_end, sum(c) AS s FROM TABLE(TUMBLE(TABLE (SELECT k, window_time AS rt, count(*) AS c FROM T GROUP BY window_start, window_end, window_time, k), DESCRIPTOR(rt), INTERVAL '1' MINUTE))
GROUP BY window_start, window_end

# cascade: sets over results
SELECT e, odd, sum(c) AS s FROM (SELECT n % 2 AS odd, count(*) AS c, window_end AS e FROM T GROUP BY window_start, window_end, n % 2) GROUP BY e, ROLLUP(odd)

# aggregation: a hopping window through a CTE, other case
with W as (select * FROM H) SELECT w.K, W.window_END as e, Sum(V) AS s FROM w group by W.WINDOW_START, w.window_end, K

# aggregation: GROUP BY ALL over renamed windows
SELECT s AS begin, upper(name) AS up, e, count(*) AS c FROM (SELECT k AS name, window_start AS s, window_end AS e FROM T) GROUP BY ALL

# aggregation: a table with an alias list in brackets
SELECT x.e, min(x.a) AS low FROM (SELECT n, window_end FROM T WHERE k IS NOT NULL) AS x(a, e) GROUP BY x.e HAVING count(*) > 1

# aggregation: window columns in an aggregate's FILTER and ORDER
SELECT window_end, count(*) FILTER (WHERE ts >= window_start + INTERVAL 15 SECONDS) AS late_half FROM T GROUP BY window_start, window_end

# aggregation: a LEFT JOIN with a lookup table
SELECT window_end, coalesce(d.label, 'none') AS label, count(*) AS c FROM T LEFT JOIN names d ON k = d.id GROUP BY window_end, coalesce(d.label, 'none')

# aggregation: sessions grouped by another key than theirs
SELECT window_end, n % 2 AS odd, count(*) AS c FROM TABLE(SESSION(TABLE events_{t} PARTITION BY k, DESCRIPTOR(ts), INTERVAL '4' SECONDS)) GROUP BY window_end, n % 2

# aggregation: cumulating windows, the end alone
SELECT window_end AS e, count(DISTINCT k) AS kinds FROM TABLE(CUMULATE(TABLE events_{t}, DESCRIPTOR(ts), INTERVAL '10' SECONDS, INTERVAL '30' SECONDS)) GROUP BY window_end

# join: LEFT with USING
SELECT *  FROM (SELECT k, n AS a, window_end FROM T) LEFT JOIN (SELECT k, n AS b, window_end FROM U) USING (k, window_end)

# join: FULL with USING
SELECT k, a, b, window_end AS e FROM (SELECT k, n AS a, window_end FROM T) l FULL JOIN (SELECT k, n AS b, window_end FROM U) r USING (k, window_end)

# join: by window_time
SELECT l.k, l.n, r.n AS m FROM (SELECT *, ts AS t FROM T) l JOIN (SELECT *, ts AS t FROM U) r ON l.window_end = r.window_end AND l.k = r.k AND l.t < r.t

# join: an INNER JOIN whose windows are in WHERE
SELECT l.k, l.n, r.n AS m, l.window_end FROM T l INNER JOIN U r ON l.k = r.k WHERE l.window_end = r.window_end AND l.window_start = r.window_start AND l.n > 20

# join: CTEs, renamed, in brackets
WITH a AS (SELECT k AS x, n AS p, window_end AS e FROM T), b AS (SELECT k AS y, n AS q, window_end AS f FROM U) SELECT a.x, p, q, (a.e) AS e FROM a JOIN b ON (x = y) AND (a.e = b.f) AND (p < q OR q = 3)

# join: of a hopping window with groups of it
SELECT h.k, h.c, m.c AS all_rows, h.e FROM (SELECT k, count(*) AS c, window_start AS s, window_end AS e FROM H GROUP BY k, window_start, window_end) h JOIN (SELECT count(*) AS c, window_start AS s, window_end AS e FROM H GROUP BY window_start, window_end) m USING (s, e)

# semi: NOT IN with keys that are known
SELECT l.k, l.n, l.window_end FROM T l WHERE l.n % 4 NOT IN (SELECT n % 7 FROM U r WHERE r.window_end = l.window_end AND r.k = l.k)

# semi: NOT before IN
SELECT k, n FROM T l WHERE NOT n % 4 IN (SELECT r.n % 7 FROM U AS r WHERE l.window_end = r.window_end AND r.k = l.k)

# semi: IN of two columns
SELECT l.k, l.n FROM T l WHERE (l.k, l.window_end) IN (SELECT r.k, r.window_end FROM U r WHERE r.window_end = l.window_end AND r.n < l.n)

# semi: EXISTS over a CTE that groups
WITH g AS (SELECT k AS name, window_end AS e, count(*) AS c FROM U GROUP BY window_start, window_end, k), h AS (SELECT k, window_end AS e, max(n) AS m FROM T GROUP BY window_start, window_end, k) SELECT h.k, h.m, h.e FROM h WHERE EXISTS (SELECT 1 FROM g WHERE g.name = h.k AND g.e = h.e AND g.c > 4)

# cascade: a join grouped by a SELECT around it
SELECT e, count(*) AS pairs, sum(a + b) AS s FROM (SELECT l.n AS a, r.n AS b, l.window_end AS e FROM T l JOIN U r ON l.k = r.k AND l.window_end = r.window_end) GROUP BY e

# cascade: a semi join grouped by a SELECT around it
SELECT window_end, count(*) AS c FROM (SELECT * FROM T l WHERE EXISTS (SELECT 1 FROM U r WHERE r.window_end = l.window_end AND r.k = l.k AND r.n > l.n)) GROUP BY window_end

# rank: ranking over a CTE that groups, renamed
WITH g AS (SELECT k AS name, count(*) AS c, window_start AS s, window_end AS e FROM T GROUP BY window_start, window_end, k)
SELECT name, c, e FROM (SELECT g.name, c, g.e, row_number() OVER (PARTITION BY g.s, g.e ORDER BY c DESC, name) AS place FROM g) WHERE place <= 2

# rank: QUALIFY over rows
SELECT k, n, window_end FROM T X QUALIFY row_number() OVER (PARTITION BY X.window_start, `window_end`, k ORDER BY ts DESC, n) = 1

# rank: QUALIFY by alias, star
SELECT *, row_number() OVER (PARTITION BY window_end, k ORDER BY v, n) AS rn FROM T QUALIFY rn <= 2

# rank: a named window
SELECT k, n, place FROM (SELECT k, n, rank() OVER w AS place FROM T WINDOW w AS (PARTITION BY window_start, window_end, k ORDER BY v)) WHERE place = 1

# rank: groups ranked in the same SELECT
SELECT k, window_end, c FROM (SELECT k, window_end, count(*) AS c, rank() OVER (PARTITION BY window_end ORDER BY count(*) DESC) AS r FROM T GROUP BY window_start, window_end, k) WHERE r < 3

# rank: groups ranked by QUALIFY
SELECT k, window_end, sum(v) AS total FROM T GROUP BY window_start, window_end, k HAVING count(*) > 1 QUALIFY row_number() OVER (PARTITION BY window_start, window_end ORDER BY total DESC, k) <= 2

# rank: two rankings in one SELECT
SELECT k, n, a, b FROM (SELECT k, n, row_number() OVER (PARTITION BY window_end ORDER BY v DESC, n) AS a, dense_rank() OVER (PARTITION BY window_start, window_end, k ORDER BY v DESC) AS b FROM T) WHERE a <= 5 AND b = 1

# rank: rn < 2, nested several levels
SELECT kk, m FROM (SELECT * FROM (SELECT x.key AS kk, x.number AS m, x.r AS place FROM (SELECT k AS key, n AS number, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY v, n) AS r FROM T) x) y WHERE y.m > 3) z WHERE (2 > z.place)

# rank: 1 = rn
SELECT k, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY n) AS rn FROM (SELECT * FROM T WHERE v > 1)) WHERE 1 = rn

# rank: renamed columns between
SELECT name, m, e FROM (SELECT name, m, e, ROW_NUMBER() OVER (PARTITION BY s, e, name ORDER BY at DESC, m) AS rn FROM (SELECT k AS name, ts AS at, n AS m, window_start AS s, window_end AS e FROM T)) WHERE rn = 1

# rank: a filter on window_start before
SELECT k, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_end, k ORDER BY n) AS rn FROM T WHERE window_start >= TIMESTAMP'2024-01-01 00:01:00') WHERE rn = 1

# rank: hopping windows
SELECT k, n, window_end FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY v DESC, n) AS rn FROM H) WHERE rn <= 3

# rank: grouped again
SELECT e, count(*) AS c, max(n) AS m FROM (SELECT n, e FROM (SELECT n, window_end AS e, ROW_NUMBER() OVER (PARTITION BY window_end, k ORDER BY n) AS rn FROM T) WHERE rn <= 2) GROUP BY e

# rank: with a lookup table
SELECT label, n, e FROM (SELECT d.label, t.n, t.window_end AS e, ROW_NUMBER() OVER (PARTITION BY t.window_end, d.label ORDER BY t.n) AS rn FROM T t JOIN names d ON t.k = d.id) WHERE rn = 1

# rank: over results of WINDOW ASSIGN
SELECT k, c, e FROM (SELECT *, RANK() OVER (PARTITION BY e ORDER BY c DESC) AS r FROM (SELECT k, count(*) AS c, window_end AS e FROM E WINDOW ASSIGN TUMBLING(ts, '30 seconds') GROUP BY k)) WHERE r = 1

# rank: over a join
SELECT k, a, b, e FROM (SELECT k, a, b, e, ROW_NUMBER() OVER (PARTITION BY e, k ORDER BY a, b) AS r FROM (SELECT l.k, l.n AS a, r.n AS b, l.window_end AS e FROM T l JOIN U r ON l.k = r.k AND l.window_end = r.window_end)) WHERE r = 1

# rank: CLUSTER and SORT
SELECT k, n FROM (SELECT k, n, ROW_NUMBER() OVER (DISTRIBUTE BY window_end, k SORT BY n DESC NULLS LAST) AS r FROM T) WHERE r = 1

# aggregation: sessions of the rows that WHERE keeps
SELECT k, window_end, sum(n) AS s, count(*) AS c FROM TABLE(SESSION(TABLE events_{t} PARTITION BY k, DESCRIPTOR(ts), INTERVAL '4' SECONDS)) AS w WHERE w.n % 3 <> 0 GROUP BY k, window_start, window_end

# aggregation: sessions of the rows that a subquery keeps
SELECT x.k, window_end, sum(x.n) AS s, count(*) AS c FROM (SELECT * FROM TABLE(SESSION(TABLE events_{t} PARTITION BY k, DESCRIPTOR(ts), INTERVAL '4' SECONDS)) AS w WHERE w.n % 3 <> 0) AS x WHERE n % 2 <> 0 GROUP BY x.k, x.window_start, x.window_end

# rank: sessions of all rows, of which WHERE keeps some
SELECT k, n, window_end FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY n DESC) AS r FROM TABLE(SESSION(TABLE events_{t} PARTITION BY k, DESCRIPTOR(ts), INTERVAL '4' SECONDS)) WHERE n % 3 <> 0) WHERE r = 1

# rank: sessions
SELECT k, n, window_end FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY n DESC) AS r FROM TABLE(SESSION(TABLE events_{t} PARTITION BY k, DESCRIPTOR(ts), INTERVAL '4' SECONDS))) WHERE r = 1

# rank: window_time
SELECT k, n, window_time FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_time, k ORDER BY n DESC) AS r FROM T) WHERE r = 1

# rank: unnamed
SELECT k, n, row_number() OVER (PARTITION BY window_end, k ORDER BY n) FROM T

# cascade: DISTINCT over a join
SELECT DISTINCT l.k, l.window_end FROM T l, U r WHERE l.k = r.k AND l.window_end = r.window_end AND l.n > r.n

# rank: a join ranked at once
SELECT k, a, b FROM (SELECT l.k, l.n AS a, r.n AS b, row_number() OVER (PARTITION BY l.window_end, l.k ORDER BY l.n, r.n) AS place FROM T l JOIN U r ON l.k = r.k AND l.window_end = r.window_end) WHERE place <= 2

# rank: a join ranked by QUALIFY
SELECT l.*, r.n AS m FROM T l JOIN U r ON l.k = r.k AND l.window_end = r.window_end QUALIFY rank() OVER (PARTITION BY r.window_end ORDER BY l.n + r.n DESC) = 1

# join: rows with results
SELECT t.k, t.n, g.c, t.window_end FROM T t JOIN (SELECT k, count(*) AS c, window_end FROM T GROUP BY window_start, window_end, k) g ON t.k = g.k AND t.window_end = g.window_end

# aggregation: UNION ALL of results
SELECT e, sum(c) AS s FROM (SELECT window_end AS e, count(*) AS c FROM T GROUP BY window_start, window_end, k UNION ALL SELECT window_end, max(n) FROM U GROUP BY window_start, window_end) GROUP BY e

# rank: EXISTS over the ranked
SELECT l.k, l.n FROM T l WHERE EXISTS (SELECT 1 FROM (SELECT k, n, window_end FROM T QUALIFY row_number() OVER (PARTITION BY window_end ORDER BY n) <= 3) r WHERE r.window_end = l.window_end AND r.k = l.k)

# rank: groups of WINDOW ASSIGN ranked by QUALIFY
SELECT k, count(*) AS c, window_end FROM E WINDOW ASSIGN TUMBLING(ts, '30 seconds') GROUP BY k QUALIFY row_number() OVER (PARTITION BY window_start ORDER BY count(*) DESC, k) = 1

# rank: rows of WINDOW ASSIGN
SELECT k, n, e FROM (SELECT k, n, window_end AS e, rank() OVER w AS r FROM E WINDOW ASSIGN TUMBLING(ts, '30 seconds') WINDOW w AS (PARTITION BY window_end, k ORDER BY v)) WHERE r = 1

# cascade: a join grouped at once
SELECT l.window_end, count(*) AS pairs, sum(l.n + r.n) AS s FROM T l JOIN U r ON l.k = r.k AND l.window_end = r.window_end WHERE l.n < r.n GROUP BY l.window_end

# cascade: a join by USING grouped at once
SELECT k, window_end, count(*) AS pairs, max(l.v) AS m FROM T l LEFT JOIN U r USING (window_start, window_end, k) GROUP BY window_start, window_end, k

# join: results with rows of a subquery by USING
SELECT k, m, n, window_end AS e FROM (SELECT k, max(n) AS m, window_end FROM T GROUP BY window_start, window_end, k) g LEFT JOIN (SELECT k, n, window_end FROM U WHERE v > 2) u USING (window_end, k)

# join: rows with the first of them
SELECT t.k, t.n, f.n AS first FROM T t JOIN (SELECT k, n, window_end FROM T QUALIFY row_number() OVER (PARTITION BY window_end, k ORDER BY n) = 1) f ON t.k = f.k AND t.window_end = f.window_end AND t.n > f.n

# aggregation: UNION ALL of inputs
SELECT k, window_end, count(*) AS c FROM TABLE(TUMBLE(TABLE (SELECT k, ts, n FROM E UNION ALL SELECT upper(k), ts, n FROM E WHERE n > 5), DESCRIPTOR(ts), INTERVAL '30' SECONDS)) GROUP BY window_start, window_end, k

# rank: UNION ALL of two
SELECT k, n, e FROM (SELECT *, row_number() OVER (PARTITION BY e, k ORDER BY n DESC) AS r FROM (SELECT k, n, window_end AS e FROM T UNION ALL SELECT k, n + 1000, window_end FROM U)) WHERE r <= 2

# rank: the ranked grouped by ROLLUP
SELECT window_end, k, count(*) AS c FROM (SELECT *, rank() OVER (PARTITION BY window_end ORDER BY v) AS r FROM T) WHERE r < 4 GROUP BY window_end, ROLLUP(k)

# rank: a ranking of the ranked
SELECT k, n FROM (SELECT k, n, rank() OVER (PARTITION BY window_end ORDER BY n) AS r2 FROM (SELECT *, row_number() OVER (PARTITION BY window_start, window_end, k ORDER BY v, n) AS r FROM T) WHERE r <= 3) WHERE r2 = 1

# rank: HAVING before the rank
SELECT k, c, window_end FROM (SELECT k, count(*) AS c, window_end, dense_rank() OVER (PARTITION BY window_end ORDER BY count(*)) AS d FROM T GROUP BY window_end, k HAVING count(*) > 2) WHERE d = 1

# rank: backquotes, other case, ROWS frame
SELECT `K`, N FROM (SELECT `x`.`k`, X.N, Row_Number() OVER (PARTITION BY `X`.Window_End, x.`k` ORDER BY x.v DESC NULLS LAST, X.n ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS `Place No` FROM T AS `x`) WHERE `place no` = 1

# rank: named windows by brackets and another name
SELECT k, n, a FROM (SELECT k, n, rank() OVER (w2) AS a, row_number() OVER w AS b FROM T WINDOW w AS (PARTITION BY window_end, k ORDER BY n), w2 AS w) WHERE b <= 2

# semi: groups directly over EXISTS
SELECT l.k, count(*) AS c, max(n), l.window_end FROM T l WHERE l.v > 1 AND EXISTS
(SELECT 1 FROM U r WHERE r.k = l.k AND r.window_end = l.window_end) GROUP BY l.k, l.window_start, l.window_end HAVING count(*) > 1

# semi: groups of groups directly over IN
SELECT L.window_end, sum(c) AS c, L.window_start + INTERVAL 1 DAY AS d FROM (SELECT k, count(*) AS c, window_start, window_end FROM T GROUP BY k, window_start, window_end) L
WHERE L.k IN (SELECT k FROM (SELECT k, window_end FROM U GROUP BY k, window_start, window_end) R WHERE L.window_end = R.window_end) GROUP BY 1, L.window_start

# semi: a rank directly over NOT IN
SELECT * EXCEPT (c), row_number() OVER (PARTITION BY window_end ORDER BY c, k) AS rn FROM (SELECT k, count(*) AS c, window_start, window_end FROM T GROUP BY k, window_start, window_end) L
WHERE L.c NOT IN (SELECT d FROM (SELECT count(*) AS d, window_end FROM U GROUP BY k, window_start, window_end) R WHERE L.window_end = R.window_end) QUALIFY rn < 3

# semi: DISTINCT directly over NOT EXISTS between rows and groups
SELECT DISTINCT k, window_end FROM T l WHERE NOT EXISTS (SELECT * FROM (SELECT k, count(*) AS c, window_end FROM U GROUP BY k, window_start, window_end) r WHERE r.k = l.k AND r.window_end = l.window_end AND c > l.n)

# cascade: WINDOW JOIN grouped at once
SELECT x.k, window_start AS s, window_end, count(y.n) AS c, max(y.v) AS m
FROM E x LEFT WINDOW JOIN (SELECT * FROM events_{t} WHERE n % 5 < 3) y ON x.k = y.k AND x.n < y.n
WINDOW ASSIGN TUMBLING((x.ts, y.ts), '30 seconds') GROUP BY x.k, s, window_end HAVING count(*) > 1

# rank: WINDOW JOIN ranked by QUALIFY, a named window
SELECT x.*, y.n AS m, window_end FROM E x WINDOW JOIN (SELECT * FROM events_{t} WHERE n % 5 < 3) y ON x.k = y.k AND x.n < y.n
WINDOW ASSIGN TUMBLING((x.ts, y.ts), '30 seconds')
QUALIFY row_number() OVER w <= 2 WINDOW w AS (PARTITION BY window_start, window_end ORDER BY x.v DESC, x.n, y.n)

# cascade: DISTINCT over WINDOW JOIN
SELECT DISTINCT x.k, window_end FROM E x SEMI WINDOW JOIN (SELECT * FROM events_{t} WHERE n % 5 < 3) y ON x.k = y.k AND x.n < y.n
WINDOW ASSIGN TUMBLING((x.ts, y.ts), '30 seconds')

# semi: EXISTS over windows beside EXISTS over a table
SELECT l.k, count(*) AS c, l.window_end FROM T l WHERE EXISTS (SELECT 1 FROM names d WHERE d.id = l.k)
AND EXISTS (SELECT 1 FROM U r WHERE r.window_end = l.window_end AND r.k = l.k AND r.n > l.n) GROUP BY l.k, l.window_end

# semi: EXISTS over windows of a stream beside one over windows of a table
SELECT l.k, l.n, l.window_end FROM T l WHERE EXISTS (SELECT 1 FROM U r WHERE r.window_end = l.window_end AND r.k = l.k AND r.n > l.n)
AND EXISTS (SELECT 1 FROM TABLE(TUMBLE(TABLE events_table, DESCRIPTOR(ts), INTERVAL '30' SECONDS)) s WHERE s.window_end = l.window_end AND s.k = l.k AND s.v < l.v)

# view: its rows grouped, under other names
SELECT x.e, x.name, count(*) AS c FROM (SELECT window_end AS e, k AS name FROM rows_{t} WHERE v > 1) x GROUP BY ALL

# view: its results grouped
SELECT `the end`, sum(c) AS s FROM results_{t} GROUP BY `the end`

# view: its results ranked
SELECT name, c, `the end` FROM results_{t} QUALIFY rank() OVER (PARTITION BY `the end` ORDER BY c DESC) = 1

# view: its rows with its results
SELECT r.k, r.n, g.c FROM rows_{t} r JOIN results_{t} g ON r.k = g.name AND r.window_end = g.`the end`

# join: * EXCEPT
SELECT * EXCEPT (r.window_start, r.window_end, r.window_time, r.ts, r.v, r.n) FROM (SELECT * FROM T) l JOIN (SELECT *, n AS m FROM U) r USING (k) WHERE l.window_end = r.window_end AND l.n < r.n

# semi: EXISTS in brackets, and more of them
SELECT k, n, window_end FROM T l WHERE (NOT (NOT ((EXISTS ((SELECT 1 FROM U r WHERE r.k = l.k AND r.window_end = l.window_end))))) AND (n > 3))

# semi: NOT before EXISTS in brackets
SELECT l.k, l.n FROM T AS l WHERE l.n > 1 AND NOT (EXISTS (SELECT 1 FROM U AS r WHERE r.k = l.k AND r.window_end = l.window_end AND r.n > l.n))

# aggregation: groups by pipes
SELECT k, window_end, count(*) AS c FROM T GROUP BY k, window_start, window_end |> WHERE c > 2 |> SELECT k, c

# aggregation: groups with their columns as rows by UNPIVOT
SELECT * FROM (SELECT window_end, count(*) AS c, max(n) AS m FROM T GROUP BY window_end) UNPIVOT (val FOR name IN (c, m))

# semi: IN of a key and the end of windows
SELECT k, n FROM T WHERE (k, window_end) IN (SELECT k, window_end FROM U WHERE n % 2 = 0)

# semi: NOT IN of a key and the end of windows
SELECT k, n, window_end FROM T WHERE (n % 3, window_end) NOT IN (SELECT n % 4 + 1, r.window_end FROM U AS r WHERE n % 7 = 1)

# semi: the end of windows alone, renamed, DISTINCT
SELECT l.k, l.n FROM T AS l WHERE l.window_end IN (SELECT DISTINCT r.window_end AS e FROM U AS r WHERE r.n = 37)

# semi: groups of a subquery with their ends among others
SELECT g.k, g.c, g.e FROM (SELECT k, count(*) AS c, window_end AS e FROM T GROUP BY window_start, window_end, k) g
WHERE (g.e, g.k) IN (SELECT x.e, x.name FROM (SELECT k AS name, window_end AS e, sum(v) AS s FROM U GROUP BY window_start, window_end, k) x WHERE x.s > 3)

# join: USING in brackets
SELECT k, window_end, l.n, r.n AS m FROM (T l JOIN U r USING (window_start, window_end, k))

# join: LEFT in brackets, sides in brackets of their own
SELECT l.k, l.n, r.n AS m, l.window_end FROM ((T) AS l LEFT JOIN (SELECT * FROM U) r ON (l.k = r.k AND l.window_end = r.window_end)) WHERE l.n % 2 = 0

# join: subqueries that group, in brackets
SELECT name, c, d, e FROM ((SELECT k AS name, count(*) AS c, window_end AS e FROM T GROUP BY window_start, window_end, k) l
FULL JOIN (SELECT k AS name, max(n) AS d, window_end AS e FROM U GROUP BY window_start, window_end, k) r USING (name, e))

# aggregation: brackets around a function, with an alias outside of them
SELECT l.k, l.window_end, count(*) AS c FROM ((T)) AS l GROUP BY l.k, l.window_start, l.window_end

# aggregation: an item of window columns and others is a key of GROUP BY ALL
SELECT window_start, window_end, unix_timestamp(window_end) + n % 2 AS x, count(*) AS c, sort_array(collect_list(n)) AS l FROM T GROUP BY ALL

# aggregation: such an item of DISTINCT, over renamed windows
SELECT DISTINCT e, ts < e - INTERVAL 15 SECONDS AS early FROM (SELECT ts, window_end AS e FROM T)

# aggregation: a key of window columns and others
SELECT window_end, ts < window_start + INTERVAL 5 SECONDS AS early, count(*) AS c FROM T GROUP BY window_start, window_end, ts < window_start + INTERVAL 5 SECONDS

# ranking: a star in a call has the windows
SELECT to_json(struct(t.*)) AS j, row_number() OVER (PARTITION BY window_start, window_end ORDER BY xxhash64(*), n) AS r FROM T AS t

# aggregation: a star in an aggregate has the windows
SELECT window_start, window_end, sum(CAST(hash(*) AS BIGINT)) AS h FROM T WHERE hash(*) % 3 <> 0 GROUP BY window_start, window_end

# sets: window_time in one of them only
SELECT window_start, window_end, window_time, k, count(*) AS c FROM T GROUP BY GROUPING SETS ((window_start, window_end, window_time, k), (window_start, window_end))

# sets: what is made of a window column is rolled up
SELECT window_end, date(window_end) AS d, hour(window_start) AS h, count(*) AS c FROM T GROUP BY window_start, window_end, ROLLUP(date(window_end), hour(window_start))

# sets: grouping of a column with the name of a window column
SELECT window_start, e, grouping(window_start) AS g, count(*) AS c FROM (SELECT k AS window_start, window_end AS e FROM T) GROUP BY e, ROLLUP(window_start)

# sets: grouping of the start that a set leaves out
SELECT window_start, window_end, k, grouping(window_start) AS g, grouping_id(window_start, k) AS i, count(*) AS c FROM T GROUP BY GROUPING SETS ((window_start, window_end), (window_end, k))

# join: keys that NOT tells apart
SELECT l.n, r.n AS m FROM (SELECT n, k = 'a' AS f, window_end FROM T WHERE n < 40) l JOIN (SELECT n, k = 'b' AS f, window_end FROM U WHERE n < 40) r
ON l.window_end = r.window_end AND NOT l.f IS NOT DISTINCT FROM r.f

# aggregation: a subquery that names the end of the windows
SELECT t.window_start, t.window_end, sort_array(collect_list(n)) AS c FROM T t WHERE EXISTS (SELECT 1 FROM names AS m WHERE t.window_end > TIMESTAMP'2024-01-01 00:01:00' AND m.id = t.k) GROUP BY t.window_start, t.window_end

# aggregation: data with a name of its own
SELECT x.k, x.window_start, x.window_end, sort_array(collect_list(n)) AS c FROM TABLE(TUMBLE(TABLE (events_{t} AS y), DESCRIPTOR(ts), INTERVAL '10' SECONDS)) AS x GROUP BY x.k, x.window_start, x.window_end

# aggregation: data that is a join
SELECT x.label, x.window_end, sum(n) AS s FROM TABLE(TUMBLE(TABLE (names AS d JOIN events_{t} ON d.id = k), DESCRIPTOR(ts), INTERVAL '10' SECONDS)) x GROUP BY x.label, x.window_start, x.window_end

# ranking: a CTE read by its first rows, and by windows as a whole
WITH x AS (SELECT *, RANK() OVER (PARTITION BY window_start, window_end ORDER BY v) AS r FROM T)
SELECT k, n, r FROM x WHERE r = 1 UNION ALL SELECT z.k, z.n, z.r FROM x AS z WHERE z.r > 4 AND z.n % 2 = 0

# join: USING a name with other letters
SELECT `Größe`, window_end, l.n, r.n AS m FROM (SELECT k AS `Größe`, window_end, n FROM T) l
JOIN (SELECT k AS `Größe`, window_end, n FROM U) r USING (`Größe`, window_end)

# semi join: EXISTS over names in backquotes
SELECT `l x`.`Größe`, `l x`.window_end, `l x`.n FROM (SELECT k AS `Größe`, window_end, n FROM T) `l x`
WHERE EXISTS (SELECT * FROM (SELECT k AS `größe`, window_end FROM U) `ß` WHERE `ß`.`größe` = `l x`.`GRÖßE` AND `ß`.window_end = `l x`.window_end)

# semi join: IN of a SELECT that groups
SELECT b.k, b.n, b.window_end FROM T b
WHERE (b.k, b.window_end) IN (SELECT k, window_end FROM U GROUP BY k, window_end HAVING count(*) > 3)

# semi join: IN of groups, one without a name, of rows without a name
SELECT k, window_end, n FROM T WHERE (window_end, v) IN (SELECT window_end, max(v) FROM U GROUP BY window_end)

# anti join: NOT IN of groups, between results
SELECT k, window_end, c FROM (SELECT k, window_end, count(*) c FROM T GROUP BY k, window_end)
WHERE (window_end, k) NOT IN (SELECT window_end, k FROM U WHERE k IS NOT NULL GROUP BY ALL HAVING count(*) > 3)

# semi join: IN of a SELECT that ranks
SELECT k, window_end, n FROM T
WHERE (window_end, n) IN (SELECT window_end, n FROM U QUALIFY row_number() OVER (PARTITION BY window_end ORDER BY n) < 4)

# anti join: NOT IN of a join
SELECT k, window_end, n FROM T b
WHERE (window_end, n) NOT IN (SELECT x.window_end, x.n FROM U x JOIN T y ON x.window_end = y.window_end AND x.n = y.n + 1)

# semi join: IN of a WITH
SELECT k, window_end, n FROM T WHERE (k, window_end) IN (
  WITH big AS (SELECT k, window_end FROM U GROUP BY k, window_end HAVING count(*) > 3) SELECT * FROM big)

# semi join: results in rows without a name
SELECT k, window_end, c FROM (SELECT k, window_end, count(*) c FROM T GROUP BY k, window_end) a
WHERE (k, window_end) IN (SELECT k, window_end FROM U WHERE v > 3)

# semi join: groups of the rows that EXISTS of results leaves
SELECT k, window_end, count(*) FROM T b WHERE EXISTS (
  SELECT 1 FROM (SELECT k, window_end FROM U GROUP BY k, window_end HAVING count(*) > 3) a
  WHERE a.k = b.k AND a.window_end = b.window_end) GROUP BY k, window_end

# semi join: ranks of the rows that IN of groups leaves
SELECT k, window_end, n, row_number() OVER (PARTITION BY window_end, k ORDER BY n) r FROM rows_{t}
WHERE (k, window_end) IN (SELECT k, window_end FROM U GROUP BY k, window_end HAVING count(*) > 3) QUALIFY r < 3

# join: a view with its own name, of rows, with one of results
SELECT k, rows_{t}.window_end, n, c FROM rows_{t}
JOIN results_{t} ON rows_{t}.k = results_{t}.name AND rows_{t}.window_end = results_{t}.`the end`

# semi join: IN of a window clause
SELECT k, window_end, n FROM U
WHERE (k, window_end) IN (SELECT k, window_end FROM E WINDOW ASSIGN TUMBLING(ts, '30 seconds') GROUP BY k HAVING count(*) > 6)

# join: ranks of rows that results meet
SELECT a.k, a.window_end, a.n, row_number() OVER (PARTITION BY a.window_end, a.k ORDER BY a.n) r FROM T a
JOIN results_{t} b ON a.k = b.name AND a.window_end = b.`the end` WHERE b.c > 4 QUALIFY r <= 2

# grouping sets: of the keys before them
SELECT k, v, window_end, grouping_id() AS g, grouping(v) AS gv, count(*) AS n FROM T
GROUP BY v, k, window_end GROUPING SETS ((k, window_end), (window_end, v), (window_end))

# from first: groups of a CTE, renamed
WITH w AS (FROM T SELECT k, window_end AS e, n) FROM w SELECT k, e, sum(n) AS s GROUP BY e, k HAVING s > 20

# from first: groups of groups
FROM (FROM T AS x SELECT x.k, x.window_end AS e, count(*) AS c GROUP BY ALL) SELECT max(c) AS most, e GROUP BY e

# from first: a rank
FROM T SELECT k, n, row_number() OVER (PARTITION BY window_end ORDER BY n) AS r QUALIFY r < 3

# from first: a join, one side without a SELECT
FROM (FROM T) l JOIN (FROM U SELECT *) r ON l.k = r.k AND l.window_end = r.window_end SELECT l.k, l.n, r.n AS m WHERE l.n < r.n

# from first: EXISTS
FROM T l SELECT l.k, l.n WHERE EXISTS (FROM U r SELECT 1 WHERE r.k = l.k AND r.window_end = l.window_end AND r.n > l.n)

# from first: IN of groups
SELECT k, n FROM T WHERE (k, window_end) IN (FROM U SELECT k, window_end GROUP BY k, window_end HAVING count(*) > 3)

# from first: a window clause and its results in windows
FROM (FROM E SELECT k, window_end, count(*) AS c WINDOW ASSIGN TUMBLING(ts, '30 seconds') GROUP BY k) SELECT max(c) AS most, window_end GROUP BY window_end

# over: the share of a group
SELECT k, c, window_end, c / SUM(c) OVER (PARTITION BY window_start, window_end) AS share
FROM (SELECT k, count(*) AS c, window_start, window_end FROM H GROUP BY k, window_start, window_end)

# over: an aggregate of aggregates, beside them
SELECT k AS name, sum(v) AS s, sum(sum(v)) OVER (PARTITION BY window_end) AS `all`, window_end FROM T GROUP BY 1, window_start, window_end

# over: rows before and after
WITH rows AS (SELECT x.k, x.n, x.window_start AS s, x.window_end AS e FROM T AS x WHERE n % 3 <> 0)
SELECT n, n - LAG(n, 1, 0) OVER w AS d, lead(k) IGNORE NULLS OVER w AS next, FIRST_VALUE(n) OVER (w) AS f, e
FROM rows WINDOW w AS (PARTITION BY s, e ORDER BY n)

# over: frames
SELECT n, window_end, sum(n) OVER (PARTITION BY window_end ORDER BY ts RANGE INTERVAL '5' SECOND PRECEDING) AS s,
  avg(v) OVER (PARTITION BY window_end, k ORDER BY n ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS a FROM T

# over: rows above the average of their window
SELECT k, n, v, window_end FROM T QUALIFY v > avg(v) OVER (PARTITION BY window_start, window_end)

# over: names in QUALIFY are those of items, not of columns
SELECT n AS r, window_end, row_number() OVER (PARTITION BY window_end ORDER BY k, n) AS v
FROM (SELECT k, v, n, window_end, row_number() OVER (PARTITION BY window_end, k ORDER BY n) AS r FROM T) QUALIFY v < 9 AND r < 120

# over: what OVER gives, grouped and ranked
SELECT window_end, max(s) AS m, count(*) AS c FROM (
  SELECT window_end, sum(n) OVER (PARTITION BY window_end, k) AS s, ntile(2) OVER (PARTITION BY window_end ORDER BY n) AS half
  FROM T) WHERE half = 1 GROUP BY window_end

# over: a join
SELECT l.k, l.n, r.n AS rn, l.window_end, count(*) FILTER (WHERE r.n > l.n) OVER (PARTITION BY l.window_end, l.k) AS c
FROM T l JOIN U r ON l.k = r.k AND l.window_start = r.window_start AND l.window_end = r.window_end

# over: WINDOW ASSIGN
SELECT k, count(*) AS c, window_end, count(*) = max(count(*)) OVER (PARTITION BY window_end) AS is_most
FROM E WINDOW ASSIGN TUMBLING(ts, INTERVAL 30 SECONDS) GROUP BY k

# join: a table to look names up in after it
SELECT l.k, l.n, r.n AS rn, d.label, l.window_end AS e FROM T l
JOIN U r ON l.k = r.k AND l.window_start = r.window_start AND l.window_end = r.window_end LEFT JOIN names AS d ON d.id = l.k

# join: USING, and a table after it
SELECT k, l.n, label, window_end FROM T l LEFT JOIN U r USING (k, n, window_start, window_end)
LEFT JOIN (SELECT id AS k, label FROM names) d USING (k)

# join: FULL, USING, and a table after it
SELECT n, l.v, r.v AS w, label, window_end FROM T l FULL JOIN U r USING (n, window_end) LEFT JOIN names d ON d.id = r.k

# join: columns without the names of their sides, grouped by what a table says
SELECT label, e1, sum(c1) AS s, max(c2) AS m, count(*) FROM (SELECT k AS k1, n AS c1, window_end AS e1 FROM T) a
JOIN (SELECT k AS k2, n AS c2, window_end AS e2 FROM U) b ON k1 = k2 AND e1 = e2 JOIN names ON k1 = id GROUP BY label, e1

# cascade: windows over a join that goes on to a table, by the window_time of its rows
SELECT label, window_end, count(*) AS c FROM TABLE(TUMBLE(TABLE (SELECT l.window_time AS rt, d.label FROM T l
JOIN U r ON l.k = r.k AND l.window_end = r.window_end JOIN names d ON d.id = l.k), DESCRIPTOR(rt), INTERVAL '1' MINUTE))
GROUP BY window_start, window_end, label

# over: its rows grouped by their window_time
SELECT window_time, max(c) AS m FROM (SELECT *, count(*) OVER (PARTITION BY window_end, k) AS c FROM rows_{t}) GROUP BY window_time

# join: in brackets, with a view of rows after it
FROM (
  SELECT * FROM T) `my l` JOIN U r ON (`my l`.k = r.k AND `my l`.window_end = r.window_end) LATERAL VIEW explode(array(1, r.n)) x AS y
SELECT `my l`.n, y, r.window_end WHERE y > 0

# join functions: groups of window_join, with names for its columns
SELECT a, e, count(*) AS c, max(m) AS top FROM window_join(TABLE(E) PARTITION BY k, TABLE(SELECT * FROM E WHERE n % 3 = 0) PARTITION BY k,
  DESCRIPTOR(ts, ts), TUMBLING('30 seconds'), join_type => 'LEFT') AS j(a, s, e, t, at, v, n, at2, v2, m) GROUP BY a, e

# join functions: a ranking of co_group
SELECT k, size(right) AS n, window_end FROM co_group(TABLE(E) PARTITION BY (k, n % 2), TABLE(E) PARTITION BY (k, n % 3), DESCRIPTOR(ts, ts),
  SESSION('4 seconds')) QUALIFY row_number() OVER (PARTITION BY window_end ORDER BY size(right) DESC, k, key1) = 1

# windows over windows: a join that keeps the times of its rows
SELECT k, window_end, count(*) AS c, max(ts) AS latest FROM (SELECT x.k, x.ts, window_time AS moment FROM E x WINDOW JOIN E y
  ON x.k = y.k AND x.n < y.n WINDOW ASSIGN TUMBLING((x.ts, y.ts), '10 seconds')) WINDOW ASSIGN TUMBLING(moment, '30 seconds') GROUP BY k

# aggregation: renamed twice, other case and backquotes
select `B`.NAME, b.`S`, B.e, Sum(`b`.`W x`) as `Total` from
  (select A.`Key` as Name, a.WS as s, `a`.we as `E`, A.v2 + 1 as `W x` from
    (select K as `Key`, `Window_Start` as ws, WINDOW_END as `We`, v * 2 as V2, N from T) `a` where a.n % 3 <> 0) as B
group by b.S, `B`.`e`, B.`name`

# aggregation: CTE with a column list, other case and backquotes
with `W 1` (`The Key`, At, `value`, Number, S, `e`, M) as (select K, TS, V, N, WINDOW_START, `WINDOW_END`, Window_Time from T)
select `the key`, `w 1`.s, E, count(*) as c, MAX(Value) as `Top` from `w 1` group by `S`, `W 1`.e, `The key`

# aggregation: CTE over a CTE of the same name, in other letters, group by all
WITH `W` AS (WITH w AS (SELECT *, n + 1 AS `More` FROM T WHERE v > 2) SELECT W.*, upper(K) AS `Big` FROM `w`)
Select Window_Start, `window_end`, BIG, sum(`more`) As total From W Group By All

# aggregation: ordinals, other case and backquotes
select `Window_End` as E, `t1`.K, Window_Start, Avg(`V`) as mean from T as `T1` group by 1, 2, 3 having count(*) > 1

# aggregation: a star without window_start, other case and backquotes
SELECT `WINDOW_END`, K, count(*) AS c FROM (SELECT `X`.* EXCEPT (`Window_Start`, x.WINDOW_TIME) FROM T AS X) GROUP BY Window_End, `k`

# aggregation: UNION ALL of two in brackets, other case and backquotes
select `u`.WINDOW_START, `Window_End`, U.k, Count(1) as c from
  ((select * from T) union all (select * from U)) as `U` group by u.window_start, WINDOW_END, `U`.`K`

# aggregation: LATERAL VIEW without AS, other case and backquotes
select `X y`, WINDOW_START, `window_end`, count(*) as c from T lateral view outer Explode(Array(N % 2, `n` % 3)) `E` `X y`
group by Window_Start, WINDOW_END, `x Y`

# aggregation: DISTINCT, other case and backquotes
select distinct `W`.`K`, Window_Start as `the start`, w.WINDOW_END from T w

# aggregation: TABLE for SELECT * FROM
WITH w AS (TABLE rows_{t}), x AS (SELECT * FROM (TABLE w) AS y) SELECT window_end, k, count(*) AS c FROM x GROUP BY window_end, k

# aggregation: words of other systems as names
SELECT trigger, into, count(*) AS session FROM (SELECT window_end AS into, k AS trigger FROM T AS window) AS update
GROUP BY update.into, update.trigger

# aggregation: a window column among the arguments of LATERAL
SELECT e, x, count(*) AS c FROM (SELECT window_end AS e, ts FROM T), LATERAL explode(array(e, ts)) AS l(x) WHERE x = e GROUP BY e, x

# cascade: a WINDOW ASSIGN query in brackets, other case and backquotes
select `E`, max(`C 1`) as Most from ((select K, count(*) as `c 1`, `Window_End` as E from E as X window assign tumbling(`X`.`TS`, '30 seconds') group by `x`.k)) `G` group by g.e

# rank: over a CTE that groups, other case and backquotes
with `G 1` as (select K as `Name`, count(*) as C, WINDOW_START as `S`, `Window_End` as E from T group by Window_Start, window_end, `K`)
select NAME, c, `e` from (select `g 1`.Name, `C`, E, Row_Number() over (partition by `G 1`.s, `g 1`.E order by C desc, `NAME`) as `Place` from `G 1`) where PLACE <= 2

# rank: QUALIFY over rows, other case and backquotes
select `K`, N, `x`.Window_End from T as `X` qualify Row_Number() over (partition by x.`WINDOW_START`, X.Window_End, `k` order by `Ts` desc, X.n) = 1

# rank: a named window, other case and backquotes
select K, `N`, `Place 1` from (select k, n, Rank() over `my w` as `place 1` from T X window `my w` as (partition by `X`.Window_Start, WINDOW_END, x.K order by V)) Where `Place 1` = 1

# rank: two rankings in one SELECT, other case and backquotes
select `K`, N, A, `b` from (select k, n, Row_Number() over (partition by `Window_End` order by V desc, N) as `A`,
  Dense_Rank() over (partition by WINDOW_START, `window_end`, `K` order by v desc) as B from T) where `a` <= 5 and b = 1

# join: USING, other case and backquotes
select `K`, Window_Start, L.N, `r`.n as M from T `L` join U as R using (`WINDOW_START`, Window_End, K)

# join: a comma and WHERE, other case and backquotes
select `l`.K, L.n, R.`N` as m from T as L, U `R` where r.k = `L`.`k` and (R.WINDOW_START = l.window_start) and `r`.Window_End = L.`window_end`

# join: of two grouped subqueries, other case and backquotes
select A, `B`, c, D, `E e` from (select K as a, count(*) as C, Window_Start as S, WINDOW_END as `E e` from T group by k, window_start, `window_end`)
join (select `k` as B, max(V) as d, `WINDOW_START` as `S2`, window_end as E2 from U group by K, window_start, window_end) on `a` = b and S = s2 and `e E` = `E2`

# join: keys that may be NULL, other case and backquotes
select L.K, `l`.N, r.`n` as M from T `L` join U as R on `L`.K is not distinct from R.`K` and l.WINDOW_END <=> `r`.window_end

# semi: EXISTS with extra conditions, other case and backquotes
select `L`.K, l.N, Window_End from T as L where `l`.`V` > 1 and exists
(select null from U `R` where R.K = `L`.k and r.WINDOW_START = L.`Window_Start` and `R`.Window_End = l.window_end and r.`N` > L.n)

# semi: NOT IN over function rows, other case and backquotes
select `L`.k, L.N from T l where L.n + 1 not in (select `N` from U as `R` where r.WINDOW_START = `l`.window_start and R.Window_End = L.`window_end`)

# view: a view over a view of rows, grouped
SELECT `the end`, Name, count(*) AS c, max(number) AS m FROM nested_{t} AS `N` WHERE n.`Number` % 2 = 0 GROUP BY N.`The End`, `name`

# view: a view over a view of results, ranked
SELECT Name, `e`, c FROM (SELECT *, rank() OVER (PARTITION BY E ORDER BY C DESC) AS r FROM `again_{t}`) WHERE R = 1

# aggregation: a filter on window_start between, other case and backquotes
select `K`, Window_End, Sum(V) as s from (select * from T as `X` where `x`.WINDOW_START >= timestamp'2024-01-01 00:01:00') group by `Window_Start`, window_end, k

# sets: GROUPING SETS, other case and backquotes
select `Window_Start`, X.WINDOW_END, K, count(*) as c from T `x` group by grouping sets ((WINDOW_START, x.Window_End, `X`.k), (`window_start`, Window_End))

# join: LEFT with renamed windows, other case and backquotes
select `L`.K, `My E`, r.M from (select k, n, WINDOW_END as `My E` from T) as L left outer join (select K as `Key`, N as m, Window_End as F from U) `R` on l.`my e` = R.f and `l`.k = `r`.KEY

# join: RIGHT, other case and backquotes
select `R`.K, l.N, R.n as M, r.`WINDOW_END` from T `L` right join U as R on L.Window_End = `r`.window_end and (`L`.`Window_Start` = r.WINDOW_START and l.K = R.k)

# join: FULL, other case and backquotes
select Coalesce(`L`.k, R.K) as `key`, L.`N`, r.n as M from T as L full join U as `R` on `l`.WINDOW_END = R.Window_End and L.window_start = `R`.`window_start` and l.k = `r`.K

# join: SEMI, other case and backquotes
select `L`.K, N from T as L semi join U `r` on l.`Window_End` = R.WINDOW_END and L.k = `R`.K and l.`window_start` = `r`.Window_Start

# join: ANTI, other case and backquotes
select L.K, `l`.N from T as `L` anti join U R on `l`.WINDOW_END = r.window_end and `L`.Window_Start = R.`WINDOW_START` and l.K = r.k

# semi: EXISTS between two grouped windows, other case and backquotes
select `K`, C from (select K, count(*) as `C`, Window_End as E from T group by k, WINDOW_END) as `L` where exists
(select 1 from (select `k` as NAME, `Window_End` as `F f` from U group by K, window_end having count(*) > 3) R where r.Name = `l`.K and R.`f F` = L.e)

# semi: NOT EXISTS between two grouped windows, other case and backquotes
select `K`, C from (select K, count(*) as `C`, Window_End as E from T group by k, WINDOW_END) as `L` where not exists
(select 1 from (select `k` as NAME, `Window_End` as `F f` from U group by K, window_end having count(*) > 3) R where r.Name = `l`.K and R.`f F` = L.e)

# semi: IN between two grouped windows, other case and backquotes
select `K`, C from (select K, count(*) as `C`, Window_End as E from T group by k, WINDOW_END) as `L` where l.K in
(select `Name` from (select `k` as NAME, `Window_End` as `F f` from U group by K, window_end having count(*) > 3) R where R.`f F` = `l`.e)

# semi: NOT IN between two grouped windows, other case and backquotes
select `K`, C from (select K, count(*) as `C`, Window_End as E from T group by k, WINDOW_END) as `L` where (`E`, l.c) not in
(select `r`.f, D from (select count(*) as D, `Window_End` as F from U group by K, window_end) `R`)

# join: a table first in FROM
SELECT d.label, l.k, l.n, r.n AS m, l.window_end FROM names d JOIN T l ON d.id = l.k JOIN U r ON l.k = r.k AND l.window_end = r.window_end

# join: a table first in FROM, commas
SELECT d.label, l.n, r.n AS m, l.window_end FROM names d, T l, U r WHERE d.id = l.k AND l.k = r.k AND r.window_end = l.window_end AND r.n > l.n

# join: a table first in FROM, grouped, another one after the windows
SELECT d.label, l.window_end, m.label AS other, count(*) AS c FROM names d JOIN T l ON d.id = l.k JOIN U r ON l.k = r.k AND l.window_end = r.window_end AND d.label < 'B' LEFT JOIN names m ON m.id = r.k GROUP BY d.label, l.window_end, m.label

# join: two tables first in FROM, other case and backquotes
select `D`.LABEL, L.N, m.label as `Other`, l.`Window_End` from names as `d` cross join names M join T as `L` on D.id = l.K join U `r` on L.k = R.K and L.WINDOW_END = `r`.window_end and m.ID = R.k

# join: a star over USING, grouped
WITH a AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k), b AS (SELECT window_end, k, sum(v) s FROM U GROUP BY window_start, window_end, k), j AS (SELECT * FROM a JOIN b USING (window_end, k)) SELECT window_end, sum(c) sc, sum(s) ss FROM j GROUP BY window_end

# join: RIGHT with USING, grouped at once
SELECT window_end, count(*) x FROM (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k) a RIGHT JOIN (SELECT window_end, k, count(*) d FROM U GROUP BY window_start, window_end, k) b USING (window_end, k) GROUP BY window_end

# join: a star over FULL with USING, ranked
WITH a AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k), b AS (SELECT window_end, k, sum(v) s FROM U GROUP BY window_start, window_end, k) SELECT * FROM (SELECT * FROM a FULL JOIN b USING (window_end, k)) QUALIFY row_number() OVER (PARTITION BY window_end ORDER BY k, c, s) = 1

# join: FULL, the first end that is there, grouped, other case and backquotes
WITH a AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k), b AS (SELECT window_end, k, sum(v) s FROM U GROUP BY window_start, window_end, k) SELECT `E`, count(S), count(*) FROM (SELECT COALESCE(B.WINDOW_END, A.`Window_End`) AS e, s FROM a FULL OUTER JOIN b ON (A.k <=> B.k) AND A.window_end = B.window_end) GROUP BY e

# join: NATURAL FULL, grouped
WITH a AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k), b AS (SELECT window_end, k, sum(v) s FROM U GROUP BY window_start, window_end, k) SELECT window_end, count(c), count(s) FROM (SELECT * FROM a NATURAL FULL JOIN b) GROUP BY window_end

# cascade: windows over a FULL join, by the window_time of USING
WITH a AS (SELECT window_end, window_time, k, count(*) c FROM T GROUP BY window_start, window_end, window_time, k), b AS (SELECT window_end, window_time, k, sum(v) s FROM U GROUP BY window_start, window_end, window_time, k) SELECT window_end, count(c) x, count(s) y FROM (SELECT window_time t, c, s FROM a FULL JOIN b USING (window_end, window_time, k)) WINDOW ASSIGN TUMBLING(t, '60 seconds')

# compared: with the maximum of its window
WITH g AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k) SELECT * FROM g x WHERE x.c = (SELECT max(y.c) FROM g y WHERE y.window_end = x.window_end)

# compared: rows with the average of their key
SELECT x.n, x.k FROM T x WHERE x.v >= (SELECT avg(y.v) FROM U y WHERE y.window_end = x.window_end AND y.k = x.k)

# compared: NOT, with the average of the key
SELECT x.n, x.k FROM T x WHERE NOT (x.n > (SELECT avg(y.n) FROM U y WHERE y.window_end = x.window_end AND y.k = x.k)) AND NOT x.v = 3

# compared: BETWEEN a number and the maximum of the window
WITH g AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k) SELECT x.k, x.c, x.window_end FROM g AS x WHERE x.c BETWEEN 2 AND (SELECT max(y.c) - 1 FROM g y WHERE x.window_end = y.window_end)

# compared: with a multiple, grouped at once, other case and backquotes
WITH g AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k) SELECT x.window_end, count(*) q FROM g x WHERE (1 + 2) * `X`.C < (SELECT 2 * MAX(Y.`c`) - 1 FROM g y WHERE y.window_end = x.window_end) GROUP BY x.window_end

# join: FULL with USING, grouped at once
SELECT window_end, count(*) x, sum(c) s, max(d) m FROM (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k) a FULL JOIN (SELECT window_end, k, count(*) d FROM U GROUP BY window_start, window_end, k) b USING (window_end, k) GROUP BY window_end

# join: FULL with USING, and a table after it, grouped
WITH a AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k), b AS (SELECT window_end, k, sum(v) s FROM U GROUP BY window_start, window_end, k) SELECT window_end, sum(c) FROM (SELECT window_end, label, c, s FROM a FULL JOIN b USING (window_end, k) JOIN (SELECT id AS k, label FROM names) d USING (k)) GROUP BY window_end

# join: FULL with USING, ranked at once, other case and backquotes
WITH a AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k), b AS (SELECT window_end, k, sum(v) s FROM U GROUP BY window_start, window_end, k) SELECT `K`, a.c, B.s, Window_End FROM a FULL OUTER JOIN b USING (WINDOW_END, k) QUALIFY row_number() OVER (PARTITION BY window_end ORDER BY k, c, s) <= 2

# aggregation: window columns with each other's names, by ordinals
SELECT window_end AS window_start, window_start AS window_end, count(*) AS c FROM T GROUP BY 1, 2

# semi: EXISTS and NOT EXISTS over results
WITH g AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k), h AS (SELECT window_end, k, sum(v) s FROM U GROUP BY window_start, window_end, k) SELECT * FROM g x WHERE EXISTS (SELECT 1 FROM h y WHERE y.window_end = x.window_end AND y.k = x.k) AND NOT EXISTS (SELECT 1 FROM g z WHERE z.window_end = x.window_end AND z.c > x.c)

# semi: EXISTS beside EXISTS over rows, ranked
SELECT x.n, row_number() OVER (PARTITION BY x.window_end ORDER BY x.n) r FROM T x WHERE EXISTS (SELECT 1 FROM U y WHERE y.window_end = x.window_end AND y.k = x.k) AND NOT EXISTS (SELECT 1 FROM U z WHERE z.window_end = x.window_end AND z.n = x.n)

# compared: beside EXISTS, grouped at once
WITH g AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k) SELECT x.window_end, count(*) q FROM g x WHERE x.c >= (SELECT avg(y.c) FROM g y WHERE y.window_end = x.window_end) AND EXISTS (SELECT 1 FROM g z WHERE z.window_end = x.window_end AND z.c < x.c) GROUP BY x.window_end

# pipes: EXTEND and WHERE over a CTE, compared with an aggregate
WITH c AS (SELECT * FROM T WHERE n > 3), d AS (SELECT * FROM (FROM c AS a |> EXTEND a.n + 1 AS x |> WHERE x IS NOT NULL) q WHERE (SELECT sum(b.n) FROM U b WHERE q.window_start = b.window_start AND q.window_end = b.window_end) < q.n * 20) SELECT * FROM d

# pipes: SELECT renames the windows of both sides of a join
SELECT a.n, b.m FROM (FROM T |> EXTEND n + 1 AS x |> SELECT x, n, window_start AS s, window_end AS e) a JOIN (FROM U |> SELECT n AS m, window_start AS s, window_end AS e) b ON a.s = b.s AND a.e = b.e AND a.n = b.m

# pipes: SET, DROP and AS
SELECT e, k, sum(n) AS s FROM (FROM T |> SET n = n * 2, v = 0 |> SELECT *, window_end AS e |> DROP window_end, window_start |> AS q |> WHERE q.n > 8) GROUP BY e, k

# pipes: UNION ALL of a query without brackets
SELECT window_end, count(*) AS c FROM (FROM T |> WHERE n > 9 |> UNION ALL SELECT * FROM U |> WHERE k <> 'c') GROUP BY window_start, window_end

# pipes: groups go on, and are grouped again
SELECT e, max(c) AS most FROM (SELECT window_start, window_end, k, count(*) AS c FROM T GROUP BY window_start, window_end, k |> WHERE c > 2 |> SELECT k, c, window_end AS e) GROUP BY e

# aggregation: * EXCEPT of the time column
SELECT window_start, window_end, k, count(*) AS c FROM (SELECT q.* EXCEPT (`TS`) FROM T AS q WHERE q.n > 3) GROUP BY window_start, window_end, k

# cascade: longer windows by window_end alone
SELECT k, window_end, sum(a) AS s FROM TABLE(HOP(TABLE (SELECT k, count(*) AS a, window_time AS rt FROM T GROUP BY window_start, window_end, window_time, k), DESCRIPTOR(rt), INTERVAL 30 SECONDS, INTERVAL 90 SECONDS)) GROUP BY window_end, k

# cascade: rows of longer windows, ranked and joined
SELECT a.k, a.a, b.r, a.window_end FROM TABLE(TUMBLE(TABLE (SELECT k, count(*) AS a, window_time AS rt FROM T GROUP BY window_start, window_end, window_time, k), DESCRIPTOR(rt), INTERVAL 90 SECONDS)) a
JOIN (SELECT *, rank() OVER (PARTITION BY window_end ORDER BY b) AS r FROM TABLE(TUMBLE(TABLE (SELECT k, count(*) AS b, window_time AS rt FROM U GROUP BY window_start, window_end, window_time, k), DESCRIPTOR(rt), INTERVAL 90 SECONDS))) b ON a.window_end = b.window_end AND a.k = b.k

# aggregation: LATERAL VIEW without a name
SELECT x, window_start, window_end, count(*) AS c FROM T LATERAL VIEW OUTER explode(array(n % 2, n % 3)) AS x GROUP BY window_start, window_end, x

# aggregation: of structs and arrays
SELECT window_end, k, max(struct(ts, n)) AS last, min(array(v, n)) AS low, max_by(struct(n, ts), struct(v, n)).ts AS best, count(DISTINCT struct(v, n % 2)) AS c,
  sort_array(collect_set(named_struct('v', v, 'at', date(ts)))) AS s FROM T GROUP BY window_start, window_end, k

# aggregation: of structs and arrays with parts that are never NULL
SELECT window_end, k, max(struct(n, 1 AS z)) AS last, min(array(coalesce(n, 0), 2)) AS low, max_by(struct(k, 'x' AS x), n) AS best,
  sort_array(collect_list(struct(n, array(1)))) AS s FROM T GROUP BY window_start, window_end, k

# Top-N: by a struct, descending
SELECT k, n, window_end FROM (SELECT *, if(n % 4 = 0, NULL, named_struct('B b', k, 'in', named_struct('x', if(n % 3 = 0, double('NaN'), -v), 'u', NULL))) AS st FROM T)
QUALIFY row_number() OVER (PARTITION BY window_start, window_end ORDER BY st DESC NULLS FIRST, n) <= 4

# aggregation: percentiles, approximate counts, texts and modes WITHIN GROUP
SELECT window_end, k, percentile_cont(0.4) WITHIN GROUP (ORDER BY n DESC) AS p, percentile_disc(0.3) WITHIN GROUP (ORDER BY v) FILTER (WHERE n > 9) AS d,
  approx_percentile(n, array(0.1, 0.9)) AS q, approx_count_distinct(v) AS a, mode() WITHIN GROUP (ORDER BY v DESC) AS m,
  listagg(cast(n AS STRING), ',') WITHIN GROUP (ORDER BY v DESC NULLS FIRST, n) AS l FROM T GROUP BY window_start, window_end, k

# Top-N: QUALIFY by an aggregate
SELECT window_end, k FROM T GROUP BY window_start, window_end, k QUALIFY rank() OVER w <= 2 WINDOW w AS (PARTITION BY window_end ORDER BY sum(n) DESC, count(*))

# windows over windows: by the window_time of rows, without their own time
SELECT k, window_end, sum(v) AS s FROM (SELECT k, v, window_time AS w FROM T)
WINDOW ASSIGN TUMBLING(w, INTERVAL '1' MINUTE) GROUP BY k

# aggregation: windows by the window_time of rows, without their own time
SELECT k, window_end, count(*) AS c
FROM TABLE(TUMBLE(TABLE (SELECT k, window_time AS w FROM T WHERE v > 1), DESCRIPTOR(w), INTERVAL '1' MINUTE))
GROUP BY k, window_start, window_end

# aggregation: an order within a group that names the relation of its argument
SELECT window_end, listagg(DISTINCT k, '+') WITHIN GROUP (ORDER BY e.k) AS l FROM T e GROUP BY window_start, window_end

# pipes: AGGREGATE over a filter, with the relation's name and an alias of a key
FROM T AS x |> WHERE x.v >= 0 |> AGGREGATE sum(x.v) AS s, count(*) GROUP BY window_start, window_end AS e, k

# pipes: AGGREGATE of what AGGREGATE gives
FROM T |> AGGREGATE sum(n) AS s GROUP BY window_start, window_end, k |> WHERE s > -9 |> AGGREGATE max(s) AS m GROUP BY window_end

# pipes: AGGREGATE in a subquery, and windows of a SELECT before it
SELECT e, count(*) AS c FROM (SELECT k, window_end, n FROM T |> EXTEND n + 1 AS m |> AGGREGATE max(m) AS m GROUP BY window_end AS e, upper(k) AS u) GROUP BY e

# pipes: AGGREGATE over the results of windows, in a CTE
WITH g AS (SELECT k, window_end, count(*) AS c FROM E WINDOW ASSIGN TUMBLING(ts, INTERVAL '30' SECONDS) GROUP BY k)
FROM g |> AGGREGATE max(c) AS m, count(DISTINCT k) AS d GROUP BY window_end

# pipes: SELECT DISTINCT
FROM T |> SELECT DISTINCT k, window_start, window_end |> AS q |> SELECT q.k, q.window_end

# pipes: a ranking, filtered
FROM T |> SELECT k, window_end, n, row_number() OVER (PARTITION BY window_start, window_end ORDER BY n DESC) AS r |> WHERE r <= 2

# pipes: a ranking in EXTEND, filtered
FROM T |> EXTEND row_number() OVER (PARTITION BY window_start, window_end ORDER BY n DESC) AS r |> WHERE r <= 2 |> SELECT k, n, r, window_end

# pipes: Top-N of groups in EXTEND
FROM T |> AGGREGATE sum(n) AS s GROUP BY window_start, window_end, k |> EXTEND rank() OVER (PARTITION BY window_end ORDER BY s DESC, k) AS r, s / sum(s) OVER (PARTITION BY window_end) AS share |> WHERE r < 3 |> DROP window_start

# pipes: deduplication in EXTEND, over a CTE
WITH c AS (FROM T AS x |> WHERE x.n > 1 |> SET n = n * 2) FROM c |> EXTEND row_number() OVER (PARTITION BY window_start, window_end, c.k ORDER BY c.n, c.v) AS r |> WHERE r = 1 |> SELECT k, n, window_end

# pipes: a named window
FROM T |> SELECT k, window_end, n, row_number() OVER w AS r WINDOW w AS (PARTITION BY window_start, window_end ORDER BY n DESC) |> WHERE r = 1 |> SELECT k, n

# pipes: a join, filtered and projected
FROM T a LEFT JOIN U b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end |> WHERE a.n > 2 |> SELECT a.k, a.n, b.n AS m

# pipes: a join, grouped
FROM T AS a JOIN U b USING (k, window_start, window_end) |> AGGREGATE count(*) AS c, max(b.n) GROUP BY k, window_end AS e |> WHERE c > 1

# pipes: a comma join, ranked
FROM T a, U b |> WHERE a.k = b.k AND a.window_end = b.window_end |> SELECT a.k, a.n, b.n AS m, row_number() OVER (PARTITION BY a.window_end ORDER BY a.n, b.n) AS r |> WHERE r < 3

# pipes: joined after a pipe, filtered and projected
FROM T AS a |> LEFT OUTER JOIN U b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end |> WHERE a.n > 2 |> SELECT a.k, a.n, b.n AS m

# pipes: joined after a pipe by USING, grouped
FROM T a |> INNER JOIN U AS b USING (k, window_start, window_end) |> AGGREGATE count(*) AS c, max(b.n) GROUP BY k, window_end AS e |> WHERE c > 1

# pipes: semi join after a pipe
FROM T a |> LEFT SEMI JOIN U b ON a.k = b.k AND a.window_end = b.window_end |> SELECT k, n, window_end

# pipes: a full join after a pipe, everything
FROM T a |> FULL JOIN U b ON b.window_end = a.window_end AND a.k = b.k AND a.n < b.n |> SELECT a.k, b.k AS bk, a.n, b.n AS m

# pipes: a join alone
FROM T a |> JOIN U b ON a.k = b.k AND a.window_end = b.window_end |> WHERE a.n > 2

# pipes: joined alone, grouped around
SELECT k, e, count(*) AS c FROM (FROM (SELECT k, window_end AS e, n FROM T) a JOIN (SELECT k, window_end AS e, n AS m FROM U) b USING (k, e)) GROUP BY k, e

# pipes: NOT EXISTS alone
FROM T x |> WHERE NOT EXISTS (SELECT 1 FROM U y WHERE y.window_start = x.window_start AND y.window_end = x.window_end AND y.k = x.k) AND x.n > 1

# semi join: grouped by names that the right side has too
SELECT k, window_end, count(*) AS c FROM T l LEFT SEMI JOIN U r ON l.k = r.k AND l.window_end = r.window_end WHERE n > 1 GROUP BY k, window_end

# anti join: ranked by names that the right side has too
SELECT k, n, rank() OVER (PARTITION BY window_end ORDER BY n, k) AS r FROM T a ANTI JOIN U b ON a.k = b.k AND a.window_end = b.window_end AND b.n > a.n

# EXISTS: with LIMIT
SELECT x.k, x.n FROM T x WHERE EXISTS (SELECT y.n FROM U y WHERE y.window_end = x.window_end AND y.k = x.k ORDER BY y.n LIMIT 1)

# IN: ranks
SELECT x.k, x.n FROM T x WHERE (x.n, x.window_end) IN (SELECT rank() OVER (PARTITION BY y.window_end ORDER BY y.n), y.window_end FROM U y)

# pipes: EXISTS, projected
FROM T x |> WHERE EXISTS (SELECT 1 FROM U y WHERE y.window_start = x.window_start AND y.window_end = x.window_end AND y.k = x.k) AND x.n > 1 |> SELECT x.k, n, window_end

# pipes: NOT IN, grouped
FROM T AS x |> WHERE x.k NOT IN (SELECT y.k FROM U y WHERE y.window_end = x.window_end AND y.n < 9) |> AGGREGATE count(*) AS c GROUP BY window_start, window_end

# pipes: compared with an aggregate, ranked
FROM T x |> WHERE x.n >= (SELECT avg(y.n) FROM U y WHERE y.window_end = x.window_end) |> SELECT k, n, rank() OVER (PARTITION BY window_end ORDER BY n) AS r |> WHERE r < 3

# lateral aliases: one of another in HAVING
SELECT k, window_end, sum(n) AS s, s * 2 AS t, t + s AS u FROM T GROUP BY k, window_start, window_end HAVING u > 90 AND t < 900

# lateral aliases: one of another in QUALIFY, over groups
SELECT k, window_end, count(*) AS c, c + 1 AS d FROM T GROUP BY k, window_start, window_end
QUALIFY row_number() OVER (PARTITION BY window_end ORDER BY d DESC, k) = 1

# lateral aliases: one of another in QUALIFY, over rows
SELECT window_end, n + 1 AS m, m * 2 AS p FROM T QUALIFY row_number() OVER (PARTITION BY window_end ORDER BY p DESC) = 1

# lateral aliases: one of another in HAVING of a WINDOW ASSIGN
SELECT k, sum(n) AS s, s * 2 AS t FROM E WINDOW ASSIGN TUMBLING(ts, INTERVAL '30' SECONDS) GROUP BY k HAVING t > 60

# join: FULL with ON, grouped at once by the first end that is there
WITH a AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k), b AS (SELECT window_end, k, sum(v) s FROM U GROUP BY window_start, window_end, k) SELECT coalesce(a.k, b.k) AS key, coalesce(a.window_end, b.window_end) AS e, count(c) x, count(s) y FROM a FULL JOIN b ON a.k = b.k AND a.window_end = b.window_end GROUP BY 1, 2

# join: FULL with ON, grouped at once, with no alias, brackets and HAVING
SELECT count(*) AS c, IFNULL((r.window_end), l.window_end), max(date_trunc('day', nvl(l.window_end, r.window_end))) m FROM T l FULL JOIN U r ON l.n = r.n AND l.window_end = r.window_end WHERE coalesce(l.window_end, r.window_end) > TIMESTAMP'2000-01-01 00:00:00' GROUP BY IFNULL((r.window_end), l.window_end) HAVING count(*) > 0

# join: FULL with ON, the first end that is there beside ROLLUP, and ALL
WITH a AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k), b AS (SELECT window_end, k, sum(v) s FROM U GROUP BY window_start, window_end, k) SELECT coalesce(a.k, b.k) AS key, Coalesce(`b`.WINDOW_END, A.`window_end`) AS e, sum(c) x FROM a FULL OUTER JOIN b ON a.k = b.k AND a.window_end = b.window_end GROUP BY ROLLUP(key), e

# join: FULL with ON, ranked at once by the first end that is there
WITH a AS (SELECT window_end, k, count(*) c FROM T GROUP BY window_start, window_end, k), b AS (SELECT window_end, k, sum(v) s FROM U GROUP BY window_start, window_end, k) SELECT a.k, b.k AS other, row_number() OVER (PARTITION BY coalesce(a.window_end, b.window_end) ORDER BY a.k, b.k) AS r FROM a FULL JOIN b ON a.k = b.k AND a.window_end = b.window_end

# join: FULL with ON and a table after it, distinct by the first end that is there
SELECT DISTINCT d.label, coalesce(l.window_end, r.window_end) AS e FROM T l FULL JOIN U r ON l.n = r.n AND l.window_end = r.window_end LEFT JOIN names d ON d.id = r.k

# table: groups after a pipe
TABLE rows_{t} |> AGGREGATE count(*) GROUP BY window_end, k

# table: joined after a pipe
TABLE rows_{t} |> JOIN U u USING (window_end, k) |> SELECT k, u.n, window_end

# aggregation: inside brackets that TABLESAMPLE cuts off
SELECT x.k, x.window_end, x.c FROM (SELECT k, window_end, count(*) AS c FROM T GROUP BY k, window_end) TABLESAMPLE (1000 ROWS) AS x

# join: with LIMIT
SELECT l.k, l.n, r.n AS m FROM T l JOIN U r ON l.k = r.k AND l.window_end = r.window_end WHERE l.n < r.n LIMIT 10000

# join: with a lookup table and LIMIT
SELECT d.label, l.n, r.n AS m FROM T l JOIN U r ON l.k = r.k AND l.window_end = r.window_end JOIN names d ON d.id = l.k LIMIT (10000)

# semi: EXISTS with LIMIT
SELECT l.k, l.n FROM T l WHERE EXISTS (SELECT 1 FROM U r WHERE r.k = l.k AND r.window_end = l.window_end AND r.n > l.n) LIMIT 10000

# semi: EXISTS of a WITH
SELECT a.k, a.n, a.window_end FROM T a WHERE EXISTS (WITH x AS (SELECT * FROM U WHERE v > 1) SELECT 1 FROM x WHERE x.k = a.k AND x.window_end = a.window_end)

# semi: NOT EXISTS of a WITH whose name is that of one around, over results
WITH x AS (SELECT k, window_end FROM T GROUP BY window_start, window_end, k)
SELECT x.k, x.window_end FROM x WHERE NOT EXISTS (WITH y AS (SELECT * FROM U WHERE v > 4), x AS (SELECT * FROM y) SELECT 1 FROM x AS z WHERE z.k = x.k AND z.window_end = x.window_end)

# semi: IN of a WITH that groups, by names of the SELECT around it
SELECT a.k, a.n, a.window_end FROM T a WHERE a.k IN
  (WITH x AS (SELECT k, window_end, count(*) AS c FROM U GROUP BY window_start, window_end, k) SELECT x.k FROM x WHERE x.window_end = a.window_end AND x.c > 1)

# join: rows of columns, equal with NULL in them
SELECT a.k, a.n, b.n AS m, a.window_end FROM T a JOIN U b ON (a.window_start, a.window_end, a.k) = (b.window_start, b.window_end, b.k)

# join: structs in WHERE, a table after them
SELECT a.n, b.n AS m, d.label FROM T a, U b, names d WHERE struct(a.window_end, a.k) = struct(b.window_end, b.k) AND d.id = a.k

# join: LEFT, rows in rows, computed, the other side first
SELECT a.k, a.n, b.n AS m, a.window_end FROM T a LEFT JOIN U b ON (b.window_end, (upper(b.k), b.n % 2, 1)) = (a.window_end, (upper(a.k), a.n % 2, 1)) AND a.n < b.n

# semi: EXISTS with equal rows
SELECT a.k, a.n, a.window_end FROM T a WHERE EXISTS (SELECT 1 FROM U x WHERE (x.k, x.window_end) = (a.k, a.window_end))

# join: a table between the windows
SELECT l.n, r.n AS m, d.label, l.window_end FROM T l JOIN names d ON d.id = l.k JOIN U r ON l.window_end = r.window_end AND d.id = r.k

# join: tables between the windows, all rows kept, by USING
SELECT window_end, k, l.n, r.n AS m, d.label, e.label AS other FROM T l LEFT JOIN names d ON d.id = l.k JOIN names e ON e.id = l.k AND l.v > 1 JOIN U r USING (window_start, window_end, k)

# join: LEFT after a table between the windows, grouped
SELECT d.label, l.window_end, count(*) AS c, count(r.n) AS found FROM T l JOIN names d ON d.id = l.k LEFT JOIN U r ON l.window_end = r.window_end AND l.k = r.k AND l.n < r.n
GROUP BY d.label, l.window_start, l.window_end

# join: ANTI after a table between the windows
SELECT l.n, d.label, l.window_end FROM T l LEFT JOIN names d ON d.id = l.k LEFT ANTI JOIN U r ON l.window_end = r.window_end AND l.k = r.k AND r.v > 2

# join: commas, a table between the windows
SELECT l.n, r.n AS m, d.label, l.window_end FROM T l, names d, U r WHERE d.id = l.k AND l.window_end = r.window_end AND l.k = r.k

# pipes: a table between the windows
FROM T a |> JOIN names d ON a.k = d.id |> LEFT JOIN U b ON a.window_end = b.window_end AND a.k = b.k AND a.n < b.n |> SELECT d.label, b.n AS m, a.window_end

# join: rows and results with a table between them, ranked
SELECT l.n, d.label, r.c, row_number() OVER (PARTITION BY l.window_end, l.k ORDER BY l.n) AS p FROM T l LEFT JOIN names d ON d.id = l.k
JOIN (SELECT k, window_end, count(*) AS c FROM U GROUP BY window_start, window_end, k) r ON l.window_end = r.window_end AND l.k = r.k

# items: the greatest result of the window beside each
SELECT g.k, g.s, (SELECT max(x.s) FROM (SELECT window_end, sum(v) AS s FROM T GROUP BY window_start, window_end, k) x WHERE x.window_end = g.window_end) AS top
FROM (SELECT k, window_end, sum(v) AS s FROM T GROUP BY window_start, window_end, k) g

# items: a count, which is 0 of no rows, beside rows
SELECT a.k, a.n, a.window_end, (SELECT count(*) FROM U b WHERE b.window_end = a.window_end AND b.k = a.k AND b.v > 3) AS c FROM T a

# items: an aggregate in an expression, beside a star, other case
select A.*, 10 - coalesce((select sum(b.V) from U b where b.Window_Start = a.window_start AND `b`.window_end = a.WINDOW_END and b.K = a.k), -1) as rest from T a where a.v > 1

# items: rows with an aggregate of a CTE of results, a bare star
WITH g AS (SELECT k, window_start, window_end, avg(v) AS m FROM T GROUP BY window_start, window_end, k)
SELECT *, (SELECT max(g.m) FROM g WHERE g.window_end = t.window_end AND g.k = t.k) AS m FROM T t

# items: results with an aggregate of rows, grouped around
SELECT window_end, max(c) AS most, sum(s) AS t FROM (
  SELECT g.k, g.s, g.window_end, (SELECT count(DISTINCT b.n) FROM U b WHERE b.window_end = g.window_end AND b.k = g.k) AS c
  FROM (SELECT k, window_end, sum(v) AS s FROM T GROUP BY window_start, window_end, k) g) GROUP BY window_end

# items: columns without names of relations, * EXCEPT
SELECT * EXCEPT (ts, v), (SELECT max(b.v) FROM U b WHERE b.window_end = a.window_end) - v AS d FROM T a

# items: compared in CASE
SELECT a.n, a.window_end, CASE WHEN a.v > (SELECT avg(b.v) FROM U b WHERE b.window_end = a.window_end) THEN 'above' ELSE 'below' END AS side FROM T a

# items: counted, ranked around
SELECT * FROM (SELECT x.*, row_number() OVER (PARTITION BY e ORDER BY c DESC, n) AS r
  FROM (SELECT a.n, a.window_end AS e, (SELECT count(*) FROM U b WHERE b.window_end = a.window_end AND b.k = a.k) AS c FROM T a) x) WHERE r <= 2

# items: after a pipe
FROM T a |> SELECT a.n, a.window_end, (SELECT max(b.v) FROM U b WHERE b.window_end = a.window_end) AS m

# pipes: filtered before a join
FROM T a |> WHERE v > 1 |> LEFT JOIN U b USING (window_start, window_end, k) |> WHERE coalesce(b.n, 0) < 50 |> SELECT k, a.n, b.n AS m, window_end

# pipes: filtered before a join, grouped
FROM T |> WHERE v > 1 |> JOIN U b USING (window_start, window_end, k) |> AGGREGATE count(*) AS c GROUP BY window_start, window_end

# pipes: rows filtered before results are left out
FROM T a |> WHERE v > 1 AND window_start > TIMESTAMP'2024-01-01 00:00:10'
|> LEFT ANTI JOIN (SELECT k, window_end, count(*) AS c FROM U GROUP BY window_start, window_end, k HAVING count(*) > 3) g ON a.window_end = g.window_end AND a.k = g.k |> SELECT a.k, a.n

# pipes: filtered before a FULL JOIN, ranked, a view first
TABLE rows_{t} |> WHERE v > 3 |> FULL JOIN (SELECT * FROM U WHERE v < 4) b USING (window_end, n) |> SELECT n, b.k, row_number() OVER (PARTITION BY window_end ORDER BY n) AS r

# aggregation: window columns as one row in GROUP BY
SELECT (window_start, window_end) AS w, k, count(*) AS c FROM T GROUP BY (window_start, window_end), k

# aggregation: window columns in a struct in GROUP BY, renamed
SELECT key, sum(v) AS s FROM (SELECT k AS key, v, window_start AS a, window_end AS b FROM T) GROUP BY struct(a, b), key

# looked up: BETWEEN two aggregates of the window
WITH g AS (SELECT k, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k)
SELECT a.k, a.c, a.window_end FROM g a
WHERE a.c BETWEEN (SELECT avg(b.c) FROM g b WHERE b.window_end = a.window_end) AND (SELECT max(b.c) FROM g b WHERE b.window_end = a.window_end)

# looked up: a comparison beside OR, a star
WITH g AS (SELECT k, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k)
SELECT * FROM g a WHERE k = 'a' OR c = (SELECT max(b.c) FROM g b WHERE b.window_end = a.window_end)

# looked up: a count that is 0 where there are no rows, * EXCEPT
SELECT * EXCEPT (ts, v) FROM T x WHERE (SELECT count(*) FROM U y WHERE y.window_end = x.window_end AND y.k = x.k) = 0 OR x.n < 20

# looked up: grouped at once
SELECT x.window_end, x.k, count(*) AS c FROM T x
WHERE x.v > coalesce((SELECT avg(y.v) FROM U y WHERE y.window_end = x.window_end AND y.k = x.k), 0) GROUP BY x.window_start, x.window_end, x.k

# looked up: ranked at once
SELECT x.k, x.n, row_number() OVER (PARTITION BY x.window_end ORDER BY x.n) AS r FROM T x
WHERE x.v > 4 OR x.v > (SELECT avg(y.v) FROM U y WHERE y.window_end = x.window_end AND y.k = x.k)

# looked up: among the items, beside EXISTS
WITH g AS (SELECT k, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k)
SELECT a.k, a.c, a.window_end, (SELECT max(b.c) FROM g b WHERE b.window_end = a.window_end) AS most
FROM g a WHERE EXISTS (SELECT 1 FROM U y WHERE y.window_end = a.window_end AND y.k = a.k)

# looked up: among the items and twice beside OR, a star before them
WITH g AS (SELECT k, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k)
SELECT *, (SELECT max(b.c) FROM g b WHERE b.window_end = a.window_end) AS most FROM g a
WHERE a.c > (SELECT min(b.c) FROM g b WHERE b.window_end = a.window_end) OR a.c * 2 > (SELECT sum(b.c) FROM g b WHERE b.window_end = a.window_end)

# looked up: the columns of a relation but one, among the items and beside OR
SELECT x.* EXCEPT (v), (SELECT max(y.n) FROM U y WHERE y.window_end = x.window_end) AS most FROM T x
WHERE x.n % 3 = 0 OR x.n = (SELECT min(y.n) FROM U y WHERE y.window_end = x.window_end)

# looked up: two aggregates and EXISTS among the items, a star between them
WITH g AS (SELECT k, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k)
SELECT (SELECT max(b.c) FROM g b WHERE b.window_end = a.window_end) - a.c AS less, a.*, (SELECT count(*) FROM U y WHERE y.window_end = a.window_end AND y.k = a.k) AS n,
CASE WHEN EXISTS (SELECT 1 FROM U y WHERE y.window_end = a.window_end AND y.k = a.k AND y.v > 3) THEN 'big' ELSE 'small' END AS size FROM g a

# looked up: twice among the items, of relations of their own before the FROM
SELECT x.k, x.n, (SELECT max(y.n) FROM U y WHERE y.window_end = x.window_end) AS most, (SELECT min(y.n) FROM U y WHERE y.window_end = x.window_end AND y.k = x.k) AS least FROM T x

# looked up: three times among the items, of groups of their own before the FROM
SELECT x.k, x.c, (SELECT count(*) FROM (SELECT k, window_end, count(*) AS c FROM U GROUP BY window_start, window_end, k) y WHERE y.window_end = x.window_end) AS n,
(SELECT max(y.c) FROM (SELECT k, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k) y WHERE y.window_end = x.window_end) AS most,
EXISTS (SELECT 1 FROM (SELECT k, window_end, count(*) AS c FROM U GROUP BY window_start, window_end, k) y WHERE y.window_end = x.window_end AND y.k = x.k) AS has
FROM (SELECT k, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k) x

# looked up: EXISTS in a call and in CASE, grouped at once
SELECT x.window_end, x.k, count(*) AS c FROM T x
WHERE if(x.v > 3, EXISTS ((SELECT * FROM U y WHERE y.window_end = x.window_end AND y.k = x.k)), NOT EXISTS (SELECT 1 FROM U y WHERE y.window_end = x.window_end AND y.n = x.n + 1))
GROUP BY x.window_start, x.window_end, x.k

# semi join: three EXISTS, IN and a comparison by AND
SELECT k, n, window_end FROM T x WHERE EXISTS (SELECT 1 FROM U y WHERE y.window_end = x.window_end AND y.k = x.k)
AND k IN (SELECT k FROM U y WHERE y.window_end = x.window_end AND v > 2) AND NOT EXISTS (SELECT 1 FROM U y WHERE y.window_end = x.window_end AND y.n = x.n + 1)
AND v <= (SELECT max(v) FROM T y WHERE y.window_end = x.window_end)

# looked up: in CASE, after NOT
SELECT k, n FROM T x WHERE CASE WHEN n % 2 = 0 THEN n < (SELECT max(y.n) FROM U y WHERE y.window_end = x.window_end)
ELSE NOT (v > 1 OR n = (SELECT min(y.n) FROM U y WHERE y.window_end = x.window_end)) END

# looked up: where there is none
SELECT k, n FROM T x WHERE (SELECT max(y.n) FROM U y WHERE y.window_end = x.window_end AND y.k = x.k AND y.v > 4) IS NULL

# looked up: after IN and NOT EXISTS, of rows
SELECT k, n FROM T x WHERE k IN (SELECT k FROM U y WHERE y.window_end = x.window_end AND y.v > 3)
AND NOT EXISTS (SELECT 1 FROM U y WHERE y.window_end = x.window_end AND y.n = x.n + 1)
AND (x.n > 100 OR x.v = (SELECT max(y.v) FROM T y WHERE y.window_end = x.window_end))

# looked up: beside an aggregate of a table
SELECT k, n FROM T x
WHERE n > (SELECT count(*) FROM names) AND (k = (SELECT max(id) FROM names) OR n > (SELECT count(*) FROM U y WHERE y.window_end = x.window_end))

# join: with a table in brackets
SELECT a.k, b.n, c.label, a.window_end FROM T a JOIN (U b JOIN names c ON b.k = c.id) ON a.k = b.k AND a.window_end = b.window_end

# join: a table first in FROM, the windows in brackets
SELECT d.label, a.k, b.n, a.window_end FROM names d JOIN (T a JOIN U b ON a.window_end = b.window_end AND a.k = b.k) ON a.k = d.id

# join: brackets in brackets, grouped at once
SELECT d.label, a.window_end, count(*) AS c FROM (names d CROSS JOIN (T a INNER JOIN U b ON a.window_end = b.window_end))
WHERE a.k = d.id AND b.k = d.id GROUP BY a.window_end, d.label

# join: results and rows, each in brackets with a table
SELECT d.label, e.label AS l2, a.s, b.n FROM ((SELECT k, window_end AS e, sum(v) AS s FROM T GROUP BY window_end, k) a JOIN names d ON a.k = d.id), (U b JOIN names e ON b.k = e.id)
WHERE a.e = b.window_end AND e.label <> d.label

# join: each relation in brackets, and a table
SELECT a.k, b.n, a.window_end, d.label FROM (T a) JOIN (U b) ON a.k = b.k AND a.window_end = b.window_end JOIN (names d) ON d.id = a.k

# join: LEFT after a table first in FROM
SELECT d.label, a.k, b.n, a.window_end FROM names d JOIN T a ON a.k = d.id LEFT JOIN U b ON a.window_end = b.window_end AND a.k = b.k

# join: ANTI after a table first in FROM
SELECT d.label, a.k, a.n FROM names d JOIN T a ON a.k = d.id LEFT ANTI JOIN U b ON a.window_end = b.window_end AND a.n = b.n

# join: LEFT after tables first in FROM and between, grouped at once
SELECT d.label, a.window_end, count(b.n) AS c FROM names d JOIN T a ON a.k = d.id JOIN names e ON e.id = d.id
LEFT JOIN U b ON a.window_end = b.window_end AND a.n = b.n GROUP BY a.window_end, d.label

# beside OR: EXISTS
SELECT x.k, x.n, x.window_end FROM T x WHERE x.n % 7 = 0 OR EXISTS (SELECT 1 FROM U y WHERE y.window_end = x.window_end AND y.k = x.k AND y.v > 4)

# beside OR: NOT EXISTS, a star
SELECT * FROM T x WHERE x.n < 9 OR NOT EXISTS (SELECT * FROM U y WHERE y.window_end = x.window_end AND y.n = x.n)

# beside OR: IN of two columns
SELECT x.k, x.n FROM T x WHERE x.n % 7 = 0 OR (x.k, x.window_end) IN (SELECT k, window_end FROM U y WHERE y.n > 100)

# beside OR: IN within brackets
SELECT x.k, n FROM T x WHERE n < 80 AND (v = 0 OR (v > 2 AND k IN (SELECT y.k FROM U y WHERE y.window_end = x.window_end AND y.v = 1)))

# beside OR: two EXISTS
SELECT x.k, n FROM T x WHERE EXISTS (SELECT 1 FROM U y WHERE y.window_end = x.window_end AND y.n = x.n + 1)
OR EXISTS (SELECT 1 FROM U y WHERE y.window_end = x.window_end AND y.n + 2 = x.n)

# beside OR: results in rows, grouped at once
WITH g AS (SELECT k, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k)
SELECT g.window_end, sum(c) AS s FROM g WHERE c > 8 OR k IN (SELECT k FROM U y WHERE y.window_end = g.window_end AND y.v > 4) GROUP BY g.window_end

# beside OR: NOT EXISTS and an aggregate, after EXISTS
SELECT x.k, n FROM T x WHERE EXISTS (SELECT 1 FROM H y WHERE y.window_end = x.window_end AND y.n > x.n)
AND (n < 9 OR NOT EXISTS (SELECT 1 FROM U y WHERE y.window_end = x.window_end AND y.k = x.k AND y.v = 3)
  OR n = (SELECT max(y.n) FROM T y WHERE y.window_end = x.window_end))

# pipes: filtered before a table, grouped
FROM T AS a |> WHERE v > 1 |> JOIN names d ON a.k = d.id |> AGGREGATE count(*) AS c GROUP BY window_end, label

# pipes: filtered before a table of which some rows are missing, without a name
FROM T |> WHERE v > 1 |> LEFT JOIN names d ON k = d.id |> AGGREGATE count(*) AS c, max(n) AS m GROUP BY window_start, window_end, d.label

# pipes: results filtered before a table and after it
FROM (SELECT k, window_end AS e, count(*) AS c FROM T GROUP BY window_end, k) g |> WHERE c > 2 |> JOIN names d ON g.k = d.id
|> WHERE d.label <> 'B' |> SELECT DISTINCT g.e, label

# pipes: filtered before a table, ranked
FROM T a |> WHERE a.v > 1 |> JOIN names d ON a.k = d.id |> SELECT a.k, label, row_number() OVER (PARTITION BY window_end ORDER BY n) AS r |> WHERE r < 4

# rank: as many as the groups say
SELECT window_end, k, place FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY total DESC, k) AS place FROM
  (SELECT window_start, window_end, k, sum(v) AS total, count(*) AS c FROM T GROUP BY window_start, window_end, k)) WHERE place <= c % 4

# aggregation: a literal among the keys
SELECT window_start, window_end, count(*) AS c FROM T GROUP BY 'all', window_start, window_end

# aggregation: brackets around a function and what it explodes, one row at least
SELECT w.k, max(x.word) AS word, count(w.n) AS c FROM (T w LEFT JOIN LATERAL explode(split('one,two', ',')) AS x(word) ON TRUE)
GROUP BY window_start, window_end, w.k, window_time

# join: a CTE of groups with itself, by an alias that is a column too
WITH g AS (SELECT k, window_start, window_end FROM T GROUP BY k, window_start, window_end)
SELECT g.window_end, g.k, date_format(g.window_end + INTERVAL '7' HOUR, 'HH') AS hour FROM g
LEFT JOIN g AS k ON g.k = k.k AND g.window_start = k.window_start AND g.window_end = k.window_end

# by start alone: a group of a function
SELECT window_start, k, count(*) AS c, sum(v) AS s FROM T GROUP BY window_start, k

# by start alone: GROUP BY ALL, renamed, filtered by the start
SELECT s, count(*) AS c FROM (SELECT window_start AS s, window_end AS e, v FROM T WHERE window_start >= TIMESTAMP'2024-01-01 00:00:30') GROUP BY ALL

# by start alone: GROUPING SETS
SELECT window_start, k, count(*) AS c FROM T GROUP BY GROUPING SETS ((window_start, k), (window_start))

# by start alone: groups of groups, of WINDOW ASSIGN
SELECT window_start, max(c) AS most FROM (SELECT k, window_start, window_end, count(*) AS c FROM events_{t} WINDOW ASSIGN TUMBLING(ts, INTERVAL 30 SECONDS) GROUP BY k) GROUP BY window_start

# by start alone: DISTINCT
SELECT DISTINCT k, window_start FROM T

# by start alone: ranks of rows
SELECT k, n, row_number() OVER (PARTITION BY window_start ORDER BY n DESC) AS r FROM T QUALIFY r <= 2

# by start alone: ranks of groups and their share
SELECT window_start, k, sum(n) AS s, sum(n) / sum(sum(n)) OVER (PARTITION BY window_start) AS share FROM T GROUP BY window_start, k

# by start alone: a LEFT JOIN by USING
SELECT * FROM (SELECT k, window_start, window_end, count(*) AS c FROM T GROUP BY ALL) a LEFT JOIN (SELECT k, window_start, window_end AS e, max(v) AS m FROM U GROUP BY ALL) b USING (window_start, k)

# by start alone: a comma join of rows
SELECT a.n, b.n AS m, b.window_start FROM T a, U b WHERE a.k = b.k AND a.window_start = b.window_start AND a.n < b.n

# by start alone: EXISTS beside AND, and NOT IN
SELECT k, n FROM T a WHERE EXISTS (SELECT 1 FROM U b WHERE b.window_start = a.window_start AND b.n = a.n + 1) AND a.k NOT IN (SELECT k FROM U b WHERE b.window_start = a.window_start AND b.v > 4 AND b.k IS NOT NULL)

# having: above the mean of the groups of its window
SELECT window_end, k, count(*) AS c FROM T GROUP BY window_start, window_end, k
HAVING count(*) > (SELECT avg(c) FROM (SELECT window_end AS e, k, count(*) AS c FROM T GROUP BY window_start, window_end, k) x WHERE x.e = window_end)

# having: the greatest, by an alias
SELECT k, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k
HAVING c >= (SELECT max(n) FROM (SELECT window_end AS e, k, count(*) AS n FROM T GROUP BY window_start, window_end, k) x WHERE x.e = window_end)

# having: EXISTS between two groupings
SELECT window_end, k, count(*) AS c FROM T GROUP BY window_start, window_end, k
HAVING EXISTS (SELECT 1 FROM (SELECT window_end AS e, k AS kk, count(*) AS n FROM U GROUP BY window_start, window_end, k) u WHERE u.e = window_end AND u.kk = k)

# having: NOT EXISTS between two groupings
SELECT window_end, k, count(*) AS c FROM T GROUP BY window_start, window_end, k
HAVING NOT EXISTS (SELECT 1 FROM (SELECT window_end AS e, k AS kk, count(*) AS n FROM U GROUP BY window_start, window_end, k) u WHERE u.e = window_end AND u.kk = k)

# having: an aggregate NOT IN those of another grouping, beside another condition
SELECT window_end, k, sum(v) AS s FROM T GROUP BY window_start, window_end, k
HAVING count(*) > 1 AND count(*) NOT IN (SELECT n FROM (SELECT window_end AS e, k AS kk, count(*) AS n FROM U GROUP BY window_start, window_end, k) u WHERE u.e = window_end)

# having: a count of rows
SELECT t.window_start, t.window_end, t.k, count(*) AS c FROM T t GROUP BY t.window_start, t.window_end, t.k
HAVING count(*) >= (SELECT count(*) FROM U b WHERE b.window_end = t.window_end AND b.k = t.k)

# having: beside OR
SELECT window_end, k, max(v) AS m FROM T GROUP BY window_start, window_end, k
HAVING max(v) > 6 OR count(*) = (SELECT max(n) FROM (SELECT window_end AS e, k, count(*) AS n FROM T GROUP BY window_start, window_end, k) x WHERE x.e = window_end)

# having: a key that is computed, IN
SELECT t.window_end, upper(k) AS big, count(*) AS c FROM T t GROUP BY window_start, window_end, upper(k)
HAVING upper(k) IN (SELECT upper(x.k) FROM U x WHERE x.window_end = t.window_end)

# having: two subqueries
SELECT t.window_end, k, sum(n) AS c FROM T t GROUP BY window_start, window_end, k
HAVING sum(n) > (SELECT avg(x.n) FROM U x WHERE x.window_end = t.window_end) AND k IN (SELECT y.k FROM U y WHERE y.window_end = t.window_end)

# having: grouped again
SELECT window_end, count(*) AS n, sum(c) AS s FROM (SELECT window_start, window_end, k, count(*) AS c FROM T GROUP BY window_start, window_end, k
HAVING count(*) >= (SELECT avg(n) FROM (SELECT window_end AS e, k, count(*) AS n FROM T GROUP BY window_start, window_end, k) x WHERE x.e = window_end)) GROUP BY window_start, window_end

# having: by both bounds of overlapping windows
SELECT window_start, window_end, k, count(*) AS c FROM H h GROUP BY window_start, window_end, k
HAVING count(*) = (SELECT max(n) FROM (SELECT window_start AS s, window_end AS e, k, count(*) AS n FROM H GROUP BY window_start, window_end, k) x WHERE x.s = h.window_start AND x.e = h.window_end)

# having: GROUP BY ALL
SELECT t.window_end, t.k, count(*) AS c FROM T t GROUP BY ALL
HAVING count(*) > (SELECT avg(n) FROM (SELECT window_end AS e, k, count(*) AS n FROM T GROUP BY window_start, window_end, k) x WHERE x.e = t.window_end)

# having: ranked
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY window_end ORDER BY c DESC, k) AS r FROM (SELECT window_start, window_end, k, count(*) AS c FROM T GROUP BY window_start, window_end, k
HAVING count(*) >= (SELECT avg(n) FROM (SELECT window_end AS e, k, count(*) AS n FROM T GROUP BY window_start, window_end, k) x WHERE x.e = window_end))) WHERE r = 1

# having: a cascade over it
SELECT window_start, window_end, sum(c) AS s FROM TABLE(TUMBLE(TABLE (SELECT window_time AS t, c FROM (SELECT window_start, window_end, window_time, k, count(*) AS c FROM T GROUP BY window_start, window_end, window_time, k
HAVING count(*) >= (SELECT avg(n) FROM (SELECT window_end AS e, k, count(*) AS n FROM T GROUP BY window_start, window_end, k) x WHERE x.e = window_end))), DESCRIPTOR(t), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end

# having: none, but EXISTS among the items
SELECT t.window_end, t.k, count(*) AS c, EXISTS (SELECT 1 FROM U u WHERE u.window_end = t.window_end AND u.k = t.k) AS there FROM T t GROUP BY t.window_start, t.window_end, t.k

# having: an alias in backquotes
SELECT t.window_end AS `The End`, t.k AS `Key`, count(*) AS `how many` FROM T t GROUP BY t.window_start, t.window_end, t.k
HAVING `how many` >= (SELECT avg(x.c) FROM (SELECT window_end, k, count(*) AS c FROM U GROUP BY window_start, window_end, k) x WHERE x.window_end = t.window_end) AND `Key` IS NOT NULL

# having: NOT around IN
SELECT t.window_end, t.k, max(v) AS m FROM T t GROUP BY t.window_start, t.window_end, t.k
HAVING NOT (max(v) IN (SELECT x.v FROM U x WHERE x.window_end = t.window_end)) AND NOT EXISTS (SELECT 1 FROM U y WHERE y.window_end = t.window_end AND y.k = t.k AND y.v > 4)

# having: BETWEEN two aggregates of windows
SELECT t.window_end, t.k, sum(v) AS m FROM T t GROUP BY t.window_start, t.window_end, t.k
HAVING sum(v) BETWEEN (SELECT min(x.v) FROM U x WHERE x.window_end = t.window_end) AND (SELECT 3 * max(x.v) FROM U x WHERE x.window_end = t.window_end)

# having: in a CASE
SELECT t.window_end, t.k, sum(v) AS m FROM T t GROUP BY t.window_start, t.window_end, t.k
HAVING CASE WHEN t.k = 'a' THEN sum(v) > (SELECT max(x.v) FROM U x WHERE x.window_end = t.window_end) ELSE count(*) > 2 END

# having: keys with window_time
SELECT t.window_time, t.k, count(*) AS c FROM T t GROUP BY t.window_start, t.window_end, t.window_time, t.k
HAVING count(*) >= (SELECT avg(x.c) FROM (SELECT window_end, k, count(*) AS c FROM U GROUP BY window_start, window_end, k) x WHERE x.window_end = t.window_end)
# pipes: of one character, with an OR of bits
FROM T | WHERE n | 1 > 3 | EXTEND n | 2 AS m | AGGREGATE sum(m) AS s, count(*) AS c GROUP BY window_start, window_end AS e, k

# pipes: of one character, a rank of groups
SELECT k, window_end, count(*) AS c FROM T GROUP BY k, window_start, window_end | EXTEND rank() OVER (PARTITION BY window_end ORDER BY c DESC, k) AS r | WHERE r < 3

# distinct: * of results
SELECT DISTINCT * FROM (SELECT k, window_start, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k)

# distinct: a.* with a WHERE
SELECT DISTINCT a.* FROM (SELECT k, window_end AS e, count(*) AS c FROM T GROUP BY window_start, window_end, k) a WHERE a.c > 1

# distinct: * of rows with two columns
SELECT DISTINCT * FROM (SELECT window_end, k FROM T)

# distinct: * beside other items, names in other case
SELECT DISTINCT *, c + 1 AS d, `K` AS k2, W.WINDOW_END AS e FROM (SELECT k, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k) w

# distinct: * EXCEPT a key
SELECT DISTINCT * EXCEPT (c, window_start) FROM (SELECT k, window_start, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k)

# distinct: * of UNION ALL
SELECT DISTINCT * FROM (SELECT k, window_end FROM T UNION ALL SELECT k, window_end FROM U)

# distinct: * GROUP BY ALL
SELECT * FROM (SELECT k, window_time, window_end, v FROM T) GROUP BY ALL

# distinct: * of a ranking
SELECT DISTINCT * FROM (SELECT k, window_end, v, row_number() OVER (PARTITION BY window_start, window_end ORDER BY n) AS r FROM T) WHERE r <= 2

# distinct: * of a CTE with a column list, grouped again
WITH w(`A b`, E, n) AS (SELECT DISTINCT * FROM (SELECT k, window_end, v FROM T)) SELECT e, count(*) AS c, count(`a B`) AS d FROM w GROUP BY e

# distinct: * joined with another
SELECT x.k, x.e, y.c FROM (SELECT DISTINCT * FROM (SELECT k, window_end AS e FROM T)) x JOIN (SELECT k, window_end AS e, count(*) AS c FROM U GROUP BY window_start, window_end, k) y ON x.e = y.e AND x.k = y.k

# distinct: * with EXISTS
SELECT DISTINCT * FROM (SELECT k, window_end, v FROM T) x WHERE EXISTS (SELECT 1 FROM U y WHERE y.window_end = x.window_end AND y.k = x.k)

# distinct: |> SELECT DISTINCT *
FROM T |> SELECT k, window_end, v |> WHERE v < 5 |> SELECT DISTINCT *

# distinct: * of a view
SELECT DISTINCT * FROM results_{t}

# distinct: * of a hopping window by its time
SELECT DISTINCT * FROM (SELECT k, window_start, window_time FROM H)

# distinct: * in UNION ALL of two
SELECT DISTINCT * FROM (SELECT k, window_end FROM T) UNION ALL SELECT DISTINCT * FROM (SELECT k, window_end FROM U)

# distinct: * of a join in a subquery
SELECT DISTINCT * FROM (SELECT x.k, x.window_end, y.v FROM T x JOIN U y ON x.window_end = y.window_end AND x.k = y.k)

# distinct: a.* of a join
SELECT DISTINCT x.* FROM (SELECT k, window_end FROM T) x JOIN U y ON x.window_end = y.window_end AND x.k = y.k

# distinct: a.* beside a table
SELECT DISTINCT x.*, names.label FROM (SELECT k, window_end FROM T) x JOIN names ON x.k = names.id

# distinct: IN of SELECT DISTINCT * under HAVING
SELECT k, window_end, count(*) AS c FROM T x GROUP BY window_start, window_end, k HAVING (k, window_end) IN (SELECT DISTINCT * FROM (SELECT k, window_end FROM U))

# distinct: * of WINDOW ASSIGN
SELECT DISTINCT * FROM (SELECT k, window_start, window_end, count(*) AS c FROM E WINDOW ASSIGN SLIDING(ts, INTERVAL 10 SECONDS, INTERVAL 30 SECONDS) GROUP BY k)

# join: a cast before < in ON
SELECT l.k, r.k AS other, l.n::int < r.n AS less FROM T l JOIN U r
ON l.n::bigint < 9 AND l.window_start = r.window_start AND l.window_end = r.window_end AND l.k = r.k

# aggregation: casts before < in WHERE and HAVING, and an interval type among the items
SELECT window_start, window_end, k, max(n)::int < 5 AS few, (max(window_end) - window_start)::interval day to second AS length
FROM T WHERE n::int < 2 OR n > 3 AND k <> 'zzz' GROUP BY window_start, window_end, k HAVING count(*)::int < 99
# join: the columns of either side beside USING, which begin with those of USING
SELECT a.*, b.* EXCEPT (v) FROM T a LEFT JOIN U b USING (window_end, k, n)

# join: the columns of a side beside NATURAL
SELECT y.* FROM (SELECT k, window_end, n AS m FROM T) x NATURAL FULL JOIN (SELECT n, window_end, k FROM U) y

# join: the columns of a side beside USING, ranked and in a struct
SELECT a.*, to_json(struct(b.*)) AS b, rank() OVER (PARTITION BY window_end ORDER BY a.n, b.n) AS place FROM T a JOIN U b USING (k, window_end)

# join: the columns of a side beside USING of tables too
SELECT a.*, label FROM T a JOIN U b USING (window_end, k) LEFT JOIN (SELECT id AS k, label FROM names) d USING (k)

# join: the columns of a side beside USING, by their places
SELECT e, key, count(*) AS c FROM (SELECT a.* FROM (SELECT k, n, window_end FROM T) a JOIN U b USING (window_end, k)) AS x(e, key, m) GROUP BY e, key
# aggregation: sessions whose rows UNPIVOT turns
SELECT k, window_end, sum(x) AS s, count(*) AS c FROM TABLE(SESSION(TABLE (SELECT k, ts, nullif(n % 3, 0) AS m FROM events_{t}) PARTITION BY k, DESCRIPTOR(ts), INTERVAL '4' SECONDS))
UNPIVOT (x FOR name IN (m)) GROUP BY k, window_start, window_end

# aggregation: keys with the names of words of literals and of lambda variables
SELECT date, date > DATE'2024-01-01' AS later, extract(year FROM window_end) AS y, upper(k) AS u, exists(collect_list(k), k -> upper(k) = 'A') AS a, date IN (date) AS i
FROM (SELECT *, date(ts) AS date FROM T) GROUP BY date, window_end, upper(k)

# aggregation: fields of an item in HAVING
SELECT window_end, struct(k AS name, count(*) AS c) AS s, s.c + 1 AS more FROM T GROUP BY window_start, window_end, k HAVING s.c > 1

# aggregation: columns called as the words of CASE and EXISTS
SELECT when, exists, then, window_end, count(*) AS else, max(case) AS most, sum(CASE WHEN exists THEN case ELSE 0 END) AS s
FROM (SELECT k AS when, n AS case, n % 2 = 0 AS exists, v AS then, window_start, window_end FROM T)
GROUP BY window_start, window_end, when, exists, then HAVING count(*) > 0 AND max(case) IS NOT NULL

# join: columns called values, when and else
SELECT a.*, b.else FROM (SELECT k AS values, n, v AS when, window_end FROM T) a
JOIN (SELECT k AS values, n AS else, v AS when, window_end FROM U) b USING (window_end, values, when)
# join: the fields of a column beside USING, and a column left out by its full name
SELECT a.s.*, b.* EXCEPT (b.n, ts) FROM (SELECT *, struct(v AS x, n AS y) AS s FROM T) a JOIN U b USING (window_end, k)

# aggregation: the fields of a struct before the end of the window, by their places
SELECT e, o, count(*) AS c FROM (SELECT s.*, window_end FROM (SELECT struct(k AS x, n % 3 AS y) AS s, window_end FROM T)) AS q(p, o, e) GROUP BY e, o

# aggregation: what a generator makes before the end of the window, by its places
SELECT e, y, count(*) AS c FROM (SELECT inline(array(struct(k, n % 3))), window_end FROM T) AS q(x, y, e) GROUP BY e, y

# rank: a join of rows with structs that are never NULL
SELECT a.k, a.n, b.n AS m, row_number() OVER (PARTITION BY a.window_end, a.k ORDER BY a.n, b.n) AS r
FROM (SELECT *, struct(v AS x) AS s FROM T) a JOIN (SELECT *, struct(v AS x) AS s FROM U) b ON a.k = b.k AND a.window_end = b.window_end AND a.n < b.n

# unpivot: columns of a subquery, grouped
SELECT u.window_end AS e, u.name, sum(u.x) AS s FROM (SELECT k, window_end, n FROM T) AS y(a, window_end, c) UNPIVOT (x FOR name IN (c)) AS u GROUP BY u.window_end, u.name

# unpivot: aggregates of a CTE in pairs, grouped again
WITH g AS (SELECT k, window_end AS e, sum(n) AS a, count(*) AS b, max(n) AS c, min(n) AS d FROM T GROUP BY window_start, window_end, k)
SELECT e, what, max(x) AS x, min(y) AS y FROM g UNPIVOT INCLUDE NULLS ((x, y) FOR what IN ((a, b) AS `first`, (c, d))) GROUP BY what, e

# unpivot: everything once
SELECT DISTINCT * FROM (SELECT k, window_end, n % 3 AS m FROM T) UNPIVOT (x FOR name IN (m))

# unpivot: ranked
SELECT *, rank() OVER (PARTITION BY window_end ORDER BY x, name, k) AS r FROM (SELECT k, window_end, n, CAST(v AS INT) AS w FROM T) UNPIVOT (x FOR name IN (n, w))

# pipes: a name before a join
FROM T |> AS a |> LEFT JOIN U AS b ON a.k = b.k AND a.window_end = b.window_end |> SELECT a.k, a.window_end, a.n, b.n AS m

# pipes: several operators before a join
FROM T AS x |> SET v = v + 1 |> EXTEND v * 2 AS w |> AS `c d` |> WHERE `c d`.v > 2 |> JOIN U AS b USING (k, window_end) |> SELECT k, window_end, `c d`.w, b.n AS m

# pipes: a projection before a join that is grouped
FROM T |> SELECT k, n, window_end |> JOIN U AS b USING (k, window_end) |> AGGREGATE count(*) AS c, max(b.n) AS m GROUP BY window_end, k

# aggregation: a key by IDENTIFIER among the items and in HAVING
SELECT IDENTIFIER('k'), lower(identifier('t.`K`')) AS l, sum(v) AS s, window_end FROM T t GROUP BY k, window_start, window_end HAVING IDENTIFIER('k') > 'a'

# rank: over a join beside structs with a year-month interval, and with two fields of one name
SELECT k, y.y, d, row_number() OVER (PARTITION BY window_end ORDER BY y, a.n, b.n) AS r
FROM (SELECT k, n, window_end, struct(make_ym_interval(n, 1) AS y) AS y, struct(n AS x, k AS x) AS d FROM T) a JOIN U b USING (k, window_end)

# aggregation: a key and the end that change names
SELECT k AS window_end, window_end AS k, count(*) AS c FROM T GROUP BY window_start, window_end, k

# aggregation: a key and the end of results that change names
WITH g AS (SELECT k, count(*) AS c, window_end AS e FROM T GROUP BY window_start, window_end, k)
SELECT k AS e, e AS k, sum(c) AS c FROM g GROUP BY e, k

# in: an aggregate
WITH g AS (SELECT k, count(*) AS c, window_end AS e FROM T GROUP BY window_start, window_end, k)
SELECT k, c, e FROM g WHERE k IN (SELECT max(k) FROM g b WHERE b.e = g.e) AND c > 1

# in: not in an aggregate, in brackets
WITH g AS (SELECT k, count(*) AS c, window_end AS e FROM T GROUP BY window_start, window_end, k) SELECT k, c, e FROM g a
WHERE c + 1 NOT IN (SELECT (max(b.c)) FROM g b WHERE b.e = a.e AND b.k <> 'c') AND NOT (k IN ((SELECT min(k) FROM g b WHERE b.e = a.e)))

# in: an aggregate and a count beside OR
WITH g AS (SELECT k, count(*) AS c, window_end AS e FROM T GROUP BY window_start, window_end, k) SELECT k, c, e FROM g a
WHERE k IN (SELECT max(k) FROM g b WHERE b.e = a.e) OR c IN (SELECT count(*) FROM g b WHERE b.e = a.e)

# in: an aggregate in HAVING
WITH g AS (SELECT k AS name, count(*) AS c, window_end AS e FROM T GROUP BY window_start, window_end, k)
SELECT k, window_end AS e, count(*) AS c FROM T t GROUP BY k, window_end HAVING k IN (SELECT max(name) FROM g WHERE g.e = t.window_end)

# pipes: the name of a relation after EXTEND and before a join
FROM T AS x |> WHERE v > 1 |> EXTEND n + 1 AS m |> LEFT JOIN U AS y ON x.window_end = y.window_end AND x.k = y.k AND m < y.n |> SELECT x.k, x.window_end, m, y.n AS o

# pipes: the name of results after DROP and before a join that is grouped
FROM (SELECT k, window_end AS e, count(*) AS c, max(n) AS m FROM T GROUP BY window_start, window_end, k) `A b` |> DROP m
|> JOIN U AS y ON `a B`.e = y.window_end AND `A b`.k = y.k |> AGGREGATE sum(c) AS c, max(y.n) AS m GROUP BY `A b`.e, y.k

# pipes: the name of a relation after SET, grouped
FROM T x |> SET v = v + 1 |> EXTEND v * 2 AS w |> AGGREGATE max(w) AS w, count(*) AS c GROUP BY x.window_end, x.k

# pipes: the name of a relation after EXTEND, ranked
FROM T x |> EXTEND n % 3 AS m |> SELECT x.window_end, x.k, n, rank() OVER (PARTITION BY x.window_end ORDER BY m, n) AS r |> WHERE r < 3

# pipes: the name of a relation after EXTEND and before a lookup table, grouped
FROM T x |> EXTEND upper(k) AS name |> DROP v |> JOIN names d ON d.label = name |> AGGREGATE count(*) AS c GROUP BY x.window_end, d.id

# lateral: a join with a condition, grouped
SELECT e.x, window_start, window_end, count(*) AS c FROM T JOIN LATERAL explode(array(n % 2, n % 3)) AS e(x) ON e.x > 0 GROUP BY window_start, window_end, e.x

# lateral: a subquery with a condition beside a lookup table, ranked
SELECT k, n, x, label, window_end, row_number() OVER (PARTITION BY window_end ORDER BY n, x) AS rn
FROM T AS a INNER JOIN LATERAL (SELECT a.n % 3 AS x, a.v AS w) AS e ON e.x + e.w > 1 LEFT JOIN names ON id = k

# lateral: a condition after a pipe
FROM T AS a |> WHERE v > 1 |> JOIN LATERAL explode(array(n % 2, n % 3)) AS e(x) ON e.x > 0 AND a.v < 5 |> AGGREGATE count(*) AS c GROUP BY window_start, window_end, x

# lateral: a subquery after a pipe
FROM T AS a |> CROSS JOIN LATERAL (SELECT a.n % 3 AS x) AS e |> AGGREGATE count(*) AS c GROUP BY window_start, window_end, x

# lateral: conditions in a windowed SELECT
SELECT x, window_end, count(*) AS c FROM E JOIN LATERAL explode(if(n % 2 = 0, array(n % 3), array())) AS e(x) ON TRUE JOIN LATERAL (SELECT x + n AS y) ON y <> 5
WINDOW ASSIGN TUMBLING(ts, INTERVAL 30 SECONDS) GROUP BY x

# lateral: a condition after a join of windows
SELECT a.k, x, a.window_end, b.n AS m FROM T a JOIN U b ON a.window_end = b.window_end AND a.k = b.k JOIN LATERAL explode(array(a.n % 2, b.n % 3)) AS e(x) ON x > 0

# fields: groups by a window column in a struct
SELECT g.w.e, w.k, count(*) AS c FROM (SELECT named_struct('e', window_end, 'k', k) AS w, v FROM T) g WHERE v > 1 GROUP BY g.w.e, w.k

# fields: renamed, of results, in another case
SELECT `X`.`The End` AS e, x.s, max(c) AS most FROM (SELECT w AS x, c FROM (SELECT struct(window_start AS s, window_end AS `the end`) AS w, k, count(*) AS c
  FROM T GROUP BY window_start, window_end, k)) GROUP BY 1, x.s

# fields: as a column again, ranked
SELECT k, n, e, rank() OVER (PARTITION BY e ORDER BY n) AS r FROM (SELECT w.window_end AS e, k, n FROM (SELECT struct(window_start, window_end) AS w, k, n FROM T))

# fields: DISTINCT after UNION ALL
SELECT DISTINCT w.e, k FROM (SELECT named_struct('e', window_end) AS w, k FROM T UNION ALL SELECT named_struct('e', window_end) AS w, upper(k) FROM U)

# fields: a join by them
SELECT a.k, a.w.e, a.n, b.n AS m FROM (SELECT named_struct('e', window_end) AS w, k, n FROM T) a
JOIN (SELECT named_struct('e', window_end) AS w, k, n FROM U) b ON a.w.e = b.w.e AND a.k = b.k AND a.n < b.n

# fields: a LEFT JOIN by them, and EXISTS
SELECT a.k, a.n, b.n AS m FROM (SELECT struct(window_start, window_end) AS w, k, n FROM T) a
LEFT JOIN (SELECT struct(window_start, window_end) AS w, k, n FROM U WHERE EXISTS (SELECT 1 FROM names WHERE id = k)) b ON a.w.window_end = b.w.window_end AND a.k = b.k

# fields: of a windowed SELECT, in a row
SELECT w.window_end, sum(c) AS c FROM (SELECT (window_start, window_end) AS w, k, count(*) AS c FROM E WINDOW ASSIGN TUMBLING(ts, INTERVAL 30 SECONDS) GROUP BY k) GROUP BY w.window_end

# fields: a row in a struct
SELECT r.k, r.window_end, count(*) AS c FROM (SELECT struct(t.* EXCEPT (v)) AS r FROM T AS t) GROUP BY r.window_end, r.k

# fields: out of a struct again
SELECT e, k, count(*) AS c FROM (SELECT w.*, k FROM (SELECT named_struct('e', window_end) AS w, k FROM T)) GROUP BY e, k

# intervals: of years and months
SELECT k, window_end, min(y) AS a, max(y) AS b, sum(y) AS c, avg(y) AS d, count(DISTINCT y) AS e, median(y) AS f, try_avg(DISTINCT y) AS g
FROM (SELECT *, CASE WHEN n % 4 > 0 THEN make_ym_interval(n % 5 - 3, -n % 7) END AS y FROM T) GROUP BY window_start, window_end, k

# intervals: of years and months in windows of WINDOW ASSIGN, by other names
SELECT `K`, Window_End, MAX_BY(Y, N) AS a, min_by(n, struct(y, n)) AS b, sort_array(Collect_Set(`y`)) AS c, percentile(y, array(0.1, 0.77)) AS d,
  size(collect_list(y)) AS e, max(array(y)) AS f, mode() WITHIN GROUP (ORDER BY y) AS g
FROM (SELECT *, CAST(n % 5 AS INTERVAL MONTH) AS y FROM E) WINDOW ASSIGN TUMBLING(ts, INTERVAL 30 SECONDS) GROUP BY k

# intervals: of years, in sessions
SELECT k, window_end, sum(y) AS a, avg(y) AS b, max(y) FILTER (WHERE v > 1) AS c FROM (SELECT *, CAST(n % 5 AS INTERVAL YEAR) AS y FROM E)
WINDOW ASSIGN SESSION(ts, INTERVAL 5 SECONDS) GROUP BY k

# intervals: of years and months, grouped again
SELECT window_end, sum(m) AS s, max(m) AS x FROM (SELECT window_end, k, max(make_ym_interval(n, 1)) AS m FROM T GROUP BY window_start, window_end, k) GROUP BY window_end

# fields: a struct with the bounds of windows among the keys
SELECT w['end'] AS e, w.start AS s, k, count(*) AS c FROM (SELECT named_struct('start', window_start, 'end', window_end) AS w, k FROM T) GROUP BY w, k

# fields: such a struct among the keys by its relation, in another case, and HAVING
SELECT x.W.start AS s, k, count(*) AS c FROM (SELECT named_struct('start', window_start, 'The End', window_end) AS w, k FROM T) AS x
GROUP BY `X`.`W`, k HAVING count(*) > 2 AND x.w.`the end` > TIMESTAMP'2024-01-01 00:00:30'

# fields: DISTINCT of such a struct
SELECT DISTINCT w, k FROM (SELECT (window_start, window_time) AS w, k FROM T)

# fields: such a struct beside grouping sets, and in each of them
SELECT w, k, n % 2 AS m, sum(n) AS s FROM (SELECT struct(window_end, window_start) AS w, k, n FROM T) GROUP BY GROUPING SETS ((w, k, n % 2), (w, k), (k, W))

# fields: such a struct grouped, and ranked
SELECT * FROM (SELECT w, k, s, rank() OVER (PARTITION BY w ORDER BY s DESC) AS r
  FROM (SELECT w, k, sum(n) AS s FROM (SELECT struct(window_end, k) AS w, k, n FROM T) GROUP BY ALL)) WHERE r <= 2

# over: windows by rows of their bounds
SELECT k, n, count(*) OVER (PARTITION BY (window_start, window_end), k ORDER BY n) AS c, sum(n) OVER (PARTITION BY struct(window_end)) AS s FROM T

# fields: such a struct after a pipe
FROM T |> EXTEND struct(window_start, window_end) AS w |> AGGREGATE count(*) AS c GROUP BY w, k

# over: rows and arrays in PARTITION BY
SELECT k, n, sum(n) OVER (PARTITION BY window_end, named_struct('a', coalesce(k, 'x'), 'b', array(1)), array(n % 2)) AS s FROM T

# fields: names in brackets
SELECT w['start'] AS s, x.w['end'], k, count(*) AS c FROM (SELECT struct(window_start AS start, window_end AS end) AS w, k FROM T) AS x GROUP BY w['start'], w['end'], k

# fields: names in brackets, GROUP BY ALL
SELECT `W`["End"] AS e, x.w['start'], x.k, max(v) AS m FROM (SELECT named_struct('start', window_start, 'end', window_end) AS w, k, v FROM T) AS x GROUP BY ALL

# fields: structs in a struct
WITH x AS (SELECT struct(struct(window_start AS start, window_end AS end) AS w, k) AS z, v FROM T)
SELECT z.w.start AS s, z.w.end, z.k, sum(v) AS total FROM x GROUP BY z.w.start, z.w.end, z.k

# fields: structs in a struct, by brackets and dots
SELECT z['w'].end AS e, z['w']['start'], count(*) AS c FROM (SELECT (k, (window_start AS start, window_end AS end) AS w) AS z FROM T) GROUP BY z['w']['start'], z['w'].end

# fields: a struct with the windows in a struct among the keys
SELECT z.w, z['w'].end AS e, count(*) AS c FROM (SELECT named_struct('w', struct(window_start AS start, window_end AS end)) AS z FROM T) AS x GROUP BY x.z.w

# fields: a struct out of a struct
SELECT e, count(*) AS c FROM (SELECT w.end AS e FROM (SELECT z.* FROM (SELECT struct(struct(window_start AS start, window_end AS end) AS w, k) AS z FROM T))) GROUP BY e

# fields: ranked by a name in brackets
SELECT k, n, rank() OVER (PARTITION BY w['end'], k ORDER BY n) AS r FROM (SELECT struct(window_end AS end) AS w, k, n FROM T) QUALIFY r < 3

# fields: a join by names in brackets
SELECT a.k, a.w['e'] AS e, a.n, b.n AS m FROM (SELECT named_struct('e', window_end) AS w, k, n FROM T) a
JOIN (SELECT struct(named_struct('e', window_end) AS w) AS z, k, n FROM U) b ON a.w['e'] = b.z.w['e'] AND a.k = b.k AND a.n < b.n

# fields: a join of results by structs with their windows
SELECT a.k, a.c, b.c AS d, b.w.e FROM (SELECT k, count(*) AS c, named_struct('s', window_start, 'e', window_end) AS w FROM T GROUP BY window_start, window_end, k) a
JOIN (SELECT k, count(*) AS c, named_struct('s', window_start, 'e', window_end) AS w FROM U GROUP BY window_start, window_end, k) b ON a.w = b.w AND a.k = b.k

# fields: a LEFT JOIN by structs in structs
SELECT a.n, b.n AS m, a.z.w FROM (SELECT n, (struct(window_start, window_end) AS w, k) AS z FROM T) a
LEFT JOIN (SELECT n, ((window_start, window_end) AS w, k) AS z FROM U) b ON a.z = b.z AND a.n < b.n

# fields: a struct of USING
SELECT w, a.k, a.n, b.n AS m FROM (SELECT k, n, struct(window_start, window_end) AS w FROM T) a JOIN (SELECT k, n, struct(window_start, window_end) AS w FROM U) b USING (w, k)

# fields: IN of a struct
SELECT k, n FROM (SELECT k, n, struct(window_start, window_end) AS w FROM T) a WHERE (k, w) IN (SELECT k, w FROM (SELECT k, n, struct(window_start, window_end) AS w FROM U) b WHERE b.n % 2 = 0)

# fields: NOT EXISTS by structs
SELECT k, n FROM (SELECT k, n, struct(window_start, window_end) AS w FROM T) a WHERE NOT EXISTS (SELECT 1 FROM (SELECT k, n, struct(window_start, window_end) AS w FROM U) b WHERE a.w = b.w AND a.k = b.k AND a.n < b.n)

# fields: a comparison by structs
SELECT a.k, a.c, a.w.e FROM (SELECT k, count(*) AS c, named_struct('s', window_start, 'e', window_end) AS w FROM T GROUP BY window_start, window_end, k) a
WHERE c > (SELECT min(c) FROM (SELECT k, count(*) AS c, named_struct('s', window_start, 'e', window_end) AS w FROM U GROUP BY window_start, window_end, k) b WHERE a.w = b.w)

# aggregation: window columns that are passed on in brackets
SELECT window_end, k, count(*) AS c FROM (SELECT (window_end), ((k)), (v) FROM T) GROUP BY window_end, k

# pipes: AGGREGATE of what AGGREGATE gives, keys in brackets
FROM T |> AGGREGATE sum(n) AS s GROUP BY (window_start), ((window_end)), k |> AGGREGATE max(s) AS m GROUP BY window_end

# aggregation: COUNT of a star in brackets
SELECT window_end, k, count((*)) AS c, COUNT( ( ( * ) ) ) FILTER (WHERE v > 1) AS d FROM T GROUP BY window_start, window_end, k

# rank: COUNT of a star in brackets
SELECT k, n, count((*)) OVER (PARTITION BY window_end, k) AS c FROM T

# compared: windows by <=>
WITH g AS (SELECT k, window_end, count(*) AS c FROM T GROUP BY window_start, window_end, k)
SELECT x.k, x.c, (SELECT max(y.c) FROM g y WHERE y.window_end <=> x.window_end) AS most FROM g x WHERE x.c > (SELECT min(y.c) FROM g y WHERE x.window_end IS NOT DISTINCT FROM y.window_end)

# looked up: EXISTS among others by <=>
SELECT x.k, x.n FROM T x WHERE x.v > 4 OR EXISTS (SELECT 1 FROM U y WHERE y.window_end <=> x.window_end AND y.n = x.n + 1)

# aggregation: aliases of aliases of window columns
SELECT b AS e, k, count(*) AS c FROM (SELECT e AS a, a AS b, k FROM (SELECT window_end AS e, k FROM T)) GROUP BY b, k

# fields: an alias of a struct, and of its field
SELECT e, w, count(*) AS c FROM (SELECT named_struct('s', s, 'e', f) AS w, w.e AS e, k FROM (SELECT window_start AS s, window_end AS f, k FROM T)) GROUP BY w, e

# cascade: an alias of an alias of a column of FROM stays that column
SELECT e, k, sum(c) AS c FROM (SELECT d AS x, e AS e, c, k FROM (SELECT window_end AS e, window_start AS d, k, count(*) AS c FROM T GROUP BY window_start, window_end, k)) GROUP BY e, k

# aggregation: a cast that is written in two ways
SELECT k, window_end, CAST(v AS INT) AS i, t.n::string || 'x' AS s, cast(v as int) + 1 AS j, count(*) AS c FROM T AS t GROUP BY window_start, window_end, k, v::int, CAST(n AS STRING)

# aggregation: a cast beside another one of parts of its value
SELECT k, window_end, CAST(n + v AS INT) AS i, n + v::int AS j, (n + v)::int AS l, count(*) AS c FROM T GROUP BY window_start, window_end, k, (n + v)::int, n + v::int

# aggregation: keys that begin with a bracket
SELECT k, window_end, (n + v) * 2 AS i, 1 + (n+v) * 2 AS j, ((n + v) * 2) % 3 AS l, (n + v) AS m, (t.n + v)::int AS o, count(*) AS c FROM T AS t
GROUP BY window_start, window_end, k, (n + v) * 2, n + v, (n + v)::int HAVING (n + v) * 2 > 3
