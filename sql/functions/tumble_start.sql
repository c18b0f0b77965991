-- Start of the tumbling window of length `size` that holds `ts`; windows begin at the epoch plus `offset`.
-- Arithmetic is in microseconds: adding INTERVAL '1' DAY to a TIMESTAMP would follow the calendar of the time zone.
CREATE OR REPLACE TEMPORARY FUNCTION tumble_start(
  ts TIMESTAMP COMMENT 'a TIMESTAMP_NTZ is read in the time zone of the session',
  size INTERVAL DAY TO SECOND,
  offset INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TIMESTAMP
COMMENT 'Start of the tumbling window that holds ts'
RETURN IF(
  size > INTERVAL '0' SECOND AND abs(offset) < size,
  timestamp_micros(
    unix_micros(ts)
    - pmod(unix_micros(ts) - offset div INTERVAL '0.000001' SECOND, size div INTERVAL '0.000001' SECOND)
  ),
  raise_error('tumble_start: size must be positive and abs(offset) less than size')
);
