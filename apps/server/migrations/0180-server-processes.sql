-- Owned by module system: the servers that use this database. Each server updates its row every few seconds, and
-- deletes it when it stops. The System page lists them. A server with another file storage than the others does not
-- start.
create table server_processes (
  id uuid primary key,
  role text not null check (role in ('all', 'web', 'jobs')),
  -- The name of the machine or container.
  host text not null,
  version text not null,
  -- Identifies the folder or bucket with the files.
  store_id text not null,
  -- The path of the folder, or the address of the bucket.
  store text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
