# size zero
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 0 SECONDS) GROUP BY k
----
WindowSpecError: TUMBLING: this size cannot be used
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 0 SECONDS) GROUP BY k
                                                         ^^^^^^^^^^^^^^^^^^
  rule: the size must be positive
  hint: write a length such as INTERVAL 10 MINUTES

# size negative
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '-1' HOUR) GROUP BY k
----
WindowSpecError: TUMBLING: this size cannot be used
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '-1' HOUR) GROUP BY k
                                                         ^^^^^^^^^^^^^^^^^^
  rule: the size must be positive
  hint: write a length such as INTERVAL 10 MINUTES

# offset as large as the size
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour', '-60 minutes') GROUP BY k
----
WindowSpecError: TUMBLING: this offset cannot be used
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour', '-60 minutes') GROUP BY k
                                                                   ^^^^^^^^^^^^^
  rule: abs(offset) must be smaller than the size
  hint: windows begin every size: take whole ones off the offset, which gives the same windows

# slide zero
SELECT k, count(*) FROM t WINDOW ASSIGN SLIDING(ts, '1 hour', '0 minutes') GROUP BY k
----
WindowSpecError: SLIDING: this slide cannot be used
  at line 1, column 63:
    SELECT k, count(*) FROM t WINDOW ASSIGN SLIDING(ts, '1 hour', '0 minutes') GROUP BY k
                                                                  ^^^^^^^^^^^
  rule: the slide must be positive
  hint: write a length such as INTERVAL 10 MINUTES

# offset as large as the slide
SELECT k, count(*) FROM t WINDOW ASSIGN SLIDING(ts, '1 hour', '10 minutes', '10 minutes') GROUP BY k
----
WindowSpecError: SLIDING: this offset cannot be used
  at line 1, column 77:
    SELECT k, count(*) FROM t WINDOW ASSIGN SLIDING(ts, '1 hour', '10 minutes', '10 minutes') GROUP BY k
                                                                                ^^^^^^^^^^^^
  rule: abs(offset) must be smaller than the slide
  hint: windows begin every slide: take whole ones off the offset, which gives the same windows

# offset of cumulating windows as large as the size
SELECT k, count(*) FROM t WINDOW ASSIGN CUMULATING(ts, '1 hour', '10 minutes', '1 hour') GROUP BY k
----
WindowSpecError: CUMULATING: this offset cannot be used
  at line 1, column 80:
    SELECT k, count(*) FROM t WINDOW ASSIGN CUMULATING(ts, '1 hour', '10 minutes', '1 hour') GROUP BY k
                                                                                   ^^^^^^^^
  rule: abs(offset) must be smaller than the size
  hint: windows begin every size: take whole ones off the offset, which gives the same windows

# step that does not divide the size
SELECT k, count(*) FROM t WINDOW ASSIGN CUMULATING(ts, '1 hour', '25 minutes') GROUP BY k
----
WindowSpecError: CUMULATING: this step cannot be used
  at line 1, column 66:
    SELECT k, count(*) FROM t WINDOW ASSIGN CUMULATING(ts, '1 hour', '25 minutes') GROUP BY k
                                                                     ^^^^^^^^^^^^
  rule: the size must be a whole multiple of the step
  hint: write for instance a size of '1 hour' and a step of '10 minutes'

# step negative
SELECT k, count(*) FROM t WINDOW ASSIGN CUMULATING(ts, '1 hour', '-5 minutes') GROUP BY k
----
WindowSpecError: CUMULATING: this step cannot be used
  at line 1, column 66:
    SELECT k, count(*) FROM t WINDOW ASSIGN CUMULATING(ts, '1 hour', '-5 minutes') GROUP BY k
                                                                     ^^^^^^^^^^^^
  rule: the step must be positive
  hint: write a length such as INTERVAL 10 MINUTES

# gap zero
SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, '0 seconds') GROUP BY k
----
WindowSpecError: SESSION: this gap cannot be used
  at line 1, column 53:
    SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, '0 seconds') GROUP BY k
                                                        ^^^^^^^^^^^
  rule: the gap must be positive
  hint: write a length such as INTERVAL 10 MINUTES

# no rows
SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(0) GROUP BY k
----
WindowSpecError: COUNT: this n cannot be used
  at line 1, column 47:
    SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(0) GROUP BY k
                                                  ^
  rule: the number of rows must be at least 1
  hint: COUNT(1) makes a window of every row

# negative slide of rows
SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(10, -1) GROUP BY k
----
WindowSpecError: COUNT: this slide cannot be used
  at line 1, column 51:
    SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(10, -1) GROUP BY k
                                                      ^^
  rule: the slide must be at least 1
  hint: COUNT(n, 1) gives the last n rows at every row

# trigger every zero rows
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(0) GROUP BY k
----
WindowSpecError: COUNT: this n cannot be used
  at line 1, column 78:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(0) GROUP BY k
                                                                                 ^
  rule: the number of rows must be at least 1
  hint: COUNT(1) fires at every row

# interval of a trigger negative
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY(EVENT_TIME(), CONTINUOUS_EVENT_TIME('-1 minute')) GROUP BY k
----
WindowSpecError: CONTINUOUS_EVENT_TIME: this interval cannot be used
  at line 1, column 112:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY(EVENT_TIME(), CONTINUOUS_EVENT_TIME('-1 minute')) GROUP BY k
                                                                                                                   ^^^^^^^^^^^
  rule: the interval must be positive
  hint: write a length such as INTERVAL 10 MINUTES

# timeout of zero
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER PROCESSING_TIMEOUT(COUNT(3), '0 seconds') GROUP BY k
----
WindowSpecError: PROCESSING_TIMEOUT: this interval cannot be used
  at line 1, column 101:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER PROCESSING_TIMEOUT(COUNT(3), '0 seconds') GROUP BY k
                                                                                                        ^^^^^^^^^^^
  rule: the interval must be positive
  hint: write a length such as INTERVAL 10 MINUTES

# evictor keeps a negative number
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT COUNT(-1) GROUP BY k
----
WindowSpecError: COUNT: this n cannot be used
  at line 1, column 76:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT COUNT(-1) GROUP BY k
                                                                               ^^
  rule: the number of rows must not be negative
  hint: write how many of the last rows stay, as in COUNT(3)

# evictor's interval negative
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT TIME('-1 minute') GROUP BY k
----
WindowSpecError: TIME: this interval cannot be used
  at line 1, column 75:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT TIME('-1 minute') GROUP BY k
                                                                              ^^^^^^^^^^^
  rule: the interval must not be negative
  hint: write how much older than the newest row rows may be, as in TIME(INTERVAL 5 MINUTES)

# lateness negative
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') ALLOWED LATENESS INTERVAL '-1' MINUTE GROUP BY k
----
WindowSpecError: the allowed lateness must not be negative
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') ALLOWED LATENESS INTERVAL '-1' MINUTE GROUP BY k
                                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write how long windows stay open for late rows, as in INTERVAL 5 MINUTES

# state TTL zero
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') STATE TTL '0 seconds' GROUP BY k
----
WindowSpecError: STATE TTL must be positive
  at line 1, column 74:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') STATE TTL '0 seconds' GROUP BY k
                                                                             ^^^^^^^^^^^
  hint: write for instance INTERVAL 1 DAY
