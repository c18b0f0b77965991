# TRIGGER
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGER COUNT(3) GROUP BY k
----
TRIGER is not expected here
  at line 1, column 64:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGER COUNT(3) GROUP BY k
                                                                   ^^^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: did you mean TRIGGER?

# TRIGGER after GROUP BY
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k TRIGER COUNT(3)
----
TRIGER is not expected here
  at line 1, column 75:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k TRIGER COUNT(3)
                                                                              ^^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean TRIGGER?

# EVICT
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EVIKT COUNT(3) GROUP BY k
----
EVIKT is not expected here
  at line 1, column 64:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EVIKT COUNT(3) GROUP BY k
                                                                   ^^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: did you mean EVICT?

# ALLOWED LATENESS, first word
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') ALLOW LATENESS '1 hour' GROUP BY k
----
ALLOW is not expected here
  at line 1, column 64:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') ALLOW LATENESS '1 hour' GROUP BY k
                                                                   ^^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: did you mean ALLOWED LATENESS?

# ALLOWED LATENESS, second word, after GROUP BY
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k ALLOWED LATNESS '1 hour'
----
ALLOWED LATNESS is not expected here
  at line 1, column 75:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k ALLOWED LATNESS '1 hour'
                                                                              ^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean ALLOWED LATENESS?

# ALLOWED LATENESS without its first word
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') LATENESS '1 hour' GROUP BY k
----
LATENESS is not expected here
  at line 1, column 64:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') LATENESS '1 hour' GROUP BY k
                                                                   ^^^^^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: did you mean ALLOWED LATENESS?

# LATE INTO
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') LATE INTOO late_rows GROUP BY k
----
LATE is not expected here
  at line 1, column 64:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') LATE INTOO late_rows GROUP BY k
                                                                   ^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: did you mean LATE INTO?

# LATE INTO with another word
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') LATE TO late_rows GROUP BY k
----
LATE is not expected here
  at line 1, column 64:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') LATE TO late_rows GROUP BY k
                                                                   ^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: did you mean LATE INTO?

# STATE TTL
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') STATE TLL '1 hour' GROUP BY k
----
STATE is not expected here
  at line 1, column 64:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') STATE TLL '1 hour' GROUP BY k
                                                                   ^^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: did you mean STATE TTL?

# APPLY
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') APLY fit
----
APLY is not expected here
  at line 1, column 64:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') APLY fit
                                                                   ^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: did you mean APPLY?

# PARTITION BY
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITON BY k
----
PARTITON is not expected here
  at line 1, column 64:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITON BY k
                                                                   ^^^^^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: did you mean PARTITION BY?

# a word of other systems
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT COUNT(3) GROUP BY k
----
COUNT(3) is not known here
  at line 1, column 69:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT COUNT(3) GROUP BY k
                                                                        ^^^^^^^^
  rule: write EMIT [EARLY EVERY n ROWS | EARLY EVERY interval] [ON TIME] [LATE ON ROW | LATE EVERY interval] [AS APPEND | AS UPSERT | AS RETRACTIONS] [ACCUMULATING | DISCARDING]
  hint: write TRIGGER COUNT(3)

# two clauses, and a policy
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLNG(ts, '1 hour') TRIGER COUNT(3) GROUP BY k ALLOW LATENESS '1 hour'
----
TUMBLNG is not a window assigner
  at line 1, column 41:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLNG(ts, '1 hour') TRIGER COUNT(3) GROUP BY k ALLOW LATENESS '1 hour'
                                            ^^^^^^^
  rule: this must be the name of a window assigner, built in or registered
  hint: did you mean TUMBLING?
TRIGER is not expected here
  at line 1, column 63:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLNG(ts, '1 hour') TRIGER COUNT(3) GROUP BY k ALLOW LATENESS '1 hour'
                                                                  ^^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean TRIGGER?
ALLOW LATENESS is not expected here
  at line 1, column 90:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLNG(ts, '1 hour') TRIGER COUNT(3) GROUP BY k ALLOW LATENESS '1 hour'
                                                                                             ^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean ALLOWED LATENESS?

# BEFORE of an evictor
SELECT k FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT COUNT(3) BEFOR
----
BEFOR is not expected here
  at line 1, column 69:
    SELECT k FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT COUNT(3) BEFOR
                                                                        ^^^^^
  rule: after EVICT ... comes BEFORE, AFTER or another clause
  hint: did you mean BEFORE?

# parts of EMIT
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVRY 10 ROWS ON TIME GROUP BY k
----
EARLY EVRY 10 ROWS is not known here
  at line 1, column 69:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVRY 10 ROWS ON TIME GROUP BY k
                                                                        ^^^^^^^^^^^^^^^^^^
  rule: write EMIT [EARLY EVERY n ROWS | EARLY EVERY interval] [ON TIME] [LATE ON ROW | LATE EVERY interval] [AS APPEND | AS UPSERT | AS RETRACTIONS] [ACCUMULATING | DISCARDING]
  hint: did you mean EARLY EVERY?

# rows of EMIT
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 10 ROS GROUP BY k
----
ROS is not known here
  at line 1, column 84:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 10 ROS GROUP BY k
                                                                                       ^^^
  rule: write EMIT [EARLY EVERY n ROWS | EARLY EVERY interval] [ON TIME] [LATE ON ROW | LATE EVERY interval] [AS APPEND | AS UPSERT | AS RETRACTIONS] [ACCUMULATING | DISCARDING]
  hint: did you mean ROWS?

# meaning of EMIT
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 10 ROWS AS UPSRT GROUP BY k
----
AS UPSRT is no meaning of a result
  at line 1, column 89:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 10 ROWS AS UPSRT GROUP BY k
                                                                                            ^^^^^^^^
  rule: a later result of a window is one more row (APPEND), or takes the place of the one before
  hint: write AS APPEND, AS UPSERT or AS RETRACTIONS

# a clause after EMIT
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT ON TIME ALLOWD LATENESS '1 hour' GROUP BY k
----
ALLOWD LATENESS '1 hour' is not expected here
  at line 1, column 77:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT ON TIME ALLOWD LATENESS '1 hour' GROUP BY k
                                                                                ^^^^^^^^^^^^^^^^^^^^^^^^
  rule: write EMIT [EARLY EVERY n ROWS | EARLY EVERY interval] [ON TIME] [LATE ON ROW | LATE EVERY interval] [AS APPEND | AS UPSERT | AS RETRACTIONS] [ACCUMULATING | DISCARDING]
  hint: did you mean ALLOWED LATENESS?

# the unit of a session's gap
SELECT k, count(*) FROM r WINDOW ASSIGN SESSION(ts, INTERVAL 10 MIUTES) GROUP BY k
----
SESSION: gap: MIUTES is not a unit of time: MINUTES is meant
  at line 1, column 53:
    SELECT k, count(*) FROM r WINDOW ASSIGN SESSION(ts, INTERVAL 10 MIUTES) GROUP BY k
                                                        ^^^^^^^^^^^^^^^^^^
  rule: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write MINUTES in the place of MIUTES
