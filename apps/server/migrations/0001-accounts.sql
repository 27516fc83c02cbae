-- Owned by module auth: who can sign in, and the sessions they hold.

create table accounts (
  id uuid primary key,
  email text not null constraint accounts_email_length check (length(email) between 3 and 320),
  username text not null
    constraint accounts_username_length check (length(username) between 1 and 64)
    -- Sign-in takes either name in one field; without this a username could shadow somebody's address.
    constraint accounts_username_is_no_address check (position('@' in username) = 0),
  password_hash text,
  email_confirmed_at timestamptz,
  approved_at timestamptz,
  is_active boolean not null default true,
  must_change_password boolean not null default false,
  -- A generated password is told once; null while that has still to happen.
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
  -- Number of the refresh token that is current; older numbers have been used up.
  refresh_counter integer not null default 0,
  -- Set when the session may only finish what it is doing (the seconds after a change of password).
  ends_at timestamptz
);
create index sessions_account_id on sessions (account_id);

-- A refresh token is computed from its session, its number and the root secret, so none is stored.
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

-- Failed sign-ins of the last minutes. `account_key` is a hash, so that mistyped names are not kept.
create table sign_in_failures (
  id uuid primary key,
  account_key text not null,
  address text not null,
  at timestamptz not null
);
create index sign_in_failures_address on sign_in_failures (address, at);
create index sign_in_failures_at on sign_in_failures (at);
