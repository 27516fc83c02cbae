-- Owned by module auth: second factors of accounts, their challenges, and the sessions that they raised.

create table factors (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  factor_type text not null constraint factors_type check (factor_type in ('totp', 'recovery_code')),
  status text not null constraint factors_status check (status in ('unverified', 'verified')),
  -- An empty name is allowed, and is also unique.
  friendly_name text not null constraint factors_name_length check (length(friendly_name) <= 100),
  -- The secret of an authenticator app, encrypted with the root secret. Recovery codes have their own rows.
  secret_sealed text constraint factors_secret check ((secret_sealed is null) = (factor_type = 'recovery_code')),
  -- The period of 30 seconds whose code was accepted last. This code and earlier codes are refused.
  last_step integer,
  last_challenged_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint factors_name_key unique (account_id, friendly_name)
);
create unique index factors_one_set_of_recovery_codes on factors (account_id) where factor_type = 'recovery_code';
create index factors_unverified on factors (created_at) where status = 'unverified';

-- A request for a code. It belongs to a session and an IP address, ends after a few minutes, and can be answered once.
create table challenges (
  id uuid primary key,
  factor_id uuid not null references factors (id) on delete cascade,
  session_id uuid not null references sessions (id) on delete cascade,
  address text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index challenges_factor_id on challenges (factor_id);
create index challenges_session_id on challenges (session_id, created_at desc, id desc);
create index challenges_expires_at on challenges (expires_at);

-- Only hashes are stored, keyed with the root secret. The codes are shown to their owner once.
create table recovery_codes (
  factor_id uuid not null references factors (id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (factor_id, code_hash)
);

alter table sessions
  -- The factor that raised the session to aal2.
  add column factor_id uuid references factors (id) on delete set null,
  -- Refresh tokens with a lower number were issued before the second step. They are not accepted after it.
  add column raised_from_counter integer not null default 0;
create index sessions_factor_id on sessions (factor_id);

create or replace view people as
select
  a.id,
  a.email,
  a.username,
  coalesce(p.full_name, '') as full_name,
  coalesce(r.role_name, 'viewer') as role,
  coalesce(r.permissions, '{"can_view_orders": true}'::jsonb) as permissions,
  a.user_metadata as metadata,
  a.is_active and a.approved_at is not null as is_active,
  coalesce(p.system_access, false) as system_access,
  a.must_change_password,
  a.last_sign_in_at,
  a.is_active as is_enabled,
  a.approved_at,
  a.email_confirmed_at,
  a.revision,
  a.created_at,
  a.new_email,
  a.invited_at,
  case
    when not a.is_active then 'deactivated'
    when a.approved_at is null then 'waiting'
    when a.password_hash is null then 'invited'
    when a.email_confirmed_at is null then 'waiting'
    else 'active'
  end as status,
  -- Recovery codes replace a lost second factor. They are not a factor themselves.
  exists (
    select from factors f where f.account_id = a.id and f.status = 'verified' and f.factor_type = 'totp'
  ) as has_second_factor
from accounts a
left join profiles p on p.account_id = a.id
left join user_roles r on r.user_id = a.id and r.is_active;
