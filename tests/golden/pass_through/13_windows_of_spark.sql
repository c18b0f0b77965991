# OVER with partitions, order and frames
SELECT k, v, sum(v) OVER (PARTITION BY k ORDER BY v ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS s FROM events ORDER BY v
----
SELECT v, avg(v) OVER (ORDER BY v RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS window FROM events ORDER BY v
----
SELECT v, count(*) OVER (ORDER BY ts RANGE BETWEEN INTERVAL 1 MINUTE PRECEDING AND CURRENT ROW) AS n FROM events ORDER BY v
----
SELECT v, max(v) OVER (DISTRIBUTE BY k SORT BY v), min(v) OVER (CLUSTER BY k) FROM events ORDER BY v
----
SELECT count(*) OVER () FROM events

# functions of rank and place
SELECT row_number() OVER w, rank() OVER w, dense_rank() OVER (w), ntile(2) OVER w, lag(v, 1, -1) OVER w, lead(v) IGNORE NULLS OVER w, nth_value(v, 2) OVER w, cume_dist() OVER w FROM events WINDOW w AS (ORDER BY v) ORDER BY v

# named windows with names like words of ours
SELECT rank() OVER assign FROM events WINDOW assign AS (ORDER BY v)
----
SELECT rank() OVER window FROM events WINDOW window AS (ORDER BY v)
----
SELECT rank() OVER tumbling, sum(v) OVER count FROM events WINDOW tumbling AS (ORDER BY v), count AS (PARTITION BY k) ORDER BY v
----
SELECT v, sum(v) OVER trigger AS evict FROM events WINDOW trigger AS (ORDER BY v), late AS trigger ORDER BY v
----
SELECT v FROM events ORDER BY v WINDOW assign AS (PARTITION BY k) LIMIT 2
----
SELECT sum(v) OVER join AS a FROM events WINDOW join AS (PARTITION BY k) ORDER BY a

# a named window next to a column assign
SELECT assign, sum(assign) OVER window AS s FROM (SELECT v AS assign FROM events) WINDOW window AS (ORDER BY assign) ORDER BY s
----
SELECT sum(assign) OVER window assign FROM (SELECT v AS assign FROM events) WINDOW window AS () ORDER BY 1

# WINDOW with nothing that Spark knows
SELECT rank() OVER w FROM events WINDOW w
----
SELECT rank() OVER w FROM events WINDOW w (ORDER BY v)
----
SELECT rank() OVER nothing FROM events WINDOW w AS (ORDER BY v)
----
SELECT v FROM events WINDOW

# a window function where none may be
SELECT v FROM events WHERE row_number() OVER (ORDER BY v) = 1

# a frame that is none
SELECT sum(v) OVER (ORDER BY v ROWS BETWEEN 1 FOLLOWING AND 1 PRECEDING) FROM events

# window functions over aggregates
SELECT k, sum(sum(v)) OVER (ORDER BY k) AS window, rank() OVER (ORDER BY sum(v) DESC) AS assign FROM events GROUP BY k ORDER BY k
