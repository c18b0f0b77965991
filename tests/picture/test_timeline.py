"""winsql.timeline: pictures of queries over tables, and what a real browser makes of them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import winsql

ROWS = """VALUES
  ('ann', TIMESTAMP'2026-01-01 10:00:05', 3), ('bob', TIMESTAMP'2026-01-01 10:00:20', 1),
  ('ann', TIMESTAMP'2026-01-01 10:00:50', 4), ('ann', TIMESTAMP'2026-01-01 10:01:10', 5),
  ('ann', TIMESTAMP'2026-01-01 10:00:40', 7), ('bob', TIMESTAMP'2026-01-01 10:02:30', 2),
  ('ann', TIMESTAMP'2026-01-01 10:00:30', 9), ('bob', TIMESTAMP'2026-01-01 10:03:10', 2),
  ('ann', TIMESTAMP'2026-01-01 10:03:15', NULL) AS c(k, ts, v)"""
LATE = f"""SELECT k, window_start, sum(v) AS total, count(*)
FROM {ROWS} WINDOW ASSIGN TUMBLING(ts, '1 minute') ALLOWED LATENESS '20 seconds' GROUP BY k"""
ROOT = Path(__file__).resolve().parents[2]


def classes(picture: winsql.Timeline) -> list[str]:
    return [element.get("class", "") for element in ET.fromstring(picture.svg).iter()]


def cells(picture: winsql.Timeline) -> list[list[str]]:
    """The table of firings."""
    body = re.search(r"<tbody>(.*)</tbody>", picture.html)
    assert body is not None
    return [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", body[1])]


def test_late_rows_and_firings(spark):
    picture = winsql.timeline(spark, LATE, delay=timedelta(seconds=10))
    assert cells(picture)[:3] == [
        ["row #4", "ann", "10:00:00 – 10:01:00", "0", "ON_TIME", "#1 #3", "", "sum(v) = 7, count(*) = 2"],
        ["row #4", "bob", "10:00:00 – 10:01:00", "0", "ON_TIME", "#2", "", "sum(v) = 1, count(*) = 1"],
        ["row #5", "ann", "10:00:00 – 10:01:00", "1", "LATE", "#1 #3 #5", "", "sum(v) = 14, count(*) = 3"],
    ]
    assert cells(picture)[-1][-1] == "sum(v) = NULL, count(*) = 1"
    assert "Late rows: #7." in picture.html
    kinds = classes(picture)
    assert [kinds.count(kind) for kind in ("row", "late", "window", "ON_TIME", "LATE")] == [8, 1, 6, 6, 1]


def test_evictions_of_a_window_without_end(spark):
    text = f"SELECT k, max(v) FROM {ROWS} WINDOW ASSIGN GLOBAL(ts) TRIGGER COUNT(1) EVICT COUNT(2) GROUP BY k"
    picture = winsql.timeline(spark, text, keys=1)
    assert [row[5:7] for row in cells(picture) if row[1] == "ann"][2] == ["#3 #4", "#1"]
    assert classes(picture).count("evicted") == 4
    assert "1 more keys are not drawn" in picture.html


def test_sessions_joins_and_no_time_at_all(spark):
    sessions = f"SELECT k, count(*) FROM {ROWS} WINDOW ASSIGN SESSION(ts, '40 seconds') GROUP BY k"
    counts = f"SELECT k, collect_list(v) FROM {ROWS} WINDOW ASSIGN COUNT(2) GROUP BY k"
    join = f"""WITH c AS (SELECT * FROM {ROWS})
      SELECT a.v, b.v FROM c AS a WINDOW JOIN c AS b ON a.k = b.k WINDOW ASSIGN TUMBLING((a.ts, b.ts), '1 hour')"""
    delay = timedelta(minutes=5)
    assert [row[2] for row in cells(winsql.timeline(spark, sessions, delay=delay)) if row[1] == "bob"] == [
        "10:00:20 – 10:01:00",
        "10:02:30 – 10:03:50",
    ]
    assert len(cells(winsql.timeline(spark, counts))) == 4  # six rows of ann's, three of bob's
    assert [len(row[5].split()) for row in cells(winsql.timeline(spark, join))] == [12, 6]


def test_a_sample_and_its_limits(spark, tmp_path):
    text = "SELECT sum(id) FROM range(1000) WINDOW ASSIGN COUNT(5)"
    picture = winsql.timeline(spark, text, rows=20)
    assert len(cells(picture)) == 4
    assert "The first 20 rows of the table; it has more." in picture.html
    picture.save(tmp_path / "a.svg")
    picture.save(tmp_path / "a.html")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == picture.svg
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == picture._repr_html_()
    assert len(repr(picture)) < 100  # a terminal without pictures shows it


def test_parameters_of_window_clauses(spark):
    text = "SELECT sum(id) FROM range(10) WINDOW ASSIGN COUNT(:size)"
    assert len(cells(winsql.timeline(spark, text, {"size": 5}))) == 2


def test_text_of_the_user_stays_text(spark):
    text = (
        "SELECT k, count(*) FROM VALUES ('<script>alert(1)</script>') AS t(k) WINDOW ASSIGN COUNT(1) GROUP BY k -- <b>"
    )
    picture = winsql.timeline(spark, text)
    assert "<script" not in picture.html
    assert "<b>" not in picture.html
    assert "&lt;script&gt;" in picture.html


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("SELECT 1", "nothing to draw"),
        ("SELECT * FROM TUMBLE(TABLE drawn, DESCRIPTOR(ts), INTERVAL 1 HOUR)", "only add columns"),
        (f"SELECT count(*) FROM {ROWS} WINDOW ASSIGN TUMBLING(PROCTIME(), '1 hour')", "PROCTIME"),
        ("SELECT count(*) FROM STREAM ticks WINDOW ASSIGN COUNT(3)", "reads a stream"),
    ],
)
def test_what_cannot_be_drawn(spark, text, problem):
    spark.sql(f"SELECT * FROM {ROWS}").createOrReplaceTempView("drawn")
    spark.readStream.format("rate").load().createOrReplaceTempView("ticks")
    with pytest.raises(winsql.WindowPlanError, match=problem) as caught:
        winsql.timeline(spark, text)
    assert caught.value.rule
    spark.catalog.dropTempView("ticks")
    spark.catalog.dropTempView("drawn")


def test_the_picture_of_the_docs(spark, update_golden):
    path = ROOT / "docs" / "timeline.svg"
    picture = winsql.timeline(spark, LATE, delay=timedelta(seconds=10))
    if update_golden:
        picture.save(path)
    assert path.read_text(encoding="utf-8") == picture.svg


def browser() -> str | None:
    names = (os.environ.get("WINSQL_BROWSER"), "chromium", "chromium-browser", "google-chrome", "chrome")
    return next((path for name in names if name and (path := shutil.which(name))), None)


PROBE = """<script>
const svg = document.querySelector('svg'), room = svg.getBoundingClientRect();
const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
const inside = b => b.left >= room.left && b.right <= room.right && b.top >= room.top && b.bottom <= room.bottom;
const out = boxes.filter(([, b]) => !inside(b));
const hits = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
const met = boxes.flatMap(([s, a], i) => boxes.slice(i + 1).filter(([, b]) => hits(a, b)).map(([t]) => s + ' / ' + t));
const seen = k => [...svg.querySelectorAll('.' + k)].filter(e => e.getBoundingClientRect().width > 0).length;
const fill = k => getComputedStyle(svg.querySelector('.' + k)).fill;
document.body.dataset.found = JSON.stringify({texts: boxes.length, out: out.map(o => o[0]), met,
  windows: seen('window'), rows: seen('row'), fills: [fill('window'), fill('ON_TIME'), fill('LATE')]});
