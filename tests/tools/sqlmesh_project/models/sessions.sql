MODEL (name shop.sessions, kind INCREMENTAL_BY_TIME_RANGE (time_column day));

SELECT meter, window_start, count(*) AS n, window_start::DATE AS day
FROM shop.readings
WHERE ts BETWEEN @start_dt AND @end_dt
WINDOW ASSIGN SESSION(ts, INTERVAL 10 MINUTES) TRIGGER EVENT_TIME()
GROUP BY meter
