"""winsql's accumulators against Spark's own aggregates: the same calls over the same rows must give the same values."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import winsql
from winsql.errors import WindowDataError
from winsql.model.aggregate_calls import Direction
from winsql.runtime.aggregates import Aggregate, bind_aggregate
from winsql.spark.versions.percentiles import weighs_percentiles
from winsql.spark.workers.columns import array_of, values_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Call:
    name: str
    arguments: tuple[str, ...]
    distinct: bool = False
    filter: str | None = None
    within: tuple[tuple[str, Direction], ...] = ()

    @property
    def sql(self) -> str:
        arguments = ", ".join(self.arguments) or ("" if self.within else "*")
        keys = ", ".join(f"{key} {_words(direction)}" for key, direction in self.within)
        within = f" WITHIN GROUP (ORDER BY {keys})" if keys else ""
        condition = f" FILTER (WHERE {self.filter})" if self.filter else ""
        return f"{self.name}({'DISTINCT ' if self.distinct else ''}{arguments}){within}{condition}"

    @property
    def read(self) -> tuple[str, ...]:
        return (*(key for key, _ in self.within), *self.arguments)


def _words(direction: Direction) -> str:
    return f"{'DESC' if direction.is_descending else 'ASC'} NULLS {'FIRST' if direction.nulls_first else 'LAST'}"


# -- data -------------------------------------------------------------------------------------------------------------

SPECIAL_FLOATS = (math.nan, -0.0, 0.0, math.inf, -math.inf)
COLUMNS: dict[str, pa.DataType] = {
    "i8": pa.int8(),
    "i16": pa.int16(),
    "i32": pa.int32(),
    "i64": pa.int64(),
    "f32": pa.float32(),
    "f64": pa.float64(),
    "fin": pa.float64(),
    "zero": pa.float64(),
    "d_short": pa.decimal128(9, 4),
    "d_edge": pa.decimal128(11, 6),
    "d_mid": pa.decimal128(12, 5),
    "d_long": pa.decimal128(38, 10),
    "flag": pa.bool_(),
    "text": pa.string(),
    "raw": pa.binary(),
    "day": pa.date32(),
    "ts": pa.timestamp("us", "UTC"),
    "ntz": pa.timestamp("us"),
    "span": pa.duration("us"),
    "st": pa.struct([("a", pa.int32()), ("b", pa.string())]),
    "arr": pa.list_(pa.float64()),
    "rec": pa.struct([("at", pa.timestamp("us", "UTC")), ("x", pa.float64()), ("days", pa.list_(pa.date32()))]),
    "times": pa.list_(pa.struct([("n", pa.timestamp("us")), ("s", pa.duration("us"))])),
    "kv": pa.map_(pa.string(), pa.int32()),
}
NUMBERS = ("i8", "i16", "i32", "i64", "f32", "f64", "fin", "zero", "d_short", "d_edge", "d_mid", "d_long")
NESTED = ("st", "arr", "rec", "times")
ORDERED = (*NUMBERS, "flag", "text", "raw", "day", "ts", "ntz", "span", *NESTED)
NULL_GROUP, SINGLE_GROUP = 98, 99


def draw(column: str, rng: random.Random) -> Any:
    """A value of the column; small ranges, so that values repeat."""
    bound = {"i8": 127, "i16": 30_000, "i32": 2**31 - 1, "i64": 2**50}
    if column in bound:
        return rng.choice([rng.randint(-bound[column], bound[column]), rng.randint(-3, 3)])
    return DRAW[column](rng)


DRAW = {
    "f32": lambda rng: rng.choice([*SPECIAL_FLOATS, rng.randint(-999, 999) / 8, rng.randint(-9, 9) / 8]),
    "f64": lambda rng: rng.choice([*SPECIAL_FLOATS, rng.uniform(-1e6, 1e6), 0.1]),
    "fin": lambda rng: rng.choice([rng.uniform(-1e6, 1e6), 0.1, 1e300]),
    "zero": lambda rng: rng.choice([0.0, -0.0, -0.0]),
    "d_short": lambda rng: Decimal(rng.choice([rng.randint(-(10**9) + 1, 10**9 - 1), 5])).scaleb(-4),
    "d_edge": lambda rng: Decimal(rng.choice([rng.randint(-(10**11) + 1, 10**11 - 1), 5])).scaleb(-6),
    "d_mid": lambda rng: Decimal(rng.choice([rng.randint(-(10**12) + 1, 10**12 - 1), 5])).scaleb(-5),
    "d_long": lambda rng: Decimal(rng.randint(-(10**28), 10**28)).scaleb(-10),
    "flag": lambda rng: rng.random() < 0.5,
    "text": lambda rng: rng.choice(["", "a", "B", "é", "\U0001f600", "\uffff", "NaN", "zz"]),
    "raw": lambda rng: rng.choice([b"", b"\x00", b"\xff", b"a", b"ab"]),
    "day": lambda rng: date(1960, 1, 1) + timedelta(days=rng.randint(0, 30_000)),
    "ts": lambda rng: datetime(1969, 12, 31) + timedelta(microseconds=rng.randint(0, 10**12)),
    "ntz": lambda rng: datetime(2024, 3, 31) + timedelta(microseconds=rng.randint(0, 10**11)),
    "span": lambda rng: timedelta(microseconds=rng.randint(-(10**12), 10**12)),
    "st": lambda rng: {"a": rng.randint(0, 5), "b": rng.choice([None, "é", "\uffff"])},
    "arr": lambda rng: [rng.choice([1.5, 0.0, -0.0, None, math.nan]) for _ in range(rng.randint(0, 2))],
    "rec": lambda rng: {
        "at": rng.choice([None, datetime(1969, 12, 31), datetime(2024, 3, 31, 1, 2, 3, 4)]),
        "x": rng.choice([-math.inf, 0.1, math.nan]),
        "days": rng.choice([None, [], [date(1960, 1, 1), None], [date(2024, 2, 29)]]),
    },
    "times": lambda rng: [
        rng.choice([None, {"n": datetime(2024, 1, rng.randint(1, 3)), "s": timedelta(microseconds=rng.randint(-2, 2))}])
        for _ in range(rng.randint(0, 2))
    ],
    "kv": lambda rng: [("k", rng.randint(0, 5))],
}


def sample() -> pa.Table:
    """Groups of many rows, one of a single row, one in which all values are NULL."""
    rng = random.Random(7)
    groups = [rng.randint(0, 9) for _ in range(400)] + [NULL_GROUP] * 3 + [SINGLE_GROUP]

    def value(column: str, group: int) -> Any:
        empty = group == NULL_GROUP or (group != SINGLE_GROUP and rng.random() < 0.15)
        return None if empty else draw(column, rng)

    columns = {name: pa.array([value(name, g) for g in groups], kind) for name, kind in COLUMNS.items()}
    return pa.table({"g": pa.array(groups, pa.int32()), **columns})


# -- both sides -------------------------------------------------------------------------------------------------------


def of_spark(spark: SparkSession, calls: list[Call]) -> tuple[list[int], pa.Table]:
    """Spark's results per group; grouping one partition keeps the order of rows."""
    listed = ", ".join(f"{call.sql} AS c{i}" for i, call in enumerate(calls))
    table = spark.sql(f"SELECT g, {listed} FROM sample GROUP BY g ORDER BY g").toArrow()
    return table.column(0).to_pylist(), table.drop_columns(["g"])


