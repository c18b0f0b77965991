# no equality
SELECT * FROM a x WINDOW JOIN b y ON x.v > y.v WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON has no equality between the sides
  at line 1, column 38:
    SELECT * FROM a x WINDOW JOIN b y ON x.v > y.v WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                         ^^^^^^^^^
  rule: rows meet in windows of one key: ON needs an expression of x equal to one of y
  hint: write ON x.id = y.id AND ...

# an equality within one side
SELECT * FROM a x WINDOW JOIN b y ON x.v = x.w AND x.v < y.v WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON has no equality between the sides
  at line 1, column 38:
    SELECT * FROM a x WINDOW JOIN b y ON x.v = x.w AND x.v < y.v WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                         ^^^^^^^^^^^^^^^^^^^^^^^
  rule: rows meet in windows of one key: ON needs an expression of x equal to one of y
  hint: write ON x.id = y.id AND ...

# an equality that holds for some rows only
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k OR x.v = y.v WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON has no equality between the sides
  at line 1, column 38:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k OR x.v = y.v WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                         ^^^^^^^^^^^^^^^^^^^^^^
  rule: rows meet in windows of one key: ON needs an expression of x equal to one of y
  hint: put the alternatives into brackets: ON x.id = y.id AND (... OR ...)

# an equality that mixes the sides
SELECT * FROM a x WINDOW JOIN b y ON x.v + y.v = y.w WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON has no equality between the sides
  at line 1, column 38:
    SELECT * FROM a x WINDOW JOIN b y ON x.v + y.v = y.w WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                         ^^^^^^^^^^^^^^^
  rule: rows meet in windows of one key: ON needs an expression of x equal to one of y
  hint: write ON x.id = y.id AND ...

# a negated equality
SELECT * FROM a x WINDOW JOIN b y ON NOT (x.k = y.k) WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON has no equality between the sides
  at line 1, column 38:
    SELECT * FROM a x WINDOW JOIN b y ON NOT (x.k = y.k) WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                         ^^^^^^^^^^^^^^^
  rule: rows meet in windows of one key: ON needs an expression of x equal to one of y
  hint: write ON x.id = y.id AND ...

# a column of ON without its relation
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND v > 3 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON: v does not say which side of the join it belongs to
  at line 1, column 52:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND v > 3 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                                       ^
  rule: here every column needs the name of its relation before it
  hint: write x.v or y.v

# a relation that is not there
SELECT * FROM a x WINDOW JOIN b y ON a.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON: a.k does not say which side of the join it belongs to
  at line 1, column 38:
    SELECT * FROM a x WINDOW JOIN b y ON a.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                         ^^^
  rule: here every column needs the name of its relation before it
  hint: the sides are x and y

# a window column in ON
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND window_start = x.ts WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON: window_start is not allowed here
  at line 1, column 52:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND window_start = x.ts WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                                       ^^^^^^^^^^^^
  rule: window columns are known once a window fires, after the join
  hint: compare it in WHERE, which sees the pairs of an inner join, or in a query around the join

# an aggregate in ON
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND sum(x.v) > 3 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON holds an aggregate
  at line 1, column 52:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND sum(x.v) > 3 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                                       ^^^^^^^^
  rule: it is computed from one row of each side
  hint: compute it as a column of one side: FROM (SELECT *, ... AS v FROM a) AS x WINDOW JOIN ...

# a subquery in ON
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND x.v IN (SELECT v FROM c) WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON holds a subquery
  at line 1, column 59:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND x.v IN (SELECT v FROM c) WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                                              ^^^^^^^^^^^^^^^^^
  rule: it is computed from one row of each side
  hint: compute it as a column of one side: FROM (SELECT *, ... AS v FROM a) AS x WINDOW JOIN ...

# a window function in ON
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND rank() OVER (ORDER BY x.v) = 1 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON holds a window function
  at line 1, column 38:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND rank() OVER (ORDER BY x.v) = 1 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: it is computed from one row of each side
  hint: compute it as a column of one side: FROM (SELECT *, ... AS v FROM a) AS x WINDOW JOIN ...

