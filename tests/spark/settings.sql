SELECT k, window_start, window_end, count(*) AS n, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k;

SELECT k, window_time, avg(x) AS a
FROM settings_rows WHERE ok
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k HAVING bool_or(ok);

SELECT s, max(v) AS `end`, min(v) AS `order`
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY s;

SELECT k, window_start, window_end, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, '7 minutes', '2 minutes') GROUP BY k;

SELECT k, window_start, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN TUMBLING(ntz, INTERVAL 1 DAY) GROUP BY k;

SELECT window_end, count(*) AS n
FROM settings_rows
WINDOW ASSIGN TUMBLING(day, INTERVAL 1 DAY);

SELECT k, window_start, window_end, count(*) AS n
FROM settings_rows
WINDOW ASSIGN SLIDING(ts, INTERVAL 1 HOUR, INTERVAL 20 MINUTES) GROUP BY k;

SELECT k, window_start, window_end, count(*) AS n
FROM settings_rows
WINDOW ASSIGN SLIDING(ntz, INTERVAL 20 MINUTES, INTERVAL 1 HOUR) GROUP BY k;

SELECT k, window_start, window_end, window_time, count(*) AS n
FROM settings_rows
WINDOW ASSIGN SESSION(ts, INTERVAL 5 MINUTES) GROUP BY k;

SELECT k, window_end, count(*) AS n
FROM settings_rows
WINDOW ASSIGN SESSION(ntz, make_dt_interval(0, 0, v)) GROUP BY k;

SELECT k, window_start, window_end, count(*) AS n
FROM settings_rows
WINDOW ASSIGN CUMULATING(ts, INTERVAL 1 HOUR, INTERVAL 15 MINUTES) GROUP BY k;

SELECT k, window_start, window_end, count(*) AS n
FROM settings_rows
WINDOW ASSIGN CUMULATING(ntz, INTERVAL 1 HOUR, INTERVAL 15 MINUTES) GROUP BY k;

SELECT k || '|' || s AS name, count(DISTINCT g) AS n, pane_timing
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k, s;

SELECT k, count(*) AS n, rank() OVER (PARTITION BY window_start ORDER BY count(*), k) AS place
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k;

SELECT k, count_if(v > 3) + 1 AS n
FROM settings_rows r JOIN settings_others USING (k)
WINDOW ASSIGN TUMBLING(r.ts, INTERVAL 10 MINUTES) GROUP BY ALL;

SELECT upper(k) AS u, percentile(v, 0.5) AS p, max_by(s, v) AS m
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY upper(k);

WITH w AS (SELECT k, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k) SELECT k, max(s) AS m FROM w GROUP BY k;

SELECT k, n
FROM (SELECT k, count(*) AS n
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k) WHERE n > 1;

SELECT k, count(*) AS n
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k UNION ALL SELECT k, 0
FROM settings_others;

SELECT hour(ntz) AS h, sum(x) AS s
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY hour(ntz);

SELECT k, window_start, window_end, count(*) AS n, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) TRIGGER PURGING(EVENT_TIME()) GROUP BY k;

SELECT k, pane_index, pane_timing, sum(x) AS s
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) TRIGGER COUNT(2) GROUP BY k;

SELECT k, collect_list(v) AS l, first(s) AS f
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) TRIGGER PURGING(COUNT(2)) GROUP BY k;

SELECT k, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) EVICT COUNT(2) GROUP BY k;

SELECT k, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) EVICT TIME(INTERVAL 2 MINUTES) GROUP BY k;

SELECT k, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN GLOBAL(ts) TRIGGER DELTA(x, 1.5) EVICT DELTA(x, 2) GROUP BY k;

SELECT k, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN GLOBAL(ts) TRIGGER WHEN(sum(v) > 5) GROUP BY k HAVING sum(v) > 5;

SELECT k, sum(v) AS s, max(ok) AS m
FROM settings_rows
WINDOW ASSIGN COUNT(2, time => ts) GROUP BY k;

SELECT k, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN COUNT(3, 1, time => ntz) GROUP BY k;

SELECT k, percentile(v, 0.5) AS p, to_json(max(named_struct('a', v))) AS j
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) TRIGGER COUNT(2) GROUP BY k;

SELECT k, window_start, window_end, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN SLIDING(ntz, INTERVAL 1 HOUR, INTERVAL 20 MINUTES) TRIGGER COUNT(3) GROUP BY k;

SELECT k, window_start, window_end, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN SESSION(ntz, INTERVAL 10 MINUTES) TRIGGER COUNT(2) GROUP BY k;

SELECT k, window_start, window_end, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN SESSION(ts, make_dt_interval(0, 0, v)) TRIGGER COUNT(1) GROUP BY k;

