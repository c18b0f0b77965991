# GROUP BY with expressions, positions, ALL and aliases
SELECT k, sum(v) AS window FROM events GROUP BY k HAVING window > 1 ORDER BY k
----
SELECT upper(k) AS assign, count(*) FROM events GROUP BY assign ORDER BY assign
----
SELECT k, ok, count(*) FROM events GROUP BY ALL ORDER BY ALL
----
SELECT k, count(*) FROM events GROUP BY 1 ORDER BY 1

# ROLLUP, CUBE and GROUPING SETS
SELECT k, ok, count(*) AS n, grouping(k), grouping_id(k, ok) FROM events GROUP BY ROLLUP (k, ok) ORDER BY ALL
----
SELECT k, ok, sum(v) FROM events GROUP BY CUBE (k, ok) ORDER BY ALL
----
SELECT k AS window, ok AS assign, count(*) FROM events GROUP BY GROUPING SETS ((k), (ok), ()) ORDER BY ALL
----
SELECT k, ok, count(*) FROM events GROUP BY k, ok WITH ROLLUP ORDER BY ALL
----
SELECT k, count(*) FROM events GROUP BY k GROUPING SETS ((k), ()) ORDER BY ALL

# aggregates with FILTER, DISTINCT and an order
SELECT count(DISTINCT k), sum(v) FILTER (WHERE ok), listagg(k, ',') WITHIN GROUP (ORDER BY v DESC), percentile_cont(0.5) WITHIN GROUP (ORDER BY v), array_sort(collect_set(k)) FROM events
----
SELECT max_by(k, v), min_by(k, v), first(k) IGNORE NULLS, any_value(ok IGNORE NULLS) IS NULL, mode(k) FROM events

# GROUP BY of a column named like a word of ours
SELECT window, count(*) FROM (SELECT k AS window FROM events) GROUP BY window ORDER BY window
----
SELECT window, assign, count(*) FROM (SELECT k AS window, ok AS assign FROM events) GROUP BY window, assign HAVING assign ORDER BY window
----
SELECT max(assign) FROM (SELECT v AS assign, k AS trigger FROM events) GROUP BY trigger HAVING max(assign) > 1 ORDER BY trigger

# a column that is not grouped
SELECT k, v FROM events GROUP BY k

# an aggregate in WHERE
SELECT k FROM events WHERE sum(v) > 1

# HAVING without GROUP BY
SELECT count(*) AS window FROM events HAVING window > 100

# an aggregate of an aggregate
SELECT sum(count(*)) FROM events

# GROUP BY of a position that is not there
SELECT k FROM events GROUP BY 7
