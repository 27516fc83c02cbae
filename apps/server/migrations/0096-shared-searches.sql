-- Owned by module stl-library: saved searches of further lists, and searches that everybody can see.
alter table saved_searches
  add column is_shared boolean not null default false,
  drop constraint saved_searches_list,
  add constraint saved_searches_list
    check (list in ('library', 'orders', 'inventory', 'print-queue', 'filament'));
create index saved_searches_shared on saved_searches (list) where is_shared;

-- Owned by module orders: the page of a customer lists all orders with the same name, ignoring case.
create index orders_customer on orders (lower(customer_name), placed_at desc, id desc) where deleted_at is null;
