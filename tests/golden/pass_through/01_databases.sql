# CREATE DATABASE with everything, DESCRIBE and DROP it
CREATE DATABASE IF NOT EXISTS window COMMENT 'WINDOW ASSIGN COUNT(1)' WITH DBPROPERTIES ('trigger' = 'evict', late = 'into')
----
DESCRIBE DATABASE EXTENDED window
----
ALTER DATABASE window SET DBPROPERTIES ('late' = 'never')
----
ALTER DATABASE window UNSET DBPROPERTIES ('late')
----
COMMENT ON DATABASE window IS 'assign'
----
DESCRIBE SCHEMA window
----
USE SCHEMA window
----
SELECT current_database(), current_catalog()
----
SHOW CURRENT NAMESPACE
----
USE corpus
----
DROP DATABASE IF EXISTS window CASCADE

# SHOW DATABASES
SHOW DATABASES LIKE 'cor*'

# SHOW NAMESPACES IN a catalog
SHOW NAMESPACES IN spark_catalog LIKE 'corpus'

# SHOW CATALOGS
SHOW CATALOGS LIKE 'spark_c*'

# SET CATALOG of a name that is nothing
SET CATALOG assign

# USE of a database that is not there
USE tumbling

# CREATE DATABASE that is there
CREATE DATABASE corpus

# DROP DATABASE that is not empty
DROP DATABASE corpus RESTRICT

# ALTER NAMESPACE sets a location
CREATE NAMESPACE evict
----
ALTER NAMESPACE evict SET LOCATION '/nowhere/evict'
----
DROP NAMESPACE evict
