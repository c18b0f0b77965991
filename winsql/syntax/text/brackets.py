"""The brackets of a statement: which belong together, and which are around a token."""

from __future__ import annotations

from winsql.syntax.text.tokens import Token, TokenKind

TOP = -1
"""The group of tokens outside of all brackets."""
CLOSERS = {")": "(", "]": "["}
OPENERS = {opener: closer for closer, opener in CLOSERS.items()}


def depths_of(group: list[int]) -> dict[int, int]:
    """For each bracket with something in it the number of brackets around that; outer brackets come first."""
    depths = {TOP: 0}
    for opening in group:  # an outer bracket comes before those inside it
        if opening not in depths:
            depths[opening] = depths[group[opening]] + 1
    return depths


def match_brackets(tokens: list[Token]) -> tuple[list[int | None], list[int], int | None]:
    """The partner of each bracket, the group of each token, and the first bracket without a partner."""
    partner: list[int | None] = [None] * len(tokens)
    group = [TOP] * len(tokens)
    stack: list[int] = []
    unmatched = None
    around = TOP
    for index, (kind, _, _, text) in enumerate(tokens):
        if kind is not TokenKind.SYMBOL:
            group[index] = around
            continue
        if text in CLOSERS:
            if stack and tokens[stack[-1]].upper == CLOSERS[text]:
                opening = stack.pop()
                partner[opening], partner[index] = index, opening
            elif unmatched is None:
                unmatched = index
            around = stack[-1] if stack else TOP
        group[index] = around
        if text in OPENERS:
            stack.append(index)
            around = index
    if unmatched is None and stack:
        unmatched = stack[0]
    return partner, group, unmatched
