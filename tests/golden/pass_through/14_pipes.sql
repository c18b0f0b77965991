# pipes: SELECT, WHERE, EXTEND, SET, DROP, AS
FROM events |> SELECT k, v |> WHERE v > 1 |> EXTEND v * 2 AS window |> SET v = v + 1 |> DROP k |> AS assign |> SELECT assign.* |> ORDER BY window

# pipes: AGGREGATE
TABLE events |> AGGREGATE sum(v) AS window, count(*) AS assign GROUP BY k AS trigger |> ORDER BY trigger

# pipes: joins
FROM events |> AS window |> JOIN names AS assign USING (k) |> SELECT window.v, assign.name |> ORDER BY v

# pipes: set operations, LIMIT and OFFSET
SELECT v FROM events |> UNION ALL VALUES (10) |> EXCEPT ALL SELECT 1 |> ORDER BY v DESC |> LIMIT 2 OFFSET 1

# pipes: PIVOT, UNPIVOT, LATERAL VIEW and TABLESAMPLE
FROM events |> SELECT k, ok, v |> PIVOT (sum(v) FOR ok IN (true, false)) |> ORDER BY k
----
VALUES (1, 2) AS t(window, assign) |> UNPIVOT (late FOR into IN (window, assign)) |> ORDER BY late
----
TABLE nested |> LATERAL VIEW explode(xs) window AS assign |> SELECT assign |> ORDER BY assign |> TABLESAMPLE (100 PERCENT)

# pipes: windows of Spark
FROM events |> SELECT v, sum(v) OVER window AS assign WINDOW window AS (ORDER BY v) |> ORDER BY v
----
TABLE events |> EXTEND row_number() OVER (PARTITION BY k ORDER BY v) AS window |> WHERE window = 1 |> SELECT k, window |> ORDER BY k

# pipes after a CTE and inside of a subquery
WITH window AS (TABLE events |> WHERE v > 1) FROM window |> AGGREGATE max(v) |> SELECT *
----
SELECT * FROM (TABLE events |> SELECT v |> LIMIT 1) AS assign

# pipes with a mistake
FROM events |> SELECT nothing
----
FROM events |> WINDOW window AS (ORDER BY v)
----
FROM events |> |> WHERE v

# pipes: words of ours
WITH trigger AS (SELECT 1 AS evict) FROM trigger |> SELECT evict AS late |> AS into |> WHERE into.late = 1
