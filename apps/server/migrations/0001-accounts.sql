-- Owned by module auth: accounts that can sign in, and their sessions.

create table accounts (
  id uuid primary key,
  email text not null constraint accounts_email_length check (length(email) between 3 and 320),
  username text not null
    constraint accounts_username_length check (length(username) between 1 and 64)
    -- People sign in with either name in the same field. A username must not look like another person's address.
    constraint accounts_username_is_no_address check (position('@' in username) = 0),
  password_hash text,
  email_confirmed_at timestamptz,
  approved_at timestamptz,
  is_active boolean not null default true,
  must_change_password boolean not null default false,
  -- The time at which the generated password was shown. It is shown once. Null until then.
  generated_password_shown_at timestamptz,
  user_metadata jsonb not null default '{}',
  app_metadata jsonb not null default '{"provider": "email", "providers": ["email"]}',
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index accounts_email_key on accounts (lower(email));
create unique index accounts_username_key on accounts (lower(username));

create table identities (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  provider text not null,
  provider_subject text not null,
  identity_data jsonb not null default '{}',
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint identities_subject_key unique (provider, provider_subject)
);
create index identities_account_id on identities (account_id);

create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  aal text not null default 'aal1',
  amr jsonb not null,
  user_agent text,
  ip text,
  created_at timestamptz not null,
  refreshed_at timestamptz not null,
  -- The number of the current refresh token. Lower numbers have been used.
  refresh_counter integer not null default 0,
  -- The end of a session that may only finish its current requests, some seconds after a change of password.
  ends_at timestamptz
);
create index sessions_account_id on sessions (account_id);

-- A refresh token is computed from its session, its number and the root secret. The token itself is not stored.
create table refresh_tokens (
  session_id uuid not null references sessions (id) on delete cascade,
  counter integer not null,
  issued_at timestamptz not null,
  replaced_at timestamptz,
  primary key (session_id, counter)
);

create table signing_keys (
  kid text primary key,
  algorithm text not null,
  public_jwk jsonb not null,
  private_jwk_sealed text not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);
create unique index signing_keys_one_active on signing_keys ((true)) where retired_at is null;

-- Failed sign-ins of the last minutes. `account_key` is a hash, so mistyped names are not stored.
create table sign_in_failures (
  id uuid primary key,
  account_key text not null,
  address text not null,
  at timestamptz not null
);
create index sign_in_failures_address on sign_in_failures (address, at);
create index sign_in_failures_at on sign_in_failures (at);