def bound(
    call: Call,
    columns: dict[str, pa.ChunkedArray],
    slots: dict[str, int],
    result: pa.DataType,
    *,
    weighs_percentiles: bool = False,
) -> Aggregate:
    aggregate = bind_aggregate(
        call.name,
        distinct=call.distinct,
        slots=tuple(slots[a] for a in call.read),
        filter_slot=slots[call.filter] if call.filter else None,
        types=tuple(columns[a].type for a in call.read),
        result_type=result,
        ansi=True,
        sorting=tuple(direction for _, direction in call.within),
        weighs_percentiles=weighs_percentiles,
    )
    assert aggregate is not None, call.sql
    assert aggregate.result_type == result
    return aggregate


def of_winsql(spark: SparkSession, calls: list[Call], groups: list[int], types: list[pa.DataType]) -> pa.Table:
    """winsql's results per group, with arguments and types as Spark sends them."""
    needed = sorted({a for call in calls for a in (*call.read, *filter(None, [call.filter]))})
    listed = ", ".join(f"{a} AS a{i}" for i, a in enumerate(needed))
    rows = spark.sql(f"SELECT g, {listed} FROM sample").toArrow()
    columns = {a: rows.column(i + 1) for i, a in enumerate(needed)}
    slots = {a: i + 2 for i, a in enumerate(needed)}
    values = [values_of(column.combine_chunks()) for column in columns.values()]
    by_group: dict[int, list[tuple[Any, ...]]] = {group: [] for group in groups}
    for row_id, (group, *slotted) in enumerate(zip(rows.column(0).to_pylist(), *values, strict=True)):
        by_group[group].append((row_id, None, *slotted))
    arrays = []
    for call, result in zip(calls, types, strict=True):
        aggregate = bound(call, columns, slots, result, weighs_percentiles=weighs_percentiles(spark))
        arrays.append(array_of([fold(aggregate, by_group[group]) for group in groups], result))
    return pa.table(arrays, names=[f"c{i}" for i in range(len(calls))])


