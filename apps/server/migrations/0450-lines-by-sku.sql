-- in steps
-- A decision about a SKU looks for the ordered lines with it, in orders of any status: those that were completed because the
-- SKU was ignored can be opened again.
create index concurrently order_lines_sku on order_lines (upper(sku)) where part_number = 0;
