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
