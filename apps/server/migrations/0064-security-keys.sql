-- Owned by module auth: second factors that are security keys, and the credentials of keys and devices (WebAuthn).
alter table factors drop constraint factors_type;
alter table factors add constraint factors_type check (factor_type in ('totp', 'recovery_code', 'webauthn'));
alter table factors drop constraint factors_secret;
alter table factors add constraint factors_secret check ((secret_sealed is not null) = (factor_type = 'totp'));

create table webauthn_credentials (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- The second factor that it proves. Null for a passkey, which signs in by itself.
  factor_id uuid constraint webauthn_credentials_factor_key unique references factors (id) on delete cascade,
  -- The key's own name for it, as base64url. A device registers it once.
  credential_id text not null constraint webauthn_credentials_credential_key unique,
  public_key bytea not null,
  -- How often the key says that it has signed; zero for keys that do not count.
  sign_count bigint not null,
  -- How a browser may reach the key, in its own words.
  transports text[] not null,
  friendly_name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint webauthn_credentials_name_length check (length(friendly_name) <= 120)
);
create index webauthn_credentials_account_id on webauthn_credentials (account_id);
