"""The variance family, SKEWNESS and KURTOSIS: operation by operation as in Spark's CentralMomentAgg."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import pyarrow as pa

from winsql.model.base import Row

Moments = tuple[float, float, float]
"""Number of values, their mean, and the sum of squared distances from it."""


@dataclass(frozen=True, slots=True)
class Variance:
    """The variance family, by Welford's and Chan's formulas. Accumulator: `Moments`."""

    result_type: pa.DataType
    slot: int
    finish: Callable[[float, float], float | None]

    def create(self) -> Moments:
        return 0.0, 0.0, 0.0

    def add(self, accumulator: Moments, row: Row) -> Moments:
        value = row[self.slot]
        if value is None:
            return accumulator
        count, mean, squares = accumulator
        count += 1.0
        delta = float(value) - mean
        step = delta / count
        return count, mean + step, squares + delta * (delta - step)

    def merge(self, accumulator: Moments, other: Moments) -> Moments:
        left, left_mean, left_squares = accumulator
        right, right_mean, right_squares = other
        count = left + right
        delta = right_mean - left_mean
        step = delta / count if count else 0.0
        return count, left_mean + step * right, left_squares + right_squares + delta * step * left * right

    def result(self, accumulator: Moments) -> float | None:
        count, _, squares = accumulator
        return self.finish(count, squares)


def population_variance(count: float, squares: float) -> float | None:
    """VAR_POP."""
    return squares / count if count else None


def sample_variance(count: float, squares: float) -> float | None:
    """VAR_SAMP; of one value NULL."""
    return squares / (count - 1.0) if count > 1.0 else None


def population_deviation(count: float, squares: float) -> float | None:
    """STDDEV_POP."""
    return math.sqrt(squares / count) if count else None


def sample_deviation(count: float, squares: float) -> float | None:
    """STDDEV_SAMP; of one value NULL."""
    return math.sqrt(squares / (count - 1.0)) if count > 1.0 else None


class Sums(NamedTuple):
    """Of values without NULL: their number, their mean, and the sums of the powers of their distances from it."""

    number: float = 0.0
    mean: float = 0.0
    squares: float = 0.0
    cubes: float = 0.0
    fourths: float = 0.0


@dataclass(frozen=True, slots=True)
class HigherMoments:
    """SKEWNESS and KURTOSIS, by the formulas of Pébay. Accumulator: the fields of `Sums` as a tuple."""

    result_type: pa.DataType
    slot: int
    finish: Callable[[Sums], float | None]

    def create(self) -> tuple[float, ...]:
        return tuple(Sums())

    def add(self, accumulator: tuple[float, ...], row: Row) -> tuple[float, ...]:
        value = row[self.slot]
        if value is None:
            return accumulator
        count, mean, squares, cubes, fourths = accumulator
        count += 1.0
        delta = float(value) - mean
        step = delta / count
        square, step_square = delta * delta, step * step
        squares += delta * (delta - step)
        cubes = cubes - 3.0 * step * squares + delta * (square - step_square)
        fourths = (
            fourths - 4.0 * step * cubes - 6.0 * step_square * squares + delta * (delta * square - step * step_square)
        )
        return count, mean + step, squares, cubes, fourths

    def merge(self, accumulator: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
        a, b = Sums(*accumulator), Sums(*other)
        m, n = a.number, b.number
        count, delta = m + n, b.mean - a.mean
        step = delta / count if count else 0.0
        return (
            count,
            a.mean + step * n,
            a.squares + b.squares + delta * step * m * n,
            a.cubes + b.cubes + step * step * delta * m * n * (m - n) + 3.0 * step * (m * b.squares - n * a.squares),
            a.fourths
            + b.fourths
            + step * step * step * delta * m * n * (m * m - m * n + n * n)
            + 6.0 * step * step * (m * m * b.squares + n * n * a.squares)
            + 4.0 * step * (m * b.cubes - n * a.cubes),
        )

    def result(self, accumulator: tuple[float, ...]) -> float | None:
        return self.finish(Sums(*accumulator))


def skewness(sums: Sums) -> float | None:
    """SKEWNESS; NULL where all values are equal."""
    spread = math.sqrt(sums.squares * sums.squares * sums.squares)
    return math.sqrt(sums.number) * sums.cubes / spread if spread else None


def kurtosis(sums: Sums) -> float | None:
    """KURTOSIS, that beyond a normal distribution's; NULL where all values are equal."""
    spread = sums.squares * sums.squares
    return sums.number * sums.fourths / spread - 3.0 if spread else None
