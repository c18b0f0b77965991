-- put the other joins into a subquery: FROM (SELECT ...) AS x WINDOW JOIN y ON x.id = y.id
SELECT * FROM (SELECT a.* FROM a JOIN c ON a.k = c.k) AS x WINDOW JOIN y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- leave one of them out
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), trigger => COUNT(3))

-- compute it as a column before: FROM (SELECT *, ... AS v FROM t); WHEN is the trigger that takes aggregates
SELECT k, count(*) FROM (SELECT *, date_trunc('hour', ts) AS v FROM t) WINDOW ASSIGN TUMBLING(v, '1 hour') TRIGGER WHEN(max(ts) > TIMESTAMP'2024-01-01 00:00:00') GROUP BY k

-- write an expression of Spark that is true or false, as in sum(v) > 100 AND count(*) > 3
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) > 100 AND count(*) > 3) GROUP BY k

-- write ON x.id = y.id AND ...
SELECT * FROM a x WINDOW JOIN b y ON x.id = y.id AND x.v > y.v WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- write WINDOW JOIN ... ON x.id = y.id, with one of these words before it
SELECT * FROM a x LEFT WINDOW JOIN b y ON x.id = y.id WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- use WINDOW ASSIGN GLOBAL(...) with TRIGGER and EVICT of your own
SELECT k, count(*) FROM t WINDOW ASSIGN GLOBAL(ts) TRIGGER COUNT(5) EVICT COUNT(10) GROUP BY k

-- compute it inside the aggregate, as in sum(round(v, 1)), or compare the aggregate itself
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(round(v, 1)) > 3) GROUP BY k
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(max(v) > 'x') GROUP BY k

-- use columns of x and window columns, or another type of join
SELECT x.k, window_start FROM a x SEMI WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
SELECT x.k, y.v FROM a x LEFT WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- write the name of the stream here
DROP STREAM IF EXISTS s

-- write AS SELECT ... FROM SOURCE
CREATE STREAMING VIEW v USING rate AS SELECT * FROM SOURCE

-- write WATERMARK ts DELAY OF INTERVAL 10 SECONDS
CREATE STREAMING VIEW v USING rate WATERMARK timestamp DELAY OF INTERVAL 10 SECONDS AS SELECT * FROM SOURCE

-- clauses are TRIGGER, EMIT, EVICT, ALLOWED LATENESS, LATE INTO, STATE TTL, APPLY and Spark's own
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(5) EVICT COUNT(3) ALLOWED LATENESS '1 minute' LATE INTO late STATE TTL '1 day' GROUP BY k
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 5 ROWS GROUP BY k

-- write SELECT ... FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k

-- close it with )
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')

-- one of COUNT, CUMULATING, GLOBAL, SESSION, SLIDING, TUMBLING, with its arguments in brackets
SELECT * FROM t WINDOW ASSIGN COUNT(3)
SELECT * FROM t WINDOW ASSIGN CUMULATING(ts, '1 hour', '10 minutes')
SELECT * FROM t WINDOW ASSIGN GLOBAL(ts) TRIGGER COUNT(3)
SELECT * FROM t WINDOW ASSIGN SESSION(ts, '10 minutes')
SELECT * FROM t WINDOW ASSIGN SLIDING(ts, '1 hour', '10 minutes')

-- name one time expression, or join two relations: FROM a WINDOW JOIN b ON a.id = b.id
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
SELECT count(*) FROM a WINDOW JOIN b ON a.id = b.id WINDOW ASSIGN TUMBLING((a.ts, b.ts), '1 hour')

-- compute the inner one in a SELECT before, and aggregate its result
SELECT k, count(*) FROM (SELECT *, max(v) OVER (PARTITION BY k) AS m FROM t) WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(m) > 3) GROUP BY k

-- hand over a query for anything else: TABLE(SELECT ... FROM t WHERE ...)
SELECT * FROM window_join(TABLE(SELECT k, ts FROM a WHERE v > 1) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))

-- write DESCRIPTOR(a_ts, b_ts), or PROCTIME() in its place
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(a_ts, b_ts), TUMBLING('1 hour'))
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, PROCTIME(), TUMBLING('1 hour'))

-- write x.v or y.v
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND x.v > 3 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND y.v > 3 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- compute it as a column of one side: FROM (SELECT *, ... AS v FROM a) AS x WINDOW JOIN ...
SELECT * FROM (SELECT *, v * 2 AS w FROM a) AS x WINDOW JOIN b y ON x.k = y.k AND x.w > 3 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- write (x.ts, y.ts), or PROCTIME()
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING(PROCTIME(), '1 hour')

-- aggregate the windowed SELECT in an outer query, or UNION ALL several
SELECT k, sum(c) FROM (SELECT k, j, count(*) AS c FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k, j) GROUP BY GROUPING SETS ((k), ())
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k UNION ALL SELECT NULL, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')

-- write OPTIONS (key 'value', ...)
ALTER STREAM s SET OPTIONS (trigger '1 second')

