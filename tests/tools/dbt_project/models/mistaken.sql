{{ config(enabled=var('mistaken', false)) }}

SELECT meter FROM {{ ref('readings') }}
WINDOW ASSIGN TUMBLNG(ts, INTERVAL 10 MINUTES)
GROUP BY meter
