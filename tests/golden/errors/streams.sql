# a streaming table without a query
CREATE STREAMING TABLE per_hour
----
WindowSyntaxError: the query is missing
  at line 1, column 24:
    CREATE STREAMING TABLE per_hour
                           ^^^^^^^^
  rule: write CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name [USING format] [OPTIONS (...)] [LATE INTO name] AS query
  hint: add AS SELECT ...

# a streaming table AS nothing
CREATE STREAMING TABLE per_hour AS
----
WindowSyntaxError: AS needs a query
  at line 1, column 33:
    CREATE STREAMING TABLE per_hour AS
                                    ^^
  rule: write CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name [USING format] [OPTIONS (...)] [LATE INTO name] AS query
  hint: write AS SELECT ... FROM ...

# a streaming table AS no query
CREATE STREAMING TABLE per_hour AS t
----
WindowSyntaxError: AS needs a query
  at line 1, column 33:
    CREATE STREAMING TABLE per_hour AS t
                                    ^^
  rule: write CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name [USING format] [OPTIONS (...)] [LATE INTO name] AS query
  hint: write AS SELECT ... FROM ...

# a streaming table without a name
CREATE STREAMING TABLE AS SELECT * FROM t
----
WindowSyntaxError: the name of the streaming table is missing
  at line 1, column 24:
    CREATE STREAMING TABLE AS SELECT * FROM t
                           ^^
  hint: write the name of the streaming table here

# a name of four parts
CREATE STREAMING TABLE a.b.c.d AS SELECT * FROM t
----
WindowSyntaxError: the name of the streaming table has 4 parts
  at line 1, column 24:
    CREATE STREAMING TABLE a.b.c.d AS SELECT * FROM t
                           ^^^^^^^
  rule: a table's name is [[catalog.]database.]name
  hint: quote a name with points: `a.b`

# a name that ends with a point
STOP STREAM a.
----
WindowSyntaxError: the name of the stream is missing
  at line 1, column 15:
    STOP STREAM a.
                  ^
  hint: write the name of the stream here

