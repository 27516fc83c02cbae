-- Owned by module orders: what the sender of an order told last. A repeated telling changes nothing, so that it does not take
-- back what people have done since; of a new one only what the sender changed is taken.
alter table orders add column source_told jsonb constraint orders_source_told check (jsonb_typeof(source_told) = 'object');

-- Owned by module stl-library: saved searches of other lists than the library.
alter table saved_searches
  add column list text not null default 'library' constraint saved_searches_list check (list in ('library', 'orders')),
  drop constraint saved_searches_name_key,
  add constraint saved_searches_name_key unique (account_id, list, name);
