"""Durations and numbers of window clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winsql.errors import WindowSyntaxError
from winsql.model.base import LONGEST
from winsql.model.parameters import Parameters
from winsql.syntax import parse_statement
from winsql.syntax.clauses.policy_text import render_duration
from winsql.syntax.text.literals import read_duration, read_integer, read_number, string_value
from winsql.syntax.text.source import Extent, Source

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

S, M, H, D = 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000

DURATIONS = {
    "INTERVAL 1 HOUR": H,
    "interval 90 minutes": 90 * M,
    "INTERVAL '1' HOUR": H,
    "INTERVAL '-1' HOUR": -H,
    "INTERVAL -1 HOUR": -H,
    "- INTERVAL 1 HOUR": -H,
    "-INTERVAL '-1' HOUR": H,
    "INTERVAL +2 DAYS": 2 * D,
    "INTERVAL 1 WEEK 2 DAYS": 9 * D,
    "INTERVAL 1 HOUR 30 MINUTES": 90 * M,
    "INTERVAL 1 HOUR -30 MINUTES": 30 * M,
    "INTERVAL '1' DAY '2' HOURS": 26 * H,
    "INTERVAL '1 02:03:04.000005' DAY TO SECOND": D + 2 * H + 3 * M + 4 * S + 5,
    "INTERVAL '-1 02:00:00' DAY TO SECOND": -(D + 2 * H),
    "INTERVAL '1 2' DAY TO HOUR": 26 * H,
    "INTERVAL '1 2:30' DAY TO MINUTE": 26 * H + 30 * M,
    "INTERVAL '2:30' HOUR TO MINUTE": 150 * M,
    "INTERVAL '2:30:15' HOUR TO SECOND": 150 * M + 15 * S,
    "INTERVAL '90:30' MINUTE TO SECOND": 90 * M + 30 * S,
    "INTERVAL '1 hour 30 minutes'": 90 * M,
    "'10 minutes'": 10 * M,
    "'  1   day  2 hours '": 26 * H,
    "'interval 10 minutes'": 10 * M,
    "'-10 minutes'": -10 * M,
    "- '10 minutes'": -10 * M,
    "'1 hour -10 minutes'": 50 * M,
    '"10 minutes"': 10 * M,
    "r'10 minutes'": 10 * M,
    "'1.5 seconds'": 1_500_000,
    "'.5 seconds'": 500_000,
    "'1.000001 second'": 1_000_001,
    "INTERVAL 0.25 SECONDS": 250_000,
    "'7 milliseconds'": 7_000,
    "'7 microseconds'": 7,
    "'0 seconds'": 0,
}


def read(text: str) -> int:
    source = Source(text)
    return read_duration(source, Extent(0, len(source)), "size")


@pytest.mark.parametrize(("text", "micros"), DURATIONS.items(), ids=list(DURATIONS))
def test_durations(text: str, micros: int) -> None:
    assert read(text) == micros


@pytest.mark.spark
def test_durations_are_what_spark_says(spark: SparkSession) -> None:
    intervals = {text: micros for text, micros in DURATIONS.items() if "INTERVAL" in text.upper() and "'in" not in text}
    for text, micros in intervals.items():
        end = spark.sql(f"SELECT unix_micros(TIMESTAMP '2020-01-01 00:00:00' + {text}) AS m").head()
        start = spark.sql("SELECT unix_micros(TIMESTAMP '2020-01-01 00:00:00') AS m").head()
        assert end is not None
        assert start is not None
        assert end.m - start.m == micros, text


@pytest.mark.parametrize(
    "text",
    [
        "'10minutes'",
        "'10'",
        "'minutes 10'",
        "'1,5 seconds'",
        "'1 minute 5'",
        "INTERVAL",
        "ts",
        "INTERVAL '1:1.2.3' MINUTE TO SECOND",
        "INTERVAL '1:.' MINUTE TO SECOND",
        "INTERVAL '1:1.' MINUTE TO SECOND",
        r"'\UFFFFFFFF minutes'",
    ],
)
def test_no_durations(text: str) -> None:
    with pytest.raises(WindowSyntaxError):
        read(text)


MANY = "9" * 5_000


@pytest.mark.parametrize(
    "text",
    [f"INTERVAL {MANY} HOURS", f"INTERVAL '{MANY} 1' DAY TO HOUR", f"'{MANY} hours'", f"'PT{MANY}H'", f"{MANY}m"],
)
def test_a_length_has_not_thousands_of_digits(text: str) -> None:
    with pytest.raises(WindowSyntaxError, match="too long"):
        read(text)


def test_a_parameter_has_not_thousands_of_digits() -> None:
    source = Source(":size", parameters=Parameters({"size": f"{MANY} hours"}))
    with pytest.raises(WindowSyntaxError, match="too long"):
        read_duration(source, Extent(0, len(source)), "size")


STRINGS = {
    r"'\uD83D\uDE00'": "\N{GRINNING FACE}",
    r"'\U0001F600'": "\N{GRINNING FACE}",
    r"'\U00110000'": "\N{REPLACEMENT CHARACTER}",
    r"'a\%b\_\z\101'": r"a\%b\_zA",
}


@pytest.mark.parametrize(("text", "value"), STRINGS.items(), ids=list(STRINGS))
def test_strings(text: str, value: str) -> None:
    assert string_value(Source(text), 0) == value


@settings(max_examples=300)
@given(st.integers(-LONGEST, LONGEST))
def test_rendered_durations_read_the_same(micros: int) -> None:
    assert read(render_duration(micros)) == micros


@pytest.mark.parametrize(("text", "value"), [("10", 10), ("-3", -3), ("+4", 4), ("10L", 10), ("7S", 7), ("1Y", 1)])
def test_integers(text: str, value: int) -> None:
    source = Source(text)
    assert read_integer(source, Extent(0, len(source)), "n") == value


@pytest.mark.parametrize("value", [2**63 - 1, 2**63, 10**400, 10**4290])
def test_integers_beyond_bigint_are_refused(value: int) -> None:
    """Written, or as the value of a parameter; columns of numbers would not take them."""
    for text, parameters in ((f"{value}", None), (f"-{value}L", None), (":n", Parameters({"n": value}))):
        source = Source(text, parameters=parameters)
        if value == 2**63 - 1:
            assert abs(read_integer(source, Extent(0, len(source)), "n")) == value
            continue
        with pytest.raises(WindowSyntaxError, match="n: this number is too large"):
            read_integer(source, Extent(0, len(source)), "n")


@pytest.mark.parametrize("value", [10**309, 10**4290])
def test_numbers_beyond_floats_are_refused(value: int) -> None:
    for text, parameters in ((f"{value}", None), (f"-{value}L", None), (":n", Parameters({"n": value}))):
        source = Source(text, parameters=parameters)
        with pytest.raises(WindowSyntaxError, match="n: this number is too large"):
            read_number(source, Extent(0, len(source)), "n")


NUMBERS = [
    ("2", 2),
    ("-2.5", -2.5),
    (".5", 0.5),
    ("1e3", 1000.0),
    ("1.5BD", 1.5),
    ("3D", 3),
    ("2.5F", 2.5),
    ("-7L", -7),
]


@pytest.mark.parametrize(("text", "value"), NUMBERS)
def test_numbers(text: str, value: float) -> None:
    source = Source(text)
    assert read_number(source, Extent(0, len(source)), "n") == value


@pytest.mark.parametrize("text", ["x", "'1'", "1 2", "- -1", "1e999", "INTERVAL 1 DAY", ""])
def test_no_numbers(text: str) -> None:
    source = Source(text or "x")
    with pytest.raises(WindowSyntaxError):
        read_number(source, Extent(0, len(source) if text else 0), "n")


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1" + "0" * 5000, "9" * 39, "1E999"])
def test_numbers_that_spark_refuses_reach_it_from_a_condition(number: str) -> None:
    text = f"SELECT sum(v) FROM t WINDOW ASSIGN GLOBAL() TRIGGER WHEN(avg(v) > {number})"
    assert [operand.sql for operand in parse_statement(text).queries[0].operands] == [number]


MEANT = {
    **dict.fromkeys(("10 s", "10s", "10 sec", "10 SECS", "PT10S", "pt10s", "00:00:10", "10000 ms"), 10 * S),
    **dict.fromkeys(("5 min", "5m", "5 mins", "PT5M", "0:05:00"), 5 * M),
    **dict.fromkeys(("1 h", "1 hr", "1 hrs", "1H", "0.5 h 30 min", "1hour"), H),
    **dict.fromkeys(("3 d", "3d", "P3D"), 3 * D),
    **dict.fromkeys(("2 w", "2 wk", "2 wks", "P2W"), 14 * D),
    **dict.fromkeys(("20 us", "20 \N{MICRO SIGN}s", "20 \N{GREEK SMALL LETTER MU}s", "20 usec", "20000 ns"), 20),
    **dict.fromkeys(("100 ms", "100 millis", "0.1 s", "PT0.1S"), 100_000),
    **dict.fromkeys(("-1h30m", "-1 h -30 min"), None),
    **dict.fromkeys(("1 mon", "2 q", "1 y", "1 yr", "P1M", "P1Y2M", "1 ns", "0.0000001 s"), None),
}


@pytest.mark.parametrize(("text", "micros"), MEANT.items())
def test_what_is_meant_is_said_as_spark_takes_it(text: str, micros: int | None) -> None:
    with pytest.raises(WindowSyntaxError, match="is meant") as caught:
        read(f"'{text}'")
    assert caught.value.hint is not None
    if micros is not None:
        literal, _, string = caught.value.hint.removeprefix("write ").partition(" or ")
        assert (read(literal), read(string)) == (micros, micros)


@pytest.mark.parametrize("number", ["2147483648", MANY])
def test_numbers_beyond_int_are_no_positions(number: str) -> None:
    """They are constants, as in Spark."""
    text = f"SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k, {number}"
    assert [key.sql for key in parse_statement(text).queries[0].keys] == ["k", number]
