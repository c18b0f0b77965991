# unknown assigner with a near name
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLNIG(ts, '1 hour') GROUP BY k
----
WindowSpecError: TUMBLNIG is not a window assigner
  at line 1, column 41:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLNIG(ts, '1 hour') GROUP BY k
                                            ^^^^^^^^
  rule: this must be the name of a window assigner, built in or registered
  hint: did you mean TUMBLING?

# unknown assigner
SELECT k, count(*) FROM t WINDOW ASSIGN rolling(ts, '1 hour') GROUP BY k
----
WindowSpecError: rolling is not a window assigner
  at line 1, column 41:
    SELECT k, count(*) FROM t WINDOW ASSIGN rolling(ts, '1 hour') GROUP BY k
                                            ^^^^^^^
  rule: this must be the name of a window assigner, built in or registered
  hint: known: COUNT, CUMULATING, GLOBAL, SESSION, SLIDING, TUMBLING

# assigner without brackets
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING GROUP BY k
----
WindowSyntaxError: TUMBLING needs brackets
  at line 1, column 41:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING GROUP BY k
                                            ^^^^^^^^
  hint: write TUMBLING(...)

# no assigner
SELECT k, count(*) FROM t WINDOW ASSIGN  GROUP BY k
----
WindowSyntaxError: WINDOW ASSIGN needs a window assigner
  at line 1, column 27:
    SELECT k, count(*) FROM t WINDOW ASSIGN  GROUP BY k
                              ^^^^^^^^^^^^^
  hint: one of COUNT, CUMULATING, GLOBAL, SESSION, SLIDING, TUMBLING, with its arguments in brackets

# a number instead of an assigner
SELECT k, count(*) FROM t WINDOW ASSIGN 5 GROUP BY k
----
WindowSyntaxError: WINDOW ASSIGN needs a window assigner
  at line 1, column 41:
    SELECT k, count(*) FROM t WINDOW ASSIGN 5 GROUP BY k
                                            ^
  hint: one of COUNT, CUMULATING, GLOBAL, SESSION, SLIDING, TUMBLING, with its arguments in brackets

# unknown trigger
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER EVENTTIME() GROUP BY k
----
WindowSpecError: EVENTTIME is not a trigger
  at line 1, column 72:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER EVENTTIME() GROUP BY k
                                                                           ^^^^^^^^^
  rule: this must be the name of a trigger, built in or registered
  hint: did you mean EVENT_TIME?

# trigger without brackets
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER EVENT_TIME GROUP BY k
----
WindowSyntaxError: EVENT_TIME needs brackets
  at line 1, column 72:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER EVENT_TIME GROUP BY k
                                                                           ^^^^^^^^^^
  hint: write EVENT_TIME(...)

# no trigger after TRIGGER
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER GROUP BY k
----
WindowSyntaxError: TRIGGER needs a trigger
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER GROUP BY k
                                                                   ^^^^^^^
  hint: one of ALL, ANY, CONTINUOUS_EVENT_TIME, CONTINUOUS_PROCESSING_TIME, COUNT, DELTA, EMIT, END_OF_STREAM, EVENT_TIME, NEVER, PROCESSING_TIME, PROCESSING_TIMEOUT, PURGING, SPIKE, WHEN, with its arguments in brackets

# an assigner is no trigger
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER TUMBLING(ts, '1 hour') GROUP BY k
----
WindowSpecError: TUMBLING is not a trigger
  at line 1, column 72:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER TUMBLING(ts, '1 hour') GROUP BY k
                                                                           ^^^^^^^^
  rule: this must be the name of a trigger, built in or registered
  hint: TUMBLING is a window assigner: write WINDOW ASSIGN TUMBLING(...)

# unknown evictor
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT CUONT(3) GROUP BY k
----
WindowSpecError: CUONT is not an evictor
  at line 1, column 70:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT CUONT(3) GROUP BY k
                                                                         ^^^^^
  rule: this must be the name of an evictor, built in or registered
  hint: did you mean COUNT?

# no evictor after EVICT
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT GROUP BY k
----
WindowSyntaxError: EVICT needs an evictor
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT GROUP BY k
                                                                   ^^^^^
  hint: one of COUNT, DELTA, HALVE, TIME, with its arguments in brackets

# an inner trigger that is unknown
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER PURGING(CONT(3)) GROUP BY k
----
WindowSpecError: CONT is not a trigger
  at line 1, column 80:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER PURGING(CONT(3)) GROUP BY k
                                                                                   ^^^^
  rule: this must be the name of a trigger, built in or registered
  hint: did you mean COUNT?

