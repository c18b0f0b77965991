# GLOBAL without a trigger
SELECT count(*) FROM t WINDOW ASSIGN GLOBAL(ts)
----
WindowSpecError: GLOBAL needs a TRIGGER
  at line 1, column 38:
    SELECT count(*) FROM t WINDOW ASSIGN GLOBAL(ts)
                                         ^^^^^^^^^^
  rule: a window that never ends fires only when a trigger says so
  hint: add for instance TRIGGER COUNT(100), or TRIGGER END_OF_STREAM()

# COUNT with a trigger
SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(10) TRIGGER COUNT(5) GROUP BY k
----
WindowSpecError: TRIGGER cannot be used with WINDOW ASSIGN COUNT
  at line 1, column 51:
    SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(10) TRIGGER COUNT(5) GROUP BY k
                                                      ^^^^^^^^^^^^^^^^
  rule: COUNT brings its own trigger and evictor
  hint: use WINDOW ASSIGN GLOBAL(...) with TRIGGER and EVICT of your own

# COUNT with an evictor
SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(10) EVICT COUNT(5) GROUP BY k
----
WindowSpecError: EVICT cannot be used with WINDOW ASSIGN COUNT
  at line 1, column 51:
    SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(10) EVICT COUNT(5) GROUP BY k
                                                      ^^^^^^^^^^^^^^
  rule: COUNT brings its own trigger and evictor
  hint: use WINDOW ASSIGN GLOBAL(...) with TRIGGER and EVICT of your own

# a trigger that cannot merge on SESSION
SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, '1 hour') TRIGGER DELTA(v, 3) GROUP BY k
----
WindowSpecError: DELTA cannot be used with SESSION
  at line 1, column 63:
    SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, '1 hour') TRIGGER DELTA(v, 3) GROUP BY k
                                                                  ^^^^^^^^^^^^^^^^^^^
  rule: windows that merge need a trigger that can merge: its progress must add up
  hint: use EVENT_TIME, PROCESSING_TIME, CONTINUOUS_*, COUNT or WHEN, or a window that does not merge

# PURGING of a trigger that cannot merge
SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, '1 hour') TRIGGER PURGING(PROCESSING_TIMEOUT(COUNT(3), '1 minute')) GROUP BY k
----
WindowSpecError: PURGING cannot be used with SESSION
  at line 1, column 63:
    SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, '1 hour') TRIGGER PURGING(PROCESSING_TIMEOUT(COUNT(3), '1 minute')) GROUP BY k
                                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: windows that merge need a trigger that can merge: its progress must add up
  hint: use EVENT_TIME, PROCESSING_TIME, CONTINUOUS_*, COUNT or WHEN, or a window that does not merge

# NEVER on windows that end
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER NEVER() GROUP BY k
----
WindowSpecError: NEVER cannot be used with TUMBLING
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER NEVER() GROUP BY k
                                                                   ^^^^^^^^^^^^^^^
  rule: NEVER and END_OF_STREAM are triggers of windows that never end
  hint: use WINDOW ASSIGN GLOBAL(...)

# END_OF_STREAM on windows that end
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER END_OF_STREAM() GROUP BY k
----
WindowSpecError: END_OF_STREAM cannot be used with TUMBLING
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER END_OF_STREAM() GROUP BY k
                                                                   ^^^^^^^^^^^^^^^^^^^^^^^
  rule: NEVER and END_OF_STREAM are triggers of windows that never end
  hint: use WINDOW ASSIGN GLOBAL(...)

# lateness in processing time
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(PROCTIME(), '1 hour') ALLOWED LATENESS '1 minute' GROUP BY k
----
WindowSpecError: ALLOWED LATENESS needs an event-time window
  at line 1, column 72:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(PROCTIME(), '1 hour') ALLOWED LATENESS '1 minute' GROUP BY k
                                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: rows are late only where a watermark closes the windows, not with PROCTIME(), COUNT or GLOBAL
  hint: leave out ALLOWED LATENESS

