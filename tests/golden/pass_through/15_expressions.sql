# arithmetic, comparison and logic
SELECT 7 DIV 2, 7 % 3, -7 / 2, 5 & 3 | 4 ^ 1, ~1, 1 << 3, -8 >> 1, -8 >>> 60, NOT true AND false OR true, 1 <=> NULL, 1 != 2, 1 <> 1, 2 == 2, !true

# CASE, IF, COALESCE and others
SELECT CASE v WHEN 1 THEN 'window' WHEN 2 THEN 'assign' ELSE k END, CASE WHEN v > 2 THEN 1 END, if(v > 1, 'a', 'b'), coalesce(NULL, k), nullif(v, 1), nvl2(ok, 1, 2), decode(v, 1, 'x', 'y') FROM events ORDER BY v

# predicates
SELECT 'abc' LIKE 'a%' AND 'a_c' LIKE 'a|_c' ESCAPE '|', 'ABC' ILIKE ANY ('a%', 'z'), 'x' NOT LIKE ALL ('y', 'z'), 'abc' RLIKE 'b+', 'a' REGEXP '^a$', 2 BETWEEN 1 AND 3, 2 NOT IN (1, 3), 1 IS DISTINCT FROM NULL, NULL IS NOT NULL, true IS UNKNOWN

# CAST in its spellings
SELECT CAST('1' AS INT), '2'::BIGINT, TRY_CAST('x' AS INT), CAST(1 AS DECIMAL(10, 2)), '2024-01-01'::DATE::TIMESTAMP, CAST(X'41' AS STRING), try_to_number('1,5', '9,9'), CAST('{1:2}' AS STRING)

# strings
SELECT substring('window' FROM 2 FOR 3), position('d' IN 'window'), trim(BOTH 'x' FROM 'xax'), trim(LEADING FROM ' a'), overlay('abcdef' PLACING 'ZZ' FROM 2 FOR 3), 'a' || 'b' || NULL, concat_ws('-', array('a', 'b')), split('a,b', ','), lpad('7', 3, '0'), initcap('late into'), translate('abc', 'ab', 'xy')

