"""A query as Spark's own parser reads it: what its unresolved logical plan names."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from java_objects import java_object
from readings import Join, Path, Query, Relation, ordered

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PLANS = r"""
package plans;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.Option;
import scala.Product;
import scala.collection.Iterable;
import scala.collection.Iterator;

public class Plans {
  public String json(ParserInterface parser, List texts) {
    StringBuilder out = new StringBuilder("[");
    for (int i = 0; i < texts.size(); i++) {
      if (i > 0) out.append(",");
      try {
        write(parser.parsePlan((String) texts.get(i)), out);
      } catch (ParseException error) {
        out.append("null");
      }
    }
    return out.append("]").toString();
  }

  private void write(Object value, StringBuilder out) {
    if (value instanceof Iterable) {
      list(((Iterable) value).iterator(), out);
    } else if (value instanceof Option) {
      list(((Option) value).iterator(), out);
    } else if (value instanceof Product) {
      String kind = value instanceof LogicalPlan ? "PLAN" : value instanceof Expression ? "EXPRESSION" : "VALUE";
      out.append("{\"kind\":\"" + kind + "\",\"name\":\"" + value.getClass().getSimpleName() + "\",\"args\":");
      list(((Product) value).productIterator(), out);
      out.append("}");
    } else {
      quote(String.valueOf(value), out);
    }
  }

  private void list(Iterator values, StringBuilder out) {
    out.append("[");
    for (boolean isFirst = true; values.hasNext(); isFirst = false) {
      if (!isFirst) out.append(",");
      write(values.next(), out);
    }
    out.append("]");
  }