# late rows of GLOBAL
SELECT k, count(*) FROM t WINDOW ASSIGN GLOBAL(ts) TRIGGER COUNT(3) LATE INTO late GROUP BY k
----
WindowSpecError: LATE INTO needs an event-time window
  at line 1, column 69:
    SELECT k, count(*) FROM t WINDOW ASSIGN GLOBAL(ts) TRIGGER COUNT(3) LATE INTO late GROUP BY k
                                                                        ^^^^^^^^^^^^^^
  rule: rows are late only where a watermark closes the windows, not with PROCTIME(), COUNT or GLOBAL
  hint: leave out LATE INTO

# late rows of COUNT
SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(5, time => ts) LATE INTO late GROUP BY k
----
WindowSpecError: LATE INTO needs an event-time window
  at line 1, column 62:
    SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(5, time => ts) LATE INTO late GROUP BY k
                                                                 ^^^^^^^^^^^^^^
  rule: rows are late only where a watermark closes the windows, not with PROCTIME(), COUNT or GLOBAL
  hint: leave out LATE INTO

# EVICT TIME in processing time
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(PROCTIME(), '1 hour') EVICT TIME('1 minute') GROUP BY k
----
WindowSpecError: EVICT TIME needs event time
  at line 1, column 72:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(PROCTIME(), '1 hour') EVICT TIME('1 minute') GROUP BY k
                                                                           ^^^^^^^^^^^^^^^^^^^^^^
  rule: it compares the event times of rows
  hint: give TUMBLING a time expression

# EVICT TIME on GLOBAL without a time
SELECT k, count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER COUNT(3) EVICT TIME('1 minute') GROUP BY k
----
WindowSpecError: EVICT TIME needs event time
  at line 1, column 67:
    SELECT k, count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER COUNT(3) EVICT TIME('1 minute') GROUP BY k
                                                                      ^^^^^^^^^^^^^^^^^^^^^^
  rule: it compares the event times of rows
  hint: give GLOBAL a time expression

# LATE INTO without a name
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') LATE INTO 'late' GROUP BY k
----
WindowSyntaxError: LATE INTO needs a name
  at line 1, column 74:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') LATE INTO 'late' GROUP BY k
                                                                             ^^^^^^
  hint: write LATE INTO and the name of a view or table

# LATE INTO two names
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') LATE INTO a b GROUP BY k
----
WindowSyntaxError: LATE INTO needs a name
  at line 1, column 74:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') LATE INTO a b GROUP BY k
                                                                             ^^^
  hint: write LATE INTO and the name of a view or table

# a clause twice
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(3) TRIGGER COUNT(5) GROUP BY k
----
WindowSyntaxError: TRIGGER is there twice in one SELECT
  at line 1, column 81:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(3) TRIGGER COUNT(5) GROUP BY k
                                                                                    ^^^^^^^
  rule: each clause may be used once
  hint: leave one of them out, or combine them: ANY(..., ...) or ALL(..., ...)

# WINDOW ASSIGN twice
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') WINDOW ASSIGN COUNT(5) GROUP BY k
----
WindowSyntaxError: WINDOW ASSIGN is there twice in one SELECT
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') WINDOW ASSIGN COUNT(5) GROUP BY k
                                                                   ^^^^^^^^^^^^^
  rule: each clause may be used once
  hint: leave one of them out; windows over windows are an outer SELECT

# WHERE twice
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') WHERE a WHERE b GROUP BY k
----
WindowSyntaxError: WHERE is there twice in one SELECT
  at line 1, column 72:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') WHERE a WHERE b GROUP BY k
                                                                           ^^^^^
  rule: each clause may be used once
  hint: write one WHERE, with AND between the conditions

# something after an assigner
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVERY 5 GROUP BY k
----
WindowSyntaxError: EVERY is not expected here
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVERY 5 GROUP BY k
                                                                   ^^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: clauses are TRIGGER, EMIT, EVICT, ALLOWED LATENESS, LATE INTO, STATE TTL, APPLY and Spark's own

# something after a trigger
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(3) OR 5 GROUP BY k
----
WindowSyntaxError: OR is not expected here
  at line 1, column 81:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(3) OR 5 GROUP BY k
                                                                                    ^^
  rule: after TRIGGER ... comes another clause
  hint: ANY(...) and ALL(...) combine triggers; clauses are TRIGGER, EMIT, EVICT, ALLOWED LATENESS, LATE INTO, STATE TTL, APPLY and Spark's own

