-- Owned by module api-keys: the keys that programs hold, and what is done with them.

create table api_keys (
  id uuid primary key,
  -- The owner: a key may never more than this person may, and ends with them.
  account_id uuid not null references accounts (id),
  label text not null constraint api_keys_label_length check (length(label) between 1 and 100),
  scopes text[] not null,
  -- The literal beginning of the key, by which it is found and known; rotating changes it.
  key_prefix text not null constraint api_keys_prefix_key unique,
  -- SHA-256 of the whole key. Of 256 random bits nothing can be guessed, so nothing slow is needed.
  key_hash bytea not null constraint api_keys_hash_length check (length(key_hash) = 32),
  is_active boolean not null default true,
  expires_at timestamptz,
  -- Where it works from; null for everywhere.
  allowed_addresses cidr[] constraint api_keys_addresses check (cardinality(allowed_addresses) between 1 and 20),
  usage_count bigint not null default 0,
  last_used timestamptz,
  last_used_ip text,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 80);
create index api_keys_newest on api_keys (created_at desc, id desc);
create index api_keys_account_id on api_keys (account_id);

-- The last calls of each key; older ones are removed as new ones come.
create table key_calls (
  id uuid primary key,
  key_id uuid not null references api_keys (id) on delete cascade,
  at timestamptz not null,
  method text not null,
  -- Without its query.
  path text not null,
  status integer not null,
  ip text,
  request_id text not null
);
create index key_calls_newest on key_calls (key_id, at desc, id desc);

-- How often a key was used in the minute that began with its first call. Not logged: a write on the path of every
-- request must not wait for the disk, and a crash may forget the last minute. It refers to no key, since a key that
-- is deleted at the same moment must not fail the request; what is left over is removed every hour.
create unlogged table key_windows (
  key_id uuid primary key,
  started_at timestamptz not null,
  calls integer not null
) with (fillfactor = 50);

-- The published face of module stl-library for those who print: the very bytes that a job was queued with.
create view library_versions as
select v.id, v.stl_file_id, v.file_name, v.file_size, v.sha256, v.object_key, v.format
from stl_versions v;

-- A shop that sends an order again may have taken a line out of it; what was printed for that line stays.
alter table print_jobs
  drop constraint print_jobs_order_line_id_fkey,
  add constraint print_jobs_order_line_id_fkey foreign key (order_line_id) references order_lines (id)
    on delete set null;
