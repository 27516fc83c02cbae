-- Owned by module products: the local catalog, its drafts, and every publication.

create table products (
  id uuid primary key,
  name text not null constraint products_name_length check (length(name) between 1 and 200),
  slug text not null constraint products_slug_form check (slug ~ '^[a-z0-9-]+$' and length(slug) <= 200),
  category text not null constraint products_category
    check (category in ('miniatures', 'terrain', 'accessories', 'tools', 'other')),
  price_minor bigint not null constraint products_price check (price_minor >= 0),
  stock integer not null constraint products_stock check (stock between 0 and 1000000000),
  description text not null,
  tags text[] not null default '{}',
  images text[] not null default '{}',
  videos text[] not null default '{}',
  poster_url text,
  -- `[{"quantity": 10, "price_minor": 950}]`, or null if there are no bulk tiers.
  bulk_tiers jsonb constraint products_bulk_tiers check (jsonb_typeof(bulk_tiers) = 'array'),
  license text constraint products_license check (license in ('cc0', 'cc-by', 'cc-by-sa', 'cc-by-nc', 'custom')),
  designer text,
  designer_url text,
  -- The item whose stock is sold.
  item_id uuid references items (id),
  status text not null default 'not_published' constraint products_status
    check (status in ('not_published', 'publishing', 'published', 'failed')),
  failure_reason text,
  -- The id of the product on the main site, from the site's response.
  site_product_id text,
  site_url text,
  published_at timestamptz,
  -- The revision that was published. A later revision has unpublished changes.
  published_revision integer,
  -- The person who allowed the sale despite the license, and the reason.
  license_override jsonb,
  -- The result of the last comparison with the site, and its time.
  differences jsonb,
  compared_at timestamptz,
  search_text text generated always as (lower(name || ' ' || slug)) stored,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint products_published_at check (status <> 'published' or published_at is not null)
);
create unique index products_slug_key on products (slug) where deleted_at is null;
create index products_newest on products (created_at desc, id desc) where deleted_at is null;
create index products_by_status on products (status, created_at desc, id desc) where deleted_at is null;
create index products_item on products (item_id) where deleted_at is null;
select create_search_index('products_search', 'products');

create table product_models (
  product_id uuid not null references products (id),
  stl_file_id uuid not null references stl_files (id),
  position integer not null,
  primary key (product_id, stl_file_id)
);
create index product_models_model on product_models (stl_file_id);

-- `is_product` of a model is true while a product outside the trash uses it. A trigger updates it, because many actions
-- change these links: saving, deleting and restoring. The model's row is locked first. So the links are read after
-- parallel changes of the same model have been committed.
create function refresh_is_product(model_id uuid) returns void language plpgsql as $$
declare
  linked boolean;
begin
  perform 1 from stl_files where id = model_id for update;
  linked := exists (
    select from product_models l join products p on p.id = l.product_id
    where l.stl_file_id = model_id and p.deleted_at is null);
  update stl_files set is_product = linked where id = model_id and is_product <> linked;
end $$;

create function on_product_link() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform refresh_is_product(old.stl_file_id); end if;
  if tg_op <> 'DELETE' then perform refresh_is_product(new.stl_file_id); end if;
  return null;
end $$;
create trigger product_models_mark after insert or update or delete on product_models
  for each row execute function on_product_link();

create function on_product_bin() returns trigger language plpgsql as $$
begin
  -- In one order, or two products that share models could wait for each other.
  perform refresh_is_product(l.stl_file_id)
  from (select stl_file_id from product_models where product_id = new.id order by stl_file_id) l;
  return null;
end $$;
create trigger products_mark after update of deleted_at on products for each row
  when (old.deleted_at is distinct from new.deleted_at) execute function on_product_bin();

create table drafts (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  product_id uuid references products (id),
  title text not null default '',
  -- The fields of the wizard as they were typed, valid or not.
  content jsonb not null,
  step smallint not null default 1 constraint drafts_step check (step between 1 and 4),
  is_shared boolean not null default false,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index drafts_newest on drafts (updated_at desc, id desc) where deleted_at is null;
create index drafts_of_account on drafts (account_id, updated_at desc) where deleted_at is null;

-- A publication is stored before its first call, so that it continues after a crash.
create table publications (
  id uuid primary key,
  product_id uuid not null references products (id),
  number integer not null,
  -- Every attempt of this publication sends the same key, so the site creates at most one product.
  idempotency_key uuid not null constraint publications_key unique,
  -- The address of the main site, or `local` if no main site is configured.
  target text not null,
  payload jsonb not null,
  status text not null constraint publications_status check (status in ('pending', 'sending', 'published', 'failed')),
  tries integer not null default 0,
  http_status integer,
  response_text text,
  actor_kind text not null constraint publications_actor_kind check (actor_kind in ('user', 'api_key', 'system')),
  actor_id uuid,
  actor_name text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  finished_at timestamptz,
  constraint publications_number_key unique (product_id, number)
);
-- Repeated clicks on Publish cause only one publication.
create unique index publications_one_at_a_time on publications (product_id) where status in ('pending', 'sending');
