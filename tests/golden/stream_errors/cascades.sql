# a group of the window's start alone of HOP
SELECT max(n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '30' MINUTES, INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a GROUP BY a.s
----
WindowSpecError: GROUP BY has no window_end
  at line 2, column 129:
      FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '30' MINUTES, INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a GROUP BY a.s
                                                                                                                                    ^^^^^^^^^^^^
  rule: on a stream rows of windows are grouped by window_end, which says when a group is complete
  hint: add a.e to GROUP BY

# a group of another end than the window's of HOP
SELECT max(n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '30' MINUTES, INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a GROUP BY a.s, a.e + INTERVAL '1' HOUR
----
WindowSpecError: GROUP BY has no window_end
  at line 2, column 129:
      FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '30' MINUTES, INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a GROUP BY a.s, a.e + INTERVAL '1' HOUR
                                                                                                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on a stream rows of windows are grouped by window_end, which says when a group is complete
  hint: add a.e to GROUP BY

# an end that the subquery has altered
SELECT max(n), s FROM (SELECT k, count(*) AS n, window_start AS s, window_end + INTERVAL 1 HOUR AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a GROUP BY s, e
----
WindowSpecError: GROUP BY has no window_end
  at line 2, column 109:
      FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a GROUP BY s, e
                                                                                                                ^^^^^^^^^^^^^
  rule: on a stream rows of windows are grouped by window_end, which says when a group is complete
  hint: select window_end in the subquery, as it is, and add it to GROUP BY

# a column that is in no group
SELECT k, max(n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) GROUP BY s, e
----
WindowSpecError: k is neither a key nor inside an aggregate
  at line 1, column 8:
    SELECT k, max(n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
           ^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: add k to GROUP BY, or wrap it, for instance as ANY_VALUE(k)

# windows of windows that are ranked
SELECT max(n), row_number() OVER (ORDER BY k) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) GROUP BY s, e
----
WindowSpecError: PARTITION BY has no window_end
  at line 1, column 16:
    SELECT max(n), row_number() OVER (ORDER BY k) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on a stream OVER sees rows of windows that end together: then all of them are there
  hint: write OVER (PARTITION BY e, ... ORDER BY ...)

# a join on the windows' starts alone
SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.k = b.k AND a.s = b.s
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 10:
    SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: write ON a.e = b.e AND ...

# a join with the window before
SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.k = b.k AND a.e = b.e + INTERVAL '1' HOUR
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 10:
    SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: write ON a.e = b.e AND ...

# ends that are compared but not equal
SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a LEFT JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.k = b.k AND a.e <= b.e
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 10:
    SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: write ON a.e = b.e AND ...

# a join that is aggregated at once
SELECT max(a.n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.e = b.e AND a.k = b.k
----
WindowSpecError: this, over a join of windows, cannot run on streams
  at line 1, column 8:
    SELECT max(a.n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
           ^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: put the join into a subquery that selects window_end, and group or rank its rows in a SELECT around it

# a star without a column that either side has
SELECT * EXCEPT (k) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.e = b.e AND a.k = b.k
----
WindowSpecError: k does not say which side of the join it belongs to
  at line 1, column 18:
    SELECT * EXCEPT (k) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
                     ^
  rule: on streams a column that either side may have needs the name of its relation before it
  hint: write a.k or b.k

# a column of the side that an anti join leaves out
SELECT b.v FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a ANTI JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.e = b.e AND a.k = b.k
----
WindowSpecError: b.v is not in the result of the ANTI join
  at line 1, column 8:
    SELECT b.v FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
           ^^^
  rule: it returns rows of its left side, a
  hint: use columns of a and window columns, or another type of join

# a count over all rows beside a group
SELECT bool_and(ok) AS b, count(*) OVER () AS n FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) GROUP BY window_start, window_end
----
WindowSpecError: PARTITION BY has no window_end
  at line 1, column 27:
    SELECT bool_and(ok) AS b, count(*) OVER () AS n FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) GROUP BY window_start, window_end
                              ^^^^^^^^^^^^^^^^
  rule: on a stream OVER sees rows of windows that end together: then all of them are there
  hint: write OVER (PARTITION BY window_end, ...)

# EXISTS over windows without their ends, of relations without names
SELECT k, count(*) AS c FROM (SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))
  WHERE EXISTS (SELECT 1 FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r WHERE r.n > 3)) GROUP BY window_end, k
----
WindowSpecError: this EXISTS or IN over windows cannot run on streams
  at line 2, column 9:
      WHERE EXISTS (SELECT 1 FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r WHERE r.n > 3)) GROUP BY window_end, k
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: add aliases to both relations, as in FROM t AS x, and x.window_end = y.window_end to the WHERE of the subquery

