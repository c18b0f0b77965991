# STREAM for STREAMING
CREATE STREAM TABLE x AS SELECT 1
----
STREAM TABLE is not expected here
  at line 1, column 8:
    CREATE STREAM TABLE x AS SELECT 1
           ^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING TABLE?

# STREAMING is misspelled
CREATE OR REPLACE STREAMNG TABLE x AS SELECT 1
----
STREAMNG TABLE is not expected here
  at line 1, column 19:
    CREATE OR REPLACE STREAMNG TABLE x AS SELECT 1
                      ^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING TABLE?

# TABLE is misspelled
CREATE STREAMING TABEL x AS SELECT 1
----
STREAMING TABEL is not expected here
  at line 1, column 8:
    CREATE STREAMING TABEL x AS SELECT 1
           ^^^^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean STREAMING TABLE?

# STOP
STOP STREM x
----
STREM is not expected here
  at line 1, column 6:
    STOP STREM x
         ^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean STREAM?

# SHOW
SHOW STREAM
----
STREAM is not expected here
  at line 1, column 6:
    SHOW STREAM
         ^^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean STREAMS?

# AWAIT
AWAIT STRAEM x
----
STRAEM is not expected here
  at line 1, column 7:
    AWAIT STRAEM x
          ^^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean STREAM?

# EXPLAIN
EXPLAIN WINDOWS SELECT 1
----
WINDOWS is not expected here
  at line 1, column 9:
    EXPLAIN WINDOWS SELECT 1
            ^^^^^^^
  rule: neither Spark nor winsql has this word here
  hint: did you mean WINDOW?