# ON is missing
SELECT * FROM a x WINDOW JOIN b y WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSyntaxError: WINDOW JOIN needs ON
  at line 1, column 19:
    SELECT * FROM a x WINDOW JOIN b y WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                      ^^^^^^^^^^^
  rule: a window join has a condition with an equality between the sides
  hint: write ON x.id = y.id

# ON without a condition
SELECT * FROM a x WINDOW JOIN b y ON WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSyntaxError: something is missing between ON and WINDOW ASSIGN
  at line 1, column 35:
    SELECT * FROM a x WINDOW JOIN b y ON WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                      ^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: write the condition of the join: ON x.id = y.id

# USING
SELECT * FROM a x WINDOW JOIN b y USING (k) WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: WINDOW JOIN takes no USING
  at line 1, column 35:
    SELECT * FROM a x WINDOW JOIN b y USING (k) WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                      ^^^^^
  rule: the condition comes after ON, each column after the name of its relation
  hint: write ON x.k = y.k

# a cross join
SELECT * FROM a x CROSS WINDOW JOIN b y WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: CROSS WINDOW JOIN is no join
  at line 1, column 19:
    SELECT * FROM a x CROSS WINDOW JOIN b y WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                      ^^^^^^^^^^^^^^^^^
  rule: a window join is INNER, LEFT, RIGHT, FULL, SEMI or ANTI, with ON
  hint: write WINDOW JOIN ... ON x.id = y.id, with one of these words before it

# a natural join
SELECT * FROM a x NATURAL WINDOW JOIN b y WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: NATURAL WINDOW JOIN is no join
  at line 1, column 19:
    SELECT * FROM a x NATURAL WINDOW JOIN b y WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                      ^^^^^^^^^^^^^^^^^^^
  rule: a window join is INNER, LEFT, RIGHT, FULL, SEMI or ANTI, with ON
  hint: write WINDOW JOIN ... ON x.id = y.id, with one of these words before it

# a second relation is missing
SELECT * FROM a x WINDOW JOIN ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSyntaxError: WINDOW JOIN needs a relation after it
  at line 1, column 19:
    SELECT * FROM a x WINDOW JOIN ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                      ^^^^^^^^^^^
  hint: write a WINDOW JOIN b ON a.id = b.id

# a lateral side
SELECT * FROM a x WINDOW JOIN LATERAL (SELECT 1) y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: this cannot be used with WINDOW JOIN
  at line 1, column 31:
    SELECT * FROM a x WINDOW JOIN LATERAL (SELECT 1) y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                  ^^^^^^^
  rule: a FROM with WINDOW JOIN holds two relations and ON, nothing else
  hint: put the other joins into a subquery: FROM (SELECT ...) AS x WINDOW JOIN y ON x.id = y.id

# a chain
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW JOIN c z ON x.k = z.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: this cannot be used with WINDOW JOIN
  at line 1, column 48:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW JOIN c z ON x.k = z.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                                   ^^^^^^^^^^^
  rule: a FROM with WINDOW JOIN holds two relations and ON, nothing else
  hint: put the other joins into a subquery: FROM (SELECT ...) AS x WINDOW JOIN y ON x.id = y.id

# a plain join after it
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k LEFT OUTER JOIN c z ON x.k = z.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: this cannot be used with WINDOW JOIN
  at line 1, column 48:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k LEFT OUTER JOIN c z ON x.k = z.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                                   ^^^^^^^^^^^^^^^
  rule: a FROM with WINDOW JOIN holds two relations and ON, nothing else
  hint: put the other joins into a subquery: FROM (SELECT ...) AS x WINDOW JOIN y ON x.id = y.id

# a plain join before it
SELECT * FROM c z JOIN a x ON x.k = z.k WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: this cannot be used with WINDOW JOIN
  at line 1, column 19:
    SELECT * FROM c z JOIN a x ON x.k = z.k WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                      ^^^^
  rule: a FROM with WINDOW JOIN holds two relations and ON, nothing else
  hint: put the other joins into a subquery: FROM (SELECT ...) AS x WINDOW JOIN y ON x.id = y.id

