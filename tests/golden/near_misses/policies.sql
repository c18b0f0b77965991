# what happens every few rows is no NEVER
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER EVERY(2) GROUP BY k
----
EVERY is not a trigger
  at line 1, column 72:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER EVERY(2) GROUP BY k
                                                                           ^^^^^
  rule: this must be the name of a trigger, built in or registered
  hint: did you mean COUNT(n) for every n rows, CONTINUOUS_EVENT_TIME(interval) for every interval?

# a trigger by its meaning
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER TIMEOUT(COUNT(2), '1 hour') GROUP BY k
----
TIMEOUT is not a trigger
  at line 1, column 72:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER TIMEOUT(COUNT(2), '1 hour') GROUP BY k
                                                                           ^^^^^^^
  rule: this must be the name of a trigger, built in or registered
  hint: did you mean PROCESSING_TIMEOUT?

# an assigner by its name in Flink SQL
SELECT k, count(*) FROM r WINDOW ASSIGN HOPPING(ts, '1 hour', '10 minutes') GROUP BY k
----
HOPPING is not a window assigner
  at line 1, column 41:
    SELECT k, count(*) FROM r WINDOW ASSIGN HOPPING(ts, '1 hour', '10 minutes') GROUP BY k
                                            ^^^^^^^
  rule: this must be the name of a window assigner, built in or registered
  hint: did you mean SLIDING?

# an evictor by its meaning
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(2) EVICT LAST(3) GROUP BY k
----
LAST is not an evictor
  at line 1, column 87:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(2) EVICT LAST(3) GROUP BY k
                                                                                          ^^^^
  rule: this must be the name of an evictor, built in or registered
  hint: did you mean COUNT?

# a unit
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINITES) GROUP BY k
----
TUMBLING: size: MINITES is not a unit of time: MINUTES is meant
  at line 1, column 54:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINITES) GROUP BY k
                                                         ^^^^^^^^^^^^^^^^^^^
  rule: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write MINUTES in the place of MINITES

# a window column
SELECT k, window_strt, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
window_strt is neither a key nor inside an aggregate
  at line 1, column 11:
    SELECT k, window_strt, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
              ^^^^^^^^^^^
  rule: a windowed SELECT with aggregates returns one row per key, window and firing
  hint: did you mean window_start?

# ksqlDB's SIZE
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(SIZE 5 MINUTES) GROUP BY k
----
TUMBLING: SIZE is not expected here
  at line 1, column 50:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(SIZE 5 MINUTES) GROUP BY k
                                                     ^^^^^^^^^^^^^^
  rule: write TUMBLING(time, size [, offset])
  hint: write the time of the rows and intervals alone, as in ts, INTERVAL 5 MINUTES

# ksqlDB's ADVANCE BY
SELECT k, count(*) FROM r WINDOW ASSIGN SLIDING(ts, INTERVAL 5 MINUTES, ADVANCE BY 1 MINUTE) GROUP BY k
----
SLIDING: ADVANCE BY is not expected here
  at line 1, column 73:
    SELECT k, count(*) FROM r WINDOW ASSIGN SLIDING(ts, INTERVAL 5 MINUTES, ADVANCE BY 1 MINUTE) GROUP BY k
                                                                            ^^^^^^^^^^^^^^^^^^^
  rule: write SLIDING(time, size, slide [, offset])
  hint: write the time of the rows and intervals alone, as in ts, INTERVAL 5 MINUTES

# ksqlDB's GRACE PERIOD
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, INTERVAL 5 MINUTES, GRACE PERIOD 1 MINUTE) GROUP BY k
----
TUMBLING: GRACE PERIOD is not expected here
  at line 1, column 74:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, INTERVAL 5 MINUTES, GRACE PERIOD 1 MINUTE) GROUP BY k
                                                                             ^^^^^^^^^^^^^^^^^^^^^
  rule: write TUMBLING(time, size [, offset])
  hint: write ALLOWED LATENESS INTERVAL 1 MINUTE after the brackets

# ksqlDB's GRACE PERIOD as a clause
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, INTERVAL 5 MINUTES) GRACE PERIOD INTERVAL 1 MINUTE GROUP BY k
----
GRACE is not expected here
  at line 1, column 74:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, INTERVAL 5 MINUTES) GRACE PERIOD INTERVAL 1 MINUTE GROUP BY k
                                                                             ^^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: did you mean ALLOWED LATENESS?

