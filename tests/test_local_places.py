"""Paths in one form."""

from __future__ import annotations

import pytest

from winsql.spark.local_places import local_place, place_of


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/d/t", "/d/t"),
        ("/d//t/", "/d/t"),
        ("//d/./t", "/d/t"),
        ("/d/x/../t", "/d/t"),
        ("file:/d/t", "/d/t"),
        ("file:///d/x/../t/.", "/d/t"),
        ("/", ""),
        ("a//b/../c", "a/c"),
        ("hdfs://host:8020//d/./t", "hdfs://host:8020/d/t"),
        ("viewfs://c/d/x/../t", "viewfs://c/d/t"),
        ("s3a://bucket", "s3a://bucket"),
        ("s3a://bucket/", "s3a://bucket"),
    ],
)
def test_one_form(path: str, place: str) -> None:
    """Hadoop's."""
    assert place_of(path) == place


def test_places_of_the_local_file_system() -> None:
    assert local_place("/d//t", "file:///") == "/d/t"
    assert local_place("file:/d/x/../t", "hdfs://host") == "/d/t"
    assert local_place("/d/t", "hdfs://host") is None
