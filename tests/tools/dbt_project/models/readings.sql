{{ config(materialized='table', file_format='parquet') }}

SELECT * FROM VALUES
  ('north', TIMESTAMP_NTZ'2024-05-01 10:00:00', 20), ('north', TIMESTAMP_NTZ'2024-05-01 10:04:00', 26),
  ('north', TIMESTAMP_NTZ'2024-05-01 10:11:00', 21), ('north', TIMESTAMP_NTZ'2024-05-01 10:31:00', 35),
  ('south', TIMESTAMP_NTZ'2024-05-01 10:02:00', 14), ('south', TIMESTAMP_NTZ'2024-05-01 10:13:00', 19)
  AS t(meter, ts, value)
