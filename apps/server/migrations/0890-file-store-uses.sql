-- Owned by the platform: the times in which servers used this database, and the folder or bucket in which they stored files. A server does not
-- start if the database has never used its folder or bucket, but other files are there. The hourly cleanup keeps files
-- that were stored while no server used this database.
create table file_store_uses (
  -- Belongs to one server process, or to a later part of its run.
  id uuid primary key,
  -- Identifies the folder or bucket.
  store_id text not null,
  began_at timestamptz not null,
  -- Updated while the server runs.
  seen_at timestamptz not null
);
