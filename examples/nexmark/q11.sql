-- Nexmark 11, user sessions: how many bids did a user make in each of their sessions, which end after ten quiet seconds?
--
-- Runs on tables and on streams.

SELECT B.bidder, count(*) AS bid_count, window_start AS starttime, window_end AS endtime
FROM TABLE(SESSION(TABLE bid PARTITION BY bidder, DESCRIPTOR(dateTime), INTERVAL '10' SECOND)) AS B
GROUP BY B.bidder, window_start, window_end
