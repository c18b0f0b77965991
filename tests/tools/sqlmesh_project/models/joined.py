from sqlmesh import model


@model("shop.joined", columns={"meter": "text", "value": "int"}, kind="FULL", depends_on=["shop.readings"])
def execute(context, **_):
    readings = context.resolve_table("shop.readings")
    return context.spark.sql(f"""
        SELECT a.meter, a.value + b.value AS value
        FROM {readings} AS a WINDOW JOIN {readings} AS b ON a.meter = b.meter AND a.value < b.value
        WINDOW ASSIGN TUMBLING((a.ts, b.ts), INTERVAL 10 MINUTES)
    """)
