-- in steps
-- Owned by module orders: orders that the shop sent only in part. They are read again by their ids.
create table shop_orders_to_read (
  url text not null,
  external_id text not null,
  tried_at timestamptz not null,
  primary key (url, external_id)
);

-- Orders that were refused before the update cause no alert, because the previous version cannot show it.
-- repeat
update refused_orders set told_at = refused_at where order_number in (
  select order_number from refused_orders where told_at is null limit 1000
) returning order_number;
