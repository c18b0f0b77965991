# ASSIGN is misspelled
SELECT k, count(*) FROM r WINDOW ASIGN TUMBLING(ts, '1 hour') GROUP BY k
----
WINDOW ASIGN is not expected here
  at line 1, column 27:
    SELECT k, count(*) FROM r WINDOW ASIGN TUMBLING(ts, '1 hour') GROUP BY k
                              ^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean WINDOW ASSIGN?

# WINDOW is misspelled
SELECT k, count(*) FROM r WINDO ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
----
WINDO ASSIGN is not expected here
  at line 1, column 27:
    SELECT k, count(*) FROM r WINDO ASSIGN TUMBLING(ts, '1 hour') GROUP BY k
                              ^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean WINDOW ASSIGN?

# the whole opener is misspelled, in a subquery
SELECT * FROM (SELECT k FROM r window asign tumblin(ts, '1 hour'))
----
WINDOW ASIGN is not expected here
  at line 1, column 32:
    SELECT * FROM (SELECT k FROM r window asign tumblin(ts, '1 hour'))
                                   ^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean WINDOW ASSIGN?

# ASSIGN is missing
SELECT k, count(*) FROM r WINDOW TUMBLING(ts, '1 hour') GROUP BY k
----
ASSIGN is missing after WINDOW
  at line 1, column 27:
    SELECT k, count(*) FROM r WINDOW TUMBLING(ts, '1 hour') GROUP BY k
                              ^^^^^^^^^^^^^^^
  rule: windows begin with WINDOW ASSIGN
  hint: write WINDOW ASSIGN TUMBLING(...)

# WINDOW is missing
SELECT k, count(*) FROM r AS x ASSIGN SESSION(ts, '1 hour') GROUP BY k
----
WINDOW is missing before ASSIGN
  at line 1, column 32:
    SELECT k, count(*) FROM r AS x ASSIGN SESSION(ts, '1 hour') GROUP BY k
                                   ^^^^^^^^^^^^^^
  rule: windows begin with WINDOW ASSIGN
  hint: write WINDOW ASSIGN SESSION(...)

# a trigger without a window
SELECT k, count(*) FROM r TRIGGER COUNT(3) GROUP BY k
----
TRIGGER needs WINDOW ASSIGN
  at line 1, column 27:
    SELECT k, count(*) FROM r TRIGGER COUNT(3) GROUP BY k
                              ^^^^^^^
  rule: it is a clause of a window
  hint: write WINDOW ASSIGN ... before it, as in WINDOW ASSIGN GLOBAL(ts)

# an evictor without a window
SELECT k, count(*) FROM r WHERE v > 1 EVICT COUNT(3) GROUP BY k
----
EVICT needs WINDOW ASSIGN
  at line 1, column 39:
    SELECT k, count(*) FROM r WHERE v > 1 EVICT COUNT(3) GROUP BY k
                                          ^^^^^
  rule: it is a clause of a window
  hint: write WINDOW ASSIGN ... before it, as in WINDOW ASSIGN GLOBAL(ts)

# carets after characters of two cells and of none
SELECT '日本 é', k FROM r WINDOW ASIGN TUMBLING(ts, '1 hour')
----
WINDOW ASIGN is not expected here
  at line 1, column 25:
    SELECT '日本 é', k FROM r WINDOW ASIGN TUMBLING(ts, '1 hour')
                              ^^^^^^^^^^^^
  rule: neither Spark nor winsql has these words here
  hint: did you mean WINDOW ASSIGN?
