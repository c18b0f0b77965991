"""Characters that editors and other languages put in the place of SQL's: each is shown with what to write."""

from __future__ import annotations

import pytest

from winsql.syntax.mistakes import find_mistakes

FOREIGN = {
    "SELECT k FROM t WHERE k = \u201ca\u201d {}": ("\u201c", "write '"),
    "SELECT k\uff0c v FROM t {}": ("\uff0c", "write ,"),
    "SELECT max\uff08v\uff09 FROM t {}": ("\uff08", "write ("),
    "SELECT k FROM t {}\uff1b": ("\uff1b", "write ;"),
    "SELECT k FROM t WHERE v \u2265 2 {}": ("\u2265", "write >="),
    "SELECT k FROM t WHERE v > \u20132 {}": ("\u2013", "write -"),
    "SELECT k FROM t WHERE v > 2 && k > 'a' {}": ("&&", "write AND"),
    "SELECT k FROM t {} // all": ("//", "write -- before a comment"),
    "SELECT k FROM t {} # all": ("#", "write -- before a comment"),
    "\ufeffSELECT k FROM t {}": ("U+FEFF", "leave it out: it is a mark that cannot be seen"),
    "SELECT k FROM t \u200b{}": ("U+200B", "leave it out: it is a mark that cannot be seen"),
    "SELECT k AS \U0001f642 FROM t {}": ("\U0001f642", "leave it out, or write `\U0001f642` where it is a name"),
}
WINDOW = "WINDOW ASSIGN TUMBLING(ts, '1 hour') PARTITION BY k"


@pytest.mark.parametrize("text", FOREIGN)
def test_what_sql_does_not_have(text: str) -> None:
    (mistake,) = find_mistakes(text.format(WINDOW))
    shown, hint = FOREIGN[text]
    assert mistake.problem == f"{shown} is not expected here"
    assert mistake.hint == hint
    assert mistake.span is not None


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT k FROM t WHERE k = '\u201ca\u201d \uff1b # //' {WINDOW}",
        f"SELECT k AS `\U0001f642 & \uff08` FROM t {WINDOW} -- \u201call\u201d",
        f"SELECT gr\u00f6\u00dfe, \u6642\u9593 FROM t /* \uff08 */ {WINDOW}",
        f"SELECT\u00a0k FROM t {WINDOW}",
        "SELECT \u2018a\u2019",
        "SET window.name = \u201ca\u201d",
    ],
)
def test_what_is_in_quotes_or_a_letter(text: str) -> None:
    assert find_mistakes(text) == []


def test_a_number_has_digits_of_ascii() -> None:
    (mistake,) = find_mistakes(f"SELECT k FROM t {WINDOW} TRIGGER COUNT(\uff12)")
    assert mistake.problem == "COUNT: n must be an integer literal"
