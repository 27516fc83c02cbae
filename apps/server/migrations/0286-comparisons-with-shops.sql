-- Owned by module orders: the time of the last comparison with each shop, and the reason why the last failed comparison
-- failed. The reason stays after a later success.
create table shop_comparisons (
  url text primary key,
  compared_at timestamptz,
  failed_at timestamptz,
  problem text
);
