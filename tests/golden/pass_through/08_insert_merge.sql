# INSERT INTO VALUES, with columns, BY NAME and DEFAULT
CREATE TABLE made (window INT, assign STRING DEFAULT 'none') USING parquet
----
INSERT INTO made VALUES (1, 'a'), (2, DEFAULT)
----
INSERT INTO TABLE made (assign, window) SELECT k, v FROM events
----
INSERT INTO made BY NAME SELECT 'z' AS assign, 9 AS window
----
INSERT INTO made (window) VALUES (10)
----
INSERT INTO made TABLE made
----
SELECT * FROM made ORDER BY ALL
----
INSERT OVERWRITE made VALUES (5, 'only')
----
INSERT OVERWRITE TABLE made BY NAME SELECT 6 AS window
----
SELECT window, assign FROM made
----
INSERT INTO made VALUES (1)
----
INSERT INTO made (nothing) VALUES (1)

# INSERT into partitions
CREATE TABLE made (window INT, late STRING, into INT) USING parquet PARTITIONED BY (late, into)
----
INSERT INTO made PARTITION (late = 'a', into = 1) VALUES (1)
----
INSERT INTO made PARTITION (late, into) SELECT v, k, v FROM events
----
INSERT OVERWRITE TABLE made PARTITION (late = 'a', into) SELECT 7, 8
----
INSERT OVERWRITE made PARTITION (late = 'b', into = 5) IF NOT EXISTS SELECT 3
----
SELECT * FROM made ORDER BY ALL
----
ALTER TABLE made DROP PARTITION (late = 'a')
----
SELECT count(*) FROM made

# INSERT with a CTE before and after
CREATE TABLE made (window INT) USING parquet
----
WITH assign AS (SELECT 1 AS trigger) INSERT INTO made SELECT trigger FROM assign
----
INSERT INTO made WITH assign AS (SELECT 2 AS trigger) FROM assign SELECT trigger
----
SELECT * FROM made ORDER BY window

# INSERT of several from one
CREATE TABLE made (window INT) USING parquet
----
CREATE TABLE also (assign STRING) USING parquet
----
FROM events INSERT INTO made SELECT v WHERE v > 1 INSERT OVERWRITE TABLE also SELECT k
----
SELECT * FROM made ORDER BY 1
----
SELECT * FROM also ORDER BY 1

# INSERT INTO REPLACE WHERE
CREATE TABLE made (window INT) USING parquet
----
INSERT INTO made REPLACE WHERE window > 1 SELECT 2

# INSERT OVERWRITE DIRECTORY
INSERT OVERWRITE LOCAL DIRECTORY '/nowhere/window' USING tumbling SELECT 1 AS assign

# INSERT WITH SCHEMA EVOLUTION
CREATE TABLE made (window INT) USING parquet
----
INSERT WITH SCHEMA EVOLUTION INTO made SELECT 1

# INSERT into a view
INSERT INTO events VALUES (1)

# INSERT of a wrong type
CREATE TABLE made (window INT) USING parquet
----
INSERT INTO made VALUES ('assign')

# INSERT into nothing
INSERT INTO window SELECT 1 AS assign

# INSERT into a quoted name
CREATE TABLE `made WINDOW ASSIGN` (`late into` INT) USING parquet
----
INSERT INTO `made WINDOW ASSIGN` (`late into`) VALUES (1)
----
SELECT `late into` FROM `made WINDOW ASSIGN`

# INSERT by an identifier
CREATE TABLE made (window INT) USING parquet
----
INSERT INTO IDENTIFIER('ma' || 'de') VALUES (1)
----
SELECT * FROM IDENTIFIER('made')

# MERGE INTO
CREATE TABLE made (window INT, assign STRING) USING parquet
----
MERGE INTO made window USING (SELECT 1 AS trigger) assign ON window.window = assign.trigger WHEN MATCHED AND assign.trigger > 1 THEN DELETE WHEN MATCHED THEN UPDATE SET assign = 'x' WHEN NOT MATCHED THEN INSERT (window) VALUES (assign.trigger) WHEN NOT MATCHED BY SOURCE THEN DELETE

# MERGE WITH SCHEMA EVOLUTION
MERGE WITH SCHEMA EVOLUTION INTO events AS window USING names assign ON window.k = assign.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *

# MERGE with a mistake
MERGE INTO events window USING names assign ON window.nothing = assign.k WHEN MATCHED THEN DELETE

# MERGE with no clause
MERGE INTO events USING names ON events.k = names.k

# UPDATE
CREATE TABLE made (window INT, assign STRING) USING parquet
----
UPDATE made window SET assign = 'x', window.window = DEFAULT WHERE window > 1

# DELETE FROM
CREATE TABLE made (window INT, assign STRING) USING parquet
----
DELETE FROM made AS window WHERE window.assign IN (SELECT k FROM events)

# DELETE FROM nothing
DELETE FROM window assign WHERE assign.late
