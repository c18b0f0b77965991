# CREATE VIEW with columns, comments and properties
CREATE OR REPLACE VIEW made (window COMMENT 'trigger', assign) COMMENT 'WINDOW ASSIGN' TBLPROPERTIES ('late' = 'into') AS SELECT k, v FROM events
----
SELECT * FROM made ORDER BY assign
----
DESCRIBE EXTENDED made
----
SHOW CREATE TABLE made
----
ALTER VIEW made AS SELECT 1 AS window
----
ALTER VIEW made SET TBLPROPERTIES ('evict' = 'never')
----
SELECT * FROM made
----
ALTER VIEW made RENAME TO late
----
DROP VIEW late
----
DROP VIEW IF EXISTS late

# CREATE VIEW WITH SCHEMA
CREATE VIEW made WITH SCHEMA EVOLUTION AS SELECT k FROM events
----
ALTER VIEW made WITH SCHEMA BINDING
----
SELECT * FROM made

# CREATE VIEW WITH SCHEMA COMPENSATION and TYPE EVOLUTION
CREATE VIEW made WITH SCHEMA COMPENSATION AS SELECT v FROM events
----
CREATE OR REPLACE VIEW made WITH SCHEMA TYPE EVOLUTION AS SELECT v FROM events
----
SHOW CREATE TABLE made

# CREATE TEMPORARY VIEW
CREATE TEMPORARY VIEW trigger AS SELECT 1 AS evict
----
SELECT evict FROM trigger
----
CREATE TEMP VIEW trigger AS SELECT 2 AS evict
----
CREATE OR REPLACE TEMPORARY VIEW trigger AS SELECT evict + 1 AS evict FROM trigger
----
SELECT trigger.evict FROM trigger
----
SHOW VIEWS LIKE 'trig*'
----
DROP VIEW trigger

# CREATE GLOBAL TEMPORARY VIEW
CREATE OR REPLACE GLOBAL TEMPORARY VIEW assign AS SELECT 1 AS window
----
SELECT * FROM global_temp.assign
----
SHOW VIEWS IN global_temp
----
DROP VIEW global_temp.assign

# CREATE TEMPORARY VIEW USING
CREATE TEMPORARY VIEW late (into INT) USING csv OPTIONS (path '/nowhere/window', header 'true')

# CREATE VIEW over a temporary one
CREATE TEMPORARY VIEW apply AS SELECT 1 AS a
----
CREATE VIEW made AS SELECT * FROM apply

# CREATE VIEW with the wrong number of columns
CREATE VIEW made (window, assign) AS SELECT 1

# CREATE VIEW with a parameter
CREATE VIEW made AS SELECT :window AS a

# CREATE VIEW of the metrics kind
CREATE VIEW made WITH METRICS LANGUAGE YAML AS $$ WINDOW ASSIGN COUNT(1) $$

# CREATE MATERIALIZED VIEW outside of pipelines
CREATE MATERIALIZED VIEW made AS SELECT 1 AS window

# CREATE VIEW over set operations, CTEs and subqueries
CREATE VIEW made AS WITH window AS (SELECT 1 AS assign) SELECT * FROM window UNION ALL SELECT (SELECT max(assign) FROM window)
----
SELECT * FROM made

# a view whose text mentions windows
CREATE VIEW made AS SELECT 'FROM t WINDOW ASSIGN COUNT(1)' AS window /* WINDOW ASSIGN COUNT(1) */
----
SELECT * FROM made
----
SHOW CREATE TABLE made

# SHOW VIEWS
SHOW VIEWS IN corpus LIKE 'ev*'

# a view that reads itself
CREATE VIEW made AS SELECT 1 AS a
----
CREATE OR REPLACE VIEW made AS SELECT * FROM made
