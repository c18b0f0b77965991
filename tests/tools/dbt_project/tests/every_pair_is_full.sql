SELECT meter, count(*) AS n FROM {{ ref('readings') }} WINDOW ASSIGN COUNT(2, time => ts) GROUP BY meter HAVING count(*) <> 2
