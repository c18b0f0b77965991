# SET of one setting
SET spark.sql.shuffle.partitions
----
SET spark.sql.ansi.enabled = false
----
SELECT 1 / 0, CAST('x' AS INT)
----
RESET spark.sql.ansi.enabled

# SET with anything after it
SET window.assign = SELECT * FROM t WINDOW ASSIGN COUNT(1)
----
SET window.assign
----
SET `window.assign` = `it's WINDOW ASSIGN COUNT(1)`
----
RESET window.assign

# SET with quotes and brackets that nothing closes
SET late.into = FROM (t WINDOW ASSIGN tumbling(ts, 'a
----
SET late.into
----
RESET late.into

# SET -v
SET spark.sql.nothing

# RESET with anything after it
RESET FROM t WINDOW ASSIGN COUNT(1)

# SET TIME ZONE
SET TIME ZONE 'America/New_York'
----
SELECT current_timezone(), TIMESTAMP '2024-03-10 12:00:00 UTC'
----
SET TIME ZONE INTERVAL '02:30' HOUR TO MINUTE
----
SELECT current_timezone()
----
SET TIME ZONE LOCAL
----
SET TIME ZONE window
----
SET TIME ZONE 'UTC'

# SET of a static setting
SET spark.sql.warehouse.dir = window

# SET of a wrong value
SET spark.sql.shuffle.partitions = assign

# SET COLLATION
SET COLLATION window

# SET ROLE
SET ROLE window

# SET PATH
SET PATH = window

# EXPLAIN
EXPLAIN SELECT v + 1 FROM VALUES (1) AS window(v)

# EXPLAIN EXTENDED
EXPLAIN EXTENDED SELECT window FROM (SELECT 1 AS window) assign

# EXPLAIN FORMATTED
EXPLAIN FORMATTED SELECT window FROM VALUES (1) AS assign(window) WHERE window > 0

# EXPLAIN COST
EXPLAIN COST SELECT 1

# EXPLAIN of a command
EXPLAIN CREATE TEMPORARY VIEW window AS SELECT 1

# EXPLAIN of EXPLAIN
EXPLAIN EXPLAIN SELECT 1

# EXPLAIN of a mistake
EXPLAIN SELECT nothing FROM events

# EXPLAIN of a query over a table named window
WITH window AS (SELECT 1 AS a) SELECT * FROM window
----
EXPLAIN WITH window AS (SELECT 1 AS a) SELECT * FROM window

# EXPLAIN FROM
EXPLAIN FROM events AS window SELECT assign AS b, k LIMIT 1

# EXPLAIN of nothing
EXPLAIN
