# STREAM for STREAMING
CREATE STREAM TABLE x AS SELECT 1
----
STREAM TABLE is not expected here
  at line 1, column 8:
    CREATE STREAM TABLE x AS SELECT 1
           ^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING TABLE?

# STREAMING is misspelled
CREATE OR REPLACE STREAMNG TABLE x AS SELECT 1
----
STREAMNG TABLE is not expected here
  at line 1, column 19:
    CREATE OR REPLACE STREAMNG TABLE x AS SELECT 1
                      ^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING TABLE?

# TABLE is misspelled
CREATE STREAMING TABEL x AS SELECT 1
----
STREAMING TABEL is not expected here
  at line 1, column 8:
    CREATE STREAMING TABEL x AS SELECT 1
           ^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING TABLE?

# STOP
STOP STREM x
----
STREM is not expected here
  at line 1, column 6:
    STOP STREM x
         ^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean STREAM?

# SHOW
SHOW STREAM
----
STREAM is not expected here
  at line 1, column 6:
    SHOW STREAM
         ^^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean STREAMS?

# AWAIT
AWAIT STRAEM x
----
STRAEM is not expected here
  at line 1, column 7:
    AWAIT STRAEM x
          ^^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean STREAM?

# EXPLAIN
EXPLAIN WINDOWS SELECT 1
----
WINDOWS is not expected here
  at line 1, column 9:
    EXPLAIN WINDOWS SELECT 1
            ^^^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean WINDOW?

# STREAM for STREAMING before VIEW
CREATE OR REPLACE STREAM VIEW v USING rate
----
STREAM VIEW is not expected here
  at line 1, column 19:
    CREATE OR REPLACE STREAM VIEW v USING rate
                      ^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING VIEW?

# TEMPORARY after STREAMING
CREATE STREAMING TEMPORARY VIEW v USING rate
----
STREAMING TEMPORARY VIEW is not expected here
  at line 1, column 8:
    CREATE STREAMING TEMPORARY VIEW v USING rate
           ^^^^^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING VIEW?

# streaming views are many
SHOW STREAMING VIEW
----
STREAMING VIEW is not expected here
  at line 1, column 6:
    SHOW STREAMING VIEW
         ^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING VIEWS?

# STREAM for STREAMING before VIEWS
SHOW STREAM VIEWS
----
STREAM VIEWS is not expected here
  at line 1, column 6:
    SHOW STREAM VIEWS
         ^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING VIEWS?

# STREAMING is misspelled before VIEW
DESCRIBE STREEMING VIEW v
----
STREEMING VIEW is not expected here
  at line 1, column 10:
    DESCRIBE STREEMING VIEW v
             ^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING VIEW?

# no stream of that name
DROP STREAM VIEW v
----
STREAM VIEW is not expected here
  at line 1, column 6:
    DROP STREAM VIEW v
         ^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING VIEW?

# SHOW of a misspelled stream
SHOW STREM s
----
STREM is not expected here
  at line 1, column 6:
    SHOW STREM s
         ^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean STREAM?

# ALTER of a misspelled stream
ALTER STREM s PAUSE
----
STREM is not expected here
  at line 1, column 7:
    ALTER STREM s PAUSE
          ^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean STREAM?

# DROP of a misspelled stream
DROP STEAM s
----
STEAM is not expected here
  at line 1, column 6:
    DROP STEAM s
         ^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean STREAM?

# ALTER STREAM TABLE
ALTER STREAM TABLE s PAUSE
----
STREAM TABLE is not expected here
  at line 1, column 7:
    ALTER STREAM TABLE s PAUSE
          ^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING TABLE?

# the verb of a command
AWIAT STREAM s FOR INTERVAL 5 SECONDS
----
AWIAT STREAM is not expected here
  at line 1, column 1:
    AWIAT STREAM s FOR INTERVAL 5 SECONDS
    ^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean AWAIT STREAM?

