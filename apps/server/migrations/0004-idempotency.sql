-- Owned by the platform: stored responses. A repeated request gets the stored response and has no further effect.

create table idempotency_keys (
  account_id uuid not null references accounts (id),
  key text not null constraint idempotency_keys_length check (length(key) between 1 and 255),
  fingerprint text not null,
  response_status integer not null,
  response_body jsonb not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
