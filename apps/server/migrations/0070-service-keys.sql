-- Owned by module api-keys: keys of the hosted service's protocol. They belong to the instance, not to a person.

create table service_keys (
  id uuid primary key,
  -- `publishable` and `anon` only identify the instance. `secret` and `service_role` administer accounts.
  kind text not null constraint service_keys_kind check (kind in ('publishable', 'secret', 'anon', 'service_role')),
  label text not null constraint service_keys_label_length check (length(label) between 1 and 100),
  -- A part of the key by which people recognize it.
  key_hint text not null,
  -- SHA-256 of the whole key. A JWT is also stored this way, so that each one can be revoked.
  key_hash bytea not null constraint service_keys_hash_key unique
    constraint service_keys_hash_length check (length(key_hash) = 32),
  -- The end of a JWT. Null for other keys.
  expires_at timestamptz,
  usage_count bigint not null default 0,
  last_used timestamptz,
  last_used_ip text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- The last time at which the audit recorded the use of a key at an endpoint.
create table service_key_uses (
  key_id uuid not null references service_keys (id) on delete cascade,
  endpoint text not null,
  at timestamptz not null,
  primary key (key_id, endpoint)
);
