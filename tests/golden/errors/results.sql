# a changelog with a row_kind of its own
SELECT k, count(*) AS Row_Kind FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT AS UPSERT GROUP BY k
----
WindowSpecError: a changelog has a column row_kind already
  at line 1, column 23:
    SELECT k, count(*) AS Row_Kind FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT AS UPSERT GROUP BY k
                          ^^^^^^^^
  rule: EMIT ... AS UPSERT and AS RETRACTIONS add a last column row_kind, which says what each row does
  hint: give the item another name, for instance AS kind

# a key row_kind in a changelog
SELECT t.row_kind, count(*) AS n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT AS RETRACTIONS GROUP BY t.row_kind
----
WindowSpecError: a changelog has a column row_kind already
  at line 1, column 8:
    SELECT t.row_kind, count(*) AS n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT AS RETRACTIONS GROUP BY t.row_kind
           ^^^^^^^^^^
  rule: EMIT ... AS UPSERT and AS RETRACTIONS add a last column row_kind, which says what each row does
  hint: give the item another name, for instance AS kind

# generated columns of a changelog
SELECT inline(array(struct(k, count(*)))) AS (k, `row_kind`) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT AS UPSERT GROUP BY k
----
WindowSpecError: a changelog has a column row_kind already
  at line 1, column 46:
    SELECT inline(array(struct(k, count(*)))) AS (k, `row_kind`) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT AS UPSERT GROUP BY k
                                                 ^^^^^^^^^^^^^^^
  rule: EMIT ... AS UPSERT and AS RETRACTIONS add a last column row_kind, which says what each row does
  hint: give the item another name, for instance AS kind

# a column that is no key
SELECT carrier, delay, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier
----
WindowSpecError: delay is neither a key nor inside an aggregate
  at line 1, column 17:
    SELECT carrier, delay, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY carrier
                    ^^^^^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: add delay to GROUP BY, or wrap it, for instance as ANY_VALUE(delay)

# a qualified column that is no key
SELECT f.carrier, upper(g.carrier), count(*) FROM f JOIN g ON f.a = g.a WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY f.carrier
----
WindowSpecError: g.carrier is neither a key nor inside an aggregate
  at line 1, column 25:
    SELECT f.carrier, upper(g.carrier), count(*) FROM f JOIN g ON f.a = g.a WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY f.carrier
                            ^^^^^^^^^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: add g.carrier to GROUP BY, or wrap it, for instance as ANY_VALUE(g.carrier)

# a field of a column of LATERAL VIEW is no key of its name
SELECT c.x, count(*) FROM t LATERAL VIEW explode(a) v AS c WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY x
----
WindowSpecError: c.x is neither a key nor inside an aggregate
  at line 1, column 8:
    SELECT c.x, count(*) FROM t LATERAL VIEW explode(a) v AS c WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY x
           ^^^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: add c.x to GROUP BY, or wrap it, for instance as ANY_VALUE(c.x)

# a key of the name of a field of a column of LATERAL VIEW
SELECT x, count(*) FROM t LATERAL VIEW explode(a) v AS c WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY c.x
----
WindowSpecError: x is neither a key nor inside an aggregate
  at line 1, column 8:
    SELECT x, count(*) FROM t LATERAL VIEW explode(a) v AS c WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY c.x
           ^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: add x to GROUP BY, or wrap it, for instance as ANY_VALUE(x)

# a field of a column that has the name of a database
SELECT d.x, count(*) FROM d.t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY x
----
WindowSpecError: d.x is neither a key nor inside an aggregate
  at line 1, column 8:
    SELECT d.x, count(*) FROM d.t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY x
           ^^^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: add d.x to GROUP BY, or wrap it, for instance as ANY_VALUE(d.x)

# a column in HAVING
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k HAVING v > 1
----
WindowSpecError: v is neither a key nor inside an aggregate
  at line 1, column 82:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k HAVING v > 1
                                                                                     ^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: add v to GROUP BY, or wrap it, for instance as ANY_VALUE(v)

# a column in ORDER BY
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k ORDER BY v
----
WindowSpecError: v is neither a key nor inside an aggregate
  at line 1, column 84:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k ORDER BY v
                                                                                       ^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: add v to GROUP BY, or wrap it, for instance as ANY_VALUE(v)

# a column in OVER
SELECT k, rank() OVER (ORDER BY v), count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
WindowSpecError: v is neither a key nor inside an aggregate
  at line 1, column 33:
    SELECT k, rank() OVER (ORDER BY v), count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
                                    ^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: add v to GROUP BY, or wrap it, for instance as ANY_VALUE(v)

# Spark's window column
SELECT window.start, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSpecError: window.start is neither a key nor inside an aggregate
  at line 1, column 8:
    SELECT window.start, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
           ^^^^^^^^^^^^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: use window_start and window_end