</script>"""


@pytest.mark.skipif(browser() is None and not os.environ.get("CI"), reason="no Chromium on this machine")
def test_in_a_browser(spark, tmp_path):
    """All texts lie inside the picture and none on another one; bars and marks are there in their colours."""
    assert browser() is not None, "no Chromium on this machine"
    path = tmp_path / "probe.html"
    picture = winsql.timeline(spark, LATE, delay=timedelta(seconds=10))
    path.write_text(picture.html.replace("</body>", PROBE + "</body>"), encoding="utf-8")
    found = json.loads(dumped(path, tmp_path)["found"])
    assert found["out"] == []
    assert found["met"] == []
    assert (found["windows"], found["rows"]) == (6, 8)
    assert found["fills"] == ["rgb(221, 244, 255)", "rgb(26, 127, 55)", "rgb(207, 34, 46)"]
    assert found["texts"] > 20


def dumped(page: Path, profile: Path) -> dict[str, str]:
    """The data attributes of the page's body after its script ran."""
    quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    command = [
        str(browser()),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        *quiet,
        f"--user-data-dir={profile / 'b'}",
    ]
    done = subprocess.run(
        [*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=240, check=True
    )
    body = re.search(r'<body data-found="([^"]*)"', done.stdout)
    assert body is not None, done.stdout[-500:]
    return {"found": body[1].replace("&quot;", '"').replace("&amp;", "&")}
