"""`winsql check` and `winsql fmt`: what they find, what they write, their exit codes. No Spark."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from winsql.shell.cli import main
from winsql.shell.commands import COMMANDS
from winsql.shell.fmt import format_script

CLEAN = "SELECT nope FROM nowhere;\nSELECT k, count(*) FROM t\nWINDOW ASSIGN TUMBLING(ts, '1 hour')\nGROUP BY k;\n"
WRONG = """\
SELECT = = 1;
-- two in one SELECT, and `is_big` may be an aggregate
SELECT k, is_big(v) FROM t WINDOW ASSIGN TUMBLINK(ts, '1 hour')
  EVICT CONT(1) GROUP BY k;
SELECT k, v FROM (SELECT * FROM t WINDOW ASSIGN GLOBAL(ts)) WINDOW ASSIGN TUMBLING(ts, ${size}) GROUP BY k;
STOP STREAM a b;
"""


def run(argv: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(argv)
    return (code, *capsys.readouterr())


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    path = tmp_path / "wrong.sql"
    path.write_text(WRONG, encoding="utf-8")
    return str(path)


def test_all_mistakes_of_all_statements_are_found(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(["check", wrong, "--define", "size=5"], capsys)
    assert (code, err) == (1, "")
    assert [line.removeprefix(wrong) for line in out.splitlines() if line.startswith(wrong)] == [
        ":3:42: TUMBLINK is not a window assigner",
        ":4:9: CONT is not an evictor",
        ":5:49: GLOBAL needs a TRIGGER",
        ":5:88: TUMBLING: size: a number has no unit of time",
        ":6:15: nothing may follow here",
    ]
    assert (
        "    SELECT k, is_big(v) FROM t WINDOW ASSIGN TUMBLINK(ts, '1 hour')\n"
        "                                             ^^^^^^^^\n"
        "  rule: this must be the name of a window assigner, built in or registered\n"
        "  hint: did you mean TUMBLING?\n"
    ) in out


def test_json_has_places_and_rules(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(["check", "--json", wrong, "-d", "size=5"], capsys)
    first, *others = json.loads(out)
    assert (code, len(others)) == (1, 4)
    assert first == {
        "file": wrong,
        "line": 3,
        "column": 42,
        "end_line": 3,
        "end_column": 50,
        "kind": "WindowSpecError",
        "problem": "TUMBLINK is not a window assigner",
        "rule": "this must be the name of a window assigner, built in or registered",
        "hint": "did you mean TUMBLING?",
    }


def test_what_only_a_session_knows_is_no_mistake(capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    # w is neither a key nor inside an aggregate, unless my_udaf is none: then the SELECT asks for rows
    text = f"{CLEAN}SELECT my_udaf(v) FROM t WINDOW ASSIGN COUNT(3) GROUP BY k"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert run(["check", "-"], capsys) == (0, "", "")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert run(["check", "--json", "-"], capsys) == (0, "[]\n", "")


def test_a_module_brings_its_policies(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    (tmp_path / "own_policies_of_lint.py").write_text(
        "import winsql\nwinsql.register_apply_function('of_lint', len, 'n INT')\n", encoding="utf-8"
    )
    (tmp_path / "q.sql").write_text("SELECT * FROM t WINDOW ASSIGN COUNT(3) APPLY of_lint", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["check", "q.sql"], capsys)[0] == 1
    assert run(["check", "--import", "own_policies_of_lint", "q.sql"], capsys) == (0, "", "")
    assert run(["check", "--import", "no_such_module_of_lint", "q.sql"], capsys)[0] == 2


@pytest.mark.parametrize("command", ["check", "fmt"])
def test_a_file_that_is_not_there_is_a_mistake_of_the_command_line(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    message = f"winsql {command}: cannot read no-such.sql: No such file or directory\n"
    assert run([command, "no-such.sql"], capsys) == (2, "", message)
    with pytest.raises(SystemExit) as caught:
        main([command])
    assert caught.value.code == 2


def test_an_open_quote_is_found_where_it_opens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.sql"
    path.write_text("SELECT 1;\nSELECT 'x", encoding="utf-8")
    code, out, _ = run(["check", str(path)], capsys)
    assert (code, out.splitlines()[0]) == (1, f"{path}:2:8: this string is not closed before the end of the script")
    code, _, err = run(["fmt", str(path)], capsys)
    assert code == 1
    assert f"{path} stays as it is: this string is not closed" in err


def test_no_spark_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "clean.sql").write_text(CLEAN, encoding="utf-8")
    code = (
        "import sys; from winsql.shell.cli import main; code = main(sys.argv[1:]);"
        "sys.exit(code or any(name in sys.modules for name in ('pyspark', 'py4j', 'pandas')))"
    )
    command = [sys.executable, "-c", code, "check", str(tmp_path / "clean.sql")]
    assert subprocess.run(command, check=False, timeout=60).returncode == 0


LONG = "SELECT k, 'ü'  FROM t window assign count(3) GROUP BY k;\n"
LAID_OUT = "SELECT k, 'ü'  FROM t\nWINDOW ASSIGN COUNT(3)\nGROUP BY k;\n"


def test_files_are_laid_out_in_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, clean = tmp_path / "long.sql", tmp_path / "clean.sql"
    path.write_bytes(b"\xef\xbb\xbf" + LONG.encode())
    path.chmod(0o640)
    clean.write_text(CLEAN, encoding="utf-8")
    assert run(["fmt", "--check", str(clean), str(path)], capsys) == (1, "", f"would lay out {path}\n")
    code, out, err = run(["fmt", "--diff", str(path)], capsys)
    assert (code, err) == (1, "")
    assert [line for line in out.splitlines()[2:] if line[0] in "+-"] == [
        f"-{LONG.rstrip()}",
        *(f"+{line}" for line in LAID_OUT.splitlines()),
    ]
    assert path.read_bytes() == b"\xef\xbb\xbf" + LONG.encode()
    assert run(["fmt", str(clean), str(path)], capsys) == (0, "", f"laid out {path}\n")
    assert path.read_bytes() == b"\xef\xbb\xbf" + LAID_OUT.encode()
    assert path.stat().st_mode & 0o777 == 0o640
    assert run(["fmt", "--check", str(path)], capsys) == (0, "", "")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["clean.sql", "long.sql"]


def test_many_templates_take_no_more_time_than_their_number() -> None:
    """Half a minute where each statement looks at all of them."""
    before = "".join(f"{LONG.rstrip()} -- {{{{ x{n} }}}}\n;\n" for n in range(10_000))
    began = time.process_time()
    after = format_script(before)
    assert time.process_time() - began < 12
    assert after.count(LAID_OUT.splitlines()[0]) == 10_000


def test_a_file_that_must_not_be_written_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "long.sql"
    path.write_text(LONG, encoding="utf-8")
    monkeypatch.setattr(os, "access", lambda name, mode: mode != os.W_OK)  # as mode 444 for all but root
    assert run(["fmt", str(path)], capsys) == (2, "", f"winsql fmt: cannot write {path}: Permission denied\n")
    assert path.read_text(encoding="utf-8") == LONG


def test_standard_input_goes_to_standard_output(monkeypatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LONG.encode())))
    assert main(["fmt", "-"]) == 0
    sys.stdout.flush()
    assert capfdbinary.readouterr().out.decode() == LAID_OUT


WORDS = """\
SELECT k FROM t window asign tumbling(ts, '1 hour');
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGER COUNT(1) GROUP BY k;
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k ALLOW LATENESS '1 hour';
SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') LATE INTOO x GROUP BY k;
CREATE STREAM TABLE x AS SELECT 1;
"""


def test_misspelled_openers_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "words.sql").write_text(WORDS, encoding="utf-8")
    code, out, _ = run(["check", "--json", str(tmp_path)], capsys)
    found = [(mistake["line"], mistake["column"], mistake["hint"]) for mistake in json.loads(out)]
    assert (code, found) == (
        1,
        [
            (1, 17, "did you mean WINDOW ASSIGN?"),
            (2, 64, "did you mean TRIGGER?"),
            (3, 75, "did you mean ALLOWED LATENESS?"),
            (4, 64, "did you mean LATE INTO?"),
            (5, 8, "did you mean STREAMING TABLE?"),
        ],
    )


def test_folders_and_patterns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.sql", "deep/b.sql", "deep/c.txt", ".hidden/d.sql", "target/e.sql", "models/target/f.sql"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("STOP STREAM a b;\n", encoding="utf-8")
    (tmp_path / "dbt_project.yml").touch()

    def files(*names: str) -> list[str]:
        _, out, _ = run(["check", "--json", *names], capsys)
        return [str(Path(mistake["file"]).relative_to(tmp_path)) for mistake in json.loads(out)]

    assert files(str(tmp_path)) == ["a.sql", "deep/b.sql", "models/target/f.sql"]
    assert files(f"{tmp_path}/*.sql", f"{tmp_path}/**/b.sql", f"{tmp_path}/a.sql") == ["a.sql", "deep/b.sql"]
    assert run(["check", f"{tmp_path}/*.nope"], capsys) == (
        2,
        "",
        f"winsql check: there is no file {tmp_path}/*.nope\n",
    )
    (tmp_path / "empty").mkdir()
    assert run(["fmt", str(tmp_path / "empty")], capsys)[0] == 2


def test_notebooks_are_read_cell_by_cell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = "SELECT k FROM t WINDOW ASIGN COUNT(3)"
    cells = [
        f"%%winsql --rows 3\n\n{wrong}",
        f'import os\nframe = spark.sql("""{wrong}""")\nwinsql.sql(spark, \'{wrong}\')',
        f"print('{wrong}')",
        f"frame = %winsql {wrong}",
        f"%winsql --rows 3 {wrong}\nx = \"it's\"\nprint('{wrong}')",
        f"%matplotlib inline\nif x:\n    !ls\nspark.sql('{wrong}')",
        f"%%time\né = spark.sql(r'{wrong}').show?",
        f"%time spark.sql('{wrong}')",
        f"%sql\n{wrong}",
        f"%%bash\necho {wrong}",
    ]
    notebook = {"cells": [{"cell_type": "code", "metadata": {}, "source": [cell]} for cell in cells], "metadata": {}}
    path = tmp_path / "notebook.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    code, out, _ = run(["check", str(path)], capsys)
    places = [line.rpartition(": ")[0] for line in out.splitlines() if line.startswith(str(path))]
    assert code == 1
    found = ("1:3:17", "2:2:38", "2:3:36", "4:1:33", "5:1:34", "6:4:28", "7:2:33", "8:1:34", "9:2:17")
    assert places == [f"{path}: cell {place}" for place in found]


@pytest.mark.parametrize("text", ["{}", "[]", '{"cells": [{"cell_type": "code"}]}', "{", "[" * 100_000])
def test_what_is_no_notebook(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notebook.ipynb"
    path.write_text(text, encoding="utf-8")
    code, _, err = run(["check", str(path)], capsys)
    assert code == 2
    assert "not a Jupyter notebook" in err
    assert "object" not in err


@pytest.mark.parametrize("odd", [f"x = 1{' + 1' * 30_000}", f"x = {'(' * 1000}1{')' * 1000}"])
def test_cells_that_are_too_much_for_python_hide_no_others(
    odd: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = "spark.sql('SELECT k FROM t WINDOW ASIGN COUNT(3)')"
    metadata = {"vscode": {"languageId": 7}}
    cells = [{"cell_type": "code", "metadata": metadata, "source": [source]} for source in (odd, wrong)]
    path = tmp_path / "notebook.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    code, out, _ = run(["check", str(path)], capsys)
    assert (code, out.startswith(f"{path}: cell 2:1:")) == (1, True)


def test_sarif_has_places_and_kinds(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(["check", "--sarif", wrong, "-d", "size=5"], capsys)
    log = json.loads(out)
    (log_run,) = log["runs"]
    assert (code, log["version"], len(log_run["results"])) == (1, "2.1.0", 5)
    first = log_run["results"][0]
    assert first["ruleId"] == "WindowSpecError"
    assert first["message"]["text"].startswith("TUMBLINK is not a window assigner\nrule: ")
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == wrong
    assert place["region"] == {"startLine": 3, "startColumn": 42, "endLine": 3, "endColumn": 50}
    assert {rule["id"] for rule in log_run["tool"]["driver"]["rules"]} == {
        result["ruleId"] for result in log_run["results"]
    }


def test_a_file_with_mistakes_is_not_laid_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrong.sql"
    text = LONG + "SELECT k FROM t WINDOW ASSIGN TUMBLING(ts, 5) TRIGGER COUNT(2) GROUP BY k;\n"
    path.write_text(text, encoding="utf-8")
    code, _, err = run(["fmt", str(path)], capsys)
    assert (code, path.read_text(encoding="utf-8")) == (1, text)
    assert f"{path} stays as it is: TUMBLING: size: a number has no unit of time" in err
    path.write_text(text.replace("5)", "${size})"), encoding="utf-8")
    assert run(["fmt", str(path)], capsys) == (0, "", f"laid out {path}\n")


VARIABLES = {
    "SET size = 10 minutes;\nSELECT k FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL ${size}) GROUP BY k;\n": None,
    "SET size = 10;\nSELECT k FROM t WINDOW ASSIGN TUMBLING(ts, ${size}) GROUP BY k;\n": "a number has no unit of time",
    "SET size = 10;\nRESET size;\nSELECT k FROM t WINDOW ASSIGN TUMBLING(ts, ${size}) GROUP BY k;\n": None,
    "SET size = 10;\nRESET;\nSELECT k FROM t WINDOW ASSIGN TUMBLING(ts, ${size}) GROUP BY k;\n": None,
    "SET size = 10;\nRESET k;\nSELECT k FROM t WINDOW ASSIGN TUMBLING(ts, ${size}) GROUP BY k;\n": "has no unit",
    "SELECT k FROM t WINDOW ASSIGN TUMBLING(ts, ${size}) ${more} GROUP BY k;\n": None,
    "SELECT k FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 5 MINUTES) GROUP BY ${g};\n": None,
    "SELECT k FROM t WINDOW ASSIGN TUMBLING(ts, '${size}') TRIGGER COUNT(${n}) GROUP BY k;\n": None,
    "SELECT k FROM t WINDOW ASSIGN TUMBLING(ts, '${size}') GROUP BY k;\n": None,
    "SELECT k FROM t WINDOW ASSIGN TUMBLINK(ts, '${size}') GROUP BY k;\n": "TUMBLINK is not a window assigner",
    "SELECT k FROM t -- ${size}\nWINDOW ASSIGN TUMBLING(ts, 5) GROUP BY k;\n": "a number has no unit of time",
}


@pytest.mark.parametrize("text", VARIABLES)
def test_variables_are_those_of_the_script_or_not_known(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, problem = tmp_path / "script.sql", VARIABLES[text]
    path.write_text(text, encoding="utf-8")
    code, out, _ = run(["check", str(path)], capsys)
    assert (code, (problem or "") in out) == (0 if problem is None else 1, True)
    code, _, err = run(["fmt", str(path)], capsys)
    assert (code, (problem or "") in err) == (0 if problem is None else 1, True)


def test_hooks_run_commands_that_exist() -> None:
    hooks = (Path(__file__).resolve().parents[2] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    entries = [line.split()[2] for line in hooks.splitlines() if line.startswith("  entry: winsql ")]
    assert entries == ["check", "fmt"]
    assert set(entries) <= set(COMMANDS)


def test_a_script_sets_how_its_later_statements_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = "TUMBLE(TABLE \"My Rows\", DESCRIPTOR(ts), INTERVAL '1' HOUR)"
    query = f'SELECT "a key", sum(v) FROM TABLE({table}) GROUP BY "a key", window_start, window_end;\n'
    path = tmp_path / "quoted.sql"
    path.write_text(f"SET spark.sql.ansi.doubleQuotedIdentifiers=true;\n-- names\n{query}", encoding="utf-8")
    assert run(["check", str(path)], capsys) == (0, "", "")
    assert run(["fmt", "--check", str(path)], capsys) == (0, "", "")
    for without in ("SET spark.sql.ansi.enabled = false", "RESET spark.sql.ansi.doubleQuotedIdentifiers", "RESET"):
        text = path.read_text(encoding="utf-8").replace("-- names\n", f"{without};\n")
        (tmp_path / "strings.sql").write_text(text, encoding="utf-8")
        assert run(["check", str(tmp_path / "strings.sql")], capsys)[0] == 1, without


SINK = "SELECT 'keep'; CREATE STREAM s INTO jdbc OPTIONS (url 'x', password 'hunter2') AS SELECT k FROM t "


@pytest.mark.parametrize(
    "rest", ["WINDOW ASIGN COUNT(3) GROUP BY k", "WINDOW ASSIGN CUNT(3) GROUP BY {{ x }}", "WHERE k = 'x"]
)
def test_passwords_are_not_shown(rest: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sink.sql"
    path.write_text(SINK + rest, encoding="utf-8")
    code, out, _ = run(["check", str(path)], capsys)
    assert code == 1
    assert "'keep'" in out
    assert "password '*******'" in out
    code, _, err = run(["fmt", str(path)], capsys)
    assert code == 1
    assert "password '*******'" in err


def test_a_file_that_cannot_be_read_does_not_hide_the_others(
    wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    latin, long = tmp_path / "latin.sql", tmp_path / "long.sql"
    latin.write_bytes("SELECT 'ü'".encode("latin-1"))
    long.write_text(LONG, encoding="utf-8")
    told = f"cannot read {latin}: not UTF-8 text at byte 8\n"
    code, out, err = run(["check", wrong, str(latin), wrong], capsys)
    assert (code, err) == (2, f"winsql check: {told}")
    assert "TUMBLINK is not a window assigner" in out
    assert run(["fmt", str(latin), str(long)], capsys) == (2, "", f"winsql fmt: {told}laid out {long}\n")


@pytest.mark.parametrize("command", ["check", "fmt"])
def test_an_empty_name_is_not_the_current_folder(
    command: str, wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([command, ""], capsys) == (2, "", f"winsql {command}: the name of a file is empty\n")


@pytest.mark.parametrize(("to", "told"), [("/dev/full", "winsql: No space left on device\n"), ("|", "")])
def test_output_that_cannot_be_written(wrong: str, to: str, told: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    check = [sys.executable, "-m", "winsql.shell.cli", "check", wrong]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with open(writer, "w") as pipe, open("/dev/full", "w") as full:
        out = pipe if to == "|" else full
        done = subprocess.run(
            check, stdout=out, stderr=subprocess.PIPE, env=buffered, text=True, check=False, timeout=60
        )
    assert (done.returncode, done.stderr) == (1, told)


def test_what_is_odd_is_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "raises_of_lint.py").write_text("raise KeyError('x')", encoding="utf-8")
    told = "winsql check: cannot import raises_of_lint: it raised KeyError: 'x'\n"
    assert run(["check", "--import", "raises_of_lint", "q.sql"], capsys) == (2, "", told)
    long = "q" * 300
    assert run(["check", long], capsys) == (2, "", f"winsql check: cannot read {long}: File name too long\n")
    source = "x = 1\rspark.sql('SELECT k FROM t WINDOW ASIGN COUNT(3)')"
    cells = [{"cell_type": "code", "metadata": {}, "source": [source]}]
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}}), encoding="utf-8")
    code, out, _ = run(["check", "n.ipynb"], capsys)
    assert (code, "WINDOW ASIGN is not expected here" in out) == (1, True)


def test_sarif_names_files_by_uris(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a b#ü.sql").write_text(WRONG, encoding="utf-8")
    _, out, _ = run(["check", "--sarif", str(tmp_path)], capsys)
    place = json.loads(out)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("/a%20b%23%C3%BC.sql")
