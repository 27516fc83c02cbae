-- The name with which the wizard created the product. Another publication with this name means the same product, even
-- if other fields differ, because the response to the first one may have been lost.
alter table products add column making_id text;
create index products_making_id on products (making_id) where making_id is not null;