# a stream into a sink
CREATE OR REPLACE STEAM s INTO parquet OPTIONS (path 'x') AS SELECT 1 AS one
----
CREATE OR REPLACE STEAM is not expected here
  at line 1, column 1:
    CREATE OR REPLACE STEAM s INTO parquet OPTIONS (path 'x') AS SELECT 1 AS one
    ^^^^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean CREATE OR REPLACE STREAM?

# SHOW WINDOW STATE
SHOW WINDOW STATES OF s
----
SHOW WINDOW STATES OF is not expected here
  at line 1, column 1:
    SHOW WINDOW STATES OF s
    ^^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean SHOW WINDOW STATE OF?

# the watermark of a stream
SELECT k, count(*) FROM STREAM r WATERMRK ts DELAY OF INTERVAL 5 SECONDS GROUP BY k
----
WATERMRK is not expected here
  at line 1, column 34:
    SELECT k, count(*) FROM STREAM r WATERMRK ts DELAY OF INTERVAL 5 SECONDS GROUP BY k
                                     ^^^^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean WATERMARK?

# the delay of a watermark
SELECT k, count(*) FROM STREAM r WATERMARK ts DELY OF INTERVAL 5 SECONDS GROUP BY k
----
DELY is not expected here
  at line 1, column 47:
    SELECT k, count(*) FROM STREAM r WATERMARK ts DELY OF INTERVAL 5 SECONDS GROUP BY k
                                                  ^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean DELAY?

# a table function is misspelled
SELECT * FROM TABLE(TUMBEL(TABLE r, DESCRIPTOR(ts), INTERVAL '1' HOUR))
----
TUMBEL is not expected here
  at line 1, column 21:
    SELECT * FROM TABLE(TUMBEL(TABLE r, DESCRIPTOR(ts), INTERVAL '1' HOUR))
                        ^^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean TUMBLE?

# an assigner for a table function, with named arguments
SELECT * FROM Sliding(DATA => TABLE r, TIMECOL => DESCRIPTOR(ts), SLIDE => '1 hour', SIZE => '2 hours')
----
SLIDING is not expected here
  at line 1, column 15:
    SELECT * FROM Sliding(DATA => TABLE r, TIMECOL => DESCRIPTOR(ts), SLIDE => '1 hour', SIZE => '2 hours')
                  ^^^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean HOP?

# EXPLAIN is misspelled
EXPLANI WINDOW SELECT 1
----
EXPLANI WINDOW is not expected here
  at line 1, column 1:
    EXPLANI WINDOW SELECT 1
    ^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean EXPLAIN WINDOW?

# the verb of SHOW STREAMS
SHWO STREAMS
----
SHWO STREAMS is not expected here
  at line 1, column 1:
    SHWO STREAMS
    ^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean SHOW STREAMS?

# OF is missing
SHOW WINDOW STATE per_minute
----
SHOW WINDOW is not expected here
  at line 1, column 1:
    SHOW WINDOW STATE per_minute
    ^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean SHOW WINDOW STATE OF?
SHOW WINDOW STATE is not expected here
  at line 1, column 1:
    SHOW WINDOW STATE per_minute
    ^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean SHOW WINDOW STATE OF?

# a stream is paused by ALTER STREAM
PAUSE STREAM per_minute
----
PAUSE STREAM is not expected here
  at line 1, column 1:
    PAUSE STREAM per_minute
    ^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean ALTER STREAM name PAUSE?

# a stream goes on by ALTER STREAM
START STREAM per_minute
----
START STREAM is not expected here
  at line 1, column 1:
    START STREAM per_minute
    ^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean ALTER STREAM name RESUME?

# a stream is stopped
KILL STREAM per_minute
----
KILL STREAM is not expected here
  at line 1, column 1:
    KILL STREAM per_minute
    ^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STOP STREAM?

