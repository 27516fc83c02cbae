-- Owned by module orders: the values that the sender of an order sent last. A repeated message changes nothing, so it
-- does not undo later changes by people. Of a new message, only the values that the sender changed are used.
alter table orders add column source_told jsonb constraint orders_source_told check (jsonb_typeof(source_told) = 'object');

-- Owned by module stl-library: saved searches of other lists than the library.
alter table saved_searches
  add column list text not null default 'library' constraint saved_searches_list check (list in ('library', 'orders')),
  drop constraint saved_searches_name_key,
  add constraint saved_searches_name_key unique (account_id, list, name);