# an inner trigger that is no call
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER PURGING(3) GROUP BY k
----
WindowSyntaxError: expected a trigger, not 3
  at line 1, column 80:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER PURGING(3) GROUP BY k
                                                                                   ^
  hint: triggers are ALL, ANY, CONTINUOUS_EVENT_TIME, CONTINUOUS_PROCESSING_TIME, COUNT, DELTA, EMIT, END_OF_STREAM, EVENT_TIME, NEVER, PROCESSING_TIME, PROCESSING_TIMEOUT, PURGING, SPIKE, WHEN, each with brackets

# too many arguments
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour', '5 minutes', 3) GROUP BY k
----
WindowSyntaxError: TUMBLING: too many arguments
  at line 1, column 77:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour', '5 minutes', 3) GROUP BY k
                                                                                ^
  rule: write TUMBLING(time, size [, offset])
  hint: leave it out

# too few arguments
SELECT k, count(*) FROM t WINDOW ASSIGN SLIDING(ts, '1 hour') GROUP BY k
----
WindowSpecError: SLIDING: slide is missing
  at line 1, column 41:
    SELECT k, count(*) FROM t WINDOW ASSIGN SLIDING(ts, '1 hour') GROUP BY k
                                            ^^^^^^^^^^^^^^^^^^^^^
  rule: write SLIDING(time, size, slide [, offset])
  hint: slide is an interval

# no arguments
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING() GROUP BY k
----
WindowSpecError: TUMBLING: time is missing
  at line 1, column 41:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING() GROUP BY k
                                            ^^^^^^^^^^
  rule: write TUMBLING(time, size [, offset])
  hint: time is a time expression or PROCTIME()

# an argument is missing between commas
SELECT k, count(*) FROM t WINDOW ASSIGN SLIDING(ts, , '1 hour') GROUP BY k
----
WindowSyntaxError: an argument is missing here
  at line 1, column 51:
    SELECT k, count(*) FROM t WINDOW ASSIGN SLIDING(ts, , '1 hour') GROUP BY k
                                                      ^
  hint: write the argument, or leave out the comma

# unknown parameter
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, siez => '1 hour') GROUP BY k
----
WindowSpecError: TUMBLING has no parameter siez
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, siez => '1 hour') GROUP BY k
                                                         ^^^^
  rule: write TUMBLING(time, size [, offset])
  hint: did you mean size?

# unknown parameter without a near name
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour', zone => 'UTC') GROUP BY k
----
WindowSpecError: TUMBLING has no parameter zone
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour', zone => 'UTC') GROUP BY k
                                                                   ^^^^
  rule: write TUMBLING(time, size [, offset])
  hint: parameters are time, size, offset

# a parameter given twice
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour', size => '2 hours') GROUP BY k
----
WindowSyntaxError: TUMBLING: size is given twice
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour', size => '2 hours') GROUP BY k
                                                                   ^^^^^^^^^^^^^^^^^
  hint: write TUMBLING(time, size [, offset]), each argument once

# a positional argument after a named one
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(time => ts, '1 hour') GROUP BY k
----
WindowSyntaxError: TUMBLING: this argument needs its name
  at line 1, column 62:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(time => ts, '1 hour') GROUP BY k
                                                                 ^^^^^^^^
  rule: positional arguments come before named ones
  hint: write size => ..., offset => ...

# a value is missing after its name
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, size => ) GROUP BY k
----
WindowSyntaxError: a value is missing after =>
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, size => ) GROUP BY k
                                                         ^^^^^^^
  hint: write name => value, or leave it out

# a parameter that must be named
SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(10, 5, ts) GROUP BY k
----
WindowSyntaxError: COUNT: too many arguments
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(10, 5, ts) GROUP BY k
                                                         ^^
  rule: write COUNT(n [, slide] [, time => ...])
  hint: write it as time => ...

# ANY of nothing
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY() GROUP BY k
----
WindowSpecError: ANY: triggers is missing
  at line 1, column 72:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY() GROUP BY k
                                                                           ^^^^^
  rule: write ANY(triggers, ...)
  hint: triggers is one or more triggers

# a trigger that takes no arguments
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER EVENT_TIME(ts) GROUP BY k
----
WindowSyntaxError: EVENT_TIME: too many arguments
  at line 1, column 83:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER EVENT_TIME(ts) GROUP BY k
                                                                                      ^^
  rule: write EVENT_TIME()
  hint: leave it out

