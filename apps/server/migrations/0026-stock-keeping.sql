-- Owned by module inventory: indexes for all sort orders of the list, the trash, and crossings of low items.

create index items_by_name on items (lower(name), id) where deleted_at is null;
create index items_by_quantity on items (quantity, id) where deleted_at is null;
create index items_by_update on items (updated_at desc, id desc) where deleted_at is null;
create index items_by_material on items (lower(material_used), created_at desc, id desc) where deleted_at is null;
create index items_in_bin on items (deleted_at desc, id desc) where deleted_at is not null;

-- Crossings: one row each time an item's quantity falls to its reorder point. A trigger writes them, so that they are
-- complete whichever statement changes the quantity or the reorder point. The sender of the alerts deletes the rows.
create table low_stock_crossings (
  id bigint generated always as identity primary key,
  item_id uuid not null references items (id),
  quantity integer not null,
  reorder_point integer not null,
  crossed_at timestamptz not null
);
create index low_stock_crossings_of_item on low_stock_crossings (item_id);

create function note_low_stock() returns trigger language plpgsql as $$
begin
  insert into low_stock_crossings (item_id, quantity, reorder_point, crossed_at)
  values (new.id, new.quantity, new.reorder_point, new.updated_at);
  return null;
end $$;
create trigger items_low_stock_noted after update of quantity, reorder_point on items for each row
  when (old.quantity > old.reorder_point and new.quantity <= new.reorder_point and new.deleted_at is null)
  execute function note_low_stock();

-- The public view of products, for the items whose stock they sell.
create view catalogue_items as
select p.id as product_id, p.name, p.status, p.item_id, p.deleted_at from products p where p.item_id is not null;

-- The public views of spools and printers, for the locations where they are.
create view placed_spools as
select s.id, s.label_code, s.location_id, s.deleted_at,
       concat_ws(' ', f.material, nullif(f.name, ''), nullif(f.color, '')) as name
from spools s join filaments f on f.id = s.filament_id
where s.location_id is not null;
create view placed_printers as
select p.id, p.name, p.location_id, p.deleted_at from printers p where p.location_id is not null;
