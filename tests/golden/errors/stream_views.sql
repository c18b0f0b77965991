# a streaming view without a format
CREATE STREAMING VIEW v OPTIONS (path '/in')
----
WindowSyntaxError: the format of the source is missing
  at line 1, column 44:
    CREATE STREAMING VIEW v OPTIONS (path '/in')
                                               ^
  rule: write CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] [WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]
  hint: add for instance USING json, rate or kafka, and its OPTIONS (...)

# a streaming view without a name
CREATE STREAMING VIEW (a INT) USING json
----
WindowSyntaxError: the name of the streaming view is missing
  at line 1, column 23:
    CREATE STREAMING VIEW (a INT) USING json
                          ^
  hint: write the name of the streaming view here

# a streaming view in a database
CREATE STREAMING VIEW db.v USING rate
----
WindowSpecError: a streaming view cannot be called db.v
  at line 1, column 23:
    CREATE STREAMING VIEW db.v USING rate
                          ^^^^
  rule: it is a temporary view, which belongs to the session and to no database
  hint: write v

# a global streaming view
CREATE GLOBAL TEMPORARY STREAMING VIEW v USING rate
----
WindowSpecError: a streaming view cannot be global
  at line 1, column 8:
    CREATE GLOBAL TEMPORARY STREAMING VIEW v USING rate
           ^^^^^^
  rule: it is a temporary view, which belongs to the session
  hint: leave out GLOBAL

# a streaming view that is there or not
CREATE OR REPLACE STREAMING VIEW IF NOT EXISTS v USING rate
----
WindowSpecError: OR REPLACE and IF NOT EXISTS are both there
  at line 1, column 34:
    CREATE OR REPLACE STREAMING VIEW IF NOT EXISTS v USING rate
                                     ^^^^^^^^^^^^^
  rule: one replaces a view that exists, the other leaves it alone
  hint: leave one of them out

# a streaming view with a type for one column
CREATE STREAMING VIEW v (a INT, m MAP<STRING, INT>, b) USING json
----
WindowSpecError: column b has no type, and others have one
  at line 1, column 53:
    CREATE STREAMING VIEW v (a INT, m MAP<STRING, INT>, b) USING json
                                                        ^
  rule: columns with types are what the source reads; names alone are those of the view
  hint: give each column a type, or none of them

# a streaming view with a column without a name
CREATE STREAMING VIEW v (a INT, ) USING json
----
WindowSyntaxError: a column needs a name
  at line 1, column 31:
    CREATE STREAMING VIEW v (a INT, ) USING json
                                  ^
  rule: write CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] [WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]
  hint: write (a, b)

# a streaming view with two schemas
CREATE STREAMING VIEW v (a INT) USING json OPTIONS (schema 'a INT')
----
WindowSpecError: the columns have types, and OPTIONS have a schema
  at line 1, column 60:
    CREATE STREAMING VIEW v (a INT) USING json OPTIONS (schema 'a INT')
                                                               ^^^^^^^
  rule: both say what the source reads
  hint: leave one of them out

# a streaming view with two schemas, the option first
CREATE STREAMING VIEW v (a INT) USING json WATERMARK a DELAY OF INTERVAL 1 DAY OPTIONS (x 1) OPTIONS (schema 'a INT')
----
WindowSyntaxError: this clause is given twice
  at line 1, column 94:
    CREATE STREAMING VIEW v (a INT) USING json WATERMARK a DELAY OF INTERVAL 1 DAY OPTIONS (x 1) OPTIONS (schema 'a INT')
                                                                                                 ^^^^^^^
  rule: write CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] [WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]
  hint: leave one of them out

# a streaming view of a place
CREATE STREAMING VIEW v USING json LOCATION '/in'
----
WindowSyntaxError: LOCATION is not allowed here
  at line 1, column 36:
    CREATE STREAMING VIEW v USING json LOCATION '/in'
                                       ^^^^^^^^
  rule: write CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] [WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]
  hint: write OPTIONS (path '...')

# a streaming view with a query without AS
CREATE STREAMING VIEW v USING rate SELECT * FROM SOURCE
----
WindowSyntaxError: SELECT is not allowed here
  at line 1, column 36:
    CREATE STREAMING VIEW v USING rate SELECT * FROM SOURCE
                                       ^^^^^^
  rule: write CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] [WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]
  hint: write AS SELECT ... FROM SOURCE

