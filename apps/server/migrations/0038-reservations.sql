-- Each reservation and release asks which orders hold the reserved pieces of an item. Most movements of an item do not
-- change reservations, so this index contains only the others.
create index movements_reserving on movements (item_id, order_id) include (reserved_delta) where reserved_delta <> 0;
