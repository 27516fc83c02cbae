-- Owned by module products: the local catalogue, its drafts, and every attempt to publish.

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
  -- `[{"quantity": 10, "price_minor": 950}]`, or null where there are none.
  bulk_tiers jsonb constraint products_bulk_tiers check (jsonb_typeof(bulk_tiers) = 'array'),
  license text constraint products_license check (license in ('cc0', 'cc-by', 'cc-by-sa', 'cc-by-nc', 'custom')),
  designer text,
  designer_url text,
  -- The stock it is sold from.
  item_id uuid references items (id),
  status text not null default 'not_published' constraint products_status
    check (status in ('not_published', 'publishing', 'published', 'failed')),
  failure_reason text,
  -- What the main site calls it, as it answered.
  site_product_id text,
  site_url text,
  published_at timestamptz,
  -- The revision that the site has: a later one has changes that are not there yet.
  published_revision integer,
  -- Who sold it against the licence gate, and why.
  license_override jsonb,
  -- What the last comparison with the site found, and when.
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

-- `is_product` of a model is true while a live product links it. Kept here, since links come and go by many ways
-- (saving, bin, restore). The model's row is locked first, so that the question is asked after whoever was
-- changing another link of the same model has committed.
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
  -- The wizard's fields as typed, valid or not.
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

-- Written before anything is sent, so that a crash at any point can be taken up again.
create table publications (
  id uuid primary key,
  product_id uuid not null references products (id),
  number integer not null,
  -- The site sees the same key on every try of this publication: at most one product comes of it.
  idempotency_key uuid not null constraint publications_key unique,
  -- `local` where no main site is configured, else its address.
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
-- Fifty presses of Publish are one publication.
create unique index publications_one_at_a_time on publications (product_id) where status in ('pending', 'sending');