# streaming tables are streams
SHOW STREAMING TABLES
----
SHOW STREAMING TABLES is not expected here
  at line 1, column 1:
    SHOW STREAMING TABLES
    ^^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean SHOW STREAMS?

# a streaming table goes on
CREATE OR REFRESH STREAMING TABLE x AS SELECT 1
----
CREATE OR REFRESH STREAMING TABLE is not expected here
  at line 1, column 1:
    CREATE OR REFRESH STREAMING TABLE x AS SELECT 1
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean CREATE STREAMING TABLE, which goes on where it was?

# a streaming table is a stream and a table
DROP STREAMING TABLE x
----
DROP STREAMING TABLE is not expected here
  at line 1, column 1:
    DROP STREAMING TABLE x
    ^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean DROP STREAM, and then DROP TABLE for its rows?

# all streams at once
STOP ALL STREAMS
----
STOP ALL STREAMS is not expected here
  at line 1, column 1:
    STOP ALL STREAMS
    ^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STOP STREAM name, one for each?

# the statement of a stream
SHOW CREATE STREAM x
----
SHOW CREATE STREAM is not expected here
  at line 1, column 1:
    SHOW CREATE STREAM x
    ^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean SHOW STREAM?

# as other systems refresh tables
REFRESH STREAMING TABLE x
----
REFRESH STREAMING TABLE is not expected here
  at line 1, column 1:
    REFRESH STREAMING TABLE x
    ^^^^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean CREATE STREAMING TABLE, which goes on where it was?

# Flink's EXPLAIN PLAN FOR
EXPLAIN PLAN FOR SELECT k, count(*) FROM events WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
----
EXPLAIN PLAN FOR is not expected here
  at line 1, column 1:
    EXPLAIN PLAN FOR SELECT k, count(*) FROM events WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
    ^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean EXPLAIN, or EXPLAIN WINDOW for what winsql makes of it?

# Flink's watermark of a table
CREATE TABLE events (k STRING, ts TIMESTAMP, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) USING parquet
----
WATERMARK FOR is not expected here
  at line 1, column 46:
    CREATE TABLE events (k STRING, ts TIMESTAMP, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) USING parquet
                                                 ^^^^^^^^^^^^^
  rule: a watermark belongs to the query that reads a table as a stream
  hint: write FROM STREAM name WATERMARK ts DELAY OF INTERVAL 5 SECONDS in the query

# Flink's call of a table function
SELECT * FROM events, LATERAL TABLE(parts(k)) AS T(part)
----
LATERAL TABLE is not expected here
  at line 1, column 23:
    SELECT * FROM events, LATERAL TABLE(parts(k)) AS T(part)
                          ^^^^^^^^^^^^^
  rule: in Spark a table function is called by its name after LATERAL
  hint: write LATERAL f(...) AS t(x), without TABLE

# ksqlDB's EMIT CHANGES
SELECT k, count(*) FROM events GROUP BY k EMIT CHANGES
----
EMIT CHANGES is not expected here
  at line 1, column 43:
    SELECT k, count(*) FROM events GROUP BY k EMIT CHANGES
                                              ^^^^^^^^^^^^
  rule: on a stream a row leaves when its window is complete; EMIT says when else
  hint: leave it out, or write EMIT EARLY EVERY INTERVAL 1 MINUTE after WINDOW ASSIGN ...

# a statement about streams in a script
BEGIN
  DECLARE n INT = 1;
  IF n = 1 THEN SHOW STREAMS; END IF;
END
----
SHOW STREAMS cannot be used in a SQL script
  at line 3, column 17:
      IF n = 1 THEN SHOW STREAMS; END IF;
                    ^^^^^^^^^^^^
  rule: winsql runs one statement at a time
  hint: run the statements of BEGIN ... END one by one

