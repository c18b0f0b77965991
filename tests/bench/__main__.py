"""winsql beside Flink and Spark on this machine: `make bench`, `make bench-quick`, or `python tests/bench --help`.

For each workload: Flink, winsql and Spark's own SQL on a table, Flink, both on a stream in steady state, Flink. The
ratio is the middle of winsql's runs, on a stream of its micro-batches, against the best of Flink's. A table goes to
standard output; the table, every run and the picture go to the output folder. Exits with 1 when rows differ from those
of Flink or from those that the input must give, or when something could not be measured; missed targets do not fail.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from bench import answers, growth  # noqa: E402
from bench.chart import chart  # noqa: E402
from bench.check import check  # noqa: E402
from bench.child import Child, ChildFailed  # noqa: E402
from bench.expected import expected  # noqa: E402
from bench.peer import FLINK_VERSION, FlinkPeer, FlinkRuns, PeerMissing  # noqa: E402
from bench.report import EQUAL, Row, as_json, compare, problems, table  # noqa: E402
from bench.workloads import FLOOR, KEYS, WORKLOADS, Engine, Events, Mode, Workload  # noqa: E402

import winsql  # noqa: E402


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured.

    batch_runs      runs of winsql on a table, after a smaller one
    steady          a stream runs until its micro-batches take the same time, before any is counted
    batches         micro-batches of the run on a stream, of which the first two are not counted
    table_rows, batch_rows    rows of winsql's table and of its micro-batches; None: as many as the others have
    flink_between   a run of Flink between table and stream, too
    fresh           a new Spark for each workload, and a new JVM of Flink for each of its runs; otherwise one of each
    spark_rows      rows of a micro-batch of Spark's own SQL, at most; 0: it does not run on streams
    exact_batches   micro-batches of the exact run on streams
    """

    quick: bool
    batch_runs: int
    steady: bool
    batches: int
    table_rows: int | None
    batch_rows: int | None
    flink_between: bool
    fresh: bool
    spark_rows: int
    exact_batches: int

    def rows(self, workload: Workload, mode: Mode, engine: Engine) -> int:
        """Of a table or a micro-batch. Slow engines get fewer, so that their runs end in a time that one waits."""
        full = workload.steady if engine is Engine.FLINK else workload.full
        others = round(1e6 * (workload.quick if self.quick else full))
        others = others if mode is Mode.BATCH or engine is Engine.FLINK else min(others // 2, self.spark_rows)
        own = self.table_rows if mode is Mode.BATCH else self.batch_rows
        return others if own is None or engine is not Engine.WINSQL else own


QUICK = Plan(
    quick=True, batch_runs=1, steady=False, batches=3, table_rows=500_000, batch_rows=200_000, flink_between=False,
    fresh=False, spark_rows=0, exact_batches=2,
)  # fmt: skip
FULL = Plan(
    quick=False, batch_runs=3, steady=True, batches=12, table_rows=4_000_000, batch_rows=2_000_000,
    flink_between=True, fresh=True, spark_rows=300_000, exact_batches=5,
)  # fmt: skip


@dataclass
class Bench:
    """A run under way: `rows` of the table so far, and every answer as it came."""

    plan: Plan
    keys: int
    child: Child
    peer: FlinkPeer | None
    runs: FlinkRuns | None = None
    rows: list[Row] = field(default_factory=list)
    raw: list[dict[str, Any]] = field(default_factory=list)

    def floor(self) -> None:
        """The same rows, shuffled and dropped."""
        rows = {Mode.BATCH: self.plan.table_rows or 1_000_000, Mode.STREAM: self.plan.batch_rows or 300_000}
        for mode in Mode:
            row = Row(FLOOR, mode, load=os.getloadavg()[0])
            self._spark(row, Engine.WINSQL, rows[mode])
            self._done(row)

    def workload(self, workload: Workload) -> None:
        """Both modes, with Flink before, after, and in a full run between them."""
        batch, stream = (Row(workload.name, mode, load=os.getloadavg()[0]) for mode in Mode)
        shared = [batch, stream]
        self._flink(shared)
        self._engines(batch, workload)
        if self.plan.flink_between:
            self._flink(shared)
        self._engines(stream, workload)
        if self.plan.fresh:
            self.child.stop()
        self._flink(shared)
        for row in shared:
            self._done(row)

    def check(self, workloads: list[Workload]) -> None:
        """The exact run, into the rows of the table."""
        assert self.peer is not None
        try:
            verdicts = check(workloads, self.child, self.peer, self.plan.exact_batches)
        except PeerMissing as missing:
            verdicts = {(workload.name, mode): str(missing) for workload in workloads for mode in Mode}
        for row in self.rows:
            row.exact = verdicts.get((row.workload, row.mode), "")

    def _flink(self, shared: list[Row]) -> None:
        if self.peer is None:
            return
        workload = WORKLOADS[shared[0].workload]
        rows = self.plan.rows(workload, Mode.BATCH, Engine.FLINK)
        try:
            self.runs = self.runs or self.peer.speed()
            run = self.runs.run(workload.name, rows, self.keys)
        except PeerMissing as missing:
            self.stop_flink()
            for row in shared:
                row.checksums[Engine.FLINK] = str(missing)
            return
        self.raw.append({**run, "load": os.getloadavg()[0]})
        for row in shared:
            row.speeds.setdefault(Engine.FLINK, []).append(run["rows_per_s"])
            if row.checksums.get(Engine.FLINK, EQUAL) == EQUAL:  # what differed once is shown
                row.checksums[Engine.FLINK] = compare(run, expected(workload, Events(rows, self.keys)))
        if self.plan.fresh:
            self.stop_flink()

    def stop_flink(self) -> None:
        """End Flink's JVM, if there is one."""
        if self.runs is not None:
            self.runs.stop()
            self.runs = None

    def _engines(self, row: Row, workload: Workload) -> None:
        for engine in (Engine.WINSQL, Engine.SPARK):
            rows = self.plan.rows(workload, row.mode, engine)
            if rows and (engine is Engine.WINSQL or workload.has_plain(row.mode)):
                self._spark(row, engine, rows)

    def _spark(self, row: Row, engine: Engine, rows: int) -> None:
        """Measure with winsql or Spark's own SQL; what fails is in the row."""
        runs = self.plan.batch_runs if row.mode is Mode.BATCH else 1
        task = {"engine": engine, "mode": row.mode, "workload": row.workload, "rows": rows, "keys": self.keys}
        try:
            run = self.child.run(**task, runs=runs, batches=self.plan.batches, steady=self.plan.steady)
        except ChildFailed as failure:
            if engine is Engine.WINSQL:
                row.failure = str(failure)
            return
        self.raw.append(run)
        row.speeds[engine] = run["rows_per_s"]
        if engine is Engine.WINSQL:
            row.peak_mb = run["peak_mb"]
            row.warm_s, row.is_steady = run.get("warm_s"), run.get("is_steady", False)
            row.cpu_us = run.get("cpu_us_per_row")
        if row.workload != FLOOR:
            row.checksums[engine] = compare(run, expected(WORKLOADS[row.workload], Events(run["rows"], self.keys)))

    def _done(self, row: Row) -> None:
        row.floor = next((r.speed(Engine.WINSQL) for r in self.rows if (r.workload, r.mode) == (FLOOR, row.mode)), None)
        self.rows.append(row)
        print(table([row]).splitlines()[-1], file=sys.stderr, flush=True)


def main() -> int:
    """Measure what the command line asks for; returns the exit code."""
    options = _parser().parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    log = options.out / "spark.log"
    log.unlink(missing_ok=True)
    if options.growth is not None or options.latency or options.answers:
        return _curves(options, log)
    if options.nexmark:
        return _nexmark(options)
    try:
        peer = None if options.no_flink else FlinkPeer.prepare()
    except PeerMissing as missing:
        print(f"winsql bench: {missing}", file=sys.stderr)
        return 1
    started = time.time()
    facts = {"started": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(started)), **_facts(options.keys)}
    workloads = options.workloads or list(WORKLOADS.values())
    with Child(log) as child:
        bench = Bench(QUICK if options.quick else FULL, options.keys, child, peer)
        bench.floor()
        for workload in workloads:
            bench.workload(workload)
            _save(bench, facts, options.out)
        bench.stop_flink()
        if peer is not None:
            # the timed runs already compare all checksums of the others
            bench.check([w for w in workloads if not options.quick or len(w.compared) < 3])
    facts["minutes"] = round((time.time() - started) / 60, 1)
    print(f"{_save(bench, facts, options.out)}\n\nEvery run and the picture: {options.out}")
    wrong = problems(bench.rows)
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