# columns of a streaming table
CREATE STREAMING TABLE per_hour (n INT) AS SELECT n FROM t
----
WindowSyntaxError: ( is not allowed here
  at line 1, column 33:
    CREATE STREAMING TABLE per_hour (n INT) AS SELECT n FROM t
                                    ^
  rule: write CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name [USING format] [OPTIONS (...)] [LATE INTO name] AS query
  hint: leave the columns out: their names and types are those of the query

# LOCATION of a streaming table
CREATE STREAMING TABLE per_hour USING json LOCATION '/x' AS SELECT n FROM t
----
WindowSyntaxError: LOCATION is not allowed here
  at line 1, column 44:
    CREATE STREAMING TABLE per_hour USING json LOCATION '/x' AS SELECT n FROM t
                                               ^^^^^^^^
  rule: write CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name [USING format] [OPTIONS (...)] [LATE INTO name] AS query
  hint: write OPTIONS (path '...')

# a partitioned streaming table
CREATE STREAMING TABLE per_hour PARTITIONED BY (n) AS SELECT n FROM t
----
WindowSyntaxError: PARTITIONED is not allowed here
  at line 1, column 33:
    CREATE STREAMING TABLE per_hour PARTITIONED BY (n) AS SELECT n FROM t
                                    ^^^^^^^^^^^
  rule: write CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name [USING format] [OPTIONS (...)] [LATE INTO name] AS query
  hint: leave it out: rows are kept by micro-batch

# a clause of a streaming table that is given twice
CREATE STREAMING TABLE per_hour USING json USING csv AS SELECT n FROM t
----
WindowSyntaxError: this clause is given twice
  at line 1, column 44:
    CREATE STREAMING TABLE per_hour USING json USING csv AS SELECT n FROM t
                                               ^^^^^
  rule: write CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name [USING format] [OPTIONS (...)] [LATE INTO name] AS query
  hint: leave one of them out

# OR REPLACE and IF NOT EXISTS
CREATE OR REPLACE STREAMING TABLE IF NOT EXISTS per_hour AS SELECT n FROM t
----
WindowSpecError: OR REPLACE and IF NOT EXISTS are both there
  at line 1, column 35:
    CREATE OR REPLACE STREAMING TABLE IF NOT EXISTS per_hour AS SELECT n FROM t
                                      ^^^^^^^^^^^^^
  rule: one replaces a table that exists, the other leaves it alone
  hint: leave one of them out

# USING nothing
CREATE STREAMING TABLE per_hour USING 'json' AS SELECT n FROM t
----
WindowSyntaxError: USING needs a format
  at line 1, column 33:
    CREATE STREAMING TABLE per_hour USING 'json' AS SELECT n FROM t
                                    ^^^^^
  hint: write for instance USING parquet

# OPTIONS without brackets
CREATE STREAMING TABLE per_hour OPTIONS path '/x' AS SELECT n FROM t
----
WindowSyntaxError: OPTIONS needs brackets
  at line 1, column 33:
    CREATE STREAMING TABLE per_hour OPTIONS path '/x' AS SELECT n FROM t
                                    ^^^^^^^
  hint: write OPTIONS (key 'value', ...)

# an option without a value
CREATE STREAMING TABLE per_hour OPTIONS (compression) AS SELECT n FROM t
----
WindowSyntaxError: option compression needs a value
  at line 1, column 42:
    CREATE STREAMING TABLE per_hour OPTIONS (compression) AS SELECT n FROM t
                                             ^^^^^^^^^^^
  rule: values are strings, numbers, TRUE or FALSE
  hint: write compression '...'

# an option without a name
CREATE STREAMING TABLE per_hour OPTIONS (= 'zstd') AS SELECT n FROM t
----
WindowSyntaxError: an option needs a name
  at line 1, column 42:
    CREATE STREAMING TABLE per_hour OPTIONS (= 'zstd') AS SELECT n FROM t
                                             ^^^^^^^^
  hint: write OPTIONS (key 'value', ...)

# an option that is given twice
CREATE STREAMING TABLE per_hour OPTIONS (Path '/x', path '/y') AS SELECT n FROM t
----
WindowSyntaxError: option path is given twice
  at line 1, column 53:
    CREATE STREAMING TABLE per_hour OPTIONS (Path '/x', path '/y') AS SELECT n FROM t
                                                        ^^^^^^^^^
  hint: leave one of them out; upper and lower case are the same

# an option with two values
CREATE STREAMING TABLE per_hour OPTIONS (compression zstd gzip) AS SELECT n FROM t
----
WindowSyntaxError: option compression needs a value
  at line 1, column 42:
    CREATE STREAMING TABLE per_hour OPTIONS (compression zstd gzip) AS SELECT n FROM t
                                             ^^^^^^^^^^^^^^^^^^^^^
  rule: values are strings, numbers, TRUE or FALSE
  hint: write compression '...'

# a trigger that Spark has given up
CREATE STREAMING TABLE per_hour OPTIONS (trigger 'once') AS SELECT n FROM t
----
WindowSpecError: once is no trigger of a stream
  at line 1, column 50:
    CREATE STREAMING TABLE per_hour OPTIONS (trigger 'once') AS SELECT n FROM t
                                                     ^^^^^^
  rule: a trigger is 'available now' or an interval between micro-batches such as '10 seconds'
  hint: write trigger 'available now'

# a trigger that is none
CREATE STREAMING TABLE per_hour OPTIONS (trigger 'at noon') AS SELECT n FROM t
----
WindowSpecError: at noon is no trigger of a stream
  at line 1, column 50:
    CREATE STREAMING TABLE per_hour OPTIONS (trigger 'at noon') AS SELECT n FROM t
                                                     ^^^^^^^^^
  rule: a trigger is 'available now' or an interval between micro-batches such as '10 seconds'
  hint: leave it out to run micro-batches one after the other

# a trigger with an unknown unit
CREATE STREAMING TABLE per_hour OPTIONS (trigger '10 apples') AS SELECT n FROM t
----
WindowSyntaxError: trigger: APPLES is not a unit of time
  at line 1, column 50:
    CREATE STREAMING TABLE per_hour OPTIONS (trigger '10 apples') AS SELECT n FROM t
                                                     ^^^^^^^^^^^
  rule: units are MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, singular or plural
  hint: write an interval, as in INTERVAL 10 MINUTES or '10 minutes'

# a trigger of the past
CREATE STREAMING TABLE per_hour OPTIONS (trigger '-10 seconds') AS SELECT n FROM t
----
WindowSpecError: trigger: the interval must not be negative
  at line 1, column 50:
    CREATE STREAMING TABLE per_hour OPTIONS (trigger '-10 seconds') AS SELECT n FROM t
                                                     ^^^^^^^^^^^^^
  hint: write for instance '10 seconds' or 'available now'

# an option whose bracket is not closed
CREATE STREAMING TABLE per_hour OPTIONS (path '/x' AS SELECT n FROM t
----
WindowSyntaxError: this bracket is not closed
  at line 1, column 41:
    CREATE STREAMING TABLE per_hour OPTIONS (path '/x' AS SELECT n FROM t
                                            ^
  rule: every bracket, quote and comment that is opened is closed
  hint: close it with )

# LATE INTO of a streaming table without a name
CREATE STREAMING TABLE per_hour LATE INTO AS SELECT n FROM t
----
WindowSyntaxError: the name of the table of late rows is missing
  at line 1, column 43:
    CREATE STREAMING TABLE per_hour LATE INTO AS SELECT n FROM t
                                              ^^
  hint: write the name of the table of late rows here

# a mistake in the windows of a streaming table
CREATE STREAMING TABLE per_hour AS
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '0 hours')
----
WindowSpecError: TUMBLING: this size cannot be used
  at line 2, column 51:
    SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '0 hours')
                                                      ^^^^^^^^^
  rule: the size must be positive
  hint: write a length such as INTERVAL 10 MINUTES

