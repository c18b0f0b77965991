"""dbt imports installed modules named `dbt_...` when it starts: this one lets sessions of dbt-spark use winsql."""

from winsql.tools.dbt import install

install()
