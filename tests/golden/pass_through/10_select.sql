# SELECT without FROM
SELECT 1 AS window, 'a' assign, NULL trigger

# star, EXCEPT and qualified stars
SELECT *, e.*, * EXCEPT (ts, ok), e.* EXCEPT (k) FROM events AS e ORDER BY v

# DISTINCT and ALL
SELECT DISTINCT k FROM events UNION ALL SELECT ALL k FROM events ORDER BY k

# WHERE, ORDER BY, LIMIT and OFFSET
SELECT k, v FROM events WHERE v >= 1 AND ok IS NOT FALSE ORDER BY v DESC NULLS LAST, k LIMIT 2 OFFSET 1

# LIMIT ALL
SELECT v FROM events ORDER BY v LIMIT ALL

# ORDER BY ALL and by position
SELECT k, v FROM events ORDER BY ALL
----
SELECT k, v FROM events ORDER BY 2 DESC, 1

# SORT BY, CLUSTER BY and DISTRIBUTE BY
SELECT v FROM events SORT BY v
----
SELECT v FROM events CLUSTER BY v
----
SELECT v FROM events DISTRIBUTE BY k SORT BY v

# CTEs: several, nested, with columns, hiding others
WITH a AS (SELECT 1 AS x), b (y) AS (SELECT x + 1 FROM a), c AS (WITH a AS (SELECT 9 AS x) SELECT * FROM a) SELECT * FROM a, b, c

# a CTE without AS
WITH window (SELECT 1 AS assign) SELECT assign FROM window

# CTEs of one name
WITH window AS (SELECT 1), window AS (SELECT 2) SELECT * FROM window

# a recursive CTE
WITH RECURSIVE late (into) AS (SELECT 1 UNION ALL SELECT into + 1 FROM late WHERE into < 5) SELECT sum(into) FROM late

# a recursive CTE with a limit of its depth
WITH RECURSIVE late MAX RECURSION LEVEL 3 AS (SELECT 1 AS into UNION ALL SELECT into + 1 FROM late) SELECT count(*) FROM late

# FROM first
FROM events SELECT k, v WHERE v > 1 ORDER BY v

# FROM with nothing after it
FROM events

# FROM with several bodies
FROM events SELECT k SELECT v

# TABLE and VALUES
TABLE events
----
VALUES (1, 'a'), (2, 'b')
----
VALUES 1, 2, 3 AS window(assign)
----
SELECT * FROM VALUES (1, NULL), (2, X'1F') AS late(into, ttl) WHERE into > 1
----
TABLE events LIMIT 1

# subqueries: scalar, IN, EXISTS, correlated
SELECT (SELECT max(v) FROM events) AS m, k IN (SELECT k FROM names) AS i, EXISTS (SELECT 1 FROM names n WHERE n.k = e.k AND n.name > 'B') AS x FROM events e ORDER BY v
----
SELECT k FROM events e WHERE v = (SELECT max(v) FROM events WHERE k = e.k) AND (k, v) NOT IN (SELECT 'z', 1) ORDER BY k

# a scalar subquery with several rows
SELECT (SELECT v FROM events)

# a derived table, with and without a name
SELECT * FROM (SELECT k, v FROM events) AS window (trigger, evict) ORDER BY evict
----
SELECT v FROM (SELECT v FROM (SELECT v FROM events)) ORDER BY v

# LATERAL subqueries
SELECT e.k, l.n FROM events e, LATERAL (SELECT count(*) AS n FROM names WHERE names.k = e.k) AS l ORDER BY e.v
----
SELECT e.k, l.name FROM events e LEFT JOIN LATERAL (SELECT name FROM names WHERE names.k = e.k) l ON l.name > 'A' ORDER BY e.v

# lateral aliases
SELECT v AS a, a + 1 AS b, b * 2 AS c FROM events ORDER BY c

# LATERAL VIEW
SELECT id, window, assign FROM nested LATERAL VIEW explode(xs) late AS window LATERAL VIEW OUTER posexplode(array(1)) into AS trigger, assign ORDER BY id, window

# LATERAL VIEW with names and no AS
SELECT assign FROM nested LATERAL VIEW explode(xs) window assign ORDER BY assign

# LATERAL VIEW explode of a map
SELECT id, k, v FROM nested LATERAL VIEW OUTER explode(m) window AS k, v ORDER BY id, k

# generators in the list
SELECT id, explode(xs) AS assign FROM nested ORDER BY id, assign
----
SELECT stack(2, 1, 'a', 2, 'b') AS (window, assign)
----
SELECT inline(array(struct(1 AS window, 2 AS assign)))

# PIVOT
SELECT * FROM (SELECT k, ok, v FROM events) PIVOT (sum(v) AS window, count(*) AS assign FOR ok IN (true AS trigger, false AS evict)) ORDER BY k

# PIVOT of two columns
SELECT * FROM (SELECT k, ok, v FROM events) PIVOT (max(v) FOR (k, ok) IN (('a', true) AS window, ('b', false) AS assign))

