{{ config(materialized='table', file_format='parquet') }}

SELECT meter, n FROM {{ ref('peaks') }} WHERE n > 1
