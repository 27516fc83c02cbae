-- Owned by module api-keys: the keys of programs, and their use.

create table api_keys (
  id uuid primary key,
  -- The owner. A key never has more rights than its owner, and it is disabled with the owner.
  account_id uuid not null references accounts (id),
  label text not null constraint api_keys_label_length check (length(label) between 1 and 100),
  scopes text[] not null,
  -- The first characters of the key. The key is found and recognized by them. Rotation changes them.
  key_prefix text not null constraint api_keys_prefix_key unique,
  -- SHA-256 of the whole key. A slow hash is not needed, because 256 random bits cannot be guessed.
  key_hash bytea not null constraint api_keys_hash_length check (length(key_hash) = 32),
  is_active boolean not null default true,
  expires_at timestamptz,
  -- The addresses from which the key works. Null: all addresses.
  allowed_addresses cidr[] constraint api_keys_addresses check (cardinality(allowed_addresses) between 1 and 20),
  usage_count bigint not null default 0,
  last_used timestamptz,
  last_used_ip text,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 80);
create index api_keys_newest on api_keys (created_at desc, id desc);
create index api_keys_account_id on api_keys (account_id);

-- The last calls of each key. New calls remove older ones.
create table key_calls (
  id uuid primary key,
  key_id uuid not null references api_keys (id) on delete cascade,
  at timestamptz not null,
  method text not null,
  -- The path without the query.
  path text not null,
  status integer not null,
  ip text,
  request_id text not null
);
create index key_calls_newest on key_calls (key_id, at desc, id desc);

-- The number of uses of a key within a minute, which starts with the first call. The table is unlogged, because a write
-- in every request must not wait for the disk. A crash may lose the last minute. The table has no foreign key: a
-- request must not fail because its key is deleted at the same time. A cleanup job removes old rows every hour.
create unlogged table key_windows (
  key_id uuid primary key,
  started_at timestamptz not null,
  calls integer not null
) with (fillfactor = 50);

-- The public view of module stl-library for printing: the file of the version with which a job was queued.
create view library_versions as
select v.id, v.stl_file_id, v.file_name, v.file_size, v.sha256, v.object_key, v.format
from stl_versions v;

-- A shop may send an order again without a line. Jobs that were printed for that line are kept.
alter table print_jobs
  drop constraint print_jobs_order_line_id_fkey,
  add constraint print_jobs_order_line_id_fkey foreign key (order_line_id) references order_lines (id)
    on delete set null;
