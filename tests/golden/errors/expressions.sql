# a string for the time
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING('ts', '1 hour') GROUP BY k
----
WindowSyntaxError: TUMBLING: time must be a time expression or PROCTIME()
  at line 1, column 50:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING('ts', '1 hour') GROUP BY k
                                                     ^^^^
  hint: write the column itself, without quotes

# a descriptor for the time
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(DESCRIPTOR(ts), '1 hour') GROUP BY k
----
WindowSyntaxError: TUMBLING: time: DESCRIPTOR(...) is not allowed here
  at line 1, column 50:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(DESCRIPTOR(ts), '1 hour') GROUP BY k
                                                     ^^^^^^^^^^
  hint: write the column itself

# PROCTIME() in an expression
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(PROCTIME() + INTERVAL 1 HOUR, '1 hour') GROUP BY k
----
WindowSyntaxError: TUMBLING: time: PROCTIME(...) is not allowed here
  at line 1, column 50:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(PROCTIME() + INTERVAL 1 HOUR, '1 hour') GROUP BY k
                                                     ^^^^^^^^
  hint: write PROCTIME() alone

# a pair of times
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') GROUP BY k
----
WindowSyntaxError: TUMBLING: time is a pair
  at line 1, column 50:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') GROUP BY k
                                                     ^^^^^^^^^^^^
  rule: a pair of times needs a WINDOW JOIN
  hint: name one time expression, or join two relations: FROM a WINDOW JOIN b ON a.id = b.id

# an aggregate in the time
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(max(ts), '1 hour') GROUP BY k
----
WindowSpecError: TUMBLING: time holds an aggregate
  at line 1, column 50:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(max(ts), '1 hour') GROUP BY k
                                                     ^^^^^^^
  rule: it is computed from each row alone
  hint: compute it as a column before: FROM (SELECT *, ... AS v FROM t); WHEN is the trigger that takes aggregates

# an aggregate in a gap
SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, max(gap)) GROUP BY k
----
WindowSpecError: SESSION: gap holds an aggregate
  at line 1, column 53:
    SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, max(gap)) GROUP BY k
                                                        ^^^^^^^^
  rule: it is computed from each row alone
  hint: compute it as a column before: FROM (SELECT *, ... AS v FROM t); WHEN is the trigger that takes aggregates

# an aggregate in DELTA
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER DELTA(v - avg(v), 3) GROUP BY k
----
WindowSpecError: DELTA: expr holds an aggregate
  at line 1, column 82:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER DELTA(v - avg(v), 3) GROUP BY k
                                                                                     ^^^^^^
  rule: it is computed from each row alone
  hint: compute it as a column before: FROM (SELECT *, ... AS v FROM t); WHEN is the trigger that takes aggregates

# a window function in DELTA
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER DELTA(lag(v) OVER (ORDER BY ts), 3) GROUP BY k
----
WindowSpecError: DELTA: expr holds a window function
  at line 1, column 78:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER DELTA(lag(v) OVER (ORDER BY ts), 3) GROUP BY k
                                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: it is computed from each row alone
  hint: compute it as a column before: FROM (SELECT *, ... AS v FROM t); WHEN is the trigger that takes aggregates

# a star in DELTA
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER DELTA(*, 3) GROUP BY k
----
WindowSpecError: DELTA: expr holds *
  at line 1, column 78:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER DELTA(*, 3) GROUP BY k
                                                                                 ^
  rule: it is computed from each row alone
  hint: compute it as a column before: FROM (SELECT *, ... AS v FROM t); WHEN is the trigger that takes aggregates

# a function above an aggregate in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(round(sum(v), 1) > 3) GROUP BY k
----
WindowSpecError: WHEN: ROUND cannot be used around an aggregate
  at line 1, column 77:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(round(sum(v), 1) > 3) GROUP BY k
                                                                                ^^^^^
  rule: above an aggregate WHEN knows AND, OR, NOT, comparisons, IN, BETWEEN, IS, + - * / %, CASE and ABS, COALESCE, GREATEST, IF, IFF, IFNULL, LEAST, MOD, NULLIF, NVL
  hint: compute it inside the aggregate, as in sum(round(v, 1)), or compare the aggregate itself