# EXPLAIN WINDOW in a script
begin explain window SELECT 1; end
----
EXPLAIN WINDOW cannot be used in a SQL script
  at line 1, column 7:
    begin explain window SELECT 1; end
          ^^^^^^^^^^^^^^
  rule: winsql runs one statement at a time
  hint: run the statements of BEGIN ... END one by one

# a streaming table in a script
BEGIN CREATE STREAMING TABLE s AS SELECT * FROM STREAM t; END
----
CREATE STREAMING TABLE cannot be used in a SQL script
  at line 1, column 7:
    BEGIN CREATE STREAMING TABLE s AS SELECT * FROM STREAM t; END
          ^^^^^^^^^^^^^^^^^^^^^^
  rule: winsql runs one statement at a time
  hint: run the statements of BEGIN ... END one by one

# SHOW STREAMS without two letters
SHOW STREM
----
STREM is not expected here
  at line 1, column 6:
    SHOW STREM
         ^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean STREAMS?

# a watermark without OF
CREATE STREAMING TABLE x AS SELECT k, count(*) AS c FROM STREAM r WATERMARK ts DELAY INTERVAL 1 MINUTE WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
OF is missing here
  at line 1, column 80:
    CREATE STREAMING TABLE x AS SELECT k, count(*) AS c FROM STREAM r WATERMARK ts DELAY INTERVAL 1 MINUTE WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
                                                                                   ^^^^^
  rule: a watermark names the time of its rows and a delay
  hint: write WATERMARK ts DELAY OF INTERVAL 10 SECONDS

# a watermark without DELAY OF
SELECT k, count(*) AS c FROM STREAM r WATERMARK ts INTERVAL 1 MINUTE WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
DELAY OF is missing here
  at line 1, column 39:
    SELECT k, count(*) AS c FROM STREAM r WATERMARK ts INTERVAL 1 MINUTE WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
                                          ^^^^^^^^^^^^
  rule: a watermark names the time of its rows and a delay
  hint: write WATERMARK ts DELAY OF INTERVAL 10 SECONDS

# a watermark without INTERVAL
SELECT k, count(*) AS c FROM STREAM r WATERMARK ts DELAY OF 1 MINUTE WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
INTERVAL is missing here
  at line 1, column 52:
    SELECT k, count(*) AS c FROM STREAM r WATERMARK ts DELAY OF 1 MINUTE WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
                                                       ^^^^^^^^^^
  rule: a watermark names the time of its rows and a delay
  hint: write WATERMARK ts DELAY OF INTERVAL 10 SECONDS

# a watermark without its time
SELECT k, count(*) AS c FROM STREAM r WATERMARK DELAY OF INTERVAL 1 MINUTE WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
the time is missing here
  at line 1, column 39:
    SELECT k, count(*) AS c FROM STREAM r WATERMARK DELAY OF INTERVAL 1 MINUTE WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
                                          ^^^^^^^^^
  rule: a watermark names the time of its rows and a delay
  hint: write WATERMARK ts DELAY OF INTERVAL 10 SECONDS

# a delay without WATERMARK
SELECT k, count(*) AS c FROM STREAM r DELAY OF INTERVAL 1 MINUTE WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
WATERMARK is missing here
  at line 1, column 39:
    SELECT k, count(*) AS c FROM STREAM r DELAY OF INTERVAL 1 MINUTE WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
                                          ^^^^^^^^
  rule: a watermark names the time of its rows and a delay
  hint: write WATERMARK ts DELAY OF INTERVAL 10 SECONDS

# SHOW WINDOW
SHOW WINDOW
----
SHOW WINDOW is not expected here
  at line 1, column 1:
    SHOW WINDOW
    ^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean SHOW WINDOW STATE OF?

# SHOW STATE
SHOW STATE OF s
----
SHOW STATE is not expected here
  at line 1, column 1:
    SHOW STATE OF s
    ^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean SHOW WINDOW STATE OF?

