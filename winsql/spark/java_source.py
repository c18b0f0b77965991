"""Java classes of winsql's own in the JVM of a session, for the few things that Python cannot do from outside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from winsql.spark.versions.java_parts import for_version
from winsql.spark.versions.number import client_version


def compiled(jvm: Any, source: Path, class_loader: Any) -> Any:
    """The class of a source file, whose package is `winsql`; it sees what `class_loader` sees.

    The compiler is the one that Spark uses for its own queries, so that no JDK is needed. Raises Py4JError.
    """
    compiler = jvm.org.codehaus.janino.SimpleCompiler()
    compiler.setParentClassLoader(class_loader)
    compiler.cook(for_version(source.read_text(encoding="utf-8"), client_version()))
    return compiler.getClassLoader().loadClass(f"winsql.{source.stem}")
