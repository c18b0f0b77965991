--   SELECT w.start, w.end, sum(v) FROM (SELECT *, sliding_windows(ts, ...) AS ws FROM t) LATERAL VIEW explode(ws) AS w GROUP BY w
-- or, as rows, explode_sliding_windows: Spark takes no SQL function inside explode itself.
-- Arithmetic is in microseconds: adding INTERVAL '1' DAY to a TIMESTAMP would follow the calendar of the time zone.
CREATE OR REPLACE TEMPORARY FUNCTION sliding_windows(
  ts TIMESTAMP_LTZ,
  size INTERVAL DAY TO SECOND,
  slide INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS ARRAY<STRUCT<start: TIMESTAMP_LTZ, `end`: TIMESTAMP_LTZ>>
COMMENT 'The sliding windows that hold ts, newest first; none when ts falls between windows (slide > size)
Signature: sliding_windows(ts TIMESTAMP, size INTERVAL, slide INTERVAL [, offset INTERVAL])
  RETURNS ARRAY<STRUCT<start: TIMESTAMP, end: TIMESTAMP>>
Units: exact to the microsecond, a day is 24 hours; size > 0, slide > 0, abs(offset) < slide
Example: sliding_windows(TIMESTAMP''2024-05-01 10:07:00'', INTERVAL 10 MINUTES, INTERVAL 5 MINUTES).start
  = array(TIMESTAMP''2024-05-01 10:05:00'', TIMESTAMP''2024-05-01 10:00:00'')'
RETURN CASE
  WHEN ts IS NULL OR size IS NULL OR slide IS NULL OR `offset` IS NULL THEN NULL
  WHEN size > INTERVAL '0' SECOND AND slide > INTERVAL '0' SECOND AND abs(`offset`) < slide THEN transform(
    filter(
      transform(
        sequence(0L, size div slide),
        -- the last start at or before ts, then i slides back
        i -> unix_micros(ts)
             - pmod(unix_micros(ts) - `offset` div INTERVAL '0.000001' SECOND, slide div INTERVAL '0.000001' SECOND)
             - i * (slide div INTERVAL '0.000001' SECOND)
      ),
      first -> first + size div INTERVAL '0.000001' SECOND > unix_micros(ts)
    ),
    first -> named_struct(
      'start', timestamp_micros(first),
      'end', timestamp_micros(first + size div INTERVAL '0.000001' SECOND)
    )
  )
  ELSE raise_error('sliding_windows: size and slide must be positive and abs(offset) less than slide')
END;