def fold(aggregate: Aggregate, rows: list[tuple[Any, ...]]) -> Any:
    accumulator = aggregate.create()
    for row in rows:
        accumulator = aggregate.add(accumulator, row)
    return aggregate.result(accumulator)


def comparable(call: Call, value: Any) -> str:
    """Text that tells NaN, -0.0 and scales apart; sets are sorted."""
    if call.name == "collect_set" or (call.distinct and isinstance(value, list)):
        return repr(sorted(map(repr, value)))
    return repr(value)


def assert_same(spark: SparkSession, calls: list[Call]) -> None:
    groups, expected = of_spark(spark, calls)
    actual = of_winsql(spark, calls, groups, expected.schema.types)
    differences = []
    for call, right, wrong in zip(calls, expected.columns, actual.columns, strict=True):
        for group, want, got in zip(groups, right.to_pylist(), wrong.to_pylist(), strict=True):
            if comparable(call, want) != comparable(call, got):
                differences.append(f"{call.sql} of group {group}: Spark {want!r}, winsql {got!r}")
    assert not differences, "\n".join(differences)


# -- tests ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table(spark: SparkSession) -> Iterator[SparkSession]:
    """The session with the view `sample` of one partition."""
    frame = spark.createDataFrame(sample()).coalesce(1).cache()
    frame.createOrReplaceTempView("sample")
    yield spark
    frame.unpersist()
    spark.catalog.dropTempView("sample")


def each(names: str, columns: tuple[str, ...], **how: Any) -> list[Call]:
    return [Call(name, (column,), **how) for name in names.split() for column in columns]


ARITHMETIC = "sum avg mean try_sum try_avg"
VARIANCES = "stddev stddev_samp stddev_pop std variance var_samp var_pop"
BOOLEANS = "count_if bool_and every bool_or some any"
PLAIN = tuple(COLUMNS)


def test_arithmetic(table: SparkSession) -> None:
    intervals = each(ARITHMETIC, ("span", "interval 1 microsecond * (i8 % 3)"))
    assert_same(table, each(ARITHMETIC, NUMBERS) + each(VARIANCES, NUMBERS) + intervals)


@pytest.mark.parametrize("ansi", [True, False])
def test_higher_moments(table: SparkSession, ansi: bool) -> None:
    table.conf.set("spark.sql.ansi.enabled", str(ansi).lower())
    try:
        calls = each("skewness kurtosis", (*NUMBERS, "f64 / 1e60", "i8 / 1e30"))
        assert_same(table, [*calls, *each("skewness kurtosis", ("i8",), filter="flag")])
    finally:
        table.conf.unset("spark.sql.ansi.enabled")


def test_arithmetic_without_ansi(table: SparkSession) -> None:
    table.conf.set("spark.sql.ansi.enabled", "false")
    try:
        assert_same(table, each(ARITHMETIC, NUMBERS))
    finally:
        table.conf.unset("spark.sql.ansi.enabled")


def test_counts_and_booleans(table: SparkSession) -> None:
    counts = [Call("count", ()), Call("count", ("1",)), Call("count", ("i32", "text", "st"))]
    assert_same(table, counts + each("count", PLAIN) + each(BOOLEANS, ("flag", "i32 > 0")))


def test_choosing(table: SparkSession) -> None:
    picks = each("first first_value last last_value any_value", PLAIN)
    flagged = [
        Call(name, (column, flag)) for name in ("first", "last") for column in PLAIN for flag in ("true", "false")
    ]
    assert_same(table, each("min max", ORDERED) + picks + flagged)


