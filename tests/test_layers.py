"""The house of layers: an import only points down and never in a circle, and each library has its own floor.

errors < model < {syntax, runtime} < planner < spark < {picture < shell, tools}. The model needs the standard library
and numpy, syntax that and sqlglot, and only spark, picture, tools and shell (which starts the session) know PySpark:
Spark's workers import winsql.runtime where nothing but PySpark, pandas and pyarrow is installed.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from winsql.model.joins import JoinType
from winsql.model.registry import ASSIGNERS
from winsql.syntax import clauses
from winsql.syntax.clauses import CLAUSES, Clause

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "winsql"
MODULES = sorted(PACKAGE.rglob("*.py"))
MAX_LINES = 400

# layer -> layers it may import, besides itself
BELOW = {
    "errors": set(),
    "model": {"errors"},
    "syntax": {"errors", "model"},
    "runtime": {"errors", "model"},
    "planner": {"errors", "model", "syntax", "runtime"},
    "spark": {"errors", "model", "syntax", "runtime", "planner"},
    "picture": {"errors", "model", "syntax", "runtime", "planner", "spark"},
    "tools": {"errors", "spark"},
    "shell": {"errors", "model", "syntax", "runtime", "planner", "spark", "picture", ""},
}
# library -> layers that may import it; one that is not listed must be the standard library
HOMES = {
    "sqlglot": {"syntax", "tools"},
    "numpy": {"model", "runtime", "planner", "spark", "shell"},
    "pyarrow": {"runtime", "planner", "spark", "picture", "shell"},
    "pandas": {"runtime", "planner", "spark", "shell"},
    "pyspark": {"spark", "picture", "shell", "tools"},
    "dbt": {"tools"},
    "dbt_common": {"tools"},
    "sqlmesh": {"tools"},
    "psycopg": {"spark"},
    "py4j": {"spark", "shell"},
    "IPython": {"shell"},
    "prompt_toolkit": {"shell"},
    "rich": {"shell"},
}


def layer_of(path: Path) -> str:
    """The layer a module belongs to; '' is the package's own `__init__`."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return "" if parts == ("__init__",) else parts[0]


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of everything a module imports, also inside functions and under TYPE_CHECKING."""
    package = ("winsql", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            origin = ".".join([*base, node.module] if node.module else base)
            for alias in node.names:
                yield node.lineno, f"{origin}.{alias.name}" if origin == "winsql" else origin


def violations(path: Path) -> Iterator[str]:
    layer = layer_of(path)
    if layer == "":  # the public names, imported lazily, come from anywhere
        return
    for line, name in imports(path):
        top, *rest = name.split(".")
        if top == "winsql":
            target = rest[0] if rest and rest[0] in BELOW else ""
            if target != layer and target not in BELOW[layer]:
                yield f"{path.relative_to(ROOT)}:{line}: {layer} imports {name}"
        elif top not in sys.stdlib_module_names and layer not in HOMES.get(top, set()):
            yield f"{path.relative_to(ROOT)}:{line}: {layer} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    assert list(violations(path)) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_modules_stay_readable(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < MAX_LINES


PRIVATE_MODULES = [
    f"pyspark.{name}"
    for name in (
        "cloudpickle",
        "java_gateway",
        "serializers",
        "util",
        "worker",
        "sql.classic",
        "sql.pandas",
        "sql.utils",
    )
]
PRIVATE_NAMES = frozenset(
    ("_active_spark_context", "_gateway", "_jc", "_jdf", "_jo", "_jsc", "_jsparkSession", "_jvm", "_temp_views")
)


def private_parts(path: Path) -> Iterator[str]:
    """What a module uses of PySpark that is not its public interface."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from (name for _, name in imports(path) if name.startswith(tuple(PRIVATE_MODULES)))
    yield from (node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in PRIVATE_NAMES)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_private_parts_of_pyspark_are_in_one_folder(path: Path) -> None:
    if PACKAGE / "spark" / "versions" not in path.parents:
        assert list(private_parts(path)) == []


def test_py4j_is_asked_for_where_there_is_a_jvm() -> None:
    """The client of Spark Connect that is Python alone comes without it."""
    found = {path for path in MODULES if any(name.startswith("py4j") for _, name in imports(path))}
    homes = {PACKAGE / "spark" / "extension" / "parser_hook.py", PACKAGE / "spark" / "versions" / "java_errors.py"}
    assert found == homes


