# BEGIN and END
BEGIN
  SELECT 1 AS window;
  SELECT 2 AS assign;
END

# nothing in BEGIN and END
BEGIN END

# variables and SET
BEGIN
  DECLARE window INT DEFAULT 1;
  DECLARE assign, trigger STRING = 'x';
  SET window = window + 1;
  SET (assign, trigger) = (SELECT 'a', 'b');
  SELECT window, assign, trigger;
END

# IF
BEGIN
  DECLARE late INT = 5;
  IF late > 10 THEN SELECT 'many';
  ELSEIF late > 3 THEN SELECT 'WINDOW ASSIGN COUNT(1)';
  ELSE SELECT 'few';
  END IF;
END

# WHILE
BEGIN
  DECLARE i INT = 0;
  window: WHILE i < 5 DO
    SET i = i + 1;
    IF i = 2 THEN ITERATE window; END IF;
    IF i = 4 THEN LEAVE window; END IF;
  END WHILE window;
  SELECT i;
END

# REPEAT and LOOP
BEGIN
  DECLARE i INT = 0;
  assign: LOOP
    SET i = i + 1;
    IF i > 2 THEN LEAVE assign; END IF;
  END LOOP assign;
  REPEAT SET i = i + 10; UNTIL i > 20 END REPEAT;
  SELECT i AS trigger;
END

# FOR
BEGIN
  DECLARE total INT = 0;
  FOR window AS SELECT v AS assign FROM events DO
    SET total = total + window.assign;
  END FOR;
  SELECT total;
END

# CASE
BEGIN
  DECLARE evict INT = 2;
  CASE evict WHEN 1 THEN SELECT 'one'; WHEN 2 THEN SELECT 'two'; ELSE SELECT 'other'; END CASE;
END

# CASE with conditions
BEGIN
  CASE WHEN 1 > 2 THEN SELECT 'a'; WHEN 2 > 1 THEN SELECT 'b'; END CASE;
END

# handlers
BEGIN
  DECLARE window CONDITION FOR SQLSTATE '45000';
  DECLARE EXIT HANDLER FOR DIVIDE_BY_ZERO BEGIN SELECT 'WINDOW ASSIGN' AS caught; END;
  SELECT 1 / 0;
END

# handlers that go on
BEGIN
  DECLARE n INT = 0;
  DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN SET n = n + 1; END;
  SELECT 1 / 0;
  SELECT n;
END

# handlers for states and for nothing found
BEGIN
  DECLARE EXIT HANDLER FOR SQLSTATE '22012', NOT FOUND BEGIN VALUES ('handled'); END;
  SELECT 1 / 0;
END

# SIGNAL
BEGIN
  DECLARE window CONDITION FOR SQLSTATE '45001';
  SIGNAL window SET MESSAGE_TEXT = 'WINDOW ASSIGN COUNT(1)';
END

# nested blocks with labels
BEGIN
  outside: BEGIN
    DECLARE window INT = 1;
    inside: BEGIN
      DECLARE window INT = 2;
      SELECT outside.window, inside.window AS assign;
    END inside;
  END outside;
END

# cursors
BEGIN
  DECLARE x INT;
  DECLARE window CURSOR FOR SELECT v FROM events ORDER BY v;
  OPEN window;
  FETCH FROM window INTO x;
  FETCH window INTO x;
  CLOSE window;
  SELECT x AS assign;
END

# DDL and DML in a script
BEGIN
  CREATE TABLE made (window INT) USING parquet;
  INSERT INTO made VALUES (1), (2);
  SELECT sum(window) FROM made;
END
----
SELECT count(*) FROM made

# a script that mentions windows
BEGIN
  -- FROM t WINDOW ASSIGN COUNT(1)
  /* SELECT * FROM t WINDOW ASSIGN COUNT(1); */
  DECLARE a STRING = 'FROM t WINDOW ASSIGN COUNT(1)';
  SELECT a AS `WINDOW ASSIGN COUNT(1)`;
END

# a script with named windows and aliases
BEGIN
  WITH window AS (SELECT 1 AS x) SELECT assign.x FROM window assign;
  SELECT rank() OVER assign FROM events WINDOW assign AS (ORDER BY v);
END;

# a script with a mistake
BEGIN
  SELECT nothing FROM events;
END

# a script that is not closed
BEGIN
  SELECT 1;

# a script without semicolons
BEGIN SELECT 1 END

# a script in BEGIN ATOMIC
BEGIN ATOMIC SELECT 1; END

# EXECUTE IMMEDIATE
EXECUTE IMMEDIATE 'SELECT 1 AS window'
----
EXECUTE IMMEDIATE 'SELECT ? + ? AS assign' USING 1, 2
----
EXECUTE IMMEDIATE 'SELECT :window || :assign AS trigger' USING ('a' AS window, 'b' AS assign)
----
DECLARE late INT
----
EXECUTE IMMEDIATE 'SELECT max(v) FROM events' INTO late
----
SELECT late
----
DROP TEMPORARY VARIABLE late

# EXECUTE IMMEDIATE of a variable
DECLARE window STRING DEFAULT 'SELECT "WINDOW ASSIGN" AS a'
----
EXECUTE IMMEDIATE window
----
DROP TEMPORARY VARIABLE window

# EXECUTE IMMEDIATE of mistakes
EXECUTE IMMEDIATE 'SELEC 1'
----
EXECUTE IMMEDIATE 'SELECT nothing'
----
EXECUTE IMMEDIATE nothing

# EXECUTE IMMEDIATE in a script
BEGIN
  DECLARE window STRING = 'SELECT :trigger AS assign';
  EXECUTE IMMEDIATE window USING 5 AS trigger;
END
