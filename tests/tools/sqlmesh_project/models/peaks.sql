MODEL (name shop.peaks, kind VIEW);

SELECT r.meter, window_start::DATE AS day, count(*) AS n
FROM shop.readings AS r
WHERE r.value > 14
WINDOW ASSIGN TUMBLING(r.ts, INTERVAL 10 MINUTES)
GROUP BY r.meter