# a streaming view AS nothing
CREATE STREAMING VIEW v USING rate AS
----
WindowSyntaxError: AS needs a query
  at line 1, column 36:
    CREATE STREAMING VIEW v USING rate AS
                                       ^^
  rule: write CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] [WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]
  hint: write AS SELECT ... FROM SOURCE

# a streaming view AS no query
CREATE STREAMING VIEW v USING rate AS SOURCE
----
WindowSyntaxError: AS needs a query
  at line 1, column 36:
    CREATE STREAMING VIEW v USING rate AS SOURCE
                                       ^^
  rule: write CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] [WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]
  hint: write AS SELECT ... FROM SOURCE

# a streaming view of another table
CREATE STREAMING VIEW v USING rate AS SELECT source, `SOURCE`.a FROM `SOURCE`
----
WindowSpecError: the query does not read SOURCE
  at line 1, column 39:
    CREATE STREAMING VIEW v USING rate AS SELECT source, `SOURCE`.a FROM `SOURCE`
                                          ^^^^^^
  rule: the query of a streaming view reads what its source gives, which is called SOURCE there
  hint: write AS SELECT ... FROM SOURCE

# a streaming view with a CTE SOURCE
CREATE STREAMING VIEW v USING rate AS WITH source AS (SELECT 1) SELECT * FROM source
----
WindowSpecError: a CTE is called SOURCE
  at line 1, column 44:
    CREATE STREAMING VIEW v USING rate AS WITH source AS (SELECT 1) SELECT * FROM source
                                               ^^^^^^
  rule: in this query SOURCE is what the source gives
  hint: choose another name

# a streaming view with windows
CREATE STREAMING VIEW v USING rate AS SELECT count(*) FROM SOURCE
WINDOW ASSIGN TUMBLING(timestamp, '1 hour')
----
WindowSpecError: a streaming view has no windows
  at line 1, column 39:
    CREATE STREAMING VIEW v USING rate AS SELECT count(*) FROM SOURCE
                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: it says what a source gives; windows are over it
  hint: write them in a query that reads it, FROM STREAM v

# a streaming view with windows of a function
CREATE STREAMING VIEW v USING rate AS SELECT * FROM TUMBLE(TABLE SOURCE, DESCRIPTOR(timestamp), INTERVAL '1' HOUR)
----
WindowSpecError: a streaming view has no windows
  at line 1, column 53:
    CREATE STREAMING VIEW v USING rate AS SELECT * FROM TUMBLE(TABLE SOURCE, DESCRIPTOR(timestamp), INTERVAL '1' HOUR)
                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: it says what a source gives; windows are over it
  hint: write them in a query that reads it, FROM STREAM v

# a streaming view with a watermark without a delay
CREATE STREAMING VIEW v USING rate WATERMARK timestamp AS SELECT * FROM SOURCE
----
WindowSyntaxError: WATERMARK needs DELAY OF
  at line 1, column 36:
    CREATE STREAMING VIEW v USING rate WATERMARK timestamp AS SELECT * FROM SOURCE
                                       ^^^^^^^^^
  rule: write CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] [WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]
  hint: write WATERMARK ts DELAY OF INTERVAL 10 SECONDS

# a streaming view with a watermark of no length
CREATE STREAMING VIEW v USING rate WATERMARK timestamp DELAY OF AS SELECT * FROM SOURCE
----
WindowSyntaxError: DELAY OF needs an interval
  at line 1, column 62:
    CREATE STREAMING VIEW v USING rate WATERMARK timestamp DELAY OF AS SELECT * FROM SOURCE
                                                                 ^^
  rule: write CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] [WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]
  hint: write WATERMARK ts DELAY OF INTERVAL 10 SECONDS

# a streaming view with a watermark of months
CREATE STREAMING VIEW v USING rate WATERMARK timestamp DELAY OF INTERVAL 1 MONTH
----
WindowSyntaxError: DELAY OF: MONTH cannot be used
  at line 1, column 65:
    CREATE STREAMING VIEW v USING rate WATERMARK timestamp DELAY OF INTERVAL 1 MONTH
                                                                    ^^^^^^^^^^^^^^^^
  rule: months, quarters and years have no fixed length
  hint: write the length in days, as in INTERVAL 30 DAYS

