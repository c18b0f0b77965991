--   SELECT window_start, count(*) FROM t,
--   LATERAL explode_sliding_windows(ts, INTERVAL 10 MINUTES, INTERVAL 5 MINUTES) GROUP BY window_start
-- Spark takes no SQL function inside explode: this is sliding_windows with the explode around it.
CREATE OR REPLACE TEMPORARY FUNCTION explode_sliding_windows(
  ts TIMESTAMP_LTZ,
  size INTERVAL DAY TO SECOND,
  slide INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TABLE (window_start TIMESTAMP_LTZ, window_end TIMESTAMP_LTZ)
COMMENT 'The sliding windows that hold ts as rows, for FROM: newest first, none when ts falls between windows (slide > size)
Signature: explode_sliding_windows(ts TIMESTAMP, size INTERVAL, slide INTERVAL [, offset INTERVAL])
  RETURNS TABLE (window_start TIMESTAMP, window_end TIMESTAMP)
Units: exact to the microsecond, a day is 24 hours; size > 0, slide > 0, abs(offset) < slide
Example: (SELECT min(window_start) FROM explode_sliding_windows(TIMESTAMP''2024-05-01 10:07:00'', INTERVAL 10 MINUTES,
  INTERVAL 5 MINUTES)) = TIMESTAMP''2024-05-01 10:00:00'''
RETURN SELECT * FROM inline(CASE
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
END);
