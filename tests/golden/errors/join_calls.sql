# a table without the word TABLE
SELECT * FROM window_join(a, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
WindowSyntaxError: window_join needs a table here
  at line 1, column 27:
    SELECT * FROM window_join(a, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
                              ^
  rule: a table comes after the word TABLE: TABLE(a), TABLE a or TABLE(SELECT ...)
  hint: write TABLE(a)

# a right table without the word TABLE
SELECT * FROM window_join(TABLE(a) PARTITION BY k, db.b, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
WindowSyntaxError: window_join needs a table here
  at line 1, column 52:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, db.b, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
                                                       ^^^^
  rule: several keys go in brackets, and a table after the word TABLE
  hint: write PARTITION BY (k, j), or TABLE(b)

# a table as a string
SELECT * FROM co_group(TABLE(a) PARTITION BY k, right => 'b', time => DESCRIPTOR(ts, ts), window => TUMBLING('1 hour'))
----
WindowSyntaxError: co_group needs a table here
  at line 1, column 58:
    SELECT * FROM co_group(TABLE(a) PARTITION BY k, right => 'b', time => DESCRIPTOR(ts, ts), window => TUMBLING('1 hour'))
                                                             ^^^
  rule: a table comes after the word TABLE: TABLE(a), TABLE a or TABLE(SELECT ...)
  hint: write TABLE(a)

# an alias in TABLE
SELECT * FROM window_join(TABLE(a AS x) PARTITION BY x.k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
WindowSyntaxError: window_join needs a table here
  at line 1, column 27:
    SELECT * FROM window_join(TABLE(a AS x) PARTITION BY x.k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
                              ^^^^^^^^^^^^^
  rule: a table comes after the word TABLE: TABLE(a), TABLE a or TABLE(SELECT ...)
  hint: hand over a query for anything but a table's name

# a join in TABLE
SELECT * FROM window_join(TABLE(a JOIN c USING (k)) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
WindowSyntaxError: window_join needs a table here
  at line 1, column 27:
    SELECT * FROM window_join(TABLE(a JOIN c USING (k)) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
                              ^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: a table comes after the word TABLE: TABLE(a), TABLE a or TABLE(SELECT ...)
  hint: hand over a query for anything but a table's name

# ORDER BY after a table
SELECT * FROM window_join(TABLE(a) PARTITION BY k ORDER BY v, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
WindowSyntaxError: window_join: only PARTITION BY may come after a table
  at line 1, column 51:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k ORDER BY v, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
                                                      ^^^^^^^^^^
  hint: hand over a query for anything else: TABLE(SELECT ... FROM t WHERE ...)

# a filter after a table
SELECT * FROM window_join(TABLE a WHERE v > 3, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
WindowSyntaxError: window_join: only PARTITION BY may come after a table
  at line 1, column 35:
    SELECT * FROM window_join(TABLE a WHERE v > 3, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
                                      ^^^^^^^^^^^
  hint: hand over a query for anything else: TABLE(SELECT ... FROM t WHERE ...)

# several keys without brackets
SELECT * FROM window_join(TABLE(a) PARTITION BY k, j, TABLE(b) PARTITION BY k, j, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
WindowSyntaxError: window_join needs a table here
  at line 1, column 52:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, j, TABLE(b) PARTITION BY k, j, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
                                                       ^
  rule: several keys go in brackets, and a table after the word TABLE
  hint: write PARTITION BY (k, j), or TABLE(b)

# no keys
SELECT * FROM window_join(TABLE(a), TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
WindowSpecError: window_join: the left table has no PARTITION BY
  at line 1, column 27:
    SELECT * FROM window_join(TABLE(a), TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
                              ^^^^^^^^
  rule: rows meet in windows of one key
  hint: write TABLE(a) PARTITION BY id

# no key after PARTITION BY
SELECT * FROM window_join(TABLE(a) PARTITION BY (), TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
WindowSyntaxError: window_join: a key is missing after PARTITION BY
  at line 1, column 36:
    SELECT * FROM window_join(TABLE(a) PARTITION BY (), TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
                                       ^^^^^^^^^^^^^^^
  hint: write PARTITION BY k, or PARTITION BY (k, j)

# different numbers of keys
SELECT * FROM window_join(TABLE(a) PARTITION BY (k, j), TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
WindowSpecError: window_join: 2 keys on the left side, 1 on the right one
  at line 1, column 79:
    SELECT * FROM window_join(TABLE(a) PARTITION BY (k, j), TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
                                                                                  ^
  rule: the keys of both tables are paired by their positions
  hint: write as many keys on each side: PARTITION BY (k, j)

# an aggregate as a key
SELECT * FROM window_join(TABLE(a) PARTITION BY max(k), TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
WindowSpecError: window_join: an aggregate cannot be part of a key
  at line 1, column 49:
    SELECT * FROM window_join(TABLE(a) PARTITION BY max(k), TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
                                                    ^^^^^^
  rule: a key is computed from each row alone
  hint: compute it as a column of the table: TABLE(SELECT *, ... AS k FROM t) PARTITION BY k

# a window function as a key
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY rank() OVER (ORDER BY k), DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
----
WindowSpecError: window_join: a window function cannot be part of a key
  at line 1, column 74:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY rank() OVER (ORDER BY k), DESCRIPTOR(ts, ts), TUMBLING('1 hour'))
                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^
  rule: a key is computed from each row alone
  hint: compute it as a column of the table: TABLE(SELECT *, ... AS k FROM t) PARTITION BY k

# one column in DESCRIPTOR
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts), TUMBLING('1 hour'))
----
WindowSpecError: DESCRIPTOR names one column
  at line 1, column 77:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts), TUMBLING('1 hour'))
                                                                                ^^^^^^^^^^^^^^
  rule: the time of each table is a column of it, the left one's first
  hint: write DESCRIPTOR(a_ts, b_ts), or PROCTIME() in its place

# no column in DESCRIPTOR
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(), TUMBLING('1 hour'))
----
WindowSpecError: DESCRIPTOR names no column
  at line 1, column 77:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(), TUMBLING('1 hour'))
                                                                                ^^^^^^^^^^^^
  rule: the time of each table is a column of it, the left one's first
  hint: write DESCRIPTOR(a_ts, b_ts), or PROCTIME() in its place

# three columns in DESCRIPTOR
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(a, b, c), TUMBLING('1 hour'))
----
WindowSpecError: DESCRIPTOR names 3 columns
  at line 1, column 77:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(a, b, c), TUMBLING('1 hour'))
                                                                                ^^^^^^^^^^^^^^^^^^^
  rule: the time of each table is a column of it, the left one's first
  hint: write DESCRIPTOR(a_ts, b_ts), or PROCTIME() in its place

# an expression in DESCRIPTOR
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts + INTERVAL 1 HOUR), TUMBLING('1 hour'))
----
WindowSpecError: DESCRIPTOR names columns
  at line 1, column 92:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts + INTERVAL 1 HOUR), TUMBLING('1 hour'))
                                                                                               ^^^^^^^^^^^^^^^^^^^^
  rule: the time of each table is a column of it, the left one's first
  hint: compute the time in the table: TABLE(SELECT *, ... AS ts FROM a)

# a time without DESCRIPTOR
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, ts, TUMBLING('1 hour'))
----
WindowSyntaxError: window_join needs the times of both tables here
  at line 1, column 77:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, ts, TUMBLING('1 hour'))
                                                                                ^^
  rule: the time of each table is a column of it, the left one's first
  hint: write DESCRIPTOR(a_ts, b_ts), or PROCTIME()

# no time
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, TUMBLING('1 hour'))
----
WindowSpecError: window_join: TUMBLING needs a time
  at line 1, column 77:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, TUMBLING('1 hour'))
                                                                                ^^^^^^^^^^^^^^^^^^
  rule: write window_join(TABLE(a) PARTITION BY id, TABLE(b) PARTITION BY id, DESCRIPTOR(a_ts, b_ts), TUMBLING(INTERVAL 5 MINUTES))
  hint: write DESCRIPTOR(a_ts, b_ts) or PROCTIME() before it

# a time inside the window
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING(ts, '1 hour'))
----
WindowSpecError: window_join: TUMBLING has no time here
  at line 1, column 106:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING(ts, '1 hour'))
                                                                                                             ^^
  rule: the time of each table is a column of it, the left one's first
  hint: leave it out here, and write DESCRIPTOR(a_ts, b_ts) or PROCTIME() before the window

