-- The function pack: the files of sql/functions, one after the other. In a session: spark-sql -i install.sql
-- Spark takes no SQL function inside explode, posexplode or inline. Windows as rows come from the explode_ functions:
--   SELECT k, window_start, window_end FROM t, LATERAL explode_sliding_windows(ts, INTERVAL 1 HOUR, INTERVAL 5 MINUTES)
-- and any array is exploded once it has a name:
--   SELECT k, i FROM t, LATERAL (SELECT evict_count(n, 3) AS places), LATERAL explode(places) AS p(i)

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

-- As array_session_windows, for TIMESTAMP_NTZ: days begin at its own midnight, whatever the time zone of the session.
CREATE OR REPLACE TEMPORARY FUNCTION array_session_windows_ntz(
  times ARRAY<TIMESTAMP_NTZ>,
  gap INTERVAL DAY TO SECOND
)
RETURNS ARRAY<STRUCT<start: TIMESTAMP_NTZ, `end`: TIMESTAMP_NTZ>>
COMMENT 'The sessions of the times, in order: each time t lasts from t to t + gap, and what meets or overlaps is one
Signature: array_session_windows_ntz(times ARRAY<TIMESTAMP_NTZ>, gap INTERVAL)
  RETURNS ARRAY<STRUCT<start: TIMESTAMP_NTZ, end: TIMESTAMP_NTZ>>
Units: exact to the microsecond, a day is 24 hours; gap > 0; NULLs among the times are left out
Example: array_session_windows_ntz(array(TIMESTAMP_NTZ''2024-05-01 10:07'', TIMESTAMP_NTZ''2024-05-01 10:00''),
  INTERVAL 7 MINUTES).end = array(TIMESTAMP_NTZ''2024-05-01 10:14'')'
RETURN CASE
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
END;

