# a word that is none
SELEC 1 AS window

# a word that is none after words of ours
SELECT window assign trigger FROM events

# a missing relation
SELECT * FROM

# a missing condition
SELECT k FROM events WHERE

# a bracket that nothing closes
SELECT (1 + 2 AS window FROM events

# a bracket that closes nothing
SELECT 1) AS window

# a quote that nothing closes
SELECT 'window assign FROM events

# a name that nothing closes
SELECT `window assign FROM events

# a reserved place
SELECT k FROM events ORDER v

# a column that is not there
SELECT window FROM events

# a column that is nearly there
SELECT e.ke FROM events e

# a table that is not there
SELECT * FROM window

# a table of a database that is not there
SELECT * FROM window.assign.trigger.evict

# a function that is not there
SELECT assign(v) FROM events

# too many arguments
SELECT upper('a', 'b', 'c')

# wrong types
SELECT sum(ts), 'a' + 1 FROM events

# wrong types of a condition
SELECT 1 WHERE 'window'

# division by zero, with its place
SELECT v,
       v / (v - v) AS window
FROM events

# a wrong cast, with its place
SELECT 'é', CAST('窗口' AS INT) AS assign FROM events

# an array's end
SELECT array(1)[5]

# raise_error
SELECT raise_error('WINDOW ASSIGN COUNT(1)')

# assert_true
SELECT assert_true(v > 5, 'window') FROM events

# overflow
SELECT CAST(2147483647 AS INT) + 1

# a view that fails
CREATE VIEW made AS SELECT 1 / (v - v) AS window FROM events
----
SELECT * FROM made

# a date that cannot be read
SELECT to_date('2024-99-99')

# a parameter without a value
SELECT :window AS assign

# a positional parameter without a value
SELECT ? AS assign

# a generator where none may be
SELECT 1 WHERE explode(array(1)) = 1

# a star where none may be
SELECT * + 1 FROM events

# words of ours where clauses of ours stand, without the opener
SELECT k FROM events ALLOWED LATENESS INTERVAL 1 HOUR
----
SELECT k FROM events LATE INTO x
----
SELECT k FROM events STATE TTL INTERVAL 1 DAY
----
SELECT k FROM events APPLY f

# words of ours that begin a statement
WINDOW ASSIGN
----
TRIGGER COUNT(1)
----
ASSIGN window
----
STREAM t
----
AWAIT window
----
STOP window

# a stream read as a table
SELECT * FROM STREAM events
----
SELECT * FROM STREAM(events) WATERMARK ts DELAY OF INTERVAL 10 SECONDS AS window

# statements about flows and pipelines
CREATE FLOW window AS INSERT INTO made BY NAME SELECT 1

# nothing but blanks

----
 ;
