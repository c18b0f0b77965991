"""What `winsql --version` says: the versions of winsql, and of the Spark, Java and Python that it would run on."""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NoReturn

import winsql


class ShowVersions(argparse.Action):
    """The option prints them, and the command ends; nothing is looked for before."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help="print versions: winsql, Spark, Java, Python")

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        parser.exit(message=f"{versions()}\n")


def versions() -> str:
    """Four lines."""
    lines = {"winsql": winsql.__version__, "Spark": _spark(), "Java": _java(), "Python": platform.python_version()}
    return "\n".join(f"{name} {found}" for name, found in lines.items())


def _spark() -> str:
    for package in ("pyspark", "pyspark-client"):
        try:
            return f"{version(package)} ({package})"
        except PackageNotFoundError:
            continue
    try:  # a platform may bring PySpark without its package
        from pyspark import __version__ as found
    except ModuleNotFoundError:
        return "not found: pip install 'winsql[spark]'"
    return str(found)


_JAVA_VERSION = re.compile(r'version "([^"]+)"')


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    where = "JAVA_HOME" if home else "PATH"
    if java is None:
        return "not found: no JAVA_HOME, and none on the PATH"
    try:
        run = subprocess.run([java, "-version"], capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return f"not found: {java} of {where} does not run"
    match = _JAVA_VERSION.search(run.stderr + run.stdout)
    return f"{match[1] if match else 'of unknown version'} ({where})"