# ksqlDB's EMIT FINAL after a window
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, INTERVAL 5 MINUTES) GROUP BY k EMIT FINAL
----
FINAL is not known here
  at line 1, column 90:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, INTERVAL 5 MINUTES) GROUP BY k EMIT FINAL
                                                                                             ^^^^^
  rule: write EMIT [EARLY EVERY n ROWS | EARLY EVERY interval] [ON TIME] [LATE ON ROW | LATE EVERY interval] [AS APPEND | AS UPSERT | AS RETRACTIONS] [ACCUMULATING | DISCARDING]
  hint: write ON TIME

# a comma that is missing between triggers
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY(COUNT(2) EVENT_TIME()) GROUP BY k
----
a comma is missing
  at line 1, column 85:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY(COUNT(2) EVENT_TIME()) GROUP BY k
                                                                                        ^^^^^^^^^^
  rule: arguments are separated by commas
  hint: write a comma before EVENT_TIME()

# a trigger without brackets in another
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY(COUNT(2), EVENT_TIME) GROUP BY k
----
EVENT_TIME needs brackets
  at line 1, column 86:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY(COUNT(2), EVENT_TIME) GROUP BY k
                                                                                         ^^^^^^^^^^
  hint: write EVENT_TIME(...)

# two triggers with a comma between them
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(2), EVENT_TIME() GROUP BY k
----
, is not expected here
  at line 1, column 80:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(2), EVENT_TIME() GROUP BY k
                                                                                   ^
  rule: after TRIGGER ... comes another clause
  hint: write one trigger around both: ANY(..., ...) or ALL(..., ...)

# EMIT EARLY EVERY without a unit
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 5 GROUP BY k
----
EARLY EVERY: a number has no unit
  at line 1, column 81:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 5 GROUP BY k
                                                                                    ^
  rule: write EMIT [EARLY EVERY n ROWS | EARLY EVERY interval] [ON TIME] [LATE ON ROW | LATE EVERY interval] [AS APPEND | AS UPSERT | AS RETRACTIONS] [ACCUMULATING | DISCARDING]
  hint: write EARLY EVERY 5 ROWS, or INTERVAL 5 SECONDS, MINUTES, HOURS or DAYS

# EMIT EARLY EVERY with UPSERT alone
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 5 ROWS UPSERT GROUP BY k
----
UPSERT is not expected here
  at line 1, column 88:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 5 ROWS UPSERT GROUP BY k
                                                                                           ^^^^^^
  rule: write EMIT [EARLY EVERY n ROWS | EARLY EVERY interval] [ON TIME] [LATE ON ROW | LATE EVERY interval] [AS APPEND | AS UPSERT | AS RETRACTIONS] [ACCUMULATING | DISCARDING]
  hint: write AS UPSERT

# EMIT EVERY
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EVERY 5 ROWS GROUP BY k
----
EVERY 5 ROWS is not known here
  at line 1, column 69:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EVERY 5 ROWS GROUP BY k
                                                                        ^^^^^^^^^^^^
  rule: write EMIT [EARLY EVERY n ROWS | EARLY EVERY interval] [ON TIME] [LATE ON ROW | LATE EVERY interval] [AS APPEND | AS UPSERT | AS RETRACTIONS] [ACCUMULATING | DISCARDING]
  hint: write EARLY EVERY 5 ROWS

# a comma that is missing in GROUP BY
SELECT k, j, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k j
----
a comma is missing in GROUP BY
  at line 1, column 78:
    SELECT k, j, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k j
                                                                                 ^
  rule: keys are separated by commas
  hint: write a comma before j

# STATE without TTL
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') STATE INTERVAL 1 DAY GROUP BY k
----
STATE is not expected here
  at line 1, column 64:
    SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') STATE INTERVAL 1 DAY GROUP BY k
                                                                   ^^^^^
  rule: after WINDOW ASSIGN ... comes PARTITION BY or another clause
  hint: did you mean STATE TTL?

# TABLE without brackets
SELECT * FROM TABLE TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '1' HOUR)
----
TABLE needs brackets
  at line 1, column 15:
    SELECT * FROM TABLE TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '1' HOUR)
                  ^^^^^
  rule: a call of a table function is in the brackets of TABLE(...), or alone
  hint: write TABLE(TUMBLE(...))

# a watermark whose delay is a number
SELECT k, count(*) FROM STREAM r WATERMARK ts DELAY 5 SECONDS WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
OF INTERVAL is missing here
  at line 1, column 47:
    SELECT k, count(*) FROM STREAM r WATERMARK ts DELAY 5 SECONDS WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
                                                  ^^^^^^^
  rule: a watermark names the time of its rows and a delay
  hint: write WATERMARK ts DELAY OF INTERVAL 10 SECONDS
