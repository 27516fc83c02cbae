-- Owned by module products: what the last comparison of a product with the main site found.
create table site_checks (
  product_id uuid primary key references products (id) on delete cascade,
  -- The site's address: of another site nothing is known.
  target text not null,
  -- As it was last found out.
  outcome text not null default 'unknown' constraint site_checks_outcome
    check (outcome in ('same', 'differs', 'missing', 'unknown')),
  known_at timestamptz,
  -- Why the latest try found out nothing; what was known before stands.
  problem text,
  checked_at timestamptz not null,
  -- `[{"field": "price", "theirs": 22, "since": "…"}]`, as products say it.
  differences jsonb not null default '[]' constraint site_checks_differences check (jsonb_typeof(differences) = 'array'),
  -- What was taken over from the site since the last publication, by field.
  accepted jsonb not null default '{}' constraint site_checks_accepted check (jsonb_typeof(accepted) = 'object')
);
create index site_checks_known on site_checks (target) where known_at is not null;

-- Never written; the table above has taken their place.
alter table products drop column differences, drop column compared_at;
