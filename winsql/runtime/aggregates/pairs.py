"""COVAR_POP, COVAR_SAMP and CORR: operation by operation as in Spark's Covariance and PearsonCorrelation."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from winsql.model.base import Row

__all__ = ["Comoments", "PairMoments", "correlation", "population_covariance", "sample_covariance"]


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
    """An aggregate of pairs of DOUBLE. Accumulator: the fields of `Comoments` as a tuple."""

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
        moments = products + dx * (y - y_mean), x_squares + dx * (x - x_mean), y_squares + dy * (y - y_mean)
        return count, x_mean, y_mean, *moments

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
