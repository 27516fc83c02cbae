-- in steps
-- Owned by module products: each order of the shop looks for the products of its items, also for products in the trash.
create index concurrently products_of_item on products (item_id) where item_id is not null;