# dates and times
SELECT extract(YEAR FROM DATE '2024-02-03'), date_part('month', TIMESTAMP '2024-02-03 04:05:06'), dateadd(DAY, 5, DATE '2024-02-28'), datediff(HOUR, TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-02 03:00:00'), timestampadd(MONTH, 1, TIMESTAMP_NTZ '2024-01-31 00:00:00'), date_trunc('HOUR', TIMESTAMP '2024-01-01 10:11:12'), date_format(DATE '2024-01-01', 'yyyy/MM/dd'), to_timestamp('2024-01-01 00:00:01')

# intervals
SELECT INTERVAL 1 DAY 2 HOURS, INTERVAL '1-2' YEAR TO MONTH, INTERVAL '1 02:03:04.5' DAY TO SECOND, -INTERVAL '3' MONTH, INTERVAL '10' MINUTE * 2, make_interval(1, 2), make_dt_interval(1, 2, 3), DATE '2024-01-31' + INTERVAL 1 MONTH

# the type TIME
SELECT TIME '10:11:12.5', CAST('01:02:03' AS TIME(0)), hour(TIME '23:00:00'), TIME '10:00:00' < TIME '11:00:00'

# arrays, maps and structs
SELECT array(1, 2)[0], map('window', 1)['window'], named_struct('assign', 1).assign, struct(1 AS trigger, 2 AS evict).*, element_at(array(1, 2), -1), size(map()), array_contains(array(1), 1), (1, 'a').col2, arrays_zip(array(1), array(2)), sequence(1, 3), slice(array(1, 2, 3), 2, 2)

# lambdas
SELECT transform(array(1, 2), window -> window + 1), filter(array(1, 2, 3), (assign, i) -> assign > i), aggregate(array(1, 2), 0, (trigger, evict) -> trigger + evict, late -> late * 2), exists(array(1), x -> x = 1), map_filter(map(1, 2), (k, v) -> v > k), zip_with(array(1), array(2), (a, b) -> a + b), reduce(array(1), 0, (a, b) -> a + b)

# fields with names like words of ours
SELECT s.window, s.assign, nested.s.window, corpus.nested.s.assign FROM nested ORDER BY id
----
SELECT named_struct('window', named_struct('assign', 1)) AS join, join.window.assign, join.window.`assign` + 1
----
SELECT t.count FROM (SELECT 1 AS count) t WHERE t.count = 1

# JSON: paths and functions
SELECT j:window, j:late.into[0], j:['window'], get_json_object(j, '$.late.into[1]'), from_json(j, 'window INT').window, to_json(struct(1 AS assign)), schema_of_json('{"a":1}'), json_tuple(j, 'window') FROM nested ORDER BY id

# JSON: variants
SELECT parse_json('{"window": [1, {"assign": 2}]}'):window[1].assign::INT, variant_get(parse_json('[1]'), '$[0]', 'int'), typeof(parse_json('1')), schema_of_variant(parse_json('{"trigger": 1}')), is_variant_null(parse_json('null'))
----
SELECT to_json(parse_json(j)) FROM nested ORDER BY id

# CSV and XML
SELECT from_csv('1,a', 'window INT, assign STRING'), to_csv(struct(1, 2)), from_xml('<p><window>1</window></p>', 'window INT')

# collations
SELECT 'WINDOW' COLLATE UTF8_LCASE = 'window', collation('a' COLLATE UNICODE_CI), contains('Straße' COLLATE UNICODE_CI, 'STRASSE'), k COLLATE UTF8_BINARY AS c FROM events ORDER BY v

# collations that do not meet
SELECT 'a' COLLATE UTF8_LCASE = 'a' COLLATE UNICODE

# functions with named arguments
SELECT mask('AbC1', upperChar => 'W', digitChar => 'n'), mask(lowerChar => 'z', str => 'abc'), upper(str => 'a')

# functions with named arguments that are wrong
SELECT mask('a', window => 'x')

# functions without brackets
SELECT current_date = current_date(), current_user IS NOT NULL, user = current_user, current_timestamp <= now(), current_schema, current_catalog

# functions with a qualified name
SELECT builtin.abs(-1), system.builtin.upper('a'), system.session.nothing(1)

# sketches, hashes and others
SELECT md5('window'), sha2('assign', 256), crc32('x'), hash(1, 'a'), xxhash64(1), base64('a'), hex(17), conv('ff', 16, 10), bin(5), bit_count(7), typeof(1.5BD), equal_null(NULL, NULL), width_bucket(5, 0, 10, 2), luhn_check('79927398713')

# numbers of every kind
SELECT 1, 1L, 1S, 1Y, 1.5, 1.5BD, 1.5D, 1.5F, 1e3, 1E-2, .5, 5., 0.1e1BD, 9223372036854775807, 9223372036854775808, -9223372036854775808L

# numbers that overflow
SELECT 300Y
----
SELECT 99999999999L

# literals of types
SELECT DATE '2024-01-01', TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP_NTZ '2024-01-01 00:00:00', TIMESTAMP_LTZ '2024-01-01 00:00:00 UTC', X'1FAB', x'', TRUE, false, NULL, binary'1F'
----
SELECT DATE '2024-13-01'
----
SELECT window '1'

# strings of every kind
SELECT 'it''s', "say ""so""", 'it\'s', "a'b", 'a"b', r'\n\w', R"\d", 'tab\there', '\u0041\U0001F600', '\101', 'a\%b\_c', '', 'a' 'b' "c", 'line
break', 'WINDOW ASSIGN COUNT(1)', "FROM t WINDOW ASSIGN"

# strings in dollars
SELECT $$WINDOW ASSIGN$$

# names in backquotes
SELECT 1 AS `window assign`, 2 AS `a``b`, 3 AS `WINDOW`, 4 AS `价格`, 5 AS `sélect`, 6 AS ` `

# names that begin with digits and others
SELECT 1 AS 1a, 2 AS _1, 3 AS a1_, 4 AS a$

# comments
SELECT 1 -- WINDOW ASSIGN COUNT(1)
 AS window /* assign */ , /* nested /* WINDOW ASSIGN COUNT(1) */ comment */ 2 AS /**/ assign -- the end
----
-- only a comment before
/* WINDOW ASSIGN */ SELECT 1
----
SELECT 1 -- continued \
 WINDOW ASSIGN COUNT(1)
----
SELECT '--', "/*", `--` FROM (SELECT 1 AS `--`) -- '

# comments and nothing else
-- FROM t WINDOW ASSIGN COUNT(1)

# comments that nothing closes
SELECT 1 /* WINDOW ASSIGN COUNT(1)

# windows in the text of literals, names and hints
SELECT 'SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) GROUP BY k' AS a, "TUMBLE(TABLE t, DESCRIPTOR(ts))" AS `WINDOW ASSIGN COUNT(1)`
----
SELECT upper('from t window assign count(1)'), regexp_replace('WINDOW ASSIGN COUNT(1)', 'ASSIGN', 'x')
----
SELECT * FROM VALUES ('WINDOW JOIN'), ('SHOW STREAMS'), ('window_join(TABLE(a), DESCRIPTOR(b))') AS x(s)

# deep nesting
SELECT ((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))) AS window

# letters of many scripts
SELECT '窗口 分配' AS `窗口`, 'ÄÖÜ ß ẞ' AS größe, '🪟' AS `🪟`, 'العربية' AS a, 'é' = 'é' AS b

# names of many scripts without quotes
SELECT 1 AS größe

# names of other scripts that Spark does not take
SELECT 1 AS 窗口