def test_every_module_belongs_to_a_layer() -> None:
    assert {layer_of(path) for path in MODULES} <= {*BELOW, ""}


@pytest.mark.parametrize(
    ("layer", "line"),
    [
        ("model", "from winsql.runtime import operator"),
        ("model", "import pandas as pd"),
        ("runtime", "from winsql import sql"),
        ("runtime", "from ..syntax import grammar"),
        ("runtime", "def f():\n    import pyspark.sql"),
        ("planner", "from sqlglot import exp"),
        ("syntax", "import winsql.spark"),
    ],
)
def test_the_check_sees_what_it_should(layer: str, line: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = tmp_path / layer / "wrong.py"
    module.parent.mkdir()
    module.write_text(line, encoding="utf-8")
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path)
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    assert len(list(violations(module))) == 1


def named(path: Path) -> str:
    """The module that a file is; a folder's `__init__` is the folder."""
    parts = ("winsql", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules_imported(path: Path, known: set[str]) -> set[str]:
    """The modules of the package that a file imports, wherever in the file, also under TYPE_CHECKING."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: an import names its module in full"
            found |= {f"{node.module}.{alias.name}" for alias in node.names} & known or {str(node.module)}
    return found & known


@cache
def graph(package: Path) -> dict[str, set[str]]:
    """Each module with those it imports."""
    files = {named(path): path for path in package.rglob("*.py")}
    return {name: modules_imported(path, set(files)) - {name} for name, path in files.items()}


def within(folder: str, imports: dict[str, set[str]]) -> dict[str, set[str]]:
    """The same between the files and folders in a folder: a folder imports what its files import."""
    depth = folder.count(".") + 2
    units: dict[str, set[str]] = {}
    for name, targets in imports.items():
        if name.startswith(f"{folder}."):
            unit = ".".join(name.split(".")[:depth])
            inside = {".".join(t.split(".")[:depth]) for t in targets if t.startswith(f"{folder}.")}
            units.setdefault(unit, set()).update(inside - {unit})
    return units


def circle(imports: dict[str, set[str]]) -> list[str]:
    """A circle, one importing the next; empty when there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


FOLDERS = sorted(named(path) for path in PACKAGE.rglob("__init__.py"))


def test_files_import_in_no_circle() -> None:
    assert circle(graph(PACKAGE)) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_rooms_of_a_folder_import_in_no_circle(folder: str) -> None:
    assert circle(within(folder, graph(PACKAGE))) == []


def test_the_check_sees_circles(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path)
    files = {
        "a/one.py": "from winsql.b import two",
        "b/two.py": "import sys",
        "b/three.py": "def f():\n    from winsql.a.four import x",
        "a/four.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import winsql.b.three",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert set(circle(graph(tmp_path))) == {"winsql.a.four", "winsql.b.three"}
    graph.cache_clear()
    (tmp_path / "a/four.py").write_text("", encoding="utf-8")
    assert circle(graph(tmp_path)) == []
    assert set(circle(within("winsql", graph(tmp_path)))) == {"winsql.a", "winsql.b"}


@pytest.mark.parametrize("layer", ["winsql", "winsql.model", "winsql.runtime", "winsql.spark.workers"])
def test_workers_import_neither_spark_nor_the_parser(layer: str) -> None:
    folder = PACKAGE.joinpath(*layer.split(".")[1:])
    modules = [layer]
    if layer != "winsql":
        modules += [
            ".".join(("winsql", *path.relative_to(PACKAGE).with_suffix("").parts))
            for path in sorted(folder.rglob("*.py"))
            if path.name != "__init__.py"
        ]
    slow = ("pyspark", "sqlglot", "py4j", "importlib.metadata")
    code = f"import sys, {', '.join(modules)}; print(*[m for m in {slow} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "\n", "")


def is_prose(text: str) -> bool:
    """Whether a string is for people, a message, a hint or a help text; words of SQL are in upper case."""
    return re.search(r"\s", text) is not None and re.search(r"[a-z]{2}", text) is not None


def names_of_python(text: str) -> Iterator[str]:
    """The names and strings of a module: identifiers, attributes with what is before the dot, strings in quotes."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute):
            yield f"{node.value.id}.{node.attr}" if isinstance(node.value, ast.Name) else node.attr
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.alias)):
            yield node.name
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not is_prose(node.value):
            yield f'"{node.value}"'
        elif isinstance(node, (ast.Name, ast.arg, ast.keyword)):
            yield node.id if isinstance(node, ast.Name) else node.arg or ""


def names_of_java(text: str) -> Iterator[str]:
    """The same of a class in Java."""
    for name in re.findall(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\]|\\.)*"|\w+', text, re.DOTALL):
        if not name.startswith("/") and not is_prose(name):
            yield name


@cache
def names_in_code() -> dict[str, frozenset[str]]:
    """What each file of the package names, comments and texts for people left out."""
    readers = {".py": names_of_python, ".java": names_of_java}
    paths = [path for path in sorted(PACKAGE.rglob("*")) if path.suffix in readers]
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    return {str(path.relative_to(PACKAGE)): frozenset(readers[path.suffix](text)) for path, text in texts.items()}


def files_naming(pattern: str) -> list[str]:
    """The files of the package that have a name or a string in which the pattern is found."""
    return [
        file for file, names in names_in_code().items() if any(re.search(pattern, name, re.DOTALL) for name in names)
    ]


def of_clause(clause: Clause) -> str:
    """Its words in SQL, or the constant that it is; where they are two words, a name of them in any case too.

    One word alone, as `trigger`, is also what the clause sets up.
    """
    constant = next(name for name, value in vars(clauses).items() if value is clause)
    own = rf'^(clauses\.)?{constant}$|^".*\b{clause.words}\b.*"$'
    first, *others = clause.words.lower().split()
    return rf"{own}|(?i:(?<![a-z]){first}_?{others[0]}(?![a-z]))" if others else own


def of_join(how: JoinType) -> str:
    """The member, or its word in SQL."""
    return rf'^JoinType\.{how.name}$|^".*\b{how.name}\b.*"$'


OF_ASSIGNERS = {
    "COUNT": r"\bCountWindows$",  # COUNT alone is an aggregate, a trigger and an evictor too
    "CUMULATING": r"(?i:\bcumulat(e|ing)(windows)?\b)",
    "GLOBAL": r"\bGLOBAL\b|\bGlobalWindows$",
    "SESSION": r"\bSessionWindows$",  # SESSION alone is Spark's session too
    "SLIDING": r"(?i:\b(hop|sliding)(windows)?\b)",
    "TUMBLING": r"(?i:\btumbl(e|ing)(windows)?\b)",
}
"""Names of an assigner: its class, its name in SQL and that of Flink's function."""
MOST = {"clause": 5, "join type": 5, "assigner": 8}
KINDS = [
    *(("clause", clause.words, of_clause(clause)) for clause in CLAUSES),
    *(("join type", how.name, of_join(how)) for how in JoinType),
    *(("assigner", name, OF_ASSIGNERS[name]) for name in ASSIGNERS),
]
OVER = {
    "WINDOW ASSIGN": 10,
    "TRIGGER": 8,
    "EVICT": 7,
    "ALLOWED LATENESS": 9,
    "LATE INTO": 17,
    "APPLY": 12,
    "INNER": 7,
    "LEFT": 11,
    "RIGHT": 10,
    "FULL": 6,
    "SLIDING": 11,
    "TUMBLING": 11,
}
"""How many files name each of those that are over the limit today."""


@pytest.mark.parametrize(("kind", "name", "pattern"), KINDS, ids=[f"{kind} {name}" for kind, name, _ in KINDS])
def test_one_of_a_kind_is_named_in_few_files(kind: str, name: str, pattern: str) -> None:
    """What may be added is a record or a class that all else goes by: else each addition would touch many files."""
    found = files_naming(pattern)
    assert 0 < len(found) <= OVER.get(name, MOST[kind]), found


def test_the_names_are_found_where_they_are() -> None:
    found = files_naming(of_clause(clauses.STATE_TTL))
    assert {"model/query.py", "syntax/clauses/state_ttl.py"} <= set(found)
    assert not {"shell/reference.py", "model/joins.py"} & set(found)
