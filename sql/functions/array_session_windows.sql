--   SELECT k, w.start, w.end FROM (SELECT k, array_session_windows(collect_list(ts), ...) AS ws FROM t GROUP BY k)
--   LATERAL VIEW explode(ws) AS w
-- Arithmetic is in microseconds: adding INTERVAL '1' DAY to a TIMESTAMP would follow the calendar of the time zone.
CREATE OR REPLACE TEMPORARY FUNCTION array_session_windows(
  times ARRAY<TIMESTAMP_LTZ>,
  gap INTERVAL DAY TO SECOND
)
RETURNS ARRAY<STRUCT<start: TIMESTAMP_LTZ, `end`: TIMESTAMP_LTZ>>
COMMENT 'The sessions of the times, in order: each time t lasts from t to t + gap, and what meets or overlaps is one
Signature: array_session_windows(times ARRAY<TIMESTAMP>, gap INTERVAL)
  RETURNS ARRAY<STRUCT<start: TIMESTAMP, end: TIMESTAMP>>
Units: exact to the microsecond, a day is 24 hours; gap > 0; NULLs among the times are left out
Example: array_session_windows(array(TIMESTAMP''2024-05-01 10:07'', TIMESTAMP''2024-05-01 10:00''),
  INTERVAL 7 MINUTES).end = array(TIMESTAMP''2024-05-01 10:14'')'
RETURN CASE
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
END;