def test_choosing_by_another_column(table: SparkSession) -> None:
    by_all = [Call(name, ("g * 0 + i64", column)) for name in ("min_by", "max_by") for column in ORDERED]
    of_all = [Call(name, (column, "i8 % 3")) for name in ("min_by", "max_by") for column in PLAIN]
    assert_same(table, by_all + of_all)


def test_choosing_several(table: SparkSession) -> None:
    """Of equal values, which Spark orders as it likes, one is like the other."""
    columns = ("i8", "i64", "d_mid", "flag", "text", "raw", "day", "ts", "span", "st", "f64 + 0D", "times")
    names = ("min_by", "max_by")
    calls = [Call(name, (column, column, number)) for name in names for column in columns for number in ("1", "7")]
    filtered = [Call(name, ("rec", "struct(i64, rec)", "2"), filter="i8 > 0") for name in names]
    assert_same(table, calls + filtered)


def test_gathering(table: SparkSession) -> None:
    fractions = ("0.5", "0", "1", "0.3D", "0.123456789", "array(0.9, 0.1)")
    columns = (*NUMBERS, "span", "span * 8000000")
    percentiles = [Call("percentile", (column, fraction)) for column in columns for fraction in fractions]
    lists = each("collect_list array_agg", PLAIN)
    assert_same(table, lists + each("collect_set", ORDERED) + each("median", columns) + percentiles)


UP, DOWN = Direction(is_descending=False, nulls_first=True), Direction(is_descending=True, nulls_first=False)
UP_NULLS_LAST, DOWN_NULLS_FIRST = UP._replace(nulls_first=False), DOWN._replace(nulls_first=True)


@pytest.mark.parametrize("direction", [UP, DOWN])
def test_percentiles_within_groups(table: SparkSession, direction: Direction) -> None:
    names = ("percentile_cont", "percentile_disc")
    fractions = ("0.5", "0", "1", "0.3D", "0.123456789", "array(0.25, 0.9)")
    columns = (*NUMBERS, "span")
    calls = [Call(name, (p,), within=((v, direction),)) for name in names for p in fractions for v in columns]
    assert_same(table, [*calls, Call("percentile_cont", ("0.5",), filter="flag", within=(("i32", direction),))])


def test_approximate_percentiles(table: SparkSession) -> None:
    numbers = [c for c in NUMBERS if c != "d_long"]
    fractions = ("0.5", "0", "1.0", "0.3D", "array(0.9, 0.123456789, 0)")
    names = ("approx_percentile", "percentile_approx")
    columns = (*numbers, "i64 * 8000", "day", "ts", "ntz", "span")
    calls = [Call(name, (column, p)) for name in names for column in columns for p in fractions]
    few = [f"if(i8 > {bound}, fin, double('nan'))" for bound in (115, 120, 125)]  # of a group some or one, or none
    assert_same(table, [Call("approx_percentile", (column, p)) for column in few for p in ("0.1", "0.5", "0.9")])
    accuracies = ("100", "1000L", "2147483647")
    assert_same(table, calls + [Call("percentile_approx", ("i32", "0.01", accuracy)) for accuracy in accuracies])


def test_approximate_counts(table: SparkSession) -> None:
    others = ("cast(i64 AS DECIMAL(38, 0)) * 10000000000000000BD", "cast(raw AS STRING)", "struct(cast(raw AS STRING))")
    assert_same(table, each("approx_count_distinct", (*ORDERED, *others)))
    assert_same(table, each("approx_count_distinct", ("i64", "text"), filter="flag", distinct=True))


LONG_TEXT = "repeat(cast(id AS STRING), 9)"


@pytest.mark.parametrize("value", ["id", "cast(id AS STRING)", LONG_TEXT, "cast(id AS DECIMAL(38, 3))"])
def test_approximate_counts_of_many(spark: SparkSession, value: str) -> None:
    """Few values, a number of them for which the estimate is corrected, and many."""
    column = spark.sql(f"SELECT {value} AS x FROM range(9000)").coalesce(1).toArrow().column(0)
    values = values_of(column.combine_chunks())
    call = Call("approx_count_distinct", ("x",))
    aggregate = bound(call, {"x": column}, {"x": 2}, pa.int64())
    for number in (1, 300, 450, 999, 2000, 2600, 9000):
        want = spark.sql(f"SELECT approx_count_distinct({value}) FROM range({number})").toArrow().column(0).to_pylist()
        assert [fold(aggregate, [(n, None, value) for n, value in enumerate(values[:number])])] == want