# a column of either side of EXISTS, of relations without names
SELECT k, count(*) AS c FROM (SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))
  WHERE n IN (SELECT o FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r WHERE window_end = window_end)) GROUP BY window_end, k
----
WindowSpecError: this EXISTS or IN over windows cannot run on streams
  at line 2, column 9:
      WHERE n IN (SELECT o FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r WHERE window_end = window_end)) GROUP BY window_end, k
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: add aliases to both relations, as in FROM t AS x, and x.window_end = y.window_end to the WHERE of the subquery

# EXISTS that selects nothing
SELECT l.k, count(*) AS c FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l
WHERE EXISTS (SELECT , FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r WHERE r.window_end = l.window_end) GROUP BY l.window_end, l.k
----
WindowSpecError: this EXISTS or IN over windows cannot run on streams
  at line 2, column 7:
    WHERE EXISTS (SELECT , FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r WHERE r.window_end = l.window_end) GROUP BY l.window_end, l.k
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: group, rank or join before, in subqueries that hand on window_end

# a join of sides without aliases, without the end of their windows, of two sizes
SELECT a, b FROM (SELECT k AS a, window_start AS s, window_end AS e FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) GROUP BY k, window_start, window_end)
JOIN (SELECT k AS b, window_start AS s2, window_end AS e2 FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '2 hours')) GROUP BY k, window_start, window_end) ON a = b AND s = s2
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 13:
    SELECT a, b FROM (SELECT k AS a, window_start AS s, window_end AS e FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) GROUP BY k, window_start, window_end)
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: give both sides aliases, as in FROM t AS x, and write ON x.window_end = y.window_end AND ...

# a list of columns that has what is no name
SELECT g.key, count(*) AS c FROM (SELECT k, window_start, window_end FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))) AS g (key, s, v e)
GROUP BY g.s, g.key
----
WindowSpecError: GROUP BY has no window_end
  at line 2, column 1:
    GROUP BY g.s, g.key
    ^^^^^^^^^^^^^^^^^^^
  rule: on a stream rows of windows are grouped by window_end, which says when a group is complete
  hint: select window_end in the subquery, as it is, and add it to GROUP BY

# GROUPING_ID with nothing between its commas
SELECT window_end, grouping_id(, ) AS g, sum(v) AS s FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) GROUP BY CUBE (k), window_start, window_end
----
WindowSyntaxError: a key is missing
  at line 1, column 20:
    SELECT window_end, grouping_id(, ) AS g, sum(v) AS s FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) GROUP BY CUBE (k), window_start, window_end
                       ^^^^^^^^^^^^^^^
  rule: GROUPING tells of a key whether its set leaves it out
  hint: name a key as GROUP BY has it

# a column of the windows of WINDOW JOIN that is no key
SELECT x.k, window_start AS s, window_end, count(y.n) AS c FROM t x LEFT WINDOW JOIN u y ON x.k = y.k
WINDOW ASSIGN TUMBLING((x.ts, y.ts), '30 seconds') GROUP BY x.k, window_end
----
WindowSpecError: window_start is neither a key nor inside an aggregate
  at line 1, column 13:
    SELECT x.k, window_start AS s, window_end, count(y.n) AS c FROM t x LEFT WINDOW JOIN u y ON x.k = y.k
                ^^^^^^^^^^^^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: add window_start to GROUP BY, or wrap it, for instance as ANY_VALUE(window_start)

# a join that ends with ON
SELECT coalesce(L.k, R.k) AS k, coalesce(L.window_end, R.window_end) AS e FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) L
FULL OUTER JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) R ON
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 75:
    SELECT coalesce(L.k, R.k) AS k, coalesce(L.window_end, R.window_end) AS e FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) L
                                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: write ON L.window_end = R.window_end AND ...

# a ranking of all windows of WINDOW JOIN
SELECT x.k, rank() OVER (PARTITION BY x.k ORDER BY x.v) AS r
FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), INTERVAL 1 HOUR)
----
WindowSpecError: PARTITION BY has no window_end
  at line 1, column 13:
    SELECT x.k, rank() OVER (PARTITION BY x.k ORDER BY x.v) AS r
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on a stream OVER sees rows of windows that end together: then all of them are there
  hint: write OVER (PARTITION BY window_end, ... ORDER BY ...)

