-- Nexmark 8, new users: who has registered and opened an auction within the same ten seconds?
--
-- Runs on tables and on streams. The benchmark's own text for Flink SQL is q8_join.sql.

SELECT P.id, P.name, window_start AS starttime, window_end AS endtime
FROM person AS P SEMI WINDOW JOIN auction AS A ON P.id = A.seller
WINDOW ASSIGN TUMBLING((P.dateTime, A.dateTime), INTERVAL '10' SECOND)
