-- Owned by module auth: accounts that people make themselves, and what is proved by mail.

alter table accounts
  -- Raised by every change that an admin's screen shows, so that nobody overwrites what they have not seen.
  add column revision integer not null default 1,
  -- The address that a change of email waits for; nothing but its confirmation makes it the account's.
  add column new_email text,
  add column confirmation_sent_at timestamptz,
  add column recovery_sent_at timestamptz,
  add column invited_at timestamptz,
  add column email_change_sent_at timestamptz;

-- When the person last proved who they are in this session; sensitive changes want it recent.
alter table sessions add column authenticated_at timestamptz;
update sessions set authenticated_at = created_at;
alter table sessions alter column authenticated_at set not null;

-- A sign-in that a mail's link begins in one place and its code ends in another (PKCE).
create table flow_states (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  code_challenge text not null,
  code_challenge_method text not null constraint flow_states_method check (code_challenge_method in ('s256', 'plain')),
  -- amr method of the session that the code will open.
  method text not null,
  auth_code_hash text constraint flow_states_auth_code_key unique,
  code_issued_at timestamptz,
  created_at timestamptz not null
);
create index flow_states_account_id on flow_states (account_id);
create index flow_states_created_at on flow_states (created_at);

-- What a mail's link or code proves, once. Hashes only; the code's is keyed, since eight digits are soon tried.
create table one_time_tokens (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  type text not null
    constraint one_time_tokens_type check (type in ('signup', 'invite', 'recovery', 'email_change')),
  token_hash text not null constraint one_time_tokens_token_hash_key unique,
  code_hash text not null,
  -- Wrong codes so far; the link is not to be guessed and stays good.
  wrong_codes integer not null default 0,
  -- The address it was sent to, which using it proves.
  email text not null,
  -- The password that was given with the sign-up this token confirms. It counts only once the address is proved,
  -- so that nobody can plant a password of theirs on somebody else's address.
  password_hash text,
  flow_state_id uuid references flow_states (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint one_time_tokens_one_of_a_type unique (account_id, type)
);

-- Who asked for a mail to an address lately, whether or not it has an account. The key is a hash.
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