-- write AS SELECT ... FROM ...
CREATE STREAM s INTO noop AS SELECT * FROM t

-- give TUMBLING a time expression
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT TIME('1 minute') GROUP BY k

-- write LATE INTO and the name of a view or table
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') LATE INTO late GROUP BY k

-- write it after the items: FROM ... SELECT ... WINDOW ASSIGN ...
FROM t SELECT count(*) WINDOW ASSIGN TUMBLING(ts, '1 hour')

-- write SELECT ... FROM ..., not FROM ... SELECT ...
INSERT INTO a SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')

-- run the statements one by one; winsql -f runs a file of them
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')

-- put the windowed SELECT after the CTE, where all its rows are known
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT count(*) FROM r WINDOW ASSIGN COUNT(2)

-- leave it out, or open it before
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')

-- use window_start and window_end
SELECT window_start, window_end, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k

-- compare it with something, as in sum(v) > 100
SELECT count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER WHEN(sum(v) > 100) GROUP BY k

-- write TABLE(a)
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))

-- write PARTITION BY (k, j), or TABLE(b)
SELECT * FROM window_join(TABLE(a) PARTITION BY (k, j), TABLE(b) PARTITION BY (k, j), DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(db.b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))

-- hand over a query for anything but a table's name
SELECT * FROM window_join(TABLE(SELECT * FROM a AS x) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))

-- write PARTITION BY k, or PARTITION BY (k, j)
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))

-- compute it as a column of the table: TABLE(SELECT *, ... AS k FROM t) PARTITION BY k
SELECT * FROM window_join(TABLE(SELECT *, upper(k) AS u FROM a) PARTITION BY u, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))

-- leave it out here, and write DESCRIPTOR(a_ts, b_ts) or PROCTIME() before the window
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(a_ts, b_ts), TUMBLING('1 hour'))

-- put the alternatives into brackets: ON x.id = y.id AND (... OR ...)
SELECT * FROM a x WINDOW JOIN b y ON x.id = y.id AND (x.k = y.k OR x.v = y.v) WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- give it an alias: (SELECT ...) AS x
SELECT * FROM (SELECT * FROM a) AS x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- write after ON: WINDOW ASSIGN TUMBLING((a.ts, b.ts), INTERVAL 10 MINUTES); an alias is written AS window
SELECT k, count(*) FROM (SELECT a.* FROM a LEFT OUTER WINDOW JOIN b ON a.k = b.k WINDOW ASSIGN TUMBLING((a.ts, b.ts), INTERVAL 10 MINUTES)) GROUP BY k
SELECT k, count(*) FROM (SELECT window.* FROM a AS window LEFT JOIN b ON window.k = b.k) WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- known: ALL, ANY, CONTINUOUS_EVENT_TIME, CONTINUOUS_PROCESSING_TIME, COUNT, DELTA, EMIT, END_OF_STREAM, EVENT_TIME, NEVER, PROCESSING_TIME, PROCESSING_TIMEOUT, PURGING, WHEN
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ALL(EVENT_TIME(), COUNT(2)) GROUP BY k
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY(DELTA(v, 1), EVENT_TIME()) GROUP BY k
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER PURGING(PROCESSING_TIMEOUT(COUNT(3), '1 minute')) GROUP BY k

-- leave out GROUP BY (use PARTITION BY) to get the rows of each window
SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY k

-- compute it as a column before: FROM (SELECT *, ... AS k FROM t)
SELECT k, count(*) FROM (SELECT *, v % 2 AS k FROM t) WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- write APPLY and the name under which the function was registered, without brackets
SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') APPLY fit

-- leave it out to run micro-batches one after the other
CREATE STREAMING TABLE s AS SELECT * FROM t

-- write INTO format, for instance INTO parquet OPTIONS (path '...'); a table of the session is made by CREATE STREAMING TABLE
CREATE STREAM s INTO parquet OPTIONS (path '/s') AS SELECT * FROM t
CREATE STREAMING TABLE s AS SELECT * FROM t

-- add AS SELECT ...
CREATE STREAM s INTO noop OPTIONS (a 1) AS SELECT * FROM t

-- write v
CREATE STREAMING VIEW v USING rate

-- write OPTIONS (path '...')
CREATE STREAMING VIEW v USING json OPTIONS (path '/in')

-- write them in a query that reads it, FROM STREAM v
SELECT count(*) FROM STREAM v WINDOW ASSIGN TUMBLING(timestamp, '1 hour')

-- write compression '...'
CREATE STREAMING TABLE per_hour OPTIONS (compression 'zstd') AS SELECT n FROM t

-- write INTERVAL 10 SECONDS, MINUTES, HOURS or DAYS
AWAIT STREAM per_hour FOR INTERVAL 10 SECONDS

-- windows begin every size: take whole ones off the offset, which gives the same windows
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour', '0 minutes') GROUP BY k

