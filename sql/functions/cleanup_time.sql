-- The watermark at which an event-time window is forgotten: its last instant plus the allowed lateness; the largest
-- TIMESTAMP, which no watermark reaches, when the sum is past it.
CREATE OR REPLACE TEMPORARY FUNCTION cleanup_time(
  window_end TIMESTAMP,
  allowed_lateness INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TIMESTAMP
COMMENT 'The watermark at which an event-time window is forgotten'
RETURN coalesce(
  timestamp_micros(try_add(unix_micros(window_end) - 1, allowed_lateness div INTERVAL '0.000001' SECOND)),
  IF(window_end IS NULL OR allowed_lateness IS NULL, NULL, timestamp_micros(9223372036854775807))
);
