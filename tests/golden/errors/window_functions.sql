# a table without TABLE
SELECT * FROM TABLE(TUMBLE(t, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
----
WindowSyntaxError: TUMBLE: TABLE is missing here
  at line 1, column 28:
    SELECT * FROM TABLE(TUMBLE(t, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
                               ^
  rule: a table is handed to a function as TABLE name or TABLE(query)
  hint: write TABLE t

# a named table without TABLE
SELECT * FROM TABLE(TUMBLE(DATA => t, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '10' MINUTES))
----
WindowSyntaxError: TUMBLE: TABLE is missing here
  at line 1, column 36:
    SELECT * FROM TABLE(TUMBLE(DATA => t, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '10' MINUTES))
                                       ^
  rule: a table is handed to a function as TABLE name or TABLE(query)
  hint: write TABLE t

# TABLE of nothing
SELECT * FROM TUMBLE(TABLE(), DESCRIPTOR(ts), INTERVAL '10' MINUTES)
----
WindowSyntaxError: TUMBLE: TABLE needs a name or a query in brackets
  at line 1, column 27:
    SELECT * FROM TUMBLE(TABLE(), DESCRIPTOR(ts), INTERVAL '10' MINUTES)
                              ^^
  rule: a window table function reads one table
  hint: write TABLE t, or TABLE(SELECT ...)

# something after the table
SELECT * FROM TUMBLE(TABLE t AS x, DESCRIPTOR(ts), INTERVAL '10' MINUTES)
----
WindowSyntaxError: TUMBLE: the table ends before this
  at line 1, column 30:
    SELECT * FROM TUMBLE(TABLE t AS x, DESCRIPTOR(ts), INTERVAL '10' MINUTES)
                                 ^^^^
  hint: write TABLE(SELECT ...) to hand over anything but a whole table

# a time without DESCRIPTOR
SELECT * FROM TABLE(TUMBLE(TABLE t, ts, INTERVAL '10' MINUTES))
----
WindowSyntaxError: TUMBLE: DESCRIPTOR is missing here
  at line 1, column 37:
    SELECT * FROM TABLE(TUMBLE(TABLE t, ts, INTERVAL '10' MINUTES))
                                        ^^
  rule: the column with the time of a row is given as DESCRIPTOR(column)
  hint: write DESCRIPTOR(ts)

# two columns in DESCRIPTOR
SELECT * FROM TABLE(HOP(TABLE t, DESCRIPTOR(a, b), INTERVAL '5' MINUTES, INTERVAL '10' MINUTES))
----
WindowSpecError: HOP: DESCRIPTOR has 2 columns
  at line 1, column 34:
    SELECT * FROM TABLE(HOP(TABLE t, DESCRIPTOR(a, b), INTERVAL '5' MINUTES, INTERVAL '10' MINUTES))
                                     ^^^^^^^^^^^^^^^^
  rule: DESCRIPTOR names the one column that has the time of a row
  hint: write DESCRIPTOR(ts); keys belong in GROUP BY, those of SESSION in PARTITION BY

# an expression in DESCRIPTOR
SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts + INTERVAL '1' HOUR), INTERVAL '10' MINUTES))
----
WindowSpecError: TUMBLE: DESCRIPTOR holds an expression
  at line 1, column 48:
    SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts + INTERVAL '1' HOUR), INTERVAL '10' MINUTES))
                                                   ^^^^^^^^^^^^^^^^^^^^^^
  rule: DESCRIPTOR names a column and holds no expression
  hint: compute it in the table, as in TABLE(SELECT *, ... AS ts FROM t)

# an argument of another function
SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), SLIDE => INTERVAL '10' MINUTES))
----
WindowSpecError: TUMBLE has no argument SLIDE
  at line 1, column 53:
    SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), SLIDE => INTERVAL '10' MINUTES))
                                                        ^^^^^
  rule: write TUMBLE(TABLE t, DESCRIPTOR(ts), size [, offset])
  hint: its arguments are DATA, TIMECOL, SIZE, OFFSET