# a streaming table to DESCRIBE
DESC STREAMING TABLE s
----
DESC STREAMING TABLE is not expected here
  at line 1, column 1:
    DESC STREAMING TABLE s
    ^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean SHOW STREAM, or DESCRIBE for the columns of its table?

# WINDOW after a word of Spark's EXPLAIN
EXPLAIN FORMATTED WINDOW SELECT 1
----
EXPLAIN FORMATTED WINDOW is not expected here
  at line 1, column 1:
    EXPLAIN FORMATTED WINDOW SELECT 1
    ^^^^^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean EXPLAIN WINDOW?

# the kind of a statement after EXPLAIN WINDOW
EXPLAIN WINDOW CREATE STREAM TABLE x AS SELECT 1
----
STREAM TABLE is not expected here
  at line 1, column 23:
    EXPLAIN WINDOW CREATE STREAM TABLE x AS SELECT 1
                          ^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING TABLE?

# a statement of Materialize's
TERMINATE s
----
TERMINATE is not expected here
  at line 1, column 1:
    TERMINATE s
    ^^^^^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean STOP STREAM?

# RisingWave's source
CREATE SOURCE s (k STRING, ts TIMESTAMP) WITH (connector = 'kafka')
----
CREATE SOURCE is not expected here
  at line 1, column 1:
    CREATE SOURCE s (k STRING, ts TIMESTAMP) WITH (connector = 'kafka')
    ^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean CREATE STREAMING VIEW name USING format OPTIONS (...)?
WITH is not expected here
  at line 1, column 42:
    CREATE SOURCE s (k STRING, ts TIMESTAMP) WITH (connector = 'kafka')
                                             ^^^^
  rule: a table has its format after USING, and settings of it in OPTIONS
  hint: write USING format OPTIONS (key 'value'), for a source of streams after CREATE STREAMING VIEW name

# Flink's statement set
EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; END
----
EXECUTE STATEMENT SET is not expected here
  at line 1, column 1:
    EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; END
    ^^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean CREATE STREAM ... INTO or INSERT, a statement of its own for each?

# RisingWave's EMIT ON WINDOW CLOSE
SELECT k, count(*) FROM events GROUP BY k EMIT ON WINDOW CLOSE
----
EMIT ON WINDOW CLOSE is not expected here
  at line 1, column 43:
    SELECT k, count(*) FROM events GROUP BY k EMIT ON WINDOW CLOSE
                                              ^^^^^^^^^^^^^^^^^^^^
  rule: on a stream a row leaves when its window is complete; EMIT says when else
  hint: leave it out, or write EMIT EARLY EVERY INTERVAL 1 MINUTE after WINDOW ASSIGN ...

# ksqlDB's EMIT FINAL in a subquery
SELECT * FROM (SELECT k, count(*) FROM events GROUP BY k EMIT FINAL) WHERE k > 1
----
EMIT FINAL is not expected here
  at line 1, column 58:
    SELECT * FROM (SELECT k, count(*) FROM events GROUP BY k EMIT FINAL) WHERE k > 1
                                                             ^^^^^^^^^^
  rule: on a stream a row leaves when its window is complete; EMIT says when else
  hint: leave it out, or write EMIT EARLY EVERY INTERVAL 1 MINUTE after WINDOW ASSIGN ...

# EMIT AFTER WATERMARK
SELECT k, count(*) FROM events EMIT AFTER WATERMARK GROUP BY k
----
EMIT AFTER WATERMARK is not expected here
  at line 1, column 32:
    SELECT k, count(*) FROM events EMIT AFTER WATERMARK GROUP BY k
                                   ^^^^^^^^^^^^^^^^^^^^
  rule: on a stream a row leaves when its window is complete; EMIT says when else
  hint: leave it out, or write EMIT EARLY EVERY INTERVAL 1 MINUTE after WINDOW ASSIGN ...