# a plain join in its place
SELECT * FROM a x WINDOW JOIN b y JOIN c z ON x.k = z.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: this cannot be used with WINDOW JOIN
  at line 1, column 35:
    SELECT * FROM a x WINDOW JOIN b y JOIN c z ON x.k = z.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                      ^^^^
  rule: a FROM with WINDOW JOIN holds two relations and ON, nothing else
  hint: put the other joins into a subquery: FROM (SELECT ...) AS x WINDOW JOIN y ON x.id = y.id

# a comma before it
SELECT * FROM c, a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: this cannot be used with WINDOW JOIN
  at line 1, column 16:
    SELECT * FROM c, a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                   ^
  rule: a FROM with WINDOW JOIN holds two relations and ON, nothing else
  hint: put the other joins into a subquery: FROM (SELECT ...) AS x WINDOW JOIN y ON x.id = y.id

# a comma after it
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k, c WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: this cannot be used with WINDOW JOIN
  at line 1, column 47:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k, c WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                                  ^
  rule: a FROM with WINDOW JOIN holds two relations and ON, nothing else
  hint: put the other joins into a subquery: FROM (SELECT ...) AS x WINDOW JOIN y ON x.id = y.id

# a lateral view
SELECT * FROM a x LATERAL VIEW explode(x.l) e WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: this cannot be used with WINDOW JOIN
  at line 1, column 19:
    SELECT * FROM a x LATERAL VIEW explode(x.l) e WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                      ^^^^^^^^^^^^
  rule: a FROM with WINDOW JOIN holds two relations and ON, nothing else
  hint: put the other joins into a subquery: FROM (SELECT ...) AS x WINDOW JOIN y ON x.id = y.id

# a pivot
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k PIVOT (sum(v) FOR k IN (1)) WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: this cannot be used with WINDOW JOIN
  at line 1, column 48:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k PIVOT (sum(v) FOR k IN (1)) WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                                   ^^^^^
  rule: a FROM with WINDOW JOIN holds two relations and ON, nothing else
  hint: put the other joins into a subquery: FROM (SELECT ...) AS x WINDOW JOIN y ON x.id = y.id

# in brackets beside another join
SELECT * FROM (a x WINDOW JOIN b y ON x.k = y.k) JOIN c ON c.k = x.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: this cannot be used with WINDOW JOIN
  at line 1, column 20:
    SELECT * FROM (a x WINDOW JOIN b y ON x.k = y.k) JOIN c ON c.k = x.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                       ^^^^^^^^^^^
  rule: a FROM with WINDOW JOIN holds two relations and ON, nothing else
  hint: put the other joins into a subquery: FROM (SELECT ...) AS x WINDOW JOIN y ON x.id = y.id

# a subquery without an alias
SELECT * FROM (SELECT * FROM a) WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: this side of the join has no name
  at line 1, column 15:
    SELECT * FROM (SELECT * FROM a) WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                  ^^^^^^^^^^^^^^^^^
  rule: columns of a window join need the name of their relation before them
  hint: give it an alias: (SELECT ...) AS x

# a table function without an alias
SELECT * FROM a x WINDOW JOIN range(3) ON x.k = range.id WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: this side of the join has no name
  at line 1, column 31:
    SELECT * FROM a x WINDOW JOIN range(3) ON x.k = range.id WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                  ^^^^^^^^
  rule: columns of a window join need the name of their relation before them
  hint: give it an alias: (SELECT ...) AS x

# both sides of one name
SELECT * FROM a WINDOW JOIN db.A ON a.k = a.j WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: both sides of the join are called A
  at line 1, column 29:
    SELECT * FROM a WINDOW JOIN db.A ON a.k = a.j WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                ^^^^
  rule: columns of a window join need the name of their relation before them
  hint: give each side an alias: FROM a AS x WINDOW JOIN a AS y

