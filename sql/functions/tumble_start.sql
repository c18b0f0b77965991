-- Arithmetic is in microseconds: adding INTERVAL '1' DAY to a TIMESTAMP would follow the calendar of the time zone.
CREATE OR REPLACE TEMPORARY FUNCTION tumble_start(
  ts TIMESTAMP_LTZ,
  size INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TIMESTAMP_LTZ
COMMENT 'Start of the tumbling window that holds ts; windows begin at the epoch plus offset
Signature: tumble_start(ts TIMESTAMP, size INTERVAL [, offset INTERVAL]) RETURNS TIMESTAMP
Units: exact to the microsecond, a day is 24 hours; size > 0, abs(offset) < size
Example: tumble_start(TIMESTAMP''2024-05-01 10:07:00'', INTERVAL 10 MINUTES) = TIMESTAMP''2024-05-01 10:00:00'''
RETURN CASE
  WHEN ts IS NULL OR size IS NULL OR `offset` IS NULL THEN NULL
  WHEN size > INTERVAL '0' SECOND AND abs(`offset`) < size THEN timestamp_micros(
      unix_micros(ts)
      - pmod(unix_micros(ts) - `offset` div INTERVAL '0.000001' SECOND, size div INTERVAL '0.000001' SECOND)
    )
  ELSE raise_error('tumble_start: size must be positive and abs(offset) less than size')
END;
