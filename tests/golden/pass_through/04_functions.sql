# CREATE FUNCTION in SQL
CREATE FUNCTION assign(window INT, trigger INT DEFAULT 7) RETURNS INT LANGUAGE SQL DETERMINISTIC CONTAINS SQL COMMENT 'WINDOW ASSIGN' RETURN window + trigger
----
SELECT assign(1), assign(trigger => 1, window => 2), corpus.assign(3)
----
DESCRIBE FUNCTION EXTENDED assign
----
CREATE OR REPLACE FUNCTION assign(window INT) RETURNS INT RETURN window
----
DROP FUNCTION assign
----
SELECT assign(1)

# CREATE TEMPORARY FUNCTION
CREATE TEMPORARY FUNCTION evict(x STRING) RETURNS STRING RETURN upper(x)
----
SELECT evict(k) FROM events WHERE evict(k) = 'A'
----
DESCRIBE FUNCTION evict
----
DROP TEMPORARY FUNCTION evict
----
DROP TEMPORARY FUNCTION IF EXISTS evict

# CREATE FUNCTION that returns a table
CREATE FUNCTION window(assign INT) RETURNS TABLE (late INT, into STRING) RETURN SELECT v, k FROM events WHERE v > assign
----
SELECT * FROM window(1) ORDER BY late
----
SELECT w.into FROM VALUES (2) AS x(n), LATERAL window(x.n) AS w
----
DROP FUNCTION corpus.window

# functions named like window functions of Flink's
CREATE TEMPORARY FUNCTION tumble(data INT, size INT) RETURNS INT RETURN data * size
----
CREATE TEMPORARY FUNCTION session(data INT) RETURNS INT RETURN data
----
SELECT tumble(data => 3, size => 4), tumble(1, 2), session(data => v) FROM events ORDER BY 3
----
DROP TEMPORARY FUNCTION tumble
----
DROP TEMPORARY FUNCTION session

# functions named like window functions, with parameters named like keywords
CREATE TEMPORARY FUNCTION hop(table INT, descriptor INT) RETURNS INT RETURN table - descriptor
----
SELECT hop(5, 2), hop(table => 5, descriptor => 1)
----
DROP TEMPORARY FUNCTION hop

# functions named like window joins
CREATE TEMPORARY FUNCTION window_join(table INT) RETURNS INT RETURN table
----
CREATE TEMPORARY FUNCTION descriptor(a INT) RETURNS INT RETURN a
----
SELECT window_join(1), window_join(descriptor(2)), descriptor(3)
----
DROP TEMPORARY FUNCTION window_join
----
DROP TEMPORARY FUNCTION descriptor

# a function of tables named like one of Flink's
CREATE TEMPORARY FUNCTION cumulate(data INT) RETURNS TABLE (x INT) RETURN SELECT data
----
SELECT * FROM cumulate(1)
----
SELECT * FROM cumulate(data => 2)
----
DROP TEMPORARY FUNCTION cumulate

# CREATE FUNCTION of a class that is not there
CREATE FUNCTION trigger AS 'winsql.Nothing' USING JAR '/nowhere/window.jar'
----
DROP FUNCTION IF EXISTS trigger

# SHOW FUNCTIONS
SHOW SYSTEM FUNCTIONS LIKE 'window*'

# SHOW USER FUNCTIONS of a pattern
SHOW USER FUNCTIONS LIKE 'assign'

# DESCRIBE FUNCTION of built-in ones
DESCRIBE FUNCTION EXTENDED window
----
DESCRIBE FUNCTION session_window
----
DESCRIBE FUNCTION '!'
----
DESCRIBE FUNCTION nothing

# REFRESH FUNCTION
REFRESH FUNCTION nothing

# a function with a body that fails
CREATE TEMPORARY FUNCTION late(into INT) RETURNS INT RETURN into + nothing

# a function with a subquery
CREATE TEMPORARY FUNCTION late(into STRING) RETURNS BIGINT RETURN SELECT count(*) FROM events WHERE k = into
----
SELECT late('a')
----
DROP TEMPORARY FUNCTION late
