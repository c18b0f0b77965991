# tumbling
SELECT carrier, COUNT(*) AS n FROM flights WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) GROUP BY carrier
----
SELECT carrier, COUNT(*) AS n
FROM flights
WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR)
GROUP BY carrier

# tumbling with an offset, by name
SELECT k FROM t WINDOW ASSIGN TUMBLING(time => ts, size => '1 day', offset => INTERVAL '-5' HOUR)
----
SELECT k
FROM t
WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 DAY, INTERVAL '-5' HOUR)

# sliding
SELECT carrier, avg(delay) FROM flights WINDOW ASSIGN SLIDING(ts, INTERVAL 2 HOURS, INTERVAL '30' MINUTE, '90 seconds') GROUP BY carrier
----
SELECT carrier, avg(delay)
FROM flights
WINDOW ASSIGN SLIDING(ts, INTERVAL 2 HOUR, INTERVAL 30 MINUTE, INTERVAL 90 SECOND)
GROUP BY carrier

# cumulating
SELECT sum(v) FROM t WINDOW ASSIGN CUMULATING(ts, INTERVAL 1 DAY, INTERVAL 1 HOUR)
----
SELECT sum(v)
FROM t
WINDOW ASSIGN CUMULATING(ts, INTERVAL 1 DAY, INTERVAL 1 HOUR)

# session
SELECT tail, count(*) FROM flights WINDOW ASSIGN session(ts, INTERVAL 90 MINUTES) GROUP BY tail
----
SELECT tail, count(*)
FROM flights
WINDOW ASSIGN SESSION(ts, INTERVAL 90 MINUTE)
GROUP BY tail

# session with a gap per row
SELECT tail, count(*) FROM flights WINDOW ASSIGN SESSION(ts, make_dt_interval(0, 0, gap)) GROUP BY tail
----
SELECT tail, count(*)
FROM flights
WINDOW ASSIGN SESSION(ts, make_dt_interval(0, 0, gap))
GROUP BY tail

# count windows
SELECT k, sum(v) FROM t WINDOW ASSIGN COUNT(10) GROUP BY k
----
SELECT k, sum(v)
FROM t
WINDOW ASSIGN COUNT(10)
GROUP BY k

# count windows that slide, with a time
SELECT k, sum(v) FROM t WINDOW ASSIGN COUNT(n => 10, slide => 2, time => ts) GROUP BY k
----
SELECT k, sum(v)
FROM t
WINDOW ASSIGN COUNT(10, 2, time => ts)
GROUP BY k

# global without a time
SELECT * FROM t WINDOW ASSIGN GLOBAL() TRIGGER COUNT(100)
----
SELECT *
FROM t
WINDOW ASSIGN GLOBAL()
TRIGGER COUNT(100)

# global whose trigger is written though it is the default
SELECT * FROM t WINDOW ASSIGN GLOBAL(ts) TRIGGER NEVER()
----
SELECT *
FROM t
WINDOW ASSIGN GLOBAL(ts)
TRIGGER NEVER()

# processing time
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(PROCTIME(), '10 seconds')
----
SELECT count(*)
FROM t
WINDOW ASSIGN TUMBLING(PROCTIME(), INTERVAL 10 SECOND)

# a time that is an expression
SELECT count(*) FROM t WINDOW ASSIGN TUMBLING(to_timestamp(d, 'yyyy-MM-dd'), '1 week')
----
SELECT count(*)
FROM t
WINDOW ASSIGN TUMBLING(to_timestamp(d, 'yyyy-MM-dd'), INTERVAL 1 WEEK)