# an argument twice
SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES, SIZE => INTERVAL '10' MINUTES))
----
WindowSyntaxError: TUMBLE: SIZE is given twice
  at line 1, column 76:
    SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES, SIZE => INTERVAL '10' MINUTES))
                                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: an argument is given once, by its place or by its name
  hint: write TUMBLE(TABLE t, DESCRIPTOR(ts), size [, offset])

# a positional argument after a named one
SELECT * FROM TABLE(TUMBLE(DATA => TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
----
WindowSyntaxError: TUMBLE: this argument needs its name
  at line 1, column 45:
    SELECT * FROM TABLE(TUMBLE(DATA => TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
                                                ^^^^^^^^^^^^^^
  rule: positional arguments come before named ones
  hint: write DATA => ..., TIMECOL => ..., SIZE => ..., OFFSET => ...

# too few arguments of a window function
SELECT * FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
----
WindowSpecError: HOP: SIZE is missing
  at line 1, column 21:
    SELECT * FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: its arguments are DATA, TIMECOL, SLIDE, SIZE, OFFSET, the last one optional
  hint: write HOP(TABLE t, DESCRIPTOR(ts), slide, size [, offset])

# several keys of SESSION without brackets
SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY k, j, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
----
WindowSyntaxError: SESSION: several keys without brackets
  at line 1, column 50:
    SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY k, j, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
                                                     ^^^^
  rule: PARTITION BY takes one key, or several of them in brackets
  hint: write PARTITION BY (k, j)

# an order after the keys of SESSION
SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY k ORDER BY ts, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
----
WindowSpecError: SESSION: an order does not belong here
  at line 1, column 52:
    SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY k ORDER BY ts, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
                                                       ^^^^^^^^^^^
  rule: rows are in sessions by their time, whatever their order
  hint: leave out the order

# too many arguments of a window function
SELECT * FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES, INTERVAL '1' MINUTE))
----
WindowSpecError: SESSION: too many arguments
  at line 1, column 77:
    SELECT * FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES, INTERVAL '1' MINUTE))
                                                                                ^^^^^^^^^^^^^^^^^^^
  rule: its arguments are DATA, TIMECOL, GAP
  hint: write SESSION(TABLE t [PARTITION BY k], DESCRIPTOR(ts), gap)

# the size of a window function is zero
SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '0' MINUTES))
----
WindowSpecError: TUMBLE: this size cannot be used
  at line 1, column 53:
    SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '0' MINUTES))
                                                        ^^^^^^^^^^^^^^^^^^^^
  rule: the size must be positive
  hint: write a length such as INTERVAL 10 MINUTES

# the offset of a window function is too long
SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES, INTERVAL '1' HOUR))
----
WindowSpecError: TUMBLE: this offset cannot be used
  at line 1, column 76:
    SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES, INTERVAL '1' HOUR))
                                                                               ^^^^^^^^^^^^^^^^^
  rule: abs(offset) must be smaller than the size
  hint: windows begin every size: take whole ones off the offset, which gives the same windows

# a number for the size
SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), 10))
----
WindowSyntaxError: TUMBLE: SIZE: a number has no unit of time
  at line 1, column 53:
    SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), 10))
                                                        ^^
  rule: a length of time is an interval literal of Spark, or a string that holds one
  hint: write INTERVAL 10 SECONDS, MINUTES, HOURS or DAYS

# a gap per row
SELECT * FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts), gap))
----
WindowSyntaxError: SESSION: GAP: expected an interval literal
  at line 1, column 54:
    SELECT * FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts), gap))
                                                         ^^^
  rule: a length of time is an interval literal of Spark, or a string that holds one
  hint: write an interval, as in INTERVAL 10 MINUTES or '10 minutes'

# the step does not divide the size
SELECT * FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '4' MINUTES, INTERVAL '10' MINUTES))
----
WindowSpecError: CUMULATE: this step cannot be used
  at line 1, column 55:
    SELECT * FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '4' MINUTES, INTERVAL '10' MINUTES))
                                                          ^^^^^^^^^^^^^^^^^^^^
  rule: the size must be a whole multiple of the step
  hint: write for instance a size of '1 hour' and a step of '10 minutes'