-- write for instance a size of '1 hour' and a step of '10 minutes'
SELECT k, count(*) FROM t WINDOW ASSIGN CUMULATING(ts, '1 hour', '10 minutes') GROUP BY k

-- write TUMBLE(TABLE t, DESCRIPTOR(ts), size [, offset])
SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES, INTERVAL '5' MINUTES))

-- write DATA => ..., TIMECOL => ..., SIZE => ..., OFFSET => ...
SELECT * FROM TABLE(TUMBLE(DATA => TABLE t, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '10' MINUTES, OFFSET => INTERVAL '5' MINUTES))

-- write WINDOW ASSIGN ... before it, as in WINDOW ASSIGN GLOBAL(ts)
SELECT k, count(*) FROM r WINDOW ASSIGN GLOBAL(ts) TRIGGER COUNT(3) GROUP BY k

-- give GLOBAL a time expression
SELECT k, count(*) FROM t WINDOW ASSIGN GLOBAL(ts) TRIGGER COUNT(3) EVICT TIME('1 minute') GROUP BY k

-- leave one of them out, or combine them: ANY(..., ...) or ALL(..., ...)
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY(COUNT(3), COUNT(5)) GROUP BY k
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ALL(COUNT(3), COUNT(5)) GROUP BY k

-- leave one of them out; windows over windows are an outer SELECT
SELECT k, count(*) FROM (SELECT k, count(*) AS c FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) WINDOW ASSIGN COUNT(5) GROUP BY k

-- write one WHERE, with AND between the conditions
SELECT k, count(*) FROM t WHERE a AND b WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- ANY(...) and ALL(...) combine triggers; clauses are TRIGGER, EMIT, EVICT, ALLOWED LATENESS, LATE INTO, STATE TTL, APPLY and Spark's own
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY(COUNT(3), COUNT(5)) GROUP BY k

-- write the keys, as in GROUP BY k; without GROUP BY all rows share one window
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')

-- put GROUP BY before HAVING
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k HAVING count(*) > 1

-- write FROM and the table, view or subquery before WINDOW ASSIGN
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')

-- put the windowed SELECT into a subquery or before |>
SELECT k, count(*) AS c FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k |> WHERE k > 1
FROM (SELECT k, count(*) AS c FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k) |> WHERE k > 1

-- ORDER BY and LIMIT after a UNION belong to all of it: put the window clauses before them
SELECT k FROM a UNION ALL SELECT k FROM b WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k ORDER BY k

-- use another name; window columns are window_start, window_end, window_time
SELECT window_start, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')

-- run the statements of BEGIN ... END one by one
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')

-- close it with '
SELECT 'a' FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- close it with */; comments nest
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') /* late */ GROUP BY k