# something after an evictor
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT COUNT(3) DURING GROUP BY k
----
WindowSyntaxError: DURING is not expected here
  at line 1, column 79:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT COUNT(3) DURING GROUP BY k
                                                                                  ^^^^^^
  rule: after EVICT ... comes BEFORE, AFTER or another clause
  hint: clauses are TRIGGER, EMIT, EVICT, ALLOWED LATENESS, LATE INTO, STATE TTL, APPLY and Spark's own

# PARTITION BY nothing
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY GROUP BY k
----
WindowSyntaxError: PARTITION BY needs at least one expression
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY GROUP BY k
                                                                   ^^^^^^^^^^^^
  hint: write the keys, as in PARTITION BY k, or leave it out

# GROUP BY nothing
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY
----
WindowSyntaxError: GROUP BY needs at least one key
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY
                                                                   ^^^^^^^^
  hint: write the keys, as in GROUP BY k; without GROUP BY all rows share one window

# clauses of Spark in another order
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') HAVING count(*) > 1 GROUP BY k
----
WindowSyntaxError: GROUP BY comes after HAVING
  at line 1, column 84:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') HAVING count(*) > 1 GROUP BY k
                                                                                       ^^^^^^^^
  rule: Spark's own clauses keep their order: WHERE, GROUP BY, HAVING, QUALIFY, ORDER BY, LIMIT, OFFSET
  hint: put GROUP BY before HAVING

# LIMIT without a number
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k ORDER BY k LIMIT
----
WindowSyntaxError: LIMIT is not complete
  at line 1, column 86:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k ORDER BY k LIMIT
                                                                                         ^^^^^
  hint: write something after LIMIT, or leave it out

# window clause without FROM
SELECT 1 WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSyntaxError: WINDOW ASSIGN needs a FROM before it in its SELECT
  at line 1, column 10:
    SELECT 1 WINDOW ASSIGN TUMBLING(ts, '1 hour')
             ^^^^^^^^^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: write SELECT ... FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k

# window clause before FROM
SELECT count(*) WINDOW ASSIGN TUMBLING(ts, '1 hour') FROM t
----
WindowSyntaxError: WINDOW ASSIGN comes before the FROM of its SELECT
  at line 1, column 17:
    SELECT count(*) WINDOW ASSIGN TUMBLING(ts, '1 hour') FROM t
                    ^^^^^^^^^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: write SELECT ... FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k

# FROM before SELECT
FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') SELECT count(*)
----
WindowSyntaxError: WINDOW ASSIGN is in no SELECT
  at line 1, column 8:
    FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') SELECT count(*)
           ^^^^^^^^^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: write it after the items: FROM ... SELECT ... WINDOW ASSIGN ...

# FROM first, of several INSERT
FROM t INSERT INTO a SELECT count(*) WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSyntaxError: WINDOW ASSIGN needs a FROM before it in its SELECT
  at line 1, column 38:
    FROM t INSERT INTO a SELECT count(*) WINDOW ASSIGN TUMBLING(ts, '1 hour')
                                         ^^^^^^^^^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: write a statement for each: INSERT INTO a SELECT ... FROM t WINDOW ASSIGN ...

# a comparison before SELECT
a IS DISTINCT FROM b SELECT k WINDOW ASSIGN COUNT(3)
----
WindowSyntaxError: WINDOW ASSIGN needs a FROM before it in its SELECT
  at line 1, column 31:
    a IS DISTINCT FROM b SELECT k WINDOW ASSIGN COUNT(3)
                                  ^^^^^^^^^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: write SELECT ... FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k

# window clause of no SELECT
UPDATE t SET a = 1 WHERE b WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSyntaxError: WINDOW ASSIGN is in no SELECT
  at line 1, column 28:
    UPDATE t SET a = 1 WHERE b WINDOW ASSIGN TUMBLING(ts, '1 hour')
                               ^^^^^^^^^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: write SELECT ... FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k

# FROM without a relation
SELECT count(*) FROM WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSyntaxError: FROM needs a relation
  at line 1, column 17:
    SELECT count(*) FROM WINDOW ASSIGN TUMBLING(ts, '1 hour')
                    ^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: write FROM and the table, view or subquery before WINDOW ASSIGN

