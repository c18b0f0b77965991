"""Aggregates of pairs of numbers, covariances to regressions: operation by operation as in Spark."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from winsql.model.base import Row
from winsql.runtime.aggregates.base import Wrapper


@dataclass(frozen=True, slots=True)
class Comoments:
    """Of the pairs without a NULL: their number, the mean of each side, the sum of the products of both distances from
    the means, and the sums of the squares of each."""

    count: float = 0.0
    x_mean: float = 0.0
    y_mean: float = 0.0
    products: float = 0.0
    x_squares: float = 0.0
    y_squares: float = 0.0


@dataclass(frozen=True, slots=True)
class PairMoments:
    """An aggregate of pairs of DOUBLE, as Spark's Covariance and PearsonCorrelation.

    Accumulator: the fields of `Comoments` as a tuple.
    """

    result_type: pa.DataType
    x: int
    y: int
    finish: Callable[[Comoments], float | None]

    def create(self) -> tuple[float, ...]:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0

    def add(self, accumulator: tuple[float, ...], row: Row) -> tuple[float, ...]:
        x, y = row[self.x], row[self.y]
        if x is None or y is None:
            return accumulator
        x, y = float(x), float(y)
        count, x_mean, y_mean, products, x_squares, y_squares = accumulator
        count += 1.0
        dx, dy = x - x_mean, y - y_mean
        x_mean, y_mean = x_mean + dx / count, y_mean + dy / count
        squares = (
            x_squares + self.square(dx, x - x_mean, dx / count),
            y_squares + self.square(dy, y - y_mean, dy / count),
        )
        return count, x_mean, y_mean, products + dx * (y - y_mean), *squares

    @staticmethod
    def square(before: float, after: float, step: float) -> float:
        """What a value adds to the squares: its distances from the mean without it and with it, and how far that is."""
        return before * after

    def merge(self, accumulator: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
        left, right = Comoments(*accumulator), Comoments(*other)
        count, both = left.count + right.count, left.count * right.count
        if not count:
            return accumulator
        dx, dy = right.x_mean - left.x_mean, right.y_mean - left.y_mean
        return (
            count,
            left.x_mean + dx / count * right.count,
            left.y_mean + dy / count * right.count,
            left.products + right.products + dx * (dy / count) * both,
            left.x_squares + right.x_squares + dx * (dx / count) * both,
            left.y_squares + right.y_squares + dy * (dy / count) * both,
        )

    def result(self, accumulator: tuple[float, ...]) -> float | None:
        return self.finish(Comoments(*accumulator))


@dataclass(frozen=True, slots=True)
class RegressionMoments(PairMoments):
    """The same with the squares of Spark's CentralMomentAgg, which are rounded otherwise."""

    @staticmethod
    def square(before: float, after: float, step: float) -> float:
        return before * (before - step)


@dataclass(frozen=True, slots=True)
class OfPairs(Wrapper):
    """An aggregate of one side of the pairs without a NULL; `other` is the slot of the other side."""

    other: int

    def add(self, accumulator: Any, row: Row) -> Any:
        return accumulator if row[self.other] is None else self.inner.add(accumulator, row)


def population_covariance(moments: Comoments) -> float | None:
    """COVAR_POP."""
    return moments.products / moments.count if moments.count else None


def sample_covariance(moments: Comoments) -> float | None:
    """COVAR_SAMP; of one pair NULL."""
    return moments.products / (moments.count - 1.0) if moments.count > 1.0 else None


def correlation(moments: Comoments) -> float | None:
    """CORR; NULL of one pair, and where either side has only one value."""
    if moments.count <= 1.0:
        return None
    spread = math.sqrt(moments.x_squares * moments.y_squares)
    return moments.products / spread if spread else None


def products(moments: Comoments) -> float | None:
    """REGR_SXY."""
    return moments.products if moments.count else None


def x_squares(moments: Comoments) -> float | None:
    """REGR_SXX."""
    return moments.x_squares if moments.count else None


def y_squares(moments: Comoments) -> float | None:
    """REGR_SYY."""
    return moments.y_squares if moments.count else None


def slope(moments: Comoments) -> float | None:
    """REGR_SLOPE; NULL where x has only one value."""
    return moments.products / moments.x_squares if moments.x_squares else None


def intercept(moments: Comoments) -> float | None:
    """REGR_INTERCEPT; NULL where x has only one value."""
    rise = slope(moments)
    return None if rise is None else moments.y_mean - rise * moments.x_mean


def determination(moments: Comoments) -> float | None:
    """REGR_R2, whose y comes first; NULL where the other side has only one value, else 1 where y has."""
    if not moments.y_squares:
        return None
    if not moments.x_squares:
        return 1.0
    correlated = correlation(moments)
    return None if correlated is None else correlated * correlated
