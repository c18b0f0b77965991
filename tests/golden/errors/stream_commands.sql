# altering a stream in no way
ALTER STREAM s
----
WindowSyntaxError: what shall become of the stream is missing
  at line 1, column 14:
    ALTER STREAM s
                 ^
  rule: write ALTER STREAM name PAUSE, RESUME or SET OPTIONS (...)
  hint: write PAUSE, RESUME or SET OPTIONS (...)

# altering a stream in a way that is misspelled
ALTER STREAMING TABLE s PASUE
----
WindowSyntaxError: PASUE is not allowed here
  at line 1, column 25:
    ALTER STREAMING TABLE s PASUE
                            ^^^^^
  rule: after the name comes PAUSE or RESUME or SET OPTIONS
  hint: did you mean PAUSE?

# altering a stream in another way
ALTER STREAM s RENAME TO t
----
WindowSyntaxError: RENAME is not allowed here
  at line 1, column 16:
    ALTER STREAM s RENAME TO t
                   ^^^^^^
  rule: after the name comes PAUSE or RESUME or SET OPTIONS
  hint: did you mean RESUME?

# pausing a stream and more
ALTER STREAM s PAUSE NOW
----
WindowSyntaxError: nothing may follow here
  at line 1, column 22:
    ALTER STREAM s PAUSE NOW
                         ^^^
  rule: the statement ends before
  hint: leave it out

# setting no options
ALTER STREAM s SET OPTIONS ()
----
WindowSyntaxError: SET OPTIONS names no option
  at line 1, column 16:
    ALTER STREAM s SET OPTIONS ()
                   ^^^^^^^^^^^^^^
  rule: write ALTER STREAM name PAUSE, RESUME or SET OPTIONS (...)
  hint: write for instance trigger

# setting options without brackets
ALTER STREAM s SET OPTIONS trigger '1 second'
----
WindowSyntaxError: OPTIONS needs brackets
  at line 1, column 20:
    ALTER STREAM s SET OPTIONS trigger '1 second'
                       ^^^^^^^
  hint: write OPTIONS (key 'value', ...)

# setting a trigger that is none
ALTER STREAM s SET OPTIONS (trigger 'soon')
----
WindowSpecError: soon is no trigger of a stream
  at line 1, column 37:
    ALTER STREAM s SET OPTIONS (trigger 'soon')
                                        ^^^^^^
  rule: a trigger is 'available now' or an interval between micro-batches such as '10 seconds'
  hint: leave it out to run micro-batches one after the other

# dropping a stream without a name
DROP STREAM IF EXISTS
----
WindowSyntaxError: the name of the stream is missing
  at line 1, column 22:
    DROP STREAM IF EXISTS
                         ^
  hint: write the name of the stream here

# dropping a stream with a misspelled word
DROP STREAM s PURG
----
WindowSyntaxError: PURG is not allowed here
  at line 1, column 15:
    DROP STREAM s PURG
                  ^^^^
  rule: after the name comes PURGE
  hint: did you mean PURGE?

# dropping a stream and more
DROP STREAM s PURGE CASCADE
----
WindowSyntaxError: nothing may follow here
  at line 1, column 21:
    DROP STREAM s PURGE CASCADE
                        ^^^^^^^
  rule: the statement ends before
  hint: leave it out

# showing two streams
SHOW STREAM a b
----
WindowSyntaxError: nothing may follow here
  at line 1, column 15:
    SHOW STREAM a b
                  ^
  rule: the statement ends before
  hint: leave it out

# an option of the stream that is misspelled
ALTER STREAM s SET OPTIONS (triggr '1 minute')
----
WindowSpecError: triggr is not an option
  at line 1, column 29:
    ALTER STREAM s SET OPTIONS (triggr '1 minute')
                                ^^^^^^^^^^^^^^^^^
  rule: options that are not the stream's go to its sink, and one spelled almost like the stream's is a mistake
  hint: did you mean trigger?
