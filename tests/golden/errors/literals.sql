# a number for an interval
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, 60) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: a number has no unit of time
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, 60) GROUP BY k
                                                         ^^
  rule: a length of time is an interval literal of Spark, or a string that holds one
  hint: write INTERVAL 60 SECONDS, MINUTES, HOURS or DAYS

# months
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 MONTH) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: MONTH cannot be used
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 MONTH) GROUP BY k
                                                         ^^^^^^^^^^^^^^^^
  rule: months, quarters and years have no fixed length
  hint: write the length in days, as in INTERVAL 30 DAYS

# years in a string
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 year') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: YEAR cannot be used
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 year') GROUP BY k
                                                         ^^^^^^^^
  rule: months, quarters and years have no fixed length
  hint: write the length in days, as in INTERVAL 30 DAYS

# year to month
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '1-2' YEAR TO MONTH) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: YEAR cannot be used
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '1-2' YEAR TO MONTH) GROUP BY k
                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: months, quarters and years have no fixed length
  hint: write the length in days, as in INTERVAL 30 DAYS

# unknown unit
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 fortnight') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: FORTNIGHT is not a unit of time
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 fortnight') GROUP BY k
                                                         ^^^^^^^^^^^^^
  rule: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write an interval, as in INTERVAL 10 MINUTES or '10 minutes'

# unit missing
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: this interval is not complete: a number or its unit is missing
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1) GROUP BY k
                                                         ^^^^^^^^^^
  hint: write an interval, as in INTERVAL 10 MINUTES or '10 minutes'

# number missing
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, 'hour') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: this interval is not complete: a number or its unit is missing
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, 'hour') GROUP BY k
                                                         ^^^^^^
  hint: write an interval, as in INTERVAL 10 MINUTES or '10 minutes'

# empty string
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: this string holds no interval
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '') GROUP BY k
                                                         ^^
  hint: write an interval, as in INTERVAL 10 MINUTES or '10 minutes'

# fraction of an hour
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1.5 hours') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: a fraction of HOUR cannot be used
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1.5 hours') GROUP BY k
                                                         ^^^^^^^^^^^
  rule: only seconds may have a fraction, as in Spark
  hint: write it in smaller units, as in '1 hour 30 minutes'

# finer than a microsecond
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '0.0000001 seconds') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: this interval is finer than a microsecond
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '0.0000001 seconds') GROUP BY k
                                                         ^^^^^^^^^^^^^^^^^^^
  rule: Spark's timestamps are whole microseconds
  hint: write at most six digits after the point of seconds

# too long
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 400000000 DAYS) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: this interval is too long
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 400000000 DAYS) GROUP BY k
                                                         ^^^^^^^^^^^^^^^^^^^^^^^
  rule: a length is 10,000,000 days at most
  hint: write a shorter one

# not a number
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, 'one hour') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: one is not a number
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, 'one hour') GROUP BY k
                                                         ^^^^^^^^^^
  hint: write an interval, as in INTERVAL 10 MINUTES or '10 minutes'

# fields that do not fit
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '1:00' DAY TO SECOND) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: '1:00' does not fit DAY TO SECOND
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '1:00' DAY TO SECOND) GROUP BY k
                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write it as in INTERVAL '1 02:30:00' DAY TO SECOND

# field too large
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '1 25:00:00' DAY TO SECOND) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: 25 is too large for HOUR in DAY TO SECOND
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '1 25:00:00' DAY TO SECOND) GROUP BY k
                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: carry it over to the unit before

# fields in the wrong order
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '1 1' HOUR TO DAY) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: INTERVAL ... HOUR TO DAY does not exist
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '1 1' HOUR TO DAY) GROUP BY k
                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write it as in INTERVAL '1 02:30:00' DAY TO SECOND

# a column for a size
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, size) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: expected an interval literal
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, size) GROUP BY k
                                                         ^^^^
  rule: a length of time is an interval literal of Spark, or a string that holds one
  hint: write an interval, as in INTERVAL 10 MINUTES or '10 minutes'

# a fraction for a number of rows
SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(2.5) GROUP BY k
----
WindowSyntaxError: COUNT: n must be an integer literal
  at line 1, column 47:
    SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(2.5) GROUP BY k
                                                  ^^^
  hint: write a whole number, as in 10

# a string for a number of rows
SELECT k, count(*) FROM t WINDOW ASSIGN COUNT('10') GROUP BY k
----
WindowSyntaxError: COUNT: n must be an integer literal
  at line 1, column 47:
    SELECT k, count(*) FROM t WINDOW ASSIGN COUNT('10') GROUP BY k
                                                  ^^^^
  hint: write a whole number, as in 10

# a string for a threshold
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER DELTA(v, 'x') GROUP BY k
----
WindowSyntaxError: DELTA: threshold must be a numeric literal
  at line 1, column 81:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER DELTA(v, 'x') GROUP BY k
                                                                                    ^^^
  hint: write a number, as in 2.5

