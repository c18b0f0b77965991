-- As cleanup_time, for TIMESTAMP_NTZ: days begin at its own midnight, whatever the time zone of the session.
CREATE OR REPLACE TEMPORARY FUNCTION cleanup_time_ntz(
  window_end TIMESTAMP_NTZ,
  allowed_lateness INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TIMESTAMP_NTZ
COMMENT 'The watermark at which an event-time window is forgotten
Signature: cleanup_time_ntz(window_end TIMESTAMP_NTZ [, allowed_lateness INTERVAL]) RETURNS TIMESTAMP_NTZ
Units: exact to the microsecond, a day is 24 hours; allowed_lateness >= 0
Example: cleanup_time_ntz(TIMESTAMP_NTZ''2024-05-01 10:00:00'', INTERVAL 1 MINUTE) = TIMESTAMP_NTZ''2024-05-01 10:00:59.999999'''
RETURN CASE
  WHEN window_end IS NULL OR allowed_lateness IS NULL THEN NULL
  WHEN allowed_lateness < INTERVAL '0' SECOND THEN raise_error('cleanup_time_ntz: allowed_lateness must not be negative')
  ELSE coalesce(
    try_add(window_end - INTERVAL '0.000001' SECOND, allowed_lateness),
    TIMESTAMP_NTZ'1970-01-01' + INTERVAL '0.000001' SECOND * 9223372036854775807
  )
END;
