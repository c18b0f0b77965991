{{ config(materialized='incremental', file_format='parquet') }}

SELECT meter, window_start, window_end, count(*) AS n
FROM {{ ref('readings') }}
{% if is_incremental() %}
WHERE ts >= (SELECT max(window_end) FROM {{ this }})
{% endif %}
WINDOW ASSIGN SESSION(ts, INTERVAL 10 MINUTES)
GROUP BY meter
