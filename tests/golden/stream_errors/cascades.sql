# a group of the window's start alone
SELECT max(n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a GROUP BY a.s
----
WindowSpecError: GROUP BY has no window_end
  at line 2, column 109:
      FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a GROUP BY a.s
                                                                                                                ^^^^^^^^^^^^
  rule: on a stream a result of windows is grouped by window_end, which says when a group is complete
  hint: add a.e to GROUP BY

# a group of another end than the window's
SELECT max(n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a GROUP BY a.s, a.e + INTERVAL '1' HOUR
----
WindowSpecError: GROUP BY has no window_end
  at line 2, column 109:
      FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a GROUP BY a.s, a.e + INTERVAL '1' HOUR
                                                                                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on a stream a result of windows is grouped by window_end, which says when a group is complete
  hint: add a.e to GROUP BY

# an end that the subquery has altered
SELECT max(n), s FROM (SELECT k, count(*) AS n, window_start AS s, window_end + INTERVAL 1 HOUR AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a GROUP BY s, e
----
WindowSpecError: GROUP BY has no window_end
  at line 2, column 109:
      FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a GROUP BY s, e
                                                                                                                ^^^^^^^^^^^^^
  rule: on a stream a result of windows is grouped by window_end, which says when a group is complete
  hint: select window_end in the subquery, as it is, and add it to GROUP BY

# grouping sets over windows of windows
SELECT max(n), e FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) GROUP BY e, ROLLUP (k)
----
WindowSpecError: this GROUP BY over windows cannot run on streams: GROUPING SETS, ROLLUP and CUBE cannot stand beside WINDOW ASSIGN
  at line 1, column 18:
    SELECT max(n), e FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: the rows of one key make one window
  hint: aggregate the windowed SELECT in an outer query, or UNION ALL several

# a column that is in no group
SELECT k, max(n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) GROUP BY s, e
----
WindowSpecError: this GROUP BY over windows cannot run on streams: k is neither a key nor inside an aggregate
  at line 1, column 18:
    SELECT k, max(n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: add k to GROUP BY, or wrap it, for instance as ANY_VALUE(k)

# windows of windows that are ranked
SELECT max(n), row_number() OVER (ORDER BY k) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) GROUP BY s, e
----
WindowSpecError: this GROUP BY over windows cannot run on streams: k is neither a key nor inside an aggregate
  at line 1, column 47:
    SELECT max(n), row_number() OVER (ORDER BY k) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: add k to GROUP BY, or wrap it, for instance as ANY_VALUE(k)

# a join on the windows' starts alone
SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.k = b.k AND a.s = b.s
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 10:
    SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams results of windows are joined on equal window_end, which says when all rows are there
  hint: write ON a.e = b.e AND ..., each column behind the name of its side

# a join with the window before
SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.k = b.k AND a.e = b.e + INTERVAL '1' HOUR
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 10:
    SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams results of windows are joined on equal window_end, which says when all rows are there
  hint: write ON a.e = b.e AND ..., each column behind the name of its side

# ends that are compared but not equal
SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a LEFT JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.k = b.k AND a.e <= b.e
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 10:
    SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams results of windows are joined on equal window_end, which says when all rows are there
  hint: write ON a.e = b.e AND ..., each column behind the name of its side

# a join by USING
SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b USING (k, s, e)
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 10:
    SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams results of windows are joined on equal window_end, which says when all rows are there
  hint: write ON a.e = b.e AND ..., each column behind the name of its side

# a natural join
SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a NATURAL JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 10:
    SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams results of windows are joined on equal window_end, which says when all rows are there
  hint: write ON a.e = b.e AND ..., each column behind the name of its side

# a side without a name
SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON s = b.s AND e = b.e
----
WindowSpecError: this join of windows cannot run on streams
  at line 1, column 10:
    SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: on streams results of windows are joined on equal window_end, which says when all rows are there
  hint: write ON L.e = b.e AND ..., each column behind the name of its side

# a column of the condition without its side
SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.e = b.e AND n > v
----
WindowSpecError: this join of windows cannot run on streams: ON: n does not say which side of the join it belongs to
  at line 1, column 10:
    SELECT * FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: here every column stands behind the name of its relation
  hint: write a.n or b.n

# a join that is grouped at once
SELECT a.e, count(*) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.e = b.e AND a.k = b.k GROUP BY a.e
----
WindowSpecError: this, over a join of windows, cannot run on streams
  at line 3, column 91:
      FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.e = b.e AND a.k = b.k GROUP BY a.e
                                                                                              ^^^^^^^^^^^^
  rule: on streams results of windows are joined on equal window_end, which says when all rows are there
  hint: put the join into a subquery that selects window_end, and group its rows by that in a SELECT around it

# a join that is aggregated at once
SELECT max(a.n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.e = b.e AND a.k = b.k
----
WindowSpecError: this, over a join of windows, cannot run on streams
  at line 1, column 8:
    SELECT max(a.n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
           ^^^^^^^^
  rule: on streams results of windows are joined on equal window_end, which says when all rows are there
  hint: put the join into a subquery that selects window_end, and group its rows by that in a SELECT around it

# a window column of either side
SELECT window_start FROM (SELECT k, count(*) AS n, window_start, window_end
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a JOIN (SELECT k, count(*) AS n, window_start, window_end
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS b ON a.window_end = b.window_end AND a.k = b.k
----
WindowSpecError: window_start does not say which side of the join it belongs to
  at line 1, column 8:
    SELECT window_start FROM (SELECT k, count(*) AS n, window_start, window_end
           ^^^^^^^^^^^^
  rule: on streams a window column of a joined subquery stands behind the name of its side
  hint: write a.window_start

# a star without some columns
SELECT * EXCEPT (n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.e = b.e AND a.k = b.k
----
WindowSpecError: this join of windows cannot run on streams: * EXCEPT cannot stand over a window join
  at line 1, column 21:
    SELECT * EXCEPT (n) FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: the columns of each side stand behind its name
  hint: write a.* EXCEPT (...), b.*

# a column of the side that an anti join leaves out
SELECT b.v FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
  FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY k, window_start, window_end) AS a ANTI JOIN (SELECT k, max(v) AS v, window_start AS s, window_end AS e
  FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) AS b ON a.e = b.e AND a.k = b.k
----
WindowSpecError: this join of windows cannot run on streams: b.v is not in the result of the ANTI join
  at line 1, column 12:
    SELECT b.v FROM (SELECT k, count(*) AS n, window_start AS s, window_end AS e
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: it returns rows of its left side, a
  hint: use columns of a and window columns, or another type of join
