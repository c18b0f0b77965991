--   SELECT w.start, w.end, sum(v) FROM (SELECT *, cumulating_windows(ts, ...) AS ws FROM t) LATERAL VIEW explode(ws) AS w GROUP BY w
-- or, as rows, explode_cumulating_windows: Spark takes no SQL function inside explode itself.
-- Arithmetic is in microseconds: adding INTERVAL '1' DAY to a TIMESTAMP would follow the calendar of the time zone.
CREATE OR REPLACE TEMPORARY FUNCTION cumulating_windows(
  ts TIMESTAMP_LTZ,
  size INTERVAL DAY TO SECOND,
  step INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS ARRAY<STRUCT<start: TIMESTAMP_LTZ, `end`: TIMESTAMP_LTZ>>
COMMENT 'The cumulating windows that hold ts, shortest first: they start together every size and grow by step
Signature: cumulating_windows(ts TIMESTAMP, size INTERVAL, step INTERVAL [, offset INTERVAL])
  RETURNS ARRAY<STRUCT<start: TIMESTAMP, end: TIMESTAMP>>
Units: exact to the microsecond, a day is 24 hours; size is a multiple of step > 0, abs(offset) < size
Example: cumulating_windows(TIMESTAMP''2024-05-01 10:27:00'', INTERVAL 1 HOUR, INTERVAL 20 MINUTES).end
  = array(TIMESTAMP''2024-05-01 10:40:00'', TIMESTAMP''2024-05-01 11:00:00'')'
RETURN CASE
  WHEN ts IS NULL OR size IS NULL OR step IS NULL OR `offset` IS NULL THEN NULL
  WHEN step > INTERVAL '0' SECOND AND size >= step AND abs(`offset`) < size
    AND (size div INTERVAL '0.000001' SECOND) % (step div INTERVAL '0.000001' SECOND) = 0 THEN transform(
    filter(
      transform(
        sequence(1L, size div step),
        i -> unix_micros(ts)
             - pmod(unix_micros(ts) - `offset` div INTERVAL '0.000001' SECOND, size div INTERVAL '0.000001' SECOND)
             + i * (step div INTERVAL '0.000001' SECOND)
      ),
      last -> last > unix_micros(ts)
    ),
    last -> named_struct(
      'start', timestamp_micros(
        unix_micros(ts)
          - pmod(unix_micros(ts) - `offset` div INTERVAL '0.000001' SECOND, size div INTERVAL '0.000001' SECOND)
      ),
      'end', timestamp_micros(last)
    )
  )
  ELSE raise_error('cumulating_windows: step must be positive, size a multiple of it, and abs(offset) less than size')
END;