# row patterns
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES a.v AS x PATTERN (a b) DEFINE a AS v > 1)
----
MATCH_RECOGNIZE is not expected here
  at line 1, column 17:
    SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES a.v AS x PATTERN (a b) DEFINE a AS v > 1)
                    ^^^^^^^^^^^^^^^
  rule: winsql has windows, and no patterns of rows
  hint: write TRIGGER WHEN(condition), or APPLY for a function of yours that sees the rows of a window

# an alias like row patterns
SELECT * FROM t MATCH_RECOGNIZE (k, v)
----


# ksqlDB's WITHIN
SELECT a.k FROM a JOIN b WITHIN 1 HOUR ON a.k = b.k
----
WITHIN 1 HOUR is not expected here
  at line 1, column 26:
    SELECT a.k FROM a JOIN b WITHIN 1 HOUR ON a.k = b.k
                             ^^^^^^^^^^^^^
  rule: a join of two streams is one in windows, or has the bounds of their times in its condition
  hint: write a WINDOW JOIN b, or ON ... AND b.ts BETWEEN a.ts AND a.ts + INTERVAL 1 HOUR

# options after WITH
CREATE TABLE s (k STRING, v INT) WITH ('connector' = 'datagen')
----
WITH is not expected here
  at line 1, column 34:
    CREATE TABLE s (k STRING, v INT) WITH ('connector' = 'datagen')
                                     ^^^^
  rule: a table has its format after USING, and settings of it in OPTIONS
  hint: write USING format OPTIONS (key 'value'), for a source of streams after CREATE STREAMING VIEW name

# WATERMARK FOR of a streaming view
CREATE OR REPLACE STREAMING VIEW v (k STRING, ts TIMESTAMP, WATERMARK FOR ts AS ts - INTERVAL 10 SECONDS) USING json OPTIONS (path '/data')
----
WATERMARK FOR is not expected here
  at line 1, column 61:
    CREATE OR REPLACE STREAMING VIEW v (k STRING, ts TIMESTAMP, WATERMARK FOR ts AS ts - INTERVAL 10 SECONDS) USING json OPTIONS (path '/data')
                                                                ^^^^^^^^^^^^^
  rule: a watermark is a clause of its own
  hint: write WATERMARK ts DELAY OF INTERVAL 5 SECONDS after OPTIONS (...)

# a streaming source
CREATE STREAMING SOURCE v (k STRING) USING json OPTIONS (path '/data')
----
CREATE STREAMING SOURCE is not expected here
  at line 1, column 1:
    CREATE STREAMING SOURCE v (k STRING) USING json OPTIONS (path '/data')
    ^^^^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean CREATE STREAMING VIEW?

# RESTART STREAM
RESTART STREAM x
----
RESTART STREAM is not expected here
  at line 1, column 1:
    RESTART STREAM x
    ^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean ALTER STREAM name RESUME?

# one streaming table is a stream
SHOW STREAMING TABLE
----
SHOW STREAMING TABLE is not expected here
  at line 1, column 1:
    SHOW STREAMING TABLE
    ^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean SHOW STREAMS?

# a stream that goes with its session
CREATE TEMPORARY STREAM s INTO parquet OPTIONS (path '/a') AS SELECT k FROM t
----
CREATE TEMPORARY STREAM is not expected here
  at line 1, column 1:
    CREATE TEMPORARY STREAM s INTO parquet OPTIONS (path '/a') AS SELECT k FROM t
    ^^^^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean CREATE STREAM?

# a streaming view is made again
ALTER STREAMING VIEW v RENAME TO w
----
ALTER STREAMING VIEW is not expected here
  at line 1, column 1:
    ALTER STREAMING VIEW v RENAME TO w
    ^^^^^^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean CREATE OR REPLACE STREAMING VIEW?

# rows into a stream
INSERT STREAM t SELECT k FROM u
----
INSERT STREAM is not expected here
  at line 1, column 1:
    INSERT STREAM t SELECT k FROM u
    ^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean INSERT INTO?