# a second statement after a streaming table
CREATE STREAMING TABLE per_hour AS SELECT n FROM t; SELECT 1
----
WindowSyntaxError: a second statement begins here
  at line 1, column 53:
    CREATE STREAMING TABLE per_hour AS SELECT n FROM t; SELECT 1
                                                        ^^^^^^
  rule: one statement at a time
  hint: run the statements one by one; winsql -f runs a file of them

# SHOW STREAMS of something
SHOW STREAMS LIKE 'x'
----
WindowSyntaxError: nothing may follow here
  at line 1, column 14:
    SHOW STREAMS LIKE 'x'
                 ^^^^^^^^
  rule: the statement ends before
  hint: leave it out

# STOP STREAM without a name
STOP STREAM
----
WindowSyntaxError: the name of the stream is missing
  at line 1, column 12:
    STOP STREAM
               ^
  hint: write the name of the stream here

# AWAIT STREAM FOR nothing
AWAIT STREAM per_hour FOR
----
WindowSyntaxError: FOR needs an interval
  at line 1, column 23:
    AWAIT STREAM per_hour FOR
                          ^^^
  hint: write for instance FOR INTERVAL 30 SECONDS

# AWAIT STREAM FOR a number
AWAIT STREAM per_hour FOR 10
----
WindowSyntaxError: FOR: a number has no unit of time
  at line 1, column 27:
    AWAIT STREAM per_hour FOR 10
                              ^^
  rule: a length of time is an interval literal of Spark, or a string that holds one
  hint: write INTERVAL 10 SECONDS, MINUTES, HOURS or DAYS

# AWAIT STREAM FOR a time that has passed
AWAIT STREAM per_hour FOR INTERVAL -1 SECOND
----
WindowSpecError: FOR: the interval must not be negative
  at line 1, column 27:
    AWAIT STREAM per_hour FOR INTERVAL -1 SECOND
                              ^^^^^^^^^^^^^^^^^^
  hint: FOR INTERVAL 0 SECONDS only looks

# SHOW WINDOW STATE of nothing
SHOW WINDOW STATE OF
----
WindowSyntaxError: the name of the stream is missing
  at line 1, column 21:
    SHOW WINDOW STATE OF
                        ^
  hint: write the name of the stream here

# an option of the stream that is misspelled
CREATE STREAMING TABLE per_hour OPTIONS (compression 'zstd', triger 'available now') AS SELECT * FROM t
----
WindowSpecError: triger is not an option
  at line 1, column 62:
    CREATE STREAMING TABLE per_hour OPTIONS (compression 'zstd', triger 'available now') AS SELECT * FROM t
                                                                 ^^^^^^^^^^^^^^^^^^^^^^
  rule: options that are not the stream's go to its sink, and one spelled almost like the stream's is a mistake
  hint: did you mean trigger?

# a streaming table whose query has no AS
CREATE STREAMING TABLE per_hour SELECT n FROM t
----
WindowSyntaxError: SELECT is not allowed here
  at line 1, column 33:
    CREATE STREAMING TABLE per_hour SELECT n FROM t
                                    ^^^^^^
  rule: write CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name [USING format] [OPTIONS (...)] [LATE INTO name] AS query
  hint: write AS before the query

# a streaming table with options as Flink has them
CREATE STREAMING TABLE per_hour WITH ('path' = '/x') AS SELECT n FROM t
----
WindowSyntaxError: WITH is not allowed here
  at line 1, column 33:
    CREATE STREAMING TABLE per_hour WITH ('path' = '/x') AS SELECT n FROM t
                                    ^^^^
  rule: write CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name [USING format] [OPTIONS (...)] [LATE INTO name] AS query
  hint: write OPTIONS (...)