# a streaming view with a watermark into the future
CREATE STREAMING VIEW v USING rate WATERMARK timestamp DELAY OF INTERVAL -1 SECOND
----
WindowSpecError: DELAY OF: the interval must not be negative
  at line 1, column 65:
    CREATE STREAMING VIEW v USING rate WATERMARK timestamp DELAY OF INTERVAL -1 SECOND
                                                                    ^^^^^^^^^^^^^^^^^^
  hint: write WATERMARK ts DELAY OF INTERVAL 10 SECONDS

# a streaming view with a watermark without a column
CREATE STREAMING VIEW v USING rate WATERMARK DELAY OF INTERVAL 1 SECOND
----
WindowSyntaxError: WATERMARK needs a time column
  at line 1, column 36:
    CREATE STREAMING VIEW v USING rate WATERMARK DELAY OF INTERVAL 1 SECOND
                                       ^^^^^^^^^
  rule: write CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] [WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]
  hint: write WATERMARK ts DELAY OF INTERVAL 10 SECONDS

# a streaming view with a computed watermark without a name
CREATE STREAMING VIEW v USING kafka WATERMARK to_timestamp(at) DELAY OF INTERVAL 1 SECOND
----
WindowSyntaxError: the column of a watermark needs a name
  at line 1, column 47:
    CREATE STREAMING VIEW v USING kafka WATERMARK to_timestamp(at) DELAY OF INTERVAL 1 SECOND
                                                  ^^^^^^^^^^^^^^^^
  rule: write CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] [WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]
  hint: write WATERMARK expression AS name DELAY OF ..., or a column

# a streaming view with two watermarks
CREATE STREAMING VIEW v USING rate WATERMARK a DELAY OF '1 day' WATERMARK b DELAY OF '1 day'
----
WindowSyntaxError: this clause is given twice
  at line 1, column 65:
    CREATE STREAMING VIEW v USING rate WATERMARK a DELAY OF '1 day' WATERMARK b DELAY OF '1 day'
                                                                    ^^^^^^^^^
  rule: write CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] [WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]
  hint: leave one of them out

# dropping more than a streaming view
DROP STREAMING VIEW v CASCADE
----
WindowSyntaxError: nothing may follow here
  at line 1, column 23:
    DROP STREAMING VIEW v CASCADE
                          ^^^^^^^
  rule: the statement ends before
  hint: leave it out

# describing a streaming view of a database
DESCRIBE STREAMING VIEW db.v
----
WindowSpecError: a streaming view cannot be called db.v
  at line 1, column 25:
    DESCRIBE STREAMING VIEW db.v
                            ^^^^
  rule: it is a temporary view, which belongs to the session and to no database
  hint: write v

# a format in quotes
CREATE STREAMING VIEW v USING 'json'
----
WindowSyntaxError: USING needs a format
  at line 1, column 25:
    CREATE STREAMING VIEW v USING 'json'
                            ^^^^^
  hint: write for instance USING json

# FROM in the place of USING
CREATE STREAMING VIEW v (k STRING) FROM json OPTIONS (path '/data')
----
WindowSyntaxError: FROM is not allowed here
  at line 1, column 36:
    CREATE STREAMING VIEW v (k STRING) FROM json OPTIONS (path '/data')
                                       ^^^^
  rule: write CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] [WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]
  hint: write USING before the format, as in USING json

# WATERMARK FOR among the columns
CREATE STREAMING VIEW v (k STRING, ts TIMESTAMP, WATERMARK FOR ts AS ts - INTERVAL 10 SECONDS) USING json OPTIONS (path '/data')
----
WindowSyntaxError: WATERMARK FOR is not expected here
  at line 1, column 50:
    CREATE STREAMING VIEW v (k STRING, ts TIMESTAMP, WATERMARK FOR ts AS ts - INTERVAL 10 SECONDS) USING json OPTIONS (path '/data')
                                                     ^^^^^^^^^^^^^
  rule: a watermark is a clause of its own
  hint: write WATERMARK ts DELAY OF INTERVAL 5 SECONDS after OPTIONS (...)
