MODEL (name shop.busy, kind FULL);

SELECT meter, n FROM shop.peaks WHERE n > 1
