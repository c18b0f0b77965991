-- As evict_time, for TIMESTAMP_NTZ: days begin at its own midnight, whatever the time zone of the session.
CREATE OR REPLACE TEMPORARY FUNCTION evict_time_ntz(
  times ARRAY<TIMESTAMP_NTZ>,
  age INTERVAL DAY TO SECOND
)
RETURNS ARRAY<INT>
COMMENT 'Positions, from 0, of the rows that stay: those that are younger than the newest time minus age
Signature: evict_time_ntz(times ARRAY<TIMESTAMP_NTZ>, age INTERVAL) RETURNS ARRAY<INT>
Units: exact to the microsecond, a day is 24 hours; age >= 0
Example: evict_time_ntz(array(TIMESTAMP_NTZ''2024-05-01 10:00'', TIMESTAMP_NTZ''2024-05-01 10:07''), INTERVAL 5 MINUTES)
  = array(1)'
RETURN CASE
  WHEN times IS NULL OR age IS NULL THEN NULL
  WHEN age < INTERVAL '0' SECOND THEN raise_error('evict_time_ntz: age must not be negative')
  WHEN size(times) = 0 THEN CAST(array() AS ARRAY<INT>)
  WHEN get(times, 0) IS NULL THEN sequence(0, size(times) - 1)
  WHEN exists(times, t -> t IS NULL) THEN raise_error('evict_time_ntz: a row has no time')
  ELSE element_at(
    transform(
      array(array_max(times)),
      newest -> filter(sequence(0, size(times) - 1), i -> times[i] > newest - age)
    ),
    1
  )
END;
