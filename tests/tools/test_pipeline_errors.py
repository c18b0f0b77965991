"""What `winsql.pipeline_sql` says, without a pipeline."""

from __future__ import annotations

import pytest
from pyspark.errors import AnalysisException

from winsql.errors import WindowPlanError
from winsql.spark import pipelines


@pytest.mark.parametrize(("relation", "argument"), [("`other`.`t`", "t='...'"), ("`t`", "t='...'")])
def test_columns_are_asked_for_as_python_takes_them(relation: str, argument: str) -> None:
    error = AnalysisException("", "TABLE_OR_VIEW_NOT_FOUND", {"relationName": relation})
    with pytest.raises(WindowPlanError) as caught, pipelines._told_of_columns():
        raise error
    assert f"winsql.pipeline_sql(text, {argument})" in str(caught.value)
    assert ("without the schema" in str(caught.value)) == ("." in relation)
