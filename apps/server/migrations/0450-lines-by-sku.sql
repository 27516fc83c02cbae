-- in steps
-- An index for decisions about a SKU. They search the ordered lines with the SKU in orders of any status, because
-- orders that were completed because the SKU was ignored can be reopened.
create index concurrently order_lines_sku on order_lines (upper(sku)) where part_number = 0;
