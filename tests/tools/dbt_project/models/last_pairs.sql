{{ config(materialized='ephemeral') }}

SELECT meter, max(ts) AS ts FROM {{ ref('readings') }} WINDOW ASSIGN COUNT(2, time => ts) GROUP BY meter