-- close it with `
SELECT `k` FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- put the inner part into a CTE or a view
WITH c AS (SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')) SELECT * FROM c

-- write the keys after the assigner: WINDOW ASSIGN ... PARTITION BY ...
SELECT k, v FROM t WINDOW ASSIGN GLOBAL(ts) PARTITION BY k TRIGGER COUNT(2)

-- write GROUP BY
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k

-- leave it out: the keys of GROUP BY are those of the windows
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k

-- write LATERAL VIEW OUTER explode(tags) t, or t AS x to name its column
SELECT count(*) FROM t LATERAL VIEW OUTER explode(tags) t AS x WHERE ok WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR)

-- write the column itself, without quotes
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- write the column itself
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- leave out OVER: an aggregate in WHEN is over the rows of the window so far
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(sum(v) > 3) GROUP BY k

-- compute a part of it as a column before: FROM (SELECT *, ... AS v FROM t)
SELECT k, count(*) FROM (SELECT *, NOT NOT v > 1 AS big FROM t) WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(max(big)) GROUP BY k

-- write TABLE(a) PARTITION BY id
SELECT * FROM window_join(TABLE(a) PARTITION BY id, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))

-- write as many keys on each side: PARTITION BY (k, j)
SELECT * FROM window_join(TABLE(a) PARTITION BY (k, j), TABLE(b) PARTITION BY (k, j), DESCRIPTOR(ts, ts), TUMBLING('1 hour'))

-- compute the time in the table: TABLE(SELECT *, ... AS ts FROM a)
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(SELECT *, ts + INTERVAL 1 HOUR AS later FROM b) PARTITION BY k, DESCRIPTOR(ts, later), TUMBLING('1 hour'))

-- write DESCRIPTOR(a_ts, b_ts), or PROCTIME()
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, PROCTIME(), TUMBLING('1 hour'))

-- write DESCRIPTOR(a_ts, b_ts) or PROCTIME() before it
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))

-- write DESCRIPTOR(a_ts, b_ts) before the window
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), GLOBAL(), trigger => COUNT(1), evictor => TIME('1 minute'))

-- add the window, by its place or as window => ...
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), window => TUMBLING('1 hour'))

-- parameters are size, offset
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING(size => '1 hour', offset => '5 minutes'))

-- keys come after the tables; trigger => ... and the other options after a comma
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), trigger => COUNT(3))

-- one of INNER, LEFT, RIGHT, FULL, SEMI, ANTI
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'INNER')
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'RIGHT')
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'FULL')
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'SEMI')
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'ANTI')

-- write join_type => 'LEFT'
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'LEFT')

-- parameters are left, right, time, window, apply, trigger, evictor, allowed_lateness, state_ttl
SELECT * FROM co_group(left => TABLE(a) PARTITION BY k, right => TABLE(b) PARTITION BY k, time => DESCRIPTOR(ts, ts), window => TUMBLING('1 hour'), apply => 'fit', trigger => COUNT(2), evictor => COUNT(3), allowed_lateness => '1 minute', state_ttl => '1 day')

-- parameters are left, right, time, window, join_type, trigger, evictor, allowed_lateness, state_ttl
SELECT * FROM window_join(left => TABLE(a) PARTITION BY k, right => TABLE(b) PARTITION BY k, time => DESCRIPTOR(ts, ts), window => TUMBLING('1 hour'), join_type => 'INNER', trigger => COUNT(2), evictor => COUNT(3), allowed_lateness => '1 minute', state_ttl => '1 day')

-- options have names: join_type => ..., trigger => ..., evictor => ..., allowed_lateness => ..., state_ttl => ...
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), trigger => COUNT(3))

-- write one of join_type => ..., trigger => ..., evictor => ..., allowed_lateness => ..., state_ttl => ...
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), window => TUMBLING('1 hour'), trigger => COUNT(3))

-- write COUNT(...)
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), trigger => COUNT(3))

-- write left.v or right.v
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), apply => 'fit', trigger => DELTA(left.v, 3))

-- write left.gap or right.gap
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, PROCTIME(), SESSION(left.gap), apply => 'fit')

-- write apply => 'f'
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), apply => 'fit')

-- the sides are x and y
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- compare it in WHERE, which sees the pairs of an inner join, or in a query around the join
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') WHERE window_start = x.ts
SELECT * FROM (SELECT x.ts, window_start FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')) WHERE window_start = ts

-- write ON x.id = y.id
SELECT * FROM a x WINDOW JOIN b y ON x.id = y.id WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- write the condition of the join: ON x.id = y.id
SELECT * FROM a x WINDOW JOIN b y ON x.id = y.id WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- write ON x.k = y.k
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- write a WINDOW JOIN b ON a.id = b.id
SELECT * FROM a WINDOW JOIN b ON a.id = b.id WINDOW ASSIGN TUMBLING((a.ts, b.ts), '1 hour')

-- give each side an alias: FROM a AS x WINDOW JOIN a AS y
SELECT * FROM a AS x WINDOW JOIN a AS y ON x.k = y.j WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- write x.ts or y.ts
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- write the keys into ON, and leave out PARTITION BY
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND x.j = y.j WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- write FROM co_group(TABLE(a) PARTITION BY id, TABLE(b) PARTITION BY id, ..., apply => 'f')
SELECT * FROM co_group(TABLE(a) PARTITION BY id, TABLE(b) PARTITION BY id, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), apply => 'fit')

-- write x.gap or y.gap
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN SESSION((x.ts, y.ts), x.gap)

-- write x.* EXCEPT (...), y.*
SELECT x.* EXCEPT (k), y.* FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- write x.x or y.x
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k AND x.x > 3 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- write after ON: WINDOW ASSIGN TUMBLING((x.ts, `the other`.ts), INTERVAL 10 MINUTES); an alias is written AS window
SELECT x.v FROM a x WINDOW JOIN b AS `the other` ON x.k = `the other`.k WINDOW ASSIGN TUMBLING((x.ts, `the other`.ts), INTERVAL 10 MINUTES) WHERE x.v > 1

-- write after ON: WINDOW ASSIGN TUMBLING((x.ts, y.ts), INTERVAL 10 MINUTES); an alias is written AS window
SELECT max(v) FROM (SELECT x.v FROM (SELECT * FROM a) AS x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), INTERVAL 10 MINUTES))

-- write after ON: WINDOW ASSIGN TUMBLING((x.ts, b.ts), INTERVAL 10 MINUTES); an alias is written AS window
SELECT x.v FROM db.a x WINDOW JOIN b ON x.k = b.j WINDOW ASSIGN TUMBLING((x.ts, b.ts), INTERVAL 10 MINUTES)

-- write FULL OUTER WINDOW JOIN; an alias is written AS window
SELECT * FROM a AS x FULL OUTER WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- put ON before WINDOW ASSIGN
SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')

-- write INTERVAL 60 SECONDS, MINUTES, HOURS or DAYS
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 60 SECONDS) GROUP BY k

-- write at most six digits after the point of seconds
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '0.000001 seconds') GROUP BY k

-- write a shorter one
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 4000 DAYS) GROUP BY k

-- carry it over to the unit before
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL '2 01:00:00' DAY TO SECOND) GROUP BY k

-- write INTERVAL 30 SECONDS, MINUTES, HOURS or DAYS
SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, INTERVAL 30 MINUTES) GROUP BY k

-- write INTERVAL 5 SECONDS, MINUTES, HOURS or DAYS
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') ALLOWED LATENESS INTERVAL 5 HOURS GROUP BY k

-- write a timestamp column; the time comes first, lengths after it
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k

-- known: COUNT, CUMULATING, GLOBAL, SESSION, SLIDING, TUMBLING
SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, '1 hour') GROUP BY k

-- write TUMBLING(...)
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- write EVENT_TIME(...)
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER EVENT_TIME() GROUP BY k

-- one of ALL, ANY, CONTINUOUS_EVENT_TIME, CONTINUOUS_PROCESSING_TIME, COUNT, DELTA, EMIT, END_OF_STREAM, EVENT_TIME, NEVER, PROCESSING_TIME, PROCESSING_TIMEOUT, PURGING, WHEN, with its arguments in brackets
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER CONTINUOUS_EVENT_TIME('1 minute') GROUP BY k
SELECT k, count(*) FROM t WINDOW ASSIGN GLOBAL(ts) TRIGGER END_OF_STREAM() GROUP BY k

-- TUMBLING is a window assigner: write WINDOW ASSIGN TUMBLING(...)
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- one of COUNT, DELTA, TIME, with its arguments in brackets
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT DELTA(v, 3) GROUP BY k
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT TIME('1 minute') GROUP BY k

-- triggers are ALL, ANY, CONTINUOUS_EVENT_TIME, CONTINUOUS_PROCESSING_TIME, COUNT, DELTA, EMIT, END_OF_STREAM, EVENT_TIME, NEVER, PROCESSING_TIME, PROCESSING_TIMEOUT, PURGING, WHEN, each with brackets
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER PURGING(COUNT(3)) GROUP BY k

-- slide is an interval
SELECT k, count(*) FROM t WINDOW ASSIGN SLIDING(ts, '1 hour', '10 minutes') GROUP BY k

-- time is a time expression or PROCTIME()
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(PROCTIME(), '1 hour') GROUP BY k

-- parameters are time, size, offset
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(time => ts, size => '1 hour', offset => '5 minutes') GROUP BY k

-- write TUMBLING(time, size [, offset]), each argument once
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- write size => ..., offset => ...
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(time => ts, size => '1 hour', offset => '1 minute') GROUP BY k

-- write it as time => ...
SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(10, 5, time => ts) GROUP BY k

-- triggers is one or more triggers
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY(COUNT(3)) GROUP BY k

-- write SLIDING(time, size, slide); HOP(TABLE t, DESCRIPTOR(ts), slide, size) goes into FROM
SELECT k, count(*) FROM t WINDOW ASSIGN SLIDING(ts, '10 minutes', '5 minutes') GROUP BY k
SELECT * FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTES, INTERVAL '10' MINUTES)

-- write TRIGGER WHEN(count(*) > 3)
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(count(*) > 3)

-- write a.k or b.k
SELECT a.k, count(*) FROM a JOIN b ON a.id = b.id WINDOW ASSIGN TUMBLING(a.ts, '1 hour') GROUP BY a.k, b.k

-- name a column, or leave out GROUP BY
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')

-- write the key itself, or a position in the select list
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY 1

-- leave out one of the two
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- filter with WHERE before the window, or put the windowed SELECT into a subquery and filter there
SELECT k FROM t WHERE k > 1 WINDOW ASSIGN TUMBLING(ts, '1 hour')
SELECT * FROM (SELECT k FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')) WHERE k > 1

-- write what to return, or *
SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')

-- write the expression before AS, or put a column of that name into backquotes
SELECT max(v) AS n, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')
SELECT max(`AS`) AS n, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')

-- write PAUSE, RESUME or SET OPTIONS (...)
ALTER STREAM s PAUSE
ALTER STREAM s RESUME

-- write for instance trigger
ALTER STREAM s SET OPTIONS (trigger '5 seconds')

-- write INTO format, for instance INTO parquet OPTIONS (path '...')
CREATE STREAM s INTO parquet OPTIONS (path '/s') AS SELECT * FROM t

-- write for instance INTO sqlite OPTIONS (path '...', table '...')
CREATE STREAM s INTO sqlite OPTIONS (path '/db', table 's') AS SELECT * FROM t

-- write them once, in one pair of brackets after the format
CREATE STREAM s INTO jdbc OPTIONS (password 'geheim', b 2) AS SELECT * FROM t

-- write LATE INTO format [OPTIONS (...)] once, after the first sink
CREATE STREAM s INTO noop LATE INTO noop AS SELECT * FROM t

-- write it in the OPTIONS after INTO
CREATE STREAM s INTO noop OPTIONS (trigger '1 second') LATE INTO noop AS SELECT * FROM t

-- write password '...'
CREATE STREAM s INTO jdbc OPTIONS (password 'geheim') AS SELECT * FROM t

-- add for instance USING json, rate or kafka, and its OPTIONS (...)
CREATE STREAMING VIEW v USING json OPTIONS (path '/in')

-- write the name of the streaming view here
CREATE STREAMING VIEW v (a INT) USING json

-- leave out GLOBAL
CREATE TEMPORARY STREAMING VIEW v USING rate

-- give each column a type, or none of them
CREATE STREAMING VIEW v (a INT, m MAP<STRING, INT>, b STRING) USING json
CREATE STREAMING VIEW v (a, m, b) USING json

-- write (a, b)
CREATE STREAMING VIEW v (a, b) USING json

-- choose another name
CREATE STREAMING VIEW v USING rate AS WITH rows AS (SELECT * FROM SOURCE) SELECT * FROM rows

-- write WATERMARK expression AS name DELAY OF ..., or a column
CREATE STREAMING VIEW v USING kafka WATERMARK to_timestamp(at) AS ts DELAY OF INTERVAL 1 SECOND

-- write the name of the streaming table here
CREATE STREAMING TABLE per_hour AS SELECT * FROM t

-- quote a name with points: `a.b`
CREATE STREAMING TABLE `a.b`.c AS SELECT * FROM t

-- leave the columns out: their names and types are those of the query
CREATE STREAMING TABLE per_hour AS SELECT n FROM t

-- leave it out: rows are kept by micro-batch
CREATE STREAMING TABLE per_hour AS SELECT n FROM t

-- write for instance USING parquet
CREATE STREAMING TABLE per_hour USING parquet AS SELECT n FROM t

-- leave one of them out; upper and lower case are the same
CREATE STREAMING TABLE per_hour OPTIONS (path '/y') AS SELECT n FROM t

-- write trigger 'available now'
CREATE STREAMING TABLE per_hour OPTIONS (trigger 'available now') AS SELECT n FROM t

-- write for instance '10 seconds' or 'available now'
CREATE STREAMING TABLE per_hour OPTIONS (trigger '10 seconds') AS SELECT n FROM t

-- write the name of the table of late rows here
CREATE STREAMING TABLE per_hour LATE INTO late AS SELECT n FROM t

-- write for instance FOR INTERVAL 30 SECONDS
AWAIT STREAM per_hour FOR INTERVAL 30 SECONDS

-- FOR INTERVAL 0 SECONDS only looks
AWAIT STREAM per_hour FOR INTERVAL 0 SECONDS

-- windows begin every slide: take whole ones off the offset, which gives the same windows
SELECT k, count(*) FROM t WINDOW ASSIGN SLIDING(ts, '1 hour', '10 minutes', '0 minutes') GROUP BY k

-- COUNT(1) makes a window of every row
SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(1) GROUP BY k

-- COUNT(n, 1) gives the last n rows at every row
SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(10, 1) GROUP BY k

-- COUNT(1) fires at every row
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(1) GROUP BY k

-- write how many of the last rows stay, as in COUNT(3)
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT COUNT(3) GROUP BY k

-- write how much older than the newest row rows may be, as in TIME(INTERVAL 5 MINUTES)
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EVICT TIME(INTERVAL 5 MINUTES) GROUP BY k

-- write TABLE t, or TABLE(SELECT ...)
SELECT * FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES)
SELECT * FROM TUMBLE(TABLE(SELECT * FROM t), DESCRIPTOR(ts), INTERVAL '10' MINUTES)

-- write TABLE(SELECT ...) to hand over anything but a whole table
SELECT * FROM TUMBLE(TABLE(SELECT * FROM t AS x), DESCRIPTOR(ts), INTERVAL '10' MINUTES)

-- write DESCRIPTOR(ts); keys belong in GROUP BY, those of SESSION in PARTITION BY
SELECT a FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTES, INTERVAL '10' MINUTES)) GROUP BY a, window_start, window_end
SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY a, DESCRIPTOR(ts), INTERVAL '10' MINUTES))

-- compute it in the table, as in TABLE(SELECT *, ... AS ts FROM t)
SELECT * FROM TABLE(TUMBLE(TABLE(SELECT *, ts + INTERVAL '1' HOUR AS later FROM t), DESCRIPTOR(later), INTERVAL '10' MINUTES))

-- its arguments are DATA, TIMECOL, SIZE, OFFSET
SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), SIZE => INTERVAL '10' MINUTES))

-- write HOP(TABLE t, DESCRIPTOR(ts), slide, size [, offset])
SELECT * FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTES, INTERVAL '10' MINUTES, INTERVAL '1' MINUTE))

-- write SESSION(TABLE t [PARTITION BY k], DESCRIPTOR(ts), gap)
SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '10' MINUTES))

-- the step comes before the size
SELECT * FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '2' MINUTES, INTERVAL '10' MINUTES))

-- leave out PARTITION BY and name the keys in GROUP BY
SELECT k FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES)) GROUP BY k, window_start, window_end

-- write TRIGGER COUNT(3)
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(3) GROUP BY k

-- write AS APPEND, AS UPSERT or AS RETRACTIONS
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 10 ROWS AS APPEND GROUP BY k
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 10 ROWS AS UPSERT GROUP BY k
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 10 ROWS AS RETRACTIONS GROUP BY k

-- did you mean COUNT(n) for every n rows, CONTINUOUS_EVENT_TIME(interval) for every interval?
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER COUNT(2) GROUP BY k
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER CONTINUOUS_EVENT_TIME('2 minutes') GROUP BY k

-- write OVER (PARTITION BY ... ORDER BY ...)
SELECT l.* FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) l QUALIFY rank() OVER (PARTITION BY l.window_end ORDER BY l.n) < 3

-- give the item another name, for instance AS kind
SELECT k, count(*) AS kind FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT AS UPSERT GROUP BY k

-- write a statement for each: INSERT INTO a SELECT ... FROM t WINDOW ASSIGN ...
INSERT INTO a SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- did you mean checkpointLocation?
CREATE STREAM s INTO parquet OPTIONS (checkpointLocation '/c', path '/p') AS SELECT * FROM t

-- give one of them another name
WITH w AS (SELECT n FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY))), v AS (SELECT 1) SELECT * FROM w

-- did you mean ALTER STREAM name PAUSE?
ALTER STREAM per_minute PAUSE

-- did you mean ALTER STREAM name RESUME?
ALTER STREAM per_minute RESUME

-- did you mean CREATE STREAMING TABLE, which goes on where it was?
CREATE STREAMING TABLE x AS SELECT 1

-- did you mean DROP STREAM, and then DROP TABLE for its rows?
DROP STREAM x
DROP TABLE x

-- put what is before it into a subquery: SELECT ... FROM (FROM t |> ...) WINDOW ASSIGN ...
SELECT count(*) FROM (FROM t |> AS r) WINDOW ASSIGN TUMBLING(ts, '10 minutes')

-- did you mean STOP STREAM name, one for each?
STOP STREAM x

-- did you mean CREATE STREAMING TABLE, which goes on where it was?
CREATE STREAMING TABLE x AS SELECT 1

-- write AS `total sum`
SELECT k, sum(v) AS `total sum` FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k

-- write AS `key`
SELECT k AS `key`, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k

-- write PARTITION BY (k, j)
SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY (k, j), DESCRIPTOR(ts), INTERVAL '10' MINUTES))

-- leave out the order
SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '10' MINUTES))

-- did you mean EXPLAIN, or EXPLAIN WINDOW for what winsql makes of it?
EXPLAIN SELECT k, count(*) FROM events WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
EXPLAIN WINDOW SELECT k, count(*) FROM events WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k

-- write FROM STREAM name WATERMARK ts DELAY OF INTERVAL 5 SECONDS in the query
SELECT k, count(*) FROM STREAM events WATERMARK ts DELAY OF INTERVAL 5 SECONDS WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k

-- write LATERAL f(...) AS t(x), without TABLE
SELECT * FROM events, LATERAL parts(k) AS t(part)

-- leave it out, or write EMIT EARLY EVERY INTERVAL 1 MINUTE after WINDOW ASSIGN ...
SELECT k, count(*) FROM events GROUP BY k
SELECT k, count(*) FROM events WINDOW ASSIGN TUMBLING(ts, '10 minutes') EMIT EARLY EVERY INTERVAL 1 MINUTE GROUP BY k

-- complete AS
SELECT k, sum(v) AS total FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k

-- complete >
SELECT k, sum(v) > 10 FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k

-- write TABLE(SELECT * FROM t)
SELECT * FROM TUMBLE(TABLE(SELECT * FROM t), DESCRIPTOR(ts), INTERVAL 1 MINUTE)

-- write PARTITION BY
SELECT * FROM SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL 1 MINUTE)

-- write the name
SELECT k, count(*) AS n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- write WATERMARK ts DELAY OF INTERVAL 10 SECONDS
SELECT k, count(*) AS c FROM STREAM r WATERMARK ts DELAY OF INTERVAL 10 SECONDS WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- write a comma before '1 minute'
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 minute') GROUP BY k

-- write a comma before INTERVAL 1 MINUTE
SELECT k, count(*) FROM r WINDOW ASSIGN SLIDING(ts, INTERVAL 2 MINUTES, INTERVAL 1 MINUTE) GROUP BY k

-- write a comma before DESCRIPTOR(ts)
SELECT * FROM TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL 1 MINUTE)

-- size is an interval
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 MINUTE 5 SECONDS) GROUP BY k

-- write the column's name itself in the place of IDENTIFIER(...)
SELECT k, window_end FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k

-- write EARLY EVERY ...
SELECT k, sum(v) FROM r WINDOW ASSIGN TUMBLING(ts, '10 minutes') EMIT EARLY EVERY INTERVAL 1 MINUTE GROUP BY k

-- write ON TIME
SELECT k, sum(v) FROM r WINDOW ASSIGN TUMBLING(ts, '10 minutes') EMIT ON TIME GROUP BY k

-- write AS before the query
CREATE STREAMING TABLE per_hour AS SELECT n FROM r

-- write OPTIONS (...)
CREATE STREAMING TABLE per_hour OPTIONS ('path' = '/x') AS SELECT n FROM r

-- leave it out, or leave out WINDOW
EXPLAIN WINDOW SELECT k, sum(v) FROM r WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k
EXPLAIN EXTENDED SELECT k, sum(v) FROM r WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k

-- write it after SELECT, or leave it out
SELECT /*+ COALESCE(1) */ k, sum(v) FROM r WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k

-- did you mean SHOW STREAM, or DESCRIBE for the columns of its table?
SHOW STREAM s
DESCRIBE s

-- write gap => INTERVAL 10 MINUTES
SELECT k, sum(v) FROM r WINDOW ASSIGN SESSION(ts, gap => INTERVAL 10 MINUTES) GROUP BY k

-- leave out DEFAULT, and write SET VAR name = (SELECT ...) after it for a variable
DECLARE most BIGINT
SET VAR most = (SELECT count(*) FROM r WINDOW ASSIGN GLOBAL() TRIGGER COUNT(3))

-- did you mean CREATE STREAM ... INTO or INSERT, a statement of its own for each?
CREATE STREAM s INTO console AS SELECT k FROM STREAM t

-- did you mean CREATE STREAMING VIEW name USING format OPTIONS (...)?
CREATE STREAMING VIEW s USING rate OPTIONS (rowsPerSecond '1')

-- write ALLOWED LATENESS INTERVAL 1 MINUTE after the brackets
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, INTERVAL 5 MINUTES) ALLOWED LATENESS INTERVAL 1 MINUTE GROUP BY k

-- write AS UPSERT
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 5 ROWS AS UPSERT GROUP BY k

-- write EARLY EVERY 5 ROWS
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 5 ROWS GROUP BY k

-- write EARLY EVERY 5 ROWS, or INTERVAL 5 SECONDS, MINUTES, HOURS or DAYS
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY 5 ROWS GROUP BY k
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') EMIT EARLY EVERY INTERVAL 5 SECONDS GROUP BY k

-- write EXPLAIN WINDOW SELECT ... FROM ... WINDOW ASSIGN ...
EXPLAIN WINDOW SELECT k FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY k

-- write TABLE(TUMBLE(...))
SELECT * FROM TABLE(TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '1' HOUR))

-- write TRIGGER WHEN(condition), or APPLY for a function of yours that sees the rows of a window
SELECT k FROM t WINDOW ASSIGN GLOBAL(ts) PARTITION BY k TRIGGER WHEN(v > 1)

-- write USING format OPTIONS (key 'value'), for a source of streams after CREATE STREAMING VIEW name
CREATE STREAMING VIEW s USING kafka OPTIONS (subscribe 'topic')

-- write a WINDOW JOIN b, or ON ... AND b.ts BETWEEN a.ts AND a.ts + INTERVAL 1 HOUR
SELECT a.k FROM a JOIN b ON a.k = b.k AND b.ts BETWEEN a.ts AND a.ts + INTERVAL 1 HOUR
SELECT a.k FROM a WINDOW JOIN b ON a.k = b.k WINDOW ASSIGN TUMBLING((a.ts, b.ts), '1 hour')

-- write a comma before EVENT_TIME()
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY(COUNT(2), EVENT_TIME()) GROUP BY k

-- write a comma before j
SELECT k, j, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k, j

-- write one trigger around both: ANY(..., ...) or ALL(..., ...)
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER ANY(COUNT(2), EVENT_TIME()) GROUP BY k

-- write the time of the rows and intervals alone, as in ts, INTERVAL 5 MINUTES
SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, INTERVAL 5 MINUTES) GROUP BY k

-- write for instance USING json
CREATE STREAMING VIEW v USING json

-- write USING before the format, as in USING json
CREATE STREAMING VIEW v (k STRING) USING json OPTIONS (path '/data')

-- write WATERMARK ts DELAY OF INTERVAL 5 SECONDS after OPTIONS (...)
CREATE STREAMING VIEW v (k STRING, ts TIMESTAMP) USING json OPTIONS (path '/data') WATERMARK ts DELAY OF INTERVAL 5 SECONDS

-- write ORDER BY
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k ORDER BY k

-- write SORT BY
SELECT k, count(*) FROM t GROUP BY k WINDOW ASSIGN TUMBLING(ts, '10 minutes') SORT BY k

-- write a comma before sum(v)
SELECT k, sum(v) FROM t GROUP BY k WINDOW ASSIGN TUMBLING(ts, '10 minutes')
