"""The events of Nexmark, an online auction, computed from their number; `flink/NexmarkBench.java` computes the same.

As in the benchmark's own generator, of 50 events one is a person, three are auctions and 46 are bids, 10,000 of them in
a second. Three of four auctions are of the hot seller, half of the bids are for the hot auction and three of four by
the hot bidder; the others are of the last 1,000 persons and 100 auctions, and ten that are still to come. The logarithm
of a price is uniform. About a hundred auctions are open at a time: each lasts up to 333 ms.
"""

from __future__ import annotations

from bench.workloads import BASE_MS, CLOSING_MS

EPOCH = 50
"""Events of one person, three auctions and 46 bids. An epoch of keys -1 in the far future closes a stream."""

_NAMES = "array('Peter', 'Paul', 'Luke', 'John', 'Saul', 'Vicky', 'Kate', 'Julie', 'Sarah', 'Deiter', 'Walter')"
_FIRST = 1000
_HOT_PERSON = f"{_FIRST} + epoch DIV 100 * 100"


def _below(salt: int, bound: str) -> str:
    """A number from 0 to below the bound."""
    return f"pmod(xxhash64(n * 8 + {salt}), {bound})"


def _any_person(salt: int) -> str:
    active = "least(epoch + 1, 1000)"
    return f"{_FIRST} + epoch + 1 - {active} + {_below(salt, f'{active} + 10')}"


_LAST = "(epoch * 3 + 2)"
_OLDEST = f"greatest({_LAST} - 100, 0)"
_POWER = f"{_below(4, '9007199254740992')} / 9007199254740992D * 6"

KINDS = {
    "person": (
        (0, 0),
        {"id": f"{_FIRST} + epoch", "name": f"concat({_NAMES}[int({_below(0, '11')})], ' ', epoch)"},
    ),
    "auction": (
        (1, 3),
        {
            "id": f"{_FIRST} + epoch * 3 + place - 1",
            "seller": f"if({_below(0, '4')} > 0, {_HOT_PERSON}, {_any_person(1)})",
            "expires": f"timestamp_millis({BASE_MS} + n DIV 10 + 1 + {_below(2, '333')})",
        },
    ),
    "bid": (
        (4, EPOCH - 1),
        {
            "auction": f"{_FIRST} + if({_below(0, '2')} > 0, {_LAST} DIV 100 * 100, "
            f"{_OLDEST} + {_below(1, f'{_LAST} - {_OLDEST} + 11')})",
            "bidder": f"if({_below(2, '4')} > 0, {_HOT_PERSON} + 1, {_any_person(3)})",
            "price": f"bigint(floor(pow(10, {_POWER}) * 100 + 0.5D))",
        },
    ),
}
"""The first and the last event of an epoch that is of a kind, and its columns; `n` is the number of the event."""


def events_sql(kind: str, events: int, numbers: str) -> str:
    """The rows of a kind over a relation of numbers `n`; those of one more epoch close a stream."""
    (first, last), columns = KINDS[kind]
    items = [f"if(n < {events}, {value}, {_closing(name)}) AS {name}" for name, value in columns.items()]
    time = f"timestamp_millis(if(n < {events}, {BASE_MS} + n DIV 10, {CLOSING_MS})) AS `dateTime`"
    epochs = f"SELECT n, n DIV {EPOCH} AS epoch, n % {EPOCH} AS place FROM {numbers} WHERE n < {events} + {EPOCH}"
    return f"SELECT {', '.join([*items, time])} FROM ({epochs}) WHERE place BETWEEN {first} AND {last}"


def _closing(name: str) -> str:
    return {"name": "''", "expires": f"timestamp_millis({CLOSING_MS + 1})"}.get(name, "-1")
