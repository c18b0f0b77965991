-- Flights of June and July 2013 as a stream: every file is a micro-batch. SQL only: run it with
--     winsql -f examples/flights_stream.sql
-- A flight of 3 June comes in the second half of July, and one of September last: by it all weeks of the summer are over.

SET TIME ZONE 'UTC';
SET spark.sql.shuffle.partitions = 2;
CREATE TEMPORARY VIEW airlines USING parquet OPTIONS (path 'data/airlines.parquet');
-- The files as they arrive; a relative LOCATION begins at spark-warehouse
CREATE TABLE arriving USING parquet OPTIONS (maxFilesPerTrigger '1') LOCATION '../data/arriving';
CREATE TEMPORARY VIEW flights AS SELECT * FROM STREAM arriving WATERMARK sched_dep DELAY OF INTERVAL 1 DAY;

-- The first SELECT of examples/flights.sql, up to HAVING, as a stream that runs until all files are read.
CREATE OR REPLACE STREAMING TABLE weeks
OPTIONS (path '../data/weeks', trigger 'available now')
LATE INTO late_flights AS
SELECT   name AS airline,
         date(window_start) AS first_day,
         date(window_time) AS last_day,
         count(*) AS departures,
         round(avg(dep_delay), 1) AS avg_delay,
         max(dep_delay) AS longest,
         count_if(dep_delay > 60) AS over_an_hour
FROM     flights JOIN airlines USING (carrier)
WHERE    dep_delay IS NOT NULL
WINDOW ASSIGN SLIDING(sched_dep, INTERVAL 7 DAYS, INTERVAL 1 DAY)
GROUP BY name
HAVING   count(*) >= 100;

-- Its end.
AWAIT STREAM weeks;

-- What it has done.
SHOW STREAMS;

-- The flight that came too late, with all its columns.
SELECT carrier, flight, tailnum, sched_dep, dep_delay FROM late_flights;

-- The worst week of each airline, from the table that the stream has written.
SELECT   *
FROM     weeks
QUALIFY  row_number() OVER (PARTITION BY airline ORDER BY avg_delay DESC, first_day) = 1
ORDER BY avg_delay DESC
LIMIT    5;

-- The same flights as a table, but for the late one, and the same SELECT over them.
CREATE OR REPLACE TEMPORARY VIEW flights AS
SELECT * FROM arriving ANTI JOIN late_flights USING (carrier, flight, sched_dep);
CREATE TEMPORARY VIEW weeks_of_a_table AS
SELECT   name AS airline,
         date(window_start) AS first_day,
         date(window_time) AS last_day,
         count(*) AS departures,
         round(avg(dep_delay), 1) AS avg_delay,
         max(dep_delay) AS longest,
         count_if(dep_delay > 60) AS over_an_hour
FROM     flights JOIN airlines USING (carrier)
WHERE    dep_delay IS NOT NULL
WINDOW ASSIGN SLIDING(sched_dep, INTERVAL 7 DAYS, INTERVAL 1 DAY)
GROUP BY name
HAVING   count(*) >= 100;

-- Rows of the one that the other does not have.
SELECT (SELECT count(*) FROM weeks) AS weeks,
       (SELECT count(*) FROM (SELECT * FROM weeks EXCEPT ALL SELECT * FROM weeks_of_a_table)) AS of_the_stream_only,
       (SELECT count(*) FROM (SELECT * FROM weeks_of_a_table EXCEPT ALL SELECT * FROM weeks)) AS of_the_table_only;
