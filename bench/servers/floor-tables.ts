import type { Sql } from '../../apps/server/src/platform/database/database.ts'

/**
 * Creates the tables of the baseline. One table has the columns that a card or a row shows, an inverted index of the
 * words, and an index for each sort order. Another table has all words, with a trigram index. The server's own tables
 * stay unchanged.
 */
export async function makeFloorModels(sql: Sql): Promise<void> {
  await sql.unsafe(`
    set statement_timeout = 0;
    drop table if exists floor_models;
    create table floor_models as
    select f.id, f.title, f.description, f.tags, f.license_type, f.is_product, f.revision, f.created_at, v.number as version,
           v.file_name, v.file_size, v.format, v.triangles, v.bounding_box_mm, v.is_watertight, v.analysis_status,
           v.thumbnail_key, v.sha256, lower(f.print_material) as material,
           to_tsvector('simple', f.title || ' ' || coalesce(f.description, '')) as words
    from stl_files f join stl_versions v on v.id = f.current_version_id where f.deleted_at is null;
    alter table floor_models add primary key (id);
    create index on floor_models using gin (words);
    create index on floor_models (created_at desc, id desc);
    create index on floor_models (material, created_at desc, id desc);
    create index on floor_models (lower(title), id);
    create index on floor_models (file_size, id);
    drop table if exists floor_words;
    create table floor_words as select distinct unnest(tsvector_to_array(words)) as word from floor_models;
    create index on floor_words using gin (word gin_trgm_ops)`)
  await sql`vacuum analyze floor_models, floor_words`
}

export async function makeFloorItems(sql: Sql): Promise<void> {
  await sql.unsafe(`
    set statement_timeout = 0;
    drop table if exists floor_items;
    create table floor_items as
    select i.id, i.name, i.sku, i.quantity, i.reserved_quantity, i.reorder_point, i.max_stock, i.status, i.material_used,
           i.color, i.color_hex, i.selling_price_minor, i.created_at, l.path as location,
           to_tsvector('simple', concat_ws(' ', i.name, i.sku, i.material_used, i.color, l.path)) as words
    from items i left join locations l on l.id = i.location_id where i.deleted_at is null;
    alter table floor_items add primary key (id);
    create index on floor_items using gin (words);
    create index on floor_items (created_at desc, id desc);
    create index on floor_items (created_at desc, id desc) where quantity <= reorder_point;
    create index on floor_items (lower(name), id);
    create index on floor_items (quantity, id)`)
}

export async function makeFloorOrders(sql: Sql): Promise<void> {
  await sql.unsafe(`
    set statement_timeout = 0;
    drop table if exists floor_orders;
    create table floor_orders as
    select o.id, o.order_number, o.customer_name, o.status, o.total_minor, o.currency, o.placed_at, o.due_at, o.source, o.revision,
           count(l.id)::int as lines, coalesce(sum(l.quantity), 0)::int as pieces,
           coalesce(sum(l.needed_quantity), 0)::int as missing, coalesce(array_agg(l.item_id), '{}') as items
    from orders o left join order_lines l on l.order_id = o.id where o.deleted_at is null group by o.id;
    alter table floor_orders add primary key (id);
    create index on floor_orders (placed_at desc, id desc);
    create index on floor_orders (status, placed_at desc, id desc)`)
  await sql`vacuum analyze floor_orders`
}