# groups of all windows of WINDOW JOIN
SELECT x.k, count(*) AS n FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), INTERVAL 1 HOUR) GROUP BY x.k
----
WindowPlanError: this query groups rows of a stream in groups that never end
  at line 1, column 119:
    SELECT x.k, count(*) AS n FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), INTERVAL 1 HOUR) GROUP BY x.k
                                                                                                                          ^^^^^^^^^^^^
  rule: rows of windows are grouped by window_end, which says when a group is complete
  hint: add window_end to GROUP BY or SELECT DISTINCT; running results are WINDOW ASSIGN GLOBAL() with EMIT

# groups of all windows of a result
WITH g AS (SELECT k, count(*) AS n, window_end AS e FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) GROUP BY k)
SELECT k, sum(n) AS s FROM g GROUP BY k
----
WindowPlanError: this query groups rows of a stream in groups that never end
  at line 2, column 30:
    SELECT k, sum(n) AS s FROM g GROUP BY k
                                 ^^^^^^^^^^
  rule: rows of windows are grouped by window_end, which says when a group is complete
  hint: add e to GROUP BY or SELECT DISTINCT; running results are WINDOW ASSIGN GLOBAL() with EMIT

# an aggregate of all windows of a result that hides their ends
SELECT max(n) AS m FROM (SELECT k, count(*) AS n FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) GROUP BY k)
----
WindowPlanError: this query groups rows of a stream in groups that never end
  at line 1, column 8:
    SELECT max(n) AS m FROM (SELECT k, count(*) AS n FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) GROUP BY k)
           ^^^^^^
  rule: rows of windows are grouped by window_end, which says when a group is complete
  hint: select window_end of the windows, and add it to GROUP BY or SELECT DISTINCT; running results are WINDOW ASSIGN GLOBAL() with EMIT

# an aggregate of all windows over EXISTS
SELECT count(*) FROM (SELECT k, window_end FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) GROUP BY k) a
WHERE EXISTS (SELECT 1 FROM (SELECT k, window_end FROM u WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) GROUP BY k) b WHERE b.window_end = a.window_end)
----
WindowSpecError: this, over a join of windows, cannot run on streams
  at line 1, column 8:
    SELECT count(*) FROM (SELECT k, window_end FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) GROUP BY k) a
           ^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: put the join into a subquery that selects window_end, and group or rank its rows in a SELECT around it

# a star over a join of windows and a table
SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r
ON l.k = r.k AND l.window_end = r.window_end JOIN names d ON d.id = l.k
----
WindowSpecError: * cannot be used here on streams
  at line 1, column 8:
    SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r
           ^
  rule: beside tables that a join of windows goes on to, it has the name of a relation
  hint: write l.*, r.* and the columns of the others

# an expression without a name over a join of windows and a table
SELECT d.label, l.n + 1 FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r
ON l.k = r.k AND l.window_end = r.window_end JOIN names d ON d.id = l.k
----
WindowSpecError: this needs a name
  at line 1, column 17:
    SELECT d.label, l.n + 1 FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r
                    ^^^^^^^
  rule: on streams, beside tables that a join of windows goes on to, expressions have names
  hint: write AS and a name after it

# a table before a join of windows, all of whose rows stay
SELECT d.label FROM names d LEFT JOIN TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l ON l.k = d.id
JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r ON l.k = r.k AND l.window_end = r.window_end
----
WindowSpecError: a join of windows with further relations cannot run on streams
  at line 1, column 16:
    SELECT d.label FROM names d LEFT JOIN TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l ON l.k = d.id
                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: join the two relations with windows first, and then the others

# a relation in the place of its columns, over a join of windows and a table
SELECT l FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r
ON l.k = r.k AND l.window_end = r.window_end JOIN names d ON d.id = l.k
----
WindowSpecError: l is the name of a relation here
  at line 1, column 8:
    SELECT l FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r
           ^
  hint: write l.* or one of its columns

# USING of a column that only one side of a join of windows may have
SELECT d.label FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r
ON l.window_end = r.window_end JOIN names d USING (id)
----
WindowSpecError: USING (id) after a join of windows cannot run on streams
  at line 1, column 16:
    SELECT d.label FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r
                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: compare the columns: ON l.id = ...