# a user's trigger refuses its parameters
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER spike(v, 1) GROUP BY k
----
WindowSpecError: SPIKE: the factor must be greater than 1
  at line 1, column 72:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER spike(v, 1) GROUP BY k
                                                                           ^^^^^^^^^^^

# a user's trigger without its parameter
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER spike() GROUP BY k
----
WindowSpecError: SPIKE: expr is missing
  at line 1, column 72:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER spike() GROUP BY k
                                                                           ^^^^^^^
  rule: write SPIKE(expr [, factor] [, patience])
  hint: expr is an expression over the row

# HOP of Flink SQL
SELECT k, count(*) FROM t WINDOW ASSIGN HOP(ts, '10 minutes', '5 minutes') GROUP BY k
----
WindowSpecError: HOP is not a window assigner
  at line 1, column 41:
    SELECT k, count(*) FROM t WINDOW ASSIGN HOP(ts, '10 minutes', '5 minutes') GROUP BY k
                                            ^^^
  rule: this must be the name of a window assigner, built in or registered
  hint: write SLIDING(time, size, slide); HOP(TABLE t, DESCRIPTOR(ts), slide, size) goes into FROM

# a condition for a trigger
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER count(*) > 3
----
WindowSpecError: count(*) > 3 is not a trigger
  at line 1, column 69:
    SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER count(*) > 3
                                                                        ^^^^^^^^^^^^
  rule: a condition for firing belongs in WHEN
  hint: write TRIGGER WHEN(count(*) > 3)

# a comma is missing before a length
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts '1 minute') GROUP BY k
----
WindowSyntaxError: TUMBLING: a comma is missing
  at line 1, column 53:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts '1 minute') GROUP BY k
                                                        ^^^^^^^^^^
  rule: arguments are separated by commas
  hint: write a comma before '1 minute'

# a comma is missing between two intervals
SELECT k, count(*) FROM r WINDOW ASSIGN SLIDING(ts, INTERVAL 2 MINUTES INTERVAL 1 MINUTE) GROUP BY k
----
WindowSyntaxError: SLIDING: a comma is missing
  at line 1, column 72:
    SELECT k, count(*) FROM r WINDOW ASSIGN SLIDING(ts, INTERVAL 2 MINUTES INTERVAL 1 MINUTE) GROUP BY k
                                                                           ^^^^^^^^
  rule: arguments are separated by commas
  hint: write a comma before INTERVAL 1 MINUTE

# a comma is missing after a call
SELECT k, count(*) FROM r WINDOW ASSIGN SESSION(coalesce(ts, TIMESTAMP '2024-05-01') '1 minute') GROUP BY k
----
WindowSyntaxError: SESSION: a comma is missing
  at line 1, column 86:
    SELECT k, count(*) FROM r WINDOW ASSIGN SESSION(coalesce(ts, TIMESTAMP '2024-05-01') '1 minute') GROUP BY k
                                                                                         ^^^^^^^^^^
  rule: arguments are separated by commas
  hint: write a comma before '1 minute'

# a comma is missing in a window table function
SELECT * FROM TUMBLE(TABLE r DESCRIPTOR(ts), INTERVAL 1 MINUTE)
----
WindowSyntaxError: TUMBLE: a comma is missing
  at line 1, column 30:
    SELECT * FROM TUMBLE(TABLE r DESCRIPTOR(ts), INTERVAL 1 MINUTE)
                                 ^^^^^^^^^^
  rule: arguments are separated by commas
  hint: write a comma before DESCRIPTOR(ts)

# an interval of several units, and no time
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(INTERVAL 1 MINUTE 5 SECONDS) GROUP BY k
----
WindowSpecError: TUMBLING: size is missing
  at line 1, column 41:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(INTERVAL 1 MINUTE 5 SECONDS) GROUP BY k
                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: write TUMBLING(time, size [, offset])
  hint: size is an interval

# an equals sign for the name of an argument
SELECT k, sum(v) FROM t WINDOW ASSIGN SESSION(ts, gap = INTERVAL 10 MINUTES) GROUP BY k
----
WindowSyntaxError: SESSION: gap = ... is a comparison
  at line 1, column 55:
    SELECT k, sum(v) FROM t WINDOW ASSIGN SESSION(ts, gap = INTERVAL 10 MINUTES) GROUP BY k
                                                          ^
  rule: write SESSION(time, gap)
  hint: write gap => INTERVAL 10 MINUTES
