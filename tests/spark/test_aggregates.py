"""Every aggregate of Spark on the operator path: the same values as Spark's own aggregation over the same windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest
from planned import both_ways, frame_of
from streaming import Source, run_sql

import winsql
from winsql.syntax.text.vocabulary import AGGREGATES

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

SOURCE = """
SELECT timestamp_micros(id * 1000000) AS ts, id % 3 AS k, CAST(id % 7 AS INT) AS v, CAST(id % 5 AS DOUBLE) AS x,
       CAST(id % 4 AS STRING) AS s, id % 2 = 0 AS b,
       array(CAST(id % 3 AS INT), 2) AS arr, CAST(id % 11 AS FLOAT) AS f, id AS l
FROM range(120)
"""

# call -> an expression over it that compares, where the value itself does not (sketches, unordered lists)
CALLS = {
    "ANY": "any(b)",
    "ANY_VALUE": "any_value(k)",
    "APPROX_COUNT_DISTINCT": "approx_count_distinct(v)",
    "APPROX_PERCENTILE": "approx_percentile(v, array(0.25, 0.5), 1000)",
    "APPROX_TOP_K": "size(approx_top_k(v, 3))",
    "APPROX_TOP_K_ACCUMULATE": "size(approx_top_k_estimate(approx_top_k_accumulate(v), 2))",
    "ARRAY_AGG": "array_sort(array_agg(v))",
    "AVG": "avg(v)",
    "BITMAP_CONSTRUCT_AGG": "bitmap_count(bitmap_construct_agg(bitmap_bit_position(l)))",
    "BIT_AND": "bit_and(v)",
    "BIT_OR": "bit_or(v)",
    "BIT_XOR": "bit_xor(v)",
    "BOOL_AND": "bool_and(b)",
    "BOOL_OR": "bool_or(b)",
    "COLLECT_LIST": "array_sort(collect_list(s))",
    "COLLECT_SET": "array_sort(collect_set(s))",
    "CORR": "round(corr(v, x), 9)",
    "COUNT": "count(DISTINCT v, s)",
    "COUNT_IF": "count_if(v > 2)",
    "COUNT_MIN_SKETCH": "length(count_min_sketch(v, 0.5d, 0.5d, 1))",
    "COVAR_POP": "round(covar_pop(v, x), 9)",
    "COVAR_SAMP": "round(covar_samp(v, x), 9)",
    "EVERY": "every(b)",
    "FIRST": "first(k)",
    "FIRST_VALUE": "first_value(k)",
    "HISTOGRAM_NUMERIC": "size(histogram_numeric(x, 5))",
    "HLL_SKETCH_AGG": "hll_sketch_estimate(hll_sketch_agg(v))",
    "KLL_SKETCH_AGG_BIGINT": "kll_sketch_get_n_bigint(kll_sketch_agg_bigint(l))",
    "KLL_SKETCH_AGG_DOUBLE": "kll_sketch_get_n_double(kll_sketch_agg_double(x))",
    "KLL_SKETCH_AGG_FLOAT": "kll_sketch_get_n_float(kll_sketch_agg_float(f))",
    "KURTOSIS": "round(kurtosis(v), 9)",
    "LAST": "last(k)",
    "LAST_VALUE": "last_value(k)",
    "LISTAGG": "listagg(s, ',') WITHIN GROUP (ORDER BY s DESC)",
    "MAX": "max(s)",
    "MAX_BY": "max_by(v, l)",
    "MEAN": "mean(x)",
    "MEDIAN": "median(v)",
    "MIN": "min(arr)",
    "MIN_BY": "min_by(v, l)",
    "MODE": "mode() WITHIN GROUP (ORDER BY v)",
    "PERCENTILE": "percentile(v, array(0.1, 0.9))",
    "PERCENTILE_APPROX": "percentile_approx(v, 0.5)",
    "PERCENTILE_CONT": "percentile_cont(0.25) WITHIN GROUP (ORDER BY x DESC)",
    "PERCENTILE_DISC": "percentile_disc(0.25) WITHIN GROUP (ORDER BY x)",
    "REGR_AVGX": "regr_avgx(v, x)",
    "REGR_AVGY": "regr_avgy(v, x)",
    "REGR_COUNT": "regr_count(v, x)",
    "REGR_INTERCEPT": "round(regr_intercept(v, x), 9)",
    "REGR_R2": "round(regr_r2(v, x), 9)",
    "REGR_SLOPE": "round(regr_slope(v, x), 9)",
    "REGR_SXX": "round(regr_sxx(v, x), 9)",
    "REGR_SXY": "round(regr_sxy(v, x), 9)",
    "REGR_SYY": "round(regr_syy(v, x), 9)",
    "SCHEMA_OF_VARIANT_AGG": "schema_of_variant_agg(parse_json(to_json(named_struct('v', v, 's', s))))",
    "SKEWNESS": "round(skewness(v), 9)",
    "SOME": "some(b)",
    "STD": "round(std(v), 9)",
    "STDDEV": "round(stddev(v), 9)",
    "STDDEV_POP": "round(stddev_pop(v), 9)",
    "STDDEV_SAMP": "round(stddev_samp(v), 9)",
    "STRING_AGG": "string_agg(s) WITHIN GROUP (ORDER BY s)",
    "SUM": "sum(v + 1)",
    "THETA_SKETCH_AGG": "theta_sketch_estimate(theta_sketch_agg(v))",
    "TRY_AVG": "try_avg(v)",
    "TRY_SUM": "try_sum(v)",
    "TUPLE_SKETCH_AGG_DOUBLE": "tuple_sketch_estimate_double(tuple_sketch_agg_double(v, x))",
    "TUPLE_SKETCH_AGG_INTEGER": "tuple_sketch_estimate_integer(tuple_sketch_agg_integer(l, v))",
    "VARIANCE": "round(variance(v), 9)",
    "VAR_POP": "round(var_pop(v), 9)",
    "VAR_SAMP": "round(var_samp(v), 9)",
}
# aggregates of what another aggregate has made: they need a sketch or a bitmap as a column
OF_SKETCHES = {
    "APPROX_TOP_K_COMBINE": ("approx_top_k_accumulate(v)", "size(approx_top_k_estimate(approx_top_k_combine(p), 2))"),
    "BITMAP_AND_AGG": ("bitmap_construct_agg(bitmap_bit_position(l))", "bitmap_count(bitmap_and_agg(p))"),
    "BITMAP_OR_AGG": ("bitmap_construct_agg(bitmap_bit_position(l))", "bitmap_count(bitmap_or_agg(p))"),
    "HLL_UNION_AGG": ("hll_sketch_agg(v)", "hll_sketch_estimate(hll_union_agg(p))"),
    "KLL_MERGE_AGG_BIGINT": ("kll_sketch_agg_bigint(l)", "kll_sketch_get_n_bigint(kll_merge_agg_bigint(p))"),
    "KLL_MERGE_AGG_DOUBLE": ("kll_sketch_agg_double(x)", "kll_sketch_get_n_double(kll_merge_agg_double(p))"),
    "KLL_MERGE_AGG_FLOAT": ("kll_sketch_agg_float(f)", "kll_sketch_get_n_float(kll_merge_agg_float(p))"),
    "THETA_INTERSECTION_AGG": ("theta_sketch_agg(v)", "theta_sketch_estimate(theta_intersection_agg(p))"),
    "THETA_UNION_AGG": ("theta_sketch_agg(v)", "theta_sketch_estimate(theta_union_agg(p))"),
    "TUPLE_INTERSECTION_AGG_DOUBLE": (
        "tuple_sketch_agg_double(v, x)",
        "tuple_sketch_estimate_double(tuple_intersection_agg_double(p))",
    ),
    "TUPLE_INTERSECTION_AGG_INTEGER": (
        "tuple_sketch_agg_integer(l, v)",
        "tuple_sketch_estimate_integer(tuple_intersection_agg_integer(p))",
    ),
    "TUPLE_UNION_AGG_DOUBLE": (
        "tuple_sketch_agg_double(v, x)",
        "tuple_sketch_estimate_double(tuple_union_agg_double(p))",
    ),
    "TUPLE_UNION_AGG_INTEGER": (
        "tuple_sketch_agg_integer(l, v)",
        "tuple_sketch_estimate_integer(tuple_union_agg_integer(p))",
    ),
}
COLLECT_UNION = "array_sort(collect_union(arr))"
ELSEWHERE = {"MEASURE"}  # of metric views, which have no rows of their own


@pytest.fixture(scope="module")
def source(spark: SparkSession) -> SparkSession:
    spark.sql(SOURCE).createOrReplaceTempView("values_of_all_types")
    return spark


def statement(calls: list[str], source: str = "values_of_all_types") -> str:
    return f"SELECT k, {', '.join(calls)} FROM {source} WINDOW ASSIGN TUMBLING(ts, '30 seconds') GROUP BY k"


def test_no_aggregate_is_forgotten() -> None:
    assert {*CALLS, *OF_SKETCHES, "COLLECT_UNION", *ELSEWHERE} == AGGREGATES


def test_every_aggregate(source: SparkSession) -> None:
    calls = list(CALLS.values())
    statements = [statement(calls[begin : begin + 36]) for begin in range(0, len(calls), 36)]
    for text, native, operator in both_ways(source, statements):
        assert native == operator, text
        assert sum(native.values()) == 12


@pytest.mark.slow
def test_aggregates_of_sketches(source: SparkSession) -> None:
    statements = []
    for number, (part, call) in enumerate(OF_SKETCHES.values()):
        source.sql(
            f"SELECT k, max(ts) AS ts, {part} AS p FROM values_of_all_types GROUP BY k, v"
        ).createOrReplaceTempView(f"sketches{number}")
        statements.append(statement([call], f"sketches{number}"))
    for text, native, operator in both_ways(source, statements):
        assert native == operator, text


def test_calls_with_everything(source: SparkSession) -> None:
    calls = [
        "sum(DISTINCT v) FILTER (WHERE x > 1)",
        "round(kurtosis(v) FILTER (WHERE t.b), 9)",
        "first(IF(v > 3, v, NULL)) IGNORE NULLS IS NULL",
        "count(*)",
        "count(DISTINCT struct(t.*))",
        "count(DISTINCT t.s, t.v)",
        "transform(array_sort(collect_list(struct(v, s))), z -> z.v + z.s)",
        "max(named_struct('v', v, 'x', x)).v",
        "aggregate(max(arr), 0, (a, y) -> a + y)",
        "percentile(v, 0.5) + sum(x) / count(1)",
    ]
    [(_, native, operator)] = both_ways(source, [statement(calls, "values_of_all_types AS t")])
    assert native == operator
    assert native


@pytest.mark.parametrize("within", ["", "WITHIN GROUP (ORDER BY v, x) "])
def test_texts_beside_distinct_values(source: SparkSession, within: str) -> None:
    listed = f"listagg(s, '-') {within}AS t"
    window = "WINDOW ASSIGN TUMBLING(ts, '30 seconds')"
    for distinct in ("count(DISTINCT v) + count(DISTINCT x)", "count(DISTINCT v) FILTER (WHERE x > 1)"):
        both = winsql.sql(source, f"SELECT {listed}, {distinct} AS n FROM values_of_all_types {window}").collect()
        texts = winsql.sql(source, f"SELECT {listed} FROM values_of_all_types {window}").collect()
        counts = winsql.sql(source, f"SELECT {distinct} AS n FROM values_of_all_types {window}").collect()
        assert sorted(row.t for row in both) == sorted(row.t for row in texts)
        assert sorted(row.n for row in both) == sorted(row.n for row in counts)


def test_firing_without_rows(source: SparkSession) -> None:
    """An evictor may leave nothing: the firing still says what the aggregates say of no rows."""
    median = "percentile_cont(0.5) WITHIN GROUP (ORDER BY v)"
    calls = f"count(*), sum(v), histogram_numeric(v, 5), {median}, size(collect_list(v))"
    window = "WINDOW ASSIGN GLOBAL() TRIGGER COUNT(40) EVICT COUNT(0) GROUP BY k"
    text = f"SELECT k, {calls} FROM values_of_all_types {window}"
    rows = frame_of(source, text, native=False).collect()
    assert sorted(map(tuple, rows)) == [(k, 0, None, None, None, 0) for k in range(3)]


def test_firing_without_rows_of_functions_in_python(source: SparkSession) -> None:
    """Spark would make one subquery of those that say what each call gives for no rows, and fail."""
    from pyspark.sql.functions import pandas_udf

    @pandas_udf("double")
    def greatest_of(values: pd.Series) -> float:
        return float(values.max())

    @pandas_udf("double")
    def how_many(values: pd.Series) -> float:
        return float(len(values))

    source.udf.register("greatest_of", greatest_of)
    source.udf.register("how_many", how_many)
    calls = "greatest_of(l) AS a, how_many(l) AS n"
    window = "WINDOW ASSIGN GLOBAL() TRIGGER COUNT(40) EVICT COUNT({}) GROUP BY k"
    found = {}
    for kept in (40, 0):
        rows = winsql.sql(source, f"SELECT k, {calls} FROM values_of_all_types {window.format(kept)}").collect()
        found[kept] = sorted(map(tuple, rows))
    source.sql("DROP TEMPORARY FUNCTION greatest_of")
    source.sql("DROP TEMPORARY FUNCTION how_many")
    assert found[40] == [(0, 117.0, 40.0), (1, 118.0, 40.0), (2, 119.0, 40.0)]
    assert found[0] == [(k, None, None) for k in range(3)]


# key a; in the order of arrival: the seconds and the value
TWO_SESSIONS = [(0, 1), (900, 2), (60, 3), (960, 2), (120, 3), (480, 9)]


@pytest.mark.parametrize("trigger", ["", "TRIGGER ANY(EVENT_TIME(), COUNT(3))", "EVICT COUNT(100)"])
def test_values_of_sessions_that_merge_are_in_order_of_arrival(
    spark: SparkSession, tmp_path: Path, trigger: str
) -> None:
    """The last row joins two sessions whose rows came by turns."""
    source = Source(tmp_path / "in")
    source.put([("a", second, 0.0, n) for second, n in TWO_SESSIONS] + [("end", 100_000, 0.0, 0)])
    source.stream(spark, "by_turns", "1 hour")
    calls = "collect_list(n) AS l, collect_set(n) AS s, array_agg(DISTINCT n) AS d, mode(n) AS m"
    text = f"SELECT {calls} FROM by_turns WINDOW ASSIGN SESSION(ts, '8 minutes') {trigger} GROUP BY k"
    (found,) = run_sql(spark, [text], tmp_path / "checkpoint")
    assert ("[1, 2, 3, 2, 3, 9]", "[1, 2, 3, 9]", "[1, 2, 3, 9]", "2") in found
