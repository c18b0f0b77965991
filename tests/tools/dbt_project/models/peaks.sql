{{ config(materialized='view') }}

SELECT meter, window_start, count(*) AS n, max(value) AS peak
FROM {{ ref('readings') }}
WINDOW ASSIGN TUMBLING(ts, INTERVAL {{ var('minutes', 10) }} MINUTES)
GROUP BY meter