# LIKE above an aggregate in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(max(v) LIKE 'x%') GROUP BY k
----
WindowSpecError: WHEN: LIKE cannot be used around an aggregate
  at line 1, column 84:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(max(v) LIKE 'x%') GROUP BY k
                                                                                       ^^^^
  rule: above an aggregate WHEN knows AND, OR, NOT, comparisons, IN, BETWEEN, IS, + - * / %, CASE and ABS, COALESCE, GREATEST, IF, IFF, IFNULL, LEAST, MOD, NULLIF, NVL
  hint: compute it inside the aggregate, as in sum(round(v, 1)), or compare the aggregate itself

# a cast above an aggregate in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v)::INT > 3) GROUP BY k
----
WindowSpecError: WHEN: :: cannot be used around an aggregate
  at line 1, column 83:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v)::INT > 3) GROUP BY k
                                                                                      ^^
  rule: above an aggregate WHEN knows AND, OR, NOT, comparisons, IN, BETWEEN, IS, + - * / %, CASE and ABS, COALESCE, GREATEST, IF, IFF, IFNULL, LEAST, MOD, NULLIF, NVL
  hint: compute it inside the aggregate, as in sum(round(v, 1)), or compare the aggregate itself

# a field of an aggregate in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(max(v).x > 3) GROUP BY k
----
WindowSpecError: WHEN: . cannot be used around an aggregate
  at line 1, column 83:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(max(v).x > 3) GROUP BY k
                                                                                      ^^
  rule: above an aggregate WHEN knows AND, OR, NOT, comparisons, IN, BETWEEN, IS, + - * / %, CASE and ABS, COALESCE, GREATEST, IF, IFF, IFNULL, LEAST, MOD, NULLIF, NVL
  hint: compute it inside the aggregate, as in sum(round(v, 1)), or compare the aggregate itself

# a subquery after IN in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(max(v) IN (SELECT x FROM u)) GROUP BY k
----
WindowSpecError: WHEN: IN (SELECT ...) cannot be used around an aggregate
  at line 1, column 87:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(max(v) IN (SELECT x FROM u)) GROUP BY k
                                                                                          ^^^^^^^^^^^^^^^^^
  rule: above an aggregate WHEN knows AND, OR, NOT, comparisons, IN, BETWEEN, IS, + - * / %, CASE and ABS, COALESCE, GREATEST, IF, IFF, IFNULL, LEAST, MOD, NULLIF, NVL
  hint: compute it inside the aggregate, as in sum(round(v, 1)), or compare the aggregate itself

# an aggregate in an aggregate in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(max(v)) > 3) GROUP BY k
----
WindowSpecError: an aggregate call is inside another one
  at line 1, column 81:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(max(v)) > 3) GROUP BY k
                                                                                    ^^^^^^
  hint: compute the inner one in a SELECT before, and aggregate its result

# a window function in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) OVER () > 3) GROUP BY k
----
WindowSpecError: WHEN: predicate holds a window function
  at line 1, column 77:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) OVER () > 3) GROUP BY k
                                                                                ^^^^^^^^^^^^^^^^^^
  rule: a condition is computed row by row
  hint: leave out OVER: an aggregate in WHEN is over the rows of the window so far

# half a condition in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) > ) GROUP BY k
----
WindowSyntaxError: WHEN: this part of the condition cannot be read
  at line 1, column 86:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) > ) GROUP BY k
                                                                                         ^
  hint: write an expression of Spark that is true or false, as in sum(v) > 100 AND count(*) > 3

# BETWEEN without AND in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) BETWEEN 3) GROUP BY k
----
WindowSyntaxError: WHEN: this part of the condition cannot be read
  at line 1, column 92:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) BETWEEN 3) GROUP BY k
                                                                                               ^
  hint: write an expression of Spark that is true or false, as in sum(v) > 100 AND count(*) > 3

# IS with nothing known after it in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) IS BIG) GROUP BY k
----
WindowSyntaxError: WHEN: this part of the condition cannot be read
  at line 1, column 87:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) IS BIG) GROUP BY k
                                                                                          ^^^
  hint: write an expression of Spark that is true or false, as in sum(v) > 100 AND count(*) > 3

