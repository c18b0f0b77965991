--   SELECT window_start, count(*) FROM (SELECT k, collect_list(ts) AS times FROM t GROUP BY k),
--   LATERAL explode_array_session_windows(times, INTERVAL 10 MINUTES) GROUP BY window_start
-- Spark takes no SQL function inside explode: this is array_session_windows with the explode around it.
CREATE OR REPLACE TEMPORARY FUNCTION explode_array_session_windows(
  times ARRAY<TIMESTAMP_LTZ>,
  gap INTERVAL DAY TO SECOND
)
RETURNS TABLE (window_start TIMESTAMP_LTZ, window_end TIMESTAMP_LTZ)
COMMENT 'The sessions of the times as rows, for FROM: each time t lasts from t to t + gap, what meets or overlaps is one
Signature: explode_array_session_windows(times ARRAY<TIMESTAMP>, gap INTERVAL)
  RETURNS TABLE (window_start TIMESTAMP, window_end TIMESTAMP)
Units: exact to the microsecond, a day is 24 hours; gap > 0; NULLs among the times are left out
Example: (SELECT max(window_end) FROM explode_array_session_windows(array(TIMESTAMP''2024-05-01 10:07'',
  TIMESTAMP''2024-05-01 10:00''), INTERVAL 7 MINUTES)) = TIMESTAMP''2024-05-01 10:14'''
RETURN SELECT * FROM inline(CASE
  WHEN times IS NULL OR gap IS NULL THEN NULL
  WHEN gap > INTERVAL '0' SECOND THEN element_at(
    transform(
      array(array_sort(transform(filter(times, t -> t IS NOT NULL), t -> unix_micros(t)))), -- names the sorted times
      at -> zip_with(
        filter(at, (t, i) -> i = 0 OR t - get(at, i - 1) > gap div INTERVAL '0.000001' SECOND),
        filter(at, (t, i) -> i = size(at) - 1 OR get(at, i + 1) - t > gap div INTERVAL '0.000001' SECOND),
        (first, last) -> named_struct(
          'start', timestamp_micros(first),
          'end', timestamp_micros(last + gap div INTERVAL '0.000001' SECOND)
        )
      )
    ),
    1
  )
  ELSE raise_error('array_session_windows: gap must be positive')
END);
