-- Owned by module auth: single sign-on by SAML 2.0.
create table sso_providers (
  id uuid primary key,
  -- A name that a program with a service key gives the provider.
  resource_id text constraint sso_providers_resource_id_key unique,
  is_disabled boolean not null default false,
  entity_id text not null constraint sso_providers_entity_id_key unique,
  metadata_xml text not null,
  -- Null if the metadata was uploaded. Otherwise the server reads it from this address every day.
  metadata_url text,
  metadata_read_at timestamptz not null,
  attribute_mapping jsonb not null,
  name_id_format text,
  -- The result of the last test sign-in. Null if the provider was not tested.
  last_test jsonb,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- The domains of email addresses whose people sign in through a provider, in lower case.
create table sso_domains (
  id uuid primary key,
  provider_id uuid not null references sso_providers (id) on delete cascade,
  domain text not null constraint sso_domains_domain_key unique,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index sso_domains_provider_id on sso_domains (provider_id);

-- Sign-ins that a browser has started and will finish when a provider redirects it back. Each can be used once. Only a
-- hash is stored.
create table saml_states (
  state_hash text primary key,
  provider_id uuid not null references sso_providers (id) on delete cascade,
  redirect_to text,
  code_challenge text,
  code_challenge_method text constraint saml_states_method check (code_challenge_method in ('s256', 'plain')),
  -- A hash of the cookie that identifies the browser. Null if the sign-in is not bound to a browser.
  browser_hash text,
  -- True if an administrator tests the provider. Such a sign-in opens no session.
  is_test boolean not null,
  created_at timestamptz not null,
  used_at timestamptz,
  constraint saml_states_challenge check ((code_challenge is null) = (code_challenge_method is null))
);
create index saml_states_created_at on saml_states (created_at);
create index saml_states_provider_id on saml_states (provider_id);

-- The key that signs our requests to providers, if the configuration contains no key. The table has one row.
create table saml_keys (
  id boolean primary key default true constraint saml_keys_one check (id),
  private_key_sealed text not null,
  created_at timestamptz not null
);

alter table accounts
  -- The provider that manages the account. Null for all other accounts.
  add column sso_provider_id uuid references sso_providers (id),
  -- The address that this provider sent. It is shown, but it cannot be used to sign in or to find an account.
  add column sso_email text,
  add constraint accounts_sso_email check (sso_email is null or sso_provider_id is not null);
create index accounts_sso_provider_id on accounts (sso_provider_id) where sso_provider_id is not null;

-- The end of the session that the code opens, if the provider set one.
alter table flow_states add column session_ends_at timestamptz;

-- Owned by module auth: accounts as other modules see them.
create or replace view people as
select
  a.id,
  coalesce(a.sso_email, a.email) as email,
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
    -- A person who signs in through a provider or with a wallet needs no password.
    when a.password_hash is null
      and not exists (select from identities i where i.account_id = a.id and i.provider <> 'email') then 'invited'
    when a.email_confirmed_at is null then 'waiting'
    else 'active'
  end as status,
  -- Recovery codes replace a lost second factor. They are not a factor themselves.
  exists (
    select from factors f where f.account_id = a.id and f.status = 'verified' and f.factor_type = 'totp'
  ) as has_second_factor,
  a.deleted_at,
  a.is_anonymous,
  a.has_email,
  a.sso_provider_id is not null as is_sso_managed
from accounts a
left join profiles p on p.account_id = a.id
left join user_roles r on r.user_id = a.id and r.is_active;
