# every type of join
SELECT e.v, n.name FROM events e JOIN names n ON e.k = n.k ORDER BY e.v
----
SELECT e.v, n.name FROM events e INNER JOIN names n USING (k) ORDER BY e.v
----
SELECT e.v, n.name FROM events e LEFT OUTER JOIN names n ON e.k = n.k AND e.v > 1 ORDER BY ALL
----
SELECT e.v, n.name FROM events e RIGHT JOIN names n ON e.k = n.k ORDER BY ALL
----
SELECT e.v, n.name FROM events e FULL OUTER JOIN names n USING (k) ORDER BY ALL
----
SELECT e.v FROM events e LEFT SEMI JOIN names n ON e.k = n.k ORDER BY ALL
----
SELECT e.v FROM events e ANTI JOIN names n ON e.k = n.k
----
SELECT count(*) FROM events CROSS JOIN names
----
SELECT v, name FROM events NATURAL LEFT JOIN names ORDER BY v

# joins of tables with names like ours
SELECT window.v, assign.name FROM events AS window JOIN names assign ON window.k = assign.k ORDER BY ALL
----
SELECT trigger.v FROM events trigger LEFT JOIN names evict USING (k) ORDER BY ALL
----
SELECT late.v FROM events late, names AS into WHERE late.k = into.k ORDER BY ALL
----
SELECT apply.v FROM (events apply JOIN names state ON apply.k = state.k) ORDER BY ALL
----
SELECT tumbling.v FROM events tumbling NATURAL JOIN names session ORDER BY ALL

# an alias window next to an alias assign
SELECT assign.v FROM names, events assign WHERE assign.k = names.k ORDER BY ALL
----
SELECT assign.v FROM events window, events assign WHERE assign.v = window.v ORDER BY ALL

# a table window with an alias assign
WITH window AS (SELECT 1 AS a) SELECT assign.a FROM window assign
----
WITH window AS (SELECT 1 AS a) SELECT * FROM window assign JOIN window trigger ON assign.a = trigger.a
----
WITH window AS (SELECT 1 AS a) SELECT b FROM window assign (b) WHERE b > 0
----
WITH window AS (SELECT 1 AS a) SELECT * FROM names CROSS JOIN window assign TABLESAMPLE (10 ROWS)
----
WITH window AS (SELECT 1 AS a) SELECT * FROM window assign LATERAL VIEW explode(array(1, 2)) AS into
----
WITH window AS (SELECT 1 AS a, 2 AS b) SELECT * FROM window assign PIVOT (sum(b) FOR a IN (1))
----
WITH window AS (SELECT 1 AS a) FROM window assign SELECT max(assign.a)
----
WITH window AS (SELECT 1 AS a) SELECT * FROM window assign UNION (SELECT 1)
----
WITH window AS (SELECT 1 AS a) SELECT * FROM window assign |> WHERE a > 0 |> AGGREGATE count(*) AS late

# ASOF and other joins
SELECT * FROM events ASOF JOIN names

# a join without a condition
SELECT count(*) FROM events a JOIN names b

# ON of something that is no condition
SELECT * FROM events a JOIN names b ON 1

# an ambiguous column
SELECT k FROM events a JOIN names b ON a.k = b.k

# brackets around relations
SELECT n FROM ((events e JOIN (names) AS n USING (k)) JOIN (VALUES (1)) AS window(assign) ON e.v = window.assign)