-- Its last instant plus the allowed lateness; the largest time, which no watermark reaches, when the sum is past it.
CREATE OR REPLACE TEMPORARY FUNCTION cleanup_time(
  window_end TIMESTAMP_LTZ,
  allowed_lateness INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TIMESTAMP_LTZ
COMMENT 'The watermark at which an event-time window is forgotten
Signature: cleanup_time(window_end TIMESTAMP [, allowed_lateness INTERVAL]) RETURNS TIMESTAMP
Units: exact to the microsecond, a day is 24 hours; allowed_lateness >= 0
Example: cleanup_time(TIMESTAMP''2024-05-01 10:00:00'', INTERVAL 1 MINUTE) = TIMESTAMP''2024-05-01 10:00:59.999999'''
RETURN CASE
  WHEN window_end IS NULL OR allowed_lateness IS NULL THEN NULL
  WHEN allowed_lateness < INTERVAL '0' SECOND THEN raise_error('cleanup_time: allowed_lateness must not be negative')
  ELSE timestamp_micros(coalesce(
    try_add(unix_micros(window_end) - 1, allowed_lateness div INTERVAL '0.000001' SECOND),
    9223372036854775807
  ))
END;

-- As cleanup_time, for TIMESTAMP_NTZ: days begin at its own midnight, whatever the time zone of the session.
CREATE OR REPLACE TEMPORARY FUNCTION cleanup_time_ntz(
  window_end TIMESTAMP_NTZ,
  allowed_lateness INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TIMESTAMP_NTZ
COMMENT 'The watermark at which an event-time window is forgotten
Signature: cleanup_time_ntz(window_end TIMESTAMP_NTZ [, allowed_lateness INTERVAL]) RETURNS TIMESTAMP_NTZ
Units: exact to the microsecond, a day is 24 hours; allowed_lateness >= 0
Example: cleanup_time_ntz(TIMESTAMP_NTZ''2024-05-01 10:00:00'', INTERVAL 1 MINUTE) = TIMESTAMP_NTZ''2024-05-01 10:00:59.999999'''
RETURN CASE
  WHEN window_end IS NULL OR allowed_lateness IS NULL THEN NULL
  WHEN allowed_lateness < INTERVAL '0' SECOND THEN raise_error('cleanup_time_ntz: allowed_lateness must not be negative')
  ELSE coalesce(
    try_add(window_end - INTERVAL '0.000001' SECOND, allowed_lateness),
    TIMESTAMP_NTZ'1970-01-01' + INTERVAL '0.000001' SECOND * 9223372036854775807
  )
END;

CREATE OR REPLACE TEMPORARY FUNCTION combine_watermarks(
  left_watermark TIMESTAMP_LTZ,
  right_watermark TIMESTAMP_LTZ
)
RETURNS TIMESTAMP_LTZ
COMMENT 'The watermark of an operator with two inputs: the smaller one, none (NULL) until both have one
Signature: combine_watermarks(left_watermark TIMESTAMP, right_watermark TIMESTAMP) RETURNS TIMESTAMP
Units: watermarks of Spark, which are of type TIMESTAMP
Example: combine_watermarks(TIMESTAMP''2024-05-01 10:00:00'', TIMESTAMP''2024-05-01 09:59:00'') = TIMESTAMP''2024-05-01 09:59:00'''
RETURN CASE
  WHEN left_watermark IS NULL OR right_watermark IS NULL THEN NULL
  ELSE least(left_watermark, right_watermark)
END;

-- The rule of TRIGGER COUNT(n).
CREATE OR REPLACE TEMPORARY FUNCTION count_fires(
  row_count INT,
  n INT
)
RETURNS ARRAY<INT>
COMMENT 'Positions, from 0, of the rows that fire: every nth of row_count rows
Signature: count_fires(row_count INT, n INT) RETURNS ARRAY<INT>
Units: rows; row_count >= 0, n >= 1
Example: count_fires(7, 3) = array(2, 5)'
RETURN CASE
  WHEN row_count IS NULL OR n IS NULL THEN NULL
  WHEN row_count < 0 OR n < 1 THEN raise_error('count_fires: row_count must not be negative and n at least 1')
  WHEN row_count < n THEN CAST(array() AS ARRAY<INT>)
  ELSE sequence(n - 1, row_count - 1, n)
END;

--   SELECT w.start, w.end, sum(v) FROM (SELECT *, cumulating_windows(ts, ...) AS ws FROM t) LATERAL VIEW explode(ws) AS w GROUP BY w
-- or, as rows, explode_cumulating_windows: Spark takes no SQL function inside explode itself.
-- Arithmetic is in microseconds: adding INTERVAL '1' DAY to a TIMESTAMP would follow the calendar of the time zone.
CREATE OR REPLACE TEMPORARY FUNCTION cumulating_windows(
  ts TIMESTAMP_LTZ,
  size INTERVAL DAY TO SECOND,
  step INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS ARRAY<STRUCT<start: TIMESTAMP_LTZ, `end`: TIMESTAMP_LTZ>>
COMMENT 'The cumulating windows that hold ts, shortest first: they start together every size and grow by step
Signature: cumulating_windows(ts TIMESTAMP, size INTERVAL, step INTERVAL [, offset INTERVAL])
  RETURNS ARRAY<STRUCT<start: TIMESTAMP, end: TIMESTAMP>>
Units: exact to the microsecond, a day is 24 hours; size is a multiple of step > 0, abs(offset) < size
Example: cumulating_windows(TIMESTAMP''2024-05-01 10:27:00'', INTERVAL 1 HOUR, INTERVAL 20 MINUTES).end
  = array(TIMESTAMP''2024-05-01 10:40:00'', TIMESTAMP''2024-05-01 11:00:00'')'
RETURN CASE
  WHEN ts IS NULL OR size IS NULL OR step IS NULL OR `offset` IS NULL THEN NULL
  WHEN step > INTERVAL '0' SECOND AND size >= step AND abs(`offset`) < size
    AND (size div INTERVAL '0.000001' SECOND) % (step div INTERVAL '0.000001' SECOND) = 0 THEN transform(
    filter(
      transform(
        sequence(1L, size div step),
        i -> unix_micros(ts)
             - pmod(unix_micros(ts) - `offset` div INTERVAL '0.000001' SECOND, size div INTERVAL '0.000001' SECOND)
             + i * (step div INTERVAL '0.000001' SECOND)
      ),
      last -> last > unix_micros(ts)
    ),
    last -> named_struct(
      'start', timestamp_micros(
        unix_micros(ts)
          - pmod(unix_micros(ts) - `offset` div INTERVAL '0.000001' SECOND, size div INTERVAL '0.000001' SECOND)
      ),
      'end', timestamp_micros(last)
    )
  )
  ELSE raise_error('cumulating_windows: step must be positive, size a multiple of it, and abs(offset) less than size')
END;

-- As cumulating_windows, for TIMESTAMP_NTZ: days begin at its own midnight, whatever the time zone of the session.
CREATE OR REPLACE TEMPORARY FUNCTION cumulating_windows_ntz(
  ts TIMESTAMP_NTZ,
  size INTERVAL DAY TO SECOND,
  step INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS ARRAY<STRUCT<start: TIMESTAMP_NTZ, `end`: TIMESTAMP_NTZ>>
COMMENT 'The cumulating windows that hold ts, shortest first: they start together every size and grow by step
Signature: cumulating_windows_ntz(ts TIMESTAMP_NTZ, size INTERVAL, step INTERVAL [, offset INTERVAL])
  RETURNS ARRAY<STRUCT<start: TIMESTAMP_NTZ, end: TIMESTAMP_NTZ>>
Units: exact to the microsecond, a day is 24 hours; size is a multiple of step > 0, abs(offset) < size
Example: cumulating_windows_ntz(TIMESTAMP_NTZ''2024-05-01 10:27:00'', INTERVAL 1 HOUR, INTERVAL 20 MINUTES).end
  = array(TIMESTAMP_NTZ''2024-05-01 10:40:00'', TIMESTAMP_NTZ''2024-05-01 11:00:00'')'
RETURN CASE
  WHEN ts IS NULL OR size IS NULL OR step IS NULL OR `offset` IS NULL THEN NULL
  WHEN step > INTERVAL '0' SECOND AND size >= step AND abs(`offset`) < size
    AND (size div INTERVAL '0.000001' SECOND) % (step div INTERVAL '0.000001' SECOND) = 0 THEN transform(
    filter(
      transform(
        sequence(1L, size div step),
        i -> ts + step * i - INTERVAL '0.000001' SECOND * pmod(
          (ts - `offset` - TIMESTAMP_NTZ'1970-01-01') div INTERVAL '0.000001' SECOND,
          size div INTERVAL '0.000001' SECOND
        )
      ),
      last -> last > ts
    ),
    last -> named_struct(
      'start', ts - INTERVAL '0.000001' SECOND * pmod(
        (ts - `offset` - TIMESTAMP_NTZ'1970-01-01') div INTERVAL '0.000001' SECOND,
        size div INTERVAL '0.000001' SECOND
      ),
      'end', last
    )
  )
  ELSE raise_error('cumulating_windows_ntz: step must be positive, size a multiple of it, and abs(offset) less than size')
END;

-- The rule of TRIGGER DELTA(expr, threshold [, signed => true]): the first number only sets the mark, a row that fires
-- moves it, a NULL neither fires nor moves it. NaN is no distance, while Spark would have it larger than any number.
CREATE OR REPLACE TEMPORARY FUNCTION delta_fires(
  numbers ARRAY<DOUBLE>,
  threshold DOUBLE,
  signed BOOLEAN DEFAULT false
)
RETURNS ARRAY<INT>
COMMENT 'Positions, from 0, of the rows that fire: those that moved by more than threshold since the row that fired last
Signature: delta_fires(numbers ARRAY<DOUBLE>, threshold DOUBLE [, signed BOOLEAN]) RETURNS ARRAY<INT>
Units: those of the numbers; the distance is abs(new - old), or new - old when signed
Example: delta_fires(array(1, 4, 7, 8, 1), 5) = array(2, 4)'
RETURN CASE
  WHEN numbers IS NULL OR threshold IS NULL OR signed IS NULL THEN NULL
  WHEN size(numbers) = 0 THEN CAST(array() AS ARRAY<INT>)
  ELSE aggregate(
    sequence(0, size(numbers) - 1),
    named_struct('mark', CAST(NULL AS DOUBLE), 'fired', CAST(array() AS ARRAY<INT>)),
    (seen, i) -> CASE
      WHEN numbers[i] IS NULL THEN seen
      WHEN seen.mark IS NULL THEN named_struct('mark', numbers[i], 'fired', seen.fired)
      WHEN nanvl(
        IF(signed, numbers[i] - seen.mark, abs(numbers[i] - seen.mark)),
        DOUBLE('-Infinity')
      ) > threshold THEN named_struct('mark', numbers[i], 'fired', array_append(seen.fired, i))
      ELSE seen
    END,
    seen -> seen.fired
  )
END;

-- The rule of EVICT COUNT(n). SQL functions have no parameter for an array of any type: give size(rows),
-- and take transform(evict_count(size(rows), n), i -> rows[i]).
CREATE OR REPLACE TEMPORARY FUNCTION evict_count(
  row_count INT,
  n INT
)
RETURNS ARRAY<INT>
COMMENT 'Positions, from 0, of the rows that stay: the last n of row_count rows
Signature: evict_count(row_count INT, n INT) RETURNS ARRAY<INT>
Units: rows; neither may be negative
Example: evict_count(5, 2) = array(3, 4)'
RETURN CASE
  WHEN row_count IS NULL OR n IS NULL THEN NULL
  WHEN row_count < 0 OR n < 0 THEN raise_error('evict_count: row_count and n must not be negative')
  WHEN least(row_count, n) = 0 THEN CAST(array() AS ARRAY<INT>)
  ELSE sequence(greatest(row_count - n, 0), row_count - 1)
END;

-- The rule of EVICT DELTA(expr, threshold [, signed => true]). A NULL has no distance: it stays, and when the last
-- number is NULL all stay. NaN is no distance either, while Spark would have it larger than any number.
CREATE OR REPLACE TEMPORARY FUNCTION evict_delta(
  numbers ARRAY<DOUBLE>,
  threshold DOUBLE,
  signed BOOLEAN DEFAULT false
)
RETURNS ARRAY<INT>
COMMENT 'Positions, from 0, of the rows that stay: those whose number is nearer to the last one than threshold
Signature: evict_delta(numbers ARRAY<DOUBLE>, threshold DOUBLE [, signed BOOLEAN]) RETURNS ARRAY<INT>
Units: those of the numbers; the distance is abs(last - number), or last - number when signed
Example: evict_delta(array(1, 8, 12, 10), 3) = array(1, 2, 3)'
RETURN CASE
  WHEN numbers IS NULL OR threshold IS NULL OR signed IS NULL THEN NULL
  WHEN size(numbers) = 0 THEN CAST(array() AS ARRAY<INT>)
  ELSE filter(
    sequence(0, size(numbers) - 1),
    i -> NOT coalesce(
      nanvl(
        IF(signed, element_at(numbers, -1) - numbers[i], abs(element_at(numbers, -1) - numbers[i])),
        DOUBLE('-Infinity')
      ) >= threshold,
      false
    )
  )
END;

-- The rule of EVICT TIME(interval). As in Flink nothing happens when the first row has no time, and a later row
-- without one is an error.
CREATE OR REPLACE TEMPORARY FUNCTION evict_time(
  times ARRAY<TIMESTAMP_LTZ>,
  age INTERVAL DAY TO SECOND
)
RETURNS ARRAY<INT>
COMMENT 'Positions, from 0, of the rows that stay: those that are younger than the newest time minus age
Signature: evict_time(times ARRAY<TIMESTAMP>, age INTERVAL) RETURNS ARRAY<INT>
Units: exact to the microsecond, a day is 24 hours; age >= 0
Example: evict_time(array(TIMESTAMP''2024-05-01 10:00'', TIMESTAMP''2024-05-01 10:07''), INTERVAL 5 MINUTES)
  = array(1)'
RETURN CASE
  WHEN times IS NULL OR age IS NULL THEN NULL
  WHEN age < INTERVAL '0' SECOND THEN raise_error('evict_time: age must not be negative')
  WHEN size(times) = 0 THEN CAST(array() AS ARRAY<INT>)
  WHEN get(times, 0) IS NULL THEN sequence(0, size(times) - 1)
  WHEN exists(times, t -> t IS NULL) THEN raise_error('evict_time: a row has no time')
  ELSE element_at(
    transform(
      array(unix_micros(array_max(times))),
      newest -> filter(
        sequence(0, size(times) - 1),
        i -> unix_micros(times[i]) > newest - age div INTERVAL '0.000001' SECOND
      )
    ),
    1
  )
END;

-- As evict_time, for TIMESTAMP_NTZ: days begin at its own midnight, whatever the time zone of the session.
CREATE OR REPLACE TEMPORARY FUNCTION evict_time_ntz(
  times ARRAY<TIMESTAMP_NTZ>,
  age INTERVAL DAY TO SECOND
)
RETURNS ARRAY<INT>
COMMENT 'Positions, from 0, of the rows that stay: those that are younger than the newest time minus age
Signature: evict_time_ntz(times ARRAY<TIMESTAMP_NTZ>, age INTERVAL) RETURNS ARRAY<INT>
Units: exact to the microsecond, a day is 24 hours; age >= 0
Example: evict_time_ntz(array(TIMESTAMP_NTZ''2024-05-01 10:00'', TIMESTAMP_NTZ''2024-05-01 10:07''), INTERVAL 5 MINUTES)
  = array(1)'
RETURN CASE
  WHEN times IS NULL OR age IS NULL THEN NULL
  WHEN age < INTERVAL '0' SECOND THEN raise_error('evict_time_ntz: age must not be negative')
  WHEN size(times) = 0 THEN CAST(array() AS ARRAY<INT>)
  WHEN get(times, 0) IS NULL THEN sequence(0, size(times) - 1)
  WHEN exists(times, t -> t IS NULL) THEN raise_error('evict_time_ntz: a row has no time')
  ELSE element_at(
    transform(
      array(array_max(times)),
      newest -> filter(sequence(0, size(times) - 1), i -> times[i] > newest - age)
    ),
    1
  )
END;

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

--   SELECT window_start, count(*) FROM t,
--   LATERAL explode_cumulating_windows(ts, INTERVAL 1 HOUR, INTERVAL 20 MINUTES) GROUP BY window_start
-- Spark takes no SQL function inside explode: this is cumulating_windows with the explode around it.
CREATE OR REPLACE TEMPORARY FUNCTION explode_cumulating_windows(
  ts TIMESTAMP_LTZ,
  size INTERVAL DAY TO SECOND,
  step INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TABLE (window_start TIMESTAMP_LTZ, window_end TIMESTAMP_LTZ)
COMMENT 'The cumulating windows that hold ts as rows, for FROM: they start together every size and grow by step
Signature: explode_cumulating_windows(ts TIMESTAMP, size INTERVAL, step INTERVAL [, offset INTERVAL])
  RETURNS TABLE (window_start TIMESTAMP, window_end TIMESTAMP)
Units: exact to the microsecond, a day is 24 hours; size is a multiple of step > 0, abs(offset) < size
Example: (SELECT min(window_end) FROM explode_cumulating_windows(TIMESTAMP''2024-05-01 10:27:00'', INTERVAL 1 HOUR,
  INTERVAL 20 MINUTES)) = TIMESTAMP''2024-05-01 10:40:00'''
RETURN SELECT * FROM inline(CASE
  WHEN ts IS NULL OR size IS NULL OR step IS NULL OR `offset` IS NULL THEN NULL
  WHEN step > INTERVAL '0' SECOND AND size >= step AND abs(`offset`) < size
    AND (size div INTERVAL '0.000001' SECOND) % (step div INTERVAL '0.000001' SECOND) = 0 THEN transform(
    filter(
      transform(
        sequence(1L, size div step),
        i -> unix_micros(ts)
             - pmod(unix_micros(ts) - `offset` div INTERVAL '0.000001' SECOND, size div INTERVAL '0.000001' SECOND)
             + i * (step div INTERVAL '0.000001' SECOND)
      ),
      last -> last > unix_micros(ts)
    ),
    last -> named_struct(
      'start', timestamp_micros(
        unix_micros(ts)
          - pmod(unix_micros(ts) - `offset` div INTERVAL '0.000001' SECOND, size div INTERVAL '0.000001' SECOND)
      ),
      'end', timestamp_micros(last)
    )
  )
  ELSE raise_error('cumulating_windows: step must be positive, size a multiple of it, and abs(offset) less than size')
END);

--   SELECT window_start, count(*) FROM t,
--   LATERAL explode_cumulating_windows_ntz(ts, INTERVAL 1 HOUR, INTERVAL 20 MINUTES) GROUP BY window_start
-- Spark takes no SQL function inside explode: this is cumulating_windows_ntz with the explode around it.
CREATE OR REPLACE TEMPORARY FUNCTION explode_cumulating_windows_ntz(
  ts TIMESTAMP_NTZ,
  size INTERVAL DAY TO SECOND,
  step INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TABLE (window_start TIMESTAMP_NTZ, window_end TIMESTAMP_NTZ)
COMMENT 'The cumulating windows that hold ts as rows, for FROM: they start together every size and grow by step
Signature: explode_cumulating_windows_ntz(ts TIMESTAMP_NTZ, size INTERVAL, step INTERVAL [, offset INTERVAL])
  RETURNS TABLE (window_start TIMESTAMP_NTZ, window_end TIMESTAMP_NTZ)
Units: exact to the microsecond, a day is 24 hours; size is a multiple of step > 0, abs(offset) < size
Example: (SELECT min(window_end) FROM explode_cumulating_windows_ntz(TIMESTAMP_NTZ''2024-05-01 10:27:00'', INTERVAL 1 HOUR,
  INTERVAL 20 MINUTES)) = TIMESTAMP_NTZ''2024-05-01 10:40:00'''
RETURN SELECT * FROM inline(CASE
  WHEN ts IS NULL OR size IS NULL OR step IS NULL OR `offset` IS NULL THEN NULL
  WHEN step > INTERVAL '0' SECOND AND size >= step AND abs(`offset`) < size
    AND (size div INTERVAL '0.000001' SECOND) % (step div INTERVAL '0.000001' SECOND) = 0 THEN transform(
    filter(
      transform(
        sequence(1L, size div step),
        i -> ts + step * i - INTERVAL '0.000001' SECOND * pmod(
          (ts - `offset` - TIMESTAMP_NTZ'1970-01-01') div INTERVAL '0.000001' SECOND,
          size div INTERVAL '0.000001' SECOND
        )
      ),
      last -> last > ts
    ),
    last -> named_struct(
      'start', ts - INTERVAL '0.000001' SECOND * pmod(
        (ts - `offset` - TIMESTAMP_NTZ'1970-01-01') div INTERVAL '0.000001' SECOND,
        size div INTERVAL '0.000001' SECOND
      ),
      'end', last
    )
  )
  ELSE raise_error('cumulating_windows_ntz: step must be positive, size a multiple of it, and abs(offset) less than size')
END);

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

-- As sliding_windows, for TIMESTAMP_NTZ: days begin at its own midnight, whatever the time zone of the session.
CREATE OR REPLACE TEMPORARY FUNCTION sliding_windows_ntz(
  ts TIMESTAMP_NTZ,
  size INTERVAL DAY TO SECOND,
  slide INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS ARRAY<STRUCT<start: TIMESTAMP_NTZ, `end`: TIMESTAMP_NTZ>>
COMMENT 'The sliding windows that hold ts, newest first; none when ts falls between windows (slide > size)
Signature: sliding_windows_ntz(ts TIMESTAMP_NTZ, size INTERVAL, slide INTERVAL [, offset INTERVAL])
  RETURNS ARRAY<STRUCT<start: TIMESTAMP_NTZ, end: TIMESTAMP_NTZ>>
Units: exact to the microsecond, a day is 24 hours; size > 0, slide > 0, abs(offset) < slide
Example: sliding_windows_ntz(TIMESTAMP_NTZ''2024-05-01 10:07:00'', INTERVAL 10 MINUTES, INTERVAL 5 MINUTES).start
  = array(TIMESTAMP_NTZ''2024-05-01 10:05:00'', TIMESTAMP_NTZ''2024-05-01 10:00:00'')'
RETURN CASE
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
END;

-- Arithmetic is in microseconds: adding INTERVAL '1' DAY to a TIMESTAMP would follow the calendar of the time zone.
CREATE OR REPLACE TEMPORARY FUNCTION tumble_end(
  ts TIMESTAMP_LTZ,
  size INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TIMESTAMP_LTZ
COMMENT 'End, which it does not hold, of the tumbling window that holds ts
Signature: tumble_end(ts TIMESTAMP, size INTERVAL [, offset INTERVAL]) RETURNS TIMESTAMP
Units: exact to the microsecond, a day is 24 hours; size > 0, abs(offset) < size
Example: tumble_end(TIMESTAMP''2024-05-01 10:07:00'', INTERVAL 10 MINUTES) = TIMESTAMP''2024-05-01 10:10:00'''
RETURN CASE
  WHEN ts IS NULL OR size IS NULL OR `offset` IS NULL THEN NULL
  WHEN size > INTERVAL '0' SECOND AND abs(`offset`) < size THEN timestamp_micros(
      unix_micros(ts)
      - pmod(unix_micros(ts) - `offset` div INTERVAL '0.000001' SECOND, size div INTERVAL '0.000001' SECOND)
      + size div INTERVAL '0.000001' SECOND
    )
  ELSE raise_error('tumble_end: size must be positive and abs(offset) less than size')
END;

-- As tumble_end, for TIMESTAMP_NTZ: days begin at its own midnight, whatever the time zone of the session.
CREATE OR REPLACE TEMPORARY FUNCTION tumble_end_ntz(
  ts TIMESTAMP_NTZ,
  size INTERVAL DAY TO SECOND,
  `offset` INTERVAL DAY TO SECOND DEFAULT INTERVAL '0' SECOND
)
RETURNS TIMESTAMP_NTZ
COMMENT 'End, which it does not hold, of the tumbling window that holds ts
Signature: tumble_end_ntz(ts TIMESTAMP_NTZ, size INTERVAL [, offset INTERVAL]) RETURNS TIMESTAMP_NTZ
Units: exact to the microsecond, a day is 24 hours; size > 0, abs(offset) < size
Example: tumble_end_ntz(TIMESTAMP_NTZ''2024-05-01 10:07:00'', INTERVAL 10 MINUTES) = TIMESTAMP_NTZ''2024-05-01 10:10:00'''
RETURN CASE
  WHEN ts IS NULL OR size IS NULL OR `offset` IS NULL THEN NULL
  WHEN size > INTERVAL '0' SECOND AND abs(`offset`) < size THEN
    ts - INTERVAL '0.000001' SECOND * pmod(
      (ts - `offset` - TIMESTAMP_NTZ'1970-01-01') div INTERVAL '0.000001' SECOND,
      size div INTERVAL '0.000001' SECOND
    ) + size
  ELSE raise_error('tumble_end_ntz: size must be positive and abs(offset) less than size')
END;

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