# one time
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING(x.ts, '1 hour')
----
WindowSpecError: TUMBLING: time is not a pair
  at line 1, column 71:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING(x.ts, '1 hour')
                                                                          ^^^^
  rule: a window join has one time per side, over that side's columns alone
  hint: write (x.ts, y.ts), or PROCTIME()

# three times
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts, x.ts), '1 hour')
----
WindowSpecError: TUMBLING: time must be a pair, not 3 expressions
  at line 1, column 71:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts, x.ts), '1 hour')
                                                                          ^^^^^^^^^^^^^^^^^^
  rule: a window join has one time per side, over that side's columns alone
  hint: write (x.ts, y.ts), or PROCTIME()

# both times of one side
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((y.ts, y.tz), '1 hour')
----
WindowSpecError: TUMBLING: time: both times are of y
  at line 1, column 72:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((y.ts, y.tz), '1 hour')
                                                                           ^^^^^^^^^^
  rule: a window join has one time per side, over that side's columns alone
  hint: write (x.ts, y.ts), or PROCTIME()

# a time of both sides
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((greatest(x.ts, y.ts), y.ts), '1 hour')
----
WindowSpecError: TUMBLING: time reads both sides of the join
  at line 1, column 72:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((greatest(x.ts, y.ts), y.ts), '1 hour')
                                                                           ^^^^^^^^^^^^^^^^^^^^
  rule: a window join has one time per side, over that side's columns alone
  hint: write (x.ts, y.ts), or PROCTIME()

# a time without its relation
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((ts, y.ts), '1 hour')
----
WindowSpecError: TUMBLING: time: ts does not say which side of the join it belongs to
  at line 1, column 72:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((ts, y.ts), '1 hour')
                                                                           ^^
  rule: here every column needs the name of its relation before it
  hint: write x.ts or y.ts

# PROCTIME in a pair
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((PROCTIME(), y.ts), '1 hour')
----
WindowSyntaxError: TUMBLING: time: PROCTIME(...) is not allowed here
  at line 1, column 72:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((PROCTIME(), y.ts), '1 hour')
                                                                           ^^^^^^^^
  hint: write PROCTIME() alone

# a pair without a join
SELECT * FROM a x WINDOW ASSIGN TUMBLING((x.ts, x.tz), '1 hour')
----
WindowSyntaxError: TUMBLING: time is a pair
  at line 1, column 42:
    SELECT * FROM a x WINDOW ASSIGN TUMBLING((x.ts, x.tz), '1 hour')
                                             ^^^^^^^^^^^^
  rule: a pair of times needs a WINDOW JOIN
  hint: name one time expression, or join two relations: FROM a WINDOW JOIN b ON a.id = b.id

# a pair with a plain join
SELECT * FROM a x JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSyntaxError: TUMBLING: time is a pair
  at line 1, column 64:
    SELECT * FROM a x JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                                                   ^^^^^^^^^^^^
  rule: a pair of times needs a WINDOW JOIN
  hint: name one time expression, or join two relations: FROM a WINDOW JOIN b ON a.id = b.id

# keys after PARTITION BY
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') PARTITION BY x.k, x.j
----
WindowSpecError: PARTITION BY cannot be used with WINDOW JOIN
  at line 1, column 95:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') PARTITION BY x.k, x.j
                                                                                                  ^^^^^^^^^^^^^^^^^^^^^
  rule: the keys of a window join are the equalities of ON
  hint: write the keys into ON, and leave out PARTITION BY

# APPLY
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') APPLY fit
----
WindowSpecError: APPLY cannot be used with WINDOW JOIN
  at line 1, column 95:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') APPLY fit
                                                                                                  ^^^^^^^^^
  rule: a window join returns pairs of rows; a function over both sides of a window belongs to a co-group
  hint: write FROM co_group(TABLE(a) PARTITION BY id, TABLE(b) PARTITION BY id, ..., apply => 'f')

