-- The rule of EVICT TIME(interval). As in Flink nothing happens when the first row has no time, and a later row
-- without one is an error.
CREATE OR REPLACE TEMPORARY FUNCTION evict_time(
  times ARRAY<TIMESTAMP_LTZ>,
  age INTERVAL DAY TO SECOND
)
RETURNS ARRAY<INT>
COMMENT 'Positions, from 0, of the rows that stay: those that are younger than the newest time minus age
Signature: evict_time(times ARRAY<TIMESTAMP>, age INTERVAL) RETURNS ARRAY<INT>
Units: exact to the microsecond, a day is 24 hours; age >= 0
Example: evict_time(array(TIMESTAMP''2024-05-01 10:00'', TIMESTAMP''2024-05-01 10:07''), INTERVAL 5 MINUTES)
  = array(1)'
RETURN CASE
  WHEN times IS NULL OR age IS NULL THEN NULL
  WHEN age < INTERVAL '0' SECOND THEN raise_error('evict_time: age must not be negative')
  WHEN size(times) = 0 THEN CAST(array() AS ARRAY<INT>)
  WHEN get(times, 0) IS NULL THEN sequence(0, size(times) - 1)
  WHEN exists(times, t -> t IS NULL) THEN raise_error('evict_time: a row has no time')
  ELSE element_at(
    transform(
      array(unix_micros(array_max(times))),
      newest -> filter(
        sequence(0, size(times) - 1),
        i -> unix_micros(times[i]) > newest - age div INTERVAL '0.000001' SECOND
      )
    ),
    1
  )
END;