# a star with aggregates
SELECT *, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSpecError: * cannot be used in a SELECT with aggregates or GROUP BY
  at line 1, column 8:
    SELECT *, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
           ^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: leave out GROUP BY (use PARTITION BY) to get the rows of each window

# a star with GROUP BY
SELECT t.* FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
WindowSpecError: * cannot be used in a SELECT with aggregates or GROUP BY
  at line 1, column 8:
    SELECT t.* FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
           ^^^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: leave out GROUP BY (use PARTITION BY) to get the rows of each window

# an aggregate inside another
SELECT sum(max(v)) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSpecError: an aggregate call is inside another one
  at line 1, column 12:
    SELECT sum(max(v)) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
               ^^^^^^
  hint: compute the inner one in a SELECT before, and aggregate its result

# an aggregate inside FILTER
SELECT sum(v) FILTER (WHERE v > avg(v)) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSpecError: an aggregate call is inside another one
  at line 1, column 33:
    SELECT sum(v) FILTER (WHERE v > avg(v)) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
                                    ^^^^^^
  hint: compute the inner one in a SELECT before, and aggregate its result

# an ambiguous key
SELECT k, count(*) FROM a JOIN b ON a.id = b.id WINDOW ASSIGN TUMBLING(a.ts, '1 hour') GROUP BY a.k, b.k
----
WindowSpecError: k is ambiguous
  at line 1, column 8:
    SELECT k, count(*) FROM a JOIN b ON a.id = b.id WINDOW ASSIGN TUMBLING(a.ts, '1 hour') GROUP BY a.k, b.k
           ^
  hint: write a.k or b.k

# an aggregate as a key
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY max(v)
----
WindowSpecError: an aggregate cannot be part of a key
  at line 1, column 70:
    SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY max(v)
                                                                         ^^^^^^
  rule: a key is computed from each row alone
  hint: compute it as a column before: FROM (SELECT *, ... AS k FROM t)

# an aggregate as a key by position
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY 1
----
WindowSpecError: GROUP BY 1 is an aggregate
  at line 1, column 70:
    SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY 1
                                                                         ^
  rule: a key is computed from each row alone
  hint: name a column, or leave out GROUP BY

# a window function as a key
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY rank() OVER (ORDER BY v)
----
WindowSpecError: a window function cannot be part of a key
  at line 1, column 70:
    SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY rank() OVER (ORDER BY v)
                                                                         ^^^^^^^^^^^^^^^^^^^^^^^^
  rule: a key is computed from each row alone
  hint: compute it as a column before: FROM (SELECT *, ... AS k FROM t)

# a position that does not exist
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY 3
----
WindowSpecError: GROUP BY 3 is no position in the select list
  at line 1, column 73:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY 3
                                                                            ^
  rule: positions go from 1 to 2
  hint: write the key itself, or a position in the select list

# a key is missing
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k,
----
WindowSyntaxError: a key is missing in GROUP BY
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k,
                                                                   ^^^^^^^^
  hint: write the key, or leave out the comma

# a partition key is missing
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY k, , j
----
WindowSyntaxError: a key is missing here
  at line 1, column 80:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY k, , j
                                                                                   ^
  hint: write the key, or leave out the comma

# GROUP BY and PARTITION BY that differ
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY j GROUP BY k
----
WindowSpecError: GROUP BY and PARTITION BY name different keys
  at line 1, column 79:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY j GROUP BY k
                                                                                  ^^^^^^^^^^
  rule: a windowed SELECT has one set of keys
  hint: leave out one of the two

# GROUPING SETS
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k, GROUPING SETS ((k), ())
----
WindowSpecError: GROUPING SETS, ROLLUP and CUBE cannot be used with WINDOW ASSIGN
  at line 1, column 76:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k, GROUPING SETS ((k), ())
                                                                               ^^^^^^^^^^^^^
  rule: the rows of one key make one window
  hint: aggregate the windowed SELECT in an outer query, or UNION ALL several

# ROLLUP
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY ROLLUP(k)
----
WindowSpecError: GROUPING SETS, ROLLUP and CUBE cannot be used with WINDOW ASSIGN
  at line 1, column 73:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY ROLLUP(k)
                                                                            ^^^^^^
  rule: the rows of one key make one window
  hint: aggregate the windowed SELECT in an outer query, or UNION ALL several

# WITH CUBE
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k WITH CUBE
----
WindowSpecError: GROUPING SETS, ROLLUP and CUBE cannot be used with WINDOW ASSIGN
  at line 1, column 75:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k WITH CUBE
                                                                              ^^^^^^^^^
  rule: the rows of one key make one window
  hint: aggregate the windowed SELECT in an outer query, or UNION ALL several

