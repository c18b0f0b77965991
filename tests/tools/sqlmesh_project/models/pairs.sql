MODEL (name shop.pairs, kind FULL, audits (not_null(columns := (meter, peak))));

SELECT meter, max(value) AS peak
FROM shop.readings
WINDOW ASSIGN COUNT(2, time => ts)
GROUP BY meter