def test_modes_and_texts_in_an_order(table: SparkSession) -> None:
    modes = [Call("mode", (), within=((column, how),)) for column in ORDERED for how in (UP, DOWN)]
    assert_same(table, modes)
    keys = ("i64", "text", "arr", "f64", "day")
    orders = [((key, how), ("i32", DOWN)) for key in keys for how in (UP, DOWN, UP_NULLS_LAST, DOWN_NULLS_FIRST)]
    arguments = [("text",), ("text", "','"), ("raw",)]
    texts = [Call("listagg", given, within=order) for given in arguments for order in orders]
    assert_same(table, texts)
    for how in (UP, DOWN):
        assert_same(table, [Call("string_agg", ("text", "','"), True, within=(("text", how),))])
        assert_same(table, [Call("listagg", ("text",), filter="flag", within=(("i64", how),))])


def test_bits(table: SparkSession) -> None:
    integers = ("i8", "i16", "i32", "i64")
    calls = each("bit_and bit_or bit_xor", integers)
    assert_same(table, calls + each("bit_and bit_or bit_xor", ("i8",), distinct=True, filter="flag"))


REGRESSIONS = [
    *("regr_avgx", "regr_avgy", "regr_count", "regr_intercept", "regr_r2"),
    *("regr_slope", "regr_sxx", "regr_sxy", "regr_syy"),
]


@pytest.mark.parametrize("ansi", [True, False])
def test_pairs(table: SparkSession, ansi: bool) -> None:
    names = ("covar_pop", "covar_samp", "corr", *REGRESSIONS)
    pairs = [("i32", "i64"), ("i8", "fin"), ("zero", "i8"), ("f32", "f64"), ("d_short", "d_long"), ("i8", "i8")]
    pairs += [("i8", "zero"), ("zero", "zero"), ("fin", "fin"), ("d_mid", "i64"), ("i8 / 1e170", "i32 / 1e170")]
    table.conf.set("spark.sql.ansi.enabled", str(ansi).lower())
    try:
        calls = [Call(name, pair, filter=condition) for name in names for pair in pairs for condition in (None, "flag")]
        assert_same(table, calls)
    finally:
        table.conf.unset("spark.sql.ansi.enabled")


def test_joined_values(table: SparkSession) -> None:
    texts = [("text",), ("text", "','"), ("text", "NULL"), ("text", "''"), ("raw",), ("raw", "X'2C'"), ("raw", "NULL")]
    calls = [Call(name, arguments) for name in ("listagg", "string_agg") for arguments in texts]
    assert_same(table, [*calls, Call("listagg", ("text", "', '"), filter="flag")])
    of_one = "if(text IS NULL, NULL, 'x')"
    assert_same(table, [Call("listagg", (of_one, "','"), distinct=True)])


def test_mode_where_one_value_leads(table: SparkSession) -> None:
    leading = [f"if(i8 < 100, {literal}, {column})" for column, literal in LEADERS.items()]
    assert_same(table, each("mode", tuple(leading)))


LEADERS = {
    "i32": "7",
    "f64": "double('nan')",
    "fin": "if(i8 < 0, -0D, 0D)",
    "d_mid": "1.5BD",
    "text": "'NaN'",
    "raw": "X'00'",
    "day": "date'2024-01-01'",
    "ts": "timestamp'2024-01-01 00:00:00'",
    "span": "interval '1' day",
    "flag": "true",
    "st": "named_struct('a', 9, 'b', 'B')",
    "arr": "array(double('nan'), NULL)",
}


@pytest.mark.parametrize("column", ["i32", "zero", "d_short", "d_mid", "f32", "span", "text", "ts", "raw", *NESTED])
def test_distinct(table: SparkSession, column: str) -> None:
    calls = each("count min max collect_set collect_list", (column,), distinct=True)
    if column in NUMBERS:
        calls += each("sum avg try_sum try_avg", (column,), distinct=True)
    if column in ("i32", "d_short"):
        calls += [Call("var_pop", ("cast(i8 % 2 AS DOUBLE)",), distinct=True)]
    assert_same(table, calls)


def test_distinct_of_several_columns(table: SparkSession) -> None:
    for arguments in (("i8", "flag"), ("zero", "f32"), ("f64", "text", "flag"), ("rec", "arr")):
        assert_same(table, [Call("count", arguments, distinct=True)])