# CASE without WHEN in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(CASE ELSE sum(v) END > 3) GROUP BY k
----
WindowSyntaxError: WHEN: this part of the condition cannot be read
  at line 1, column 82:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(CASE ELSE sum(v) END > 3) GROUP BY k
                                                                                     ^^^^^^^^^^^
  hint: write an expression of Spark that is true or false, as in sum(v) > 100 AND count(*) > 3

# two operands without an operator in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) max(v)) GROUP BY k
----
WindowSyntaxError: WHEN: this part of the condition cannot be read
  at line 1, column 77:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) max(v)) GROUP BY k
                                                                                ^^^^^^^^^^^^^
  hint: write an expression of Spark that is true or false, as in sum(v) > 100 AND count(*) > 3

# a wrong number of arguments in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(nullif(sum(v)) > 1) GROUP BY k
----
WindowSpecError: WHEN: NULLIF cannot be used around an aggregate
  at line 1, column 77:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(nullif(sum(v)) > 1) GROUP BY k
                                                                                ^^^^^^
  rule: above an aggregate WHEN knows AND, OR, NOT, comparisons, IN, BETWEEN, IS, + - * / %, CASE and ABS, COALESCE, GREATEST, IF, IFF, IFNULL, LEAST, MOD, NULLIF, NVL
  hint: compute it inside the aggregate, as in sum(round(v, 1)), or compare the aggregate itself

# a condition that nests too deeply
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT sum(v) > 1) GROUP BY k
----
WindowSyntaxError: WHEN: this condition is nested too deeply
  at line 1, column 477:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT sum(v) > 1) GROUP BY k
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: at most 100 levels
  hint: compute a part of it as a column before: FROM (SELECT *, ... AS v FROM t)

# a sum for a condition
SELECT count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER WHEN(sum(v)) GROUP BY k
----
WindowSpecError: WHEN: sum(v) is a number
  at line 1, column 60:
    SELECT count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER WHEN(sum(v)) GROUP BY k
                                                               ^^^^^^
  rule: a condition is BOOLEAN
  hint: compare it with something, as in sum(v) > 100

# a count between conditions
SELECT count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER WHEN(max(v) > 3 AND NOT (count(*) - 2)) GROUP BY k
----
WindowSpecError: WHEN: (count(*) - 2) is a number
  at line 1, column 79:
    SELECT count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER WHEN(max(v) > 3 AND NOT (count(*) - 2)) GROUP BY k
                                                                                  ^^^^^^^^^^^^^^
  rule: a condition is BOOLEAN
  hint: compare it with something, as in sum(v) > 100

# a function that makes rows for the time
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(explode(array(ts)), '1 hour') TRIGGER COUNT(1)
----
WindowSpecError: TUMBLING: time holds a function that makes rows
  at line 1, column 47:
    SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(explode(array(ts)), '1 hour') TRIGGER COUNT(1)
                                                  ^^^^^^^^^^^^^^^^^^
  rule: it is computed from each row alone
  hint: compute it as a column before: FROM (SELECT *, ... AS v FROM t); WHEN is the trigger that takes aggregates

# a function that makes rows in a trigger
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER DELTA(explode(arr), 1)
----
WindowSpecError: DELTA: expr holds a function that makes rows
  at line 1, column 75:
    SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER DELTA(explode(arr), 1)
                                                                              ^^^^^^^^^^^^
  rule: it is computed from each row alone
  hint: compute it as a column before: FROM (SELECT *, ... AS v FROM t); WHEN is the trigger that takes aggregates

# a function that makes rows as a key
SELECT explode(arr), count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY explode(arr)
----
WindowSpecError: a function that makes rows cannot be part of a key
  at line 1, column 84:
    SELECT explode(arr), count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY explode(arr)
                                                                                       ^^^^^^^^^^^^
  rule: a key is computed from each row alone
  hint: compute it as a column before: FROM (SELECT *, ... AS k FROM t)

# two CTEs of one name
WITH w AS (SELECT n FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY))), W AS (SELECT 1) SELECT * FROM w
----
WindowSpecError: W is defined twice
  at line 1, column 85:
    WITH w AS (SELECT n FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY))), W AS (SELECT 1) SELECT * FROM w
                                                                                        ^
  rule: each CTE of a list has its own name
  hint: give one of them another name

