"""Text to model: finds the windowed queries of a statement, reads them, and puts something else in their place.

statement = parse_statement(text)
relations = {}
for index in range(len(statement.queries)):
    query = statement.query(index, relations)        # nested queries replaced
    context = statement.context(index, relations)    # WITH list for queries over query.source
    relations[index] = ...                           # a relation's name, or a query in brackets
spark.sql(statement.replace(relations), args=statement.arguments(args))
"""

from __future__ import annotations

from winsql.syntax.bind.column_rules import no_key
from winsql.syntax.expressions.item_names import named
from winsql.syntax.statement import Statement, parse_statement
from winsql.syntax.statement_kind import StatementKind, Target
from winsql.syntax.stream_statements.into import CreateStreamInto, SinkClause
from winsql.syntax.stream_statements.names import Name, name_of
from winsql.syntax.stream_statements.secrets import hidden
from winsql.syntax.stream_statements.statements import (
    AwaitStream,
    CreateStream,
    ShowStreams,
    ShowWindowState,
    StopStream,
    StreamStatement,
)
from winsql.syntax.stream_statements.views import (
    CreateStreamView,
    DescribeStreamView,
    DropStreamView,
    ShowStreamViews,
    ViewStatement,
    query_of_view,
)
from winsql.syntax.text.source import parameter_name

__all__ = [
    "AwaitStream",
    "CreateStream",
    "CreateStreamInto",
    "CreateStreamView",
    "DescribeStreamView",
    "DropStreamView",
    "Name",
    "ShowStreamViews",
    "ShowStreams",
    "ShowWindowState",
    "SinkClause",
    "Statement",
    "StatementKind",
    "StopStream",
    "StreamStatement",
    "Target",
    "ViewStatement",
    "hidden",
    "name_of",
    "named",
    "no_key",
    "parameter_name",
    "parse_statement",
    "query_of_view",
]
