-- As tumble_start, for TIMESTAMP_NTZ: days begin at its own midnight, whatever the time zone of the session.
CREATE OR REPLACE TEMPORARY FUNCTION tumble_start_ntz(
  ts TIMESTAMP_NTZ,
  size INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TIMESTAMP_NTZ
COMMENT 'Start of the tumbling window that holds ts; windows begin at the epoch plus offset
Signature: tumble_start_ntz(ts TIMESTAMP_NTZ, size INTERVAL [, offset INTERVAL]) RETURNS TIMESTAMP_NTZ
Units: exact to the microsecond, a day is 24 hours; size > 0, abs(offset) < size
Example: tumble_start_ntz(TIMESTAMP_NTZ''2024-05-01 10:07:00'', INTERVAL 10 MINUTES) = TIMESTAMP_NTZ''2024-05-01 10:00:00'''
RETURN CASE
  WHEN ts IS NULL OR size IS NULL OR `offset` IS NULL THEN NULL
  WHEN size > INTERVAL '0' SECOND AND abs(`offset`) < size THEN
    ts - INTERVAL '0.000001' SECOND * pmod(
      (ts - `offset` - TIMESTAMP_NTZ'1970-01-01') div INTERVAL '0.000001' SECOND,
      size div INTERVAL '0.000001' SECOND
    )
  ELSE raise_error('tumble_start_ntz: size must be positive and abs(offset) less than size')
END;
