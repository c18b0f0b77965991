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
