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
