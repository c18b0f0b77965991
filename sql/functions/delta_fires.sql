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
