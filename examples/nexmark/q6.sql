-- Nexmark 6, average selling price by seller: what did the last ten auctions of each seller sell for on average?
--
-- Runs on tables and on streams; Flink SQL cannot say it. An auction is a session that begins with it and lasts until
-- it expires; bids while it is open fall into it. Bids on auctions that are not open are sessions without a seller.

SELECT seller, avg(price) AS average
FROM (
  SELECT id, max(seller) AS seller, max(price) AS price, window_end AS closed
  FROM (
    SELECT id, seller, CAST(NULL AS BIGINT) AS price, dateTime, expires - dateTime AS lasts FROM auction
    UNION ALL
    SELECT auction, CAST(NULL AS BIGINT), price, dateTime, INTERVAL '0.000001' SECOND FROM bid
  )
  WINDOW ASSIGN SESSION(dateTime, lasts)
  GROUP BY id
  HAVING max(seller) IS NOT NULL AND max(price) IS NOT NULL
)
WINDOW ASSIGN COUNT(10, 1, time => closed)
GROUP BY seller
