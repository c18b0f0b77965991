# parameters in every clause
SELECT k, ? AS x, count(*) FROM t WHERE v > ? WINDOW ASSIGN TUMBLING(ts, :size, :offset) PARTITION BY k TRIGGER PURGING(COUNT(?)) EVICT TIME(:keep) AFTER ALLOWED LATENESS ? STATE TTL :ttl HAVING count(*) > ?
----
SELECT k, ? AS x, count(*)
FROM t
WHERE v > ?
WINDOW ASSIGN TUMBLING(ts, :size, :offset) PARTITION BY k
TRIGGER PURGING(COUNT(?))
EVICT TIME(:keep) AFTER
ALLOWED LATENESS ?
STATE TTL :ttl
HAVING count(*) > ?

# a number of an interval
SELECT k, count(*) FROM t WINDOW ASSIGN SLIDING(ts, INTERVAL :n MINUTES, -:slide) GROUP BY k
----
SELECT k, count(*)
FROM t
WINDOW ASSIGN SLIDING(ts, INTERVAL :n MINUTES, -:slide)
GROUP BY k

# flags, thresholds and expressions
SELECT k, count(*) FROM t WINDOW ASSIGN GLOBAL(ts) TRIGGER ANY(DELTA(v + ?, :most, signed => :signed), WHEN(sum(v) > :sum)) GROUP BY k
----
SELECT k, count(*)
FROM t
WINDOW ASSIGN GLOBAL(ts)
TRIGGER ANY(DELTA(v + ?, :most, signed => :signed), WHEN(sum(v) > :sum))
GROUP BY k

# a gap
SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, :gap) GROUP BY k
----
SELECT k, count(*)
FROM t
WINDOW ASSIGN SESSION(ts, :gap)
GROUP BY k
