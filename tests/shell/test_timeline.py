"""The command `winsql timeline`: what its options do, in the session of the tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from winsql.picture.timeline import Timeline
from winsql.shell.script import read_script
from winsql.shell.timeline import _draw, _parser, main
from winsql.spark.extension.function_pack import drop_functions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TEXT = """
SELECT k, count(*) AS n
FROM VALUES ('north', TIMESTAMP'2024-01-01 00:00:01'), ('south', TIMESTAMP'2024-01-01 00:00:02') AS t(k, ts)
WHERE k = '${k}' WINDOW ASSIGN TUMBLING(ts, INTERVAL ${size} MINUTES) GROUP BY k
"""


@pytest.mark.spark
def test_a_drawing_knows_the_values_of_variables(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place, script = tmp_path / "picture.svg", read_script("-e", TEXT)
    options = _parser().parse_args(["-e", TEXT, "-d", "k=north", "-d", "size=10", "-o", str(place)])
    assert _draw(spark, script, options) == 0
    assert "north" in place.read_text()
    assert "south" not in place.read_text()
    options = _parser().parse_args(["-e", TEXT, "-d", "k=north", "-o", str(place)])
    assert _draw(spark, script, options) == 1
    assert "size" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "problem"),
    [
        ("--delay=nan", "--delay: expected a number of seconds"),
        ("--delay=-1", "--delay: expected a number of seconds"),
        ("--delay=1e300", "--delay: expected a number of seconds"),
        ("--rows=0", "--rows: expected a number, 1 or more"),
        ("--keys=-1", "--keys: expected a number, 1 or more"),
        ("--output=picture.png", "expected FILE.html or FILE.svg, got 'picture.png'"),
    ],
)
def test_options_that_make_no_sense(option: str, problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["-e", "SELECT 1", "-o", "picture.svg", option])
    assert caught.value.code == 2
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize(("name", "text"), [("x.SVG", "<svg>"), ("x.svg", "<svg>"), ("x.html", "page"), ("x", "page")])
def test_a_picture_is_what_its_name_says(name: str, text: str, tmp_path: Path) -> None:
    Timeline("<svg>", "page").save(tmp_path / name)
    assert (tmp_path / name).read_text(encoding="utf-8") == text


@pytest.mark.spark
def test_a_drawn_statement_may_name_functions_of_the_pack(spark: SparkSession, tmp_path: Path) -> None:
    text = """SELECT k, count(*) AS n FROM (
      SELECT k, tumble_start(ts, INTERVAL 5 SECONDS) AS ts
      FROM VALUES ('north', TIMESTAMP'2024-01-01 00:00:01') AS t(k, ts)
    ) WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 MINUTE) GROUP BY k"""
    place = tmp_path / "picture.svg"
    drop_functions(spark, ["tumble_start"])
    assert _draw(spark, read_script("-e", text), _parser().parse_args(["-e", text, "-o", str(place)])) == 0
    drop_functions(spark, ["tumble_start"])
    assert "north" in place.read_text()