# window clause after a pipe
SELECT k FROM t |> WHERE k > 1 WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSyntaxError: WINDOW ASSIGN cannot come after |>
  at line 1, column 32:
    SELECT k FROM t |> WHERE k > 1 WINDOW ASSIGN TUMBLING(ts, '1 hour')
                                   ^^^^^^^^^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: put the windowed SELECT into a subquery or before |>

# window clause after the ORDER BY of a UNION
SELECT k FROM a UNION ALL SELECT k FROM b ORDER BY k WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSyntaxError: WINDOW ASSIGN comes after a clause of the whole set operation
  at line 1, column 54:
    SELECT k FROM a UNION ALL SELECT k FROM b ORDER BY k WINDOW ASSIGN TUMBLING(ts, '1 hour')
                                                         ^^^^^^^^^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: ORDER BY and LIMIT after a UNION belong to all of it: put the window clauses before them

# a name of winsql's own
SELECT windowed__window_start, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSpecError: windowed__window_start cannot be used
  at line 1, column 8:
    SELECT windowed__window_start, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
           ^^^^^^^^^^^^^^^^^^^^^^
  rule: names that begin with windowed__ are winsql's own
  hint: use another name; window columns are window_start, window_end, window_time

# a script
BEGIN SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour'); END
----
WindowSyntaxError: a windowed SELECT cannot be used in a SQL script
  at line 1, column 1:
    BEGIN SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour'); END
    ^^^^^
  rule: winsql plans one statement at a time
  hint: run the statements of BEGIN ... END one by one

# a script with a label
a: BEGIN SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour'); END a
----
WindowSyntaxError: a windowed SELECT cannot be used in a SQL script
  at line 1, column 1:
    a: BEGIN SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour'); END a
    ^
  rule: winsql plans one statement at a time
  hint: run the statements of BEGIN ... END one by one

# two statements
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour'); SELECT 1
----
WindowSyntaxError: a second statement begins here
  at line 1, column 62:
    SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour'); SELECT 1
                                                                 ^^^^^^
  rule: one statement at a time
  hint: run the statements one by one; winsql -f runs a file of them

# a recursive CTE that windows itself
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour')) SELECT * FROM r
----
WindowSpecError: a windowed SELECT cannot read the recursive CTE it belongs to
  at line 1, column 67:
    WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour')) SELECT * FROM r
                                                                      ^
  rule: its input must be known before it runs
  hint: put the windowed SELECT after the CTE, where all its rows are known

# a string that is not closed
SELECT 'a FROM t WINDOW ASSIGN TUMBLING(ts, 1)
----
WindowSyntaxError: this string is not closed
  at line 1, column 8:
    SELECT 'a FROM t WINDOW ASSIGN TUMBLING(ts, 1)
           ^
  rule: every bracket, quote and comment that is opened is closed
  hint: close it with '

# a comment that is not closed
SELECT k FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') /* late
----
WindowSyntaxError: this comment is not closed
  at line 1, column 54:
    SELECT k FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') /* late
                                                         ^^
  rule: every bracket, quote and comment that is opened is closed
  hint: close it with */; comments nest

