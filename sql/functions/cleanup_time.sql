-- Its last instant plus the allowed lateness; the largest time, which no watermark reaches, when the sum is past it.
CREATE OR REPLACE TEMPORARY FUNCTION cleanup_time(
  window_end TIMESTAMP_LTZ,
  allowed_lateness INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TIMESTAMP_LTZ
COMMENT 'The watermark at which an event-time window is forgotten
Signature: cleanup_time(window_end TIMESTAMP [, allowed_lateness INTERVAL]) RETURNS TIMESTAMP
Units: exact to the microsecond, a day is 24 hours; allowed_lateness >= 0
Example: cleanup_time(TIMESTAMP''2024-05-01 10:00:00'', INTERVAL 1 MINUTE) = TIMESTAMP''2024-05-01 10:00:59.999999'''
RETURN CASE
  WHEN window_end IS NULL OR allowed_lateness IS NULL THEN NULL
  WHEN allowed_lateness < INTERVAL '0' SECOND THEN raise_error('cleanup_time: allowed_lateness must not be negative')
  ELSE timestamp_micros(coalesce(
    try_add(unix_micros(window_end) - 1, allowed_lateness div INTERVAL '0.000001' SECOND),
    9223372036854775807
  ))
END;
