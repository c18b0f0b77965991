# DESCRIBE variants
DESCRIBE events
----
DESC TABLE EXTENDED events
----
DESCRIBE FORMATTED events
----
DESCRIBE events k
----
DESCRIBE events nothing
----
DESCRIBE nothing

# DESCRIBE AS JSON
CREATE VIEW made AS SELECT 1 AS window
----
DESCRIBE made

# DESCRIBE QUERY
DESCRIBE QUERY SELECT k AS window, sum(v) AS assign FROM events GROUP BY k
----
DESCRIBE SELECT 1 AS trigger
----
DESC WITH late AS (SELECT 1 AS into) SELECT * FROM late
----
DESCRIBE QUERY VALUES (1, 'a') AS window(assign, trigger)
----
DESCRIBE TABLE events

# SHOW TABLES
SHOW TABLES IN corpus LIKE 'e*'
----
SHOW TABLES LIKE 'window*|assign'
----
SHOW TABLE EXTENDED IN corpus LIKE 'nothing'
----
SHOW TABLES FROM nothing

# SHOW COLUMNS
SHOW COLUMNS IN events
----
SHOW COLUMNS FROM events IN corpus
----
SHOW COLUMNS IN window.assign

# SHOW CREATE TABLE of a view
SHOW CREATE TABLE events

# SHOW PARTITIONS of a view
SHOW PARTITIONS events

# SHOW TBLPROPERTIES of a view
SHOW TBLPROPERTIES events ('window')

# SHOW of something that is nothing
SHOW WINDOWS

# SHOW with words of ours as patterns
SHOW TABLES 'streams'
----
SHOW DATABASES 'window state of'
----
SHOW TABLES IN streams

# SHOW COLLATIONS
SHOW COLLATIONS LIKE 'UTF8*'

# SHOW PROCEDURES
SHOW PROCEDURES IN spark_catalog

# SHOW SYSTEM FUNCTIONS
SHOW SYSTEM FUNCTIONS LIKE 'tumb*'

# COMMENT ON
COMMENT ON TABLE events IS 'WINDOW ASSIGN COUNT(1)'

# CALL of a procedure
CALL spark_catalog.window.assign(trigger => 1)
