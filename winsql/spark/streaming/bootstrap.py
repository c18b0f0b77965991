"""Makes winsql importable where Spark unpickles what a streaming query runs.

Executors have winsql's code from the session (`winsql.spark.shipping`), with two exceptions. Spark asks the stateful
processor for its state variables in a Python process on the driver's machine, which has neither the session's code nor
always the driver's path. And on Spark Connect the workers of a streaming query are not told where the session's code
is, so the code is pickled along. The functions here are pickled by value: these processes can run them before they look
for winsql.
"""

from __future__ import annotations

import importlib.abc
import io
import sys
import zipfile
from collections.abc import Callable
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from winsql.spark.shipping import code_files
from winsql.spark.versions.by_value import send_by_value
from winsql.spark.versions.remote import is_remote


def bootstrapped(build: Any, *arguments: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """The result of `__reduce__` for an object that `build(*arguments)` makes again."""
    send_by_value(sys.modules[__name__])
    code = _packed_code() if is_remote() else None
    return _built, (_Code(str(Path(__file__).parents[3]), code), build, *arguments)


class PortableFunction:
    """A function that finds winsql where it is unpickled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return bootstrapped(_same, self.function)


@cache
def _packed_code() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in code_files().items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


class _Code:
    """Unpickled before what comes after it; `packed` is winsql's code where it travels with the function."""

    def __init__(self, root: str, packed: bytes | None) -> None:
        self.root = root
        self.packed = packed

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _make_importable, (self.root, self.packed)


def _make_importable(root: str, packed: bytes | None) -> None:
    import importlib.util
    import sys
    from pathlib import Path

    if importlib.util.find_spec("winsql") is not None:
        return
    if (Path(root) / "winsql").is_dir():
        sys.path.append(root)
    elif packed is not None:
        sys.meta_path.append(_InMemory(packed))


class _InMemory(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):  # type: ignore[misc]
    """Imports modules from a zip archive of sources in memory: a worker leaves no file behind."""

    def __init__(self, packed: bytes) -> None:
        import io
        import zipfile

        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            self.files = {name: archive.read(name) for name in archive.namelist()}

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        from importlib.machinery import ModuleSpec

        place = fullname.replace(".", "/")
        for file, is_package in ((f"{place}/__init__.py", True), (f"{place}.py", False)):
            if file in self.files:
                spec = ModuleSpec(fullname, self, origin=file, is_package=is_package)
                spec.has_location = True
                return spec
        return None

    def get_filename(self, fullname: str) -> str:
        place = fullname.replace(".", "/")
        return next(file for file in (f"{place}/__init__.py", f"{place}.py") if file in self.files)

    def get_data(self, path: str) -> bytes:
        return self.files[path]


def _same(value: Any) -> Any:
    return value


def _built(_: None, build: Any, *arguments: Any) -> Any:
    return build(*arguments)