# EVICT beside COUNT
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN COUNT(3) EVICT COUNT(2)
----
WindowSpecError: EVICT cannot be used with WINDOW ASSIGN COUNT
  at line 1, column 71:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN COUNT(3) EVICT COUNT(2)
                                                                          ^^^^^^^^^^^^^^
  rule: COUNT brings its own trigger and evictor
  hint: use WINDOW ASSIGN GLOBAL(...) with TRIGGER and EVICT of your own

# EVICT TIME without event time
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING(PROCTIME(), '1 hour') EVICT TIME('1 minute')
----
WindowSpecError: EVICT TIME needs event time
  at line 1, column 93:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING(PROCTIME(), '1 hour') EVICT TIME('1 minute')
                                                                                                ^^^^^^^^^^^^^^^^^^^^^^
  rule: it compares the event times of rows
  hint: give TUMBLING a time expression

# GLOBAL without a trigger
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN GLOBAL()
----
WindowSpecError: GLOBAL needs a TRIGGER
  at line 1, column 62:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN GLOBAL()
                                                                 ^^^^^^^^
  rule: a window that never ends fires only when a trigger says so
  hint: add for instance TRIGGER COUNT(100), or TRIGGER END_OF_STREAM()

# a gap without its relation
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN SESSION((x.ts, y.ts), gap)
----
WindowSpecError: WINDOW ASSIGN: gap does not say which side of the join it belongs to
  at line 1, column 84:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN SESSION((x.ts, y.ts), gap)
                                                                                       ^^^
  rule: here every column needs the name of its relation before it
  hint: write x.gap or y.gap

# a column of a trigger without its relation
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') TRIGGER ANY(COUNT(3), WHEN(max(x.v) > least(3, v)))
----
WindowSpecError: TRIGGER: v does not say which side of the join it belongs to
  at line 1, column 142:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') TRIGGER ANY(COUNT(3), WHEN(max(x.v) > least(3, v)))
                                                                                                                                                 ^
  rule: here every column needs the name of its relation before it
  hint: write x.v or y.v

# a column of an evictor without its relation
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') EVICT DELTA(v, 3) AFTER
----
WindowSpecError: EVICT: v does not say which side of the join it belongs to
  at line 1, column 107:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') EVICT DELTA(v, 3) AFTER
                                                                                                              ^
  rule: here every column needs the name of its relation before it
  hint: write x.v or y.v

# a column of the right side of a semi join
SELECT x.k, y.v FROM a x SEMI WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: y.v is not in the result of the SEMI join
  at line 1, column 13:
    SELECT x.k, y.v FROM a x SEMI WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                ^^^
  rule: it returns rows of its left side, x
  hint: use columns of x and window columns, or another type of join

# a star of the right side of an anti join
SELECT x.*, y.* FROM a x ANTI WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: y.* is not in the result of the ANTI join
  at line 1, column 13:
    SELECT x.*, y.* FROM a x ANTI WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                ^^^
  rule: it returns rows of its left side, x
  hint: use columns of x and window columns, or another type of join

# a filter on the right side of a semi join
SELECT x.k FROM a x SEMI WINDOW JOIN b y ON x.k = y.k WHERE y.v > 3 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: y.v is not in the result of the SEMI join
  at line 1, column 61:
    SELECT x.k FROM a x SEMI WINDOW JOIN b y ON x.k = y.k WHERE y.v > 3 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                                                ^^^
  rule: it returns rows of its left side, x
  hint: use columns of x and window columns, or another type of join

# an aggregate over the right side of a semi join
SELECT max(y.v) FROM a x LEFT SEMI WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: y.v is not in the result of the SEMI join
  at line 1, column 12:
    SELECT max(y.v) FROM a x LEFT SEMI WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
               ^^^
  rule: it returns rows of its left side, x
  hint: use columns of x and window columns, or another type of join

# a star without some columns
SELECT * EXCEPT (k) FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: * EXCEPT cannot be used over a window join
  at line 1, column 8:
    SELECT * EXCEPT (k) FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
           ^^^^^^^^^^^^
  rule: the columns of each side need its name before them
  hint: write x.* EXCEPT (...), y.*

