--   SELECT window_start, count(*) FROM t,
--   LATERAL explode_sliding_windows_ntz(ts, INTERVAL 10 MINUTES, INTERVAL 5 MINUTES) GROUP BY window_start
-- Spark takes no SQL function inside explode: this is sliding_windows_ntz with the explode around it.
CREATE OR REPLACE TEMPORARY FUNCTION explode_sliding_windows_ntz(
  ts TIMESTAMP_NTZ,
  size INTERVAL DAY TO SECOND,
  slide INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TABLE (window_start TIMESTAMP_NTZ, window_end TIMESTAMP_NTZ)
COMMENT 'The sliding windows that hold ts as rows, for FROM: newest first, none when ts falls between windows (slide > size)
Signature: explode_sliding_windows_ntz(ts TIMESTAMP_NTZ, size INTERVAL, slide INTERVAL [, offset INTERVAL])
  RETURNS TABLE (window_start TIMESTAMP_NTZ, window_end TIMESTAMP_NTZ)
Units: exact to the microsecond, a day is 24 hours; size > 0, slide > 0, abs(offset) < slide
Example: (SELECT min(window_start) FROM explode_sliding_windows_ntz(TIMESTAMP_NTZ''2024-05-01 10:07:00'', INTERVAL 10 MINUTES,
  INTERVAL 5 MINUTES)) = TIMESTAMP_NTZ''2024-05-01 10:00:00'''
RETURN SELECT * FROM inline(CASE
  WHEN ts IS NULL OR size IS NULL OR slide IS NULL OR `offset` IS NULL THEN NULL
  WHEN size > INTERVAL '0' SECOND AND slide > INTERVAL '0' SECOND AND abs(`offset`) < slide THEN transform(
    filter(
      -- the last start at or before ts, then i slides back
      transform(
        sequence(0L, size div slide),
        i -> ts - slide * i - INTERVAL '0.000001' SECOND * pmod(
          (ts - `offset` - TIMESTAMP_NTZ'1970-01-01') div INTERVAL '0.000001' SECOND,
          slide div INTERVAL '0.000001' SECOND
        )
      ),
      first -> first + size > ts
    ),
    first -> named_struct('start', first, 'end', first + size)
  )
  ELSE raise_error('sliding_windows_ntz: size and slide must be positive and abs(offset) less than slide')
END);
