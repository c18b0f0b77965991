-- Nexmark 5, hot items: which auctions have had the most bids in the last ten seconds, every two seconds?
--
-- Runs on tables and on streams. Nexmark's own text, q5_join.sql, joins the counts with their maximum. To rank the
-- counts of each window gives the same rows, ties included.

SELECT auction, num, starttime, endtime
FROM (
  SELECT auction, num, window_start AS starttime, window_end AS endtime,
         RANK() OVER (PARTITION BY window_start, window_end ORDER BY num DESC) AS place
  FROM (
    SELECT auction, count(*) AS num, window_start, window_end
    FROM TABLE(HOP(TABLE bid, DESCRIPTOR(dateTime), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
    GROUP BY auction, window_start, window_end
  )
)
WHERE place = 1