def _save(bench: Bench, facts: dict[str, Any], out: Path) -> str:
    """Write what there is so far; returns the text of it."""
    title = f"winsql {facts['winsql']}, Flink {FLINK_VERSION}, {facts['cores']} cores, {facts['started']} UTC"
    title += f", load {facts['load']:.1f} at the start"
    if "minutes" in facts:
        title += f", {facts['minutes']} minutes"
    text = f"{title}\n\n{table(bench.rows)}"
    whole = {**facts, "table": [as_json(row) for row in bench.rows], "runs": bench.raw}
    (out / "bench.json").write_text(json.dumps(whole, indent=1), encoding="utf-8")
    (out / "bench.md").write_text(f"{text}\n", encoding="utf-8")
    (out / "bench.svg").write_text(chart(bench.rows, title), encoding="utf-8")
    return text


def _nexmark(options: argparse.Namespace) -> int:
    from bench import nexmark

    events = nexmark.EVENTS // 10 if options.quick else nexmark.EVENTS
    try:
        peer = None if options.no_flink else FlinkPeer.prepare()
        found = nexmark.measure(list(nexmark.QUERIES), peer, events)
    except PeerMissing as missing:
        print(f"winsql bench: {missing}", file=sys.stderr)
        return 1
    runs = [asdict(run) for run in found]
    whole = {**_facts(options.keys), "events": events, "runs": runs}
    (options.out / "nexmark.json").write_text(json.dumps(whole, indent=1), encoding="utf-8")
    print(nexmark.table(found, events))
    wrong = nexmark.problems(found)
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


