-- Owned by module products: the result of the last comparison of a product with the main site.
create table site_checks (
  product_id uuid primary key references products (id) on delete cascade,
  -- The address of the site. The row says nothing about another site.
  target text not null,
  -- The last known result.
  outcome text not null default 'unknown' constraint site_checks_outcome
    check (outcome in ('same', 'differs', 'missing', 'unknown')),
  known_at timestamptz,
  -- The reason why the latest attempt failed. The earlier result stays valid.
  problem text,
  checked_at timestamptz not null,
  -- `[{"field": "price", "theirs": 22, "since": "…"}]`, with the field names of products.
  differences jsonb not null default '[]' constraint site_checks_differences check (jsonb_typeof(differences) = 'array'),
  -- The values that were accepted from the site since the last publication, by field.
  accepted jsonb not null default '{}' constraint site_checks_accepted check (jsonb_typeof(accepted) = 'object')
);
create index site_checks_known on site_checks (target) where known_at is not null;

-- Never written. The table above replaces them.
alter table products drop column differences, drop column compared_at;
