# a stream without a sink
CREATE STREAM s AS SELECT * FROM t
----
WindowSyntaxError: INTO is missing: where do the rows go?
  at line 1, column 17:
    CREATE STREAM s AS SELECT * FROM t
                    ^^
  rule: write CREATE [OR REPLACE] STREAM [IF NOT EXISTS] name INTO format [OPTIONS (...)] [LATE INTO format [OPTIONS (...)]] AS query
  hint: write INTO format, for instance INTO parquet OPTIONS (path '...'); a table of the session is made by CREATE STREAMING TABLE

# a stream with the words of a table
CREATE STREAM s USING parquet AS SELECT * FROM t
----
WindowSyntaxError: INTO is missing: where do the rows go?
  at line 1, column 17:
    CREATE STREAM s USING parquet AS SELECT * FROM t
                    ^^^^^
  rule: write CREATE [OR REPLACE] STREAM [IF NOT EXISTS] name INTO format [OPTIONS (...)] [LATE INTO format [OPTIONS (...)]] AS query
  hint: write INTO format, for instance INTO parquet OPTIONS (path '...'); a table of the session is made by CREATE STREAMING TABLE

# a stream without anything
CREATE STREAM s
----
WindowSyntaxError: INTO is missing: where do the rows go?
  at line 1, column 15:
    CREATE STREAM s
                  ^
  rule: write CREATE [OR REPLACE] STREAM [IF NOT EXISTS] name INTO format [OPTIONS (...)] [LATE INTO format [OPTIONS (...)]] AS query
  hint: write INTO format, for instance INTO parquet OPTIONS (path '...')

# INTO nothing
CREATE STREAM s INTO AS SELECT * FROM t
----
WindowSyntaxError: INTO needs a format
  at line 1, column 17:
    CREATE STREAM s INTO AS SELECT * FROM t
                    ^^^^
  rule: write CREATE [OR REPLACE] STREAM [IF NOT EXISTS] name INTO format [OPTIONS (...)] [LATE INTO format [OPTIONS (...)]] AS query
  hint: write for instance INTO sqlite OPTIONS (path '...', table '...')

# a sink without a query
CREATE STREAM s INTO noop OPTIONS (a 1)
----
WindowSyntaxError: the query is missing
  at line 1, column 39:
    CREATE STREAM s INTO noop OPTIONS (a 1)
                                          ^
  rule: write CREATE [OR REPLACE] STREAM [IF NOT EXISTS] name INTO format [OPTIONS (...)] [LATE INTO format [OPTIONS (...)]] AS query
  hint: add AS SELECT ...

# a sink AS no query
CREATE STREAM s INTO noop AS t
----
WindowSyntaxError: AS needs a query
  at line 1, column 27:
    CREATE STREAM s INTO noop AS t
                              ^^
  rule: write CREATE [OR REPLACE] STREAM [IF NOT EXISTS] name INTO format [OPTIONS (...)] [LATE INTO format [OPTIONS (...)]] AS query
  hint: write AS SELECT ... FROM ...

# OPTIONS twice
CREATE STREAM s INTO jdbc OPTIONS (password 'geheim') OPTIONS (b 2) AS SELECT * FROM t
----
WindowSyntaxError: OPTIONS is not allowed here
  at line 1, column 55:
    CREATE STREAM s INTO jdbc OPTIONS (password '******') OPTIONS (b 2) AS SELECT * FROM t
                                                          ^^^^^^^
  rule: write CREATE [OR REPLACE] STREAM [IF NOT EXISTS] name INTO format [OPTIONS (...)] [LATE INTO format [OPTIONS (...)]] AS query
  hint: write them once, in one pair of brackets after the format

# late rows twice
CREATE STREAM s INTO noop LATE INTO noop LATE INTO noop AS SELECT * FROM t
----
WindowSyntaxError: LATE is not allowed here
  at line 1, column 42:
    CREATE STREAM s INTO noop LATE INTO noop LATE INTO noop AS SELECT * FROM t
                                             ^^^^
  rule: write CREATE [OR REPLACE] STREAM [IF NOT EXISTS] name INTO format [OPTIONS (...)] [LATE INTO format [OPTIONS (...)]] AS query
  hint: write LATE INTO format [OPTIONS (...)] once, after the first sink

# an option of the stream with late rows
CREATE STREAM s INTO noop LATE INTO noop OPTIONS (trigger '1 second') AS SELECT * FROM t
----
WindowSpecError: trigger is not an option of late rows
  at line 1, column 51:
    CREATE STREAM s INTO noop LATE INTO noop OPTIONS (trigger '1 second') AS SELECT * FROM t
                                                      ^^^^^^^^^^^^^^^^^^
  rule: it is one of the stream, whose rows and late rows are written in the same micro-batches
  hint: write it in the OPTIONS after INTO

# a secret that is no value
CREATE STREAM s INTO jdbc OPTIONS (password 'geheim' 'er') AS SELECT * FROM t
----
WindowSyntaxError: option password needs a value
  at line 1, column 36:
    CREATE STREAM s INTO jdbc OPTIONS (password '******' '**') AS SELECT * FROM t
                                       ^^^^^^^^^^^^^^^^^^^^^^
  rule: values are strings, numbers, TRUE or FALSE
  hint: write password '...'

# a sink that replaces and leaves alone
CREATE OR REPLACE STREAM IF NOT EXISTS s INTO noop AS SELECT * FROM t
----
WindowSpecError: OR REPLACE and IF NOT EXISTS are both there
  at line 1, column 26:
    CREATE OR REPLACE STREAM IF NOT EXISTS s INTO noop AS SELECT * FROM t
                             ^^^^^^^^^^^^^
  rule: one replaces a stream that exists, the other leaves it alone
  hint: leave one of them out

# an option of the stream that is misspelled
CREATE STREAM s INTO parquet OPTIONS (checkpoint_location '/c', path '/p') AS SELECT * FROM t
----
WindowSpecError: checkpoint_location is not an option
  at line 1, column 39:
    CREATE STREAM s INTO parquet OPTIONS (checkpoint_location '/c', path '/p') AS SELECT * FROM t
                                          ^^^^^^^^^^^^^^^^^^^^^^^^
  rule: options that are not the stream's go to its sink, and one spelled almost like the stream's is a mistake
  hint: did you mean checkpointLocation?

# processingTime for trigger
CREATE STREAM x INTO parquet OPTIONS (path '/data', processingTime '10 seconds') AS SELECT k, count(*) AS n FROM ev WINDOW ASSIGN TUMBLING(ts, '5 minutes') GROUP BY k
----
WindowSpecError: processingTime is not an option
  at line 1, column 53:
    CREATE STREAM x INTO parquet OPTIONS (path '/data', processingTime '10 seconds') AS SELECT k, count(*) AS n FROM ev WINDOW ASSIGN TUMBLING(ts, '5 minutes') GROUP BY k
                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: options that are not the stream's go to its sink, and one spelled almost like the stream's is a mistake
  hint: did you mean trigger?
