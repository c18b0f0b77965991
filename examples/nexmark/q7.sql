-- Nexmark 7, highest bid: which bids were the highest of their ten seconds?
--
-- Runs on tables and on streams. A window Top-N; the benchmark's own text joins the bids with their maximum.

SELECT auction, bidder, price, dateTime, endtime
FROM (
  SELECT auction, bidder, price, dateTime, window_end AS endtime,
         RANK() OVER (PARTITION BY window_start, window_end ORDER BY price DESC) AS place
  FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(dateTime), INTERVAL '10' SECOND))
)
WHERE place = 1
