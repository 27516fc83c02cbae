-- What the wizard names a product by from its first field on. Whoever publishes under that name once more, whatever else
-- has changed, means this product: the answer to the first time may have got lost.
alter table products add column making_id text;
create index products_making_id on products (making_id) where making_id is not null;
