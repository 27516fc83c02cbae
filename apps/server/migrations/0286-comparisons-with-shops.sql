-- Owned by module orders: when the orders of each shop were last compared, and why the last failed comparison failed. The reason
-- stays after a later success.
create table shop_comparisons (
  url text primary key,
  compared_at timestamptz,
  failed_at timestamptz,
  problem text
);
