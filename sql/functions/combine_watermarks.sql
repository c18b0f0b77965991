-- The watermark of an operator with two inputs: the smaller one, none (NULL) until both have one.
CREATE OR REPLACE TEMPORARY FUNCTION combine_watermarks(left_watermark TIMESTAMP, right_watermark TIMESTAMP)
RETURNS TIMESTAMP
COMMENT 'The watermark of an operator with two inputs'
RETURN IF(
  left_watermark IS NULL OR right_watermark IS NULL,
  NULL,
  least(left_watermark, right_watermark)
);
