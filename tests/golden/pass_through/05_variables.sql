# DECLARE, SET VAR and DROP
DECLARE VARIABLE window INT DEFAULT 5
----
DECLARE OR REPLACE assign STRING = 'x'
----
SELECT window, session.assign, system.session.window + 1
----
SET VAR window = window + 1, assign = 'trigger'
----
SET VARIABLE (window, assign) = (SELECT max(v), min(k) FROM events)
----
SELECT window, assign
----
SET VAR window = DEFAULT
----
SELECT window
----
DROP TEMPORARY VARIABLE IF EXISTS window
----
DROP TEMPORARY VARIABLE assign
----
DROP TEMPORARY VARIABLE assign

# DECLARE of several
DECLARE late, into INT DEFAULT 1
----
SELECT late + into
----
DROP TEMPORARY VARIABLE late
----
DROP TEMPORARY VARIABLE into

# DECLARE that is there
DECLARE trigger INT
----
DECLARE trigger INT
----
DROP TEMPORARY VARIABLE trigger

# SET VAR of a variable that is not there
SET VAR evict = 1

# SET VAR of a subquery with several rows
DECLARE ttl INT
----
SET VAR ttl = (SELECT v FROM events)
----
DROP TEMPORARY VARIABLE ttl

# SHOW VARIABLES
SHOW VARIABLES

# a variable and a column of one name
DECLARE v INT DEFAULT 99
----
SELECT v, session.v FROM events ORDER BY ALL
----
DROP TEMPORARY VARIABLE v

# a variable in a view
DECLARE lateness INT DEFAULT 1
----
CREATE TEMPORARY VIEW allowed AS SELECT lateness AS a
----
SELECT * FROM allowed
----
DROP TEMPORARY VARIABLE lateness
