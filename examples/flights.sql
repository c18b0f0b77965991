-- The flights that left New York in 2013, as windows see them. SQL only: run it with
--     winsql -f examples/flights.sql
-- after examples/prepare_flights.py has written the data (`make demo` does both). Times are local to New York.

CREATE TEMPORARY VIEW flights USING parquet OPTIONS (path 'data/flights.parquet');
CREATE TEMPORARY VIEW weather USING parquet OPTIONS (path 'data/weather.parquet');
CREATE TEMPORARY VIEW airlines USING parquet OPTIONS (path 'data/airlines.parquet');

-- The worst week of each airline: windows of seven days that slide by one day.
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
HAVING   count(*) >= 100
QUALIFY  row_number() OVER (PARTITION BY name ORDER BY avg(dep_delay) DESC) = 1
ORDER BY avg_delay DESC
LIMIT    10;

-- The busiest spells of aircraft N725MQ: a session lasts while the next departure comes before the aircraft can have
-- flown there and back and stood on the ground for three hours. The gap reads a column, one gap per flight.
SELECT   window_start AS first_departure,
         count(*) AS departures,
         round(sum(air_time) / 60, 1) AS hours_out,
         max(dep_delay) AS worst_delay,
         array_join(collect_list(dest), ' ') AS went_to
FROM     flights
WHERE    tailnum = 'N725MQ' AND dep IS NOT NULL
WINDOW ASSIGN SESSION(dep, make_dt_interval(0, 3, 2 * coalesce(air_time, 60)))
GROUP BY tailnum
ORDER BY departures DESC, first_departure
LIMIT    8;

-- Every 100th departure of each airport with the delays of the last ten: the bleakest moments of the year.
SELECT   origin,
         100 * (pane_index + 1) AS departure,
         max(dep) AS left_at,
         collect_list(dep_delay) AS last_ten_delays,
         avg(dep_delay) AS their_average
FROM     flights
WHERE    dep IS NOT NULL
WINDOW ASSIGN GLOBAL(dep)
TRIGGER COUNT(100)
EVICT COUNT(10)
GROUP BY origin
ORDER BY their_average DESC, left_at
LIMIT    8;

-- Alert: an airport's 60th departure of a day that is over two hours late. Rows are dropped when it is raised, so that a
-- second alert would take 60 more.
SELECT   origin,
         date(window_start) AS day,
         pane_index AS alert,
         max(dep) AS raised_at,
         count(*) AS departures,
         round(avg(dep_delay), 1) AS avg_delay
FROM     flights
WHERE    dep IS NOT NULL
WINDOW ASSIGN TUMBLING(dep, INTERVAL 1 DAY)
TRIGGER PURGING(WHEN(count_if(dep_delay > 120) >= 60))
GROUP BY origin
ORDER BY raised_at
LIMIT    10;

-- Storm warning at JFK: each time the air pressure moved by more than 20 hPa since the last warning.
SELECT   pane_index AS warning,
         max(hour_start) AS at,
         last(pressure) AS pressure,
         last(temp) AS fahrenheit,
         round(last(wind_speed)) AS wind_mph
FROM     weather
WHERE    origin = 'JFK' AND pressure IS NOT NULL
WINDOW ASSIGN GLOBAL(hour_start)
TRIGGER DELTA(pressure, 20)
EVICT COUNT(1)
ORDER BY warning
LIMIT    10;

-- How the picture of 8 February, the day of a blizzard, grew: a firing for every 40 departures of an airport, and one
-- when the day is over. Flights that were cancelled have no departure time; they belong to no window and are counted.
SELECT   origin,
         pane_index,
         pane_timing,
         count(*) AS departures,
         max(dep) AS latest,
         round(avg(dep_delay), 1) AS avg_delay
FROM     flights
WHERE    date(sched_dep) = DATE'2013-02-08'
WINDOW ASSIGN TUMBLING(dep, INTERVAL 1 DAY)
TRIGGER ANY(COUNT(40), EVENT_TIME())
GROUP BY origin
ORDER BY origin, pane_index;

-- Departures of a carrier by the hours of a day so far: windows of a day that grow by six hours.
SELECT   carrier,
         window_start AS day,
         hour(window_time) + 1 AS until_hour,
         count(*) AS departures,
         count_if(dep_delay > 15) AS late
FROM     flights
WHERE    carrier IN ('UA', 'B6') AND dep IS NOT NULL AND date(dep) = DATE'2013-07-04'
WINDOW ASSIGN CUMULATING(dep, INTERVAL 1 DAY, INTERVAL 6 HOURS)
GROUP BY carrier
ORDER BY carrier, until_hour;

-- The hours in which most departures were over an hour late, with the weather at the airport: a join of flights and
-- reports by the hour. An hour without a report keeps its flights.
SELECT   f.origin,
         window_start AS hour,
         count(*) AS departures,
         count_if(f.dep_delay > 60) AS over_an_hour,
         round(any_value(w.wind_speed)) AS wind_mph,
         any_value(w.precip) AS rain_inches,
         any_value(w.visib) AS miles_seen
FROM     flights AS f LEFT WINDOW JOIN weather AS w ON f.origin = w.origin
WINDOW ASSIGN TUMBLING((f.dep, w.hour_start), INTERVAL 1 HOUR)
GROUP BY f.origin, window_start
ORDER BY over_an_hour DESC, f.origin, hour
LIMIT    8;

-- JFK in the blizzard: the daytime hours of 8 and 9 February with a weather report and not one departure.
SELECT   window_start AS hour, w.temp AS fahrenheit, round(w.wind_speed) AS wind_mph, w.visib AS miles_seen
FROM     weather AS w ANTI WINDOW JOIN flights AS f ON w.origin = f.origin
WHERE    w.origin = 'JFK' AND date(window_start) IN (DATE'2013-02-08', DATE'2013-02-09') AND hour(window_start) >= 6
WINDOW ASSIGN TUMBLING((w.hour_start, f.dep), INTERVAL 1 HOUR)
ORDER BY hour;

-- The strongest gusts of the year and what left in their hour: reports and departures side by side, as two arrays.
SELECT   origin,
         window_start AS hour,
         round(aggregate(left, 0D, (most, report) -> greatest(most, report.wind_gust))) AS gust_mph,
         size(right) AS departures,
         aggregate(right, 0, (most, flight) -> greatest(most, flight.dep_delay)) AS longest_delay
FROM     co_group(TABLE(SELECT * FROM weather WHERE wind_gust > 45) PARTITION BY origin,
                  TABLE(SELECT * FROM flights WHERE dep IS NOT NULL) PARTITION BY origin,
                  DESCRIPTOR(hour_start, dep), TUMBLING(INTERVAL 1 HOUR))
WHERE    size(left) > 0
ORDER BY gust_mph DESC, origin, hour
LIMIT    8;
