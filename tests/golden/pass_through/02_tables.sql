# CREATE TABLE with every kind of column
CREATE TABLE made (id BIGINT NOT NULL COMMENT 'the window', window STRUCT<assign: INT, `late into`: ARRAY<STRING>>, assign DECIMAL(10, 2) DEFAULT 1.5, trigger MAP<STRING, TIMESTAMP_NTZ>, c CHAR(3), vc VARCHAR(5), bin BINARY) USING parquet COMMENT 'WINDOW ASSIGN' TBLPROPERTIES ('trigger' = 'count')
----
DESCRIBE TABLE EXTENDED made
----
SHOW CREATE TABLE made
----
SHOW TBLPROPERTIES made
----
SHOW TBLPROPERTIES made ('trigger')
----
INSERT INTO made (id) VALUES (1), (2)
----
SELECT * FROM made ORDER BY id
----
TRUNCATE TABLE made
----
SELECT count(*) FROM made

# CREATE TABLE AS SELECT with options, partitions and buckets
CREATE TABLE IF NOT EXISTS made USING parquet OPTIONS (compression 'snappy') PARTITIONED BY (late) CLUSTERED BY (window) SORTED BY (window) INTO 2 BUCKETS AS SELECT 1 AS window, 'x' AS late
----
SHOW PARTITIONS made
----
DESCRIBE TABLE made PARTITION (late = 'x')
----
SELECT * FROM made

# CREATE TABLE without AS in front of its query
CREATE TABLE made USING parquet SELECT 1 AS assign

# CREATE TABLE of another format
CREATE TABLE made (window INT, assign STRING) USING json
----
INSERT INTO made VALUES (1, 'é'), (2, '窗口')
----
SELECT * FROM made ORDER BY window

# CREATE TABLE with a CTE
CREATE TABLE made USING csv AS WITH late AS (SELECT 1 AS into) SELECT * FROM late

# CREATE TABLE LIKE
CREATE TABLE source_of (window INT, assign STRING) USING parquet
----
CREATE TABLE made LIKE source_of USING parquet
----
DESCRIBE made

# CREATE TABLE with a generated column
CREATE TABLE made (a INT, window INT GENERATED ALWAYS AS (a + 1)) USING parquet

# CREATE EXTERNAL TABLE without a place
CREATE EXTERNAL TABLE made (a INT) USING parquet

# CREATE TABLE with two clauses of a kind
CREATE TABLE made (a INT) USING parquet COMMENT 'a' COMMENT 'b'

# CREATE OR REPLACE TABLE
CREATE OR REPLACE TABLE made USING parquet AS SELECT 1 AS window

# REPLACE TABLE
REPLACE TABLE made (window INT) USING parquet

# CREATE TABLE with the types of 4.x
CREATE TABLE made (v VARIANT, s STRING COLLATE UTF8_LCASE, t TIME(3), i INTERVAL DAY TO SECOND) USING parquet
----
DESCRIBE made

# CREATE TABLE with constraints
CREATE TABLE made (window INT PRIMARY KEY, assign INT CHECK (assign > 0)) USING parquet

# CREATE TABLE CLUSTER BY
CREATE TABLE made (window INT, assign INT) USING parquet CLUSTER BY (window, assign)

# ALTER TABLE: columns
CREATE TABLE made (a INT) USING parquet
----
ALTER TABLE made ADD COLUMNS (window INT COMMENT 'trigger', late STRUCT<into: INT>)
----
ALTER TABLE made ADD COLUMN assign STRING
----
ALTER TABLE made ALTER COLUMN window COMMENT 'evict'
----
ALTER TABLE made ALTER COLUMN window SET DEFAULT 5
----
ALTER TABLE made CHANGE COLUMN assign assign STRING COMMENT 'changed'
----
DESCRIBE made
----
ALTER TABLE made RENAME COLUMN window TO trigger
----
ALTER TABLE made DROP COLUMN window

# ALTER TABLE: properties, names and places
CREATE TABLE made (a INT) USING parquet
----
ALTER TABLE made SET TBLPROPERTIES ('window' = 'assign', state.ttl = 5)
----
ALTER TABLE made UNSET TBLPROPERTIES IF EXISTS ('window')
----
SHOW TBLPROPERTIES made
----
ALTER TABLE made RENAME TO window
----
SHOW TABLES LIKE 'win*|made'
----
DROP TABLE window
----
DROP TABLE IF EXISTS window
----
DROP TABLE window

# ALTER TABLE: partitions
CREATE TABLE made (a INT, late STRING) USING parquet PARTITIONED BY (late)
----
ALTER TABLE made ADD IF NOT EXISTS PARTITION (late = 'into') PARTITION (late = 'state')
----
ALTER TABLE made PARTITION (late = 'into') RENAME TO PARTITION (late = 'ttl')
----
ALTER TABLE made DROP IF EXISTS PARTITION (late = 'state')
----
SHOW PARTITIONS made PARTITION (late = 'ttl')
----
SHOW PARTITIONS made
----
MSCK REPAIR TABLE made SYNC PARTITIONS

# ALTER TABLE: constraint
CREATE TABLE made (assign INT) USING parquet
----
ALTER TABLE made ADD CONSTRAINT window CHECK (assign > 0)

# ALTER TABLE that is not there
ALTER TABLE nowhere ADD COLUMN window INT

# ANALYZE TABLE and TABLES
CREATE TABLE made USING parquet AS SELECT 1 AS window, 'a' AS assign
----
ANALYZE TABLE made COMPUTE STATISTICS FOR COLUMNS window, assign
----
DESCRIBE EXTENDED made window
----
ANALYZE TABLES IN corpus COMPUTE STATISTICS NOSCAN

# CACHE, UNCACHE and REFRESH
CACHE LAZY TABLE late OPTIONS ('storageLevel' 'MEMORY_ONLY') AS SELECT 1 AS into
----
SELECT * FROM late
----
REFRESH TABLE late
----
UNCACHE TABLE late
----
UNCACHE TABLE IF EXISTS evict
----
UNCACHE TABLE evict
----
CLEAR CACHE

# REFRESH of a path
REFRESH '/nowhere/window assign'

# REFRESH of a path without quotes
REFRESH /nowhere/FROM t WINDOW ASSIGN COUNT(1)

# LOAD DATA of a file that is not there
CREATE TABLE made (assign INT) USING parquet
----
LOAD DATA LOCAL INPATH '/nowhere/window' OVERWRITE INTO TABLE made

# TRUNCATE TABLE of a view
TRUNCATE TABLE events

# CREATE INDEX
CREATE INDEX window ON TABLE events (k)

# Hive's statements that Spark refuses
CREATE ROLE window

# Hive's statements about locks
LOCK TABLE window EXCLUSIVE

# ADD FILE that is not there
ADD FILE /nowhere/window assign.txt

# LIST FILES
LIST FILES

# a file read by its path
SELECT * FROM parquet.`/nowhere/window assign`

# DROP TABLE PURGE
CREATE TABLE made (a INT) USING parquet
----
DROP TABLE made PURGE

# a table of an unknown format
CREATE TABLE made (a INT) USING tumbling
