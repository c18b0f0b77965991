"""Writes a small Nexmark: the persons, auctions and bids of an online auction, as parquet files.

    python examples/nexmark/generate.py FOLDER [EVENTS]

After the model of the Nexmark benchmark: of 50 events one is a new person, three are new auctions and 46 are bids;
three of four auctions are one of the last seller's, half of the bids go to the newest hot auction. Ten events come in
a second. The files are the same at every run. Each table has four of them, one behind the other in time, so that a
stream which takes a file at a time sees the events as they happened.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

BEGIN = pd.Timestamp("2024-01-01 00:00:00", tz="UTC")
STEP = pd.Timedelta(milliseconds=100)
FIRST_ID = 1000
FILES = 4
CITIES = [("Phoenix", "AZ"), ("Los Angeles", "CA"), ("Portland", "OR"), ("Boise", "ID"), ("Cheyenne", "WY")]
NAMES = ["Peter", "Paul", "Luke", "John", "Saul", "Vicky", "Kate", "Julie", "Sarah", "Deiter", "Walter"]
CHANNELS = ["Google", "Facebook", "Baidu", "Apple"]

Row = dict[str, object]


def main() -> None:
    folder = Path(sys.argv[1])
    generate(folder, int(sys.argv[2]) if len(sys.argv) > 2 else 5000)


def generate(folder: Path, events: int) -> dict[str, pd.DataFrame]:
    """Write the tables below `folder` and return them."""
    tables = _tables(events)
    for name, table in tables.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number, rows in enumerate(np.array_split(np.arange(len(table)), FILES)):
            part = table.iloc[rows]
            part.to_parquet(folder / name / f"{number}.parquet", index=False, coerce_timestamps="us")
    return tables


def _tables(events: int) -> dict[str, pd.DataFrame]:
    rng = np.random.default_rng(7)
    persons: list[Row] = []
    auctions: list[Row] = []
    bids: list[Row] = []
    for number in range(events):
        time = BEGIN + number * STEP
        kind = number % 50
        if kind == 0:
            persons.append(_person(rng, FIRST_ID + len(persons), time))
        elif kind <= 3:
            auctions.append(_auction(rng, FIRST_ID + len(auctions), len(persons), time))
        else:
            bids.append(_bid(rng, len(auctions), len(persons), time))
    return {"person": pd.DataFrame(persons), "auction": pd.DataFrame(auctions), "bid": pd.DataFrame(bids)}


def _person(rng: np.random.Generator, number: int, time: pd.Timestamp) -> Row:
    city, state = CITIES[rng.integers(len(CITIES))]
    name = NAMES[rng.integers(len(NAMES))]
    return {"id": number, "name": f"{name} {number}", "city": city, "state": state, "dateTime": time}


def _auction(rng: np.random.Generator, number: int, persons: int, time: pd.Timestamp) -> Row:
    seller = FIRST_ID + (persons - 1 if rng.random() < 0.75 else int(rng.integers(persons)))
    first = _price(rng)
    expires = time + pd.Timedelta(seconds=int(rng.integers(1, 30)))
    row: Row = {"id": number, "itemName": f"item {number}", "initialBid": first, "reserve": first + _price(rng)}
    return row | {"dateTime": time, "expires": expires, "seller": seller, "category": int(rng.integers(10, 15))}


def _bid(rng: np.random.Generator, auctions: int, persons: int, time: pd.Timestamp) -> Row:
    hot = (auctions - 1) // 10 * 10
    auction = FIRST_ID + (hot if rng.random() < 0.5 else int(rng.integers(auctions)))
    bidder = FIRST_ID + int(rng.integers(max(0, persons - 20), persons))
    channel = CHANNELS[rng.integers(len(CHANNELS))]
    return {"auction": auction, "bidder": bidder, "price": _price(rng), "channel": channel, "dateTime": time}


def _price(rng: np.random.Generator) -> int:
    return round(10 ** (rng.random() * 6) * 100)


if __name__ == "__main__":
    main()
