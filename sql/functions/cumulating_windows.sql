-- The cumulating windows that hold `ts`, shortest first: they start together every `size` and end `step` after `step`.
--   SELECT w.start, w.end, sum(v) FROM t LATERAL VIEW explode(cumulating_windows(ts, ...)) AS w GROUP BY w
-- Arithmetic is in microseconds: adding INTERVAL '1' DAY to a TIMESTAMP would follow the calendar of the time zone.
CREATE OR REPLACE TEMPORARY FUNCTION cumulating_windows(
  ts TIMESTAMP COMMENT 'a TIMESTAMP_NTZ is read in the time zone of the session',
  size INTERVAL DAY TO SECOND,
  step INTERVAL DAY TO SECOND,
  offset INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS ARRAY<STRUCT<start: TIMESTAMP, end: TIMESTAMP>>
COMMENT 'The cumulating windows that hold ts, shortest first'
RETURN IF(
  step > INTERVAL '0' SECOND AND size >= step AND abs(offset) < step
  AND (size div INTERVAL '0.000001' SECOND) % (step div INTERVAL '0.000001' SECOND) = 0,
  transform(
    filter(
      transform(
        sequence(1L, size div step),
        i -> unix_micros(ts)
             - pmod(unix_micros(ts) - offset div INTERVAL '0.000001' SECOND, size div INTERVAL '0.000001' SECOND)
             + i * (step div INTERVAL '0.000001' SECOND)
      ),
      last -> last > unix_micros(ts)
    ),
    last -> named_struct(
      'start', timestamp_micros(unix_micros(ts)
        - pmod(unix_micros(ts) - offset div INTERVAL '0.000001' SECOND, size div INTERVAL '0.000001' SECOND)),
      'end', timestamp_micros(last)
    )
  ),
  raise_error('cumulating_windows: step must be positive, size a multiple of it, and abs(offset) less than step')
);