# a name that is not closed
SELECT `k FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSyntaxError: this quoted name is not closed
  at line 1, column 8:
    SELECT `k FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
           ^
  rule: every bracket, quote and comment that is opened is closed
  hint: close it with `

# a bracket that is not closed
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour'
----
WindowSyntaxError: this bracket is not closed
  at line 1, column 46:
    SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour'
                                                 ^
  rule: every bracket, quote and comment that is opened is closed
  hint: close it with )

# a bracket too many
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour'))
----
WindowSyntaxError: this bracket closes nothing
  at line 1, column 60:
    SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour'))
                                                               ^
  rule: every bracket, quote and comment that is opened is closed
  hint: leave it out, or open it before

# brackets of two kinds
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts[0), '1 hour']
----
WindowSyntaxError: this bracket closes nothing
  at line 1, column 51:
    SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts[0), '1 hour']
                                                      ^
  rule: every bracket, quote and comment that is opened is closed
  hint: leave it out, or open it before

# brackets that nest too deeply
SELECT (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
----
WindowSyntaxError: brackets nest too deeply
  at line 1, column 258:
    SELECT (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
                                                                                                                                                                                                                                                                     ^
  rule: at most 250 levels
  hint: put the inner part into a CTE or a view

# several lines and tabs
SELECT
	carrier,
	count(*)
FROM flights
	WINDOW ASSIGN	TUMBLING(ts, '0 hours')
GROUP BY carrier
----
WindowSpecError: TUMBLING: this size cannot be used
  at line 5, column 29:
    	WINDOW ASSIGN	TUMBLING(ts, '0 hours')
    	             	             ^^^^^^^^^
  rule: the size must be positive
  hint: write a length such as INTERVAL 10 MINUTES

# the keys after another clause
SELECT k, v FROM t WINDOW ASSIGN GLOBAL(ts) TRIGGER COUNT(2) PARTITION BY k
----
WindowSyntaxError: PARTITION is not expected here
  at line 1, column 62:
    SELECT k, v FROM t WINDOW ASSIGN GLOBAL(ts) TRIGGER COUNT(2) PARTITION BY k
                                                                 ^^^^^^^^^
  rule: after TRIGGER ... comes another clause
  hint: write the keys after the assigner: WINDOW ASSIGN ... PARTITION BY ...

# a dot at the end
SELECT * FROM t WINDOW ASSIGN (ts) .
----
WindowSyntaxError: WINDOW ASSIGN needs a window assigner
  at line 1, column 31:
    SELECT * FROM t WINDOW ASSIGN (ts) .
                                  ^^^^^^
  hint: one of COUNT, CUMULATING, GLOBAL, SESSION, SLIDING, TUMBLING, with its arguments in brackets

# a dot at the end of a bracket
SELECT * FROM (SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') .) WHERE x > 1
----
WindowSyntaxError: . is not expected here
  at line 1, column 69:
    SELECT * FROM (SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') .) WHERE x > 1
                                                                        ^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: clauses are TRIGGER, EMIT, EVICT, ALLOWED LATENESS, LATE INTO, STATE TTL, APPLY and Spark's own

# GROUP without BY
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP k
----
WindowSyntaxError: GROUP is not expected here
  at line 1, column 68:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP k
                                                                       ^^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: write GROUP BY

# PARTITION BY after GROUP BY
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k PARTITION BY k
----
WindowSyntaxError: PARTITION BY cannot come after GROUP BY
  at line 1, column 79:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k PARTITION BY k
                                                                                  ^^^^^^^^^^^^
  rule: PARTITION BY comes after the assigner, and names the same keys as GROUP BY
  hint: leave it out: the keys of GROUP BY are those of the windows

# the window of Spark's function
SELECT window, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
----
WindowSpecError: window is neither a key nor inside an aggregate
  at line 1, column 8:
    SELECT window, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
           ^^^^^^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: use window_start and window_end

# a comma before FROM
SELECT k, count(*), FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
WindowSyntaxError: an item of the select list is missing before FROM
  at line 1, column 19:
    SELECT k, count(*), FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
                      ^
  hint: leave out the comma

# a LATERAL VIEW without a name, which would take WHERE for it
SELECT count(*) FROM t LATERAL VIEW OUTER explode(tags) WHERE ok WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR)
----
WindowSyntaxError: this LATERAL VIEW has no name
  at line 1, column 24:
    SELECT count(*) FROM t LATERAL VIEW OUTER explode(tags) WHERE ok WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR)
                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write LATERAL VIEW OUTER explode(tags) t, or t AS x to name its column

# several INSERTs of one FROM
FROM t INSERT INTO a SELECT k, count(*) WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k INSERT INTO b SELECT k, max(v) GROUP BY k
----
WindowSyntaxError: WINDOW ASSIGN needs a FROM before it in its SELECT
  at line 1, column 41:
    FROM t INSERT INTO a SELECT k, count(*) WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k INSERT INTO b SELECT k, max(v) GROUP BY k
                                            ^^^^^^^^^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: write a statement for each: INSERT INTO a SELECT ... FROM t WINDOW ASSIGN ...

# a LATERAL VIEW after the SELECT of FROM first
FROM t SELECT k, count(*) LATERAL VIEW explode(a) x AS e WINDOW ASSIGN COUNT(3) GROUP BY k
----
WindowSyntaxError: WINDOW ASSIGN needs a FROM before it in its SELECT
  at line 1, column 58:
    FROM t SELECT k, count(*) LATERAL VIEW explode(a) x AS e WINDOW ASSIGN COUNT(3) GROUP BY k
                                                             ^^^^^^^^^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: write SELECT ... FROM ..., not FROM ... SELECT ...

# after pipes
FROM t |> AS r |> SELECT * WINDOW ASSIGN TUMBLING(ts, '10 minutes')
----
WindowSyntaxError: WINDOW ASSIGN needs a FROM before it in its SELECT
  at line 1, column 28:
    FROM t |> AS r |> SELECT * WINDOW ASSIGN TUMBLING(ts, '10 minutes')
                               ^^^^^^^^^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: put what is before it into a subquery: SELECT ... FROM (FROM t |> ...) WINDOW ASSIGN ...

# keys after other clauses: a duration
SELECT k, v FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') ALLOWED LATENESS INTERVAL 1 SECOND PARTITION BY k
----
WindowSyntaxError: PARTITION is not expected here
  at line 1, column 96:
    SELECT k, v FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') ALLOWED LATENESS INTERVAL 1 SECOND PARTITION BY k
                                                                                                   ^^^^^^^^^
  rule: after ALLOWED LATENESS ... comes another clause
  hint: write the keys after the assigner: WINDOW ASSIGN ... PARTITION BY ...

# keys after other clauses: a name
SELECT k, v FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') ALLOWED LATENESS '1 hour' LATE INTO x PARTITION BY k
----
WindowSyntaxError: PARTITION is not expected here
  at line 1, column 99:
    SELECT k, v FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') ALLOWED LATENESS '1 hour' LATE INTO x PARTITION BY k
                                                                                                      ^^^^^^^^^
  rule: after LATE INTO ... comes another clause
  hint: write the keys after the assigner: WINDOW ASSIGN ... PARTITION BY ...

# a misspelled FROM
SELECT k, sum(v) FORM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
----
WindowSyntaxError: FORM is not expected here
  at line 1, column 18:
    SELECT k, sum(v) FORM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
                     ^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: did you mean FROM?

# a misspelled SELECT
SELECT * FROM (SELCT * FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes'))
----
WindowSyntaxError: SELCT is not expected here
  at line 1, column 16:
    SELECT * FROM (SELCT * FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes'))
                   ^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: did you mean SELECT?

# a column that is nearly called FROM, and no FROM
SELECT form, sum(v) WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY form
----
WindowSyntaxError: WINDOW ASSIGN needs a FROM before it in its SELECT
  at line 1, column 21:
    SELECT form, sum(v) WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY form
                        ^^^^^^^^^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: write SELECT ... FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k

# an item that ends with AS
SELECT k, sum(v) AS FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
----
WindowSyntaxError: something is missing between AS and FROM
  at line 1, column 18:
    SELECT k, sum(v) AS FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
                     ^^
  hint: complete AS

# an item that ends with an operator
SELECT k, sum(v) > FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
----
WindowSyntaxError: something is missing between > and FROM
  at line 1, column 18:
    SELECT k, sum(v) > FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
                     ^
  hint: complete >

# a comparison before no FROM
SELECT a IS NOT DISTINCT FROM b WINDOW ASSIGN TUMBLING(ts, '10 minutes')
----
WindowSyntaxError: WINDOW ASSIGN needs a FROM before it in its SELECT
  at line 1, column 33:
    SELECT a IS NOT DISTINCT FROM b WINDOW ASSIGN TUMBLING(ts, '10 minutes')
                                    ^^^^^^^^^^^^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: write SELECT ... FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k

# an assigner without its opening bracket
SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING ts, '10 minutes') GROUP BY k
----
WindowSyntaxError: this bracket closes nothing
  at line 1, column 64:
    SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING ts, '10 minutes') GROUP BY k
                                                                   ^
  rule: every bracket, quote and comment that is opened is closed
  hint: leave it out, or open it before

# a comma after a clause
SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes'), GROUP BY k
----
WindowSyntaxError: , is not expected here
  at line 1, column 65:
    SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes'), GROUP BY k
                                                                    ^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: leave out the comma

# a misspelled WHERE
SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') WHRE v > 1 GROUP BY k
----
WindowSyntaxError: WHRE is not expected here
  at line 1, column 66:
    SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') WHRE v > 1 GROUP BY k
                                                                     ^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: did you mean WHERE?

# EARLY without EVERY
SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') EMIT EARLY 1 MINUTE GROUP BY k
----
WindowSyntaxError: EARLY 1 MINUTE is not known here
  at line 1, column 71:
    SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') EMIT EARLY 1 MINUTE GROUP BY k
                                                                          ^^^^^^^^^^^^^^
  rule: write EMIT [EARLY EVERY n ROWS | EARLY EVERY interval] [ON TIME] [LATE ON ROW | LATE EVERY interval] [AS APPEND | AS UPSERT | AS RETRACTIONS] [ACCUMULATING | DISCARDING]
  hint: write EARLY EVERY ...

# EMIT as others have it
SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') EMIT ON WINDOW CLOSE GROUP BY k
----
WindowSyntaxError: ON WINDOW CLOSE is not known here
  at line 1, column 71:
    SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') EMIT ON WINDOW CLOSE GROUP BY k
                                                                          ^^^^^^^^^^^^^^^
  rule: write EMIT [EARLY EVERY n ROWS | EARLY EVERY interval] [ON TIME] [LATE ON ROW | LATE EVERY interval] [AS APPEND | AS UPSERT | AS RETRACTIONS] [ACCUMULATING | DISCARDING]
  hint: write ON TIME

# a hint after a relation, as Flink has it
SELECT k, sum(v) FROM t /*+ OPTIONS('a'='b') */ WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
----
WindowSyntaxError: a hint cannot be here
  at line 1, column 46:
    SELECT k, sum(v) FROM t /*+ OPTIONS('a'='b') */ WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
                                                 ^^
  rule: window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ...
  hint: write it after SELECT, or leave it out

# EXPLAIN WINDOW with a word of Spark's EXPLAIN
EXPLAIN WINDOW EXTENDED SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
----
WindowSyntaxError: EXPLAIN WINDOW takes no EXTENDED
  at line 1, column 16:
    EXPLAIN WINDOW EXTENDED SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
                   ^^^^^^^^
  rule: EXPLAIN WINDOW says how winsql runs a statement; Spark's plan of it comes by EXPLAIN
  hint: leave it out, or leave out WINDOW

# a windowed subquery in the DEFAULT of a variable
DECLARE most BIGINT DEFAULT 1 + (SELECT max(c) FROM (SELECT count(*) AS c FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes')))
----
WindowSyntaxError: a DEFAULT cannot have a windowed subquery
  at line 1, column 54:
    DECLARE most BIGINT DEFAULT 1 + (SELECT max(c) FROM (SELECT count(*) AS c FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes')))
                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: Spark keeps the text of a DEFAULT, and allows no subqueries in it
  hint: leave out DEFAULT, and write SET VAR name = (SELECT ...) after it for a variable

# a windowed subquery as what a variable is declared with
DECLARE OR REPLACE most BIGINT = (SELECT count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER COUNT(3))
----
WindowSyntaxError: a DEFAULT cannot have a windowed subquery
  at line 1, column 35:
    DECLARE OR REPLACE most BIGINT = (SELECT count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER COUNT(3))
                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: Spark keeps the text of a DEFAULT, and allows no subqueries in it
  hint: leave out DEFAULT, and write SET VAR name = (SELECT ...) after it for a variable

# a windowed subquery in the DEFAULT of a column
CREATE TABLE x (a BIGINT DEFAULT (SELECT count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER COUNT(3))) USING parquet
----
WindowSyntaxError: a DEFAULT cannot have a windowed subquery
  at line 1, column 35:
    CREATE TABLE x (a BIGINT DEFAULT (SELECT count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER COUNT(3))) USING parquet
                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: Spark keeps the text of a DEFAULT, and allows no subqueries in it
  hint: leave out DEFAULT, and write SET VAR name = (SELECT ...) after it for a variable

# a windowed subquery in a DEFAULT that is altered
ALTER TABLE x ALTER COLUMN a SET DEFAULT (SELECT count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER COUNT(3))
----
WindowSyntaxError: a DEFAULT cannot have a windowed subquery
  at line 1, column 43:
    ALTER TABLE x ALTER COLUMN a SET DEFAULT (SELECT count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER COUNT(3))
                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: Spark keeps the text of a DEFAULT, and allows no subqueries in it
  hint: leave out DEFAULT, and write SET VAR name = (SELECT ...) after it for a variable

# EXPLAIN WINDOW alone
EXPLAIN WINDOW
----
WindowSyntaxError: EXPLAIN WINDOW needs a statement
  at line 1, column 1:
    EXPLAIN WINDOW
    ^^^^^^^^^^^^^^
  rule: EXPLAIN WINDOW says how the windows of a statement run
  hint: write EXPLAIN WINDOW SELECT ... FROM ... WINDOW ASSIGN ...

# EXPLAIN WINDOW before a semicolon
EXPLAIN WINDOW ;
----
WindowSyntaxError: EXPLAIN WINDOW needs a statement
  at line 1, column 1:
    EXPLAIN WINDOW ;
    ^^^^^^^^^^^^^^
  rule: EXPLAIN WINDOW says how the windows of a statement run
  hint: write EXPLAIN WINDOW SELECT ... FROM ... WINDOW ASSIGN ...

# GROUP without BY before the windows
SELECT k, count(*) FROM t GROUP k WINDOW ASSIGN TUMBLING(ts, '10 minutes')
----
WindowSyntaxError: GROUP is not expected here
  at line 1, column 27:
    SELECT k, count(*) FROM t GROUP k WINDOW ASSIGN TUMBLING(ts, '10 minutes')
                              ^^^^^
  rule: after a complete expression or relation comes an operator, a comma or a clause
  hint: write GROUP BY

# a misspelled GROUP BY before the windows
SELECT k, count(*) FROM t GRUOP BY k WINDOW ASSIGN TUMBLING(ts, '10 minutes')
----
WindowSyntaxError: GRUOP BY is not expected here
  at line 1, column 27:
    SELECT k, count(*) FROM t GRUOP BY k WINDOW ASSIGN TUMBLING(ts, '10 minutes')
                              ^^^^^^^^
  rule: after a complete expression or relation comes an operator, a comma or a clause
  hint: did you mean GROUP BY?

# ORDER without BY
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k ORDER k
----
WindowSyntaxError: ORDER is not expected here
  at line 1, column 79:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k ORDER k
                                                                                  ^^^^^
  rule: after a complete expression or relation comes an operator, a comma or a clause
  hint: write ORDER BY

# SORT without BY
SELECT k, count(*) FROM t GROUP BY k WINDOW ASSIGN TUMBLING(ts, '10 minutes') SORT k
----
WindowSyntaxError: SORT is not expected here
  at line 1, column 79:
    SELECT k, count(*) FROM t GROUP BY k WINDOW ASSIGN TUMBLING(ts, '10 minutes') SORT k
                                                                                  ^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: write SORT BY

# a misspelled LIMIT
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k LIMT 3
----
WindowSyntaxError: LIMT is not expected here
  at line 1, column 79:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k LIMT 3
                                                                                  ^^^^
  rule: after a complete expression or relation comes an operator, a comma or a clause
  hint: did you mean LIMIT?

# a misspelled HAVING
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k HAVIN count(*) > 1
----
WindowSyntaxError: HAVIN is not expected here
  at line 1, column 79:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k HAVIN count(*) > 1
                                                                                  ^^^^^
  rule: after a complete expression or relation comes an operator, a comma or a clause
  hint: did you mean HAVING?

# a misspelled QUALIFY
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k QUALIFI rank() OVER (ORDER BY count(*)) = 1
----
WindowSyntaxError: QUALIFI is not expected here
  at line 1, column 79:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k QUALIFI rank() OVER (ORDER BY count(*)) = 1
                                                                                  ^^^^^^^
  rule: after a complete expression or relation comes an operator, a comma or a clause
  hint: did you mean QUALIFY?

# a call without a comma before it
SELECT k sum(v) FROM t GROUP BY k WINDOW ASSIGN TUMBLING(ts, '10 minutes')
----
WindowSyntaxError: a comma is missing
  at line 1, column 10:
    SELECT k sum(v) FROM t GROUP BY k WINDOW ASSIGN TUMBLING(ts, '10 minutes')
             ^^^^^^
  rule: items are separated by commas
  hint: write a comma before sum(v)
