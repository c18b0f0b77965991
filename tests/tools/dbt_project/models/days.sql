{{ config(materialized='incremental', incremental_strategy='insert_overwrite', partition_by=['day'], file_format='parquet') }}

WITH hours AS (
  SELECT meter, window_start, count(*) AS n
  FROM {{ ref('last_pairs') }}
  WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) TRIGGER COUNT(1)
  GROUP BY meter
)
SELECT meter, max(n) AS n, CAST(window_start AS DATE) AS day FROM hours GROUP BY meter, day
