"""What differs between the versions of Spark that winsql supports, one module per difference.

Each module says which version makes it unnecessary: it goes when that version is the oldest one supported. The rest
of winsql does not know versions, and uses no private part of PySpark.
"""