def _curves(options: argparse.Namespace, log: Path) -> int:
    try:
        found = growth.growth(log, options.quick, options.growth) if options.growth is not None else []
        found += growth.latency(log) if options.latency else []
        found += answers.answers(log) if options.answers else []
    except ChildFailed as failure:
        print(f"winsql bench: {failure}", file=sys.stderr)
        return 1
    (options.out / "growth.json").write_text(json.dumps({**_facts(options.keys), "points": found}, indent=1))
    print(growth.table(found))
    return 0


def _facts(keys: int) -> dict[str, Any]:
    packages = {name: version(name) for name in ("pyspark", "pyarrow", "numpy", "pandas")}
    return {
        "winsql": winsql.__version__,
        **packages,
        "python": platform.python_version(),
        "flink": FLINK_VERSION,
        "cores": 2,
        "cpus": os.cpu_count(),
        "machine": platform.platform(),
        "keys": keys,
        "load": os.getloadavg()[0],
    }


def _workload(name: str) -> Workload:
    if name not in WORKLOADS:
        raise argparse.ArgumentTypeError(f"{name} is none of {', '.join(WORKLOADS)}")
    return WORKLOADS[name]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python tests/bench", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument(
        "workloads", nargs="*", metavar="WORKLOAD", type=_workload, help=f"of {', '.join(WORKLOADS)}; all by default"
    )
    parser.add_argument(
        "--quick", action="store_true", help="smaller sizes, fewer runs, Spark's own SQL on tables only"
    )
    parser.add_argument("--no-flink", action="store_true", help="without the peer, its ratios and the exact run")
    parser.add_argument("--keys", type=int, default=KEYS)
    parser.add_argument(
        "--growth",
        nargs="*",
        choices=growth.CURVES,
        metavar="CURVE",
        help=f"instead: how speed grows, of {', '.join(growth.CURVES)}; all by default",
    )
    parser.add_argument("--nexmark", action="store_true", help="instead: six of its queries beside Flink SQL")
    parser.add_argument("--latency", action="store_true", help="instead: seconds until rows are in the sink, and state")
    parser.add_argument(
        "--answers", action="store_true", help="instead: first answers and small micro-batches beside Spark alone"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bench", metavar="FOLDER")
    return parser


if __name__ == "__main__":
    sys.exit(main())