# the size before the step
SELECT * FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES, INTERVAL '2' MINUTES))
----
WindowSpecError: CUMULATE: this step cannot be used
  at line 1, column 55:
    SELECT * FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES, INTERVAL '2' MINUTES))
                                                          ^^^^^^^^^^^^^^^^^^^^^
  rule: the size must be a whole multiple of the step
  hint: the step comes before the size

# keys of windows that have none
SELECT * FROM TABLE(TUMBLE(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
----
WindowSpecError: TUMBLE: PARTITION BY does not belong here
  at line 1, column 36:
    SELECT * FROM TABLE(TUMBLE(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
                                       ^^^^^^^^^^^^^^
  rule: these windows are the same for all keys; only sessions have keys of their own
  hint: leave out PARTITION BY and name the keys in GROUP BY

# PARTITION BY nothing
SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY (), DESCRIPTOR(ts), INTERVAL '10' MINUTES))
----
WindowSyntaxError: SESSION: a key is missing after PARTITION BY
  at line 1, column 37:
    SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY (), DESCRIPTOR(ts), INTERVAL '10' MINUTES))
                                        ^^^^^^^^^^^^^^^
  hint: write PARTITION BY k, or PARTITION BY (k, j)

# a table without its name after a named argument
SELECT * FROM TUMBLE(SIZE => INTERVAL 10 MINUTES, TABLE t, TIMECOL => DESCRIPTOR(ts))
----
WindowSyntaxError: TUMBLE: this argument needs its name
  at line 1, column 51:
    SELECT * FROM TUMBLE(SIZE => INTERVAL 10 MINUTES, TABLE t, TIMECOL => DESCRIPTOR(ts))
                                                      ^^^^^^^
  rule: positional arguments come before named ones
  hint: write DATA => ..., TIMECOL => ..., SIZE => ..., OFFSET => ...

# no table among named arguments
SELECT * FROM TUMBLE(SIZE => INTERVAL 10 MINUTES, TIMECOL => DESCRIPTOR(ts))
----
WindowSpecError: TUMBLE: DATA is missing
  at line 1, column 15:
    SELECT * FROM TUMBLE(SIZE => INTERVAL 10 MINUTES, TIMECOL => DESCRIPTOR(ts))
                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: its arguments are DATA, TIMECOL, SIZE, OFFSET, the last one optional
  hint: write TUMBLE(TABLE t, DESCRIPTOR(ts), size [, offset])

# OVER at the end of the text
SELECT l.* FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l QUALIFY rank() OVER
----
WindowSyntaxError: OVER needs a window
  at line 1, column 83:
    SELECT l.* FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l QUALIFY rank() OVER
                                                                                      ^^^^
  rule: OVER takes the name of a window, or its keys and order in brackets
  hint: write OVER (PARTITION BY ... ORDER BY ...)

# a query without TABLE and brackets
SELECT * FROM TUMBLE(SELECT * FROM t, DESCRIPTOR(ts), INTERVAL 1 MINUTE)
----
WindowSyntaxError: TUMBLE: TABLE is missing here
  at line 1, column 22:
    SELECT * FROM TUMBLE(SELECT * FROM t, DESCRIPTOR(ts), INTERVAL 1 MINUTE)
                         ^^^^^^^^^^^^^^^
  rule: a table is handed to a function as TABLE name or TABLE(query)
  hint: write TABLE(SELECT * FROM t)

# keys without BY
SELECT * FROM SESSION(TABLE t PARTITION k, DESCRIPTOR(ts), INTERVAL 1 MINUTE)
----
WindowSyntaxError: SESSION: the table ends before this
  at line 1, column 31:
    SELECT * FROM SESSION(TABLE t PARTITION k, DESCRIPTOR(ts), INTERVAL 1 MINUTE)
                                  ^^^^^^^^^^^
  hint: write PARTITION BY
