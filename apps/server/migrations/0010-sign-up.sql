-- Owned by module auth: sign-up, and proofs by email.

alter table accounts
  -- Every change that an admin's screen shows increases it. An edit based on an older revision is refused.
  add column revision integer not null default 1,
  -- The new address, until it is confirmed.
  add column new_email text,
  add column confirmation_sent_at timestamptz,
  add column recovery_sent_at timestamptz,
  add column invited_at timestamptz,
  add column email_change_sent_at timestamptz;

-- The last time at which the person proved their identity in this session. Sensitive changes require a recent proof.
alter table sessions add column authenticated_at timestamptz;
update sessions set authenticated_at = created_at;
alter table sessions alter column authenticated_at set not null;

-- A sign-in that a link in an email starts in one place, and a code finishes in another (PKCE).
create table flow_states (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  code_challenge text not null,
  code_challenge_method text not null constraint flow_states_method check (code_challenge_method in ('s256', 'plain')),
  -- The amr method of the session that the code will open.
  method text not null,
  auth_code_hash text constraint flow_states_auth_code_key unique,
  code_issued_at timestamptz,
  created_at timestamptz not null
);
create index flow_states_account_id on flow_states (account_id);
create index flow_states_created_at on flow_states (created_at);

-- Tokens of links and codes in emails. Each proves an address once. Only hashes are stored. The hash of a code is
-- keyed, because eight digits are easy to guess.
create table one_time_tokens (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  type text not null
    constraint one_time_tokens_type check (type in ('signup', 'invite', 'recovery', 'email_change')),
  token_hash text not null constraint one_time_tokens_token_hash_key unique,
  code_hash text not null,
  -- The number of wrong codes. The link stays valid, because it cannot be guessed.
  wrong_codes integer not null default 0,
  -- The address to which the email was sent. Using the token proves this address.
  email text not null,
  -- The password of the sign-up that this token confirms. It is not valid until the address is proved, so that nobody
  -- can set a password for an account with the address of another person.
  password_hash text,
  flow_state_id uuid references flow_states (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint one_time_tokens_one_of_a_type unique (account_id, type)
);

-- Recent requests for an email to an address, with or without an account. The key is a hash.
create table mail_requests (
  address_key text not null,
  kind text not null,
  at timestamptz not null,
  primary key (address_key, kind)
);
create index mail_requests_at on mail_requests (at);

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
  a.created_at
from accounts a
left join profiles p on p.account_id = a.id
left join user_roles r on r.user_id = a.id and r.is_active;

create index accounts_newest on accounts (created_at desc, id desc);
