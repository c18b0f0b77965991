# clauses in the canonical order
SELECT o.id, p.amount from orders as o left outer window join payments as p on o.id = p.order_id and p.amount > 3 evict count(5) after window assign sliding((p.ts, o.ts), size => '1 hour', slide => '10 minutes') trigger when(sum(p.amount) > 10) allowed lateness '90 seconds' late into late state ttl '1 day' where o.id > 3 group by 1, 2 order by 1
----
SELECT o.id, p.amount
FROM orders as o left outer window join payments as p on o.id = p.order_id and p.amount > 3
WHERE o.id > 3
WINDOW ASSIGN SLIDING((o.ts, p.ts), INTERVAL 1 HOUR, INTERVAL 10 MINUTE)
TRIGGER WHEN(sum(p.amount) > 10)
EVICT COUNT(5) AFTER
ALLOWED LATENESS INTERVAL 90 SECOND
LATE INTO late
STATE TTL INTERVAL 1 DAY
GROUP BY 1, 2
ORDER BY 1

# times of processing, and none
SELECT * FROM a WINDOW JOIN b ON a.k = b.k WINDOW ASSIGN SESSION(PROCTIME(), coalesce(a.gap, b.gap)) UNION ALL SELECT a.* FROM a SEMI WINDOW JOIN b ON a.k = b.k WINDOW ASSIGN COUNT(3, 1)
----
SELECT *
FROM a WINDOW JOIN b ON a.k = b.k
WINDOW ASSIGN SESSION(PROCTIME(), coalesce(a.gap, b.gap))
;
SELECT a.*
FROM a SEMI WINDOW JOIN b ON a.k = b.k
WINDOW ASSIGN COUNT(3, 1)

# joins inside joins
SELECT x.k FROM (SELECT a.k, window_time FROM a WINDOW JOIN b ON a.k = b.k WINDOW ASSIGN TUMBLING((a.ts, b.ts), '1 hour')) AS x WINDOW JOIN window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour')) AS y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.window_time, y.window_time), '1 day')
----
SELECT a.k, window_time
FROM a WINDOW JOIN b ON a.k = b.k
WINDOW ASSIGN TUMBLING((a.ts, b.ts), INTERVAL 1 HOUR)
;
SELECT *
FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
;
SELECT x.k
FROM (SELECT a.k, window_time FROM a WINDOW JOIN b ON a.k = b.k WINDOW ASSIGN TUMBLING((a.ts, b.ts), '1 hour')) AS x WINDOW JOIN window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour')) AS y ON x.k = y.k
WINDOW ASSIGN TUMBLING((x.window_time, y.window_time), INTERVAL 1 DAY)

# a co-group
SELECT size(left) FROM TABLE(co_group(TABLE(SELECT 1 AS k) PARTITION BY k, TABLE b PARTITION BY k, PROCTIME(), TUMBLING('1 hour'), apply => 'pair_up')) AS g
----
SELECT *
FROM TABLE(co_group(TABLE(SELECT 1 AS k) PARTITION BY k, TABLE b PARTITION BY k, PROCTIME(), TUMBLING('1 hour'), apply => 'pair_up'))
