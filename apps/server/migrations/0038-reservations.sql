-- Who holds what is reserved of an item is asked whenever some of it is freed or taken; most rows of its journal do not
-- tell of that.
create index movements_reserving on movements (item_id, order_id) include (reserved_delta) where reserved_delta <> 0;
