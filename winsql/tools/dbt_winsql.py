"""dbt imports installed modules named `dbt_...` when it starts; a wheel has this one at its top, too.

It lets sessions of dbt-spark use winsql.
"""

from winsql.tools.dbt import install

install()