# an equality before OR
SELECT * FROM a x WINDOW JOIN b y ON x.ok = y.ok OR y.late WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON has no equality between the sides
  at line 1, column 38:
    SELECT * FROM a x WINDOW JOIN b y ON x.ok = y.ok OR y.late WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                         ^^^^^^^^^^^^^^^^^^^^^
  rule: rows meet in windows of one key: ON needs an expression of x equal to one of y
  hint: put the alternatives into brackets: ON x.id = y.id AND (... OR ...)

# an equality beside OR
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND x.v = y.v OR x.w = y.w WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON has no equality between the sides
  at line 1, column 38:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND x.v = y.v OR x.w = y.w WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: rows meet in windows of one key: ON needs an expression of x equal to one of y
  hint: put the alternatives into brackets: ON x.id = y.id AND (... OR ...)

# an equality after BETWEEN
SELECT * FROM a x WINDOW JOIN b y ON x.v BETWEEN 1 AND y.v = x.w WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON has no equality between the sides
  at line 1, column 38:
    SELECT * FROM a x WINDOW JOIN b y ON x.v BETWEEN 1 AND y.v = x.w WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: rows meet in windows of one key: ON needs an expression of x equal to one of y
  hint: write ON x.id = y.id AND ...

# a column called as a side
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND x > 3 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: ON: x does not say which side of the join it belongs to
  at line 1, column 52:
    SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND x > 3 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                                                       ^
  rule: here every column needs the name of its relation before it
  hint: write x.x or y.x

# a type that is misspelled
SELECT * FROM a x LEFT OUTTER WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: LEFT OUTTER WINDOW JOIN is no join
  at line 1, column 19:
    SELECT * FROM a x LEFT OUTTER WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                      ^^^^^^^^^^^^^^^^^^^^^^^
  rule: a window join is INNER, LEFT, RIGHT, FULL, SEMI or ANTI, with ON
  hint: write WINDOW JOIN ... ON x.id = y.id, with one of these words before it

# a type that does not exist
SELECT * FROM a x RIGHT SEMI WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: RIGHT SEMI WINDOW JOIN is no join
  at line 1, column 19:
    SELECT * FROM a x RIGHT SEMI WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                      ^^^^^^^^^^^^^^^^^^^^^^
  rule: a window join is INNER, LEFT, RIGHT, FULL, SEMI or ANTI, with ON
  hint: write WINDOW JOIN ... ON x.id = y.id, with one of these words before it

# half a type
SELECT * FROM a x OUTER WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSpecError: OUTER WINDOW JOIN is no join
  at line 1, column 19:
    SELECT * FROM a x OUTER WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                      ^^^^^^^^^^^^^^^^^
  rule: a window join is INNER, LEFT, RIGHT, FULL, SEMI or ANTI, with ON
  hint: write WINDOW JOIN ... ON x.id = y.id, with one of these words before it

# no window
SELECT x.v FROM a x WINDOW JOIN b AS `the other` ON x.k = `the other`.k WHERE x.v > 1
----
WindowSyntaxError: WINDOW JOIN without WINDOW ASSIGN
  at line 1, column 21:
    SELECT x.v FROM a x WINDOW JOIN b AS `the other` ON x.k = `the other`.k WHERE x.v > 1
                        ^^^^^^^^^^^
  rule: rows of the two sides meet in windows: WINDOW ASSIGN says which, with a pair of times, one of each side
  hint: write after ON: WINDOW ASSIGN TUMBLING((x.ts, `the other`.ts), INTERVAL 10 MINUTES); an alias is written AS window

# no window in a subquery of a windowed query
SELECT k, count(*) FROM (SELECT x.* FROM a LEFT OUTER WINDOW JOIN b ON a.k = b.k) WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
WindowSyntaxError: WINDOW JOIN without WINDOW ASSIGN
  at line 1, column 44:
    SELECT k, count(*) FROM (SELECT x.* FROM a LEFT OUTER WINDOW JOIN b ON a.k = b.k) WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
                                               ^^^^^^^^^^^^^^^^^^^^^^
  rule: rows of the two sides meet in windows: WINDOW ASSIGN says which, with a pair of times, one of each side
  hint: write after ON: WINDOW ASSIGN TUMBLING((a.ts, b.ts), INTERVAL 10 MINUTES); an alias is written AS window

