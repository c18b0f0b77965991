-- Nexmark 12, processing-time windows: how many bids does a user make in ten seconds of the machine's clock?
--
-- Runs on tables, all of whose rows come at one moment, and on streams.

SELECT bidder, count(*) AS bid_count, window_start AS starttime, window_end AS endtime
FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(PROCTIME()), INTERVAL '10' SECOND))
GROUP BY bidder, window_start, window_end
