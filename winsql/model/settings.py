"""Settings of a session that the reading of its statements depends on."""

from __future__ import annotations

from dataclasses import dataclass

ANSI = "spark.sql.ansi.enabled"
DOUBLE_QUOTES = "spark.sql.ansi.doubleQuotedIdentifiers"
BACKSLASHES = "spark.sql.parser.escapedStringLiterals"
CONSECUTIVE_STRINGS = "spark.sql.legacy.consecutiveStringLiterals.enabled"
SETTINGS_OF_TEXTS = {
    DOUBLE_QUOTES: "double quotes",
    BACKSLASHES: "a backslash in a string",
    CONSECUTIVE_STRINGS: "two quotes in a string",
}
"""Those by which a text with such parts means something else, without another error."""


@dataclass(frozen=True, slots=True)
class ParserSettings:
    """How Spark reads quotes and names; the defaults are those of a new session.

    double_quoted_identifiers   `"x"` is a name, no string: spark.sql.ansi.doubleQuotedIdentifiers, where ANSI is on
    escaped_string_literals     a backslash in a string is one: spark.sql.parser.escapedStringLiterals
    case_sensitive              `k` and `K` are two names: spark.sql.caseSensitive
    group_by_ordinal            a number in GROUP BY is a position: spark.sql.groupByOrdinal
    group_by_aliases            a name in GROUP BY may be an alias: spark.sql.groupByAliases
    outer_ctes_win              a CTE hides those of its name inside others: spark.sql.legacy.ctePrecedencePolicy
    integer_grouping_id         GROUPING_ID is an INT, not a BIGINT: spark.sql.legacy.integerGroupingId
    single_character_pipes      `|` before an operator is `|>`: spark.sql.parser.singleCharacterPipeOperator.enabled
    consecutive_strings         `'a''b'` is two strings: spark.sql.legacy.consecutiveStringLiterals.enabled
    """

    double_quoted_identifiers: bool = False
    escaped_string_literals: bool = False
    case_sensitive: bool = False
    group_by_ordinal: bool = True
    group_by_aliases: bool = True
    outer_ctes_win: bool = False
    integer_grouping_id: bool = False
    single_character_pipes: bool = True
    consecutive_strings: bool = False


DEFAULTS = ParserSettings()
"""Those of a new session."""
