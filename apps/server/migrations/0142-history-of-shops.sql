-- Owned by module orders: the time at which the first comparison with each shop began. Completed orders that were
-- placed before it were shipped before Pegasus Ops managed the stock.
create table shop_first_comparisons (
  url text primary key,
  begun_at timestamptz not null
);
insert into shop_first_comparisons (url, begun_at)
select url, least(min(known_until), (select min(created_at) from orders where source = 'main_site'))
from (select url, known_until from shop_readings union all select url, known_until from shop_syncs) positions
group by url;

-- The pieces of such an order were shipped before Pegasus Ops managed the stock, so they are not missing.
alter table orders add column is_history boolean not null default false;