# no window
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts))
----
WindowSpecError: window_join: the window is missing
  at line 1, column 15:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts))
                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: write window_join(TABLE(a) PARTITION BY id, TABLE(b) PARTITION BY id, DESCRIPTOR(a_ts, b_ts), TUMBLING(INTERVAL 5 MINUTES))
  hint: add the window, by its place or as window => ...

# a window that is none
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLE('1 hour'))
----
WindowSpecError: TUMBLE is not a window assigner
  at line 1, column 97:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLE('1 hour'))
                                                                                                    ^^^^^^
  rule: this must be the name of a window assigner, built in or registered
  hint: did you mean TUMBLING?

# a window of no size
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING(size => INTERVAL 0 SECONDS))
----
WindowSpecError: TUMBLING: this size cannot be used
  at line 1, column 114:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING(size => INTERVAL 0 SECONDS))
                                                                                                                     ^^^^^^^^^^^^^^^^^^
  rule: the size must be positive
  hint: write a length such as INTERVAL 10 MINUTES

# a window with an unknown parameter
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour', time => ts))
----
WindowSpecError: TUMBLING has no parameter time
  at line 1, column 116:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour', time => ts))
                                                                                                                       ^^^^
  rule: write TUMBLING(size [, offset])
  hint: parameters are size, offset