# AS without a meaning before DISCARDING
SELECT count(*) FROM m WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT AS DISCARDING
----
WindowSyntaxError: AS needs the meaning of a result
  at line 1, column 66:
    SELECT count(*) FROM m WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT AS DISCARDING
                                                                     ^^
  rule: a later result of a window is one more row (APPEND), or takes the place of the one before
  hint: write AS APPEND, AS UPSERT or AS RETRACTIONS

# a string as an alias
SELECT k, sum(v) 'total sum' FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
----
WindowSyntaxError: a string cannot be an alias
  at line 1, column 18:
    SELECT k, sum(v) 'total sum' FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
                     ^^^^^^^^^^^
  rule: an alias is a name
  hint: write AS `total sum`

# a string as an alias, after AS
SELECT k AS 'key', count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
----
WindowSyntaxError: a string cannot be an alias
  at line 1, column 13:
    SELECT k AS 'key', count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
                ^^^^^
  rule: an alias is a name
  hint: write AS `key`

# an operator that binds less closely than +, before an aggregate in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(5 & 3 + sum(v) > 3) GROUP BY k
----
WindowSpecError: WHEN: & cannot be used around an aggregate
  at line 1, column 79:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(5 & 3 + sum(v) > 3) GROUP BY k
                                                                                  ^
  rule: above an aggregate WHEN knows AND, OR, NOT, comparisons, IN, BETWEEN, IS, + - * / %, CASE and ABS, COALESCE, GREATEST, IF, IFF, IFNULL, LEAST, MOD, NULLIF, NVL
  hint: compute it inside the aggregate, as in sum(round(v, 1)), or compare the aggregate itself

# an operator that binds less closely than -, after an aggregate in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) - 5 << 3 > 3) GROUP BY k
----
WindowSpecError: WHEN: << cannot be used around an aggregate
  at line 1, column 88:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) - 5 << 3 > 3) GROUP BY k
                                                                                           ^^
  rule: above an aggregate WHEN knows AND, OR, NOT, comparisons, IN, BETWEEN, IS, + - * / %, CASE and ABS, COALESCE, GREATEST, IF, IFF, IFNULL, LEAST, MOD, NULLIF, NVL
  hint: compute it inside the aggregate, as in sum(round(v, 1)), or compare the aggregate itself

# an operator that binds as closely as +, after an aggregate in WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(max(v) + 'a' || 'b' = 'c') GROUP BY k
----
WindowSpecError: WHEN: || cannot be used around an aggregate
  at line 1, column 90:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(max(v) + 'a' || 'b' = 'c') GROUP BY k
                                                                                             ^^
  rule: above an aggregate WHEN knows AND, OR, NOT, comparisons, IN, BETWEEN, IS, + - * / %, CASE and ABS, COALESCE, GREATEST, IF, IFF, IFNULL, LEAST, MOD, NULLIF, NVL
  hint: compute it inside the aggregate, as in sum(round(v, 1)), or compare the aggregate itself

# seconds with two points
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '1:1.2.3' MINUTE TO SECOND) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: '1:1.2.3' does not fit MINUTE TO SECOND
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '1:1.2.3' MINUTE TO SECOND) GROUP BY k
                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write it as in INTERVAL '1 02:30:00' DAY TO SECOND

# an alias by IDENTIFIER
SELECT k, count(*) AS IDENTIFIER('n') FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
WindowSyntaxError: IDENTIFIER(...) cannot be an alias here
  at line 1, column 23:
    SELECT k, count(*) AS IDENTIFIER('n') FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
                          ^^^^^^^^^^^^^^^
  rule: in a SELECT with window clauses an alias is a name
  hint: write the name

# a window column by IDENTIFIER
SELECT k, IDENTIFIER('t.`Window_End`') FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
WindowSpecError: IDENTIFIER(...) cannot name a column of windows
  at line 1, column 11:
    SELECT k, IDENTIFIER('t.`Window_End`') FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: Spark looks such a name up in the tables after FROM, and these columns are of the windows
  hint: write the column's name itself in the place of IDENTIFIER(...)