# a number for a flag
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER DELTA(v, 1, signed => 1) GROUP BY k
----
WindowSyntaxError: DELTA: signed must be TRUE or FALSE
  at line 1, column 94:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER DELTA(v, 1, signed => 1) GROUP BY k
                                                                                                 ^
  hint: write TRUE or FALSE

# a number for a gap
SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, 30) GROUP BY k
----
WindowSyntaxError: SESSION: gap: a number has no unit of time
  at line 1, column 53:
    SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, 30) GROUP BY k
                                                        ^^
  rule: a length of time is an interval literal of Spark, or a string that holds one
  hint: write INTERVAL 30 SECONDS, MINUTES, HOURS or DAYS

# lateness without an interval
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') ALLOWED LATENESS GROUP BY k
----
WindowSyntaxError: ALLOWED LATENESS: expected an interval literal
  at line 1, column 64:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') ALLOWED LATENESS GROUP BY k
                                                                   ^^^^^^^^^^^^^^^^
  rule: a length of time is an interval literal of Spark, or a string that holds one
  hint: write an interval, as in INTERVAL 10 MINUTES or '10 minutes'

# lateness of a number
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') ALLOWED LATENESS 5 GROUP BY k
----
WindowSyntaxError: ALLOWED LATENESS: a number has no unit of time
  at line 1, column 81:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') ALLOWED LATENESS 5 GROUP BY k
                                                                                    ^
  rule: a length of time is an interval literal of Spark, or a string that holds one
  hint: write INTERVAL 5 SECONDS, MINUTES, HOURS or DAYS

# lateness with something after it
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') ALLOWED LATENESS '5 minutes' AND MORE GROUP BY k
----
WindowSyntaxError: ALLOWED LATENESS: expected an interval literal
  at line 1, column 81:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') ALLOWED LATENESS '5 minutes' AND MORE GROUP BY k
                                                                                    ^^^^^^^^^^^^^^^^^^^^
  rule: a length of time is an interval literal of Spark, or a string that holds one
  hint: write an interval, as in INTERVAL 10 MINUTES or '10 minutes'

# an interval without INTERVAL
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, 10 minutes) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: INTERVAL is missing
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, 10 minutes) GROUP BY k
                                                         ^^^^^^^^^^
  rule: a length of time is an interval literal of Spark, or a string that holds one
  hint: write INTERVAL 10 minutes or '10 minutes'

# the size before the time
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING('10 minutes', ts) GROUP BY k
----
WindowSyntaxError: TUMBLING: time must be a time expression or PROCTIME()
  at line 1, column 50:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING('10 minutes', ts) GROUP BY k
                                                     ^^^^^^^^^^^^
  hint: write a timestamp column; the time comes first, lengths after it

# months without INTERVAL
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, 10 months) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: MONTH cannot be used
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, 10 months) GROUP BY k
                                                         ^^^^^^^^^
  rule: months, quarters and years have no fixed length
  hint: write the length in days, as in INTERVAL 30 DAYS

# an abbreviated unit
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 s') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: s is not a unit of time: SECOND is meant
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 s') GROUP BY k
                                                         ^^^^^^
  rule: Spark takes no abbreviations: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 10 SECONDS or '10 seconds'

# an abbreviated unit without quotes
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 5 min) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: min is not a unit of time: MINUTE is meant
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 5 min) GROUP BY k
                                                         ^^^^^^^^^^^^^^
  rule: Spark takes no abbreviations: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 5 MINUTES or '5 minutes'

# abbreviated units without blanks
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1h30m') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: h is not a unit of time: HOUR is meant
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1h30m') GROUP BY k
                                                         ^^^^^^^
  rule: Spark takes no abbreviations: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 1 HOUR 30 MINUTES or '1 hour 30 minutes'

# milliseconds, abbreviated
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '100 ms') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: ms is not a unit of time: MILLISECOND is meant
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '100 ms') GROUP BY k
                                                         ^^^^^^^^
  rule: Spark takes no abbreviations: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 100 MILLISECONDS or '100 milliseconds'

# microseconds, abbreviated
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '20 µs') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: µs is not a unit of time: MICROSECOND is meant
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '20 µs') GROUP BY k
                                                         ^^^^^^^
  rule: Spark takes no abbreviations: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 20 MICROSECONDS or '20 microseconds'

# nanoseconds
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 ns') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: ns is not a unit of time: NANOSECOND is meant
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 ns') GROUP BY k
                                                         ^^^^^^^
  rule: Spark's timestamps are whole microseconds
  hint: write whole microseconds, as in INTERVAL 10 MICROSECONDS

# a duration of ISO 8601
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, PT10S) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: PT10S is not an interval of Spark: 10 SECONDS is meant
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, PT10S) GROUP BY k
                                                         ^^^^^
  rule: a number comes before a unit, with a blank between them: MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 10 SECONDS or '10 seconds'