# a streaming table with TBLPROPERTIES
CREATE STREAMING TABLE per_hour TBLPROPERTIES ('a' = 'b') AS SELECT n FROM t
----
WindowSyntaxError: TBLPROPERTIES is not allowed here
  at line 1, column 33:
    CREATE STREAMING TABLE per_hour TBLPROPERTIES ('a' = 'b') AS SELECT n FROM t
                                    ^^^^^^^^^^^^^
  rule: write CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name [USING format] [OPTIONS (...)] [LATE INTO name] AS query
  hint: write OPTIONS (...)

# a clustered streaming table
CREATE STREAMING TABLE per_hour CLUSTER BY (n) AS SELECT n FROM t
----
WindowSyntaxError: CLUSTER is not allowed here
  at line 1, column 33:
    CREATE STREAMING TABLE per_hour CLUSTER BY (n) AS SELECT n FROM t
                                    ^^^^^^^
  rule: write CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name [USING format] [OPTIONS (...)] [LATE INTO name] AS query
  hint: leave it out: rows are kept by micro-batch

# another way to resume
CREATE STREAMING TABLE s OPTIONS (resume 'yes') AS SELECT k FROM t
----
WindowSpecError: 'yes' is no way to resume
  at line 1, column 42:
    CREATE STREAMING TABLE s OPTIONS (resume 'yes') AS SELECT k FROM t
                                             ^^^^^
  rule: where the checkpoint is gone, resume 'append' keeps the rows and reads the sources from their start
  hint: write resume 'append', or leave it out

# a trigger without quotes
CREATE STREAMING TABLE x OPTIONS (trigger AVAILABLE NOW) AS SELECT k, count(*) AS n FROM ev WINDOW ASSIGN TUMBLING(ts, '5 minutes') GROUP BY k
----
WindowSpecError: AVAILABLE NOW is no trigger of a stream
  at line 1, column 43:
    CREATE STREAMING TABLE x OPTIONS (trigger AVAILABLE NOW) AS SELECT k, count(*) AS n FROM ev WINDOW ASSIGN TUMBLING(ts, '5 minutes') GROUP BY k
                                              ^^^^^^^^^^^^^
  rule: a trigger is 'available now' or an interval between micro-batches such as '10 seconds'
  hint: write trigger 'available now'

# checkpoint for checkpointLocation
CREATE STREAMING TABLE x OPTIONS (checkpoint '/data/c') AS SELECT k, count(*) AS n FROM ev WINDOW ASSIGN TUMBLING(ts, '5 minutes') GROUP BY k
----
WindowSpecError: checkpoint is not an option
  at line 1, column 35:
    CREATE STREAMING TABLE x OPTIONS (checkpoint '/data/c') AS SELECT k, count(*) AS n FROM ev WINDOW ASSIGN TUMBLING(ts, '5 minutes') GROUP BY k
                                      ^^^^^^^^^^^^^^^^^^^^
  rule: options that are not the stream's go to its sink, and one spelled almost like the stream's is a mistake
  hint: did you mean checkpointLocation?

# an option with underscores
CREATE STREAMING TABLE x OPTIONS (checkpoint_dir '/data/c') AS SELECT k, count(*) AS n FROM ev WINDOW ASSIGN TUMBLING(ts, '5 minutes') GROUP BY k
----
WindowSpecError: checkpoint_dir is not an option
  at line 1, column 35:
    CREATE STREAMING TABLE x OPTIONS (checkpoint_dir '/data/c') AS SELECT k, count(*) AS n FROM ev WINDOW ASSIGN TUMBLING(ts, '5 minutes') GROUP BY k
                                      ^^^^^^^^^^^^^^^^^^^^^^^^
  rule: options that are not the stream's go to its sink, and one spelled almost like the stream's is a mistake
  hint: did you mean checkpointLocation?

# progress beside the micro-batches
CREATE STREAM x INTO kafka OPTIONS (checkpointLocation '/c', topic 't', asyncProgressTrackingEnabled true) AS SELECT k, count(*) AS n FROM ev WINDOW ASSIGN TUMBLING(ts, '5 minutes') GROUP BY k
----
WindowSpecError: asyncProgressTrackingEnabled is no option of these streams
  at line 1, column 73:
    CREATE STREAM x INTO kafka OPTIONS (checkpointLocation '/c', topic 't', asyncProgressTrackingEnabled true) AS SELECT k, count(*) AS n FROM ev WINDOW ASSIGN TUMBLING(ts, '5 minutes') GROUP BY k
                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: Spark notes the progress of a stream beside its micro-batches only where no operator keeps state
  hint: leave it out
