-- Owned by module products: the revision that is being published, and the time at which it was queued.

-- The revision of the product in the payload.
alter table publications add column revision integer not null default 1;
-- The time at which the publication was last queued. Its process can end before it sends anything.
alter table publications add column queued_at timestamptz;
update publications set queued_at = created_at;
alter table publications alter column queued_at set not null;

create index publications_under_way on publications (queued_at) where status in ('pending', 'sending');
create index publications_of_product on publications (product_id, number desc);
create index products_in_bin on products (deleted_at desc, id desc) where deleted_at is not null;
create index drafts_in_bin on drafts (deleted_at) where deleted_at is not null;