# something after the window
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour') PARTITION BY k)
----
WindowSyntaxError: window_join: the window ends before this
  at line 1, column 116:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour') PARTITION BY k)
                                                                                                                       ^^^^^^^^^^^^^^
  rule: write window_join(TABLE(a) PARTITION BY id, TABLE(b) PARTITION BY id, DESCRIPTOR(a_ts, b_ts), TUMBLING(INTERVAL 5 MINUTES))
  hint: keys come after the tables; trigger => ... and the other options after a comma

# an unknown type of join
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'CROSS')
----
WindowSpecError: 'CROSS' is not a type of join
  at line 1, column 130:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'CROSS')
                                                                                                                                     ^^^^^^^
  hint: one of INNER, LEFT, RIGHT, FULL, SEMI, ANTI

# a type of join that is no string
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => LEFT)
----
WindowSyntaxError: window_join: join_type must be a string
  at line 1, column 130:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => LEFT)
                                                                                                                                     ^^^^
  hint: write join_type => 'LEFT'

# a type of join for a co-group
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'LEFT')
----
WindowSpecError: co_group has no parameter join_type
  at line 1, column 114:
    SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), join_type => 'LEFT')
                                                                                                                     ^^^^^^^^^
  hint: parameters are left, right, time, window, apply, trigger, evictor, allowed_lateness, state_ttl

# a mistyped option
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), jointype => 'LEFT')
----
WindowSpecError: window_join has no parameter jointype
  at line 1, column 117:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), jointype => 'LEFT')
                                                                                                                        ^^^^^^^^
  hint: did you mean join_type?

# LATE INTO
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), late_into => 'late')
----
WindowSpecError: window_join has no parameter late_into
  at line 1, column 117:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), late_into => 'late')
                                                                                                                        ^^^^^^^^^
  hint: parameters are left, right, time, window, join_type, trigger, evictor, allowed_lateness, state_ttl

# an option without its name
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), COUNT(3))
----
WindowSyntaxError: window_join: too many arguments
  at line 1, column 117:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), COUNT(3))
                                                                                                                        ^^^^^^^^
  rule: write window_join(TABLE(a) PARTITION BY id, TABLE(b) PARTITION BY id, DESCRIPTOR(a_ts, b_ts), TUMBLING(INTERVAL 5 MINUTES))
  hint: options have names: join_type => ..., trigger => ..., evictor => ..., allowed_lateness => ..., state_ttl => ...

# a positional argument after a named one
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), window => TUMBLING('1 hour'), COUNT(3))
----
WindowSyntaxError: window_join: this argument needs its name
  at line 1, column 127:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), window => TUMBLING('1 hour'), COUNT(3))
                                                                                                                                  ^^^^^^^^
  rule: positional arguments come before named ones
  hint: write one of join_type => ..., trigger => ..., evictor => ..., allowed_lateness => ..., state_ttl => ...

# an option twice
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), trigger => COUNT(3), trigger => COUNT(4))
----
WindowSyntaxError: window_join: trigger is given twice
  at line 1, column 138:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), trigger => COUNT(3), trigger => COUNT(4))
                                                                                                                                             ^^^^^^^^^^^^^^^^^^^
  hint: leave one of them out

# an unknown trigger
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), trigger => CONT(3))
----
WindowSpecError: CONT is not a trigger
  at line 1, column 128:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), trigger => CONT(3))
                                                                                                                                   ^^^^
  rule: this must be the name of a trigger, built in or registered
  hint: did you mean COUNT?

# a trigger without brackets
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), trigger => COUNT)
----
WindowSyntaxError: COUNT needs brackets
  at line 1, column 128:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), trigger => COUNT)
                                                                                                                                   ^^^^^
  hint: write COUNT(...)

# an evictor beside COUNT
SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, COUNT(3), evictor => COUNT(2))
----
WindowSpecError: EVICT cannot be used with WINDOW ASSIGN COUNT
  at line 1, column 87:
    SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, COUNT(3), evictor => COUNT(2))
                                                                                          ^^^^^^^^^^^^^^^^^^^
  rule: COUNT brings its own trigger and evictor
  hint: use WINDOW ASSIGN GLOBAL(...) with TRIGGER and EVICT of your own

