{{ config(materialized='table', file_format='parquet') }}

SELECT meter, max(value) AS peak
FROM {{ ref('readings') }}
WINDOW ASSIGN COUNT(2, time => ts)
GROUP BY meter
