"""README and docs do what they say: their statements run, outputs are theirs, links and make targets exist."""

from __future__ import annotations

import io
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from winsql.model.registry import AGGREGATES, APPLY_FUNCTIONS, TRIGGERS

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
DOCS = ROOT / "docs"
PAGES = [README, *sorted(DOCS.glob("*.md"))]
RUNNING = [
    *(
        DOCS / f"{name}.md"
        for name in ["windows", "emit", "joins", "flink-sql", "streams", "functions", "policies", "deploy"]
    ),
    README,
]
"""Pages whose statements run, and print what follows them, as those of the cookbook do."""
COOKBOOK = DOCS / "cookbook.md"
STREAMED: dict[str, str] = {}
"""What the blocks of the page about streams have printed: the README shows some of them, and a stream takes seconds."""
REGISTRIES = (TRIGGERS, AGGREGATES, APPLY_FUNCTIONS)


class Block(NamedTuple):
    line: int
    language: str
    text: str


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        yield Block(page.count("\n", 0, match.start()) + 1, match.group(1), match.group(2))


def printed(spark, text: str, name: str) -> str:
    """What `winsql -S` prints for the statements in `text`, on either stream."""
    from winsql.shell.run import Output, run_scripts
    from winsql.shell.script import Script, split

    out = io.StringIO()
    run_scripts(spark, [Script(name, text, tuple(split(text)))], Output(out=out, silent=True))
    return out.getvalue()


def outputs(spark, page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[Block, str]]:
    """Runs the examples of a page; yields each output that it shows, and what the statements before it printed."""
    output = ""
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.language == "sql":
            known = STREAMED.get(block.text) if page == README else None
            output = printed(spark, block.text, page.name) if known is None else known
            if page.stem == "streams":
                STREAMED[block.text] = output
            error = capsys.readouterr().err
            assert error == "", f"{page.name}:{block.line}\n{error}"
        elif block.language == "python":
            module = tmp_path / f"{page.stem.lower()}_{block.line}.py"
            module.write_text(block.text, encoding="utf-8")
            # as a script: Spark ships classes of __main__ to its workers by value
            runpy.run_path(str(module), init_globals={"spark": spark}, run_name="__main__")
        elif block.language == "text":
            yield block, output


@pytest.fixture
def clean(spark) -> Iterator[None]:
    """Takes back what a page makes: tables, views, policies, the language of the session."""
    import winsql

    tables = {table.tableName for table in spark.sql("SHOW TABLES").collect()}
    names = [set(registry) for registry in REGISTRIES]
    yield
    winsql.unregister(spark)
    for table in spark.sql("SHOW TABLES").collect():
        if table.tableName not in tables:
            spark.sql(f"DROP {'VIEW' if table.isTemporary else 'TABLE'} {table.tableName}")
    for registry, before in zip(REGISTRIES, names, strict=True):
        for name in set(registry) - before:
            registry.remove(name)


@pytest.mark.parametrize("page", [*RUNNING, pytest.param(COOKBOOK, marks=pytest.mark.slow)], ids=lambda page: page.stem)
def test_statements_print_what_the_page_shows(
    spark, clean, page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], update_golden: bool
) -> None:
    """`--update-golden` writes the outputs into the page, to be read before they are kept."""
    shown = list(outputs(spark, page, tmp_path, capsys))
    if update_golden:
        printed_ones = (output for _, output in shown)
        text = page.read_text(encoding="utf-8")
        text = re.sub(r"^(```text\n).*?(?=^```$)", lambda m: m[1] + next(printed_ones), text, flags=re.M | re.S)
        page.write_text(text, encoding="utf-8")
    else:
        assert {block.line: output for block, output in shown} == {block.line: block.text for block, _ in shown}


def test_no_other_page_shows_outputs() -> None:
    languages = {page.stem: {block.language for block in blocks(page.read_text(encoding="utf-8"))} for page in PAGES}
    running = {page.stem for page in [*RUNNING, COOKBOOK]}
    assert [name for name, found in languages.items() if "text" in found and name not in running] == []


TABLES = {
    "bids": "item LONG, bidder STRING, ts TIMESTAMP, price LONG",
    "items": "id LONG, seller STRING, ts TIMESTAMP, name STRING",
}


@pytest.mark.slow
def test_what_the_migration_page_shows_runs_on_tables_and_is_planned_on_streams(spark, tmp_path: Path) -> None:
    """The tables are empty: what these windows give has tests of its own."""
    import winsql

    page = [block for block in blocks((DOCS / "migration.md").read_text(encoding="utf-8")) if block.language == "sql"]
    assert len(page) > 10
    for is_stream in (False, True):
        for name, schema in TABLES.items():
            (tmp_path / name).mkdir(exist_ok=True)
            reader = (spark.readStream if is_stream else spark.read).schema(schema)
            frame = reader.parquet(str(tmp_path / name))
            (frame.withWatermark("ts", "5 seconds") if is_stream else frame).createOrReplaceTempView(name)
        for block in page:
            if is_stream or "CREATE STREAMING TABLE" not in block.text:
                plan = winsql.explain(spark, block.text)
                assert plan.startswith("Windowed query"), f"migration.md:{block.line}\n{plan}"
            if not is_stream and "CREATE STREAMING TABLE" not in block.text:
                assert winsql.sql(spark, block.text).collect() is not None
    for name in TABLES:
        spark.catalog.dropTempView(name)