# no window in a subquery of Spark's own
SELECT max(v) FROM (SELECT x.v FROM (SELECT * FROM a) AS x(k, v) window join b y ON x.k = y.k)
----
WindowSyntaxError: WINDOW JOIN without WINDOW ASSIGN
  at line 1, column 66:
    SELECT max(v) FROM (SELECT x.v FROM (SELECT * FROM a) AS x(k, v) window join b y ON x.k = y.k)
                                                                     ^^^^^^^^^^^
  rule: rows of the two sides meet in windows: WINDOW ASSIGN says which, with a pair of times, one of each side
  hint: write after ON: WINDOW ASSIGN TUMBLING((x.ts, y.ts), INTERVAL 10 MINUTES); an alias is written AS window

# no window, and nothing qualified
SELECT v FROM a WINDOW JOIN b USING (k)
----
WindowSyntaxError: WINDOW JOIN without WINDOW ASSIGN
  at line 1, column 17:
    SELECT v FROM a WINDOW JOIN b USING (k)
                    ^^^^^^^^^^^
  rule: rows of the two sides meet in windows: WINDOW ASSIGN says which, with a pair of times, one of each side
  hint: write after ON: WINDOW ASSIGN TUMBLING((a.ts, b.ts), INTERVAL 10 MINUTES); an alias is written AS window

# no window, joined in brackets
SELECT v FROM (db.a WINDOW /* alias? */ JOIN b ON k = j)
----
WindowSyntaxError: WINDOW JOIN without WINDOW ASSIGN
  at line 1, column 21:
    SELECT v FROM (db.a WINDOW /* alias? */ JOIN b ON k = j)
                        ^^^^^^^^^^^^^^^^^^^^^^^^
  rule: rows of the two sides meet in windows: WINDOW ASSIGN says which, with a pair of times, one of each side
  hint: write after ON: WINDOW ASSIGN TUMBLING((x.ts, b.ts), INTERVAL 10 MINUTES); an alias is written AS window

# a type after WINDOW, and nothing qualified
SELECT v FROM a WINDOW LEFT JOIN b USING (k)
----
WindowSyntaxError: WINDOW LEFT JOIN is no join
  at line 1, column 17:
    SELECT v FROM a WINDOW LEFT JOIN b USING (k)
                    ^^^^^^^^^^^^^^^^
  rule: the type of a window join comes before WINDOW
  hint: write LEFT WINDOW JOIN; an alias is written AS window

# a type after WINDOW
SELECT * FROM a x WINDOW LEFT JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
----
WindowSyntaxError: WINDOW LEFT JOIN is no join
  at line 1, column 19:
    SELECT * FROM a x WINDOW LEFT JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
                      ^^^^^^^^^^^^^^^^
  rule: the type of a window join comes before WINDOW
  hint: write LEFT WINDOW JOIN; an alias is written AS window

# a type after WINDOW, and no window
SELECT * FROM a AS x WINDOW FULL OUTER JOIN b y ON x.k = y.k
----
WindowSyntaxError: WINDOW FULL OUTER JOIN is no join
  at line 1, column 22:
    SELECT * FROM a AS x WINDOW FULL OUTER JOIN b y ON x.k = y.k
                         ^^^^^^^^^^^^^^^^^^^^^^
  rule: the type of a window join comes before WINDOW
  hint: write FULL OUTER WINDOW JOIN; an alias is written AS window

# ON after WINDOW ASSIGN
SELECT * FROM a x WINDOW JOIN b y WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') ON x.k = y.k
----
WindowSyntaxError: WINDOW JOIN needs ON
  at line 1, column 19:
    SELECT * FROM a x WINDOW JOIN b y WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') ON x.k = y.k
                      ^^^^^^^^^^^
  rule: a window join has a condition with an equality between the sides
  hint: put ON before WINDOW ASSIGN