# HAVING over rows
SELECT k FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') HAVING k > 1
----
WindowSpecError: HAVING needs aggregates or GROUP BY
  at line 1, column 54:
    SELECT k FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') HAVING k > 1
                                                         ^^^^^^^^^^^^
  rule: HAVING filters groups; this query returns rows
  hint: filter with WHERE before the window, or put the windowed SELECT into a subquery and filter there

# a window function in HAVING
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k HAVING rank() OVER (ORDER BY k) = 1
----
WindowSpecError: HAVING holds a window function
  at line 1, column 82:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k HAVING rank() OVER (ORDER BY k) = 1
                                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: use QUALIFY

# an item is missing
SELECT k, , count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSyntaxError: an item of the select list is missing here
  at line 1, column 11:
    SELECT k, , count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
              ^
  hint: leave out the comma

# an empty select list
SELECT FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSyntaxError: the select list is empty
  at line 1, column 1:
    SELECT FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
    ^^^^^^
  hint: write what to return, or *

# an alias without an expression
SELECT AS n, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSyntaxError: there is an alias without an expression
  at line 1, column 8:
    SELECT AS n, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
           ^^^^
  hint: write the expression before AS, or put a column of that name into backquotes

# APPLY of an unknown function
SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fitt
----
WindowSpecError: fitt is not an apply function
  at line 1, column 60:
    SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fitt
                                                               ^^^^
  rule: this must be the name of an apply function, built in or registered
  hint: did you mean FIT?

# APPLY with brackets
SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit()
----
WindowSyntaxError: APPLY needs the name of an apply function
  at line 1, column 60:
    SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit()
                                                               ^^^^^
  hint: write APPLY and the name under which the function was registered, without brackets

# APPLY of nothing
SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') WHERE x APPLY
----
WindowSyntaxError: APPLY needs the name of an apply function
  at line 1, column 62:
    SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') WHERE x APPLY
                                                                 ^^^^^
  hint: write APPLY and the name under which the function was registered, without brackets

# aggregates with APPLY
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit GROUP BY k
----
WindowSpecError: an aggregate cannot be used with APPLY
  at line 1, column 11:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit GROUP BY k
              ^^^^^^^^
  rule: the apply function gets the rows of each firing and returns the result
  hint: compute it in the function, or aggregate the windowed SELECT in an outer query

# a column that the function does not return
SELECT slope, v FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit
----
WindowSpecError: v is no column of fit
  at line 1, column 15:
    SELECT slope, v FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit
                  ^
  rule: after APPLY a SELECT reads what the function returns, the keys and the window columns
  hint: fit returns slope, points

# EXCEPT of a column that the function does not return
SELECT * EXCEPT (slope, v) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit
----
WindowSpecError: v is no column of fit
  at line 1, column 25:
    SELECT * EXCEPT (slope, v) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit
                            ^
  rule: after APPLY a SELECT reads what the function returns, the keys and the window columns
  hint: fit returns slope, points

# all columns of what is no relation
SELECT nosuch.* FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit
----
WindowSpecError: nosuch.* is no column of fit
  at line 1, column 8:
    SELECT nosuch.* FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit
           ^^^^^^^^
  rule: after APPLY a SELECT reads what the function returns, the keys and the window columns
  hint: fit returns slope, points

# EXCEPT of all that the function returns
SELECT struct(t.* EXCEPT (Points, t.slope)) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit
----
WindowSpecError: EXCEPT leaves no column
  at line 1, column 19:
    SELECT struct(t.* EXCEPT (Points, t.slope)) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit
                      ^^^^^^^^^^^^^^^^^^^^^^^^
  rule: * gives one column or more
  hint: leave out EXCEPT, or name some of slope, points in it

# EXCEPT of nothing with APPLY
SELECT * EXCEPT () FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit
----
WindowSyntaxError: EXCEPT has no column
  at line 1, column 10:
    SELECT * EXCEPT () FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit
             ^^^^^^^^^
  hint: name columns of fit: slope, points

# HAVING with APPLY
SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit HAVING slope > 1
----
WindowSpecError: HAVING needs aggregates or GROUP BY
  at line 1, column 64:
    SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit HAVING slope > 1
                                                                   ^^^^^^^^^^^^^^^^
  rule: HAVING filters groups; this query returns rows
  hint: filter with WHERE before the window, or put the windowed SELECT into a subquery and filter there

# a position in brackets
SELECT k, count(*) AS c FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY ((3))
----
WindowSpecError: GROUP BY 3 is no position in the select list
  at line 1, column 80:
    SELECT k, count(*) AS c FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY ((3))
                                                                                   ^
  rule: positions go from 1 to 2
  hint: write the key itself, or a position in the select list

# a misspelled COUNT(*)
SELECT k, cont(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
WindowSpecError: * cannot be used in a SELECT with aggregates or GROUP BY
  at line 1, column 11:
    SELECT k, cont(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
              ^^^^^^^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: did you mean COUNT(*)?
