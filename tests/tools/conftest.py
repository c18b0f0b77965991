"""The server that tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from servers import connect_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with connect_server(tmp_path_factory.mktemp("server")) as url:
        yield url
