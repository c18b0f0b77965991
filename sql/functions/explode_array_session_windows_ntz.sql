--   SELECT window_start, count(*) FROM (SELECT k, collect_list(ts) AS times FROM t GROUP BY k),
--   LATERAL explode_array_session_windows_ntz(times, INTERVAL 10 MINUTES) GROUP BY window_start
-- Spark takes no SQL function inside explode: this is array_session_windows_ntz with the explode around it.
CREATE OR REPLACE TEMPORARY FUNCTION explode_array_session_windows_ntz(
  times ARRAY<TIMESTAMP_NTZ>,
  gap INTERVAL DAY TO SECOND
)
RETURNS TABLE (window_start TIMESTAMP_NTZ, window_end TIMESTAMP_NTZ)
COMMENT 'The sessions of the times as rows, for FROM: each time t lasts from t to t + gap, what meets or overlaps is one
Signature: explode_array_session_windows_ntz(times ARRAY<TIMESTAMP_NTZ>, gap INTERVAL)
  RETURNS TABLE (window_start TIMESTAMP_NTZ, window_end TIMESTAMP_NTZ)
Units: exact to the microsecond, a day is 24 hours; gap > 0; NULLs among the times are left out
Example: (SELECT max(window_end) FROM explode_array_session_windows_ntz(array(TIMESTAMP_NTZ''2024-05-01 10:07'',
  TIMESTAMP_NTZ''2024-05-01 10:00''), INTERVAL 7 MINUTES)) = TIMESTAMP_NTZ''2024-05-01 10:14'''
RETURN SELECT * FROM inline(CASE
  WHEN times IS NULL OR gap IS NULL THEN NULL
  WHEN gap > INTERVAL '0' SECOND THEN element_at(
    transform(
      array(array_sort(filter(times, t -> t IS NOT NULL))), -- names the sorted times
      at -> zip_with(
        filter(at, (t, i) -> i = 0 OR t - get(at, i - 1) > gap),
        filter(at, (t, i) -> i = size(at) - 1 OR get(at, i + 1) - t > gap),
        (first, last) -> named_struct('start', first, 'end', last + gap)
      )
    ),
    1
  )
  ELSE raise_error('array_session_windows_ntz: gap must be positive')
END);