SELECT k, window_start, window_end, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN CUMULATING(ts, INTERVAL 1 HOUR, INTERVAL 15 MINUTES) TRIGGER COUNT(2) GROUP BY k;

SELECT window_start, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN TUMBLING(day, INTERVAL 1 DAY) TRIGGER COUNT(4);

SELECT *, window_end
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) PARTITION BY g TRIGGER COUNT(1);

SELECT k AS `select`, ts, upper(s) AS u, pane_index
FROM settings_rows WHERE (ok)
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) PARTITION BY k;

SELECT k, n, window_end
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) PARTITION BY k APPLY settings_size;

SELECT k, sum(v) AS s
FROM settings_rows
WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) TRIGGER ANY(COUNT(3), CONTINUOUS_EVENT_TIME(INTERVAL 5 MINUTES)) GROUP BY k;

SELECT a.k, a.v, b.w, window_start
FROM settings_rows a WINDOW JOIN settings_others b ON a.k = b.k
WINDOW ASSIGN TUMBLING((a.ts, b.ts), INTERVAL 10 MINUTES);

SELECT a.k, a.v, b.w, window_end
FROM settings_rows a LEFT WINDOW JOIN settings_others b ON a.k = b.k AND b.w > a.v
WINDOW ASSIGN SLIDING((a.ts, b.ts), INTERVAL 20 MINUTES, INTERVAL 10 MINUTES);

SELECT a.v, b.w, window_end
FROM settings_rows a FULL WINDOW JOIN settings_others b ON a.k = b.k AND b.w > a.v
WINDOW ASSIGN SESSION((a.ts, b.ts), INTERVAL 10 MINUTES);

SELECT a.k, a.v
FROM settings_rows a ANTI WINDOW JOIN settings_others b ON a.k = b.k
WINDOW ASSIGN TUMBLING((a.ts, b.ts), INTERVAL 10 MINUTES) TRIGGER PURGING(EVENT_TIME());

SELECT a.k, b.w
FROM settings_rows a RIGHT WINDOW JOIN settings_others b ON a.k = b.k
WINDOW ASSIGN CUMULATING((a.ntz, b.ntz), INTERVAL 1 HOUR, INTERVAL 20 MINUTES);

SELECT *
FROM window_join(TABLE(settings_rows) PARTITION BY k, TABLE(settings_others) PARTITION BY k,
DESCRIPTOR(ts, ts), TUMBLING(INTERVAL 10 MINUTES), join_type => 'LEFT');

SELECT k, window_end, size(`left`) AS l, size(`right`) AS r
FROM co_group(TABLE(settings_rows) PARTITION BY k, TABLE(settings_others) PARTITION BY k,
DESCRIPTOR(ntz, ntz), TUMBLING(INTERVAL 10 MINUTES));

SELECT *
FROM co_group(TABLE(settings_rows) PARTITION BY k, TABLE(settings_others) PARTITION BY k,
DESCRIPTOR(ts, ts), SESSION(INTERVAL 10 MINUTES), apply => 'settings_pair');

SELECT k, window_start, window_end, sum(v) AS s
FROM TABLE(TUMBLE(TABLE settings_rows,
DESCRIPTOR(ts), INTERVAL '10' MINUTE)) GROUP BY k, window_start, window_end;

SELECT *
FROM TABLE(HOP(TABLE settings_rows,
DESCRIPTOR(ntz), INTERVAL '20' MINUTE, INTERVAL '1' HOUR));

SELECT *
FROM TABLE(CUMULATE(TABLE settings_rows,
DESCRIPTOR(ntz), INTERVAL '20' MINUTE, INTERVAL '1' HOUR));

SELECT *
FROM TABLE(SESSION(TABLE settings_rows PARTITION BY k,
DESCRIPTOR(ts), INTERVAL '5' MINUTE));

SELECT *
FROM (SELECT *, row_number() OVER (PARTITION BY window_start, window_end ORDER BY v DESC, k, s) AS place
FROM TABLE(TUMBLE(DATA => TABLE settings_rows,
TIMECOL =>
DESCRIPTOR(ts), SIZE => INTERVAL '10' MINUTE))) WHERE place <= 2;

SELECT l.v, r.w
FROM TABLE(TUMBLE(TABLE settings_rows,
DESCRIPTOR(ts), INTERVAL '10' MINUTE)) l
JOIN TABLE(TUMBLE(TABLE settings_others,
DESCRIPTOR(ts), INTERVAL '10' MINUTE)) r ON l.k = r.k AND l.window_start = r.window_start AND l.window_end = r.window_end;