# a duration of ISO 8601 in quotes
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, 'P1DT2H') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: 'P1DT2H' is not an interval of Spark: 1 DAY 2 HOURS is meant
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, 'P1DT2H') GROUP BY k
                                                         ^^^^^^^^
  rule: a number comes before a unit, with a blank between them: MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 1 DAY 2 HOURS or '1 day 2 hours'

# a duration as a clock shows it
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '00:10:00') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: '00:10:00' is not an interval of Spark: 10 MINUTES is meant
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '00:10:00') GROUP BY k
                                                         ^^^^^^^^^^
  rule: a number comes before a unit, with a blank between them: MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 10 MINUTES or '10 minutes'

# no blank before the unit
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10minutes') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: '10minutes' is not an interval of Spark: 10 MINUTES is meant
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10minutes') GROUP BY k
                                                         ^^^^^^^^^^^
  rule: a number comes before a unit, with a blank between them: MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 10 MINUTES or '10 minutes'

# months, abbreviated
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 mon') GROUP BY k
----
WindowSyntaxError: TUMBLING: size: mon is not a unit of time: MONTH is meant
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 mon') GROUP BY k
                                                         ^^^^^^^
  rule: months, quarters and years have no fixed length
  hint: write the length in days, as in INTERVAL 30 DAYS

# abbreviated units of fields
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '1:30' MIN TO SEC) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: MIN is not a unit of time: MINUTE is meant
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '1:30' MIN TO SEC) GROUP BY k
                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write MINUTE in the place of MIN

# an abbreviated unit of a gap
SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, INTERVAL 10 s) GROUP BY k
----
WindowSyntaxError: SESSION: gap: s is not a unit of time: SECOND is meant
  at line 1, column 53:
    SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, INTERVAL 10 s) GROUP BY k
                                                        ^^^^^^^^^^^^^
  rule: Spark takes no abbreviations: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 10 SECONDS or '10 seconds'

# a gap of a number and an abbreviated unit
SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, 10 s) GROUP BY k
----
WindowSyntaxError: SESSION: gap: s is not a unit of time: SECOND is meant
  at line 1, column 53:
    SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, 10 s) GROUP BY k
                                                        ^^^^
  rule: Spark takes no abbreviations: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 10 SECONDS or '10 seconds'

# a gap in one word
SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, 10m) GROUP BY k
----
WindowSyntaxError: SESSION: gap: m is not a unit of time: MINUTE is meant
  at line 1, column 53:
    SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, 10m) GROUP BY k
                                                        ^^^
  rule: Spark takes no abbreviations: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 10 MINUTES or '10 minutes'

# an abbreviated unit in a table function
SELECT * FROM TUMBLE(TABLE t, DESCRIPTOR(ts), '3 d')
----
WindowSyntaxError: TUMBLE: SIZE: d is not a unit of time: DAY is meant
  at line 1, column 47:
    SELECT * FROM TUMBLE(TABLE t, DESCRIPTOR(ts), '3 d')
                                                  ^^^^^
  rule: Spark takes no abbreviations: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 3 DAYS or '3 days'

# an abbreviated unit of lateness
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') ALLOWED LATENESS '1.5 h' GROUP BY k
----
WindowSyntaxError: ALLOWED LATENESS: h is not a unit of time: HOUR is meant
  at line 1, column 81:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') ALLOWED LATENESS '1.5 h' GROUP BY k
                                                                                    ^^^^^^^
  rule: Spark takes no abbreviations: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write INTERVAL 90 MINUTES or '90 minutes'

# a parameter within a length
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, :size * 2) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: expected an interval literal
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, :size * 2) GROUP BY k
                                                         ^^^^^^^^^
  rule: a length of time is an interval literal of Spark, or a string that holds one
  hint: let the parameter be the whole length, as in :size, or its number, as in INTERVAL :n MINUTES

# a parameter beside a number
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(? + 1) GROUP BY k
----
WindowSyntaxError: COUNT: n must be an integer literal
  at line 1, column 78:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(? + 1) GROUP BY k
                                                                                 ^^^^^
  hint: write a whole number, as in 10

# a parameter of no use
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(:n) ALLOWED LATENESS :wait :more GROUP BY k
----
WindowSyntaxError: ALLOWED LATENESS: expected an interval literal
  at line 1, column 99:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(:n) ALLOWED LATENESS :wait :more GROUP BY k
                                                                                                      ^^^^^^^^^^^
  rule: a length of time is an interval literal of Spark, or a string that holds one
  hint: let the parameter be the whole length, as in :size, or its number, as in INTERVAL :n MINUTES

# a unit that is finer than Spark's times
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 NANOSECOND) GROUP BY k
----
WindowSyntaxError: TUMBLING: size: NANOSECOND is not a unit of time in Spark
  at line 1, column 54:
    SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 NANOSECOND) GROUP BY k
                                                         ^^^^^^^^^^^^^^^^^^^^^
  rule: Spark's timestamps are whole microseconds
  hint: write whole microseconds, as in INTERVAL 10 MICROSECONDS