  private void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ') {
        out.append(String.format("\\u%04x", new Object[] {Integer.valueOf(c)}));
      } else {
        if (c == '"' || c == '\\') out.append('\\');
        out.append(c);
      }
    }
    out.append('"');
  }
}
"""
"""Plans of many statements at once, as nested lists of all that they hold; null where Spark cannot read one."""

_AUTOMATIC = "__auto_generated_subquery_name"
_PIVOTS = ("Pivot", "Unpivot", "UnresolvedPivot", "UnresolvedUnpivot")
_RELATIONS = frozenset(
    {"Generate", "Join", "LateralJoin", "LocalRelation", "OneRowRelation", "RelationTimeTravel", "Sample"}
    | {"SubqueryAlias", "UnresolvedInlineTable", "UnresolvedRelation", "UnresolvedTableValuedFunction", *_PIVOTS}
)
_SETS = ("Union", "Except", "Intersect")
_JOINS = {
    "Inner$": "INNER",
    "Cross$": "INNER",
    "LeftOuter$": "LEFT",
    "RightOuter$": "RIGHT",
    "FullOuter$": "FULL",
    "LeftSemi$": "SEMI",
    "LeftAnti$": "ANTI",
}


@dataclass(frozen=True, slots=True)
class _Node:
    """A case class: a plan, an expression or another value."""

    kind: str
    name: str
    args: list[Any]


def read_plans(spark: SparkSession, texts: list[str]) -> dict[str, Query | None]:
    """The readings of some queries by their texts; None where Spark cannot read one."""
    jvm_session: Any = spark._jsparkSession
    known = list(dict.fromkeys(texts))
    written = _writer(spark).json(jvm_session.sessionState().sqlParser(), known)
    plans = json.loads(written, object_hook=lambda fields: _Node(**fields))
    return {text: None if plan is None else _query(plan) for text, plan in zip(known, plans, strict=True)}


@cache  # py4j knows methods by the names of their classes, so that the class must not be compiled twice
def _writer(spark: SparkSession) -> Any:
    return java_object(spark, "plans.Plans", _PLANS)


@dataclass(slots=True)
class _Found:
    """What has been met of a query so far."""

    relations: list[Relation] = field(default_factory=list)
    joins: list[Join] = field(default_factory=list)
    aliases: tuple[Path, ...] = ()
    columns: list[Path] = field(default_factory=list)
    subqueries: list[Query] = field(default_factory=list)

    def read(self, value: Any, bound: frozenset[str] = frozenset()) -> None:
        """Note the columns and subqueries of expressions; `bound` are the variables of lambdas around them."""
        if isinstance(value, list):
            for part in value:
                self.read(part, bound)
        elif not isinstance(value, _Node):
            return
        elif value.kind == "PLAN":
            self.subqueries.append(_query(value))
        elif (path := _path(value)) is not None:
            self.columns += [] if path[0] in bound else [path]
        elif value.name == "LambdaFunction":
            self.read(value.args[0], bound | {variable.args[0][0] for variable in value.args[1]})
        elif value.name in ("UnresolvedStar", "UnresolvedStarExceptOrReplace"):
            target, *others = value.args
            self.columns.append((*(part for path in target for part in path), "*"))
            self.columns += [("EXCEPT", *path) for path in others[0]] if others else []
        else:
            self.read(value.args, bound)


def _path(value: _Node) -> Path | None:
    """The names of a column and of the fields after it, `w.e` or `w['e']`; None for any other expression."""
    if value.name in ("UnresolvedAttribute", "UnresolvedNamedLambdaVariable"):
        return tuple(value.args[0])
    if value.name != "UnresolvedExtractValue":
        return None
    of, key = value.args
    path, is_name = _path(of), key.name == "Literal" and "StringType" in str(key.args[1])
    return (*path, key.args[0]) if path is not None and is_name else None


def _query(plan: _Node) -> Query:
    ctes: tuple[tuple[str, Path, Query], ...] = ()
    found, is_distinct = _Found(), False
    while plan.name not in _SETS and not _is_relation(plan):
        if plan.name == "UnresolvedWith":
            ctes += tuple(_cte(*cte.args[:2]) for cte in plan.args[1])
        else:
            _read_clause(plan, found)
        is_distinct = plan.name == "Distinct"
        plan = _plans(plan)[0 if plan.name == "UnresolvedWith" else -1]  # the first plan of INSERT is its table
    branches: tuple[Query, ...] = ()
    if plan.name in _SETS:
        branches = tuple(map(_query, plan.args[0] if plan.name == "Union" else _plans(plan)))
    else:
        _read_relations(plan, found)
    columns, subqueries = ordered(found.columns, found.subqueries)
    operation = _operation(plan, is_distinct) if branches else ""
    relations, joins = tuple(found.relations), tuple(sorted(found.joins))
    return Query(ctes, operation, branches, relations, joins, found.aliases, columns, subqueries)


def _plans(plan: _Node) -> list[_Node]:
    """The plans that a plan is over."""
    return [value for value in plan.args if isinstance(value, _Node) and value.kind == "PLAN"]


def _is_relation(plan: _Node) -> bool:
    """Whether it is all of a FROM; UNPIVOT without NULLs has a filter around it."""
    return plan.name in _RELATIONS or (plan.name == "Filter" and _plans(plan)[0].name in _PIVOTS)


def _operation(plan: _Node, is_distinct: bool) -> str:
    is_union = plan.name == "Union"
    is_all = not is_distinct if is_union else plan.args[2] == "true"
    is_by_name = is_union and plan.args[1] == "true"
    return plan.name.upper() + " BY NAME" * is_by_name + " ALL" * is_all


def _cte(name: str, alias: _Node) -> tuple[str, Path, Query]:
    body = alias.args[1]
    is_list = body.name == "UnresolvedSubqueryColumnAliases"
    return (name, tuple(body.args[0]), _query(body.args[1])) if is_list else (name, (), _query(body))


def _read_clause(plan: _Node, found: _Found) -> None:
    own = [value for value in plan.args if not (isinstance(value, _Node) and value.kind == "PLAN")]
    if plan.name in ("Project", "Aggregate"):
        found.aliases = tuple(_aliases(item) for item in own[0 if plan.name == "Project" else 1])
    if plan.name == "WithWindowDefinition":  # `WINDOW v AS (w)` has all of w twice
        definitions = [definition.args[1] for definition in own[0]]
        own = [one for number, one in enumerate(definitions) if one not in definitions[:number]]
    if plan.name == "Sort" and _plans(plan)[0].name == "RepartitionByExpression" and _is_cluster_by(plan):
        own = []  # as the plan that it is over has them all
    if plan.name != "UnresolvedHint":
        found.read(own)


def _is_cluster_by(sort: _Node) -> bool:
    return [order.args[0] for order in sort.args[0]] == _plans(sort)[0].args[0]


def _aliases(item: _Node) -> Path:
    """The names after AS; `a:b` has one that nobody wrote."""
    if item.name == "Alias" and item.args[0].name != "SemiStructuredExtract":
        return (item.args[1],)
    return tuple(item.args[1]) if item.name == "MultiAlias" else ()


def _read_relations(plan: _Node, found: _Found) -> None:
    """Note the relations of a FROM, and its joins."""
    first = len(found.relations)
    if plan.name in ("Join", "LateralJoin"):
        left, right, kind, condition = plan.args[:4]
        _read_relations(left, found)
        first = len(found.relations)
        _read_relations(right.args[0] if plan.name == "LateralJoin" else right, found)
        found.joins.append(Join(first, len(found.relations), *_kind(kind)))
        found.read(condition)
    elif plan.name == "Generate":
        generator, _, _, qualifier, columns, child = plan.args
        _read_relations(child, found)
        found.read(generator)
        found.relations.append(Relation((), *qualifier, tuple(column.args[0][0] for column in columns)))
    elif plan.name in _PIVOTS:
        _read_relations(_plans(plan)[0], found)
        found.joins.append(Join(first, len(found.relations), "PIVOT"))
    elif plan.name in ("Filter", "Sample") or _is_named_pivot(plan):
        _read_relations(_plans(plan)[0], found)
    elif plan.name != "OneRowRelation":
        found.relations.append(_relation(plan, found))


def _is_named_pivot(plan: _Node) -> bool:
    """Whether it is a PIVOT with an alias, which is left out here."""
    inner = _plans(plan)
    is_filter = bool(inner) and inner[0].name == "Filter"
    return plan.name == "SubqueryAlias" and (_plans(inner[0])[0] if is_filter else inner[0]).name in _PIVOTS


def _kind(join: _Node) -> tuple[str, Path]:
    if join.name == "UsingJoin":
        return _JOINS[join.args[0].name], tuple(join.args[1])
    if join.name == "NaturalJoin":
        return f"NATURAL {_JOINS[join.args[0].name]}", ()
    return _JOINS[join.name], ()


def _relation(plan: _Node, found: _Found) -> Relation:
    """One relation; the arguments of a function are columns that the SELECT names."""
    if plan.name == "SubqueryAlias":
        name, (body,) = plan.args[0].args[0], _plans(plan)
        columns: Path = ()
        if body.name == "UnresolvedSubqueryColumnAliases":
            columns, body = tuple(body.args[0]), body.args[1]
        elif body.name == "UnresolvedTVFAliases":
            _, body, columns = body.args[0], body.args[1], tuple(body.args[2])
        return _relation(body, found).renamed("" if name == _AUTOMATIC else name, columns)
    if plan.name in ("Sample", "RelationTimeTravel"):
        return _relation(_plans(plan)[0], found)
    if plan.name == "UnresolvedRelation":
        return Relation(tuple(plan.args[0]))
    if plan.name in ("LocalRelation", "UnresolvedInlineTable"):
        names = [name if isinstance(name, str) else name.args[0] for name in plan.args[0]]
        return Relation(("VALUES",), columns=() if names[0] == "col1" else tuple(names))
    if plan.name == "UnresolvedTableValuedFunction":
        found.read(plan.args[1])
        return Relation()
    return _query(plan).as_relation()
