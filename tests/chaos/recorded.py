"""A process that runs the streams of the campaign one after the other: `python -m chaos.recorded FOLDER NAME ...`.

Says `NAME` before a stream starts and `.` when it has ended; what it writes is in FOLDER/NAME.
"""

from __future__ import annotations

import sys
from pathlib import Path

from chaos.queries import QUERIES, declare, new_session


def main(folder: Path, names: list[str]) -> None:
    """Run them to the end of the input."""
    import winsql

    spark = new_session(folder)
    declare(spark, folder)
    for name in names:
        (folder / name).mkdir()
        print(name, flush=True)
        winsql.sql(spark, QUERIES[name].create(name, folder / name))
        winsql.sql(spark, f"AWAIT STREAM {name}")
        print(".", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
