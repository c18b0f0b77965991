# every word of ours as a column
SELECT window, assign, trigger, evict, late, into, apply, tumbling, session, count, stream, watermark, allowed, lateness, state, ttl, join, global, purging, sliding, cumulating, tumble, hop, cumulate FROM words

# every word of ours as a column of an alias, in other cases
SELECT w.WINDOW, w.Assign, w.TRIGGER, w.Late, w.Into, w.`apply`, w.Tumbling, w.Session, w.COUNT, w.Join FROM words AS w

# every word of ours as an alias
SELECT 1 window, 2 assign, 3 trigger, 4 evict, 5 late, 6 into, 7 apply, 8 tumbling, 9 session, 10 count, 11 stream, 12 watermark, 13 allowed, 14 lateness, 15 state, 16 ttl, 17 global, 18 purging, 19 before, 20 after

# every word of ours after AS
SELECT 1 AS window, 2 AS assign, 3 AS trigger, 4 AS evict, 5 AS late, 6 AS into, 7 AS apply, 8 AS tumbling, 9 AS session, 10 AS count, 11 AS stream, 12 AS watermark, 13 AS allowed, 14 AS lateness, 15 AS state, 16 AS ttl, 17 AS global, 18 AS purging, 19 AS join

# words of ours as aliases of tables
SELECT window.a FROM one window
----
SELECT assign.a FROM one assign
----
SELECT trigger.a FROM one trigger WHERE trigger.a = 1
----
SELECT evict.a FROM one evict GROUP BY evict.a
----
SELECT late.a FROM one late ORDER BY late.a
----
SELECT apply.a FROM one apply LIMIT 1
----
SELECT state.a FROM one AS state (a)
----
SELECT allowed.a, lateness.a FROM one allowed, one lateness
----
SELECT stream.a FROM one stream
----
SELECT watermark.a FROM one AS watermark
----
SELECT tumbling.a, session.a, count.a, global.a FROM one tumbling CROSS JOIN one session CROSS JOIN one count CROSS JOIN one global

# words of ours as CTEs
WITH window AS (SELECT 1 AS a), assign AS (SELECT a FROM window), trigger AS (TABLE assign), evict (late) AS (SELECT a FROM trigger), count AS (FROM evict), tumbling AS (SELECT * FROM count), session AS (SELECT late AS into FROM tumbling) SELECT * FROM session, window, assign

# words of ours as tables
CREATE TABLE window (assign INT) USING parquet
----
INSERT INTO window VALUES (1)
----
SELECT assign FROM window
----
SELECT window.assign FROM window WHERE window.assign > 0 GROUP BY window.assign
----
SELECT assign.assign FROM window assign
----
SELECT * FROM corpus.window assign JOIN window ON assign.assign = window.assign
----
DESCRIBE window assign
----
TABLE window
----
DROP TABLE window

# tables named like window functions with columns named like their arguments
CREATE TABLE tumble (table INT, descriptor INT, data INT) USING parquet
----
CREATE TABLE session (table STRING) USING parquet
----
INSERT INTO tumble (table, descriptor, data) VALUES (1, 2, 3)
----
SELECT table, descriptor, data FROM tumble
----
DROP TABLE tumble
----
DROP TABLE session

# tables named like window joins
CREATE TABLE window_join (table INT, descriptor INT) USING parquet
----
WITH co_group (table, data) AS (SELECT 1, 2) SELECT table FROM co_group
----
DROP TABLE window_join

# columns window and assign next to each other
SELECT window assign FROM words
----
SELECT window assign, trigger evict, late into FROM words
----
SELECT max(window) assign FROM words
----
SELECT 1 window, window assign FROM words
----
SELECT (window) assign FROM words
----
SELECT w.window assign FROM words w
----
SELECT DISTINCT window assign FROM words ORDER BY assign
----
FROM words SELECT window assign, trigger
----
SELECT CASE WHEN window = assign THEN window ELSE assign END window, window assign FROM words

# words of ours in WHERE, GROUP BY, HAVING, ORDER BY and LIMIT
SELECT window FROM words WHERE window AND assign
----
SELECT window, assign FROM words GROUP BY window, assign HAVING assign ORDER BY window, assign
----
SELECT trigger FROM words WHERE trigger BETWEEN late AND into ORDER BY trigger, late, into
----
SELECT count(count) FROM words GROUP BY count HAVING count(count) > 0
----
SELECT state FROM words WHERE ttl IS NOT NULL AND NOT allowed LIMIT 1

# words of ours as functions that are not there
SELECT window(1), assign(2) FROM words
----
SELECT tumbling(ts, INTERVAL 1 HOUR) FROM events
----
SELECT purging(count(1)) FROM events
----
SELECT trigger(1), evict(1)
----
SELECT * FROM tumbling(1)
----
SELECT * FROM session(1, 2)
----
SELECT window.assign(1)

# words of ours as parameters of functions
SELECT upper(window => 'a')
----
SELECT count(DISTINCT assign) FROM words

# words of ours as fields, keys and options
SELECT named_struct('window', 1, 'assign', 2) AS s, s.window assign, map('trigger', 1).trigger
----
SELECT * FROM json.`/nowhere/window/assign`
----
SELECT from_json('{"assign":1}', 'assign INT', map('window', 'assign')).assign window

# words of ours in structs and types
SELECT CAST(NULL AS STRUCT<window: INT, assign: STRUCT<trigger INT, late: ARRAY<INT>>>) AS window, named_struct('a', 1)::STRUCT<window INT> AS assign

# words of ours as lambda variables
SELECT transform(array(1), window -> window), transform(array(2), (assign, trigger) -> assign + trigger), reduce(array(1), 0, (late, into) -> late + into)

# words of ours as windows
SELECT sum(a) OVER window, sum(a) OVER assign, sum(a) OVER late FROM one WINDOW window AS (), assign AS window, late AS (PARTITION BY a)

# words of ours in PIVOT, UNPIVOT and VALUES
SELECT * FROM VALUES (1, 'x') AS assign(window, trigger) PIVOT (sum(window) AS window FOR trigger IN ('x' AS assign))

# words of ours as streams and watermarks
SELECT * FROM STREAM window assign
----
SELECT * FROM STREAM(events) WATERMARK window assign DELAY OF INTERVAL 10 SECONDS AS late

# words of ours in quotes next to each other
SELECT `window` `assign` FROM words
----
SELECT `assign`.`a` FROM `one` `assign`
----
SELECT `window` . `assign` FROM (SELECT named_struct('assign', 1) AS window)

# words of ours as labels, hints and comments
SELECT /*+ window(assign), trigger */ /* late into */ a -- state ttl
FROM one

# a table window where the words could open a clause
WITH window AS (SELECT 1 AS assign, TIMESTAMP '2024-01-01 00:00:00' AS ts) SELECT count(*) FROM window assign WHERE assign.assign = 1 GROUP BY window(ts, '1 hour')
----
SELECT assign FROM words WHERE assign ORDER BY window, assign

# aliases that are reserved in Flink and not in Spark
SELECT 1 AS proctime, 2 AS rowtime, 3 AS descriptor, 4 AS window_start, 5 AS window_end, 6 AS window_time, 7 AS pane_index, 8 AS pane_timing
----
SELECT proctime() AS window

# names like those that winsql gives
SELECT 1 AS windowed__row, 2 AS WINDOWED__KEY_0
----
SELECT windowed__p0 FROM (SELECT 1 AS windowed__p0)