def test_the_error_shown_is_the_error_given(spark) -> None:
    from winsql import WinsqlError, sql

    page = (DOCS / "windows.md").read_text(encoding="utf-8")
    statement, message = re.search(r"^```sql wrong\n(.*?)^```$\n+```error\n(.*?)^```$", page, re.M | re.S).groups()
    with pytest.raises(WinsqlError) as caught:
        sql(spark, statement.rstrip("\n"))
    assert f"{caught.value}\n" == message


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_relative_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)", page.read_text(encoding="utf-8"))
    for link, anchor in links:
        target = page.parent / link if link else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), f"{link}#{anchor}"


def anchors(page: str) -> set[str]:
    """What GitHub calls the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_named_in_the_text_exist(page: Path) -> None:
    paths = re.findall(
        r"(?<![\w/])((?:docs|examples|sql|tests|tools|winsql)/[\w./-]*\w)", page.read_text(encoding="utf-8")
    )
    assert [path for path in paths if not (ROOT / path).exists()] == []


def everything() -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


HOUSE = DOCS / "architecture.md"


def test_the_page_of_the_house_names_every_layer() -> None:
    layers = {path.name for path in (ROOT / "winsql").iterdir() if (path / "__init__.py").exists()}
    assert set(re.findall(r"^\| `winsql/(\w+)/` \|", HOUSE.read_text(encoding="utf-8"), re.MULTILINE)) == layers


def test_the_page_of_the_house_tells_the_files_of_each_addition() -> None:
    text = HOUSE.read_text(encoding="utf-8").partition("## Where to add")[2]
    additions = dict(re.findall(r"^\*\*(?:An?|A) ([\w ]+)\.\*\* ((?:.+\n)+)", text, re.MULTILINE))
    asked = {"trigger", "assigner", "clause", "aggregate", "join type", "Spark version"}
    assert asked <= set(additions)
    for words in additions.values():
        paths = re.findall(r"`([\w./-]+[/.][\w/]*)`", words)
        assert paths
        assert [path for path in paths if not (ROOT / path).exists()] == []


def test_make_targets_named_in_the_text_exist() -> None:
    targets = {
        name for names in re.findall(r"(?:^|`)make ((?:[a-z-]+ ?)+)", everything(), re.M) for name in names.split()
    }
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {"demo", "test", "docs"} <= targets
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


def test_options_of_the_command_named_in_the_text_exist(capsys: pytest.CaptureFixture[str]) -> None:
    from winsql.shell.cli import main
    from winsql.shell.commands import COMMANDS

    scripts = "".join(block.text for block in blocks(everything()) if block.language == "sh")
    used = set(re.findall(r"^winsql ([^ #].*?)(?:  #.*)?$", re.sub(r" +#", "  #", scripts), re.MULTILINE))
    assert len(used) > 10
    for words in map(str.split, used):
        with pytest.raises(SystemExit):
            main([*words[: words[0] in COMMANDS], "--help"])
        known = set(re.findall(r"(?<!\w)--?[a-zA-Z-]+", capsys.readouterr().out))
        assert [word for word in words if re.fullmatch(r"--?[a-zA-Z-]+", word) and word not in known] == []


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 200


def test_the_readme_says_how_many_reference_cases_there_are() -> None:
    files = [
        *(ROOT / "tests/conformance/cases").glob("*.jsonl"),
        *(ROOT / "tests/conformance/batch_cases").glob("*.jsonl"),
    ]
    count = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
    assert f"{count} cases recorded from Flink" in README.read_text(encoding="utf-8")


def test_every_page_is_in_the_site_and_linked_from_the_readme() -> None:
    pages = {page.name for page in DOCS.glob("*.md")}
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert pages - set(re.findall(r"^ +- ([\w-]+\.md)$", site, re.MULTILINE)) == set()
    assert pages - set(re.findall(r"\]\(docs/([\w-]+\.md)", README.read_text(encoding="utf-8"))) == set()


def test_the_picture_of_speeds_shows_the_table() -> None:
    from bench.speeds import drawing, speeds

    page = (DOCS / "develop.md").read_text(encoding="utf-8")
    assert (DOCS / "speed.svg").read_text(encoding="utf-8") == drawing(speeds(page)), "run tests/bench/speeds.py"


def test_the_readme_says_the_speeds_of_the_table() -> None:
    from bench.speeds import speeds

    rows = {row.workload: row for row in speeds((DOCS / "develop.md").read_text(encoding="utf-8"))}
    to_flink = {name: row.winsql / row.flink for name, row in rows.items() if row.flink}
    to_spark = [row.winsql / row.spark for row in rows.values() if row.spark]
    behind = [1 / to_flink[name] for name in ("tumbling", "count", "continuous")]
    rates = [row.winsql for row in rows.values()]
    said = README.read_text(encoding="utf-8")
    for sentence in (
        f"{min(rates):.1f} to {max(rates):.1f} million rows a second",
        f"{min(to_spark):.0f} to {max(to_spark):.0f} times the speed of Spark's own windows",
        f"up to {max(to_flink.values()):.0f} times that of Flink for sliding windows",
        f"{to_flink['session']:.1f} times for sessions",
        f"count and continuous windows ({min(behind):.1f} to {max(behind):.1f} times)",
        f"in joins ({1 / to_flink['join']:.1f} times)",
    ):
        assert sentence in said, sentence
