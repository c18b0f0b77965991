"""Objects of Java classes that a test brings as source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def java_object(spark: SparkSession, name: str, source: str) -> Any:
    """A new object of a Java class."""
    compiler = spark._jvm.org.codehaus.janino.SimpleCompiler()
    compiler.setParentClassLoader(spark._jsparkSession.getClass().getClassLoader())
    compiler.cook(source)
    constructor = compiler.getClassLoader().loadClass(name).getConstructors()[0]
    return constructor.newInstance(spark.sparkContext._gateway.new_array(spark._jvm.java.lang.Object, 0))
