"""Groups of window results without window_end, which Spark refuses on streams: nothing says when they are complete."""

from __future__ import annotations

from winsql.syntax.expressions.items import first_gathering
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.fragment import Refusal
from winsql.syntax.rules.sides import refused
from winsql.syntax.selects.endless import WITHOUT_FUNCTION, WITHOUT_IDENTIFIER, endless_groups
from winsql.syntax.selects.stream_relations import find_stream_relations
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.nodes import parts_of
from winsql.syntax.tree.outputs import star_of
from winsql.syntax.tree.records import GAP, Role


def find_unbounded_group(source: Source, block: QueryBlock) -> Refusal | None:
    """The refusal of a SELECT that has such groups; None for any other."""
    has_results = any(relation.is_window_result for relation in block.relations)
    place = first_gathering(source, block.select)
    is_identifier = place is not None and any(source.words(index, "IDENTIFIER") for index in place.indexes)
    hint = WITHOUT_IDENTIFIER if is_identifier else None
    if place is None or not (has_results or hint) or _has_watermark(source, block):
        return None
    if _is_correlated(block):
        hint = "let it give one aggregate, and write the query around it as SELECT ... FROM (...) AS x WHERE ..., "
        hint += "without |> and LATERAL"
        return Refusal(
            refused(source, Extent(block.scope.first, block.scope.first + 1), "this subquery over windows", hint)
        )
    ends = (column.name for relation in block.relations for column in relation.output if column.role is Role.END)
    has_end = any(column.role is Role.END for column in block.scope.output)
    is_starred = has_end and any(star_of(item) is not None for item in block.scope.node.expressions)
    error = endless_groups(next(ends, None), is_starred=is_starred)
    error.hint = hint or (WITHOUT_FUNCTION if _is_of_function(source, block) else error.hint)
    error.located(source.text, source.span(place))
    return Refusal(error)


def _is_of_function(source: Source, block: QueryBlock) -> bool:
    """Whether the windows are what a function of the session returns: Spark drops what tells its window columns."""
    has_roles = any(column.role for relation in block.relations for column in relation.output)
    return not has_roles and any(
        o.is_table and source.at(o.extent.stop - 1).is_symbol(")") for o in block.scope.origins
    )


def _is_correlated(block: QueryBlock) -> bool:
    """Whether a SELECT over relations with known columns names those of another relation."""
    own = {relation.name for relation in block.relations}.union(*(relation.names for relation in block.relations))
    columns, _ = parts_of(block.scope.node)
    are_known = all(GAP not in relation.output for relation in block.relations)
    return are_known and any(column.table and column.table.lower() not in own for column in columns)


def _has_watermark(source: Source, block: QueryBlock) -> bool:
    """Whether a relation has a watermark of its own after the windows: then Spark may know when groups end."""
    origins = [origin.extent for origin in block.scope.origins]
    marked = (relation.extent for relation in find_stream_relations(source) if relation.delay is not None)
    return any(block.body.holds(extent) and not any(origin.holds(extent) for origin in origins) for extent in marked)