# a NATURAL join after a join of windows
SELECT d.label FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r
ON l.window_end = r.window_end NATURAL JOIN names d
----
WindowSpecError: a NATURAL join after a join of windows cannot run on streams
  at line 1, column 16:
    SELECT d.label FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r
                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: compare the columns: JOIN ... ON

# windows joined by a column of a table between them, which keeps all rows
SELECT l.n, r.n AS m FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l LEFT JOIN names d ON l.k = d.id
JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r ON r.k = d.id AND l.window_end = r.window_end
----
WindowSpecError: a join of windows by columns of other relations cannot run on streams
  at line 2, column 60:
    JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) r ON r.k = d.id AND l.window_end = r.window_end
                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: join the two relations with windows first, and then the others

# an aggregate of windows among the items, without a name
SELECT a.k, (SELECT max(b.v) FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b WHERE b.window_end = a.window_end)
FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) a
----
WindowSpecError: an aggregate of windows without a name cannot run on streams
  at line 1, column 13:
    SELECT a.k, (SELECT max(b.v) FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b WHERE b.window_end = a.window_end)
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: Spark names such an item after its subquery, and on a stream a join takes the place of that
  hint: write AS and a name after it

# an aggregate of windows among the items, which compares more than equals
SELECT a.k, (SELECT max(b.v) FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b WHERE b.window_end = a.window_end AND b.v < a.v) AS m
FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) a
----
WindowSpecError: this aggregate of windows among the items cannot run on streams
  at line 1, column 124:
    SELECT a.k, (SELECT max(b.v) FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b WHERE b.window_end = a.window_end AND b.v < a.v) AS m
                                                                                                                               ^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: compare the two with = alone

# an aggregate of windows among the items of a SELECT that groups
SELECT a.window_end, count(*) AS c, (SELECT max(b.v) FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b WHERE b.window_end = a.window_end) AS m
FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) a GROUP BY a.window_start, a.window_end
----
WindowSpecError: this, over a join of windows, cannot run on streams
  at line 2, column 57:
    FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) a GROUP BY a.window_start, a.window_end
                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: put the join into a subquery that selects window_end, and group or rank its rows in a SELECT around it

# EXISTS over windows among the items, without a name
SELECT a.k, EXISTS (SELECT 1 FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b WHERE b.window_end = a.window_end)
FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) a
----
WindowSpecError: EXISTS over windows without a name cannot run on streams
  at line 1, column 13:
    SELECT a.k, EXISTS (SELECT 1 FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b WHERE b.window_end = a.window_end)
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: Spark names such an item after its subquery, and on a stream a join takes the place of that
  hint: write AS and a name after it

# EXISTS over groups of windows among the items
SELECT a.k, EXISTS (SELECT 1 FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b WHERE b.window_end = a.window_end GROUP BY b.k) AS found
FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) a
----
WindowSpecError: this subquery over windows cannot run on streams
  at line 1, column 21:
    SELECT a.k, EXISTS (SELECT 1 FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b WHERE b.window_end = a.window_end GROUP BY b.k) AS found
                        ^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: join a SELECT that groups: LEFT JOIN (SELECT window_end, max(v) AS v FROM ... GROUP BY window_end) AS y

# IN compares more columns than its subquery selects
SELECT a.k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) a
WHERE (a.k, a.window_end) IN (SELECT b.k FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b)
----
WindowSpecError: IN over another number of columns cannot run on streams
  at line 2, column 7:
    WHERE (a.k, a.window_end) IN (SELECT b.k FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: compare as many as the subquery selects

# a NATURAL join of calls, whose columns are not known
SELECT a.k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) a NATURAL JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b
----
WindowSpecError: a NATURAL join of relations with * cannot run on streams
  at line 1, column 12:
    SELECT a.k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) a NATURAL JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: name the columns: JOIN ... USING (window_start, window_end, ...)

# rows joined by window_time
SELECT a.k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) a JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b
  ON a.window_time = b.window_time AND a.k = b.k
----
WindowSpecError: a join of rows by window_time cannot run on streams
  at line 1, column 12:
    SELECT a.k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) a JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: write window_end in the place of window_time on both sides