# UNPIVOT
SELECT * FROM VALUES (1, 2, NULL) AS t(window, assign, trigger) UNPIVOT INCLUDE NULLS (late FOR into IN (window, assign AS evict, trigger)) AS state ORDER BY into

# UNPIVOT of several values
SELECT * FROM VALUES (1, 2, 3, 4) AS t(a, b, c, d) UNPIVOT ((window, assign) FOR trigger IN ((a, b) AS late, (c, d)))

# TABLESAMPLE
SELECT count(*) FROM events TABLESAMPLE (100 PERCENT) REPEATABLE (3)
----
SELECT v FROM events TABLESAMPLE (2 ROWS)
----
SELECT count(*) FROM (SELECT * FROM events) TABLESAMPLE (BUCKET 1 OUT OF 1) AS window
----
SELECT * FROM events TABLESAMPLE (200 PERCENT) window

# hints
SELECT /*+ BROADCAST(window), REPARTITION(2) */ window.k FROM names AS window JOIN events assign ON window.k = assign.k ORDER BY 1
----
SELECT /*+ WINDOW ASSIGN */ 1
----
SELECT /*+ WINDOW ASSIGN COUNT(1) */ k FROM events ORDER BY v
----
SELECT /*+ trigger(evict), late */ /*+ MERGE(n) */ n.k FROM names AS n ORDER BY 1
----
SELECT /*+ COALESCE(1) */ v FROM events ORDER BY v

# hints that nothing closes
SELECT /*+ WINDOW ASSIGN COUNT(1) FROM events

# QUALIFY
SELECT k, v FROM events QUALIFY row_number() OVER (PARTITION BY k ORDER BY v DESC) = 1 ORDER BY k
----
SELECT k, v, rank() OVER window AS r FROM events WINDOW window AS (ORDER BY v) QUALIFY r > 1 ORDER BY v

# TRANSFORM
SELECT TRANSFORM (k, v) USING 'cat' AS (window STRING, assign INT) FROM events

# TRANSFORM, MAP and REDUCE with formats
SELECT TRANSFORM (k) ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' USING 'cat' AS (window) FROM events
----
MAP k USING 'cat' AS window FROM events

# IDENTIFIER
SELECT IDENTIFIER('k') AS window, IDENTIFIER('up' || 'per')(k) FROM IDENTIFIER('corpus.events') ORDER BY IDENTIFIER('v')
----
SELECT IDENTIFIER('nothing')

# ranges and other functions of tables
SELECT * FROM range(1, 4) AS window(assign)
----
SELECT id FROM range(3) WHERE id > 0
----
SELECT * FROM explode(array(1, 2)) AS late(into)
----
SELECT w.col FROM nested, LATERAL explode(xs) AS w ORDER BY 1

# tables as arguments of functions that are not there
SELECT * FROM window(TABLE(events) PARTITION BY k ORDER BY ts, 1)
----
SELECT * FROM assign(TABLE events WITH SINGLE PARTITION, trigger => 1)

# functions of Spark about time
SELECT window.start, window.end, sum(v) FROM events GROUP BY window(ts, '2 minutes') ORDER BY 1
----
SELECT window(ts, '2 minutes', '1 minute').end AS assign, count(*) FROM events GROUP BY window(ts, '2 minutes', '1 minute') ORDER BY 1
----
SELECT session_window.*, count(*) AS n FROM events GROUP BY session_window(ts, '90 seconds'), k ORDER BY 1, 2
----
SELECT window_time(window), count(*) FROM (SELECT window, k FROM events GROUP BY window(ts, '1 hour'), k) GROUP BY window

# tables at another time
SELECT * FROM events VERSION AS OF 1
----
SELECT * FROM events TIMESTAMP AS OF '2024-01-01' AS window

# tables with options
SELECT * FROM events WITH (window = 'assign', `late` = 'into')

# changes of a table
SELECT * FROM events CHANGES FROM VERSION 1 TO VERSION 2

# INTO and other words that are no clause to Spark
SELECT 1 INTO window

# a query in brackets, with a clause around it
(SELECT v FROM events) ORDER BY v LIMIT 1
----
((SELECT 1 AS window) UNION (SELECT 2)) ORDER BY window

# set operations and their precedence
SELECT 1 AS window UNION SELECT 2 INTERSECT SELECT 2 EXCEPT ALL SELECT 5 ORDER BY window
----
SELECT k FROM events MINUS SELECT k FROM names
----
SELECT k FROM events EXCEPT DISTINCT SELECT k FROM names ORDER BY k
----
SELECT v FROM events INTERSECT ALL SELECT id FROM nested ORDER BY v
----
TABLE names UNION ALL VALUES ('x', 'y') ORDER BY 1

# set operations of unequal numbers of columns
SELECT 1, 2 UNION SELECT 3

# semicolons at the end
SELECT 1 AS window;
----
SELECT 2 AS assign;;;

# semicolons between
SELECT 1 AS window; SELECT 2 AS assign

# one comma too many
SELECT k, FROM events