# GLOBAL without a trigger
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, GLOBAL())
----
WindowSpecError: GLOBAL needs a TRIGGER
  at line 1, column 74:
    SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, GLOBAL())
                                                                             ^^^^^^^^
  rule: a window that never ends fires only when a trigger says so
  hint: add for instance TRIGGER COUNT(100), or TRIGGER END_OF_STREAM()

# lateness of processing time
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, PROCTIME(), TUMBLING('1 hour'), allowed_lateness => '1 minute')
----
WindowSpecError: ALLOWED LATENESS needs an event-time window
  at line 1, column 106:
    SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, PROCTIME(), TUMBLING('1 hour'), allowed_lateness => '1 minute')
                                                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: rows are late only where a watermark closes the windows, not with PROCTIME(), COUNT or GLOBAL
  hint: leave out ALLOWED LATENESS

# a state TTL of nothing
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), state_ttl => '0 seconds')
----
WindowSpecError: STATE TTL must be positive
  at line 1, column 127:
    SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), state_ttl => '0 seconds')
                                                                                                                                  ^^^^^^^^^^^
  hint: write for instance INTERVAL 1 DAY

# a column without its side
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), trigger => DELTA(v, 3))
----
WindowSpecError: TRIGGER: v does not say which side of the join it belongs to
  at line 1, column 131:
    SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), trigger => DELTA(v, 3))
                                                                                                                                      ^
  rule: here every column needs the name of its relation before it
  hint: write left.v or right.v

# a gap without its side
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, PROCTIME(), SESSION(gap))
----
WindowSpecError: WINDOW ASSIGN: gap does not say which side of the join it belongs to
  at line 1, column 94:
    SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, PROCTIME(), SESSION(gap))
                                                                                                 ^^^
  rule: here every column needs the name of its relation before it
  hint: write left.gap or right.gap

# an unknown function
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), apply => 'pare_up')
----
WindowSpecError: pare_up is not a co-group function
  at line 1, column 123:
    SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), apply => 'pare_up')
                                                                                                                              ^^^^^^^^^
  hint: did you mean PAIR_UP?

# a function without quotes
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), apply => pair_up)
----
WindowSyntaxError: co_group: apply must be a string
  at line 1, column 123:
    SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), apply => pair_up)
                                                                                                                              ^^^^^^^
  hint: write apply => 'f'

# a bracket that is not closed
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour')
----
WindowSyntaxError: this bracket is not closed
  at line 1, column 23:
    SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour')
                          ^
  rule: every bracket, quote and comment that is opened is closed
  hint: close it with )

# the recursive CTE around it
WITH RECURSIVE r AS (SELECT 1 AS k UNION ALL SELECT k FROM window_join(TABLE(r) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))) SELECT * FROM r
----
WindowSpecError: a windowed SELECT cannot read the recursive CTE it belongs to
  at line 1, column 78:
    WITH RECURSIVE r AS (SELECT 1 AS k UNION ALL SELECT k FROM window_join(TABLE(r) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('1 hour'))) SELECT * FROM r
                                                                                 ^
  rule: its input must be known before it runs
  hint: put the windowed SELECT after the CTE, where all its rows are known

# SORT BY after a table
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY (k) SORT BY v, COUNT(3))
----
WindowSyntaxError: co_group: only PARTITION BY may come after a table
  at line 1, column 75:
    SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY (k) SORT BY v, COUNT(3))
                                                                              ^^^^^^^^^
  hint: hand over a query for anything else: TABLE(SELECT ... FROM t WHERE ...)

# PROCTIME inside the window
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, SLIDING(PROCTIME(), '1 hour', '5 minutes'))
----
WindowSpecError: co_group: SLIDING has no time here
  at line 1, column 82:
    SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, SLIDING(PROCTIME(), '1 hour', '5 minutes'))
                                                                                     ^^^^^^^^^^
  rule: the time of each table is a column of it, the left one's first
  hint: leave it out here, and write DESCRIPTOR(a_ts, b_ts) or PROCTIME() before the window

# EVICT TIME without times
SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, GLOBAL(), trigger => COUNT(1), evictor => TIME('1 minute'))
----
WindowSpecError: EVICT TIME needs event time
  at line 1, column 105:
    SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, GLOBAL(), trigger => COUNT(1), evictor => TIME('1 minute'))
                                                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  rule: it compares the event times of rows
  hint: write DESCRIPTOR(a_ts, b_ts) before the window