def test_filter(table: SparkSession) -> None:
    names = "sum avg count min max first last collect_list stddev median"
    calls = each(names, ("i32", "f64", "d_mid"), filter="flag") + each("sum", ("i32",), filter="i32 > 2147483646")
    assert_same(table, [*calls, Call("count", (), filter="flag"), Call("max_by", ("text", "i32"), filter="flag")])
    assert_same(table, each("count sum collect_set", ("i8",), distinct=True, filter="flag"))


def test_an_average_is_rounded_once(spark: SparkSession) -> None:
    spark.sql("SELECT CAST(if(id = 0, '1E-37', '0') AS DECIMAL(38, 38)) AS x FROM range(21)").coalesce(
        1
    ).createOrReplaceTempView("places")
    (expected,) = spark.sql("SELECT avg(x) FROM places").collect()[0]
    (found,) = winsql.sql(spark, "SELECT avg(x) FROM places WINDOW ASSIGN COUNT(21)").collect()[0]
    assert found == expected


LARGE = {
    "bigint": ("9223372036854775807L", "1L"),
    "negative": ("-9223372036854775808L", "-5L"),
    "decimal": ("99999999999999999999999999999999999999BD", "1BD"),
    "scaled": ("cast(9999999999999999999999999999.9999999999BD AS DECIMAL(38,10))", "0"),
    "interval": ("interval '106751990' day", "interval '106751990' day"),
}


@pytest.mark.parametrize("ansi", [True, False])
@pytest.mark.parametrize("case", LARGE)
def test_results_too_large_for_their_type(spark: SparkSession, case: str, ansi: bool) -> None:
    listed = ", ".join(f"({value})" for value in LARGE[case])
    names = ("sum", "try_sum") if case == "interval" else ("sum", "avg", "try_sum", "try_avg")
    spark.conf.set("spark.sql.ansi.enabled", str(ansi).lower())
    spark.sql(f"SELECT x FROM VALUES {listed} AS t(x)").coalesce(1).createOrReplaceTempView("large")
    try:
        for name in names:
            compare_large(spark, name, ansi)
    finally:
        spark.catalog.dropTempView("large")
        spark.conf.unset("spark.sql.ansi.enabled")


def compare_large(spark: SparkSession, name: str, ansi: bool) -> None:
    from pyspark.errors import ArithmeticException

    argument = spark.table("large").toArrow().column(0)
    query = spark.sql(f"SELECT {name}(x) FROM large")
    result_type = spark.sql(f"SELECT {name}(x) FROM large WHERE false").toArrow().schema.types[0]
    how: dict[str, Any] = {"distinct": False, "slots": (2,), "filter_slot": None, "ansi": ansi}
    aggregate = bind_aggregate(name, types=(argument.type,), result_type=result_type, **how)
    assert aggregate is not None
    rows = [(i, None, value) for i, value in enumerate(values_of(argument.combine_chunks()))]
    try:
        expected = query.toArrow().column(0)
    except ArithmeticException as error:
        with pytest.raises(WindowDataError, match=(error.getCondition() or "?").partition(".")[0]):
            fold(aggregate, rows)
        return
    assert pa.array([fold(aggregate, rows)], result_type).to_pylist() == expected.to_pylist()


def test_no_rows(spark: SparkSession) -> None:
    calls = [*each(f"{ARITHMETIC} {VARIANCES} min max first last median mode collect_list collect_set", ("x",))]
    calls += [Call("count", ()), Call("count", ("x",)), Call("count", ("x",), distinct=True)]
    calls += [Call("percentile", ("x", "0.5")), Call("max_by", ("x", "x")), Call("bool_and", ("x > 0",))]
    listed = ", ".join(call.sql for call in calls)
    expected = spark.sql(f"SELECT {listed} FROM VALUES (1) AS t(x) WHERE x > 1").toArrow()
    types = {"x": pa.int32(), "0.5": pa.decimal128(1, 1), "x > 0": pa.bool_()}
    for call, want in zip(calls, expected.columns, strict=True):
        columns = {a: pa.chunked_array([], types[a]) for a in call.read}
        aggregate = bound(call, columns, {a: i for i, a in enumerate(columns)}, want.type)
        assert pa.array([aggregate.result(aggregate.create())], want.type).to_pylist() == want.to_pylist(), call.sql
