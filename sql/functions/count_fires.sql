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
