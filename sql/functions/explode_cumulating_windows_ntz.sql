--   SELECT window_start, count(*) FROM t,
--   LATERAL explode_cumulating_windows_ntz(ts, INTERVAL 1 HOUR, INTERVAL 20 MINUTES) GROUP BY window_start
-- Spark takes no SQL function inside explode: this is cumulating_windows_ntz with the explode around it.
CREATE OR REPLACE TEMPORARY FUNCTION explode_cumulating_windows_ntz(
  ts TIMESTAMP_NTZ,
  size INTERVAL DAY TO SECOND,
  step INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TABLE (window_start TIMESTAMP_NTZ, window_end TIMESTAMP_NTZ)
COMMENT 'The cumulating windows that hold ts as rows, for FROM: they start together every size and grow by step
Signature: explode_cumulating_windows_ntz(ts TIMESTAMP_NTZ, size INTERVAL, step INTERVAL [, offset INTERVAL])
  RETURNS TABLE (window_start TIMESTAMP_NTZ, window_end TIMESTAMP_NTZ)
Units: exact to the microsecond, a day is 24 hours; size is a multiple of step > 0, abs(offset) < size
Example: (SELECT min(window_end) FROM explode_cumulating_windows_ntz(TIMESTAMP_NTZ''2024-05-01 10:27:00'', INTERVAL 1 HOUR,
  INTERVAL 20 MINUTES)) = TIMESTAMP_NTZ''2024-05-01 10:40:00'''
RETURN SELECT * FROM inline(CASE
  WHEN ts IS NULL OR size IS NULL OR step IS NULL OR `offset` IS NULL THEN NULL
  WHEN step > INTERVAL '0' SECOND AND size >= step AND abs(`offset`) < size
    AND (size div INTERVAL '0.000001' SECOND) % (step div INTERVAL '0.000001' SECOND) = 0 THEN transform(
    filter(
      transform(
        sequence(1L, size div step),
        i -> ts + step * i - INTERVAL '0.000001' SECOND * pmod(
          (ts - `offset` - TIMESTAMP_NTZ'1970-01-01') div INTERVAL '0.000001' SECOND,
          size div INTERVAL '0.000001' SECOND
        )
      ),
      last -> last > ts
    ),
    last -> named_struct(
      'start', ts - INTERVAL '0.000001' SECOND * pmod(
        (ts - `offset` - TIMESTAMP_NTZ'1970-01-01') div INTERVAL '0.000001' SECOND,
        size div INTERVAL '0.000001' SECOND
      ),
      'end', last
    )
  )
  ELSE raise_error('cumulating_windows_ntz: step must be positive, size a multiple of it, and abs(offset) less than size')
END);