# an aggregate that is compared without window_end
SELECT a.k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) a
WHERE a.v = (SELECT max(b.v) FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b WHERE b.k = a.k)
----
WindowSpecError: this comparison with an aggregate of windows cannot run on streams
  at line 2, column 7:
    WHERE a.v = (SELECT max(b.v) FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour')) b WHERE b.k = a.k)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: add a.window_end = b.window_end to the WHERE of the subquery

# CUBE of more keys than a row is copied for
SELECT window_end, count(*) AS n FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR))
GROUP BY window_start, window_end, CUBE(k, v, k || 1, k || 2, k || 3, k || 4, k || 5, k || 6, k || 7, k || 8, k || 9, k || 10, k || 11)
----
WindowSpecError: CUBE has too many keys
  at line 2, column 36:
    GROUP BY window_start, window_end, CUBE(k, v, k || 1, k || 2, k || 3, k || 4, k || 5, k || 6, k || 7, k || 8, k || 9, k || 10, k || 11)
                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: at most 12
  hint: write the sets that you need: GROUPING SETS ((a, b), (a), ...)

# a join of windows by a value of a function of their ends
SELECT a.n, b.n AS m FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) a JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' HOUR)) b ON a.window_end = date(b.window_end) AND a.k = b.k
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 22:
    SELECT a.n, b.n AS m FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) a JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' HOUR)) b ON a.window_end = date(b.window_end) AND a.k = b.k
                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: write ON a.window_end = b.window_end AND ...

# EXISTS in EXISTS
SELECT a.n FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) a WHERE EXISTS (
  SELECT 1 FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' HOUR)) b WHERE b.window_end = a.window_end
  AND EXISTS (SELECT 1 FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' HOUR)) c WHERE c.window_end = b.window_end AND c.n > b.n))
----
WindowSpecError: the condition of this join of windows holds a subquery
  at line 3, column 14:
      AND EXISTS (SELECT 1 FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' HOUR)) c WHERE c.window_end = b.window_end AND c.n > b.n))
                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams it is computed from one row of each side
  hint: ask it of the rows that the subquery reads: FROM (SELECT * FROM b WHERE EXISTS (SELECT ...)) AS b

# a join by what is computed from the ends of windows
SELECT a.k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) a
JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) b ON date_trunc('hour', a.window_end) = date_trunc('hour', b.window_end) AND a.k = b.k
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 12:
    SELECT a.k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) a
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: write ON a.window_end = b.window_end AND ...

# EXISTS by what is computed from the ends of windows
SELECT a.k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) a
WHERE EXISTS (SELECT 1 FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) b WHERE date(a.window_end) = date(b.window_end))
----
WindowSpecError: this EXISTS or IN over windows cannot run on streams
  at line 2, column 7:
    WHERE EXISTS (SELECT 1 FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) b WHERE date(a.window_end) = date(b.window_end))
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: add a.window_end = b.window_end to the WHERE of the subquery

# a join by structs of windows that differ
SELECT a.k FROM (SELECT struct(window_start, window_end) AS w, k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) a
JOIN (SELECT named_struct('s', window_start, 'e', window_end) AS w, k FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) b ON a.w = b.w
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 12:
    SELECT a.k FROM (SELECT struct(window_start, window_end) AS w, k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) a
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: select window_end on both sides, as it is, and have ON compare them: L.window_end = R.window_end

# IN by what is computed from the ends of windows
SELECT a.k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) a
WHERE date(a.window_end) IN (SELECT date(b.window_end) FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) b)
----
WindowSpecError: this EXISTS or IN over windows cannot run on streams
  at line 2, column 7:
    WHERE date(a.window_end) IN (SELECT date(b.window_end) FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) b)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: add a.window_end = b.window_end to the WHERE of the subquery

# a comparison by what is computed from the ends of windows
SELECT a.k FROM (SELECT k, window_end, count(*) AS c FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY k, window_end) a
WHERE c = (SELECT max(v) FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) b WHERE date(b.window_end) = date(a.window_end))
----
WindowSpecError: this comparison with an aggregate of windows cannot run on streams
  at line 2, column 7:
    WHERE c = (SELECT max(v) FROM TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) b WHERE date(b.window_end) = date(a.window_end))
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: add a.window_end = b.window_end to the WHERE of the subquery

# a join by the times of windows in arrays
SELECT a.k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) a
JOIN TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) b ON array(a.window_time) = array(b.window_time)
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 12:
    SELECT a.k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) a
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams rows of windows are joined on equal window_end, which says when all of them are there
  hint: write ON a.window_end = b.window_end AND ...
